// What a contact did in a step.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace ricochet {

// What friction did at a contact: along one slip in the plane, two in space.
enum class SlipStatus : unsigned char { none, stick, slide, reverse };  // none: no friction
struct SlipReport {
  std::array<double, 2> minus = {}, plus = {}, impulse = {};  // the slip before and after, the impulse of friction
  SlipStatus status = SlipStatus::none;

  // −½(U⁻ + U⁺)ᵀP
  double loss() const { return -0.5 * ((minus[0] + plus[0]) * impulse[0] + (minus[1] + plus[1]) * impulse[1]); }
  // The impulse within the cone sticks; on it, it slides on or back.
  void decide(double bound) {
    constexpr double round_off = 1e-9;
    if (std::hypot(impulse[0], impulse[1]) < (1.0 - round_off) * bound) {
      status = SlipStatus::stick;
    } else {
      status = minus[0] * plus[0] + minus[1] * plus[1] < 0.0 ? SlipStatus::reverse : SlipStatus::slide;
    }
  }
  bool operator==(const SlipReport&) const = default;
};

// A contact that pushed in a step, in one line of the cache: a column at rest has one for each of its contacts in every
// step. Whether it is an impact or lasting contact is decided in run/.
struct ContactReport {
  int constraint = 0;
  int slip = -1;                    // what friction did, by its place in ContactReports; −1: no friction
  double t = 0.0;                   // where the gap, followed at its rate, closes; inside the step
  double rate_minus = 0.0;          // U before
  double rate_plus = 0.0;           // U after
  double impulse = 0.0;             // P > 0
  double smooth_rate_change = 0.0;  // what the smooth forces alone did to U in the step
  double loss = 0.0;                // energy lost along the normal; −½(U⁻ + U⁺) P unless a scheme knows better
  bool unfinished = false;          // U⁺ has not reached −e U⁻ yet: the next step may go on with this impact
  bool located = false;             // an event that the scheme has located: an impact whatever its rate
  // Whether contacts that were closed together break continuous dependence (contact/impact.hpp). Left open by schemes
  // whose contacts belong to the whole step: run/ then looks at its end.
  std::optional<bool> discontinuous = std::nullopt;

  // How fast it closed; of one that was separating, how much of that an impact beside it took. More than the smooth
  // forces explain, and it is an impact.
  static double closing_rate(double rate_minus, double rate_plus) {
    return rate_minus > 0.0 ? rate_minus - rate_plus : -rate_minus;
  }
  double closing_rate() const { return closing_rate(rate_minus, rate_plus); }
  static double loss_of(double rate_minus, double rate_plus, double impulse) {
    return -0.5 * (rate_minus + rate_plus) * impulse;
  }
};
static_assert(sizeof(ContactReport) <= 64);

// The contacts of a step, and what friction did at those that have it.
class ContactReports {
 public:
  void push_back(const ContactReport& contact) { contacts_.push_back(contact); }
  void push_back(const ContactReport& contact, const SlipReport& slip) {
    contacts_.push_back(contact);
    if (slip.status == SlipStatus::none) return;
    contacts_.back().slip = static_cast<int>(slips_.size());
    slips_.push_back(slip);
  }
  void append(const ContactReports& others) {
    for (const ContactReport& contact : others.contacts_) push_back(contact, others.slip(contact));
  }
  void reserve(std::size_t count) { contacts_.reserve(count); }
  void clear() {
    contacts_.clear();
    slips_.clear();
  }

  SlipReport slip(const ContactReport& contact) const {
    return contact.slip < 0 ? SlipReport{} : slips_[static_cast<std::size_t>(contact.slip)];
  }
  bool empty() const { return contacts_.empty(); }
  std::size_t size() const { return contacts_.size(); }
  ContactReport& operator[](std::size_t i) { return contacts_[i]; }
  const ContactReport& operator[](std::size_t i) const { return contacts_[i]; }
  auto begin() { return contacts_.begin(); }
  auto end() { return contacts_.end(); }
  auto begin() const { return contacts_.begin(); }
  auto end() const { return contacts_.end(); }

 private:
  std::vector<ContactReport> contacts_;
  std::vector<SlipReport> slips_;
};

}  // namespace ricochet
