// Lookup of profiles, their text form, and which of them suit a tensor.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cases/profiles.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/cases/fill.h"

namespace gate {
namespace {

bool parameter_fits(ParameterKind kind, const std::string& text) {
  const auto number = parse_integer(text);
  switch (kind) {
    case ParameterKind::none:
      return false;
    case ParameterKind::bits:
      return text.starts_with("0x") && parse_hex64(text).has_value();
    case ParameterKind::position:
      return number && *number >= 0;
    case ParameterKind::count:
      return number && *number >= 1 && *number <= 4096;
    case ParameterKind::percent:
      return number && *number >= 0 && *number <= 100;
  }
  return false;
}

bool fits(const ProfileFacts& profile, DType dtype) {
  return facts(dtype).is_float ? profile.floats : profile.integers;
}

/// Integer profiles that say something about a domain of this kind.
bool suits_domain(std::string_view profile, const std::string& kind, DType dtype) {
  const bool two_values = kind == "boolean" || dtype == DType::boolean;
  if (profile == "density") return two_values;
  if (two_values) return profile == "lowest" || profile == "highest" || profile == "uniform";
  if (kind == "permutation") return profile == "uniform" || profile == "ramp";
  if (kind == "full") return profile != "ramp" && profile != "constant";
  return profile != "zeros" && profile != "small_integers" && profile != "constant";
}

}  // namespace

const std::vector<ProfileFacts>& all_profiles() {
  static const std::vector<ProfileFacts> all = [] {
    std::vector<ProfileFacts> list;
    for (const ProfileRow& row : profile_rows()) list.push_back(row.facts);
    return list;
  }();
  return all;
}

const ProfileFacts* find_profile(std::string_view text) {
  const std::size_t at = text.find('@');
  const std::string_view name = text.substr(0, at);
  const ProfileFacts* found = nullptr;
  for (const ProfileFacts& profile : all_profiles()) {
    if (profile.name == name) found = &profile;
  }
  for (const ProfileRow& row : study_profile_rows()) {
    if (row.facts.name == name) found = &row.facts;
  }
  if (found == nullptr || at == std::string_view::npos) return found;
  const auto version = parse_integer(text.substr(at + 1));
  return version && *version == found->version ? found : nullptr;
}

bool is_study_profile(const ProfileFacts& profile) {
  const auto& rows = study_profile_rows();
  return std::any_of(rows.begin(), rows.end(),
                     [&](const ProfileRow& row) { return row.facts.name == profile.name; });
}

const ProfileRow& profile_row(const ProfileFacts& profile) {
  const auto& rows = is_study_profile(profile) ? study_profile_rows() : profile_rows();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const ProfileRow& candidate) {
    return candidate.facts.name == profile.name;
  });
  check(row != rows.end(), "profile facts come from the table");
  return *row;
}

std::optional<ProfileText> parse_profile(std::string_view text) {
  const std::size_t bracket = text.find('(');
  const ProfileFacts* profile = find_profile(text.substr(0, bracket));
  if (profile == nullptr) return std::nullopt;
  ProfileText parsed{profile, {}};
  if (bracket == std::string_view::npos) return parsed;
  if (text.back() != ')') return std::nullopt;
  parsed.parameter = text.substr(bracket + 1, text.size() - bracket - 2);
  if (!parameter_fits(profile_row(*profile).parameter, parsed.parameter)) return std::nullopt;
  return parsed;
}

std::string profile_text(std::string_view name, std::string_view parameter) {
  const ProfileFacts* profile = find_profile(name);
  check(profile != nullptr, "only known profiles are written");
  std::string text = std::string(profile->name) + "@" + std::to_string(profile->version);
  if (!parameter.empty()) text += "(" + std::string(parameter) + ")";
  return text;
}

std::string default_profile(DType dtype) {
  return profile_text(facts(dtype).is_float ? "normal" : "uniform");
}

std::vector<const ProfileFacts*> profiles_of(const TensorSchema& tensor, DType dtype) {
  std::vector<const ProfileFacts*> fitting;
  for (const std::string& name : tensor.profiles) {
    const ProfileFacts* profile = find_profile(name);
    if (profile != nullptr && fits(*profile, dtype)) fitting.push_back(profile);
  }
  if (!fitting.empty()) return fitting;
  if (facts(dtype).is_float) return {find_profile("normal")};
  const std::string kind = tensor.domain ? tensor.domain->kind : "full";
  for (const ProfileFacts& profile : all_profiles())
    if (profile.integers && suits_domain(profile.name, kind, dtype)) fitting.push_back(&profile);
  return fitting;
}

}  // namespace gate
