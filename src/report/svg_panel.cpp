#include "report/svg_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html.hpp"

namespace ricochet::report {

namespace {

// 1, 2 or 5 times a power of ten.
double nice_step(double span, int count) {
  const double raw = span / count, power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (raw <= factor * power * 1.0000001) return factor * power;
  return 10.0 * power;
}

struct Tick {
  double value;
  std::string text;
};

std::vector<Tick> even_ticks(const Range& range, int count) {
  std::vector<Tick> ticks;
  const double step = nice_step(range.most - range.least, count);
  for (double k = std::ceil(range.least / step); k * step <= range.most; ++k) {
    // Half a rounding error of zero is zero.
    const double value = std::abs(k * step) < 1e-9 * step ? 0.0 : k * step;
    ticks.push_back({k * step, fmt::format("{:.6g}", value)});
  }
  return ticks;
}

// Powers of ten, and 2 and 5 times them where there are few; even ones within a decade.
std::vector<Tick> log_ticks(const Range& range, int count) {
  const double decades = std::log10(range.most / range.least);
  if (decades < 1.0) return even_ticks(range, count);
  std::vector<Tick> ticks;
  const double every = std::max(1.0, std::ceil(decades / count));
  for (double power = std::floor(std::log10(range.least)); power <= std::log10(range.most); power += every)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10.0, power);
      if (value < range.least || value > range.most || (factor > 1.0 && decades > 3.0)) continue;
      ticks.push_back({value, fmt::format("{:.6g}", value)});
    }
  return ticks;
}

std::string tick(double px, double py, double dx, double dy, double below, const char* anchor,
                 const std::string& text) {
  return fmt::format(
      "<path d=\"M{0:.1f} {1:.1f}l{2} {3}\" stroke=\"#444\" stroke-width=\"0.8\"/><text x=\"{4:.1f}\" y=\"{5:.1f}\" "
      "text-anchor=\"{6}\">{7}</text>\n",
      px, py, dx, dy, px + (dx < 0 ? -6.0 : 0.0), py + below, anchor, text);
}

}  // namespace

void Range::take(Values values) {
  for (const double value : values)
    if (std::isfinite(value)) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
}

void set_one_scale(Range& x, Range& y, double w, double h) {
  const double whole = std::max((x.most - x.least) / w, (y.most - y.least) / h), scale = whole > 0.0 ? whole : 1.0 / w;
  for (const auto& [range, size] : {std::pair{&x, w}, {&y, h}}) {
    const double middle = 0.5 * (range->least + range->most), half = 0.53 * scale * size;
    *range = {middle - half, middle + half};
  }
}

Range Range::roomy(double share) const {
  if (!(least <= most)) return {0.0, 1.0};
  const double room = most > least ? share * (most - least) : (most == 0.0 ? 1.0 : 0.1 * std::abs(most));
  return {least - room, most + room};
}

double Panel::share(const Range& range, bool log, double value) {
  if (log) return std::log(value / range.least) / std::log(range.most / range.least);
  return (value - range.least) / (range.most - range.least);
}

std::string Panel::axes(const std::string& x_label, const std::string& title) const {
  std::string text = fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#444\" "
      "stroke-width=\"0.8\"/>\n",
      left_, top_, w_, h_);
  for (const Tick& one : x_log_ ? log_ticks(x_, 8) : even_ticks(x_, 8))
    text += tick(x(one.value), bottom(), 0, 4, 15, "middle", one.text);
  for (const Tick& one : y_log_ ? log_ticks(y_, 7) : even_ticks(y_, 7))
    text += tick(left_, y(one.value), -4, 0, 4, "end", one.text);
  text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", left_ + w_ / 2.0,
                      bottom() + 29.0, escaped(x_label));
  return text + fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">{}</text>\n", left_, top_ - 7.0,
                            escaped(title));
}

std::string Panel::y_label(const std::string& name) const {
  const double at_x = left_ - 46.0, at_y = top_ + h_ / 2.0;
  return fmt::format(
      "<text x=\"{0:.1f}\" y=\"{1:.1f}\" text-anchor=\"middle\" transform=\"rotate(-90 {0:.1f} {1:.1f})\">{2}</text>\n",
      at_x, at_y, escaped(name));
}

std::string Panel::path(const std::string& points, const char* color, double stroke, const char* more) const {
  if (points.empty()) return "";
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}/>\n",
                     points, color, stroke, more);
}

// From the right, beside the title: smaller where names are long, and "…" for those that find no room.
std::string Panel::legend(const std::vector<std::pair<std::string, std::string>>& names) const {
  constexpr double font = 11.0, smallest = 0.65, share = 0.72;
  const auto width = [](const std::string& name) { return 6.2 * static_cast<double>(name.size()) + 10.0; };
  double all = 0.0;
  for (const auto& [name, color] : names) all += width(name);
  const double scale = std::clamp(share * w_ / all, smallest, 1.0);
  const std::string size = scale < 1.0 ? fmt::format(" font-size=\"{:.1f}\"", font * scale) : "";
  std::string text;
  double from = left_ + w_;
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    const double next = from - scale * width(name->first);
    const bool fits = names.size() == 1 || next >= left_ + (1.0 - share) * w_;
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{} text-anchor=\"end\" fill=\"{}\">{}</text>\n", from,
                        top_ - 7.0, size, name->second, fits ? escaped(name->first) : "…");
    if (!fits) break;
    from = next;
  }
  return text;
}

std::string svg_document(const std::string& title, double width, double height, const std::string& drawn) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"11\">\n<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n{3}</svg>\n",
      width, height, escaped(title), drawn);
}

}  // namespace ricochet::report
