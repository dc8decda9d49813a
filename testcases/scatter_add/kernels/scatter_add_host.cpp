// One pass over the values, last first.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* values_data, const std::int32_t* index_data, T* y_data, int slots, int count,
         long long values_0, long long index_0, long long y_0) {
  const View<const T, 1> values{values_data, {values_0}};
  const View<const std::int32_t, 1> index{index_data, {index_0}};
  const View<T, 1> y{y_data, {y_0}};
  for (int s = 0; s < slots; ++s) y(s) = 0;
  for (int i = count - 1; i >= 0; --i) y(index(i)) += values(i);
}

}  // namespace

extern "C" {
void scatter_add_f32(const float* values_data, const std::int32_t* index_data, float* y_data,
                     int slots, int count, long long values_0, long long index_0, long long y_0) {
  run<float>(values_data, index_data, y_data, slots, count, values_0, index_0, y_0);
}
}
