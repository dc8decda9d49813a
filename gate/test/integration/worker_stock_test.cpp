// Workers started in advance: given out once, only to whom they fit, and they come up.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/worker_stock.h"

#include <gtest/gtest.h>

#include <csignal>

namespace gate {
namespace {

WorkerOptions host_worker() { return {"host", find_worker_program(), 0, 2, 1u << 20, {}, {}}; }

bool runs(pid_t process) { return ::kill(process, 0) == 0; }

TEST(WorkerStock, gives_each_worker_once_and_it_is_ready) {
  WorkerStock stock;
  stock.prepare(host_worker(), 2);
  stock.prepare(host_worker(), 2);  // they wait already
  std::string facts;
  auto first = stock.take(host_worker(), facts);
  auto second = stock.take(host_worker(), facts);
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(stock.take(host_worker(), facts));
  EXPECT_NE(first->process_id(), second->process_id());
  for (WorkerProcess* worker : {&*first, &*second}) {
    std::string_view text;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    EXPECT_EQ(worker->receive(text, deadline), WorkerProcess::Event::message);
    EXPECT_NE(text.find("ready"), std::string_view::npos) << text;
  }
}

TEST(WorkerStock, gives_only_what_fits_and_ends_what_does_not) {
  WorkerStock stock;
  stock.prepare(host_worker(), 1);
  std::string facts;
  WorkerOptions other = host_worker();
  other.device_index = 1;
  EXPECT_FALSE(stock.take(other, facts));
  WorkerOptions larger = host_worker();
  larger.slot_bytes *= 2;
  EXPECT_FALSE(stock.take(larger, facts));
  WorkerOptions smaller = host_worker();
  smaller.slot_bytes /= 2;
  auto taken = stock.take(smaller, facts);
  ASSERT_TRUE(taken);
  const pid_t process = taken->process_id();
  stock.keep(host_worker(), std::move(*taken), "{}");
  stock.prepare(other, 1);  // the other kind takes its place
  EXPECT_FALSE(runs(process));
  EXPECT_FALSE(stock.take(host_worker(), facts));
}

TEST(WorkerStock, remembers_what_a_kept_worker_said) {
  WorkerStock stock;
  stock.prepare(host_worker(), 1);
  std::string facts;
  auto taken = stock.take(host_worker(), facts);
  ASSERT_TRUE(taken);
  EXPECT_EQ(facts, "");
  stock.keep(host_worker(), std::move(*taken), "{\"device\": \"host\"}");
  EXPECT_TRUE(stock.take(host_worker(), facts));
  EXPECT_EQ(facts, "{\"device\": \"host\"}");
}

}  // namespace
}  // namespace gate
