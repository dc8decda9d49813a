// The emulated GPU: runs launches, block after block, every thread a fiber that gives way at
// barriers, collectives and soft yields. One OS thread; one machine per worker process.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csetjmp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gate/device/emu/block.h"
#include "gate/device/emu/device_memory.h"
#include "gate/device/emu/schedule_draws.h"
#include "gate/device/emu/watch.h"
#include "gate/spec/case.h"

namespace gate {

/// How a launch failed.
struct LaunchFault {
  gate_emu::Ending ending = gate_emu::Ending::pass;
  std::string text;
  bool lost = false;  // memory may be damaged: the worker should end
};

/// CUDA error numbers the machine itself returns.
inline constexpr int error_success = 0, error_invalid_value = 1, error_memory_allocation = 2,
                     error_invalid_configuration = 9, error_launch_out_of_resources = 701,
                     error_launch_failure = 719;

class Machine {
 public:
  Machine();
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// Connects an image: its calls come here from now on. `place_of_code` words a code address.
  void attach(const gate_emu::Image& image, std::function<std::string(const void*)> place_of_code);
  /// Starts a job: forgets faults, sets the order; checked images watch `memory` if shuffled.
  void begin_job(const Schedule& schedule, WatchedJob memory);
  /// Runs `work` (a launch step) so that faults come back as such; its return value otherwise.
  int guarded(int (*work)(void*), void* context);
  const std::optional<LaunchFault>& fault() const { return fault_; }
  void set_fault(LaunchFault fault);
  /// Where a step that ended by SIGSEGV went; null if none did.
  const void* bad_address() const;
  /// What a shuffle read from an exited lane, and the like: not an error, good to know.
  const std::string& note() const { return note_; }
  /// Steps' launches may use all shared memory; launchers ask with an attribute.
  void allow_all_shared(bool allow) { all_shared_allowed_ = allow; }
  DeviceMemory& memory() { return memory_; }
  bool in_kernel() const { return image_ != nullptr && image_->here->in_kernel != 0; }

  // What images call.
  int launch(const gate_emu::LaunchShape& shape, const gate_emu::LaunchBody& body);
  int barrier(gate_emu::BarrierKind kind, int predicate, gate_emu::Site site);
  std::uint64_t collective(const gate_emu::Collective& what);
  void yield(gate_emu::Site site);
  void pause(unsigned steps, gate_emu::Site site);
  long long clock(gate_emu::Site site);
  void place(gate_emu::SharedSite& site);
  void access(const gate_emu::Access& what);
  void fail(gate_emu::Ending ending, const std::string& text, gate_emu::Site site);
  /// From the signal handler: ends the step; false if none runs.
  bool crash(int signal, const void* address, const void* pc);
  /// A launcher that calls exit().
  [[noreturn]] void leave_step(const std::string& text);

 private:
  // launch.cpp
  int check_shape(const gate_emu::LaunchShape& shape, const gate_emu::KernelInfo* info);
  void run_blocks();
  // scheduler.cpp
  static void fiber_main(boost::context::detail::transfer_t from);
  void run_threads();
  bool next_thread(Thread*& next);
  Thread* choose(Block& block);
  unsigned pick(std::uint32_t set);
  void give_way(Thread& self);
  Thread& successor(Block& block);
  void give_way_to(Thread& next);
  void start_fiber(Thread& thread);
  void switch_to(Thread& next, Thread* self);  // inline, in scheduler.cpp
  void start_threads(Thread& first);
  void make_current(Thread& thread);
  void exit_thread(Thread& thread);
  [[noreturn]] void leave();
  // blocks.cpp
  bool admit_block();
  void prepare(Block& block, std::uint64_t number);
  void finish_block(Block& block);
  void bring_in(Block& block);
  bool change_block();
  void new_round();
  [[noreturn]] void report_stuck();
  [[noreturn]] void report_spin();
  // barrier.cpp, collective.cpp
  Thread& arrive(gate_emu::BarrierKind kind, int predicate, gate_emu::Site site);
  Thread& meet(const gate_emu::Collective& what);
  void not_named(const Thread& self, const gate_emu::Collective& what);
  void release_barrier(Block& block);
  void check_barrier(Block& block);
  void check_meetings(Block& block, unsigned warp);
  bool complete(Block& block, unsigned warp, Rendezvous& meeting);
  void note_absent(const Block& block, unsigned warp, const Rendezvous& meeting);
  bool settle_active(Block& block);
  void check_shared();
  // observe.cpp
  void settle() {
    if (watching_ && watch_.settle()) report(watch_.finding(), {});
  }
  void preempt(const gate_emu::Access& what);
  void report(const WatchFinding& finding, const gate_emu::Access& what);
  std::string race_text() const;
  std::string place_text(std::uint32_t place) const;
  std::string site_text(const Thread& thread) const;
  gate_emu::Index3 block_index(std::uint64_t number) const;
  std::uint64_t block_number(std::uint64_t sequence) const;
  LaunchFault fault_of_signal() const;

  std::string where(const Thread& thread) const;
  std::string where_now() const;

  const gate_emu::Image* image_ = nullptr;
  Schedule schedule_;
  ScheduleDraws draws_{0};
  std::optional<LaunchFault> fault_;
  std::string note_;
  DeviceMemory memory_;
  Arena arena_;
  Watch watch_;
  bool watching_ = false;
  int preempt_after_ = 0;
  std::function<std::string(const void*)> place_of_code_;
  std::unique_ptr<StackPool> stacks_;
  bool all_shared_allowed_ = false;

  // the running launch
  gate_emu::LaunchShape shape_{};
  gate_emu::LaunchBody body_{};
  gate_emu::KernelInfo* info_ = nullptr;
  std::uint64_t blocks_total_ = 0, blocks_started_ = 0;
  std::vector<std::uint32_t> block_order_;  // shuffled only
  std::vector<std::unique_ptr<Block>> resident_;
  std::vector<std::unique_ptr<Block>> spare_;
  std::size_t current_block_ = 0;
  Thread* current_ = nullptr;
  Thread main_;
  bool progress_ = false;
  std::uint64_t idle_yields_ = 0;
  unsigned idle_rounds_ = 0;
  long long steps_ = 0;
  std::jmp_buf recovery_{};
  bool can_recover_ = false;
  int signal_ = 0;  // what ended the step
  const void* signal_address_ = nullptr;
  const void* signal_pc_ = nullptr;
};

/// The table images call, bound to the one machine of this process.
const gate_emu::Runtime& runtime_table();
/// The machine of this process; made on first use.
Machine& machine();

std::string text_of(const gate_emu::Site& site);

}  // namespace gate
