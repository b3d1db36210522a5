// Works along an arc in closed form.
//
// With v = Σ_r Re[D_r e^{λ_r s}], D = λ c, and f = Σ_r Re[Φ_r e^{λ_r s}], a product of two of them is
//
//     Re[A e^{λs}] Re[B e^{μs}] = ½ Re[A B e^{(λ+μ)s} + A B̄ e^{(λ+μ̄)s}],                                      (1)
//
// and ∫ e^{κs} ds from a to b = (e^{κb} − e^{κa})/κ, or e^{κa} times the series of (e^{κd} − 1)/κ, d = b − a, where
// that would lose digits.
#include <algorithm>
#include <cmath>

#include "core/zeros.hpp"
#include "flow/linear_flow.hpp"

namespace ricochet {
namespace {

Complex conjugate(const Complex& a) { return {a.re, -a.im}; }

// ∫ e^{κs} ds over d, e^{κs} being `first` at its begin and `last` at its end.
Complex integral(const Complex& kappa, double d, const Complex& first, const Complex& last) {
  constexpr double short_of_one = 0.5;
  const Complex z{kappa.re * d, kappa.im * d};
  const double size = magnitude(z);
  if (size > short_of_one) return (last - first) / kappa;
  Complex term{d, 0.0}, sum = term;
  for (double n = 2.0; magnitude(term) > 1e-17 * d; n += 1.0) {
    term = (z * term) / n;
    sum += term;
  }
  return first * sum;
}

}  // namespace

// Whether the model's own power is what works() integrates, vᵀf and −vᵀCv with f = (f − l) + l and a constant l: a
// potential that depends on t would do more. What agrees at a few arbitrary states and times does so at all of them,
// since both are sums of terms, of second degree in q and v.
void LinearFlow::find_steady() {
  constexpr double round_off = 1e-12;
  looked_ = true;
  const LinearForce<double> force = model_.linear_force();
  if (force.K != force.K_V || force.C != force.C_D) return;
  damped_ = std::any_of(force.C.begin(), force.C.end(), [](double c) { return c != 0.0; });
  std::vector<double> f = zeros(nq_), q = f, v = f, F = f;
  l_ = f;
  double arbitrary = 0.3183098861837907;
  for (const double t : {0.0, 0.3183098861837907, 1.144729885849400, 7.389056098930650, 23.14069263277927}) {
    Load<double> load{f.data(), q.data(), 0.0};
    model_.load(t, load);
    if (t == 0.0) l_ = q;
    if (q != l_) return;
    for (int i = 0; i < nq_; ++i) {
      q[i] = (arbitrary = std::fmod(997.0 * arbitrary, 1.0)) - 0.5;
      v[i] = (arbitrary = std::fmod(997.0 * arbitrary, 1.0)) - 0.5;
    }
    model_.force(t, q.data(), v.data(), nullptr, F.data());
    const Power<double> power = model_.power(t, q.data(), v.data(), nullptr);
    double input = 0.0, damping = 0.0, size = 0.0;
    for (int i = 0; i < nq_; ++i) {
      double elastic = 0.0, viscous = 0.0;
      for (int j = 0; j < nq_; ++j) elastic += unit_ * K_(i, j) * q[j], viscous += unit_ * C_(i, j) * v[j];
      input += v[i] * (F[i] + elastic + viscous + l_[i]);
      damping -= v[i] * viscous;
      size += std::abs(v[i]) * (std::abs(F[i]) + std::abs(elastic) + std::abs(viscous) + std::abs(l_[i]));
    }
    if (!(std::abs(power.input - input) <= round_off * size && std::abs(power.damping - damping) <= round_off * size))
      return;
  }
  steady_ = true;
}

std::optional<LinearFlow::Works> LinearFlow::works(double from, double to) {
  if (!looked_) find_steady();
  if (!steady_ || last_ == nullptr || !arc_.is_pure()) return std::nullopt;
  const int R = arc_.rate_count();
  const auto at = [&](int r, int i) { return static_cast<std::size_t>(r * nq_ + i); };
  const std::size_t size = static_cast<std::size_t>(R * nq_);
  E_.resize(static_cast<std::size_t>(R));
  D_.resize(size);
  CD_.assign(size, {});
  Phi_.assign(size, {});
  for (const Group& group : last_->groups)
    for (int i = 0; i < nq_; ++i) Phi_[at(group.rate, i)] += group.phase * group.force[static_cast<std::size_t>(i)];
  for (int r = 0; r < R; ++r) {
    E_[static_cast<std::size_t>(r)] = from == 0.0 ? Complex{1.0, 0.0} : exponential(arc_.lambda(r), from);
    for (int i = 0; i < nq_; ++i) D_[at(r, i)] = arc_.lambda(r) * arc_.coefficient(r, i);
    for (int j = 0; j < nq_ && damped_; ++j)
      for (int i = 0; i < nq_; ++i) CD_[at(r, i)] += C_(i, j) * D_[at(r, j)];
  }
  Works works;
  for (int i = 0; i < nq_; ++i)
    if (l_[static_cast<std::size_t>(i)] != 0.0) {
      arc_.place(from);
      const double q = arc_.value(i);
      arc_.place(to);
      works.input += l_[static_cast<std::size_t>(i)] * (arc_.value(i) - q);
    }
  arc_.place(to);
  for (int r = 0; r < R; ++r)
    for (int p = r; p < R; ++p) {
      // (1) of all products of r with p: input, damping
      Complex input, input_bar, damping, damping_bar;
      for (int i = 0; i < nq_; ++i) {
        const Complex &v = D_[at(p, i)], &u = D_[at(r, i)], &f = Phi_[at(r, i)], &Cv = CD_[at(p, i)];
        input += f * v;
        input_bar += f * conjugate(v);
        damping += u * Cv;
        damping_bar += u * conjugate(Cv);
        if (p == r) continue;
        const Complex &g = Phi_[at(p, i)], &Cu = CD_[at(r, i)];
        input += g * u;
        input_bar += conjugate(g) * u;
        damping += v * Cu;
        damping_bar += conjugate(v) * Cu;
      }
      const Complex &a = E_[static_cast<std::size_t>(r)], &b = E_[static_cast<std::size_t>(p)];
      const Complex &lambda = arc_.lambda(r), &mu = arc_.lambda(p);
      const Complex J = integral(lambda + mu, to - from, a * b, arc_.E(r) * arc_.E(p));
      const Complex J_bar =
          integral(lambda + conjugate(mu), to - from, a * conjugate(b), arc_.E(r) * conjugate(arc_.E(p)));
      works.input += 0.5 * unit_ * (input * J + input_bar * J_bar).re;
      works.damping -= 0.5 * unit_ * (damping * J + damping_bar * J_bar).re;
    }
  return works;
}

}  // namespace ricochet
