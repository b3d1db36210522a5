// ricochet: mechanical systems whose parts hit each other or their stops.
#pragma once

#include "ricochet/core/error.hpp"
#include "ricochet/core/state.hpp"
#include "ricochet/core/status.hpp"
#include "ricochet/model/lagrangian.hpp"
#include "ricochet/model/model.hpp"
#include "ricochet/run/simulate.hpp"
#include "ricochet/scheme/scheme.hpp"
#include "ricochet/scheme/schemes.hpp"
#include "ricochet/study/check.hpp"
