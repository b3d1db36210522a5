// Paths of keys: "model.constraint[0].restitution", or with the name of a table in place of its position,
// "model.constraint.floor.restitution".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

// "model.constraint[0].gap" as model, constraint, 0, gap.
std::vector<std::string_view> split_path(std::string_view path);

// "time" and "step" as "time.step"; the key alone where the table is the whole scenario.
std::string path_to(std::string_view table, std::string_view key);
// "axis" and 2 as "axis[2]".
std::string path_to(std::string_view list, std::size_t position);

// A position in a list, if the text is one.
std::optional<std::size_t> as_index(std::string_view text);

}  // namespace ricochet
