// What a recorded motion says about its contacts and its vibrations: numbers of impacts, forces, wear, spectra.
//
// Over a window of length T. Integrals over time are sums of trapezia over the rows; rows at equal times, the states
// before and after an impact, add nothing. Impulses are those of the rows, P_i since row i−1.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/core/state.hpp"
#include "ricochet/run/solution.hpp"

namespace ricochet {

// A motion as columns, borrowed: each as long as t.
struct RecordedColumns {
  struct Contact {
    std::string name;
    const std::vector<double>* impulse = nullptr;
    std::vector<const std::vector<double>*> slip = {}, friction = {};  // one in the plane, two in space
  };
  struct Quantity {
    std::string name;
    const std::vector<double>* values = nullptr;
  };
  const std::vector<double>* t = nullptr;
  const std::vector<double>* event = nullptr;
  std::vector<Contact> contacts = {};
  std::vector<Quantity> quantities = {};
  const std::vector<Impact>* impacts = nullptr;
  bool compliant = false;  // impacts last: contact forces are numbers at any time
};

struct AnalysisSettings {
  std::optional<TimeSpan> window = std::nullopt;      // all of the motion if not given
  std::optional<double> force_window = std::nullopt;  // over which peak forces are means
  std::size_t segment = 0;  // samples of a segment of the spectra, a power of two; 0: that next below a quarter of them
  double overlap = 0.5;     // of segments, in [0, 1)
  std::size_t bins = 20;    // of the distributions
};

// Of values x₁ … x_n: how many fall between edges, even from the least to the largest.
struct Distribution {
  double mean = 0.0, rms = 0.0, median = 0.0, most = 0.0;  // 0 if there are none
  std::vector<double> edges = {}, counts = {};             // of `bins` parts from 0 to the largest; none without values
};

struct ContactAnalysis {
  std::string name;
  std::size_t impacts = 0;
  double impact_rate = 0.0;          // impacts by T
  Distribution speed, impulse;       // |U⁻| and P of the impacts
  double contact_share = 0.0;        // of the time in which it pushes without an impact
  double mean_force = 0.0;           // all impulses by T
  std::optional<double> peak_force;  // largest mean over the force window, anywhere
  double impact_work_rate = 0.0;     // energy lost in impacts, by T
  double friction_work_rate = 0.0;   // −½(U_S,i−1 + U_S,i)ᵀ P_S,i, by T
};

struct QuantityAnalysis {
  std::string name;
  double mean = 0.0, rms = 0.0, deviation = 0.0, least = 0.0, most = 0.0;
  double crest = 0.0;                                 // largest |x − mean| by the deviation; 0 where nothing varies
  std::vector<double> density = {};                   // power spectral density at Analysis::frequency, one-sided
  std::vector<std::vector<double>> spectrogram = {};  // the same of each segment, at Analysis::segment_time
  std::vector<double> upper = {}, lower = {};         // envelope: extremes within each segment
};

// Spectra by Welch's method [P. D. Welch, IEEE Trans. Audio Electroacoust. 15 (1967) 70, doi:10.1109/TAU.1967.1161901]:
// segments of N samples x_n without their mean, tapered by Hann's window w_n = ½ − ½ cos(2πn/N),
//     S_k = c_k |Σ w_n x_n e^(−2πikn/N)|² / (f_s Σ w_n²),   f_k = k f_s/N,   c_k = 2 but for k = 0 and N/2: 1,
// and the mean over the segments. Σ S_k Δf is the variance of the tapered signal.
struct Analysis {
  TimeSpan window;
  double sampling = 0.0;  // f_s, of the rows of the grid; 0: they are not even, and there are no spectra
  std::size_t segment = 0, segments = 0;
  double overlap = 0.0;
  std::vector<double> frequency = {}, segment_time = {};  // the middles of the segments
  std::optional<double> force_window = std::nullopt;
  std::vector<ContactAnalysis> contacts = {};
  std::vector<QuantityAnalysis> quantities = {};
  std::vector<std::string> notes = {};
};

// Throws InputError ("window", "segment", "overlap", "force-window", "bins").
Analysis analyse(const RecordedColumns& motion, const AnalysisSettings& settings);

}  // namespace ricochet
