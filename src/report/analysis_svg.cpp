#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/svg_panel.hpp"
#include "ricochet/report/analysis.hpp"

namespace ricochet {
namespace {

constexpr double analysis_width = 760.0, left_edge = 62.0, spectra_width = 680.0, histogram_width = 300.0;
constexpr double first_row = 40.0, panel_height = 180.0, between_rows = 250.0;
constexpr std::size_t most_spectra = 6, most_histograms = 4;
constexpr const char* spectrum_colors[] = {"#2f6fb0", "#e0812a", "#2a9a6f", "#8a5ab8", "#b8405e", "#8a7a2e"};

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
    text += panel.path(points, spectrum_colors[k]);
    names.emplace_back(quantity.name, spectrum_colors[k]);
  }
  return text + panel.legend(names);
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
  return panel.axes(x_label, title) + panel.y_label("impacts") + panel.path(points, spectrum_colors[0]);
}

}  // namespace

std::string analysis_svg(const AnalyseOutcome& outcome) {
  double top = first_row;
  std::string drawn;
  if (const std::string picture = spectra(outcome, top); !picture.empty()) drawn += picture, top += between_rows;
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
