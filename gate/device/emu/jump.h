// Switching between fibers: Boost.Context's jump without the floating-point control words, which
// no kernel changes and whose reload costs more than all the rest.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/context/detail/fcontext.hpp>

namespace gate {

using boost::context::detail::fcontext_t;
using boost::context::detail::transfer_t;

#if defined(__x86_64__)
/// Frames are laid out as make_fcontext() does it; contexts of the two jumps must not be mixed.
extern "C" transfer_t gate_emu_jump(fcontext_t to, void* data);
inline transfer_t jump(fcontext_t to, void* data) { return gate_emu_jump(to, data); }
#else
inline transfer_t jump(fcontext_t to, void* data) {
  return boost::context::detail::jump_fcontext(to, data);
}
#endif

}  // namespace gate
