#include "ricochet/model/frame.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/core/error.hpp"
#include "support/complaint.hpp"

namespace ricochet {
namespace {

// Three elements at angles, the first node pinned, a mass and a spring at the last one; far from undeformed.
FrameData bent_frame() {
  FrameData data;
  for (int node = 0; node < 4; ++node) {
    FrameNode values;
    for (int k = 0; k < 3; ++k) {
      if (node == 0 && k < 2) {
        values[k].held = 0.1 * (k + 1);
        continue;
      }
      values[k].coordinate = static_cast<int>(data.coordinates.size());
      data.coordinates.push_back("q" + std::to_string(data.coordinates.size()));
    }
    data.nodes.push_back(values);
  }
  for (int e = 0; e < 3; ++e)
    data.elements.push_back({.node = {e, e + 1},
                             .length = 0.5 + 0.1 * e,
                             .direction = 0.3 * e,
                             .EA = 700.0,
                             .GA = 300.0,
                             .EI = 20.0,
                             .rho_A = 1.3,
                             .rho_I = 0.02,
                             .damping = 0.05 * e});
  data.masses.push_back({3, 0.4, 0.05});
  data.springs.push_back({{{2, 0.6}, {7, -0.8}}, 0.3, 40.0, 1.5});
  data.gravity = {0.5, -9.81};
  data.mass_damping = 0.7;
  data.loads.push_back({{{8, 1.0}}, [](double t) { return 3.0 * std::sin(t); }});
  return data;
}

const std::vector<double> bent_q = {0.4, 0.5, 0.4, 0.8, 0.7, 1.1, -0.3, 1.3, 1.0, 1.9};
const std::vector<double> bent_v = {1.0, -0.7, 0.4, 0.9, 2.0, -1.1, 0.3, 0.6, -1.7, 0.8};

TEST(Frame, TangentIsTheDerivativeOfTheForce) {
  const auto model = frame(bent_frame());
  const Layout& layout = model->layout();
  std::vector<double> K(layout.stiffness.size()), C(layout.damping.size()), K_differences = K, C_differences = C;
  model->force_jacobians(0.4, bent_q.data(), bent_v.data(), nullptr, K.data(), C.data());
  model->Model::force_jacobians(0.4, bent_q.data(), bent_v.data(), nullptr, K_differences.data(), C_differences.data());
  for (std::size_t k = 0; k < K.size(); ++k) EXPECT_NEAR(K[k], K_differences[k], 1e-6);
  for (std::size_t k = 0; k < C.size(); ++k) EXPECT_NEAR(C[k], C_differences[k], 1e-6);
}

TEST(Frame, PowerIsTheRateOfTheEnergy) {
  const auto model = frame(bent_frame());
  const Power<double> power = model->power(0.4, bent_q.data(), bent_v.data(), nullptr);
  const Power<double> differences = model->Model::power(0.4, bent_q.data(), bent_v.data(), nullptr);
  EXPECT_NEAR(power.input + power.damping, differences.input, 1e-6 * std::abs(differences.input));
  EXPECT_LT(power.damping, 0.0);
}

// Its first node is shaken along x and y, and holds one end of the spring.
FrameData shaken_frame() {
  FrameData data = bent_frame();
  const auto wave = [](double size, double omega) {
    return [=](double t) {
      return OffsetMotion{size * std::sin(omega * t), size * omega * std::cos(omega * t),
                          -size * omega * omega * std::sin(omega * t)};
    };
  };
  data.drives = {wave(0.1, 3.0), wave(0.2, 4.0)};
  data.nodes[0][0].drive = 0;
  data.nodes[0][1].drive = 1;
  data.elements[0].damping = 0.03;
  data.springs[0].driven = {{0, 0.4}, {1, -0.2}};
  data.masses.push_back({0, 0.6, 0.0});
  return data;
}

TEST(Frame, DrivesDoWork) {
  const auto model = frame(shaken_frame());
  const Power<double> power = model->power(0.4, bent_q.data(), bent_v.data(), nullptr);
  const Power<double> differences = model->Model::power(0.4, bent_q.data(), bent_v.data(), nullptr);
  EXPECT_NEAR(power.input + power.damping, differences.input, 1e-6 * std::abs(differences.input));
  EXPECT_LT(power.damping, 0.0);
  std::vector<double> K(model->layout().stiffness.size()), K_differences = K, C(K), C_differences(K);
  model->force_jacobians(0.4, bent_q.data(), bent_v.data(), nullptr, K.data(), C.data());
  model->Model::force_jacobians(0.4, bent_q.data(), bent_v.data(), nullptr, K_differences.data(), C_differences.data());
  for (std::size_t k = 0; k < K.size(); ++k) EXPECT_NEAR(K[k], K_differences[k], 1e-6);
}

TEST(Frame, WithoutDampingTheTangentIsSymmetricAndThereIsNoDampingMatrix) {
  FrameData data = bent_frame();
  data.mass_damping = data.springs[0].damping = 0.0;
  for (FrameElement& element : data.elements) element.damping = 0.0;
  const auto model = frame(data);
  SparseMatrix K{model->layout().stiffness, std::vector<double>(model->layout().stiffness.size())};
  EXPECT_EQ(model->layout().damping.size(), 0);
  model->force_jacobians(0.4, bent_q.data(), bent_v.data(), nullptr, K.values.data(), nullptr);
  EXPECT_TRUE(is_symmetric(K, 0.0));
}

// The whole mass moves with the frame, and the ends of a row of lumped elements have half of one.
TEST(Frame, MassIsThatOfTheMembers) {
  for (const bool lumped : {false, true}) {
    FrameData data = bent_frame();
    data.lumped = lumped;
    const auto model = frame(data);
    std::vector<double> M(model->layout().mass.size()), along_x(10, 0.0);
    model->mass(0.0, bent_q.data(), M.data());
    for (const int i : {1, 4, 7}) along_x[i] = 1.0;
    const double held = lumped ? 0.5 : 1.0 - 1.0 / 3.0;  // what the pinned node keeps for itself
    EXPECT_NEAR(bilinear(model->layout().mass, M.data(), along_x.data(), along_x.data()),
                1.3 * (0.5 * (1.0 - held) + 0.6 + 0.7) + 0.4, 1e-14);
    EXPECT_EQ(is_diagonal(model->layout().mass), lumped);
  }
}

TEST(Frame, BadDataGetASentence) {
  const auto complaint = [](auto change) {
    FrameData data = bent_frame();
    change(data);
    return testing::complaint([&] { frame(data); });
  };
  EXPECT_EQ(complaint([](FrameData& data) { data.elements[1].length = 0.0; }),
            "elements[1].length: must be positive, got 0");
  EXPECT_EQ(complaint([](FrameData& data) { data.elements[2].node[1] = 7; }),
            "elements[2].node: there is no node 7: they count from 0 to 3");
  EXPECT_EQ(complaint([](FrameData& data) {
              for (FrameElement& element : data.elements) element.rho_I = 0.0;
            }),
            "the coordinate 'q0' has no mass: give the members that meet there a density (rho_A and rho_I), or the "
            "point a mass and an inertia");
}

}  // namespace
}  // namespace ricochet
