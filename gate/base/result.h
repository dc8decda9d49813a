// Result<T>: a value, or the problems that prevented it, sorted by who has to act.
// Kept small on purpose: our code does not throw, and std::expected is C++23.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gate/base/check.h"

namespace gate {

/// Where a problem is; line and column count from 1, 0 means unknown.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
};

/// "file:line:column", without the parts that are unknown.
std::string to_text(const Place& place);

/// One thing that is wrong, and what to do about it.
struct Problem {
  Place place;
  std::string text;
  std::string hint;
};

/// Whose fault a failure is: it decides the exit code (user 2, machine 3).
enum class Fault { user, machine };

/// Everything found wrong in one go, never empty.
struct Failure {
  Fault fault = Fault::user;
  std::vector<Problem> problems;
};

/// One line per problem: "place: error: text", then "  hint: …".
std::string to_text(const Failure& failure);

/// A failure of one problem.
Failure user_failure(std::string text, std::string hint = {}, Place place = {});
Failure machine_failure(std::string text, std::string hint = {});

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}            // NOLINT: implicit by design
  Result(Failure failure) : content_(std::move(failure)) {}  // NOLINT: implicit by design

  explicit operator bool() const { return std::holds_alternative<T>(content_); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(value()); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }
  const Failure& failure() const {
    check(!*this, "failure() is asked only of a failed result");
    return std::get<Failure>(content_);
  }

 private:
  const T& value() const {
    check(static_cast<bool>(*this), "a value is asked only of a successful result");
    return std::get<T>(content_);
  }
  T& value() {
    check(static_cast<bool>(*this), "a value is asked only of a successful result");
    return std::get<T>(content_);
  }
  std::variant<T, Failure> content_;
};

/// For functions that only succeed or fail: `return Done{};`
struct Done {};

}  // namespace gate
