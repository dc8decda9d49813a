// Launches: limits as on hardware, the job's lifecycle, and the way out of faults.
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "gate/base/check.h"
#include "gate/device/emu/machine.h"

namespace gate {

using gate_emu::Ending;
using gate_emu::LaunchBody;
using gate_emu::LaunchShape;

namespace {

/// A thread of a GPU has up to 512 KiB of local memory; the rest is for calls.
constexpr std::size_t stack_bytes = 576 << 10;
constexpr std::uint64_t block_order_max = 1u << 24;

std::string text_of(const gate_emu::Index3& v) { return fmt::format("({},{},{})", v.x, v.y, v.z); }

}  // namespace

std::string text_of(const gate_emu::Site& site) {
  if (site.file == nullptr) return "the launch";
  return fmt::format("{}:{}", std::filesystem::path(site.file).filename().string(), site.line);
}

Machine::Machine() : stacks_(std::make_unique<StackPool>(stack_bytes)) {}
Machine::~Machine() = default;

void Machine::attach(const gate_emu::Image& image,
                     std::function<std::string(const void*)> place_of_code) {
  image_ = &image;
  image.here->runtime = &runtime_table();
  place_of_code_ = std::move(place_of_code);
  Dl_info info{};
  dladdr(&image, &info);
  watch_.set_image_base(info.dli_fbase);
}

void Machine::begin_job(const Schedule& schedule, WatchedJob memory) {
  schedule_ = schedule;
  draws_ = ScheduleDraws(schedule.key);
  fault_.reset();
  note_.clear();
  memory_.begin_job();
  watching_ = image_->checked && schedule.order == Schedule::Order::shuffled;
  image_->here->watching = 0;  // outside of kernels
  if (watching_) watch_.begin_job(std::move(memory));
}

void Machine::set_fault(LaunchFault fault) {
  if (!fault_) fault_ = std::move(fault);
}

std::string Machine::where(const Thread& thread) const {
  return fmt::format("thread {} of block {}", text_of(thread.index), text_of(thread.block->index));
}

std::string Machine::where_now() const {
  return fmt::format("thread {} of block {}", text_of(*image_->thread_index),
                     text_of(*image_->block_index));
}

void Machine::fail(Ending ending, const std::string& text, gate_emu::Site site) {
  std::string full = text;
  const bool in_kernel = image_->here->in_kernel != 0;
  if (text.find("block (") == std::string::npos && in_kernel) full += " in " + where_now();
  if (site.file != nullptr) full += " at " + text_of(site);
  set_fault({ending, full, false});
  if (in_kernel) leave();
}

int Machine::check_shape(const LaunchShape& shape, const gate_emu::KernelInfo* info) {
  const gate_emu::Index3 g = shape.grid, b = shape.block;
  const std::uint64_t threads = std::uint64_t{b.x} * b.y * b.z;
  std::string why;
  int error = error_invalid_configuration;
  if (b.x == 0 || b.y == 0 || b.z == 0 || b.x > 1024 || b.y > 1024 || b.z > 64 || threads > 1024) {
    why = fmt::format("block {} has {} threads (at most 1024; z at most 64)", text_of(b), threads);
  } else if (g.x == 0 || g.y == 0 || g.z == 0 || g.x > 0x7fffffffu || g.y > 65535 || g.z > 65535) {
    why = fmt::format("grid {} (at least 1; y and z at most 65535)", text_of(g));
  } else if (info != nullptr && info->threads_max != 0 && threads > info->threads_max) {
    why = fmt::format("block {} exceeds __launch_bounds__({})", text_of(b), info->threads_max);
    error = error_launch_out_of_resources;
  } else {
    const std::size_t asked = info == nullptr || info->dynamic_max == 0
                                  ? gate_emu::shared_default_max
                                  : info->dynamic_max;
    const std::size_t limit = all_shared_allowed_ ? gate_emu::shared_optin_max : asked;
    if (shape.shared_bytes > limit) {
      why = fmt::format("{} bytes of dynamic shared memory, allowed are {}", shape.shared_bytes,
                        limit);
      error = error_invalid_value;
    }
  }
  if (why.empty()) return error_success;
  note_ = fmt::format("{}: {}{}",
                      error == error_invalid_configuration ? "invalid configuration argument"
                      : error == error_invalid_value       ? "invalid argument"
                                                           : "too many resources requested",
                      why, shape.site.file == nullptr ? "" : " at " + text_of(shape.site));
  return error;
}

int Machine::launch(const LaunchShape& shape, const LaunchBody& body) {
  gate_emu::Here& here = *image_->here;
  if (here.in_kernel != 0) {
    fail(Ending::unsupported, "dynamic parallelism (a launch inside a kernel)", shape.site);
  }
  if (fault_) return error_launch_failure;
  here.probed = nullptr;
  if (check_shape(shape, nullptr) != error_invalid_configuration) {
    here.probing = 1;
    body.one(body.closure);
    here.probing = 0;
  }
  info_ = here.probed;
  if (const int error = check_shape(shape, info_); error != error_success) return error;
  ++here.launch;
  shape_ = shape;
  body_ = body;
  *image_->block_size = shape.block;
  *image_->grid_size = shape.grid;
  run_blocks();
  return fault_ ? error_launch_failure : error_success;
}

void Machine::run_blocks() {
  blocks_total_ = std::uint64_t{shape_.grid.x} * shape_.grid.y * shape_.grid.z;
  blocks_started_ = 0;
  block_order_.clear();
  if (schedule_.order == Schedule::Order::shuffled && blocks_total_ <= block_order_max) {
    block_order_.resize(blocks_total_);
    std::iota(block_order_.begin(), block_order_.end(), 0u);
    for (std::uint64_t i = blocks_total_; i > 1; --i) {
      std::swap(block_order_[i - 1], block_order_[draws_.wide_below(i)]);
    }
  }
  arena_.begin_launch(shape_.shared_bytes);
  if (watching_) watch_.begin_launch();
  preempt_after_ = 1;
  resident_.clear();
  const bool same_size =
      !spare_.empty() &&
      spare_[0]->threads.size() == shape_.block.x * shape_.block.y * shape_.block.z &&
      spare_[0]->threads.back().index.x == shape_.block.x - 1 &&
      spare_[0]->threads.back().index.y == shape_.block.y - 1;
  if (!same_size) spare_.clear();
  current_block_ = 0;
  progress_ = false;
  idle_rounds_ = 0;
  idle_yields_ = 0;
  Thread* first = nullptr;
  check(next_thread(first), "a launch has at least one thread");
  image_->here->in_kernel = 1;
  image_->here->watching = watching_;
  start_threads(*first);
  // Back here when the last thread exited, or a fault ended the launch.
  image_->here->in_kernel = image_->here->watching = 0;
  current_ = nullptr;
  if (fault_) {
    resident_.clear();
    stacks_->reclaim();
  }
}

void Machine::check_shared() {
  if (arena_.arrays().empty() && arena_.dynamic_bytes() == 0) return;
  if (const auto words = arena_.damage()) {
    fail(Ending::out_of_bounds,
         "write beyond shared memory: " + *words + ", block " +
             text_of(resident_[current_block_]->index),
         {});
  }
}

void Machine::place(gate_emu::SharedSite& site) {
  settle();
  // A thread may be preempted between its look at the site and this call; another came first then,
  // and placing the array again would lose what it holds.
  if (site.launch == image_->here->launch) return;
  site.launch = image_->here->launch;
  std::byte* address = arena_.place(site);
  const std::size_t statics = arena_.static_bytes();
  if (address == nullptr || statics > gate_emu::shared_default_max) {
    fail(Ending::launch_failed,
         fmt::format("static shared memory exceeds {} bytes with `{}`",
                     gate_emu::shared_default_max, site.name),
         site.site);
  }
  if (statics + arena_.dynamic_bytes() > gate_emu::shared_optin_max) {
    fail(Ending::launch_failed,
         fmt::format("too much shared memory: {} static and {} dynamic bytes", statics,
                     arena_.dynamic_bytes()),
         site.site);
  }
  site.address = reinterpret_cast<char*>(address);
  if (watching_) {
    watch_.add_shared(site, address, site.bytes == 0 ? arena_.dynamic_bytes() : site.bytes);
  }
}

int Machine::guarded(int (*work)(void*), void* context) {
  signal_ = 0;
  if (setjmp(recovery_) != 0) {
    can_recover_ = false;
    if (signal_ != 0) set_fault(fault_of_signal());
    image_->here->in_kernel = image_->here->watching = 0;
    image_->here->probing = 0;
    current_ = nullptr;
    resident_.clear();
    stacks_->reclaim();
    return error_launch_failure;
  }
  can_recover_ = true;
  const int result = work(context);
  can_recover_ = false;
  return result;
}

}  // namespace gate
