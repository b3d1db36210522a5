#include "ricochet/study/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/regular_joints.hpp"
#include "ricochet/contact/impact.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "run/start.hpp"
#include "study/check/bounded_numbers.hpp"
#include "study/check/closable.hpp"
#include "study/check/compliance_check.hpp"
#include "study/check/friction_check.hpp"
#include "study/check/joint_check.hpp"
#include "study/check/pairs.hpp"
#include "study/check/range_check.hpp"
#include "study/check/surface_check.hpp"
#include "study/spectrum.hpp"

namespace ricochet {
namespace {

constexpr double worst_condition = 1e12;
constexpr double coarsest = 0.628;       // h ω of ten steps a period
constexpr double largest_stepper = 1e6;  // coordinates times constraints
constexpr double parallel = 1e-10;       // 1 − |cosine| of gradients that point the same way

std::string number(double x) { return fmt::format("{:.4g}", x); }

std::string listed(const std::vector<std::string>& words) {
  constexpr std::size_t most = 5;
  if (words.size() <= most) return fmt::format("{}", fmt::join(words, ", "));
  return fmt::format("{} and {} more", fmt::join(words.begin(), words.begin() + most, ", "), words.size() - most);
}

class Checker {
 public:
  Checker(const Model& model, State start, TimeSpan span, const Scheme& scheme, const RunSettings& settings,
          std::vector<NonsmoothFunction> nonsmooth, const CheckedFormulas* formulas)
      : model_(model),
        formulas_(formulas),
        layout_(model.layout()),
        start_(std::move(start)),
        span_(span),
        scheme_(scheme),
        settings_(settings) {
    report_.nonsmooth = std::move(nonsmooth);
  }

  CheckReport go() {
    check_input();
    check_mass();
    check_start();
    check_forces();
    check_joints();
    check_restitution_values();
    check_angles();
    check_gradients();
    check_restitution();
    for (Finding& finding : check_friction(model_, start_, report_.start))
      report_.findings.push_back(std::move(finding));
    if (report_.mass.positive_definite)
      for (Finding& finding : check_compliance(model_, start_)) report_.findings.push_back(std::move(finding));
    check_elsewhere();
    check_smoothness();
    check_scheme();
    check_stiffness();
    conclude();
    return std::move(report_);
  }

 private:
  std::string names(const std::vector<int>& constraints) const {
    std::vector<std::string> words;
    for (const int j : constraints) words.push_back(layout_.constraints[j]);
    return listed(words);
  }
  void say(const char* subject, Verdict verdict, std::string sentence) {
    report_.findings.push_back({subject, verdict, std::move(sentence)});
  }

  void check_input() {
    const auto check_vector = [](const std::vector<double>& x, const std::vector<std::string>& words,
                                 const std::string& field) {
      if (x.size() != words.size())
        throw InputError(field, fmt::format("has {} values, the model needs {}", x.size(), words.size()));
      for (std::size_t i = 0; i < x.size(); ++i)
        if (!std::isfinite(x[i]))
          throw InputError(field + "." + words[i], "must be a finite number, got " + to_text(x[i]));
    };
    check_vector(start_.q, layout_.coordinates, "initial.q");
    if (start_.v.empty()) start_.v.resize(model_.nq());
    check_vector(start_.v, layout_.coordinates, "initial.v");
    check_vector(start_.z, layout_.states, "initial.z");
    start_.t = span_.from;
    check(scheme_);
    step_count(span_, settings_.h);
  }

