#include "study/check/compliance_check.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/constants.hpp"
#include "ricochet/scheme/penalty.hpp"
#include "scheme/kernel/compliant_contacts_ode.hpp"

namespace ricochet {
namespace {

// Of a law with a damping of its own; e is the restitution that rigid impacts have.
Finding of_damper(const std::string& name, const Compliance& law, double m, double e) {
  const double ratio = law.damping / (2.0 * std::sqrt(law.stiffness * m)), implied = restitution_of_ratio(ratio);
  std::string sentence = fmt::format(
      "Under penalty {} gives way with a spring and a damper: with the mass {:.4g} that it feels at the start, ", name,
      m);
  if (implied > 0.0)
    sentence += fmt::format("an impact alone lasts {:.4g} and has the restitution {:.4g} (damping ratio {:.4g})",
                            pi / std::sqrt(law.stiffness / m * (1.0 - ratio * ratio)), implied, ratio);
  else
    sentence +=
        fmt::format("it is damped so much that an impact alone has the restitution 0 (damping ratio {:.4g})", ratio);
  const bool differs = std::abs(implied - e) > 0.01;
  return {"compliance", differs ? Verdict::warning : Verdict::ok,
          sentence + (differs ? fmt::format("; rigid schemes take its restitution, {:.4g}.", e) : ".")};
}

Finding of_hysteresis(const std::string& name, const Compliance& law) {
  if (law.hysteresis == 0.0)
    return {"compliance", Verdict::ok,
            fmt::format("Under penalty {} gives way without damping: an impact alone has the restitution 1.", name)};
  return {
      "compliance", Verdict::ok,
      fmt::format("Under penalty {} gives way by Hunt and Crossley's law, whose restitution falls with the rate of an "
                  "impact: 0.9 at {:.4g}, 0.5 at {:.4g}, 0.1 at {:.4g}.",
                  name, hysteresis_of_restitution(0.9) / law.hysteresis,
                  hysteresis_of_restitution(0.5) / law.hysteresis, hysteresis_of_restitution(0.1) / law.hysteresis)};
}

}  // namespace

std::vector<Finding> check_compliance(const Model& model, const State& start) {
  const std::vector<Compliance> laws = compliances_of(model);
  if (std::none_of(laws.begin(), laws.end(), [](const Compliance& law) { return law.stiffness > 0.0; })) return {};
  CompliantContactsOde flow(model);
  std::vector<double> y = zeros(flow.size()), e = zeros(model.nc());
  flow.pack(start, y);
  flow.measure(start.t, y.data());
  model.restitution(start.t, start.q.data(), e.data());
  std::vector<Finding> findings;
  for (int j = 0; j < model.nc(); ++j) {
    const Compliance& law = laws[static_cast<std::size_t>(j)];
    const std::string& name = model.layout().constraints[static_cast<std::size_t>(j)];
    if (!(law.stiffness > 0.0)) continue;
    if (law.damping >= 0.0) {
      findings.push_back(of_damper(name, law, flow.effective_mass(j, start.t, start.q.data()), e[j]));
    } else if (law.hysteresis >= 0.0) {
      findings.push_back(of_hysteresis(name, law));
    } else {
      findings.push_back(
          {"compliance", Verdict::ok,
           fmt::format("Under penalty {} gives way, with the damping that its restitution {:.4g} asks for.", name,
                       e[j])});
    }
  }
  return findings;
}

}  // namespace ricochet
