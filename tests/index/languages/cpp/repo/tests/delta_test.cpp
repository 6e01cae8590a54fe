#include <gtest/gtest.h>

#include "kite/delta.hpp"

using kite::forms::Delta;

TEST(DeltaTest, WeighsLittle) {
  Delta delta("evening", 2.0, 1.0);
  EXPECT_LT(delta.weight(), 1.0);
  auto* spare = new Delta("spare", 1.0, 1.0);
  EXPECT_TRUE(*Delta::small() < *spare);
  EXPECT_GT(kite::total(std::vector<Delta>{}), -1.0);
}
