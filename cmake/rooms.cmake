# A room is one folder under src/ and one library target. Its LINK line is the
# list of rooms and libraries it may use: the compiler sees no other headers of
# third-party libraries, and script/lint checks the #include lines of rooms.

add_library(edgewise_warnings INTERFACE)
target_compile_options(edgewise_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror)
if(EDGEWISE_SANITIZE)
  target_compile_options(edgewise_warnings INTERFACE
    -fsanitize=${EDGEWISE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(edgewise_warnings INTERFACE -fsanitize=${EDGEWISE_SANITIZE})
endif()

# edgewise_room(NAME SOURCES a.cc b.cc LINK edgewise_base ...)
function(edgewise_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  add_library(edgewise_${name} STATIC ${ROOM_SOURCES})
  target_include_directories(edgewise_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(edgewise_${name} PUBLIC ${ROOM_LINK} PRIVATE ${ROOM_PRIVATE_LINK} edgewise_warnings)
endfunction()

# edgewise_test(NAME [COMPUTES] SOURCES a_test.cc LINK edgewise_base ...): one
# GoogleTest program named NAME_test, registered with ctest case by case. What is
# tested is optimised, the tests are not: they compile a third faster. COMPUTES:
# these tests do much work of their own, and are.
add_custom_target(unit_tests COMMENT "All unit test programs")
function(edgewise_test name)
  cmake_parse_arguments(TEST "COMPUTES" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name}_test ${TEST_SOURCES})
  if(NOT TEST_COMPUTES)
    target_compile_options(${name}_test PRIVATE -O0)
  endif()
  target_link_libraries(${name}_test PRIVATE ${TEST_LINK} edgewise_warnings GTest::gmock GTest::gtest_main)
  add_dependencies(unit_tests ${name}_test)
  gtest_discover_tests(${name}_test DISCOVERY_TIMEOUT 60 PROPERTIES LABELS unit TIMEOUT 300)
endfunction()
