// CUTTLE_API marks what libcuttle.so exports; everything else in it is hidden.
#pragma once

#define CUTTLE_API __attribute__((visibility("default")))
