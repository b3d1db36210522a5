// Says every few seconds that it is time to save, and looks at the clock only as often as that needs.
#pragma once

#include <algorithm>
#include <chrono>

namespace ricochet {

class Heartbeat {
 public:
  static constexpr std::chrono::seconds interval{2};

  // To be called often: most calls only count.
  bool due() { return ++calls_ >= stride_ && look(); }

  // Looks at the clock now.
  bool look() {
    const auto now = Clock::now();
    const auto since_look = now - last_look_;
    // Quick calls are looked at more and more rarely, slow ones each time.
    stride_ = since_look < std::chrono::milliseconds(1) ? std::min(2 * stride_, longest_stride) : 1;
    calls_ = 0;
    last_look_ = now;
    if (now - last_beat_ < interval) return false;
    last_beat_ = now;
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int longest_stride = 64;
  Clock::time_point last_beat_ = Clock::now(), last_look_ = last_beat_;
  int calls_ = 0, stride_ = 1;
};

}  // namespace ricochet
