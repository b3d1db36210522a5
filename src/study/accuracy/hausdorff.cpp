#include "ricochet/study/hausdorff.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <queue>

#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

struct Vertex {
  double t, x;
};

double distance(const Vertex& a, const Vertex& b) { return std::max(std::abs(a.t - b.t), std::abs(a.x - b.x)); }

Vertex between(const Vertex& a, const Vertex& b, double s) { return {a.t + s * (b.t - a.t), a.x + s * (b.x - a.x)}; }

// From a point to the segment b0 b1. max(|Δt|, |Δx|) is convex and piecewise linear along the segment: its least value
// is at an end, where one of the two vanishes, or where they are equal.
double distance(const Vertex& p, const Vertex& b0, const Vertex& b1) {
  const double t = b0.t - p.t, x = b0.x - p.x, dt = b1.t - b0.t, dx = b1.x - b0.x;
  double least = std::min(distance(p, b0), distance(p, b1));
  const auto consider = [&](double numerator, double denominator) {
    if (denominator == 0.0) return;
    const double s = std::clamp(-numerator / denominator, 0.0, 1.0);
    least = std::min(least, std::max(std::abs(t + s * dt), std::abs(x + s * dx)));
  };
  consider(t, dt);
  consider(x, dx);
  consider(t - x, dt - dx);
  consider(t + x, dt + dx);
  return least;
}

struct Box {
  double t0, t1, x0, x1;
  double distance_to(const Vertex& p) const {
    const double dt = std::max({t0 - p.t, p.t - t1, 0.0}), dx = std::max({x0 - p.x, p.x - x1, 0.0});
    return std::max(dt, dx);
  }
};

struct Nearest {
  double distance = std::numeric_limits<double>::infinity();
  std::size_t segment = 0;
};

// The segments of a graph under a binary tree of bounding boxes.
class Segments {
 public:
  explicit Segments(const Graph& graph) {
    for (std::size_t i = 0; i < graph.t.size(); ++i) vertices_.push_back({graph.t[i], graph.x[i]});
    if (vertices_.size() == 1) vertices_.push_back(vertices_[0]);
    leaves_ = 1;
    while (leaves_ < size()) leaves_ *= 2;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    boxes_.assign(2 * leaves_, {infinity, -infinity, infinity, -infinity});
    for (std::size_t i = 0; i < size(); ++i) {
      const Vertex &a = vertices_[i], &b = vertices_[i + 1];
      boxes_[leaves_ + i] = {std::min(a.t, b.t), std::max(a.t, b.t), std::min(a.x, b.x), std::max(a.x, b.x)};
    }
    for (std::size_t i = leaves_ - 1; i >= 1; --i) {
      const Box &a = boxes_[2 * i], &b = boxes_[2 * i + 1];
      boxes_[i] = {std::min(a.t0, b.t0), std::max(a.t1, b.t1), std::min(a.x0, b.x0), std::max(a.x1, b.x1)};
    }
  }

  std::size_t size() const { return vertices_.size() - 1; }
  const Vertex& vertex(std::size_t i) const { return vertices_[i]; }
  double from(const Vertex& p, std::size_t segment) const {
    return distance(p, vertices_[segment], vertices_[segment + 1]);
  }

  // The nearest segment, begun from a guess.
  Nearest nearest(const Vertex& p, std::size_t guess) const {
    Nearest best{from(p, guess), guess};
    search(p, 1, best);
    return best;
  }

 private:
  // The nearer half first; a box no nearer than the best is left out.
  void search(const Vertex& p, std::size_t node, Nearest& best) const {
    if (node >= leaves_) {
      const std::size_t segment = node - leaves_;
      if (segment >= size()) return;
      const double d = from(p, segment);
      if (d < best.distance) best = {d, segment};
      return;
    }
    const double left = boxes_[2 * node].distance_to(p), right = boxes_[2 * node + 1].distance_to(p);
    const std::size_t near = left <= right ? 2 * node : 2 * node + 1, far = near ^ 1u;
    if (std::min(left, right) < best.distance) search(p, near, best);
    if (std::max(left, right) < best.distance) search(p, far, best);
  }

