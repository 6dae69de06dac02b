//! What the runtimes of Rust and C++ say on standard error when they give up.

/// A panic message of Rust's default hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Panic {
    /// The thread's name as Rust prints it.
    pub thread: String,
    /// The thread's number in the system, which older versions of Rust do not print.
    pub id: Option<u64>,
    /// Where it happened.
    pub file: String,
    /// Where it happened.
    pub line: u32,
    /// Where it happened.
    pub column: u32,
    /// What was said.
    pub message: String,
}

/// The last panic of Rust's main thread.
pub fn last_panic_of_main(stderr: &[u8]) -> Option<Panic> {
    panics(stderr).into_iter().rfind(|panic| panic.thread == "main")
}

/// The last panic of the thread with this number in the system, or of any where that is not printed.
pub fn last_panic_of(stderr: &[u8], id: u64) -> Option<Panic> {
    panics(stderr).into_iter().rfind(|panic| panic.id.is_none_or(|known| known == id))
}

/// The last panic that is not just the news that a panic could not be handled.
pub fn last_panic(stderr: &[u8]) -> Option<Panic> {
    let panics = panics(stderr);
    let secondary = |panic: &&Panic| {
        panic.message.starts_with("panic in a function that cannot unwind")
            || panic.message.starts_with("panic in a destructor during cleanup")
    };
    panics.iter().rfind(|panic| !secondary(panic)).or(panics.last()).cloned()
}

/// What the C++ runtime said when it terminated the program.
pub fn last_termination(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let line = text.lines().rfind(|line| line.starts_with("libc++abi: "))?;
    line.strip_prefix("libc++abi: ").map(str::to_owned)
}

/// All panics: `thread 'NAME' (ID) panicked at FILE:LINE:COLUMN:` and the lines up to the hint that follows. Our test harness
/// says the same of a test that has returned an error, which the line before tells.
fn panics(stderr: &[u8]) -> Vec<Panic> {
    let text = String::from_utf8_lossy(stderr);
    let mut panics = Vec::new();
    let mut lines = text.lines().peekable();
    let mut before = "";
    while let Some(line) = lines.next() {
        let Some(mut panic) = header(line) else {
            before = line;
            continue;
        };
        let mut message: Vec<&str> = Vec::new();
        let ends = |line: &str| {
            line.starts_with("note: ") || line.starts_with("stack backtrace:") || line.starts_with("thread '")
        };
        while let Some(line) = lines.next_if(|line| !ends(line)) {
            message.push(line);
        }
        while message.last().is_some_and(|line| line.is_empty() || line.ends_with("panic. aborting.")) {
            message.pop();
        }
        if panic.id.is_none() && before.starts_with("Error: ") {
            message.push(before);
        }
        panic.message = message.join("\n");
        panics.push(panic);
    }
    panics
}

fn header(line: &str) -> Option<Panic> {
    let rest = line.strip_prefix("thread '")?;
    let (thread, rest) = rest.split_once('\'')?;
    let (id, place) = rest.split_once(" panicked at ")?;
    let id = id.trim().strip_prefix('(').and_then(|id| id.strip_suffix(')'));
    let place = place.strip_suffix(':')?;
    let (place, column) = place.rsplit_once(':')?;
    let (file, line) = place.rsplit_once(':')?;
    Some(Panic {
        thread: thread.to_owned(),
        id: id.and_then(|id| id.parse().ok()),
        file: file.to_owned(),
        line: line.parse().ok()?,
        column: column.parse().ok()?,
        message: String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STDERR: &str = "hello\n\nthread '<unnamed>' (17) panicked at src/main.rs:5:9:\nfirst\nnote: run with \
                          `RUST_BACKTRACE=1` environment variable to display a backtrace\n\nthread 'main' (1) \
                          panicked at src/main.rs:9:27:\ncalled `Result::unwrap()` on an `Err` value: Any { .. }\n";

    #[test]
    fn what_a_test_returned_is_part_of_its_message() {
        let said = "Error: Empty\nthread 'main' panicked at src/lib.rs:5:9:\nthe test returned an error\n";
        let panic = last_panic_of_main(said.as_bytes()).expect("a panic");
        assert_eq!(panic.message, "the test returned an error\nError: Empty");
    }

    #[test]
    fn panics_are_found() {
        let panic = last_panic_of_main(STDERR.as_bytes()).expect("a panic");
        assert_eq!((panic.file.as_str(), panic.line, panic.column), ("src/main.rs", 9, 27));
        assert_eq!(panic.message, "called `Result::unwrap()` on an `Err` value: Any { .. }");
        assert_eq!(panics(STDERR.as_bytes())[0].message, "first");
        assert_eq!(last_panic_of(STDERR.as_bytes(), 17).map(|panic| panic.message), Some("first".into()));
        assert_eq!(last_panic_of(STDERR.as_bytes(), 18), None);
    }

    #[test]
    fn older_headers_have_no_number() {
        let panic =
            last_panic(b"thread 'main' panicked at a.rs:1:2:\nmessage\nof two lines\n").expect("a panic");
        assert_eq!(panic.message, "message\nof two lines");
    }

    #[test]
    fn other_lines_are_not_panics() {
        assert_eq!(panics(b"thread 'x' panicked at\nthread 'main' panicked at a:b:c:\n"), []);
    }

    #[test]
    fn terminations_of_cxx_are_found() {
        let stderr =
            b"x\nlibc++abi: terminating due to uncaught exception of type std::runtime_error: boom\n";
        let message = last_termination(stderr).expect("a message");
        assert_eq!(message, "terminating due to uncaught exception of type std::runtime_error: boom");
    }
}
