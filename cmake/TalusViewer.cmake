# The viewer: viewer/ (TypeScript) bundled by esbuild into one script and one style, which become a C++
# source of the laboratory. Packages come from npm, at the versions of viewer/package-lock.json, into
# build/viewer/; npm is asked again only when that file changes, and its cache is used where it has them.
#
# With TALUS_VIEWER=OFF nothing of Node or of the web server is needed; reports then have no viewer.
set(viewer_source ${CMAKE_CURRENT_SOURCE_DIR}/viewer)
set(viewer_build ${CMAKE_BINARY_DIR}/viewer)

if(TALUS_VIEWER)
  find_program(NPM npm)
  find_program(NODE NAMES node nodejs)
  if(NOT NPM OR NOT NODE)
    message(FATAL_ERROR "The viewer is built by Node 18 or later and npm: install the packages nodejs and npm, or configure with -DTALUS_VIEWER=OFF")
  endif()
  pkg_check_modules(HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib)
  find_package(Threads REQUIRED)
  list(FILTER TALUS_LAB_SOURCES EXCLUDE REGEX "src/view/no_assets\\.cpp$")

  file(GLOB_RECURSE viewer_sources CONFIGURE_DEPENDS ${viewer_source}/src/*.ts ${viewer_source}/src/*.css ${viewer_source}/src/*.glsl)
  # The type checker and the driver of the browser are for tests only.
  set(npm_options --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error)
  if(NOT TALUS_TESTS)
    list(APPEND npm_options --omit=dev)
  endif()
  set(npm_stamp ${viewer_build}/modules${TALUS_TESTS}.stamp)
  add_custom_command(OUTPUT ${npm_stamp}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${viewer_build}
    COMMAND ${CMAKE_COMMAND} -E copy ${viewer_source}/package.json ${viewer_source}/package-lock.json ${viewer_build}
    COMMAND ${CMAKE_COMMAND} -E chdir ${viewer_build} ${NPM} ci ${npm_options}
    COMMAND ${CMAKE_COMMAND} -E touch ${npm_stamp}
    DEPENDS ${viewer_source}/package.json ${viewer_source}/package-lock.json
    COMMENT "Fetching the viewer's packages (npm ci)" VERBATIM)
  add_custom_command(OUTPUT ${viewer_build}/assets.cpp
    COMMAND ${NODE} ${viewer_source}/build.mjs ${viewer_build}
    DEPENDS ${npm_stamp} ${viewer_source}/build.mjs ${viewer_sources}
    COMMENT "Bundling the viewer" VERBATIM)
  list(APPEND TALUS_LAB_SOURCES ${viewer_build}/assets.cpp)
endif()
# The server is a library of its own: only what serves knows the web server's headers and flags.
list(FILTER TALUS_LAB_SOURCES EXCLUDE REGEX "src/view/server\\.cpp$")

# Gives `target` the server.
function(talus_link_server target)
  if(NOT TALUS_VIEWER)
    return()
  endif()
  if(NOT TARGET talus_server)
    add_library(talus_server STATIC ${CMAKE_CURRENT_SOURCE_DIR}/src/view/server.cpp)
    target_include_directories(talus_server PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/src)
    target_link_libraries(talus_server PUBLIC talus_lab PRIVATE PkgConfig::HTTPLIB Threads::Threads fmt::fmt)
    talus_compile(talus_server)
  endif()
  target_link_libraries(${target} PRIVATE talus_server)
endfunction()