  void check_mass() {
    std::vector<double> M(layout_.mass.size());
    model_.mass(start_.t, start_.q.data(), M.data());
    const bool finite = std::all_of(M.begin(), M.end(), [](double x) { return std::isfinite(x); });
    const std::optional<Extremes> extremes = finite ? extreme_eigenvalues(layout_.mass, M.data()) : std::nullopt;
    if (!extremes && model_.nb() > 0 && joint_regularity(model_, start_).is_regular)
      return say(
          "mass", Verdict::ok,
          "The mass matrix is singular, and joints hold every direction without mass: the motion is determined.");
    if (!extremes)
      return say(
          "mass", Verdict::problem,
          "The mass matrix is not symmetric and positive definite at the start: every direction of motion needs a "
          "positive mass.");
    report_.mass = {true, extremes->smallest, extremes->largest, extremes->largest / extremes->smallest,
                    extremes->estimated};
    const bool bad = !(report_.mass.condition <= worst_condition);
    say("mass", bad ? Verdict::warning : Verdict::ok,
        fmt::format("The mass matrix is positive definite at the start, its condition number is {}{}.{}",
                    extremes->estimated ? "about " : "", number(report_.mass.condition),
                    bad ? " So large a number costs digits: other units or coordinates may help." : ""));
  }

  void check_start() {
    if (model_.nc() == 0) return say("start", Verdict::ok, "There are no constraints.");
    const GapRates rates(model_, start_);
    H_.assign(rates.contacts.gradients(), rates.contacts.gradients() + layout_.gradient.size());
    const std::vector<double>& g = rates.gap;
    int nearest = 0;
    for (int j = 0; j < model_.nc(); ++j)
      if (!(g[j] >= g[nearest])) nearest = j;
    const auto [violated, closed, closing] = contacts_at_start(model_, start_, rates);
    const StartCheck& start = report_.start = {violated.empty(), g[nearest], violated, closed, closing};
    if (!start.admissible) return say_inadmissible(g);
    std::string sentence = fmt::format("The start is admissible: the smallest gap is {} ({}).",
                                       number(std::max(start.smallest_gap, 0.0)), layout_.constraints[nearest]);
    if (!start.closed.empty()) sentence += fmt::format(" Closed: {}.", names(start.closed));
    if (!start.closing.empty())
      sentence += fmt::format(" The velocity moves into {}: the run begins with an impact.", names(start.closing));
    say("start", start.closing.empty() ? Verdict::ok : Verdict::warning, std::move(sentence));
  }

  // A gap has no value, or no gradient, or is negative: the first of these.
  void say_inadmissible(const std::vector<double>& g) {
    std::vector<int> without_value, without_gradient;
    for (const int j : report_.start.violated) {
      if (!std::isfinite(g[j])) without_value.push_back(j);
      if (!std::isfinite(squared_length(layout_.gradient, H_.data(), j))) without_gradient.push_back(j);
    }
    if (!without_value.empty())
      return say("start", Verdict::problem,
                 fmt::format("The gap of {} is {} at the start: it must be a finite number there.",
                             names(without_value), number(g[without_value.front()])));
    if (!without_gradient.empty())
      return say("start", Verdict::problem,
                 fmt::format("The gap of {} is {} at the start and its gradient there is no finite number: no impulse "
                             "of it has a direction.",
                             names(without_gradient), number(g[without_gradient.front()])));
    const std::vector<int>& inside = report_.start.violated;
    const int deepest = *std::min_element(inside.begin(), inside.end(), [&](int a, int b) { return g[a] < g[b]; });
    say("start", Verdict::problem,
        fmt::format("The start lies inside the obstacle of {}: the gap of {} is {}, it must be at least 0.",
                    names(inside), layout_.constraints[deepest], number(g[deepest])));
  }

  void check_forces() {
    std::vector<double> F(layout_.coordinates.size());
    model_.force(start_.t, start_.q.data(), start_.v.data(), start_.z.data(), F.data());
    std::vector<std::string> lost;
    for (std::size_t i = 0; i < F.size(); ++i)
      if (!std::isfinite(F[i])) lost.push_back(fmt::format("the force on {} is {}", layout_.coordinates[i], F[i]));
    const double energy = model_.energy(start_.t, start_.q.data(), start_.v.data()).total();
    if (!std::isfinite(energy)) lost.push_back(fmt::format("the energy is {}", energy));
    if (!lost.empty())
      say("forces", Verdict::problem, fmt::format("At the start {}: no run begins there.", listed(lost)));
  }

