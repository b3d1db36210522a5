#include <fmt/format.h>

#include "core/place.hpp"
#include "scenario/keys/key_table.hpp"

namespace ricochet {

namespace {

constexpr std::string_view opening = R"page(# Scenario files

A scenario is a TOML file that defines one run: the mechanical system, where it starts, the scheme that integrates it, and how long. `ricochet gallery NAME` prints one to begin with. This page is made from the program's own description of the keys.

- A value is a number, or a formula in quotes. Formulas have `+ - * / ^`, comparisons, `if(cond, a, b)`, sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 sqrt abs sign step min max floor, `pi`, the time `t`, the parameters, the coordinates and, for a coordinate `x`, its velocity `x_dot`. Where only parameters make sense (start values, times) a formula has only these.
- `table("record.csv", t)` in a formula is the curve through the points of a file, at t or any other value: its first column has the points, which increase. What may follow, in quotes: a column by name, or by number from 0 (the second if none is given); `"linear"` (the default) or `"cubic"`; `"hold"` (the default: before its first and behind its last point it keeps the value there) or `"zero"`. Text files (`.csv`, `.tsv`, `.txt`, `.dat`), NumPy's (`.npz`, `.npy`), records of the PEER database (`.AT2`, `.VT2`, `.DT2`: columns t and acceleration, velocity or displacement, in the file's unit) and results (`.h5`: t, coordinates, velocities, states) are read.
- Files are read from the scenario's folder and below, and from folders given with `--files DIR`; never from elsewhere.
- An unknown key, a wrong type and a value outside its range are errors that name the file, the line, the column, the field and what is allowed. NaN and infinity are allowed nowhere.
- Any key can be set on the command line: `--set time.step=1e-4`, `--set model.parameters.g=1.62`. Constraints go by name, `--set model.constraint.floor.restitution=0.5`, or by position from 0, `--set model.constraint[0].restitution=0.5`.
- A file has at most 16 MiB, in UTF-8.

A table `[known]` carries what the motion is known to be. A run does not read it; the tests of the gallery compare the run at the scenario's own step with it. Any one of `q`, `impacts` and `samples` is enough. All its values may be formulas of the parameters:

```toml
[known]
source = "free fall between impacts"
window = [0.0, 2.5]
error = 1e-2
time_error = 2e-3
impacts = [
  { t = "sqrt(2*height/g)", constraint = "floor", rate_minus = "-sqrt(2*g*height)", rate_plus = "e*sqrt(2*g*height)" },
]
samples = [
  { t = 0.25, q = [0.6934375], v = [-2.4525], energy = 9.81 },
]
```

Where the exact motion has one formula, it is given as such: `q = { x = "cos(w*t)" }`, `v = { x = "-w*sin(w*t)" }`.

A table `[sweep]` says which trajectories `ricochet sweep` runs and what it keeps of them. A run does not read it. An axis changes any number of the scenario; times and start values that are formulas of it follow. The ends of ranges and other values of axes are numbers, or formulas of numbers such as `"2*pi"`:

```toml
[sweep]
axis = [
  { parameter = "model.parameters.w", range = [2.0, 4.0], count = 2000, continuation = "both" },
  { parameter = "model.constraint.stop.restitution", values = [0.5, 0.8, 1.0] },
]
transient = "100*2*pi/w"
duration = "64*2*pi/w"
record = { section = "x_dot", direction = "falling" }
skip = 10
points = 32
```
)page";

// A value in a table of Markdown, where | separates columns.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result;
}

std::string sentence(std::string_view text) {
  std::string result(text);
  if (!result.empty() && result[0] >= 'a' && result[0] <= 'z') result[0] = static_cast<char>(result[0] - 'a' + 'A');
  return result + ".";
}

// The keys of one table as Markdown, the tables within it after it. Fills what is missing to see its keys.
class Listing {
 public:
  Listing(std::string path, std::string_view title, std::string_view meaning) : path_(std::move(path)) {
    text_ = fmt::format("\n## {}\n\n{}\n\n| key | value | default | example | meaning |\n|---|---|---|---|---|\n",
                        title, sentence(meaning));
  }

  void add(const KeyTable& keys) {
    for (const TableKey& key : keys) add(key);
  }
  std::string text() const { return text_ + after_; }

