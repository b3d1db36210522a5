// The playground's engine: requests and answers are JSON.
//
//   {"ask": "run", "text": SCENARIO, "set": [[KEY, VALUE]…],
//    "scheme": NAME, "seconds": LIMIT}                          -> run (as run --json), page (web/src/data.ts), numbers
//   {"ask": "check", …the same}                                -> check (as check --json)
//   {"ask": "csv", …the same}                                  -> csv
//
// What cannot be done is {"error": SENTENCE, "line": …, "column": …}.
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <new>

#include "io/format/json.hpp"
#include "io/result/recording.hpp"
#include "io/result/result_formats.hpp"
#include "report/page_data.hpp"
#include "ricochet/io/attachment/attachment_folder.hpp"
#include "ricochet/present/check.hpp"
#include "ricochet/present/run.hpp"
#include "ricochet/scenario/key_paths.hpp"

namespace ricochet::playground {

namespace {

constexpr const char* source = "scenario";
constexpr std::size_t values_max = 20'000'000;  // recorded numbers: 160 MB
constexpr std::size_t drawn_max = 400'000;      // numbers in the page

std::string text_of(const Json& json) { return json.as_text() ? *json.as_text() : std::string(); }

ScenarioFile file_of(const Json& request) {
  Overrides overrides;
  if (const std::string scheme = text_of(request.at("scheme")); !scheme.empty())
    overrides.scheme(scheme, "scheme " + scheme);
  if (const Json::Array* list = request.at("set").as_array())
    for (const Json& item : *list)
      if (const Json::Array* pair = item.as_array(); pair && pair->size() == 2)
        overrides.add(text_of((*pair)[0]), text_of((*pair)[1]), text_of((*pair)[0]) + " = " + text_of((*pair)[1]));
  return {text_of(request.at("text")), source, overrides, std::make_unique<GalleryAttachments>()};
}

// Nobody waits for a run that takes minutes, and no page holds gigabytes: the run then ends where it is.
class Bounds {
 public:
  Bounds(const std::atomic<bool>*& flag, double seconds) : seconds_(seconds) { flag = &stop_; }

  void look(const Recording& recording) {
    if (++looks_ % 64 != 0) return;
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() > seconds_)
      end(fmt::format("computed for {} s, which is all that is given here", seconds_));
    if (recording.rows() * recording.width() > values_max) end("more numbers than a page should hold");
  }
  const std::string& reason() const { return reason_; }

 private:
  void end(std::string reason) {
    reason_ = std::move(reason);
    stop_ = true;
  }

  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double seconds_;
  std::uint64_t looks_ = 0;
  std::atomic<bool> stop_ = false;
  std::string reason_;
};

class BoundedRecorder final : public Recorder {
 public:
  BoundedRecorder(Recording& recording, Bounds& bounds) : Recorder(recording), recording_(recording), bounds_(bounds) {}
  void record(const Sample& sample) override {
    Recorder::record(sample);
    bounds_.look(recording_);
  }
  void impact(const Impact& impact) override {
    Recorder::impact(impact);
    bounds_.look(recording_);
  }
  void progress(std::uint64_t, std::uint64_t) override { bounds_.look(recording_); }

 private:
  Recording& recording_;
  Bounds& bounds_;
};

RunOutcome run_recorded(const ScenarioFile& file, const Json& request, Recording& recording) {
  RunRequest wanted;
  Bounds bounds(wanted.interrupt, request.at("seconds").as_number().value_or(5.0));
  wanted.open_result = [&](const ResultHeader& header) {
    recording.header = header;
    return std::make_unique<BoundedRecorder>(recording, bounds);
  };
  RunOutcome outcome = run_scenario(file, wanted);
  if (!bounds.reason().empty())
    outcome.solution.notes.push_back(
        fmt::format("The run was ended at t = {:.4g}: {}. A larger step, a shorter time or the program itself takes it "
                    "further.",
                    outcome.solution.final.t, bounds.reason()));
  recording.solution = outcome.solution;
  return outcome;
}

// What sliders can move: the keys that are numbers, and where they stand in the text.
Json numbers_of(const ScenarioFile& file) {
  Json list = Json::array();
  for (const NumberKey& key : number_keys(file.scenario())) {
    Json one = {{"key", key.path}, {"value", key.value}, {"lower", key.lower}, {"upper", key.upper}};
    if (const auto place = file.value_place(key.path)) one["line"] = place->line, one["column"] = place->column;
    list.push_back(std::move(one));
  }
  return list;
}

std::string run(const Json& request) {
  const ScenarioFile file = file_of(request);
  Recording recording;
  const RunOutcome outcome = run_recorded(file, request, recording);
  const std::string page = report::run_json(
      stored(recording), {.notes = outcome.solution.notes, .values_max = drawn_max, .impacts_max = 20'000});
  return fmt::format("{{\"run\":{},\"page\":{},\"numbers\":{},\"text\":{}}}", to_json(outcome, source), page,
                     numbers_of(file).dump(), Json(file.text()).dump());
}

std::string check(const Json& request) {
  return fmt::format("{{\"check\":{}}}", to_json(check_scenario(file_of(request)), source));
}

// By the writer of CSV files, into a file that lives in memory.
std::string csv(const Json& request) {
  Recording recording;
  run_recorded(file_of(request), request, recording);
  const char* path = "/run.csv";
  replay(recording, *io::open_csv(path, recording.header));
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::string text(static_cast<std::size_t>(file.tellg()), '\0');
  file.seekg(0).read(text.data(), static_cast<std::streamsize>(text.size()));
  return Json({{"csv", text}}).dump();
}

// "scenario:3:7: model.kinetic: …" as the sentence and its place.
Json error_of(std::string_view message) {
  Json error = Json::object();
  const auto number = [&](const char* name) {
    const std::size_t colon = message.find(':');
    int value = 0;
    const auto [end, bad] = std::from_chars(message.data(), message.data() + std::min(colon, message.size()), value);
    if (colon == std::string_view::npos || bad != std::errc() || end != message.data() + colon) return false;
    error[name] = value;
    message.remove_prefix(colon + 1);
    return true;
  };
  const std::string prefix = std::string(source) + ":";
  if (message.starts_with(prefix)) {
    message.remove_prefix(prefix.size());
    if (number("line")) number("column");
    while (message.starts_with(' ')) message.remove_prefix(1);
  }
  error["error"] = message;
  return error;
}

std::string answer(std::string_view text) {
  try {
    const std::optional<Json> request = Json::parse(text);
    const std::string ask = request ? text_of(request->at("ask")) : "";
    if (ask == "run") return run(*request);
    if (ask == "check") return check(*request);
    if (ask == "csv") return csv(*request);
    return Json({{"error", "the engine does not know this request"}}).dump();
  } catch (const std::bad_alloc&) {
    return Json({{"error", "needs more memory than a page has"}}).dump();
  } catch (const std::exception& error) {
    return error_of(error.what()).dump();
  }
}

}  // namespace

}  // namespace ricochet::playground

// The text stays until the next call.
extern "C" const char* ricochet_answer(const char* request) {
  static std::string last;
  last = ricochet::playground::answer(request);
  return last.c_str();
}
