// Starting and loading, with retries: nothing is believed of a worker that died once.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/loaded_worker.h"

#include <bit>
#include <csignal>

#include "gate/base/process.h"
#include "gate/base/text.h"
#include "gate/worker/wire.h"
#include "gate/worker/worker_stock.h"

namespace gate {

namespace {

using namespace std::chrono_literals;

constexpr auto ready_time = 60s;             // a CUDA context on a busy machine
constexpr auto load_time_min = 30s;          // just-in-time compilation of large images
constexpr int attempts_max = 2;              // the same end twice is believed
constexpr int attempts_when_killed_max = 8;  // SIGKILL comes from outside: out of memory, a person
/// Memory is taken as it is touched; growing a slot costs a worker.
constexpr std::size_t slot_bytes_min = 32u << 20;

Deadline in(std::chrono::milliseconds time) { return std::chrono::steady_clock::now() + time; }

LoadRequest load_request(const Image& image) {
  LoadRequest request;
  request.image = image.path.string();
  request.column = image.column;
  request.workspaces = image.kernel.workspaces;
  request.dtypes = image.dtypes;
  request.launch = image.kernel.launch;
  for (LaunchStep& step : request.launch) {
    const auto own = step.entry.find(image.column);
    const auto shared = image.kernel.entry.find(image.column);
    std::string entry;
    if (own != step.entry.end()) {
      entry = own->second;
    } else if (shared != image.kernel.entry.end()) {
      entry = shared->second;
    }
    step.entry = {{image.column, entry}};
  }
  return request;
}

/// What the program says on its own terminal when it does not come up (a missing library …).
std::string last_words(const std::filesystem::path& program, const std::string& device) {
  constexpr std::size_t words_max = 500;
  ProcessOptions options;
  options.timeout_ms = 10'000;
  const auto ended = run_process({program.string(), "--device", device, "--facts"}, options);
  if (!ended || ended->errors.empty()) return {};
  return ": " + clean_text(trim(ended->errors), words_max);
}

}  // namespace

Outcome failed_outcome(Kind kind, std::string text) {
  Outcome outcome;
  outcome.end = kind;
  outcome.text = clean_text(text, message_text_max);
  return outcome;
}

LoadedWorker::LoadedWorker(Image image, SessionOptions options)
    : image_(std::move(image)), options_(std::move(options)), slot_bytes_(slot_bytes_min) {
  if (options_.worker_program.empty()) options_.worker_program = find_worker_program();
}

WorkerOptions LoadedWorker::worker_options() const {
  return {image_.device,
          options_.worker_program,
          options_.device_index,
          options_.slots,
          slot_bytes_,
          options_.scratch,
          sanitizer_};
}

void LoadedWorker::prepare(int count) {
  if (!starts_slowly(image_.device)) return;
  if (!options_.stock) options_.stock = std::make_shared<WorkerStock>();
  options_.stock->prepare(worker_options(), count);
}

std::optional<Outcome> LoadedWorker::ensure(std::size_t bytes) {
  if (refusal_) return refusal_;
  if (fits(bytes)) return {};
  end();
  slot_bytes_ = std::max(slot_bytes_, std::bit_ceil(bytes));
  const Attempt last = try_to_start(true);
  if (last.loaded) return {};
  Outcome outcome = failed_outcome(last.kind, last.text);
  outcome.worker_lost = last.in_load;
  refusal_ = outcome;
  return outcome;
}

std::optional<std::string> LoadedWorker::probe() {
  const Attempt last = try_to_start(false);
  if (last.loaded && options_.stock && starts_slowly(image_.device)) {
    options_.stock->keep(worker_options(), std::move(*process_), facts_);
    process_.reset();
  }
  end();
  if (last.loaded) return {};
  return clean_text(last.text, message_text_max);
}

LoadedWorker::Attempt LoadedWorker::try_to_start(bool with_image) {
  Attempt last;
  int kills = 0;
  for (int tries = 0; tries < attempts_max && kills < attempts_when_killed_max;) {
    last = attempt(with_image);
    if (last.loaded || last.final) return last;
    if (last.by_kill) {
      ++kills;
    } else {
      ++tries;
    }
  }
  if (!last.in_load) last.text += last_words(options_.worker_program, image_.device);
  return last;
}

LoadedWorker::Attempt LoadedWorker::attempt(bool with_image) {
  std::string facts;
  if (options_.stock) process_ = options_.stock->take(worker_options(), facts);
  if (!process_) {
    auto started = WorkerProcess::start(worker_options());
    if (!started) {
      Attempt problem;
      problem.text = started.failure().problems.front().text;
      return problem;
    }
    process_ = std::move(*started);
  }
  Attempt ready;
  if (facts.empty()) {
    ready = wait_until_ready();
  } else {
    facts_ = std::move(facts);
    ready.loaded = true;
  }
  return ready.loaded && with_image ? load() : ready;
}

LoadedWorker::Attempt LoadedWorker::wait_until_ready() {
  Attempt result;
  std::string_view text;
  const auto event = process_->receive(text, in(ready_time));
  if (event == WorkerProcess::Event::late)
    return gave_up(Kind::environment, "was not ready", ready_time);
  if (event == WorkerProcess::Event::closed) return died(Kind::environment, "before it was ready");
  const auto message = parse_from_worker(text);
  if (message && std::holds_alternative<Ready>(*message)) {
    facts_ = std::get<Ready>(*message).facts;
    result.loaded = true;
    return result;
  }
  if (message && std::holds_alternative<Refused>(*message)) {
    const auto& refused = std::get<Refused>(*message);
    result.final = true;
    result.kind = refused.kind;
    result.text = refused.text;
    end();
    return result;
  }
  return broken(Kind::environment, message);
}

LoadedWorker::Attempt LoadedWorker::load() {
  Attempt result;
  const auto time = std::max<std::chrono::milliseconds>(
      load_time_min, std::chrono::milliseconds(options_.case_timeout_ms));
  const std::string request = encode(load_request(image_));
  if (request.size() > message_bytes_max) {
    end();
    result.final = true;
    result.kind = Kind::unsupported;
    result.text = "the launch description is longer than 64 KiB";
    return result;
  }
  std::string_view text;
  auto event = process_->send(request, in(time));
  if (event == WorkerProcess::Event::message) event = process_->receive(text, in(time));
  if (event == WorkerProcess::Event::late)
    return gave_up(Kind::timeout, "did not load the image", time);
  if (event == WorkerProcess::Event::closed) return died(Kind::crash, "while it loaded the image");
  const auto message = parse_from_worker(text);
  if (message && std::holds_alternative<Loaded>(*message)) {
    result.loaded = true;
    return result;
  }
  if (message && std::holds_alternative<Refused>(*message)) {
    const auto& refused = std::get<Refused>(*message);
    result.final = true;
    result.kind = refused.kind;
    result.text = refused.text;
    end();
    return result;
  }
  return broken(Kind::crash, message);
}

LoadedWorker::Attempt LoadedWorker::died(Kind kind, const std::string& stage) {
  const Death death = end();
  Attempt result;
  result.kind = kind;
  result.in_load = kind != Kind::environment;
  result.by_kill = death.signal == SIGKILL;
  result.text = "the worker " + death.text + " " + stage;
  return result;
}

LoadedWorker::Attempt LoadedWorker::gave_up(Kind kind, const std::string& what,
                                            std::chrono::milliseconds time) {
  Attempt result = died(kind, {});
  result.by_kill = false;  // it was us
  result.text = "the worker " + what + " within " + std::to_string(time.count()) + " ms";
  return result;
}

LoadedWorker::Attempt LoadedWorker::broken(Kind kind, const Result<FromWorker>& message) {
  Attempt result = died(kind, {});
  result.by_kill = false;
  result.text = "the worker sent a message out of turn";
  if (!message) result.text = "the worker sent a " + message.failure().problems.front().text;
  return result;
}

Death LoadedWorker::end() {
  if (!process_) return {};
  const Death death = process_->end();
  process_.reset();
  return death;
}

}  // namespace gate
