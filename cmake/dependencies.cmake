# Third parties, static or header-only, so that a built tree runs where they are not installed.
# SPDX-License-Identifier: Apache-2.0
find_package(Threads REQUIRED)
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CURL)
find_package(benchmark QUIET)
find_path(TOMLPP_INCLUDE toml++/toml.h REQUIRED)
find_path(CLI11_INCLUDE CLI/CLI.hpp REQUIRED)
find_path(FFI_INCLUDE ffi.h PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE} REQUIRED)

set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
find_library(CRYPTO_LIBRARY crypto REQUIRED)
find_library(ZLIB_LIBRARY z REQUIRED)
find_library(FFI_LIBRARY ffi REQUIRED)
find_library(BOOST_CONTEXT_LIBRARY boost_context REQUIRED)
find_library(PUGIXML_LIBRARY pugixml)

add_library(gate_third_party INTERFACE)
target_include_directories(gate_third_party SYSTEM INTERFACE ${TOMLPP_INCLUDE} ${CLI11_INCLUDE})
target_compile_definitions(gate_third_party INTERFACE TOML_EXCEPTIONS=0 TOML_HEADER_ONLY=1)
target_link_libraries(gate_third_party INTERFACE
  rapidcheck GTest::gtest fmt::fmt-header-only nlohmann_json::nlohmann_json
  ${CRYPTO_LIBRARY} ${ZLIB_LIBRARY} Threads::Threads ${CMAKE_DL_LIBS})
if(NOT GATE_SANITIZE)
  target_link_options(gate_third_party INTERFACE -static-libstdc++ -static-libgcc)
endif()

add_library(gate_worker_third_party INTERFACE)
target_include_directories(gate_worker_third_party SYSTEM INTERFACE ${FFI_INCLUDE})
target_link_libraries(gate_worker_third_party INTERFACE ${FFI_LIBRARY} ${BOOST_CONTEXT_LIBRARY})
