// Helpers for catalogue entries: typed parameters out of a Scheme.
#pragma once

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

inline double number(const Scheme& scheme, std::string_view name) { return std::get<double>(parameter(scheme, name)); }

SchemeEntry moreau_entry();
SchemeEntry moreau_inelastic_entry();
SchemeEntry mabrouk_entry();
SchemeEntry moreau_jean_entry();
SchemeEntry moreau_jean_dissipative_entry();

}  // namespace ricochet
