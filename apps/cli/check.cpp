// ricochet check
#include "ricochet/present/check.hpp"

#include "shared.hpp"

namespace ricochet::cli {

int check(const SchemeOptions& options) {
  const CheckOutcome outcome =
      check_scenario(open_scenario(options.scenario, overrides_of(options, options.scheme, options.step)));
  print(options.json ? to_json(outcome, options.scenario) + "\n" : summary(outcome));
  return done;
}

}  // namespace ricochet::cli
