#include "ricochet/present/analyse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/format/csv_table.hpp"
#include "io/format/json.hpp"
#include "present/study_parts.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/present/text.hpp"

namespace ricochet {
namespace {

Json json_of(const Distribution& distribution) {
  return {{"mean", distribution.mean},    {"rms", distribution.rms},     {"median", distribution.median},
          {"largest", distribution.most}, {"edges", distribution.edges}, {"counts", distribution.counts}};
}

Json json_of(const ContactAnalysis& contact) {
  return {{"name", contact.name},
          {"impacts", contact.impacts},
          {"impact_rate", contact.impact_rate},
          {"speed", json_of(contact.speed)},
          {"impulse", json_of(contact.impulse)},
          {"contact_share", contact.contact_share},
          {"mean_force", contact.mean_force},
          {"peak_force", contact.peak_force},
          {"impact_work_rate", contact.impact_work_rate},
          {"friction_work_rate", contact.friction_work_rate}};
}

const Display* display_of(const AnalyseOutcome& outcome, const std::string& name) {
  for (const Display& one : outcome.display)
    if (one.name == name) return &one;
  return nullptr;
}

Json json_of(const QuantityAnalysis& quantity, const AnalyseOutcome& outcome) {
  Json spectrogram = Json::array();
  for (const std::vector<double>& row : quantity.spectrogram) spectrogram.push_back(row);
  const Display* shown = display_of(outcome, quantity.name);
  return {{"name", quantity.name},
          {"unit", shown != nullptr ? shown->unit : ""},
          {"label", shown != nullptr ? shown->label : ""},
          {"mean", quantity.mean},
          {"rms", quantity.rms},
          {"deviation", quantity.deviation},
          {"min", quantity.least},
          {"max", quantity.most},
          {"crest", quantity.crest},
          {"density", quantity.density},
          {"spectrogram", spectrogram},
          {"upper", quantity.upper},
          {"lower", quantity.lower}};
}

// "x [m]"
std::string titled(const AnalyseOutcome& outcome, const std::string& name) {
  const Display* shown = display_of(outcome, name);
  return in_unit(name, shown == nullptr ? "" : shown->unit);
}

// Rows of text and numbers, with the fewest digits that read back to the same number.
class CsvText {
 public:
  explicit CsvText(const std::vector<std::string>& names) { row(names); }
  void row(const std::vector<std::string>& fields) {
    for (std::size_t k = 0; k < fields.size(); ++k) text_ += (k == 0 ? "" : ",") + csv_quoted(fields[k]);
    text_ += '\n';
    ++rows_;
  }
  static std::string number(double value) { return fmt::format("{}", value); }
  bool has_rows() const { return rows_ > 1; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::size_t rows_ = 0;
};

CsvText contacts_table(const Analysis& analysis) {
  CsvText table({"contact", "impacts", "impact_rate", "speed.mean", "speed.rms", "speed.max", "impulse.mean",
                 "impulse.rms", "impulse.max", "contact_share", "mean_force", "peak_force", "impact_work_rate",
                 "friction_work_rate"});
  const auto n = CsvText::number;
  for (const ContactAnalysis& c : analysis.contacts)
    table.row({c.name, fmt::format("{}", c.impacts), n(c.impact_rate), n(c.speed.mean), n(c.speed.rms), n(c.speed.most),
               n(c.impulse.mean), n(c.impulse.rms), n(c.impulse.most), n(c.contact_share), n(c.mean_force),
               c.peak_force ? n(*c.peak_force) : "", n(c.impact_work_rate), n(c.friction_work_rate)});
  return table;
}

CsvText distributions_table(const Analysis& analysis) {
  CsvText table({"contact", "of", "from", "to", "impacts"});
  for (const ContactAnalysis& c : analysis.contacts)
    for (const auto& [what, d] : {std::pair("speed", &c.speed), std::pair("impulse", &c.impulse)})
      for (std::size_t k = 0; k < d->counts.size(); ++k)
        table.row({c.name, what, CsvText::number(d->edges[k]), CsvText::number(d->edges[k + 1]),
                   CsvText::number(d->counts[k])});
  return table;
}

CsvText quantities_table(const AnalyseOutcome& outcome) {
  CsvText table({"quantity", "mean", "rms", "deviation", "min", "max", "crest"});
  const auto n = CsvText::number;
  for (const QuantityAnalysis& q : outcome.analysis.quantities)
    table.row({titled(outcome, q.name), n(q.mean), n(q.rms), n(q.deviation), n(q.least), n(q.most), n(q.crest)});
  return table;
}

std::vector<std::string> quantity_titles(const AnalyseOutcome& outcome, std::vector<std::string> names,
                                         const std::vector<const char*>& endings) {
  for (const QuantityAnalysis& q : outcome.analysis.quantities)
    for (const char* ending : endings) names.push_back(titled(outcome, q.name) + ending);
  return names;
}

CsvText spectrum_table(const AnalyseOutcome& outcome) {
  const Analysis& analysis = outcome.analysis;
  CsvText table(quantity_titles(outcome, {"frequency"}, {""}));
  for (std::size_t k = 0; k < analysis.frequency.size(); ++k) {
    std::vector<std::string> row = {CsvText::number(analysis.frequency[k])};
    for (const QuantityAnalysis& q : analysis.quantities) row.push_back(CsvText::number(q.density[k]));
    table.row(row);
  }
  return table;
}

CsvText spectrogram_table(const AnalyseOutcome& outcome) {
  const Analysis& analysis = outcome.analysis;
  CsvText table(quantity_titles(outcome, {"t", "frequency"}, {""}));
  for (std::size_t s = 0; s < analysis.segment_time.size(); ++s)
    for (std::size_t k = 0; k < analysis.frequency.size(); ++k) {
      std::vector<std::string> row = {CsvText::number(analysis.segment_time[s]),
                                      CsvText::number(analysis.frequency[k])};
      for (const QuantityAnalysis& q : analysis.quantities) row.push_back(CsvText::number(q.spectrogram[s][k]));
      table.row(row);
    }
  return table;
}

CsvText envelope_table(const AnalyseOutcome& outcome) {
  const Analysis& analysis = outcome.analysis;
  CsvText table(quantity_titles(outcome, {"t"}, {".lower", ".upper"}));
  for (std::size_t s = 0; s < analysis.segment_time.size(); ++s) {
    std::vector<std::string> row = {CsvText::number(analysis.segment_time[s])};
    for (const QuantityAnalysis& q : analysis.quantities)
      row.insert(row.end(), {CsvText::number(q.lower[s]), CsvText::number(q.upper[s])});
    table.row(row);
  }
  return table;
}

std::string unit_of(const AnalyseOutcome& outcome, const std::string& name) {
  const Display* shown = display_of(outcome, name);
  return shown == nullptr ? "" : shown->unit;
}
std::string label_of(const AnalyseOutcome& outcome, const std::string& name) {
  const Display* shown = display_of(outcome, name);
  return shown == nullptr || shown->label.empty() ? name : shown->label;
}
// "middle of the tube [m]"
std::string labelled(const AnalyseOutcome& outcome, const std::string& name) {
  return in_unit(label_of(outcome, name), unit_of(outcome, name));
}
// What is counted or lost in a unit of time.
std::string per(const std::string& unit, const std::string& time) {
  return time.empty() || unit.empty() ? "" : fmt::format("{}/{}", unit, time);
}

std::string hertz(const std::string& time) { return time == "s" ? "Hz" : time.empty() ? "" : "1/" + time; }

// Of the gaps, which all contacts share if the first has one.
std::string speed_unit(const AnalyseOutcome& outcome) {
  const std::vector<ContactAnalysis>& contacts = outcome.analysis.contacts;
  return contacts.empty() ? "" : per(unit_of(outcome, contacts.front().name), unit_of(outcome, "t"));
}

StudyTable contact_table(const AnalyseOutcome& outcome) {
  const Analysis& analysis = outcome.analysis;
  const std::string time = unit_of(outcome, "t"), force = unit_of(outcome, "force");
  const std::string impulse = unit_of(outcome, "impulse"), power = per(unit_of(outcome, "energy"), time);
  const std::string speed = speed_unit(outcome);
  StudyTable table{
      "Contacts",
      {"contact", "impacts", time.empty() || time == "s" ? "a second" : "in a " + time, in_unit("speed, mean", speed),
       in_unit("largest", speed), in_unit("impulse, mean", impulse), "closed %", in_unit("force, mean", force),
       in_unit("peak", force), in_unit("impact work rate", power), in_unit("friction work rate", power)}};
  for (const ContactAnalysis& c : analysis.contacts)
    table.rows.push_back({without_controls(label_of(outcome, c.name)), fmt::format("{}", c.impacts),
                          readable(c.impact_rate), readable(c.speed.mean), readable(c.speed.most),
                          readable(c.impulse.mean), readable(100.0 * c.contact_share), readable(c.mean_force),
                          c.peak_force ? readable(*c.peak_force) : "", readable(c.impact_work_rate),
                          readable(c.friction_work_rate)});
  return table;
}

StudyTable quantity_table(const AnalyseOutcome& outcome) {
  const Analysis& analysis = outcome.analysis;
  StudyTable table{
      "Quantities",
      {"quantity", "mean", "RMS", "least", "largest", "crest", in_unit("strongest at", hertz(unit_of(outcome, "t")))}};
  for (const QuantityAnalysis& q : analysis.quantities) {
    const auto peak = std::max_element(q.density.begin(), q.density.end());
    table.rows.push_back(
        {without_controls(labelled(outcome, q.name)), readable(q.mean), readable(q.rms), readable(q.least),
         readable(q.most), readable(q.crest),
         q.density.empty() ? "" : readable(analysis.frequency[static_cast<std::size_t>(peak - q.density.begin())])});
  }
  return table;
}

// What the columns of the tables leave open.
std::string span_remark(const AnalyseOutcome& outcome) {
  return fmt::format("{}from t = {} to {}", outcome.scheme.empty() ? "" : outcome.scheme + ", ",
                     readable(outcome.analysis.window.from), readable(outcome.analysis.window.until));
}
std::string peak_remark(const AnalyseOutcome& outcome) {
  const Analysis& analysis = outcome.analysis;
  if (analysis.contacts.empty() || !analysis.force_window) return "";
  const std::string time = unit_of(outcome, "t");
  return fmt::format("peak: the largest mean force over {}{}{}", readable(*analysis.force_window),
                     time.empty() ? "" : " ", time);
}
std::string spectra_remark(const Analysis& analysis) {
  return analysis.quantities.empty() || analysis.segment == 0
             ? ""
             : fmt::format("spectra: Welch, {} segments of {} samples at {} a second, Hann's window, overlap {} %",
                           analysis.segments, analysis.segment, readable(analysis.sampling),
                           readable(100.0 * analysis.overlap));
}

constexpr std::size_t most_curves = 6, most_followed = 2;

// The unit that the first curves share, or none.
std::string common_unit(const AnalyseOutcome& outcome) {
  const std::vector<QuantityAnalysis>& quantities = outcome.analysis.quantities;
  const std::string unit = unit_of(outcome, quantities.front().name);
  for (std::size_t k = 1; k < std::min(most_curves, quantities.size()); ++k)
    if (unit_of(outcome, quantities[k].name) != unit) return "";
  return unit;
}

StudyPlot spectra_plot(const AnalyseOutcome& outcome, const std::string& time) {
  const Analysis& analysis = outcome.analysis;
  const std::string unit = common_unit(outcome), per_time = hertz(time);
  StudyPlot plot{
      "Power spectral density (Welch, Hann)",
      {in_unit("frequency", per_time)},
      {in_unit("density", unit.empty() || per_time.empty() ? "" : fmt::format("({})²/{}", unit, per_time)), true, 12}};
  for (std::size_t k = 0; k < std::min(most_curves, analysis.quantities.size()); ++k)
    plot.series.push_back({.name = labelled(outcome, analysis.quantities[k].name),
                           .x = analysis.frequency,
                           .y = analysis.quantities[k].density,
                           .marks = false});
  return plot;
}

// What a quantity moved between, segment by segment.
StudyPlot envelope_plot(const AnalyseOutcome& outcome, const QuantityAnalysis& q, const std::string& time) {
  const Analysis& analysis = outcome.analysis;
  return {"Envelope of " + label_of(outcome, q.name) + ": extremes within each segment",
          {in_unit("t", time)},
          {labelled(outcome, q.name)},
          {{.name = "largest", .x = analysis.segment_time, .y = q.upper, .marks = false},
           {.name = "least", .x = analysis.segment_time, .y = q.lower, .dashed = true, .marks = false}}};
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

StudyPlot spectrogram_plot(const AnalyseOutcome& outcome, const QuantityAnalysis& q, const std::string& time) {
  const Analysis& analysis = outcome.analysis;
  const double hop = (analysis.segment_time.back() - analysis.segment_time.front()) /
                     std::max(1.0, static_cast<double>(analysis.segments) - 1.0);
  StudyPlot plot{"Spectrogram of " + label_of(outcome, q.name) + ": a shade for each decade",
                 {in_unit("t", time)},
                 {in_unit("frequency", hertz(time))}};
  const Blocks blocks{q.spectrogram};
  plot.shades = {analysis.segment_time.front() - 0.5 * hop, analysis.segment_time.back() + 0.5 * hop,
                 analysis.frequency.front(), analysis.frequency.back(), blocks.up};
  for (std::size_t i = 0; i < blocks.across; ++i)
    for (std::size_t j = 0; j < blocks.up; ++j) plot.shades.decades.push_back(blocks(i, j));
  const double most = *std::max_element(plot.shades.decades.begin(), plot.shades.decades.end());
  // Two digits are enough to draw; what is far below all others is as far as anything is.
  for (double& decade : plot.shades.decades)
    decade = decade > 1e-99 * most ? std::round(100.0 * std::log10(most / decade)) / 100.0 : 99.0;
  return plot;
}

// Of all contacts in one plot, as the outlines of their bars.
void add_distributions(StudyPage& page, const AnalyseOutcome& outcome) {
  const auto add = [&](const std::string& title, const std::string& axis, Distribution ContactAnalysis::*of) {
    StudyPlot plot{title, {axis}, {"impacts"}};
    for (const ContactAnalysis& contact : outcome.analysis.contacts) {
      const Distribution& found = contact.*of;
      if (found.counts.empty() || plot.series.size() == most_curves) continue;
      StudySeries& outline = plot.series.emplace_back(
          StudySeries{.name = label_of(outcome, contact.name), .x = {found.edges.front()}, .y = {0.0}, .marks = false});
      for (std::size_t k = 0; k < found.counts.size(); ++k) {
        outline.x.insert(outline.x.end(), {found.edges[k], found.edges[k + 1]});
        outline.y.insert(outline.y.end(), {found.counts[k], found.counts[k]});
      }
      outline.x.push_back(found.edges.back());
      outline.y.push_back(0.0);
    }
    if (!plot.series.empty()) page.plots.push_back(std::move(plot));
  };
  add("Speeds of impacts", in_unit("closing speed", speed_unit(outcome)), &ContactAnalysis::speed);
  add("Impulses of impacts", in_unit("impulse", unit_of(outcome, "impulse")), &ContactAnalysis::impulse);
}

}  // namespace

std::string to_json(const AnalyseOutcome& outcome, std::string_view result) {
  const Analysis& analysis = outcome.analysis;
  Json contacts = Json::array(), quantities = Json::array();
  for (const ContactAnalysis& contact : analysis.contacts) contacts.push_back(json_of(contact));
  for (const QuantityAnalysis& quantity : analysis.quantities) quantities.push_back(json_of(quantity, outcome));
  const Json json = {{"result", std::string(result)},
                     {"title", outcome.title},
                     {"scheme", outcome.scheme},
                     {"status", outcome.status},
                     {"window", std::vector<double>{analysis.window.from, analysis.window.until}},
                     {"force_window", analysis.force_window},
                     {"contacts", contacts},
                     {"quantities", quantities},
                     {"spectra",
                      {{"method", "Welch"},
                       {"taper", "Hann"},
                       {"sampling", analysis.sampling},
                       {"segment", analysis.segment},
                       {"overlap", analysis.overlap},
                       {"segments", analysis.segments},
                       {"frequency", analysis.frequency},
                       {"segment_time", analysis.segment_time}}},
                     {"notes", analysis.notes},
                     {"version", version}};
  return json.dump();
}

std::string summary(const AnalyseOutcome& outcome) {
  const Analysis& analysis = outcome.analysis;
  std::string text =
      fmt::format("{}{}\n", outcome.title.empty() ? "" : without_controls(outcome.title) + ", ", span_remark(outcome));
  for (const auto& [table, remark] : {std::pair(contact_table(outcome), peak_remark(outcome)),
                                      std::pair(quantity_table(outcome), spectra_remark(analysis))}) {
    if (!table.rows.empty()) text += "\n" + table_text(table);
    if (!remark.empty()) text += "  " + remark + "\n";
  }
  for (const std::string& note : analysis.notes) text += "\n" + wrapped("note: " + note) + "\n";
  return text;
}

StudyPage study_page(const AnalyseOutcome& outcome) {
  const Analysis& analysis = outcome.analysis;
  StudyPage page{.kind = "analyse", .title = outcome.title, .text = {span_remark(outcome)}, .notes = analysis.notes};
  for (const auto& [table, remark] : {std::pair(contact_table(outcome), peak_remark(outcome)),
                                      std::pair(quantity_table(outcome), spectra_remark(analysis))}) {
    if (!table.rows.empty()) page.tables.push_back(table);
    if (!remark.empty()) page.text.push_back(remark);
  }
  const std::string time = unit_of(outcome, "t");
  if (!analysis.frequency.empty() && !analysis.quantities.empty()) {
    page.plots.push_back(spectra_plot(outcome, time));
    for (std::size_t k = 0; k < std::min(most_followed, analysis.quantities.size()) && analysis.segments > 1; ++k) {
      page.plots.push_back(spectrogram_plot(outcome, analysis.quantities[k], time));
      page.plots.push_back(envelope_plot(outcome, analysis.quantities[k], time));
    }
  }
  add_distributions(page, outcome);
  return page;
}

std::vector<std::pair<std::string, std::string>> csv_tables(const AnalyseOutcome& outcome) {
  std::vector<std::pair<std::string, std::string>> tables;
  const auto add = [&](const char* name, const CsvText& table) {
    if (table.has_rows()) tables.emplace_back(name, table.text());
  };
  add("contacts", contacts_table(outcome.analysis));
  add("distributions", distributions_table(outcome.analysis));
  add("quantities", quantities_table(outcome));
  if (!outcome.analysis.quantities.empty()) {
    add("spectrum", spectrum_table(outcome));
    add("spectrogram", spectrogram_table(outcome));
    add("envelope", envelope_table(outcome));
  }
  return tables;
}

}  // namespace ricochet
