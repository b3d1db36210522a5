// What all result formats promise: nothing half-written under the target's name, nothing lost, clear refusals.
#include "ricochet/io/result/result_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "ricochet/core/error.hpp"
#include "unit/io/result/result_support.hpp"

namespace ricochet::io_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

template <class Exception, class Function>
std::string message_of(Function&& function) {
  try {
    function();
  } catch (const Exception& error) {
    return error.what();
  }
  return "no such exception";
}

TEST(IoOpenResult, AnotherEndingIsRefusedWithTheKnownOnes) {
  const TempFolder folder;
  for (const char* name : {"a.txt", "a", ".h5", "a.h5.gz"}) {
    const std::string text = message_of<InputError>([&] { open_result(folder / name, header(1, 0, 1)); });
    EXPECT_THAT(text, HasSubstr(name));
    for (const char* ending : {".h5", ".csv", ".npz"}) EXPECT_THAT(text, HasSubstr(ending));
  }
  EXPECT_THAT(folder.names(false), IsEmpty());
}

class IoResultFile : public testing::TestWithParam<const char*> {
 protected:
  std::string name() const { return std::string("ball.") + GetParam(); }
  fs::path target() const { return folder / name(); }
  std::vector<std::string> all_names() const {
    if (std::string(GetParam()) == "csv") return {"ball.csv", "ball.impacts.csv"};
    return {name()};
  }
  TempFolder folder;
  ResultHeader names = header(2, 1, 2);
};

TEST_P(IoResultFile, AppearsOnlyWhenFinished) {
  auto writer = open_result(target(), names);
  EXPECT_EQ(writer->path(), target());
  feed(*writer, names, 0, 10);
  writer->impact(impact(1, 2));
  EXPECT_THAT(folder.names(false), IsEmpty());
  EXPECT_THAT(folder.names(true), testing::Not(IsEmpty()));
  writer->finish(solution());
  EXPECT_THAT(folder.names(false), testing::UnorderedElementsAreArray(all_names()));
  EXPECT_THAT(folder.names(true), IsEmpty());
}

TEST_P(IoResultFile, TemporaryNameFollowsTheRule) {
  const auto writer = open_result(target(), names);
  EXPECT_THAT(folder.names(true), testing::Contains(fmt::format(".{}.{}.partial", name(), ::getpid())));
}

TEST_P(IoResultFile, AnOlderFileStaysUntilTheEnd) {
  std::ofstream(target()) << "older";
  auto writer = open_result(target(), names);
  feed(*writer, names, 0, 5000);
  EXPECT_EQ(text_of(target()), "older");
  writer->finish(solution());
  EXPECT_NE(text_of(target()), "older");
}

TEST_P(IoResultFile, WithoutARecordNothingStays) {
  open_result(target(), names);
  EXPECT_THAT(folder.names(true), IsEmpty());
  EXPECT_THAT(folder.names(false), IsEmpty());
}

TEST_P(IoResultFile, WithoutFinishTheRecordStaysUnderTheTemporaryName) {
  auto writer = open_result(target(), names);
  feed(*writer, names, 0, 3);
  writer.reset();
  EXPECT_THAT(folder.names(false), IsEmpty());
  EXPECT_THAT(folder.names(true), ElementsAre(fmt::format(".{}.{}.partial", name(), ::getpid())));
}

TEST_P(IoResultFile, TwoRunsToOneTargetDoNotMeet) {
  auto first = open_result(target(), names);
  auto second = open_result(target(), names);
  feed(*first, names, 0, 6000);
  feed(*second, names, 0, 50);
  feed(*first, names, 6000, 7000);
  second->finish(solution());
  const std::string short_run = text_of(target());
  first->finish(solution());
  EXPECT_GT(text_of(target()).size(), short_run.size());
  EXPECT_THAT(folder.names(true), IsEmpty());

  // The last to finish leaves what it would have written alone.
  auto alone = open_result(folder / ("alone." + std::string(GetParam())), names);
  feed(*alone, names, 0, 7000);
  alone->finish(solution());
  EXPECT_EQ(text_of(target()), text_of(alone->path()));
}

