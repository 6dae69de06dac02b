// selvedge: run
// expect: exit 0
// seeds: 3
// native: same
// stdout: 3.75s 3 750 3.75
// stdout: 11.25s 1.875s
// stdout: None 0ns
// stdout: 7µs 1.000001ms 0ns
// stdout: time does not go back: true
// stdout: later instants compare later: true
// stdout: adding works: true
// stdout: after the epoch: true

//! Durations are exact arithmetic; instants only ever promise that they do not go back.

use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

fn main() {
    let span = Duration::from_millis(1500) + Duration::new(2, 250_000_000);
    println!("{span:?} {} {} {}", span.as_secs(), span.subsec_millis(), span.as_secs_f64());
    println!("{:?} {:?}", span * 3, span / 2);
    println!("{:?} {:?}", span.checked_sub(Duration::from_secs(9)), span.saturating_sub(Duration::MAX));
    println!("{:?} {:?} {:?}", Duration::from_micros(7), Duration::from_nanos(1_000_001), Duration::ZERO);

    let start = Instant::now();
    let child = thread::spawn(move || {
        thread::sleep(Duration::from_millis(1));
        start.elapsed()
    });
    let inside = child.join().unwrap();
    let outside = start.elapsed();
    println!("time does not go back: {}", outside >= inside);
    println!("later instants compare later: {}", Instant::now() >= start);
    println!("adding works: {}", start + Duration::from_secs(1) > start);
    println!("after the epoch: {}", SystemTime::now().duration_since(UNIX_EPOCH).is_ok());
}
