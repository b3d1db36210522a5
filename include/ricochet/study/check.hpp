// Is the problem well posed in the sense of the theory? See docs/check.md.
//
//     CheckReport report = check_problem(model, start, span, scheme, settings);
//     report.continuous_dependence       true, false, or nothing where it could not be decided
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/model/lagrangian.hpp"
#include "ricochet/model/model.hpp"
#include "ricochet/run/simulate.hpp"
#include "ricochet/study/checked_formulas.hpp"

namespace ricochet {

enum class Verdict { ok, warning, problem };
std::string_view name(Verdict verdict);

// One thing looked at: what was found, in a sentence with its numbers.
struct Finding {
  std::string
      subject;  // "mass", "start", "joints", "gradients", "angles", "restitution", "walls", "smoothness", "scheme", …
  Verdict verdict = Verdict::ok;
  std::string sentence;
};

// At the start. Without a positive definite mass the numbers are 0.
struct MassCheck {
  bool positive_definite = false;
  double smallest = 0.0, largest = 0.0;  // eigenvalues
  double condition = 0.0;                // largest/smallest
  bool estimated = false;
};

struct StartCheck {
  bool admissible = true;                                     // all gaps ≥ 0
  double smallest_gap = 0.0;                                  // 0 without constraints
  std::vector<int> violated = {}, closed = {}, closing = {};  // closing: closed, and the velocity moves into it
};

// Two constraints, with W_ab = ⟨∇g_a, M⁻¹∇g_b⟩ and its cosine W_ab/√(W_aa W_bb) where it is largest in size among the
// points at which both are closed (at the start if there is none).
struct ConstraintPair {
  int a = 0, b = 0;
  double product = 0.0, cosine = 0.0;
  std::optional<bool> can_be_active_together = std::nullopt;
  std::string how = {};            // how this is known
  bool breaks_continuity = false;  // at such a point, for the restitution there
  bool settled = false;            // the angle is the same wherever both are closed
};

struct GradientCheck {
  bool nonzero = true;                                    // of the gaps closed at the start
  std::optional<bool> independent = true;                 // of those together; nothing if there are too many
  std::vector<std::pair<int, int>> dependent_pairs = {};  // that can be closed together
};

struct RestitutionCheck {
  double smallest = 0.0, largest = 0.0;  // at the start
  bool in_range = true;                  // all in [0, 1]
  bool differs = false;
};

struct StiffnessCheck {
  double omega_max = 0.0;  // largest frequency of the motion linearised at the start
  bool estimated = false;
  double h = 0.0;  // the even step
  double h_omega = 0.0;
  bool chooses_steps = false;                  // the scheme does: h is only an interval of recording
  std::optional<double> limit = std::nullopt;  // of h ω for the scheme; nothing: none, or it chooses its steps
};

struct CheckReport {
  MassCheck mass;
  StartCheck start;
  GradientCheck gradients;
  std::vector<ConstraintPair> pairs;
  std::uint64_t pairs_skipped = 0;  // not looked at, with why in the findings
  RestitutionCheck restitution;
  std::vector<NonsmoothFunction> nonsmooth;
  StiffnessCheck stiffness;
  std::vector<Finding> findings;
  std::optional<bool> continuous_dependence;
  std::string conclusion;  // one or two sentences
};

// `nonsmooth`: what nonsmooth_functions() found in the formulas, if the model is made of formulas; `formulas`: to
// show what they can give in all of the run.
// A start inside an obstacle or a mass that is not positive definite are findings. Throws InputError only for vectors
// of the wrong length, values that are not finite, and a bad step or scheme.
CheckReport check_problem(const Model& model, State start, TimeSpan span, const Scheme& scheme,
                          const RunSettings& settings, std::vector<NonsmoothFunction> nonsmooth = {},
                          const CheckedFormulas* formulas = nullptr);

}  // namespace ricochet
