// gate init for flashinfer-bench JSON: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/init_import.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/base/files.h"
#include "gate/base/text.h"
#include "gate/cli/catalogue.h"
#include "gate/intake/definition.h"
#include "gate/intake/place.h"
#include "gate/spec/traced.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

class JsonImport {
 public:
  JsonImport(InitOptions options, const std::function<Result<Catalogue>()>& reload,
             std::ostream& out)
      : options_(std::move(options)), reload_(reload), out_(out) {}

  Result<std::vector<fs::path>> run(const std::vector<fs::path>& files) {
    for (const fs::path& file : files) {
      auto values = read_json_values(file);
      if (!values) {
        fail(values.failure());
        continue;
      }
      for (JsonSource& value : *values) sort_in(std::move(value));
    }
    for (const JsonSource& source : definitions_) take(define(source));
    if (!definitions_.empty() && !options_.print) {
      auto own = reload_();
      if (!own) return own.failure();
      options_.own = std::move(*own);
    }
    if (!failure_.problems.empty()) return failure_;
    write_workloads();
    for (const JsonSource& source : solutions_) take(solve(source));
    if (!failure_.problems.empty()) return failure_;
    return std::move(written_);
  }

 private:
  void fail(const Failure& failure) {
    failure_.fault = failure.fault;
    failure_.problems.insert(failure_.problems.end(), failure.problems.begin(),
                             failure.problems.end());
  }
  void take(const Result<Done>& done) {
    if (!done) fail(done.failure());
  }

  void sort_in(JsonSource source) {
    switch (kind_of(source.value)) {
      case Imported::definition:
        definitions_.push_back(std::move(source));
        return;
      case Imported::solution:
        solutions_.push_back(std::move(source));
        return;
      case Imported::unknown:
        fail(user_failure("neither a Definition, a Solution, a Workload nor a Trace",
                          "a Definition has axes, inputs, outputs and reference",
                          source.place({})));
        return;
      case Imported::workload:
      case Imported::trace:
        break;
    }
    auto workload = read_workload(source);
    if (!workload) return fail(workload.failure());
    if (workload->definition.empty()) workload->definition = options_.op;
    workloads_.push_back(std::move(*workload));
  }

  Result<Done> define(const JsonSource& source) {
    ScalarValues scalars;
    std::map<std::string, std::int64_t> largest;
    for (const Workload& one : workloads_) {
      const bool ours = one.definition.empty() || source.value.value("name", "") == one.definition;
      if (!ours) continue;
      for (const auto& [name, value] : one.scalars) scalars[name].insert(value);
      for (const auto& [name, size] : one.axes) largest[name] = std::max(largest[name], size);
    }
    auto definition = read_definition(source, scalars, largest);
    if (!definition) return definition.failure();
    const OpDraft& draft = definition->op;
    out_ << fmt::format("{}: definition {}\n", source.place({}).file, draft.name);
    for (const std::string& note : definition->notes) out_ << "  note         " << note << "\n";
    const Config& config = options_.own.config;
    const fs::path folder = config.root / config.ops.front() / draft.name;
    const std::string head = "Imported from " + source.file.filename().string() + ": read it once.";
    const std::string text = to_toml(draft, {head});
    const auto op = parse_op(text, folder / "op.toml", known_names());
    if (!op) return op.failure();
    KernelDraft kernel;
    kernel.op = draft.name;
    kernel.source = draft.name + "_run.py";
    for (const std::string& column : draft.columns) kernel.entry.emplace_back(column, "run");
    kernel.arguments = definition->inputs;
    const fs::path kernels = folder / "kernels";
    OpSchema placed = *op;
    placed.folder = folder;
    const std::vector<NewFile> files = {
        {folder / "reference.py", definition->reference},
        {folder / "op.toml", text},
        unmodelled_tolerances(placed, config),
        {kernels / kernel.source, definition->reference},
        {kernels / (draft.name + "_run.toml"),
         to_toml(kernel, {"The definition's own reference as a kernel."})}};
    defined_.push_back(draft.name);
    written_.push_back(files.back().path);
    return put_files(files, options_, out_);
  }

  void write_workloads() {
    std::map<std::string, std::vector<const Workload*>> by_op;
    for (const Workload& workload : workloads_) {
      std::string name = workload.definition;
      if (name.empty() && defined_.size() == 1) name = defined_.front();
      by_op[name].push_back(&workload);
    }
    for (const auto& [name, workloads] : by_op) {
      const OpSchema* op = find_op(options_.own, name);
      if (op != nullptr) {
        take(trace(*op, workloads));
      } else if (!options_.print) {
        fail(user_failure(name.empty() ? "nothing says which definition these workloads are of"
                                       : "there is no op " + name + " here",
                          "import the definition too, or name an op with --op",
                          workloads.front()->source.place({})));
      }
    }
  }

