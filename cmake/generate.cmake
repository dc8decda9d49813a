# Generated tables: nothing else in the build names an op.
# SPDX-License-Identifier: Apache-2.0
set(gate_generated_sources)
file(GLOB reference_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/testcases/*/reference.cpp)
list(SORT reference_files)
set(reference_declarations "")
set(reference_rows "")
set(reference_count 0)
foreach(file ${reference_files})
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(op ${folder} NAME)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(SHA256 ${file} digest)
  set(glue ${CMAKE_BINARY_DIR}/generated/reference_${op}.cpp)
  file(CONFIGURE OUTPUT ${glue} @ONLY CONTENT
"// Generated from testcases/@op@/reference.cpp.
#include \"testcases/@op@/reference.cpp\"
#include \"gate/reference/glue.h\"
namespace gate {
extern const ReferenceRow reference_row_@op@;
const ReferenceRow reference_row_@op@{\"@op@\",
    [](const Inputs& i, const OpSchema& o, const std::string& c) {
      return run_reference<Tracked>(i, o, c, [](Context<Tracked>& x) { reference(x); });
    },
    [](const Inputs& i, const OpSchema& o, const std::string& c) {
      return run_reference<double>(i, o, c, [](Context<double>& x) { reference(x); });
    },
    \"@digest@\"};
}  // namespace gate
")
  list(APPEND gate_generated_sources ${glue})
  string(APPEND reference_declarations "extern const ReferenceRow reference_row_${op};\n")
  string(APPEND reference_rows "    &reference_row_${op},\n")
  math(EXPR reference_count "${reference_count} + 1")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/reference_table.cpp @ONLY CONTENT
"// Generated: one row per testcases/<op>/reference.cpp, sorted by op.
#include \"gate/reference/glue.h\"
namespace gate {
@reference_declarations@
std::vector<const ReferenceRow*> reference_table() {
  return {
@reference_rows@  };
}
}  // namespace gate
")
list(APPEND gate_generated_sources ${CMAKE_BINARY_DIR}/generated/reference_table.cpp)

# fp64 models of seeded bugs, for the study's ceilings: testcases/<op>/models/<kernel>.cpp.
file(GLOB model_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/testcases/*/models/*.cpp)
list(SORT model_files)
set(model_declarations "")
set(model_rows "")
foreach(file ${model_files})
  get_filename_component(kernel ${file} NAME_WE)
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(folder ${folder} DIRECTORY)
  get_filename_component(op ${folder} NAME)
  set(glue ${CMAKE_BINARY_DIR}/generated/model_${op}_${kernel}.cpp)
  file(CONFIGURE OUTPUT ${glue} @ONLY CONTENT
"// Generated from testcases/@op@/models/@kernel@.cpp.
#include \"testcases/@op@/models/@kernel@.cpp\"
#include \"gate/reference/glue.h\"
#include \"gate/search/study_models.h\"
namespace gate {
extern const BugModel bug_model_@op@_@kernel@;
const BugModel bug_model_@op@_@kernel@{\"@op@\", \"@kernel@\",
    [](const Inputs& i, const OpSchema& o, const std::string& c) {
      return run_reference<double>(i, o, c, [](Context<double>& x) { model(x); });
    }};
}  // namespace gate
")
  list(APPEND gate_generated_sources ${glue})
  string(APPEND model_declarations "extern const BugModel bug_model_${op}_${kernel};\n")
  string(APPEND model_rows "    &bug_model_${op}_${kernel},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/model_table.cpp @ONLY CONTENT
"// Generated: one row per testcases/<op>/models/<kernel>.cpp, sorted.
#include \"gate/search/study_models.h\"
namespace gate {
@model_declarations@
std::vector<const BugModel*> bug_model_table() {
  return {
@model_rows@  };
}
}  // namespace gate
")
list(APPEND gate_generated_sources ${CMAKE_BINARY_DIR}/generated/model_table.cpp)

# Texts compiled in, so that file and program cannot drift apart: FUNCTION(topic), of HEADER,
# gives the content of FOLDER/<topic>.<extension>.
function(gate_embed_texts folder function header)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.*)
  set(rows "")
  foreach(file ${files})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(topic ${file} NAME_WE)
    file(READ ${file} text)
    string(APPEND rows "    {\"${topic}\", R\"TEXT(${text})TEXT\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/${function}s.cpp @ONLY CONTENT
"// Generated from @folder@.
#include \"@header@\"
namespace gate {
namespace {
struct EmbeddedText {
  std::string_view topic, text;
};
constexpr EmbeddedText texts[] = {
@rows@};
}  // namespace
std::string_view @function@(std::string_view topic) {
  for (const EmbeddedText& text : texts) {
    if (text.topic == topic) return text.text;
  }
  return {};
}
}  // namespace gate
")
  list(APPEND gate_generated_sources ${CMAKE_BINARY_DIR}/generated/${function}s.cpp)
  set(gate_generated_sources ${gate_generated_sources} PARENT_SCOPE)
endfunction()
gate_embed_texts(gate/cli/help help_text gate/cli/help.h)
gate_embed_texts(gate/cli/regression regression_text gate/cli/regression_code.h)
gate_embed_texts(gate/report/page page_text gate/report/html_text.h)
