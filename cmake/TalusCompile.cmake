# One set of flags for every target. No contraction and no reassociation: the same scene gives the
# same bits on every x86-64 machine.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

function(talus_compile target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wno-unknown-pragmas
                         -ffp-contract=off -fno-math-errno -fno-trapping-math)
  if(TALUS_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=address,undefined -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()