  /// traced.toml of an op: what it holds already, and what is new.
  Result<Done> trace(const OpSchema& op, const std::vector<const Workload*>& workloads) {
    std::vector<TracedWorkload> list;
    for (const Workload* workload : workloads) {
      TracedWorkload traced;
      for (const auto& [name, size] : workload->axes) traced.axes[name] = size;
      for (const auto& [name, value] : workload->scalars) {
        const Attribute* attribute = find_attribute(op, name);
        const bool real = attribute != nullptr && facts(attribute->dtype).is_float;
        traced.attributes[name] = real ? Scalar(value) : Scalar(static_cast<std::int64_t>(value));
      }
      const Place place = workload->source.place({});
      const auto checked = parse_traced(to_toml({traced}), op.folder / traced_file_name, op);
      if (!checked) {
        Failure failure = checked.failure();
        for (Problem& problem : failure.problems) problem.place = place;
        return failure;
      }
      if (std::find(list.begin(), list.end(), checked->front()) == list.end()) {
        list.push_back(checked->front());
      }
    }
    out_ << fmt::format("{}: {} workloads, {} of different sizes\n", op.name, workloads.size(),
                        list.size());
    return put_files({{op.folder / traced_file_name, to_toml(list)}}, options_, out_);
  }

  Result<Done> solve(const JsonSource& source) {
    const auto solution = read_solution(source);
    if (!solution) return solution.failure();
    const OpSchema* op = find_op(options_.own, solution->definition);
    if (op == nullptr) {
      return user_failure("there is no op " + solution->definition + " here",
                          "import the definition too", source.place({"definition"}));
    }
    out_ << fmt::format("{}: solution {} of {}\n", source.place({}).file, solution->name, op->name);
    const bool python = solution->language == "python" || solution->language == "triton";
    return python ? solve_python(*solution, *op) : solve_cpp(*solution, *op, source);
  }

  std::vector<NewFile> source_files(const Solution& solution, const fs::path& folder,
                                    std::string& entry) const {
    std::vector<NewFile> files;
    entry = solution.entry_file;
    if (solution.files.size() == 1) {
      entry = solution.name + fs::path(solution.entry_file).extension().string();
    }
    for (const auto& [name, text] : solution.files) {
      files.push_back({folder / (name == solution.entry_file ? entry : name), text});
    }
    return files;
  }

  Result<Done> solve_python(const Solution& solution, const OpSchema& op) {
    const fs::path folder = op.folder / "kernels";
    KernelDraft draft;
    std::vector<NewFile> files = source_files(solution, folder, draft.source);
    draft.op = op.name;
    for (const std::string& column : op.columns) draft.entry.emplace_back(column, solution.symbol);
    draft.arguments = call_order(op);
    if (!solution.returns) {
      for (const TensorSchema& output : op.outputs) draft.arguments.push_back(output.name);
    }
    std::vector<std::string> comments;
    if (!solution.author.empty()) comments.push_back("By " + clean_text(solution.author, 80) + ".");
    files.push_back({folder / (solution.name + ".toml"), to_toml(draft, comments)});
    written_.push_back(files.back().path);
    return put_files(files, options_, out_);
  }

  /// As the definition's `run` takes them: scalars stand among the tensors.
  static std::vector<std::string> call_order(const OpSchema& op) {
    std::vector<std::string> order;
    const Result<std::string> text = read_file(op.folder / "reference.py");
    const auto functions = text
                               ? read_python_functions(*text, op.folder / "reference.py")
                               : Result<std::vector<SourceFunction>>(std::vector<SourceFunction>());
    for (const SourceFunction& function : functions ? *functions : std::vector<SourceFunction>()) {
      if (function.name != "run") continue;
      for (const SourceParameter& parameter : function.parameters) order.push_back(parameter.name);
    }
    const auto known = [&](const std::string& name) {
      return find_tensor(op, name) != nullptr || find_attribute(op, name) != nullptr;
    };
    if (!order.empty() && std::all_of(order.begin(), order.end(), known)) return order;
    order.clear();
    for (const TensorSchema& input : op.inputs) order.push_back(input.name);
    for (const Attribute& attribute : op.attributes) order.push_back(attribute.name);
    return order;
  }

  Result<Done> solve_cpp(const Solution& solution, const OpSchema& op, const JsonSource& source) {
    std::string entry;
    const std::vector<NewFile> files = source_files(solution, op.folder / "kernels", entry);
    for (const NewFile& file : files) {
      if (file.path.filename() != entry) continue;
      const auto reading = read_source(file.text, file.path);
      const bool callable =
          reading && std::any_of(reading->functions.begin(), reading->functions.end(),
                                 [&](const auto& one) { return one.name == solution.symbol; });
      if (!callable) {
        return user_failure(
            solution.symbol + " is neither a __global__ function nor an extern \"C\" launcher",
            "functions of tvm-ffi or torch tensors need an extern \"C\" launcher of pointers",
            source.place({"spec", "entry_point"}));
      }
    }
    const Result<Done> put = put_files(files, options_, out_);
    if (!put || options_.print) return put;
    InitOptions options = options_;
    options.op = op.name;
    options.name = solution.name;
    const auto made = init_source(op.folder / "kernels" / entry, options, out_);
    if (!made) return made.failure();
    written_.insert(written_.end(), made->begin(), made->end());
    return Done{};
  }

  InitOptions options_;
  const std::function<Result<Catalogue>()>& reload_;
  std::ostream& out_;
  std::vector<JsonSource> definitions_, solutions_;
  std::vector<Workload> workloads_;
  std::vector<std::string> defined_;
  std::vector<fs::path> written_;
  Failure failure_;
};

}  // namespace

bool is_import(const fs::path& file) {
  return file.extension() == ".json" || file.extension() == ".jsonl";
}

Result<std::vector<fs::path>> import_json(const std::vector<fs::path>& files, InitOptions options,
                                          const std::function<Result<Catalogue>()>& reload,
                                          std::ostream& out) {
  return JsonImport(std::move(options), reload, out).run(files);
}

}  // namespace gate
