// What a call refuses, as text.
#pragma once

#include <concepts>
#include <string>

#include "ricochet/core/error.hpp"

namespace ricochet::testing {

template <std::invocable Call>
std::string complaint(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was wrong";
}

}  // namespace ricochet::testing
