#include "ranks.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "ricochet/core/error.hpp"

#ifdef RICOCHET_MPI
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#endif

namespace ricochet::cli {

namespace {

// OpenMPI and the launchers that follow MPICH tell this way.
int number_of(std::initializer_list<const char*> names, int otherwise) {
  for (const char* name : names)
    if (const char* text = std::getenv(name)) {
      int number = otherwise;
      std::from_chars(text, text + std::strlen(text), number);
      return number;
    }
  return otherwise;
}

}  // namespace

bool built_with_mpi() {
#ifdef RICOCHET_MPI
  return true;
#else
  return false;
#endif
}

int started_processes() { return number_of({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1); }
int started_rank() { return number_of({"OMPI_COMM_WORLD_RANK", "PMI_RANK"}, 0); }

#ifdef RICOCHET_MPI

namespace {

// What a message is. A trajectory of more than a message holds comes in parts.
enum Tag : int { ask, chain, part, trajectory, leaving };
constexpr std::size_t longest_message = std::size_t{1} << 30;

// Looks for messages again and again, but leaves the processor to those that compute.
class Patience {
 public:
  void wait() {
    std::this_thread::sleep_for(pause_);
    pause_ = std::min(2 * pause_, longest);
  }
  void reset() { pause_ = shortest; }

 private:
  static constexpr std::chrono::microseconds shortest{20}, longest{250};
  std::chrono::microseconds pause_ = shortest;
};

void send(const std::string& bytes, int to, Tag tag) {
  MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

std::string receive(const MPI_Status& found) {
  int size = 0;
  MPI_Get_count(&found, MPI_BYTE, &size);
  std::string bytes(size, '\0');
  MPI_Recv(bytes.data(), size, MPI_BYTE, found.MPI_SOURCE, found.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return bytes;
}

MPI_Status wait_for(int source, int tag) {
  Patience patience;
  while (true) {
    int found = 0;
    MPI_Status status;
    MPI_Iprobe(source, tag, MPI_COMM_WORLD, &found, &status);
    if (found != 0) return status;
    patience.wait();
  }
}

// One byte says whether the rank is ready, the rest is its text.
std::string packed(const RankWord& word) { return (word.ready ? '\1' : '\0') + word.text; }
RankWord unpacked(std::string_view bytes) { return {bytes.front() != '\0', std::string(bytes.substr(1))}; }

// From the first to the last call of MPI; the end waits for the other processes.
struct Session {
  Session() { MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided); }
  ~Session() { MPI_Finalize(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  int provided = 0;
};

class MpiRanks final : public SweepRanks {
 public:
  MpiRanks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    if (session_.provided < MPI_THREAD_SERIALIZED) throw Error("this MPI does not take calls from several threads");
    if (size_ != started_processes())
      throw Error(
          fmt::format("{} processes were started together, but MPI finds {} of them: is it the mpirun of the "
                      "MPI that ricochet was built with?",
                      started_processes(), size_));
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  std::vector<RankWord> exchange(const RankWord& own) override {
    const std::string text = packed(own);
    const int length = static_cast<int>(text.size());
    std::vector<int> sizes(size_), starts(sizes.size(), 0);
    MPI_Allgather(&length, 1, MPI_INT, sizes.data(), 1, MPI_INT, MPI_COMM_WORLD);
    for (std::size_t i = 1; i < sizes.size(); ++i) starts[i] = starts[i - 1] + sizes[i - 1];
    std::string all(static_cast<std::size_t>(starts.back() + sizes.back()), '\0');
    MPI_Allgatherv(text.data(), length, MPI_BYTE, all.data(), sizes.data(), starts.data(), MPI_BYTE, MPI_COMM_WORLD);
    std::vector<RankWord> words;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      words.push_back(unpacked(
          std::string_view(all).substr(static_cast<std::size_t>(starts[i]), static_cast<std::size_t>(sizes[i]))));
    return words;
  }

  void serve(SweepHost& host) override {
    std::vector<std::string> parts(size_);
    for (int left = 1; left < size_;) {
      const MPI_Status status = wait_for(MPI_ANY_SOURCE, MPI_ANY_TAG);
      const int source = status.MPI_SOURCE;
      std::string& bytes = parts[source];
      bytes += receive(status);
      if (status.MPI_TAG == part) continue;
      if (status.MPI_TAG == ask) send(host.next(), source, chain);
      if (status.MPI_TAG == trajectory) host.finished(bytes);
      if (status.MPI_TAG == leaving) {
        host.left(source, bytes);
        ++left;
      }
      bytes.clear();
    }
  }

  std::string next() override {
    const std::lock_guard lock(mutex_);
    send({}, 0, ask);
    return receive(wait_for(0, chain));
  }

  void finished(const std::string& bytes) override {
    const std::lock_guard lock(mutex_);
    std::size_t sent = 0;
    for (; bytes.size() - sent > longest_message; sent += longest_message)
      send(bytes.substr(sent, longest_message), 0, part);
    send(bytes.substr(sent), 0, trajectory);
  }

  void leave(const std::string& why) override {
    const std::lock_guard lock(mutex_);
    send(why, 0, leaving);
  }

 private:
  Session session_;
  int rank_ = 0, size_ = 1;
  std::mutex mutex_;
};

}  // namespace

std::unique_ptr<SweepRanks> join_ranks() { return started_processes() > 1 ? std::make_unique<MpiRanks>() : nullptr; }

#else

std::unique_ptr<SweepRanks> join_ranks() {
  if (started_processes() > 1)
    throw Error(
        fmt::format("{} processes were started together, but this ricochet was built without MPI: start one, or "
                    "build it where CMake finds OpenMPI (libopenmpi-dev)",
                    started_processes()));
  return nullptr;
}

#endif

}  // namespace ricochet::cli
