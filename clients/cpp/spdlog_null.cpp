// library: spdlog (libspdlog-dev)
// flags: -DFMT_HEADER_ONLY
#include "both.h"
#include <mutex>
#include <spdlog/sinks/null_sink.h>
#include <spdlog/spdlog.h>

int main() {
  spdlog::logger logger("client", std::make_shared<spdlog::sinks::null_sink_mt>());
  both([&] { logger.info("one"); }, [&] { logger.set_level(spdlog::level::err); });
  assert(logger.level() == spdlog::level::err);
}
