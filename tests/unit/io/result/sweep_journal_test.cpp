// The journal of a sweep: what is in it survives, and nothing else is taken for it.
#include "io/result/sweep_journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <fstream>
#include <set>
#include <thread>

#include "io/result/sweep_bytes.hpp"
#include "ricochet/task/run.hpp"
#include "task/sweep_work.hpp"
#include "unit/io/result/result_support.hpp"
#include "unit/io/result/sweep_support.hpp"

namespace ricochet {
namespace {

using io_test::FileSizeLimit;
using io_test::TempFolder;
using io_test::text_of;
using sweep_test::trajectory;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t digest = 0x1234567890abcdef, count = 20;

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

template <class Exception, class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(SweepBytes, KeepEveryBit) {
  SweepTrajectory original = trajectory(4);
  original.failure = std::string("no\0 step\n", 9);
  original.period = -3;
  original.lyapunov = std::bit_cast<double>(0x7ff8000000000abcu);
  original.points = {-0.0, std::numeric_limits<double>::infinity(), 5e-324};
  const std::string bytes = to_bytes(original);
  const SweepTrajectory read = trajectory_of_bytes(bytes);
  EXPECT_EQ(to_bytes(read), bytes);
  EXPECT_EQ(read.failure, original.failure);
  EXPECT_EQ(read.period, -3);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(read.lyapunov), 0x7ff8000000000abcu);
  EXPECT_EQ(read.points, original.points);

  const SweepChain chain = chain_of_bytes(to_bytes(SweepChain{{7, 8, 1ull << 40}, {0.5, -1.0}, 2}));
  EXPECT_THAT(chain.trajectories, ElementsAre(7, 8, 1ull << 40));
  EXPECT_THAT(chain.start, ElementsAre(0.5, -1.0));
  EXPECT_EQ(chain.lead, 2u);
}

TEST(SweepBytes, AreTheSameOnEveryMachine) {
  EXPECT_EQ(to_bytes(SweepChain{{258}, {1.0}, 3}),
            std::string(
                "\x01\0\0\0\0\0\0\0\x02\x01\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\xf0\x3f\x03\0\0\0\0\0\0\0", 40));
}

TEST(SweepBytes, DamagedOnesAreRefused) {
  const std::string bytes = to_bytes(trajectory(4));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(trajectory_of_bytes(std::string_view(bytes).substr(0, size)), Error) << size;
  EXPECT_THROW(trajectory_of_bytes(bytes + 'x'), Error);
}

TEST(SweepJournal, GoesOnWhereItEnded) {
  const TempFolder folder;
  const auto path = folder / "a.h5";
  {
    SweepJournal journal(path, digest, count);
    EXPECT_EQ(journal.path(), folder / "a.h5.journal");
    for (const std::uint64_t i : {7, 3, 11}) journal.append(trajectory(i));
  }
  {
    SweepJournal journal(path, digest, count);
    EXPECT_EQ(journal.done(), 3u);
    journal.append(trajectory(0, "it broke"));
    // One that is there already stays as it is.
    journal.append(trajectory(7, "late"));
  }
  const SweepJournal journal(path, digest, count);
  EXPECT_EQ(journal.done(), 4u);
  EXPECT_EQ(journal.failed(), 1u);
  EXPECT_EQ(journal.steps(), 107u + 103u + 111u + 100u);
  EXPECT_EQ(journal.point_values(), 3u * (2 + 3 + 1));
  EXPECT_FALSE(journal.has(1));
  for (const std::uint64_t i : {7, 3, 11}) EXPECT_EQ(to_bytes(journal.read(i)), to_bytes(trajectory(i)));
  EXPECT_EQ(journal.read(0).failure, "it broke");
}

TEST(SweepJournal, LeavesNothingBehind) {
  const TempFolder folder;
  { const SweepJournal journal(folder / "a.h5", digest, count); }
  EXPECT_THAT(folder.names(false), IsEmpty());
  {
    SweepJournal journal(folder / "a.h5", digest, count);
    journal.append(trajectory(1));
    journal.remove();
  }
  EXPECT_THAT(folder.names(false), IsEmpty());
}

// A kill can cut the file anywhere.
TEST(SweepJournal, CutAnywhereKeepsWhatIsWhole) {
  const TempFolder folder;
  const auto path = folder / "a.h5", file = folder / "a.h5.journal";
  std::vector<std::size_t> ends;
  {
    SweepJournal journal(path, digest, count);
    for (const std::uint64_t i : {4, 9, 2}) {
      journal.append(trajectory(i));
      ends.push_back(text_of(file).size());
    }
  }
  const std::string whole = text_of(file);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_text(file, whole.substr(0, size));
    SweepJournal journal(path, digest, count);
    const auto kept =
        static_cast<std::uint64_t>(std::count_if(ends.begin(), ends.end(), [&](auto end) { return end <= size; }));
    ASSERT_EQ(journal.done(), kept) << size;
    for (const std::uint64_t i : {4, 9, 2}) journal.append(trajectory(i));
    ASSERT_EQ(text_of(file), whole) << size;
  }
}

