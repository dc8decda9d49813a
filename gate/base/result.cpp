// Texts of places and failures.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/result.h"

namespace gate {

std::string to_text(const Place& place) {
  std::string text = place.file;
  for (const int number : {place.line, place.column}) {
    if (number <= 0) break;  // a column without a line says nothing
    if (!text.empty()) text += ':';
    text += std::to_string(number);
  }
  return text;
}

std::string to_text(const Failure& failure) {
  std::string text;
  for (const Problem& problem : failure.problems) {
    if (!text.empty()) text += '\n';
    const std::string place = to_text(problem.place);
    if (!place.empty()) text += place + ": ";
    text += "error: " + problem.text;
    if (!problem.hint.empty()) text += "\n  hint: " + problem.hint;
  }
  return text;
}

Failure user_failure(std::string text, std::string hint, Place place) {
  return {Fault::user, {{std::move(place), std::move(text), std::move(hint)}}};
}

Failure machine_failure(std::string text, std::string hint) {
  return {Fault::machine, {{{}, std::move(text), std::move(hint)}}};
}

}  // namespace gate
