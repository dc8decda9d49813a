// The name cuda::std.
// SPDX-License-Identifier: Apache-2.0
#pragma once
namespace std {}
namespace cuda {
namespace std = ::std;
}
