// Pass/fail maps: the cases of a row over pairs of its axes, on logarithmic scales, as SVG. What is
// told by colour is told by shape too.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gate/report/html_text.h"

namespace gate {
namespace {

constexpr double side = 240, margin = 36;
constexpr std::size_t maps_of_row_max = 3;
constexpr std::size_t axes_max = 8;

struct Scale {
  double low = 0, high = 1;  // log2
  double place(std::int64_t size) const {
    return (std::log2(static_cast<double>(std::max<std::int64_t>(size, 1))) - low) / (high - low);
  }
};

Scale scale_of(const AxisCoverage& axis) {
  Scale scale;
  const auto log = [](std::int64_t size) {
    return std::log2(static_cast<double>(std::max<std::int64_t>(size, 1)));
  };
  scale.low = std::floor(log(axis.tried_min));
  scale.high = std::max(std::ceil(log(axis.tried_max)), scale.low + 1);
  return scale;
}

struct Tally {
  std::int64_t passed = 0, failed = 0, unchecked = 0;
};

std::string mark(double x, double y, const Tally& tally, const std::string& title) {
  std::string text = fmt::format("<g><title>{}: {} passed, {} failed, {} not checked</title>",
                                 title, tally.passed, tally.failed, tally.unchecked);
  if (tally.passed > 0) {
    text += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>", x, y);
  }
  if (tally.failed > 0) {
    text +=
        fmt::format("<path class=\"cross\" d=\"M{:.1f} {:.1f}l7 7m0 -7l-7 7\"/>", x - 3.5, y - 3.5);
  }
  if (tally.unchecked > 0) {
    text += fmt::format("<circle class=\"ring\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>", x, y);
  }
  return text + "</g>\n";
}

/// Powers of two worth a label: at most five, ends included.
std::vector<int> ticks(const Scale& scale) {
  const int low = static_cast<int>(scale.low), high = static_cast<int>(scale.high);
  const int step = std::max(1, (high - low + 3) / 4);
  std::vector<int> result;
  for (int power = low; power <= high; power += step) result.push_back(power);
  return result;
}

std::string frame(const Scale& across, const Scale& up) {
  std::string text = fmt::format(
      "<rect class=\"frame\" x=\"{}\" y=\"4\" width=\"{}\" height=\"{}\"/>\n", margin, side, side);
  for (const int power : ticks(across)) {
    const double x = margin + side * (power - across.low) / (across.high - across.low);
    text += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.0f}</text>", x,
                        side + 18, std::exp2(power));
  }
  for (const int power : ticks(up)) {
    const double y = 4 + side - side * (power - up.low) / (up.high - up.low);
    text += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.0f}</text>", margin - 4,
                        y + 4, std::exp2(power));
  }
  return text + "\n";
}

std::string pair_map(const Coverage& coverage, std::size_t across, std::size_t up) {
  std::map<std::pair<std::int64_t, std::int64_t>, Tally> places;
  for (const CasePoint& point : coverage.points) {
    Tally& tally = places[{point.sizes[across], point.sizes[up]}];
    tally.passed += point.passed;
    tally.failed += point.failed;
    tally.unchecked += point.unchecked;
  }
  const AxisCoverage &x_axis = coverage.axes[across], &y_axis = coverage.axes[up];
  const Scale x_scale = scale_of(x_axis), y_scale = scale_of(y_axis);
  std::string text = fmt::format(
      "<figure><svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "aria-label=\"pass and fail over {2} and {3}\">\n",
      side + margin + 20, side + 24, html_escaped(x_axis.name), html_escaped(y_axis.name));
  text += frame(x_scale, y_scale);
  const bool same = across == up;
  for (const auto& [sizes, tally] : places) {
    const double x = margin + side * std::clamp(x_scale.place(sizes.first), 0.0, 1.0);
    const double y = 4 + side - side * std::clamp(y_scale.place(sizes.second), 0.0, 1.0);
    std::string title = fmt::format("{}={}", html_escaped(x_axis.name), sizes.first);
    if (!same) title += fmt::format(" {}={}", html_escaped(y_axis.name), sizes.second);
    text += mark(x, y, tally, title);
  }
  const std::string caption =
      same ? x_axis.name : fmt::format("across: {}, up: {}", x_axis.name, y_axis.name);
  return text + "</svg><figcaption>" + html_escaped(caption) + "</figcaption></figure>\n";
}

}  // namespace

std::string html_point_maps(const ReportRow& row) {
  const Coverage& coverage = row.coverage;
  if (coverage.points.empty() || coverage.axes.empty()) return {};
  std::vector<std::size_t> varied;
  for (std::size_t i = 0; i < coverage.axes.size() && i < axes_max; ++i) {
    if (coverage.axes[i].sizes > 1) varied.push_back(i);
  }
  if (varied.empty()) varied.push_back(0);
  std::string text = "<div class=\"maps\">\n";
  if (varied.size() == 1) text += pair_map(coverage, varied[0], varied[0]);
  std::size_t drawn = 0;
  for (std::size_t up = 0; up < varied.size(); ++up) {
    for (std::size_t across = up + 1; across < varied.size(); ++across) {
      if (drawn++ < maps_of_row_max) text += pair_map(coverage, varied[across], varied[up]);
    }
  }
  text += "</div>\n";
  if (coverage.points_left_out > 0) {
    text += fmt::format("<p class=\"legend\">{} further size combinations are not drawn.</p>\n",
                        coverage.points_left_out);
  }
  return text;
}

}  // namespace gate
