// Where a model rests: F(t, q, 0) + H_B λ = 0 on its joints, g_B(t, q) = 0. Contacts are not asked, but for those that
// are given as closed, which are held as joints are.
#pragma once

#include <string>
#include <vector>

#include "ricochet/model/model.hpp"

namespace ricochet {

// Newton's iteration from a given place q₀ along a path of loads, s from 0 to 1:
//
//     F(t, q, 0) + H_B λ = (1 − s) F(t, q₀, 0),   g_B(t, q) = (1 − s) g_B(t, q₀).                                   (1)
//
// Where q₀ is free of stress, s is the share of the load. A step that does not converge is halved. The equilibrium may
// be an unstable one. Throws InputError (`field`) where there is none: the stiffness is singular, as that of a
// mechanism, or the path ends before the whole load acts.
std::vector<double> static_equilibrium(const Model& model, double t, std::vector<double> q,
                                       const std::vector<double>& z, const std::string& field,
                                       const std::vector<int>& closed = {});

}  // namespace ricochet
