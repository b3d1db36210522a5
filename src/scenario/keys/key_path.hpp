// Paths of keys: "model.constraint[0].restitution", or with the name of a table in place of its position,
// "model.constraint.floor.restitution".
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace ricochet {

// "model.constraint[0].gap" as model, constraint, 0, gap.
std::vector<std::string_view> split_path(std::string_view path);

// A position in a list, if the text is one.
std::optional<std::size_t> as_index(std::string_view text);

}  // namespace ricochet
