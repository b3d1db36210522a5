#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/svg_panel.hpp"
#include "ricochet/report/analysis.hpp"

namespace ricochet {
namespace {

constexpr double analysis_width = 760.0, left_edge = 62.0, spectra_width = 680.0, histogram_width = 300.0;
constexpr double first_row = 40.0, panel_height = 180.0, between_rows = 250.0;
constexpr std::size_t most_spectra = 6, most_histograms = 4, most_spectrograms = 2;

// Logarithmic over the decades that hold anything, at most twelve.
std::string spectra(const AnalyseOutcome& outcome, double top) {
  const Analysis& analysis = outcome.analysis;
  const std::size_t count = std::min(most_spectra, analysis.quantities.size());
  double most = 0.0;
  for (std::size_t k = 0; k < count; ++k)
    for (const double S : analysis.quantities[k].density) most = std::max(most, S);
  if (!(most > 0.0)) return "";
  double least = most;
  for (std::size_t k = 0; k < count; ++k)
    for (const double S : analysis.quantities[k].density)
      if (S > 1e-12 * most) least = std::min(least, S);
  const report::Panel panel(left_edge, top, spectra_width, panel_height,
                            {analysis.frequency.front(), analysis.frequency.back()}, {0.5 * least, 2.0 * most}, false,
                            true);
  std::string text = panel.axes("frequency, 1/time", "Power spectral density (Welch, Hann)");
  std::vector<std::pair<std::string, std::string>> names;
  for (std::size_t k = 0; k < count; ++k) {
    const QuantityAnalysis& quantity = analysis.quantities[k];
    std::string points;
    for (std::size_t i = 0; i < quantity.density.size(); ++i)
      points += fmt::format("{}{:.2f} {:.2f}", i == 0 ? "M" : "L", panel.x(analysis.frequency[i]),
                            panel.y(std::max(quantity.density[i], 0.5 * least)));
    text += panel.path(points, report::curve_colors[k]);
    names.emplace_back(quantity.name, report::curve_colors[k]);
  }
  return text + panel.legend(names);
}

// Means over blocks of segments and frequencies: a picture need not have more cells.
struct Blocks {
  const std::vector<std::vector<double>>& rows;
  std::size_t across = std::min<std::size_t>(rows.size(), 120), up = std::min<std::size_t>(rows.front().size(), 64);

