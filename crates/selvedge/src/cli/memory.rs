//! How much memory there is.

/// Three quarters of the memory that is available now; `None` where the system does not say.
pub fn default_limit() -> Option<u64> {
    let information = std::fs::read_to_string("/proc/meminfo").ok();
    let machine = information.as_deref().and_then(available);
    let number = |file: &str| std::fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
    // A container may be given less than the machine has.
    let container = number("/sys/fs/cgroup/memory.max")
        .map(|most| most.saturating_sub(number("/sys/fs/cgroup/memory.current").unwrap_or(0)));
    machine.into_iter().chain(container).min().map(|bytes| bytes / 4 * 3)
}

/// The line about available memory.
fn available(information: &str) -> Option<u64> {
    let line = information.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[test]
fn the_line_is_found() {
    assert_eq!(available("MemTotal:  100 kB\nMemAvailable:    64 kB\n"), Some(64 << 10));
    assert_eq!(available("MemTotal:  100 kB\n"), None);
}
