# An open set is a folder in which every file that defines `register_<file name>(Registry&)` is a
# member. This writes the one function that calls them all, so that a new member is one new file:
# no list to edit, and nothing a linker may drop.
#
#   talus_open_set(<target> <folder below src> <absolute folder> <registry type> <registry header>)
function(talus_open_set target name folder registry header)
  file(GLOB members CONFIGURE_DEPENDS ${folder}/*.cpp)
  set(declarations "")
  set(calls "")
  foreach(member ${members})
    get_filename_component(stem ${member} NAME_WE)
    file(STRINGS ${member} defines REGEX "^void register_${stem}\\(${registry}&")
    if(defines)
      string(APPEND declarations "void register_${stem}(${registry}& registry);\n")
      string(APPEND calls "    register_${stem}(registry);\n")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${member})
  endforeach()
  string(REPLACE "/" "_" flat ${name})
  set(out ${CMAKE_BINARY_DIR}/generated/${flat}_members.cpp)
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT
"// Written by cmake/TalusOpenSet.cmake from the files of src/${name}.
#include \"${name}/${header}\"
namespace talus {
${declarations}
void register_members(${registry}& registry) {
${calls}}
}  // namespace talus
")
  target_sources(${target} PRIVATE ${out})
endfunction()
