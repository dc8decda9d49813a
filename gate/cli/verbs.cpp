// The table of verbs and the way into it.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/verbs.h"

#include <algorithm>
#include <ostream>

#include "gate/base/text.h"
#include "gate/cli/help.h"
#include "gate/cli/verb.h"

namespace gate {
namespace {

constexpr int exit_user_error = 2;
constexpr int exit_environment = 3;

bool asks_for_help(const std::string& argument) { return argument == "--help" || argument == "-h"; }

void write_overview(std::ostream& out) {
  out << help_text("gate") << "\nVerbs (gate VERB --help tells more):\n";
  for (const Verb& verb : all_verbs()) {
    out << "  " << verb.name << std::string(13 - verb.name.size(), ' ') << verb.summary << "\n";
  }
}

const Verb* find_verb(const std::string& name) {
  for (const Verb& verb : all_verbs()) {
    if (verb.name == name) return &verb;
  }
  return nullptr;
}

int unknown_verb(const std::string& name, std::ostream& err) {
  std::vector<std::string> names;
  for (const Verb& verb : all_verbs()) names.emplace_back(verb.name);
  const auto close = nearest(name, names);
  const std::string hint =
      close ? "did you mean \"gate " + *close + "\"?" : "the verbs are: " + join(names, " ");
  return report_failure(user_failure("unknown verb: " + clean_text(name, 100), hint), err);
}

}  // namespace

const std::vector<Verb>& all_verbs() {
  static const std::vector<Verb> verbs = {
      {"run", "check kernels and say which are illusions", run_verb},
      {"replay", "run one seed or token again", replay_verb},
      {"list", "ops, kernels and columns, and which would run here", list_verb},
      {"schema", "what is generated for one kernel, and why", schema_verb},
      {"init", "write the files of a new kernel from its source", init_verb},
      {"seeds", "the committed seeds", seeds_verb},
      {"study", "measure the gate itself: recall and false positives on the corpus", study_verb},
      {"tolerances", "write default rows for ops that lack them", tolerances_verb},
      {"calibrate", "measure correct kernels, propose or check multipliers c", calibrate_verb},
      {"merge", "join the reports of shards", merge_verb},
      {"render", "a JSON report in another format", render_verb},
      {"publish", "a JSON report as comment, check run, summary … on GitHub", publish_verb},
      {"doctor", "what this machine can run, and what is missing", doctor_verb},
  };
  return verbs;
}

int report_failure(const Failure& failure, std::ostream& err) {
  err << to_text(failure);
  if (const std::string text = to_text(failure); text.empty() || text.back() != '\n') err << "\n";
  return failure.fault == Fault::user ? exit_user_error : exit_environment;
}

int dispatch(const Invocation& invocation) {
  const std::vector<std::string>& arguments = invocation.arguments;
  if (arguments.empty()) {
    write_overview(invocation.err);
    return exit_user_error;
  }
  const std::string& first = arguments.front();
  if (asks_for_help(first) || first == "help") {
    write_overview(invocation.out);
    return 0;
  }
  if (first == "--version") {
    invocation.out << "gate " << GATE_VERSION << "\n";
    return 0;
  }
  const Verb* verb = find_verb(first);
  if (verb == nullptr) return unknown_verb(first, invocation.err);
  if (std::any_of(arguments.begin() + 1, arguments.end(), asks_for_help)) {
    invocation.out << help_text(verb->name);
    return 0;
  }
  Invocation rest = invocation;
  rest.arguments.erase(rest.arguments.begin());
  return verb->run(rest);
}

}  // namespace gate
