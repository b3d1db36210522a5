// A scenario: everything that defines one run, as plain values. It round-trips to text (io/scenario/scenario_file.hpp).
// What each member means is said once, in src/scenario/keys/keys.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ricochet/core/quantity.hpp"
#include "ricochet/model/lagrangian.hpp"
#include "ricochet/scenario/drawing.hpp"
#include "ricochet/scenario/model_kinds.hpp"
#include "ricochet/scenario/orbit_description.hpp"
#include "ricochet/scenario/sweep_description.hpp"
#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

// One alternative a kind of model; their names in the same order.
using ModelDescription = std::variant<LagrangianDescription, LinearDescription, BarDescription, BeamDescription,
                                      BeadColumnDescription, BeadChainDescription, FrameDescription>;
inline constexpr std::array<std::string_view, std::variant_size_v<ModelDescription>> model_kinds = {
    "lagrangian", "linear", "bar", "beam", "bead-column", "bead-chain", "frame"};

struct Initial {
  CoordinateValues q = {}, v = {};
  bool operator==(const Initial&) const = default;
};

struct Time {
  Quantity from = 0.0, until = 0.0, step = 0.0;
  std::uint64_t record_every = 1;
  bool operator==(const Time&) const = default;
};

// How contact problems are solved: one of solvers(), its settings where they are given.
struct Solver {
  std::string name = "automatic";
  std::optional<Quantity> tolerance = std::nullopt, relaxation = std::nullopt;
  std::uint64_t max_iterations = 0;
  bool operator==(const Solver&) const = default;
};

struct KnownImpact {
  Quantity t = 0.0;
  std::string constraint = {};
  std::optional<Quantity> rate_minus = std::nullopt, rate_plus = std::nullopt, impulse = std::nullopt;
  bool operator==(const KnownImpact&) const = default;
};

struct KnownSample {
  Quantity t = 0.0;
  std::vector<Quantity> q = {}, v = {};  // in the order of the coordinates
  NamedQuantities observed = {};
  std::optional<Quantity> energy = std::nullopt;
  bool operator==(const KnownSample&) const = default;
};

// What the motion is known to be, from a closed form or a reference computation.
struct KnownAnswer {
  std::string source = {};
  NamedQuantities q = {}, v = {};  // formulas of t by coordinate
  std::vector<KnownImpact> impacts = {};
  std::vector<KnownSample> samples = {};
  std::vector<Quantity> window = {};  // none, or from and until
  std::optional<Quantity> error = std::nullopt, time_error = std::nullopt;
  bool operator==(const KnownAnswer&) const = default;
};

// A quantity of the result that a formula gives.
struct OutputDescription {
  std::string name = {}, formula = {}, unit = {}, label = {};
  bool operator==(const OutputDescription&) const = default;
};

// How a quantity is shown: its unit, and what it is called on axes and in tables.
struct DisplayDescription {
  std::string name = {}, unit = {}, label = {};
  bool operator==(const DisplayDescription&) const = default;
};

struct Scenario {
  // Written out in one source: copies of all the kinds of model take a compiler seconds.
  Scenario();
  Scenario(const Scenario&);
  Scenario(Scenario&&) noexcept;
  Scenario& operator=(const Scenario&);
  Scenario& operator=(Scenario&&) noexcept;
  ~Scenario();
  bool operator==(const Scenario&) const;

  std::string title = {};
  std::string about = {};
  ModelDescription model = {};
  Initial initial = {};
  Scheme scheme = {"moreau-jean"};
  Time time = {};
  std::optional<Solver> solver = std::nullopt;
  std::vector<OutputDescription> outputs = {};
  std::vector<DisplayDescription> display = {};
  std::optional<SweepDescription> sweep = std::nullopt;
  std::optional<OrbitDescription> orbit = std::nullopt;
  std::optional<ContinueDescription> continuation = std::nullopt;
  std::optional<KnownAnswer> known = std::nullopt;
  std::optional<Drawing> draw = std::nullopt;
};

}  // namespace ricochet
