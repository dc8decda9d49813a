// Small stand-ins for the C headers that kernels include and NVRTC does not have, and the names
// that nvcc's own prelude defines; without them such sources would need nvcc, ten times slower.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace gate {

struct RtcHeader {
  const char* name;
  const char* text;
};

inline constexpr const char* rtc_integers = R"(#pragma once
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef unsigned long uintptr_t;
typedef long intptr_t;
)";

inline constexpr const char* rtc_limits = R"(#pragma once
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-9223372036854775807ll - 1)
#define ULLONG_MAX 18446744073709551615ull
#define LONG_MAX 9223372036854775807l
#define LONG_MIN (-9223372036854775807l - 1)
)";

inline constexpr const char* rtc_floats = R"(#pragma once
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-016
)";

inline constexpr const char* rtc_nothing = "#pragma once\n";

/// Included before every source.
inline constexpr const char* rtc_prelude = R"(#pragma once
#ifndef INFINITY
#define INFINITY (__int_as_float(0x7f800000))
#endif
#ifndef NAN
#define NAN (__int_as_float(0x7fffffff))
#endif
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
)";
inline constexpr const char* rtc_prelude_name = "gate_rtc_prelude.h";

inline constexpr std::array rtc_headers = {
    RtcHeader{rtc_prelude_name, rtc_prelude}, RtcHeader{"stdint.h", rtc_integers},
    RtcHeader{"cstdint", rtc_integers},       RtcHeader{"limits.h", rtc_limits},
    RtcHeader{"climits", rtc_limits},         RtcHeader{"float.h", rtc_floats},
    RtcHeader{"cfloat", rtc_floats},          RtcHeader{"math.h", rtc_nothing},
    RtcHeader{"cmath", rtc_nothing},          RtcHeader{"stdio.h", rtc_nothing},
    RtcHeader{"cstdio", rtc_nothing},         RtcHeader{"stddef.h", rtc_nothing},
    RtcHeader{"cstddef", rtc_nothing},
};

}  // namespace gate
