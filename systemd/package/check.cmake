# Run by cpack on what it is going to pack: half a package is worse than none.
set(page usr/share/shipahoy/www/scoreboard.html)

if(NOT CPACK_INSTALL_PREFIX STREQUAL "/usr")
  message(FATAL_ERROR "A package belongs in /usr, and this build in ${CPACK_INSTALL_PREFIX}: "
    "use cmake --workflow --preset package")
endif()
if(NOT EXISTS ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${page})
  message(FATAL_ERROR "The page has not been built: install npm, and use "
    "cmake --workflow --preset package")
endif()
# Without these cpack would leave out the libraries that the programs need, and only mention it.
foreach(tool dpkg-shlibdeps file)
  find_program(FOUND_${tool} ${tool})
  if(NOT FOUND_${tool})
    message(FATAL_ERROR "${tool} is missing: install the packages dpkg-dev and file")
  endif()
endforeach()
