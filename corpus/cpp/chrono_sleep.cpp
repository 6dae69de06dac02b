// selvedge: run
// cflags: -std=c++20
// expect: exit 0
// seeds: 3
// native: same
// stdout: 5415250 ms, 5415 s, 90.25 min
// stdout: 1:30:15
// stdout: 1 3
// stdout: 2024-3-1 leap 1 weekday 5
// stdout: done 2 forward 1
// stdout: epoch 1

// Durations are exact; clocks only promise not to go back; sleeping does not decide who is first.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

using namespace std::chrono;
using namespace std::chrono_literals;

int main() {
    auto span = 1h + 30min + 15s + 250ms;
    std::printf("%lld ms, %lld s, %.2f min\n", (long long)duration_cast<milliseconds>(span).count(),
                (long long)floor<seconds>(span).count(), duration<double, std::ratio<60>>(span).count());
    hh_mm_ss clock(span);
    std::printf("%d:%d:%d\n", int(clock.hours().count()), int(clock.minutes().count()), int(clock.seconds().count()));
    std::printf("%d %lld\n", 1500us > 1ms, (long long)(7s % 4s).count());
    year_month_day date = sys_days(2024y / February / 28) + days(2);
    std::printf("%d-%u-%u leap %d weekday %u\n", int(date.year()), unsigned(date.month()), unsigned(date.day()),
                date.year().is_leap(), weekday(date).c_encoding());

    auto start = steady_clock::now();
    std::atomic<int> done{0};
    std::thread slow([&] {
        std::this_thread::sleep_for(2ms);
        done.fetch_add(1);
    });
    std::thread fast([&] {
        std::this_thread::sleep_until(steady_clock::now() + 1ms);
        done.fetch_add(1);
    });
    slow.join();
    fast.join();
    std::printf("done %d forward %d\n", done.load(), steady_clock::now() >= start);
    std::printf("epoch %d\n", system_clock::now().time_since_epoch() > 0s);
}
