// Which tests a run consists of: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/run_selection.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "gate/cli/catalogue.h"
#include "gate/cli/filter.h"
#include "gate/explain/source.h"

namespace gate {
namespace {

constexpr std::string_view one_case_strategy = "case";

class Selector {
 public:
  explicit Selector(const SelectionInput& input) : input_(input), filter_(input.options.filter) {}

  Result<RunSelection> select() {
    if (!input_.options.one_case.empty()) {
      const Result<Done> read = read_one_case();
      if (!read) return read.failure();
    }
    for (const KernelSpec& kernel : input_.catalogue.kernels) add_kernel(kernel);
    plan_all();
    for (SelectedTarget& target : selection_.targets) choose_tests(target);
    std::erase_if(selection_.targets,
                  [](const SelectedTarget& target) { return target.tests.empty(); });
    return std::move(selection_);
  }

 private:
  Result<Done> read_one_case() {
    const Result<Case> parsed = parse_case(input_.options.one_case);
    if (!parsed) return parsed.failure();
    const OpSchema* op = find_op(input_.catalogue, parsed->op);
    if (op == nullptr) return user_failure("--case is of an op that no path has: " + parsed->op);
    const Result<Done> valid = validate(*parsed, *op, nullptr);
    if (!valid) return valid.failure();
    one_case_ = *parsed;
    return Done{};
  }

  bool selects(const std::string& suite, const std::string& test) const {
    return filter_.matches(suite + "." + test);
  }

  /// Whether any test this column could have is selected; plans are made only then.
  bool may_select(const std::string& suite, const std::string& column) const {
    if (filter_.selects_all()) return true;
    std::vector<std::string> tests{"fixed_shape", "expectation", std::string(one_case_strategy)};
    for (const StrategyFacts& strategy : all_strategies()) tests.emplace_back(strategy.name);
    for (const Seed& seed : input_.catalogue.seeds) tests.push_back(seed_test(seed));
    return std::any_of(tests.begin(), tests.end(), [&](const std::string& test) {
      return selects(suite, column + "/" + test);
    });
  }

  static std::string seed_test(const Seed& seed) {
    const std::string suffix = seed.number > 1 ? "-" + std::to_string(seed.number) : "";
    return "seed/" + seed.fingerprint + suffix;
  }

  void add_kernel(const KernelSpec& kernel) {
    const RunOptions& options = input_.options;
    if (!options.corpus.empty() && kernel.corpus != options.corpus) return;
    if (one_case_ && kernel.op != one_case_->op) return;
    const OpSchema* op = find_op(input_.catalogue, kernel.op);
    check(op != nullptr, "every kernel of a catalogue has its op there");
    const std::string suite = kernel.op + "/" + kernel.name;
    std::vector<std::string> columns = ordered_columns(*op, kernel);
    std::erase_if(columns, [&](const std::string& column) {
      return !may_select(suite, column) || (one_case_ && column != one_case_->column);
    });
    if (columns.empty()) return;
    const std::string device = device_of(kernel, input_.device);
    std::optional<std::string> reason = not_selected_reason(kernel, device);
    if (!reason && one_case_) {
      const Result<Done> valid = validate(*one_case_, *op, &kernel);
      if (!valid) reason = "the case: " + valid.failure().problems.front().text;
    }
    if (reason) {
      selection_.not_selected.emplace_back(suite, *reason);
      return;
    }
    for (const std::string& column : columns) {
      if (in_shard(input_.shard, suite + "/" + column)) add_column(*op, kernel, column, device);
    }
  }

  void add_column(const OpSchema& op, const KernelSpec& kernel, const std::string& column,
                  const std::string& device) {
    SelectedTarget selected;
    selected.suite = kernel.op + "/" + kernel.name;
    selected.source_file = repository_path(kernel.source);
    selected.source_line = entry_line(kernel, column);
    selected.plan.target = {&op, &kernel, column, device, {}};
    const auto table = input_.catalogue.tolerances.find(op.name);
    check(table != input_.catalogue.tolerances.end() && table->second.rows.count(column) > 0,
          "a catalogue opened for a run has a tolerance row for every column");
    selected.plan.target.tolerance = table->second.rows.at(column);
    const auto expected = kernel.expect.find(column);
    if (expected != kernel.expect.end() && !input_.options.ignore_expect) {
      selected.expectation = expected->second;
    }
    add_base(selected);
    for (const Seed& seed : input_.catalogue.seeds) {
      const bool ours = seed.kernel == kernel.name && seed.test_case.op == op.name &&
                        seed.test_case.column == column;
      if (ours) selected.plan.committed.push_back(seed);
    }
    selection_.targets.push_back(std::move(selected));
  }

  /// What the base has of this column. Where red is expected there is nothing to compare.
  void add_base(SelectedTarget& selected) const {
    const bool expects_red = selected.expectation && selected.expectation->klass != Class::clean;
    if (input_.base_kernels == nullptr || expects_red) return;
    TargetPlan& plan = selected.plan;
    plan.has_base = true;
    plan.base_root = input_.base_root;
    plan.head_root = input_.head_root;
    for (const KernelSpec& kernel : *input_.base_kernels) {
      const Target& head = plan.target;
      if (kernel.op != head.op->name || kernel.name != head.kernel->name) continue;
      if (kernel.entry.count(head.column) == 0) return;
      plan.base = head;
      plan.base->kernel = &kernel;
      plan.base->device = device_of(kernel, input_.device);
    }
  }