 private:
  void add(const TableKey& key) {
    switch (key.type) {
      case KeyType::text: return row(key, "text", quoted(key.as<std::string>()));
      case KeyType::formula: return row(key, "formula");
      case KeyType::quantity: return row(key, "number or formula", to_text(key.as<Quantity>().number()));
      case KeyType::optional_quantity: return row(key, "number or formula");
      case KeyType::quantities: return row(key, "table of numbers or formulas");
      case KeyType::names: return row(key, "list of names");
      case KeyType::formulas: return row(key, "formula, or list of formulas");
      case KeyType::row: return row(key, "list of numbers or formulas");
      case KeyType::matrix: return row(key, "list of rows");
      case KeyType::matrix_or_file: return row(key, "list of rows, or a file");
      case KeyType::values: return row(key, "table, number, formula or file");
      case KeyType::count: return row(key, "whole number ≥ 0", fmt::format("{}", key.as<std::uint64_t>()));
      case KeyType::flag: return row(key, "true or false", key.as<bool>() ? "true" : "false");
      case KeyType::points: return row(key, "table of lists of numbers or formulas");
      case KeyType::table: return table(key, fmt::format("[{}]", path(key)));
      case KeyType::tables:
      case KeyType::rows: return table(key, fmt::format("[[{}]]", path(key)));
      case KeyType::word_or_table: return word_or_table(key, key.as<SweepRecording>());
      case KeyType::choice: return choice(key, key.as<ModelDescription>());
      case KeyType::scheme: return scheme(key, key.as<Scheme>());
    }
  }

  void table(const TableKey& key, const std::string& header) {
    row(key, fmt::format("table `{}`", header));
    Listing inner(path(key), fmt::format("`{}`", header), key.meaning);
    inner.add(key.tables().add());
    after_ += inner.text();
  }
  void word_or_table(const Key& key, SweepRecording& value) {
    row(key, "text or table");
    Listing inner(path(key), fmt::format("`{} = {{ … }}`", path(key)), fmt::format("{} as a table", key.name));
    inner.add(keys_of(value.emplace<SectionDescription>()));
    after_ += inner.text();
  }
  void choice(const Key& key, ModelDescription& model) {
    row(key, fmt::format("table `[{}]`", path(key)));
    for (std::size_t i = 0; i < model_kinds.size(); ++i) {
      Listing inner(path(key), fmt::format("`[{}]` with `kind = \"{}\"`", path(key), model_kinds[i]), key.meaning);
      inner.row({"kind", "which kind of model", {}}, "text", fmt::format("\"{}\"", model_kinds[0]));
      choose_kind(model, i);
      inner.add(keys_of(model));
      after_ += inner.text();
    }
  }
  void scheme(const Key& key, const Scheme& scheme) {
    row(key, fmt::format("table `[{}]`", path(key)));
    after_ +=
        fmt::format("\n## `[{}]`\n\n{} The parameters depend on the scheme; `ricochet schemes NAME` explains one.\n\n",
                    path(key), sentence(key.meaning));
    after_ += "| scheme | key | value | default | meaning |\n|---|---|---|---|---|\n";
    after_ += fmt::format("| any | `name` | text | \"{}\" | the scheme's name |\n", scheme.name);
    for (const SchemeEntry& entry : catalogue())
      for (const ParameterSpec& spec : entry.parameters) after_ += parameter_row(entry, spec);
  }

  std::string path(const Key& key) const { return path_to(path_, key.name); }

  static std::string quoted(const std::string& value) { return value.empty() ? "" : fmt::format("\"{}\"", value); }

  void row(const Key& key, std::string type, const std::string& fallback = "") {
    if (!key.range.unbounded()) type += ", " + key.range.text();
    text_ += fmt::format("| `{}` | {} | {} | {} | {} |\n", key.name, type, key.required ? "required" : fallback,
                         key.example.empty() ? "" : fmt::format("`{}`", key.example), cell(key.meaning));
  }

  static std::string parameter_row(const SchemeEntry& entry, const ParameterSpec& spec) {
    const double* number = std::get_if<double>(&spec.fallback);
    const bool* flag = std::get_if<bool>(&spec.fallback);
    std::string type = number ? "number"
                       : flag ? "true or false"
                              : fmt::format("one of {}", fmt::join(spec.words, ", "));
    const Range range = {spec.lower, spec.upper};
    if (number && !range.unbounded()) type += ", " + range.text();
    const std::string symbol = spec.symbol.empty() ? "" : cell(spec.symbol) + ": ";
    return fmt::format("| {} | `{}` | {} | {} | {}{} |\n", entry.name, spec.name, type,
                       number ? to_text(*number)
                       : flag ? (*flag ? "true" : "false")
                              : quoted(std::get<std::string>(spec.fallback)),
                       symbol, cell(spec.meaning));
  }

  std::string path_;
  std::string text_;   // the keys
  std::string after_;  // the tables within
};

}  // namespace

std::string key_listing() {
  Scenario scenario;
  Listing listing("", "Top level", "The tables of a scenario, in any order");
  listing.add(keys_of(scenario));
  return std::string(opening) + listing.text();
}

}  // namespace ricochet
