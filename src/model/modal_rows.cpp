// Rows that are formulas of the coordinates, for a system reduced to modes: q = Φ η, H_η = Φᵀ H, the rest as it is.
#include <string>

#include "model/reduce.hpp"
#include "model/scratch.hpp"
#include "ricochet/model/poles.hpp"

namespace ricochet {
namespace {

class ModalRows final : public Model, public CompliantContacts, public KnownPoles {
 public:
  ModalRows(const CurvedRows& rows, const ModalBasis& basis)
      : Model(layout_of(rows.model->layout(), basis.m)), given_(rows.model) {
    for (int k = 0; k < basis.m; ++k)
      for (const int i : rows.coordinates) shapes_.push_back(basis.shape(i, k));
  }

  // Only its rows are asked for.
  void mass(double, const double*, double* M) const override {
    for (int i = 0; i < layout().mass.size(); ++i) M[i] = 0.0;
  }
  void force(double, const double*, const double*, const double*, double* F) const override {
    for (int i = 0; i < nq(); ++i) F[i] = 0.0;
  }

  void gap(double t, const double* q, double* g) const override { given_->gap(t, own(q).data(), g); }
  void gap_gradient(double t, const double* q, double* H) const override {
    const Pattern& pattern = given_->layout().gradient;
    Scratch<double> given(pattern.size());
    given_->gap_gradient(t, own(q).data(), given.data());
    to_modes(pattern, given.data(), H);
  }
  void gap_time_derivative(double t, const double* q, double* g_t) const override {
    given_->gap_time_derivative(t, own(q).data(), g_t);
  }
  void gap_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    given_->gap_acceleration_terms(t, own(q).data(), own(v).data(), c);
  }
  void restitution(double t, const double* q, double* e) const override { given_->restitution(t, own(q).data(), e); }
  void compliance(Compliance* laws) const override {
    for (const Compliance& law : compliances_of(*given_)) *laws++ = law;
  }

  void joint(double t, const double* q, double* g) const override { given_->joint(t, own(q).data(), g); }
  void joint_gradient(double t, const double* q, double* H) const override {
    const Pattern& pattern = given_->layout().joint_gradient;
    Scratch<double> given(pattern.size());
    given_->joint_gradient(t, own(q).data(), given.data());
    to_modes(pattern, given.data(), H);
  }
  void joint_drift(double t, const double* q, double* o) const override { given_->joint_drift(t, own(q).data(), o); }
  void joint_acceleration_terms(double t, const double* q, const double* v, double* c) const override {
    given_->joint_acceleration_terms(t, own(q).data(), own(v).data(), c);
  }

  int pole_count() const override { return poles_ != nullptr ? poles_->pole_count() : 0; }
  void poles(double t, const double* q, const double* v, const double* z, double* functions) const override {
    if (poles_ != nullptr) poles_->poles(t, own(q).data(), own(v).data(), z, functions);
  }

  // What the rows are at q = 0 is what they are at η = 0.
  std::optional<LinearTerms> linear_terms(double t) const override {
    std::optional<LinearTerms> terms = given_->linear_terms(t);
    if (terms) terms->force.assign(static_cast<std::size_t>(nq()), {});
    return terms;
  }

 private:
  static Layout layout_of(const Layout& given, int modes) {
    Layout layout;
    for (int k = 0; k < modes; ++k) layout.coordinates.push_back("mode" + std::to_string(k + 1));
    layout.constraints = given.constraints;
    layout.joints = given.joints;
    layout.structure = given.structure;
    return layout;
  }

  Scratch<double> own(const double* x) const {
    const int n = given_->nq();
    Scratch<double> values(n);
    for (int i = 0; i < n; ++i) {
      double sum = 0.0;
      for (int k = 0; k < nq(); ++k) sum += shapes_[static_cast<std::size_t>(k * n + i)] * x[k];
      values.data()[i] = sum;
    }
    return values;
  }
  void to_modes(const Pattern& pattern, const double* given, double* H) const {
    const int n = given_->nq();
    for (int j = 0; j < pattern.cols; ++j)
      for (int k = 0; k < nq(); ++k) {
        double sum = 0.0;
        for (int p = pattern.start[j]; p < pattern.start[j + 1]; ++p)
          sum += shapes_[static_cast<std::size_t>(k * n + pattern.row[p])] * given[p];
        *H++ = sum;
      }
  }

  std::shared_ptr<const Model> given_;
  const KnownPoles* const poles_ = dynamic_cast<const KnownPoles*>(given_.get());
  std::vector<double> shapes_;  // those of its own coordinates, mode by mode
};

}  // namespace

CurvedRows in_modes(const CurvedRows& rows, const ModalBasis& basis) {
  if (!rows.model) return {};
  CurvedRows result{std::make_shared<const ModalRows>(rows, basis), {}, rows.name};
  for (int k = 0; k < basis.m; ++k) result.coordinates.push_back(k);
  return result;
}

}  // namespace ricochet