  /// Plans are independent of each other and cost input bytes (entries are distinct by digest).
  void plan_all() {
    std::vector<std::vector<Entry>> plans(selection_.targets.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < plans.size(); i = next++) {
        make_entries(selection_.targets[i]);
      }
    };
    std::vector<std::jthread> threads;
    const int jobs = std::min(input_.options.jobs, static_cast<int>(plans.size()));
    for (int i = 1; i < jobs; ++i) threads.emplace_back(work);
    work();
  }

  void make_entries(SelectedTarget& selected) const {
    TargetPlan& plan = selected.plan;
    if (one_case_) {
      plan.entries = {{std::string(one_case_strategy), *one_case_, {}}};
    } else {
      const Target& target = plan.target;
      PlanOptions options{input_.run_seed, target.device,
                          input_.catalogue.config.profiles.at(input_.options.profile)};
      plan.entries = make_plan(*target.op, *target.kernel, target.column, options);
      const auto wanted = static_cast<std::size_t>(input_.options.cases.value_or(0));
      if (wanted > plan.entries.size()) {
        options.profile.entries = *input_.options.cases;
        plan.entries = make_plan(*target.op, *target.kernel, target.column, options);
      }
    }
    selected.plan_size = plan.entries.size();
    for (std::size_t i = 0; i < plan.entries.size(); ++i) plan.numbers.push_back(i);
  }

  /// Tests in the order seeds, strategies, fixed shape, expectation; then the entries they need.
  void choose_tests(SelectedTarget& selected) {
    TargetPlan& plan = selected.plan;
    const std::string& column = plan.target.column;
    const bool cut = cut_entries(plan);
    choose_seeds(selected);
    std::set<std::string> planned, chosen;
    for (const Entry& entry : plan.entries) planned.insert(entry.strategy);
    std::vector<std::string> order{std::string(one_case_strategy)};
    for (const StrategyFacts& strategy : all_strategies()) order.emplace_back(strategy.name);
    for (const std::string& strategy : order) {
      const std::string test = column + "/" + strategy;
      if (planned.count(strategy) == 0 || !selects(selected.suite, test)) continue;
      chosen.insert(strategy);
      selected.tests.push_back({PlannedTest::What::strategy, test, strategy, 0});
    }
    const std::string fixed_shape = column + "/fixed_shape";
    if (!one_case_ && selects(selected.suite, fixed_shape)) {
      plan.measure_fixed_shape = true;
      selected.tests.push_back({PlannedTest::What::fixed_shape, fixed_shape, {}, 0});
    }
    const bool whole = chosen.empty() || chosen == planned;
    const std::string expectation = column + "/expectation";
    if (selected.expectation && selects(selected.suite, expectation)) {
      if (whole && !cut) {
        plan.measure_fixed_shape = true;
        selected.tests.push_back({PlannedTest::What::expectation, expectation, {}, 0});
        return;  // needs every entry
      }
      selection_.left_out.push_back(selected.suite + "." + expectation);
    }
    keep_strategies(plan, chosen);
  }

  void choose_seeds(SelectedTarget& selected) {
    if (one_case_) return;
    TargetPlan& plan = selected.plan;
    for (const Seed& seed : plan.committed) {
      const std::string test = plan.target.column + "/" + seed_test(seed);
      if (!selects(selected.suite, test)) continue;
      selected.tests.push_back({PlannedTest::What::seed, test, {}, plan.seeds.size()});
      plan.seeds.push_back(seed);
    }
  }

  /// Applies --cases; true if that leaves entries of the plan out, or --case replaced the plan.
  bool cut_entries(TargetPlan& plan) const {
    if (one_case_) return true;
    const std::optional<std::int64_t>& cases = input_.options.cases;
    if (!cases || static_cast<std::size_t>(*cases) >= plan.entries.size()) return false;
    plan.entries.resize(static_cast<std::size_t>(*cases));
    plan.numbers.resize(static_cast<std::size_t>(*cases));
    return true;
  }

  static void keep_strategies(TargetPlan& plan, const std::set<std::string>& chosen) {
    TargetPlan kept = plan;
    kept.entries.clear();
    kept.numbers.clear();
    for (std::size_t i = 0; i < plan.entries.size(); ++i) {
      if (chosen.count(plan.entries[i].strategy) == 0) continue;
      kept.entries.push_back(plan.entries[i]);
      kept.numbers.push_back(plan.numbers[i]);
    }
    plan = std::move(kept);
  }

  const SelectionInput& input_;
  TestFilter filter_;
  std::optional<Case> one_case_;
  RunSelection selection_;
};

}  // namespace

Result<RunSelection> select_tests(const SelectionInput& input) { return Selector(input).select(); }

}  // namespace gate
