// Sums of exponentials: arcs that follow each other in one object.
#include "flow/exponential_arc.hpp"

#include <gtest/gtest.h>

#include <random>

namespace ricochet {
namespace {

// What an arc is made of.
struct Terms {
  int channels, watched;
  struct Rate {
    Complex lambda;
    int degree;
  };
  std::vector<Rate> rates;
  std::vector<Complex> c;  // by rate, power and channel

  void fill(ExponentialArc& arc) const {
    arc.clear(channels, watched);
    std::size_t next = 0;
    for (const Rate& rate : rates) {
      const int r = arc.add_rate(rate.lambda, rate.degree);
      for (int n = 0; n <= rate.degree; ++n)
        for (int i = 0; i < channels; ++i) arc.add(r, n, i, c[next++]);
    }
    arc.finish();
  }
};

void expect_same(ExponentialArc& a, ExponentialArc& b, const Terms& terms) {
  EXPECT_EQ(a.rate_count(), b.rate_count());
  EXPECT_EQ(a.is_even(), b.is_even());
  EXPECT_EQ(a.is_pure(), b.is_pure());
  EXPECT_EQ(a.fastest(), b.fastest());
  EXPECT_EQ(a.growth(), b.growth());
  EXPECT_EQ(a.lasting(), b.lasting());
  for (const double s : {0.0, 0.7, 2.5, 0.0}) {
    a.place(s), b.place(s);
    for (int i = 0; i < terms.channels; ++i) {
      EXPECT_EQ(a.value(i), b.value(i));
      EXPECT_EQ(a.rate(i), b.rate(i));
      EXPECT_EQ(a.size(i), b.size(i));
    }
    for (int j = 0; j < terms.watched; ++j) {
      const ExponentialArc::Jet x = a.jet(j), y = b.jet(j);
      EXPECT_EQ(x.f, y.f);
      EXPECT_EQ(x.f1, y.f1);
      EXPECT_EQ(x.f2, y.f2);
      EXPECT_EQ(x.size, y.size);
      EXPECT_EQ(x.steady, y.steady);
      EXPECT_EQ(a.third(j, 0.3), b.third(j, 0.3));
    }
  }
}

// Rates that stay, change, grow in degree, become fewer or more, in any order: the bits are those of a new arc.
TEST(ExponentialArc, OneThatIsUsedAgainIsAsGoodAsNew) {
  std::mt19937 random(3);
  const auto one_of = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto number = [&] { return std::uniform_real_distribution<double>(-1.0, 1.0)(random); };
  const Complex known[] = {{0.0, 0.0}, {0.0, 2.0}, {-0.1, 1.0}, {-0.3, 0.0}, {0.2, 0.5}, {-0.1, 3.0}};
  ExponentialArc again;
  Terms terms{1, 1, {}, {}};
  int kept = 0;
  for (int k = 0; k < 300; ++k) {
    if (one_of(3) == 0) terms.watched = 1 + one_of(2), terms.channels = terms.watched + one_of(3);
    const bool keeps = one_of(2) == 0;
    if (!keeps) {
      std::vector<Terms::Rate> rates;
      for (int r = one_of(6); r >= 0; --r) rates.push_back({known[one_of(6)], one_of(4) == 0 ? 1 + one_of(4) : 0});
      terms.rates = rates;
    }
    kept += keeps;
    terms.c.clear();
    for (const Terms::Rate& rate : terms.rates)
      for (int i = 0; i < (rate.degree + 1) * terms.channels; ++i) terms.c.push_back({number(), number()});
    ExponentialArc fresh;
    terms.fill(fresh);
    terms.fill(again);
    expect_same(fresh, again, terms);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(kept, 100);
}

}  // namespace
}  // namespace ricochet