TEST_P(IoResultFile, TheSameRunGivesTheSameBytes) {
  std::vector<std::string> contents;
  for (int k = 0; k < 2; ++k) {
    if (k > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // dates would show
    auto writer = open_result(target(), names);
    feed(*writer, names, 0, 5000);
    writer->impact(impact(3, 2));
    writer->finish(solution());
    contents.push_back(text_of(target()));
  }
  EXPECT_TRUE(contents[0] == contents[1]);
}

TEST_P(IoResultFile, FolderThatDoesNotExist) {
  const fs::path path = folder / "nowhere" / name();
  const std::string text = message_of<FileError>([&] { open_result(path, names); });
  EXPECT_THAT(text, HasSubstr(path.string()));
  EXPECT_THAT(text, HasSubstr("nowhere does not exist"));
}

TEST_P(IoResultFile, FolderThatIsAFile) {
  std::ofstream(folder / "file") << "x";
  const fs::path path = folder / "file" / name();
  EXPECT_THAT(message_of<FileError>([&] { open_result(path, names); }), HasSubstr(path.string()));
}

TEST_P(IoResultFile, FolderThatTakesNoFiles) {
  const std::string text = message_of<FileError>([&] { open_result(fs::path("/proc") / name(), names); });
  EXPECT_THAT(text, HasSubstr("the folder /proc takes no new file"));
}

TEST_P(IoResultFile, TargetThatIsAFolder) {
  fs::create_directory(target());
  EXPECT_THAT(message_of<FileError>([&] { open_result(target(), names); }), HasSubstr("a folder has that name"));
  EXPECT_THAT(folder.names(true), IsEmpty());
}

TEST_P(IoResultFile, NameTooLongIsRefusedAtOnce) {
  const fs::path path = folder / (std::string(300, 'x') + "." + GetParam());
  EXPECT_THAT(message_of<FileError>([&] { open_result(path, names); }), HasSubstr("too long"));
}

TEST_P(IoResultFile, LongNameThatFitsIsTaken) {
  const fs::path path = folder / (std::string(230, 'x') + "." + GetParam());
  auto writer = open_result(path, names);
  feed(*writer, names, 0, 3);
  writer->finish(solution());
  EXPECT_TRUE(fs::exists(path));
}

TEST_P(IoResultFile, ALinkIsFollowed) {
  fs::create_directory(folder / "real");
  std::ofstream(folder / "real" / name()) << "older";
  fs::create_symlink(folder / "real" / name(), target());
  auto writer = open_result(target(), names);
  feed(*writer, names, 0, 3);
  writer->finish(solution());
  EXPECT_TRUE(fs::is_symlink(target()));
  EXPECT_NE(text_of(folder / "real" / name()), "older");
}

// A limit on the size of files fails like a full disk, for every size: in the header, in a table, in a row.
TEST_P(IoResultFile, AFullDiskIsAFileErrorAndLosesNothingWritten) {
  for (const rlim_t limit : {0, 10, 100, 3000, 6000, 12000, 70000, 400000, 1000000}) {
    const TempFolder here;
    const fs::path path = here / name();
    std::string text;
    {
      const FileSizeLimit full(limit);
      text = message_of<FileError>([&] {
        auto writer = open_result(path, names);
        feed(*writer, names, 0, 60000);
        writer->finish(solution());
      });
    }
    EXPECT_THAT(text, HasSubstr(path.string())) << limit;
    EXPECT_THAT(text, HasSubstr("File too large")) << limit;
    EXPECT_THAT(here.names(false), IsEmpty()) << limit;
    const bool kept = text.find(".partial") != std::string::npos;
    EXPECT_EQ(kept, fs::exists(here / fmt::format(".{}.{}.partial", name(), ::getpid()))) << limit << ' ' << text;
    // One full block of rows is the least that is worth keeping.
    if (limit >= 1000000) {
      EXPECT_TRUE(kept) << text;
    }
  }
}

TEST_P(IoResultFile, AWriterThatFailedFailsAgainAndAnotherOneWorks) {
  {
    const FileSizeLimit full(100000);
    auto writer = open_result(target(), names);
    EXPECT_THROW(feed(*writer, names, 0, 60000), FileError);
    EXPECT_THROW(feed(*writer, names, 0, 60000), FileError);
    EXPECT_THROW(writer->finish(solution()), FileError);
  }
  auto writer = open_result(target(), names);
  feed(*writer, names, 0, 10);
  writer->finish(solution());
  EXPECT_TRUE(fs::exists(target()));
}

TEST_P(IoResultFile, AFullDiskAtTheEndKeepsTheOlderFile) {
  std::ofstream(target()) << "older";
  auto writer = open_result(target(), names);
  feed(*writer, names, 0, 100);
  {
    const FileSizeLimit full(1);
    EXPECT_THROW(writer->finish(solution()), FileError);
  }
  writer.reset();
  EXPECT_EQ(text_of(target()), "older");
}

INSTANTIATE_TEST_SUITE_P(Formats, IoResultFile, testing::Values("h5", "csv", "npz"),
                         [](const auto& format) { return std::string(format.param); });

}  // namespace
}  // namespace ricochet::io_test
