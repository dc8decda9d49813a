// Recognising the op of a source: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/intake/recognise.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/base/text.h"
#include "gate/intake/names.h"
#include "gate/spec/read.h"
#include "gate/worker/pool.h"

namespace gate {
namespace {

constexpr std::size_t ops_run_max = 12;     // candidates that are run
constexpr std::size_t drafts_likely = 24;   // ways to call it that are run, per candidate
constexpr std::size_t drafts_unlikely = 8;  // where names speak for another op
constexpr double name_fits = 1.5;           // score from which names alone are a guess
constexpr double name_hints = 0.5;

struct Candidate {
  const OpSchema* op = nullptr;
  NameFit fit;
  double score = 0;
};

std::vector<std::string> source_words(const SourceReading& source, const SourceFunction& function) {
  std::vector<std::string> words = words_of(function.name);
  if (function.what == SourceFunction::What::module || words.empty()) {
    words = words_of(source.file.stem().string());
  }
  return words;
}

std::vector<Candidate> ranked(const SourceReading& source, const SourceFunction& function,
                              const RecogniseOptions& options) {
  const std::vector<std::string> words = source_words(source, function);
  const std::vector<std::string> file = words_of(source.file.stem().string());
  std::vector<Candidate> candidates;
  for (const OpSchema* op : options.ops) {
    const DraftRequest request{source, function, *op, 1};
    const std::vector<KernelDraft> drafts = draft_kernels(request);
    if (drafts.empty()) continue;
    Candidate candidate{op, name_fit({words, op->name, op->summary}), 0};
    const NameFit by_file = name_fit({file, op->name, op->summary});
    if (by_file.score > candidate.fit.score) candidate.fit = by_file;
    candidate.score = candidate.fit.score + 0.05 * drafts.front().score;
    candidates.push_back(std::move(candidate));
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  return candidates;
}

std::string shared_text(const Candidate& candidate) {
  return candidate.fit.shared.empty()
             ? "parameters fit, names say nothing"
             : fmt::format("names share {}", join(candidate.fit.shared, ", "));
}

class Search {
 public:
  Search(const SourceReading& source, const SourceFunction& function,
         const RecogniseOptions& options)
      : source_(source), function_(function), options_(options) {}

  Recognition run() {
    const std::vector<Candidate> candidates = ranked(source_, function_, options_);
    if (options_.device.empty()) return by_names(candidates);
    std::size_t tried = 0;
    for (const Candidate& candidate : candidates) {
      if (tried++ == ops_run_max) break;
      if (run_candidate(candidate) || best_.build_problem) break;
    }
    if (best_.build_problem) {
      Recognition named = by_names(candidates);
      named.build_problem = best_.build_problem;
      return named;
    }
    return settle(candidates);
  }

 private:
  Recognition by_names(const std::vector<Candidate>& candidates) const {
    Recognition result;
    if (candidates.empty()) return result;
    const Candidate& first = candidates.front();
    if (first.fit.score < name_fits && !options_.forced) return result;
    result.op = first.op;
    result.draft = draft_kernels({source_, function_, *first.op, 1}).front();
    result.sure = "guess";
    result.reasons = {shared_text(first), "not run: " + options_.why_not_run};
    return result;
  }

  /// True when a draft agrees on every plain case.
  bool run_candidate(const Candidate& candidate) {
    const bool likely = candidate.fit.score >= name_hints || options_.forced;
    const DraftRequest request{source_, function_, *candidate.op,
                               likely ? drafts_likely : drafts_unlikely};
    for (const KernelDraft& draft : draft_kernels(request)) {
      const auto kernel = read_draft(draft, *candidate.op, source_.file);
      if (!kernel) continue;
      const std::string& column = draft.entry.front().first;
      ++launches_;
      const ProbeResult result =
          probe({*candidate.op, *kernel, column, options_.device}, candidate.fit.score > 1);
      if (result.build != Kind::pass) {
        if (!best_.probe) best_.build_problem = result;
        return false;
      }
      if (better(result, candidate)) take(result, candidate, draft);
      if (result.cases > 0 && result.passed == result.cases) return true;
    }
    return false;
  }

  bool better(const ProbeResult& result, const Candidate& candidate) const {
    if (result.passed == 0) return false;
    if (!best_.probe || result.passed != best_.probe->passed) {
      return !best_.probe || result.passed > best_.probe->passed;
    }
    return candidate.score > score_;
  }

  void take(const ProbeResult& result, const Candidate& candidate, const KernelDraft& draft) {
    best_.op = candidate.op;
    best_.draft = draft;
    best_.probe = result;
    score_ = candidate.score;
    best_.reasons = {shared_text(candidate)};
  }

  /// What the runs say, or where none agreed, whether the names are strong enough.
  Recognition settle(const std::vector<Candidate>& candidates) {
    if (best_.probe) {
      const ProbeResult& probe = *best_.probe;
      best_.sure = probe.passed == probe.cases && probe.cases > 1 ? "sure" : "likely";
      best_.reasons.push_back(fmt::format("agrees with the reference on {} of {} plain cases",
                                          probe.passed, probe.cases));
      if (!probe.failure.empty()) best_.reasons.push_back("but " + probe.failure);
      best_.reasons.push_back(fmt::format("{} ways to call it were run", launches_));
      const std::vector<std::string> dropped =
          drop_unbuilt(best_.draft, *best_.op, source_.file, options_.device);
      if (!dropped.empty()) best_.reasons.push_back("does not build as " + join(dropped, ", "));
      return std::move(best_);
    }
    const bool named =
        !candidates.empty() && (candidates.front().fit.score >= name_fits || options_.forced);
    if (!named) return {};
    Recognition result = by_names(candidates);
    result.reasons.back() =
        fmt::format("none of {} ways to call it agrees with the reference", launches_);
    return result;
  }

  const SourceReading& source_;
  const SourceFunction& function_;
  const RecogniseOptions& options_;
  Recognition best_;
  double score_ = 0;
  int launches_ = 0;
};

}  // namespace

Result<KernelSpec> read_draft(const KernelDraft& draft, const OpSchema& op,
                              const std::filesystem::path& source) {
  std::filesystem::path file = source;
  file.replace_extension(".toml");
  return parse_kernel(to_toml(draft, {}), file, op);
}

std::vector<std::string> drop_unbuilt(KernelDraft& draft, const OpSchema& op,
                                      const std::filesystem::path& source,
                                      const std::string& device) {
  std::vector<std::string> dropped;
  const auto kernel = read_draft(draft, op, source);
  if (!kernel) return dropped;
  for (std::size_t i = 1; i < draft.entry.size(); ++i) {
    const std::string& column = draft.entry[i].first;
    if (build_kernel(op, *kernel, column, device).kind == Kind::build_failed) {
      dropped.push_back(column);
    }
  }
  std::erase_if(draft.entry, [&](const auto& entry) {
    return std::find(dropped.begin(), dropped.end(), entry.first) != dropped.end();
  });
  return dropped;
}

Recognition recognise(const SourceReading& source, const SourceFunction& function,
                      const RecogniseOptions& options) {
  return Search(source, function, options).run();
}

std::vector<const SourceFunction*> entries_of(const SourceReading& source) {
  using What = SourceFunction::What;
  for (const What what : {What::module, What::launcher, What::kernel}) {
    std::vector<const SourceFunction*> found;
    for (const SourceFunction& function : source.functions) {
      const bool repeated = std::any_of(
          found.begin(), found.end(), [&](const auto* one) { return is_sibling(*one, function); });
      if (function.what == what && !repeated) found.push_back(&function);
    }
    if (!found.empty()) return found;
  }
  // A Python file has one entry: what launches its Triton kernel, is named like it, or comes last.
  const SourceFunction* chosen = nullptr;
  int rank = -1;
  for (const SourceFunction& function : source.functions) {
    if (function.what != What::python) continue;
    bool launches = false;
    for (const SourceFunction& other : source.functions) {
      launches = launches || (other.what == What::triton && function.words.contains(other.name));
    }
    const int ours = (launches ? 2 : 0) + (function.name == source.file.stem().string() ? 1 : 0);
    if (ours < rank) continue;
    chosen = &function;
    rank = ours;
  }
  return chosen == nullptr ? std::vector<const SourceFunction*>{} : std::vector{chosen};
}

}  // namespace gate