  void check_joints() {
    JointCheck joints = ricochet::check_joints(model_, start_, span_);
    for (Finding& finding : joints.findings) report_.findings.push_back(std::move(finding));
    joints_are_sampled_ = joints.is_sampled;
  }

  void check_restitution_values() {
    if (model_.nc() == 0) return;
    std::vector<double> e(model_.nc());
    model_.restitution(start_.t, start_.q.data(), e.data());
    RestitutionCheck& restitution = report_.restitution;
    restitution.smallest = *std::min_element(e.begin(), e.end());
    restitution.largest = *std::max_element(e.begin(), e.end());
    restitution.in_range = std::all_of(e.begin(), e.end(), [](double x) { return x >= 0.0 && x <= 1.0; });
    restitution.differs = restitution.largest - restitution.smallest > 1e-12;
  }

  void check_angles() {
    PairFindings study;
    if (report_.mass.positive_definite) study = study_pairs(model_, start_, span_, scheme_, settings_);
    report_.pairs = study.pairs;
    report_.pairs_skipped = study.skipped;
    report_.continuous_dependence = study.continuous;
    say_angles(study);
  }

  void say_angles(const PairFindings& study) {
    const auto worst = [](const ConstraintPair& x, const ConstraintPair& y) {
      return std::abs(x.cosine) < std::abs(y.cosine);
    };
    std::string how;
    for (const std::string& remark : study.remarks) how += " " + remark;
    if (study.skipped > 0)
      how += study.skipped_are_orthogonal
                 ? fmt::format(" {} further pairs share no coordinate and are orthogonal.", study.skipped)
                 : fmt::format(" {} further pairs were not looked at: there are too many constraints.", study.skipped);
    if (!report_.mass.positive_definite)
      return say("angles", Verdict::problem, "Kinetic angles need a positive definite mass matrix.");
    if (model_.nc() < 2)
      return say("angles", Verdict::ok, "There are no two constraints that could be closed together.");

    std::vector<ConstraintPair> together, breaking;
    std::size_t open = 0;
    for (const ConstraintPair& pair : study.pairs) {
      if (pair.can_be_active_together == true) together.push_back(pair);
      if (pair.can_be_active_together == true && pair.breaks_continuity) breaking.push_back(pair);
      open += pair.can_be_active_together.has_value() ? 0 : 1;
    }
    const std::size_t all = study.pairs.size();
    std::string sentence =
        all == 1
            ? fmt::format("{} and {} {}.", layout_.constraints[study.pairs[0].a], layout_.constraints[study.pairs[0].b],
                          open > 0           ? "were not found closed together, which proves nothing"
                          : together.empty() ? "cannot be closed together"
                                             : "can be closed together")
            : fmt::format("{} of {} pairs of constraints can be closed together.", together.size(), all);
    if (open > 0 && all > 1) sentence += fmt::format(" For {} this was not found out.", open);
    if (!breaking.empty()) {
      const ConstraintPair& pair = *std::max_element(breaking.begin(), breaking.end(), worst);
      const std::string who =
          all == 1
              ? "Their angle breaks continuous dependence"
              : fmt::format("{} continuous dependence, most of all {} and {}",
                            breaking.size() == 1 ? "One pair breaks" : fmt::format("{} pairs break", breaking.size()),
                            layout_.constraints[pair.a], layout_.constraints[pair.b]);
      sentence += fmt::format(" {}: the cosine of the angle is {:+.4g}, it must be {}.", who, pair.cosine,
                              report_.restitution.largest > 0.0 ? "0 for e > 0" : "at most 0 for e = 0");
    } else if (!together.empty()) {
      const ConstraintPair& pair = *std::max_element(together.begin(), together.end(), worst);
      sentence += fmt::format(" The largest cosine of a kinetic angle is {:+.4g} ({} and {}).", pair.cosine,
                              layout_.constraints[pair.a], layout_.constraints[pair.b]);
    }
    const Verdict verdict = !breaking.empty()                  ? Verdict::problem
                            : study.continuous.value_or(false) ? Verdict::ok
                                                               : Verdict::warning;
    say("angles", verdict, sentence + how);
  }

