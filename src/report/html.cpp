#include "report/html.hpp"

#include <fmt/format.h>

#include "report/assets.hpp"
#include "ricochet/present/text.hpp"

namespace ricochet::report {

namespace {

// The browser itself sees to it that nothing is fetched.
constexpr std::string_view policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";
// With the engine it may compile WebAssembly and start the worker that the page itself holds.
constexpr std::string_view engine_policy =
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; "
    "img-src data:";

void add_json(std::string& page, const char* id, std::string_view json) {
  page += fmt::format("<script type=\"application/json\" id=\"{}\">", id);
  page += script_json(json);
  page += "</script>\n";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : without_controls(text)) switch (c) {
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '&': result += "&amp;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default: result += c;
    }
  return result;
}

// A < of JSON stands inside a string.
std::string script_json(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  for (const char c : json) c == '<' ? result += "\\u003c" : result += c;
  return result;
}

// Data before the script: it is there when the script runs.
std::string script_page(const std::string& title, std::string_view json, std::string_view engine) {
  std::string page;
  page.reserve(json.size() + engine.size() + page_script().size() + page_style().size() + 4096);
  page += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n",
                      engine.empty() ? policy : engine_policy);
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += fmt::format("<title>{}</title>\n<style>", escaped(title));
  page += page_style();
  page +=
      "</style>\n</head>\n<body>\n<div id=\"ricochet-page\"><noscript>This page needs JavaScript.</noscript></div>\n";
  add_json(page, "ricochet-data", json);
  if (!engine.empty()) add_json(page, "ricochet-engine", engine);
  page += "<script>";
  page += page_script();
  page += "</script>\n</body>\n</html>\n";
  return page;
}

std::string plain_html(const std::string& title, const std::string& body) {
  static constexpr const char* style =
      "body{font:15px/1.5 sans-serif;max-width:62em;margin:2em auto;padding:0 1em;color:#18212c}"
      "table{border-collapse:collapse;margin:1em 0}td,th{padding:2px 14px 2px 0;text-align:right}"
      "td:first-child,th:first-child{text-align:left}svg{max-width:100%;height:auto}pre{overflow-x:auto}";
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{0}</title>\n<style>{1}</style>\n"
      "</head>\n<body>\n<h1>{0}</h1>\n{2}<p>This page is plain: the program was built without npm, which builds the "
      "page "
      "with zoom, animation and sorted tables.</p>\n</body>\n</html>\n",
      escaped(title), style, body);
}

}  // namespace ricochet::report
