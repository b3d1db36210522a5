#include "ricochet/model/time_series.hpp"

namespace ricochet {

TimePiece TimeSeries::piece(double t) const {
  const auto constant = [](double value) { return TimeSum{{.cosine = value}}; };
  if (t < curve_.from()) return {constant(curve_.before()), curve_.from()};
  if (!(t < curve_.until())) return {constant(curve_.after())};
  const std::size_t i = curve_.piece_at(t);
  const formula::Curve::Piece& of = curve_.piece(i);
  TimePiece piece{{}, curve_.points()[i + 1]};
  int power = 0;
  for (const double c : {of.y, of.b, of.c, of.d}) {
    if (c != 0.0) piece.terms.push_back({.power = power, .cosine = c, .origin = curve_.points()[i]});
    ++power;
  }
  return piece;
}

}  // namespace ricochet
