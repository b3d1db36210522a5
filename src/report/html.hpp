// Text in HTML.
#pragma once

#include <string>
#include <string_view>

namespace ricochet::report {

// With < > & and quotes as entities, for text and attributes.
std::string escaped(std::string_view text);

// JSON for a script element: no < stands in it, so that no text can end the element or begin another.
std::string script_json(std::string_view json);

// The page with its script and its data, a JSON object; with the engine of the playground, another one, if it is given.
// Nothing is fetched.
std::string script_page(const std::string& title, std::string_view json, std::string_view engine = {});

// The page without a script: what a build without npm gives.
std::string plain_html(const std::string& title, const std::string& body);

}  // namespace ricochet::report
