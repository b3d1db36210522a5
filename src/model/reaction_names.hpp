// Limits of friction are known before the motion is: no reaction of a constraint, joint or friction is in them.
#pragma once

#include <string>
#include <vector>

#include "ricochet/core/quantity.hpp"
#include "ricochet/formula/parse.hpp"

namespace ricochet {

// Throws InputError with `field` if the limit contains the reaction of one of `rows`: its name, or that of a quantity
// of it that outputs have, which is neither one of the formula's own names nor a function. A limit is a formula of
// `variables`.
void refuse_reactions(const Quantity& limit, const formula::SymbolTable& own, const std::vector<std::string>& rows,
                      const std::string& variables, const std::string& field);

}  // namespace ricochet
