// The table of modes.
// SPDX-License-Identifier: Apache-2.0
#include "gate/publish/modes.h"

namespace gate {

const std::vector<Mode>& all_modes() {
  // A fork's results may be shown as text; nothing that a branch rule could read comes from them.
  static const std::vector<Mode> modes = {
      {"summary", true, &publish_summary},      {"comment", true, &publish_comment},
      {"check-run", false, &publish_check_run}, {"status", false, &publish_status},
      {"sarif", false, &publish_sarif},         {"seeds", false, &publish_seeds},
  };
  return modes;
}

std::string route(const Publication& publication, const std::string& rest) {
  return "/repos/" + publication.options.repository + rest;
}

}  // namespace gate
