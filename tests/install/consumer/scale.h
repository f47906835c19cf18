// Device code in a header, which the program embeds.
#pragma once

constexpr float scale = 2;