  void check_gradients() {
    if (model_.nc() == 0) return;
    GradientCheck& gradients = report_.gradients;
    std::vector<int> vanishing;
    for (const int j : report_.start.closed)
      if (!(squared_length(layout_.gradient, H_.data(), j) > 0.0)) vanishing.push_back(j);
    gradients.nonzero = vanishing.empty();
    gradients.independent = independent_columns(layout_.gradient, H_.data(), report_.start.closed);
    for (const ConstraintPair& pair : report_.pairs)
      if (pair.can_be_active_together == true && 1.0 - std::abs(pair.cosine) < parallel)
        gradients.dependent_pairs.emplace_back(pair.a, pair.b);

    if (!vanishing.empty())
      return say(
          "gradients", Verdict::problem,
          fmt::format("The gradient of the gap vanishes at the start where it is closed: {}.", names(vanishing)));
    if (gradients.independent == false)
      return say(
          "gradients", Verdict::warning,
          fmt::format("The gradients of the {} gaps closed at the start depend on each other: the contact impulses "
                      "are not unique, the motion is.",
                      report_.start.closed.size()));
    if (!gradients.dependent_pairs.empty()) {
      const auto& [a, b] = gradients.dependent_pairs.front();
      return say(
          "gradients", Verdict::warning,
          fmt::format("{} pairs of constraints with parallel gradients can be closed together, such as {} and {}: "
                      "their contact impulses are then not unique.",
                      gradients.dependent_pairs.size(), layout_.constraints[a], layout_.constraints[b]));
    }
    if (!gradients.independent)
      return say("gradients", Verdict::warning,
                 "Too many gaps are closed at the start to see whether their gradients are "
                 "independent.");
    say("gradients", Verdict::ok,
        report_.start.closed.empty()
            ? "No gap is closed at the start."
            : fmt::format("The gradients of the gaps closed at the start, {}, are not zero and independent.",
                          report_.start.closed.size()));
  }

  void check_restitution() {
    if (model_.nc() == 0) return;
    const RestitutionCheck& restitution = report_.restitution;
    const NumberBounds& bounds = bounds_of(BoundedKind::restitution);
    if (!restitution.in_range)
      return say("restitution", Verdict::problem,
                 fmt::format("The restitution must be in [0, 1] everywhere; at the start it goes from {} to {}.",
                             figure_beyond(restitution.smallest, bounds), figure_beyond(restitution.largest, bounds)));
    if (!restitution.differs)
      return say("restitution", Verdict::ok,
                 fmt::format("The restitution is {}{}.", number(restitution.largest),
                             model_.nc() > 1 ? " for all constraints" : ""));
    const bool apart = std::all_of(report_.pairs.begin(), report_.pairs.end(),
                                   [](const ConstraintPair& pair) { return pair.can_be_active_together == false; }) &&
                       report_.pairs_skipped == 0;
    say("restitution", apart ? Verdict::ok : Verdict::warning,
        fmt::format("The restitution differs between constraints, from {} to {}{}", number(restitution.smallest),
                    number(restitution.largest),
                    apart ? "; no two can be closed together, so this does no harm."
                          : ": where they are hit together, the impact may gain energy."));
  }

  // What is well posed at the start need not be so later.
  void check_elsewhere() {
    RangeCheck ranges = check_ranges(model_, formulas_, start_, span_);
    for (Finding& finding : ranges.findings) report_.findings.push_back(std::move(finding));
    if (!ranges.holds && report_.continuous_dependence == true) report_.continuous_dependence = std::nullopt;
    list_sampled(ranges);
    if (!report_.mass.positive_definite || !report_.start.admissible || !report_.restitution.in_range) return;
    SurfaceCheck surfaces = check_surfaces(model_, start_, span_, ranges);
    for (Finding& finding : surfaces.findings) report_.findings.push_back(std::move(finding));
    if (!surfaces.holds && report_.continuous_dependence == true) report_.continuous_dependence = std::nullopt;
  }