  double operator()(std::size_t i, std::size_t j) const {
    double sum = 0.0, count = 0.0;
    for (std::size_t s = i * rows.size() / across; s < (i + 1) * rows.size() / across; ++s)
      for (std::size_t k = j * rows[s].size() / up; k < (j + 1) * rows[s].size() / up; ++k, count += 1.0)
        sum += rows[s][k];
    return sum / count;
  }
};

// Time across, frequency up: the darker the stronger, a shade for each decade below the strongest.
std::string spectrogram(const Analysis& analysis, const QuantityAnalysis& quantity, double top) {
  constexpr const char* shades[] = {"#0b2545", "#1f4e8c", "#4a86c5", "#8ab6e0", "#c4daef", "#e6eff8"};
  const Blocks blocks{quantity.spectrogram};
  const double hop = (analysis.segment_time.back() - analysis.segment_time.front()) /
                     std::max(1.0, static_cast<double>(analysis.segments) - 1.0);
  const report::Panel panel(left_edge, top, spectra_width, panel_height,
                            {analysis.segment_time.front() - 0.5 * hop, analysis.segment_time.back() + 0.5 * hop},
                            {analysis.frequency.front(), analysis.frequency.back()});
  double most = 0.0;
  for (std::size_t i = 0; i < blocks.across; ++i)
    for (std::size_t j = 0; j < blocks.up; ++j) most = std::max(most, blocks(i, j));
  if (!(most > 0.0)) return "";
  std::array<std::string, std::size(shades)> cells;
  const double wide = spectra_width / static_cast<double>(blocks.across);
  const double high = panel_height / static_cast<double>(blocks.up);
  for (std::size_t i = 0; i < blocks.across; ++i)
    for (std::size_t j = 0; j < blocks.up; ++j) {
      const double below = std::log10(most / blocks(i, j));  // decades; infinite for 0
      if (!(below < static_cast<double>(cells.size()))) continue;
      cells[static_cast<std::size_t>(below)] +=
          fmt::format("M{:.1f} {:.1f}h{:.2f}v{:.2f}h{:.2f}z", left_edge + wide * static_cast<double>(i),
                      panel.bottom() - high * static_cast<double>(j), wide, -high, -wide);
    }
  std::string text;
  for (std::size_t k = 0; k < cells.size(); ++k)
    if (!cells[k].empty()) text += fmt::format("<path d=\"{}\" fill=\"{}\"/>\n", cells[k], shades[k]);
  return text + panel.axes("t", quantity.name + ": spectrogram, a shade for each decade") + panel.y_label("frequency");
}

// What the quantity moved between, segment by segment.
std::string envelope(const Analysis& analysis, const QuantityAnalysis& quantity, double top) {
  if (quantity.upper.size() < 2) return "";
  report::Range y;
  y.take(quantity.lower);
  y.take(quantity.upper);
  const report::Panel panel(left_edge, top, spectra_width, panel_height,
                            {analysis.segment_time.front(), analysis.segment_time.back()}, y.roomy(0.05));
  std::string band;
  const auto go_to = [&](std::size_t s, double value) {
    band += fmt::format("{}{:.2f} {:.2f}", band.empty() ? "M" : "L", panel.x(analysis.segment_time[s]), panel.y(value));
  };
  const std::size_t n = quantity.upper.size();
  for (std::size_t s = 0; s < n; ++s) go_to(s, quantity.upper[s]);
  for (std::size_t s = n; s-- > 0;) go_to(s, quantity.lower[s]);
  return fmt::format("<path class=\"envelope\" d=\"{}z\" fill=\"#8ab6e0\" fill-opacity=\"0.6\" stroke=\"{}\"/>\n", band,
                     report::curve_colors[0]) +
         panel.axes("t", quantity.name + ": envelope, extremes within each segment");
}

std::string histogram(const Distribution& distribution, double left, double top, const std::string& x_label,
                      const std::string& title) {
  if (distribution.counts.empty()) return "";
  report::Range y{.least = 0.0, .most = 1.0};
  y.take(distribution.counts);
  const double widest = distribution.edges.back() > 0.0 ? distribution.edges.back() : 1.0;
  const report::Panel panel(left, top, histogram_width, panel_height, {0.0, widest}, y);
  std::string points;
  for (std::size_t k = 0; k < distribution.counts.size(); ++k)
    points += fmt::format("M{:.2f} {:.2f}V{:.2f}H{:.2f}V{:.2f}", panel.x(distribution.edges[k]), panel.bottom(),
                          panel.y(distribution.counts[k]), panel.x(distribution.edges[k + 1]), panel.bottom());
  return panel.axes(x_label, title) + panel.y_label("impacts") + panel.path(points, report::curve_colors[0]);
}

}  // namespace

std::string analysis_svg(const AnalyseOutcome& outcome) {
  double top = first_row;
  std::string drawn;
  if (const std::string picture = spectra(outcome, top); !picture.empty()) drawn += picture, top += between_rows;
  for (std::size_t k = 0; k < std::min(most_spectrograms, outcome.analysis.quantities.size()); ++k)
    if (outcome.analysis.segments > 1)
      for (const auto& draw : {spectrogram, envelope})
        if (const std::string picture = draw(outcome.analysis, outcome.analysis.quantities[k], top); !picture.empty())
          drawn += picture, top += between_rows;
  std::size_t shown = 0;
  for (const ContactAnalysis& contact : outcome.analysis.contacts) {
    if (contact.impacts == 0 || shown++ == most_histograms) continue;
    drawn +=
        histogram(contact.speed, left_edge, top, "speed", contact.name + ": speed of impacts") +
        histogram(contact.impulse, left_edge + histogram_width + 80.0, top, "impulse", contact.name + ": impulses");
    top += between_rows;
  }
  return report::svg_document("Analysis of " + outcome.title, analysis_width, std::max(top, first_row + between_rows),
                              drawn);
}

}  // namespace ricochet
