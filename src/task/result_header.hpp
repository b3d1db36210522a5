// What a result file says about its run or sweep.
#pragma once

#include <string>

#include "ricochet/io/result/result_writer.hpp"
#include "ricochet/model/model.hpp"
#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

// `text` is the scenario's.
ResultHeader result_header(const std::string& title, const std::string& text, const Scheme& scheme,
                           const Layout& layout);

}  // namespace ricochet
