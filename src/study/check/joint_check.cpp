// Rows of joints that depend on others leave the reactions open, not the motion, and a contact that joints hold never
// opens or closes. Both are so as long as what they hold does not move apart: if joints are linear, their rows say
// that at any position which the others allow.
#include "study/check/joint_check.hpp"

#include <fmt/format.h>

#include "contact/joint_forces.hpp"
#include "ricochet/core/error.hpp"
#include "run/start.hpp"
#include "run/start_joints.hpp"
#include "study/check/closable.hpp"

namespace ricochet {
namespace {

class Joints {
 public:
  Joints(const Model& model, const State& start, TimeSpan span) : given_(model), start_(start), span_(span) {}

  JointCheck go() {
    try {
      held_ = hold_joints(given_, start_);
    } catch (const InputError& error) {
      say(Verdict::problem, fmt::format("{}.", error.what()));
      return std::move(check_);
    }
    locked_ = locked_contacts(model(), start_);
    if (!locked_.empty())
      say(Verdict::warning, fmt::format("The joints hold {}{}: no motion that they allow opens or closes it.",
                                        layout_.constraints[locked_.front()],
                                        locked_.size() > 1 ? fmt::format(" and {} more", locked_.size() - 1) : ""));
    say_rows();
    check_later();
    return std::move(check_);
  }

 private:
  const Model& model() const { return held_.model ? *held_.model : given_; }
  const std::vector<int>& redundant() const { return held_.regularity.redundant; }
  void say(Verdict verdict, std::string sentence) {
    check_.findings.push_back({"joints", verdict, std::move(sentence)});
  }
  void say_rows() {
    const auto say_note = [&](Verdict verdict, std::string note) {
      if (note.empty()) return;
      note[0] = static_cast<char>(note[0] - 'a' + 'A');
      say(verdict, note + ".");
    };
    say_note(Verdict::warning, held_.dependent);
    say_note(Verdict::problem, held_.idle);
    const int nb = given_.nb();
    if (redundant().empty())
      say(Verdict::ok, fmt::format("The start satisfies the {} of the joints, which {} independent.",
                                   nb == 1 ? std::string("row") : fmt::format("{} rows", nb), nb == 1 ? "is" : "are"));
  }

  // Joints that are not linear are looked at along the motion, where runs tell it.
  void check_later() {
    constexpr int looks = 64;
    const Structure& structure = layout_.structure;
    const bool moves = !structure.fixed_joints || (!locked_.empty() && !structure.fixed_gaps);
    check_.is_sampled = moves && !(redundant().empty() && locked_.empty());
    if (!check_.is_sampled || !structure.linear_joints) return;
    for (int k = 1; k <= looks; ++k) {
      State later = start_;
      later.t = span_.from + (span_.until - span_.from) * k / looks;
      if (JointForces(model()).project(later.t, later.q.data(), later.v.data()) != FailureKind::none) return;
      if (const std::string name = broken_redundant_joint(given_, held_.regularity, later); !name.empty())
        return say(Verdict::problem, fmt::format("The joint {} follows from the others at the start and contradicts "
                                                 "them at t = {:.4g}: no motion satisfies all.",
                                                 name, later.t));
      if (!structure.linear_gaps) continue;
      const GapRates rates(given_, later);
      for (const int j : locked_)
        if (rates.gap[j] < -1e-9 * rates.contacts.gap_size(j, later.t, later.q.data()))
          return say(Verdict::problem, fmt::format("The joints press into {}: its gap is {:.4g} at t = {:.4g} wherever "
                                                   "they are satisfied.",
                                                   layout_.constraints[j], rates.gap[j], later.t));
    }
  }

  const Model& given_;
  const Layout& layout_ = given_.layout();
  State start_;
  const TimeSpan span_;
  HeldStart held_;
  std::vector<int> locked_;
  JointCheck check_;
};

}  // namespace

JointCheck check_joints(const Model& model, const State& start, TimeSpan span) {
  return model.nb() > 0 ? Joints(model, start, span).go() : JointCheck{};
}

}  // namespace ricochet