  std::vector<Vertex> vertices_;
  std::vector<Box> boxes_;
  std::size_t leaves_ = 1;
};

// A piece of A with the distances of its ends to B and a bound of the distance of all its points.
struct Piece {
  Vertex a0, a1;
  Nearest d0, d1;
  double bound = 0.0;
  bool operator<(const Piece& other) const { return bound < other.bound; }
};

// dist(·, B) changes no faster than the point moves. And the distance to one segment of B is convex: along the piece it
// is at most that of an end.
double bound_of(const Piece& piece, const Segments& B) {
  double bound = 0.5 * (piece.d0.distance + piece.d1.distance + distance(piece.a0, piece.a1));
  for (const std::size_t segment : {piece.d0.segment, piece.d1.segment})
    bound = std::min(bound, std::max(B.from(piece.a0, segment), B.from(piece.a1, segment)));
  return std::max(bound, std::max(piece.d0.distance, piece.d1.distance));
}

// sup over A of the distance to B, by branch and bound.
GraphDistance one_sided(const Segments& A, const Segments& B, double known, double relative, double absolute) {
  GraphDistance result{known, known};
  const auto enough = [&](double bound) { return bound <= result.value + relative * result.value + absolute; };
  std::vector<Nearest> nearest;
  std::size_t guess = 0;
  for (std::size_t i = 0; i <= A.size(); ++i) {
    nearest.push_back(B.nearest(A.vertex(i), guess));
    guess = nearest.back().segment;
    result.value = std::max(result.value, nearest.back().distance);
  }

  std::priority_queue<Piece> pieces;
  const auto add = [&](const Vertex& a0, const Vertex& a1, const Nearest& d0, const Nearest& d1) {
    Piece piece{a0, a1, d0, d1};
    piece.bound = bound_of(piece, B);
    if (enough(piece.bound))
      result.bound = std::max(result.bound, piece.bound);
    else
      pieces.push(piece);
  };
  for (std::size_t i = 0; i < A.size(); ++i) add(A.vertex(i), A.vertex(i + 1), nearest[i], nearest[i + 1]);
  while (!pieces.empty() && !enough(pieces.top().bound)) {
    const Piece piece = pieces.top();
    pieces.pop();
    const Vertex middle = between(piece.a0, piece.a1, 0.5);
    const Nearest d = B.nearest(middle, piece.d0.segment);
    result.value = std::max(result.value, d.distance);
    add(piece.a0, middle, piece.d0, d);
    add(middle, piece.a1, d, piece.d1);
  }
  if (!pieces.empty()) result.bound = std::max(result.bound, pieces.top().bound);
  result.bound = std::max(result.bound, result.value);
  return result;
}

void check_graph(const Graph& graph) {
  if (graph.t.empty() || graph.t.size() != graph.x.size())
    throw InputError("graph", "needs as many values as times, and at least one");
  for (std::size_t i = 0; i < graph.t.size(); ++i)
    if (!std::isfinite(graph.t[i]) || !std::isfinite(graph.x[i]) || (i > 0 && graph.t[i] < graph.t[i - 1]))
      throw InputError("graph", "must have finite values and times that do not fall");
}

}  // namespace

Graph cut(const Graph& graph, double until) {
  Graph part;
  for (std::size_t i = 0; i < graph.t.size(); ++i) {
    if (graph.t[i] > until) {
      if (i == 0 || graph.t[i - 1] >= until) break;
      const double s = (until - graph.t[i - 1]) / (graph.t[i] - graph.t[i - 1]);
      part.t.push_back(until);
      part.x.push_back(graph.x[i - 1] + s * (graph.x[i] - graph.x[i - 1]));
      break;
    }
    part.t.push_back(graph.t[i]);
    part.x.push_back(graph.x[i]);
  }
  return part;
}

GraphDistance hausdorff(const Graph& a, const Graph& b, double relative, double absolute) {
  check_graph(a);
  check_graph(b);
  const Segments A(a), B(b);
  const GraphDistance first = one_sided(A, B, 0.0, relative, absolute);
  const GraphDistance second = one_sided(B, A, first.value, relative, absolute);
  return {second.value, std::max(first.bound, second.bound)};
}

}  // namespace ricochet
