// The libffi type of a dtype passed by value; what a C function takes for it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ffi.h>

#include "gate/tensor/dtype.h"

namespace gate {

/// f16, bf16 and f8 travel as their bits.
inline ffi_type* ffi_type_of(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return &ffi_type_double;
    case DType::f32:
      return &ffi_type_float;
    case DType::i32:
      return &ffi_type_sint32;
    case DType::i64:
      return &ffi_type_sint64;
    case DType::i8:
      return &ffi_type_sint8;
    case DType::u8:
    case DType::boolean:
    case DType::f8e4m3:
    case DType::f8e5m2:
      return &ffi_type_uint8;
    case DType::f16:
    case DType::bf16:
      return &ffi_type_uint16;
  }
  return &ffi_type_void;
}

}  // namespace gate
