// A forced impact oscillator with a [sweep] table, as text to change.
#pragma once

#include <string>

#include "ricochet/io/scenario/scenario_file.hpp"
#include "unit/scenario/scenario_samples.hpp"

namespace ricochet::testing {

inline const std::string oscillator_text = R"toml([model]
coordinates = ["x"]
parameters = { m = 1.0, k = "m*w0^2", w0 = 1.0, A = 0.5, w = 2.8 }
kinetic = "m*x_dot^2/2"
potential = "k*x^2/2"
force = { x = "A*cos(w*t)" }

[[model.constraint]]
name = "stop"
gap = "1 - x"
restitution = 0.8

[initial]
q = { x = "m/4" }

[scheme]
name = "moreau-jean"
theta = 0.5

[time]
until = 10.0
step = "2*pi/w/500"
)toml";

inline const std::string sweep_text = R"toml(
[sweep]
axis = [{ parameter = "model.parameters.w", range = [2.0, 4.0], count = 5 }]
transient = "10*2*pi/w"
duration = "64*2*pi/w"
record = "stroboscopic"
period = "2*pi/w"
)toml";

// The oscillator with another list of axes and further keys.
inline std::string sweep_over(const std::string& axes, const std::string& further = "") {
  const std::string given = R"([{ parameter = "model.parameters.w", range = [2.0, 4.0], count = 5 }])";
  return oscillator_text + replaced(sweep_text, given, "[" + axes + "]") + further;
}

inline Scenario sweep_scenario(const std::string& axes, const std::string& further = "") {
  return parse_scenario(sweep_over(axes, further), "sweep.toml");
}

}  // namespace ricochet::testing