  // What was looked at at some places only.
  void list_sampled(const RangeCheck& ranges) {
    const Structure& structure = layout_.structure;
    const bool values = !ranges.values_are_known;
    const auto kinks = [&](std::string_view field) {
      return std::any_of(report_.nonsmooth.begin(), report_.nonsmooth.end(),
                         [&](const NonsmoothFunction& item) { return item.field.find(field) != std::string::npos; });
    };
    const auto add = [&](const char* what, bool is_sampled) {
      if (is_sampled) sampled_.emplace_back(what);
    };
    const auto varies = [&](BoundedKind kind) {
      return !ranges.is_known[static_cast<std::size_t>(kind)] && !BoundedNumbers(model_).are_constant(kind);
    };
    add("mass", (!structure.constant_mass && !ranges.mass_is_known) || kinks("kinetic") || kinks("mass"));
    add("gaps", model_.nc() > 0 && (!structure.linear_gaps || !ranges.walls_are_known || values || kinks(".gap")));
    add("joints", model_.nb() > 0 && (!structure.linear_joints || joints_are_sampled_ || values));
    add("forces", values || kinks("force") || kinks("potential") || kinks("dissipation") || kinks("state"));
    add("restitution", varies(BoundedKind::restitution));
    add("friction",
        varies(BoundedKind::friction) || varies(BoundedKind::limit) || varies(BoundedKind::tangential_restitution));
    if (sampled_.empty() && !report_.nonsmooth.empty()) sampled_.emplace_back("forces");
  }

  // Of masses and gaps that jump the theory says nothing.
  static bool may_jump(const NonsmoothFunction& item) {
    constexpr std::string_view jumps[] = {"floor", "sign", "step", "if", "comparison"};
    const auto names = [&](std::string_view end) { return item.field.find(end) != std::string::npos; };
    return (names(".gap") || names("kinetic") || names("mass")) &&
           std::find(std::begin(jumps), std::end(jumps), item.function) != std::end(jumps);
  }

  void check_smoothness() {
    if (report_.nonsmooth.empty()) return;
    if (report_.continuous_dependence == true &&
        std::any_of(report_.nonsmooth.begin(), report_.nonsmooth.end(), may_jump))
      report_.continuous_dependence = std::nullopt;
    std::vector<std::string> words;
    for (const NonsmoothFunction& item : report_.nonsmooth)
      words.push_back(fmt::format("{} in {}", item.function, item.field));
    say("smoothness", Verdict::warning,
        fmt::format(
            "Formulas with jumps or kinks: {}. The theory assumes masses and gaps with continuous derivatives and "
            "forces without jumps; schemes lose order where the motion crosses such a place.",
            listed(words)));
  }

  // Some schemes do not take every model. A stepper of a very large one is not made for the asking.
  void check_scheme() {
    if (static_cast<double>(model_.nq()) * std::max(model_.nc(), 1) > largest_stepper) return;
    try {
      make_stepper(model_, scheme_, settings_.solver);
    } catch (const InputError& error) {
      say("scheme", Verdict::problem, fmt::format("The scheme does not take this problem: {}.", error.what()));
    }
  }

  void check_stiffness() {
    StiffnessCheck& stiffness = report_.stiffness;
    stiffness.h = (span_.until - span_.from) / static_cast<double>(step_count(span_, settings_.h));
    stiffness.chooses_steps = traits(scheme_).chooses_steps;
    if (!report_.mass.positive_definite) return;
    const Frequency frequency = largest_frequency(model_, start_);
    stiffness.omega_max = frequency.omega;
    stiffness.estimated = frequency.estimated;
    stiffness.h_omega = stiffness.h * frequency.omega;
    if (!stiffness.chooses_steps)
      if (const double limit = stability_limit(scheme_); std::isfinite(limit)) stiffness.limit = limit;
    say_stiffness();
  }

