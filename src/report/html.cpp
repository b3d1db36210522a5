#include "report/html.hpp"

#include <fmt/format.h>

namespace ricochet::report {

std::string escaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) switch (c) {
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
  for (const char c : json) {
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  }
  return result;
}

std::string plain_html(const PlainPage& page) {
  static constexpr const char* style =
      "body{font:15px/1.5 sans-serif;max-width:62em;margin:2em auto;padding:0 1em;color:#18212c}"
      "table{border-collapse:collapse;margin:1em 0}td,th{padding:2px 14px 2px 0;text-align:right}"
      "td:first-child,th:first-child{text-align:left}svg{max-width:100%;height:auto}pre{overflow-x:auto}";
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{0}</title>\n<style>{1}</style>\n"
      "</head>\n<body>\n<h1>{0}</h1>\n{2}<p>This page is plain: the program was built without npm, which builds the "
      "page "
      "with zoom, animation and sorted tables.</p>\n</body>\n</html>\n",
      escaped(page.title), style, page.body);
}

}  // namespace ricochet::report