TEST(SweepJournal, DamagedBytesEndIt) {
  const TempFolder folder;
  const auto path = folder / "a.h5", file = folder / "a.h5.journal";
  std::size_t first_end = 0;
  {
    SweepJournal journal(path, digest, count);
    journal.append(trajectory(4));
    first_end = text_of(file).size();
    journal.append(trajectory(9));
  }
  const std::string whole = text_of(file);
  for (std::size_t at = first_end; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    write_text(file, damaged);
    const SweepJournal journal(path, digest, count);
    ASSERT_EQ(journal.done(), 1u) << at;
    ASSERT_TRUE(journal.has(4)) << at;
  }
}

TEST(SweepJournal, OfAnotherSweepIsRefused) {
  const TempFolder folder;
  const auto path = folder / "a.h5";
  {
    SweepJournal journal(path, digest, count);
    journal.append(trajectory(4));
  }
  for (const auto& [other_digest, other_count] : {std::pair{digest + 1, count}, std::pair{digest, count + 1}}) {
    const std::string message =
        message_of<FileError>([&, d = other_digest, n = other_count] { const SweepJournal journal(path, d, n); });
    EXPECT_THAT(message, HasSubstr("a.h5.journal"));
    EXPECT_THAT(message, HasSubstr("--restart"));
  }
  EXPECT_EQ(SweepJournal(path, digest, count).done(), 1u);
  EXPECT_EQ(SweepJournal(path, digest + 1, count, true).done(), 0u);
}

TEST(SweepJournal, AnotherFileIsLeftAlone) {
  const TempFolder folder;
  write_text(folder / "a.h5.journal", "Dear diary");
  for (const bool restart : {false, true})
    EXPECT_THAT(message_of<FileError>([&] { const SweepJournal journal(folder / "a.h5", digest, count, restart); }),
                HasSubstr("a.h5.journal is not the journal of a sweep"));
  EXPECT_EQ(text_of(folder / "a.h5.journal"), "Dear diary");
}

TEST(SweepJournal, ServesOneProgramAtATime) {
  const TempFolder folder;
  {
    SweepJournal journal(folder / "a.h5", digest, count);
    EXPECT_THAT(message_of<FileError>([&] { const SweepJournal other(folder / "a.h5", digest, count); }),
                HasSubstr("is in use"));
    journal.append(trajectory(1));
  }
  EXPECT_EQ(SweepJournal(folder / "a.h5", digest, count).done(), 1u);
}

TEST(SweepJournal, WhatCannotBeWrittenIsSaid) {
  const TempFolder folder;
  EXPECT_THAT(message_of<FileError>([&] { const SweepJournal journal(folder / "no/a.h5", digest, count); }),
              HasSubstr("does not exist"));
  std::filesystem::create_directory(folder / "a.h5.journal");
  EXPECT_THAT(message_of<FileError>([&] { const SweepJournal journal(folder / "a.h5", digest, count); }),
              HasSubstr("a folder has that name"));
}

TEST(SweepJournal, AFullDiskKeepsWhatWasThere) {
  const TempFolder folder;
  std::uint64_t kept = 0;
  {
    SweepJournal journal(folder / "a.h5", digest, count);
    const FileSizeLimit limit(1000);
    const std::string message = message_of<WriteError>([&] {
      for (std::uint64_t i = 0; i < count; ++i) journal.append(trajectory(i));
    });
    kept = journal.done();
    EXPECT_THAT(message, HasSubstr("a.h5.journal: File too large"));
    EXPECT_THAT(message, HasSubstr(std::to_string(kept) + " finished trajectories are kept"));
    // It does not go on with a hole.
    EXPECT_THROW(journal.append(trajectory(19)), WriteError);
  }
  EXPECT_GT(kept, 2u);
  SweepJournal journal(folder / "a.h5", digest, count);
  EXPECT_EQ(journal.done(), kept);
  for (std::uint64_t i = 0; i < count; ++i) journal.append(trajectory(i));
  for (std::uint64_t i = 0; i < count; ++i) EXPECT_EQ(to_bytes(journal.read(i)), to_bytes(trajectory(i)));
}

TEST(SweepJournal, TakesFromManyThreads) {
  const TempFolder folder;
  constexpr std::uint64_t many = 400;
  {
    SweepJournal journal(folder / "a.h5", digest, many);
    std::vector<std::thread> threads;
    for (std::uint64_t k = 0; k < 4; ++k)
      threads.emplace_back([&, k] {
        for (std::uint64_t i = k; i < many; i += 4) journal.append(trajectory(i));
      });
    for (std::thread& thread : threads) thread.join();
  }
  const SweepJournal journal(folder / "a.h5", digest, many);
  EXPECT_EQ(journal.done(), many);
  for (std::uint64_t i = 0; i < many; ++i) EXPECT_EQ(to_bytes(journal.read(i)), to_bytes(trajectory(i)));
}