  void say_stiffness() {
    const StiffnessCheck& stiffness = report_.stiffness;
    if (!(stiffness.omega_max > 0.0))
      return say("stiffness", Verdict::ok, "No vibration at the start limits the step.");
    std::string sentence = fmt::format("The largest frequency at the start is {}{}",
                                       stiffness.estimated ? "about " : "", number(stiffness.omega_max));
    if (stiffness.chooses_steps)
      return say("stiffness", Verdict::ok, fmt::format("{}; {} chooses its steps.", sentence, scheme_.name));
    sentence += fmt::format(", h·ω = {}.", number(stiffness.h_omega));
    if (stiffness.limit && stiffness.h_omega > *stiffness.limit)
      return say("stiffness", Verdict::problem,
                 sentence + " " + instability_text(scheme_, *stiffness.limit, {stiffness.omega_max}) + ".");
    sentence += stiffness.limit ? fmt::format(" {} is stable up to {}.", scheme_.name, number(*stiffness.limit))
                                : fmt::format(" {} is stable for any step.", scheme_.name);
    const bool coarse = stiffness.h_omega > coarsest;
    say("stiffness", coarse ? Verdict::warning : Verdict::ok,
        fmt::format("{} The fastest vibration has {} steps a period{}.", sentence,
                    number(2.0 * 3.14159265358979323846 / stiffness.h_omega), coarse ? ": it is not resolved" : ""));
  }

  // Dependence on the data is that of a motion: where a problem ends it nothing is said.
  void withhold_dependence() {
    const auto ends_motion = [](const Finding& finding) {
      return finding.verdict == Verdict::problem && finding.subject != "stiffness" && finding.subject != "scheme";
    };
    if (report_.continuous_dependence == true &&
        std::any_of(report_.findings.begin(), report_.findings.end(), ends_motion))
      report_.continuous_dependence = std::nullopt;
  }

  void conclude() {
    withhold_dependence();
    std::string text;
    if (!report_.continuous_dependence) {
      text = "Whether the motion depends continuously on the data could not be decided.";
    } else if (!*report_.continuous_dependence) {
      text =
          "The motion does not depend continuously on the data: where such constraints are hit together, the least "
          "change of the start or of the step may change what follows.";
    } else {
      text = "The motion depends continuously on the data";
      if (!sampled_.empty())
        text += fmt::format(" as far as was looked: at the start{} at some times of the run{}. Not known elsewhere: {}",
                            model_.nc() > 0 ? "," : " and", model_.nc() > 0 ? " and where each gap closes first" : "",
                            fmt::join(sampled_, ", "));
      text += ".";
    }
    const auto subjects = [&](Verdict verdict) {
      std::vector<std::string> words;
      for (const Finding& finding : report_.findings)
        if (finding.verdict == verdict && finding.subject != "angles" &&
            std::find(words.begin(), words.end(), finding.subject) == words.end())
          words.push_back(finding.subject);
      return words;
    };
    const std::vector<std::string> problems = subjects(Verdict::problem), warnings = subjects(Verdict::warning);
    if (!problems.empty()) text += fmt::format(" Problems: {}.", fmt::join(problems, ", "));
    if (!warnings.empty()) text += fmt::format(" Warnings: {}.", fmt::join(warnings, ", "));
    if (problems.empty() && warnings.empty()) text += " Nothing else was found.";
    report_.conclusion = std::move(text);
  }

  const Model& model_;
  const CheckedFormulas* formulas_;
  const Layout& layout_;
  State start_;
  const TimeSpan span_;
  const Scheme& scheme_;
  const RunSettings& settings_;
  std::vector<double> H_;  // at the start
  bool joints_are_sampled_ = false;
  std::vector<std::string> sampled_;  // what was looked at at some places only
  CheckReport report_;
};

}  // namespace

std::string_view name(Verdict verdict) {
  constexpr std::string_view names[] = {"ok", "warning", "problem"};
  return names[static_cast<int>(verdict)];
}

CheckReport check_problem(const Model& model, State start, TimeSpan span, const Scheme& scheme,
                          const RunSettings& settings, std::vector<NonsmoothFunction> nonsmooth,
                          const CheckedFormulas* formulas) {
  return Checker(model, std::move(start), span, scheme, settings, std::move(nonsmooth), formulas).go();
}

}  // namespace ricochet
