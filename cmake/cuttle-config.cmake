include(${CMAKE_CURRENT_LIST_DIR}/cuttle-targets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/cuttle_embed_headers.cmake)