// Four chains of five trajectories, every second one backward.
JournalledWork::Chains chains() {
  return {4, [](std::uint64_t chain) {
            std::vector<std::uint64_t> all;
            for (std::uint64_t i = 0; i < 5; ++i) all.push_back(5 * chain + (chain % 2 == 0 ? i : 4 - i));
            return all;
          }};
}

TEST(SweepWork, ChainsGoOnWhereTheyEnded) {
  const TempFolder folder;
  SweepJournal journal(folder / "a.h5", digest, count);
  for (const std::uint64_t i : {0, 1, 9, 10, 11, 12, 13, 14}) journal.append(trajectory(i));
  journal.append(trajectory(19, "it broke"));
  JournalledWork work(chains(), count, journal);

  const auto first = work.next();
  EXPECT_THAT(first->trajectories, ElementsAre(2, 3, 4));
  EXPECT_EQ(first->start, trajectory(1).final);
  const auto second = work.next();
  EXPECT_THAT(second->trajectories, ElementsAre(8, 7, 6, 5));
  EXPECT_EQ(second->start, trajectory(9).final);
  // The third is done. The fourth goes on from its own start: the one before has no end.
  const auto third = work.next();
  EXPECT_THAT(third->trajectories, ElementsAre(18, 17, 16, 15));
  EXPECT_THAT(third->start, IsEmpty());
  EXPECT_FALSE(work.next());
  EXPECT_FALSE(work.next());
}

TEST(SweepWork, ProgressCountsWhatIsThere) {
  const TempFolder folder;
  SweepJournal journal(folder / "a.h5", digest, count);
  journal.append(trajectory(3));
  std::vector<std::uint64_t> told;
  JournalledWork work(chains(), count, journal, nullptr,
                      [&](std::uint64_t done, std::uint64_t all, std::uint64_t steps) {
                        told = {done, all, steps};
                      });
  work.finished(trajectory(4));
  EXPECT_THAT(told, ElementsAre(2, count, 103 + 104));
}

TEST(SweepWork, EndsWhenInterruptedOrStopped) {
  const TempFolder folder;
  SweepJournal journal(folder / "a.h5", digest, count);
  std::atomic<bool> interrupt{false};
  JournalledWork work(chains(), count, journal, &interrupt);
  EXPECT_TRUE(work.next());
  interrupt = true;
  EXPECT_FALSE(work.next());
  interrupt = false;
  EXPECT_TRUE(work.next());
  HostedWork hosted(work);
  hosted.left(2, "");
  EXPECT_TRUE(work.next());
  hosted.left(3, "out of memory");
  EXPECT_FALSE(work.next());
  EXPECT_EQ(hosted.next(), "");
  EXPECT_THAT(message_of<WriteError>([&] { work.check(); }), HasSubstr("rank 3 has ended: out of memory"));
}

// Two processes in one: what is asked for over there is answered here.
class Wire final : public SweepRanks {
 public:
  explicit Wire(SweepHost& host) : host_(host) {}
  int rank() const override { return 1; }
  int size() const override { return 2; }
  std::vector<RankWord> exchange(const RankWord& own) override { return {own, own}; }
  void serve(SweepHost&) override {}
  std::string next() override { return host_.next(); }
  void finished(const std::string& bytes) override { host_.finished(bytes); }
  void leave(const std::string& why) override { host_.left(1, why); }

 private:
  SweepHost& host_;
};

TEST(SweepWork, IsSharedWithOtherProcesses) {
  const TempFolder folder;
  SweepJournal journal(folder / "a.h5", digest, count);
  JournalledWork work(chains(), count, journal);
  HostedWork hosted(work);
  Wire wire(hosted);
  RemoteWork remote(wire, nullptr);
  std::set<std::uint64_t> seen;
  for (auto here = work.next(), there = remote.next(); here || there; here = work.next(), there = remote.next()) {
    for (const std::uint64_t i : here ? here->trajectories : std::vector<std::uint64_t>{}) {
      EXPECT_TRUE(seen.insert(i).second);
      work.finished(trajectory(i));
    }
    for (const std::uint64_t i : there ? there->trajectories : std::vector<std::uint64_t>{}) {
      EXPECT_TRUE(seen.insert(i).second);
      remote.finished(trajectory(i));
    }
  }
  EXPECT_EQ(seen.size(), count);
  for (std::uint64_t i = 0; i < count; ++i) EXPECT_EQ(to_bytes(journal.read(i)), to_bytes(trajectory(i)));
}

}  // namespace
}  // namespace ricochet
