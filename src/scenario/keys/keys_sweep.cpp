// The keys of the [sweep] table.
#include "scenario/keys/describe.hpp"

namespace ricochet {

static void describe(Keys& keys, SweepAxisDescription& axis) {
  keys.text(axis.parameter, "parameter",
            "the key that takes the values, written as for --set: a number of model, initial, scheme or "
            "solver, or time.from, time.step, sweep.transient, sweep.duration or sweep.period",
            "\"model.parameters.w\"", true);
  keys.row(axis.range, "range", "the first and the last value", "[2.0, 4.0]");
  keys.count(axis.count, "count", "how many values from the first to the last, both included; only on a grid", "2000");
  keys.row(axis.values, "values", "the values themselves in place of range and count; only on a grid",
           "[0.5, 0.8, 1.0]");
  keys.text(axis.spacing, "spacing", "linear, or logarithmic: even steps of the logarithm", "\"logarithmic\"");
  keys.text(
      axis.continuation, "continuation",
      "none, or forward, backward, both: along this axis each trajectory starts where the one before ended; "
      "both goes forward and from where that ended back again, which shows hysteresis; at most one axis, and only "
      "on a grid",
      "\"both\"");
  keys.count(axis.pieces, "pieces",
             "cuts a continuation into so many, which run side by side on all cores and lanes; each but the first one "
             "starts from [initial], `overlap` values before its own. Where several motions exist it may find another "
             "than the continuation in one piece",
             "16");
  keys.count(axis.overlap, "overlap", "how many values a piece runs through before its own, and does not record", "10");
}

static void describe(Keys& keys, SectionDescription& section) {
  keys.formula(section.section, "section",
               "a formula of t, coordinates, velocities and states that passes through 0 at a point", "\"x_dot\"",
               true);
  keys.text(section.direction, "direction", "of the passage: rising, falling or both", "\"falling\"");
}

static void describe(Keys& keys, RefineDescription& refine) {
  keys.count(refine.budget, "budget", "how many trajectories may be added", "2000", true);
}

void describe(Keys& keys, SweepDescription& sweep) {
  keys.rows(sweep.axes, "axis", "what is varied, one a line; on a grid the last one varies fastest",
            "[{ parameter = \"model.parameters.w\", range = [2.0, 4.0], count = 2000 }]", true);
  keys.text(sweep.sampling, "sampling",
            "grid: all combinations of the axes' values; latin-hypercube: each axis is cut into as many parts as "
            "there are samples and each part is used once; random: independent and even",
            "\"latin-hypercube\"");
  keys.count(sweep.samples, "samples", "how many trajectories; not on a grid", "10000");
  keys.count(sweep.seed, "seed", "of the samples: the same seed gives the same samples on every machine", "1");
  keys.table(sweep.refine, "refine",
             "puts further values between neighbours that differ in period, impacts or attractor, half way each time; "
             "only on a grid of one or two axes",
             "{ budget = 2000 }");
  keys.quantity(
      sweep.transient, "transient",
      "how long each trajectory runs before anything is recorded; a number or a formula of the parameters, or "
      "\"settled\": until the states after every period repeat",
      "\"100*2*pi/w\"", false, not_negative);
  keys.quantity(sweep.settle_within, "settle_within",
                "how long a transient of \"settled\" lasts where nothing repeats, likewise; 1000 periods if not given",
                "\"400*2*pi/w\"", false, positive);
  keys.quantity(sweep.duration, "duration", "how long it is recorded after that, likewise", "\"64*2*pi/w\"", true,
                positive);
  keys.quantity(sweep.period, "period",
                "time between two points of a stroboscopic section, likewise; the step is made to divide it. Where "
                "statistics are recorded, impacts are counted by it",
                "\"2*pi/w\"", false, positive);
  keys.word_or_table(sweep.record, "record",
                     "what is kept: stroboscopic (the state after every period), impacts (the state after every "
                     "impact), statistics (means, extremes, impacts and their impulses), or a section, the state "
                     "where a formula passes through 0",
                     "\"stroboscopic\"", true);
  keys.count(sweep.skip, "skip", "points that are passed over after the transient before the first one is kept",
             "1024");
  keys.count(sweep.points, "points", "a trajectory ends when so many points are kept; 0: it runs over its duration",
             "32");
  keys.row(sweep.impulse_bins, "impulse_bins",
           "edges of the histogram of impulses, increasing, where statistics are recorded; if not given, 4 bins a "
           "decade from 1e-6 to 1e6",
           "[0.0, 0.1, 0.2, 0.5]");
  keys.names(sweep.measure, "measure",
             "what else is found: lyapunov (the largest Lyapunov exponent), spectrum (all of them), attractors (which "
             "trajectories end in "
             "the same motion)",
             "[\"lyapunov\", \"attractors\"]");
  keys.quantity(sweep.period_tolerance, "period_tolerance",
                "points of a periodic motion agree to this part of their size; 1e-6 if not given, and on a fixed step "
                "with impacts 75 steps in the time between two points, at most 0.05: impacts at the grid scatter them",
                "1e-6", false, positive);
}

KeyTable keys_of(SectionDescription& section) { return described(section); }

}  // namespace ricochet
