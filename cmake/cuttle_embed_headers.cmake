# cuttle_embed_headers(target header...) puts headers that kernels take whole (CUTTLE_DEVICE_HEADER), and those that they include in quotes, into a
# program or a library: its kernels compile where the sources are not. The target must link cuttle::cuttle.
function(cuttle_embed_headers target)
  foreach(header IN LISTS ARGN)
    get_filename_component(path ${header} ABSOLUTE)
    get_filename_component(name ${header} NAME)
    string(MD5 id "${target} ${path}")
    set(symbol cuttle_embedded_${id})
    set(source ${CMAKE_CURRENT_BINARY_DIR}/cuttle_embedded/${target}/${name}_${id}.cpp)
    set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed_header.cmake)
    add_custom_command(OUTPUT ${source}
      COMMAND ${CMAKE_COMMAND} -DHEADER=${path} -DSOURCE=${source} -DSYMBOL=${symbol} -P ${script}
      DEPENDS ${path} ${script}
      COMMENT "Embedding ${name} in ${target}"
      VERBATIM)
    target_sources(${target} PRIVATE ${source})
    # Nobody calls what is in this source: from a static library the linker would not take it.
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      target_link_options(${target} INTERFACE LINKER:--undefined=${symbol})
    endif()
  endforeach()
endfunction()
