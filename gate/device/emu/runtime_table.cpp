// The functions images call, forwarded to the machine of this process.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/machine.h"

namespace gate {

using gate_emu::Site;

namespace {

/// Set before an image can call: without the check a function static costs on every call.
Machine* the_machine = nullptr;

int allocate(void** pointer, std::size_t bytes, Site site) {
  *pointer = machine().memory().allocate(bytes, site);
  return *pointer == nullptr ? error_memory_allocation : error_success;
}

int release(void* pointer, Site) {
  return machine().memory().release(pointer) ? error_success : error_invalid_value;
}

void fail(gate_emu::Ending ending, const char* text, Site site) {
  machine().fail(ending, text, site);
  machine().leave_step(text);  // only outside kernels: in them fail() does not return
}

}  // namespace

const gate_emu::Runtime& runtime_table() {
  static constexpr gate_emu::Runtime table = {
      [](gate_emu::BarrierKind kind, int predicate, Site site) {
        return the_machine->barrier(kind, predicate, site);
      },
      [](const gate_emu::Collective& what) { return the_machine->collective(what); },
      [](Site site) { the_machine->yield(site); },
      [](unsigned steps, Site site) { the_machine->pause(steps, site); },
      [](Site site) { return the_machine->clock(site); },
      [](gate_emu::SharedSite& site) { the_machine->place(site); },
      fail,
      [](const gate_emu::LaunchShape& shape, const gate_emu::LaunchBody& body) {
        return the_machine->launch(shape, body);
      },
      allocate,
      release,
      [](const void*, std::size_t) { return true; },
      [](const gate_emu::Access& what) { the_machine->access(what); },
  };
  return table;
}

Machine& machine() {
  static Machine the_one;
  the_machine = &the_one;
  return the_one;
}

}  // namespace gate
