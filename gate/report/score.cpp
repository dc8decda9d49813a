// Scores per kernel and the table over many of them: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/score.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/base/text.h"
#include "gate/report/json_parts.h"

namespace gate {
namespace {

constexpr std::size_t name_bytes_max = 200;

/// Worse classes hide better ones; unchecked hides clean only.
int badness(Class klass) {
  switch (klass) {
    case Class::clean:
      return 0;
    case Class::unchecked:
      return 1;
    case Class::illusion:
      return 2;
    case Class::defect:
      return 3;
  }
  return 1;
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

bool builds(const ReportRow& row) {
  return row.kind != Kind::build_failed && row.kind != Kind::unsupported;
}

void add_row(Score& score, const ReportRow& row) {
  add_once(score.columns, row.column);
  add_once(score.devices, row.device);
  score.compiled = score.compiled && builds(row);
  score.ran = score.ran && builds(row) && row.coverage.elements > 0;
  score.fixed_shape_measured = score.fixed_shape_measured && !row.fixed_shape.empty();
  score.fixed_shape_pass = score.fixed_shape_pass && row.illusion_rule_passed;
  score.checked =
      score.checked && row.planned > 0 && row.cases >= row.planned && row.klass != Class::unchecked;
  if (badness(row.klass) > badness(score.klass)) score.klass = row.klass;
  score.cases += row.cases;
  score.planned += row.planned;
  for (const Finding& finding : row.findings) ++score.findings[finding.seed.kind];
}

OrderedJson kinds_json(const std::map<Kind, std::int64_t>& kinds) {
  OrderedJson object = OrderedJson::object();
  for (const auto& [kind, number] : kinds) object[std::string(name(kind))] = number;
  return object;
}

std::int64_t class_count(const ScoreLine& line, Class klass) {
  const auto at = line.classes.find(klass);
  return at == line.classes.end() ? 0 : at->second;
}

OrderedJson line_json(const ScoreLine& line) {
  return {{"op", line.op.empty() ? OrderedJson() : OrderedJson(json_text(line.op))},
          {"author", text_or_null_json(line.author)},
          {"kernels", line.kernels},
          {"compiled", line.compiled},
          {"ran", line.ran},
          {"fixed_shape_pass", line.fixed_shape_pass},
          {"clean", class_count(line, Class::clean)},
          {"illusion", class_count(line, Class::illusion)},
          {"defect", class_count(line, Class::defect)},
          {"unchecked", class_count(line, Class::unchecked)},
          {"kernels_by_kind", kinds_json(line.findings)}};
}

void add_score(ScoreLine& line, const Score& score) {
  ++line.kernels;
  line.compiled += score.compiled ? 1 : 0;
  line.ran += score.ran ? 1 : 0;
  line.fixed_shape_pass += score.fixed_shape_measured && score.fixed_shape_pass ? 1 : 0;
  ++line.classes[score.klass];
  for (const auto& [kind, number] : score.findings) ++line.findings[kind];
}

std::string kinds_text(const std::map<Kind, std::int64_t>& kinds) {
  std::vector<std::string> parts;
  for (const auto& [kind, number] : kinds)
    parts.push_back(fmt::format("{} {}", name(kind), number));
  return join(parts, ", ");
}

std::string shown(const std::string& text, const std::string& without) {
  return text.empty() ? without : clean_text(text, name_bytes_max);
}

}  // namespace

std::vector<Score> scores_of(const Report& report) {
  std::vector<Score> scores;
  std::map<std::pair<std::string, std::string>, std::size_t> index;
  for (const ReportRow& row : report.rows) {
    const auto [at, fresh] = index.emplace(std::pair(row.op, row.kernel), scores.size());
    if (fresh) {
      Score score;
      score.op = row.op;
      score.kernel = row.kernel;
      score.author = row.author;
      score.corpus = row.corpus;
      scores.push_back(std::move(score));
    }
    add_row(scores[at->second], row);
  }
  return scores;
}

OrderedJson score_json(const Score& score) {
  return {{"op", json_text(score.op)},
          {"kernel", json_text(score.kernel)},
          {"author", text_or_null_json(score.author)},
          {"corpus", text_or_null_json(score.corpus)},
          {"columns", score.columns},
          {"devices", score.devices},
          {"compiled", score.compiled},
          {"ran", score.ran},
          {"fixed_shape_pass",
           score.fixed_shape_measured ? OrderedJson(score.fixed_shape_pass) : OrderedJson()},
          {"checked", score.checked},
          {"class", name(score.klass)},
          {"cases", score.cases},
          {"planned", score.planned},
          {"findings", kinds_json(score.findings)}};
}

OrderedJson scores_json(const Report& report) {
  OrderedJson list = OrderedJson::array();
  for (const Score& score : scores_of(report)) list.push_back(score_json(score));
  return list;
}

std::vector<ScoreLine> score_table(const Report& report) {
  std::map<std::pair<std::string, std::string>, ScoreLine> by_op;
  std::map<std::string, ScoreLine> by_author;
  for (const Score& score : scores_of(report)) {
    add_score(by_op[{score.op, score.author}], score);
    add_score(by_author[score.author], score);
  }
  std::vector<ScoreLine> lines;
  std::string last_op;
  bool several = false;
  for (auto& [key, line] : by_op) {
    line.op = key.first;
    line.author = key.second;
    several = several || (!last_op.empty() && last_op != line.op);
    last_op = line.op;
    lines.push_back(line);
  }
  if (!several) return lines;
  for (auto& [author, line] : by_author) {
    line.author = author;
    lines.push_back(line);
  }
  return lines;
}

std::string score_table_text(const Report& report) {
  const bool labelled = std::any_of(report.rows.begin(), report.rows.end(),
                                    [](const ReportRow& row) { return !row.author.empty(); });
  if (!labelled) return {};
  const std::vector<ScoreLine> lines = score_table(report);
  std::size_t op_width = 6, author_width = 6;
  for (const ScoreLine& line : lines) {
    op_width = std::max(op_width, shown(line.op, "all").size());
    author_width = std::max(author_width, shown(line.author, "-").size());
  }
  std::string text = fmt::format(
      "\nKernels by op and author (fixed: pass the fixed-shape rule):\n  {:<{}}  {:<{}} {:>7} "
      "{:>8} {:>5} {:>5} {:>5} {:>8} {:>6} {:>9}  by kind of finding\n",
      "op", op_width, "author", author_width, "kernels", "compiled", "ran", "fixed", "clean",
      "illusion", "defect", "unchecked");
  for (const ScoreLine& line : lines) {
    text += fmt::format("  {:<{}}  {:<{}} {:>7} {:>8} {:>5} {:>5} {:>5} {:>8} {:>6} {:>9}  {}\n",
                        shown(line.op, "all"), op_width, shown(line.author, "-"), author_width,
                        line.kernels, line.compiled, line.ran, line.fixed_shape_pass,
                        class_count(line, Class::clean), class_count(line, Class::illusion),
                        class_count(line, Class::defect), class_count(line, Class::unchecked),
                        kinds_text(line.findings));
  }
  return text;
}

std::string to_scores(const Report& report) {
  OrderedJson table = OrderedJson::array();
  for (const ScoreLine& line : score_table(report)) table.push_back(line_json(line));
  const OrderedJson whole = {
      {"version", 1}, {"scores", scores_json(report)}, {"table", std::move(table)}};
  return whole.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace gate
