//! Runs compilers: their words are collected, several run at once.

use super::error::DriverError;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// How often it is checked whether the user still wants what a compiler does.
const LOOK: Duration = Duration::from_millis(50);
/// A compiler that is told to end may take so long for that.
const GRACE: Duration = Duration::from_millis(500);

/// Set when the user does not want the program any more.
static INTERRUPTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// From now on compilers are ended when this is set.
pub fn end_when(interrupted: Arc<AtomicBool>) {
    let _ = INTERRUPTED.set(interrupted);
}

fn is_interrupted() -> bool {
    INTERRUPTED.get().is_some_and(|interrupted| interrupted.load(Ordering::Relaxed))
}

/// Runs `command` to its end without standard input. Being unable to start it is an error, failing is not. If the user
/// interrupts us it is ended.
pub fn output(command: &mut Command) -> Result<Output, DriverError> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|cause| not_run(command, cause))?;
    let streams = (child.stdout.take(), child.stderr.take());
    let said = match read_both(streams) {
        Ok(said) => said,
        Err(cause) => {
            end(&mut child);
            return Err(not_run(command, cause));
        }
    };
    let status = child.wait().map_err(|cause| not_run(command, cause))?;
    Ok(Output { status, stdout: said.0, stderr: said.1 })
}

/// Runs `command` to its end as [`output`] does, while what it says on standard error goes where ours goes.
pub fn output_telling(command: &mut Command) -> Result<Output, DriverError> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let mut child = command.spawn().map_err(|cause| not_run(command, cause))?;
    let said = match read_both((child.stdout.take(), None)) {
        Ok(said) => said,
        Err(cause) => {
            end(&mut child);
            return Err(not_run(command, cause));
        }
    };
    let status = child.wait().map_err(|cause| not_run(command, cause))?;
    Ok(Output { status, stdout: said.0, stderr: Vec::new() })
}

/// Reads two streams to their ends without ever waiting for one of them alone.
fn read_both(streams: (Option<ChildStdout>, Option<ChildStderr>)) -> std::io::Result<(Vec<u8>, Vec<u8>)> {
    let mut stdout = streams.0.map(|stream| File::from(OwnedFd::from(stream)));
    let mut stderr = streams.1.map(|stream| File::from(OwnedFd::from(stream)));
    let mut said = (Vec::new(), Vec::new());
    let mut buffer = vec![0; 1 << 16];
    while stdout.is_some() || stderr.is_some() {
        if is_interrupted() {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        // A negative descriptor is not looked at.
        let one = |stream: &Option<File>| libc::pollfd {
            fd: stream.as_ref().map_or(-1, AsRawFd::as_raw_fd),
            events: libc::POLLIN,
            revents: 0,
        };
        let mut ready = [one(&stdout), one(&stderr)];
        // SAFETY: two entries, of descriptors that are open as long as the streams are.
        let count = unsafe { libc::poll(ready.as_mut_ptr(), 2, LOOK.as_millis() as i32) };
        if count < 0 && std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted {
            return Err(std::io::Error::last_os_error());
        }
        for (stream, into, ready) in
            [(&mut stdout, &mut said.0, ready[0]), (&mut stderr, &mut said.1, ready[1])]
        {
            let Some(file) = stream.as_mut().filter(|_| count > 0 && ready.revents != 0) else { continue };
            match file.read(&mut buffer) {
                Ok(0) => *stream = None,
                Ok(length) => into.extend_from_slice(&buffer[..length]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(said)
}

/// Ends a compiler: with the signal that lets it tidy up, and if that takes too long at once.
fn end(child: &mut Child) {
    if let Ok(process) = libc::pid_t::try_from(child.id()) {
        // SAFETY: our own child, which has not been waited for.
        unsafe { libc::kill(process, libc::SIGINT) };
    }
    if !matches!(wait(GRACE, || child.try_wait()), Ok(Some(_))) {
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Runs `command` without standard input and output, for at most so long; nothing if it took longer. What it says on
/// standard error goes through the file `said`, so that it never waits for a reader.
pub fn output_within(
    command: &mut Command,
    patience: Duration,
    said: &Path,
) -> Result<Option<Output>, DriverError> {
    let file = File::create(said).map_err(|cause| not_run(command, cause))?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(file);
    let mut child = command.spawn().map_err(|cause| not_run(command, cause))?;
    let Some(status) = wait(patience, || child.try_wait()).map_err(|cause| not_run(command, cause))? else {
        let _ = child.kill();
        let _ = child.wait();
        return Ok(None);
    };
    let stderr = std::fs::read(said).map_err(|cause| not_run(command, cause))?;
    Ok(Some(Output { status, stdout: Vec::new(), stderr }))
}

/// Asks again and again whether a child has ended, for at most so long.
pub fn wait(
    patience: Duration,
    mut try_wait: impl FnMut() -> std::io::Result<Option<ExitStatus>>,
) -> std::io::Result<Option<ExitStatus>> {
    let begun = Instant::now();
    // Most are done at once; then look less and less often.
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = try_wait()? {
            return Ok(Some(status));
        }
        if begun.elapsed() > patience {
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Runs a compiler. When it fails, its diagnostics become the error, unchanged.
pub fn compile(command: &mut Command, what: &str, verbose: bool) -> Result<(), DriverError> {
    if verbose {
        eprintln!("{}", shown(command));
    }
    let output = output(command)?;
    let diagnostics = diagnostics(&output);
    if !output.status.success() {
        return Err(DriverError::Rejected { what: what.to_string(), diagnostics });
    }
    if verbose {
        eprint!("{diagnostics}");
    }
    Ok(())
}

/// Everything the program said, on both streams, ending in a newline unless it said nothing.
pub fn diagnostics(output: &Output) -> String {
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Calls `work` on every item, on as many threads as there are cores. The first error (in the order of the
/// items that were begun) is returned, and nothing new is begun after it.
pub fn in_parallel<Item: Sync>(
    items: &[Item],
    work: impl Fn(&Item) -> Result<(), DriverError> + Sync,
) -> Result<(), DriverError> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(items.len());
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let errors = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while !failed.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    if let Err(error) = work(item) {
                        failed.store(true, Ordering::Relaxed);
                        errors.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((index, error));
                    }
                }
            });
        }
    });
    let errors = errors.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    match errors.into_iter().min_by_key(|(index, _)| *index) {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

fn not_run(command: &Command, cause: std::io::Error) -> DriverError {
    DriverError::NotRun { tool: command.get_program().to_string_lossy().into_owned(), cause }
}

/// The command as a person would type it; only for reading.
fn shown(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failing_item_is_reported() {
        let items: Vec<u32> = (0..20).collect();
        let result = in_parallel(&items, |item| match item {
            7 => Err(DriverError::UnknownVersion { tool: "seven".into(), answer: String::new() }),
            _ => Ok(()),
        });
        assert!(matches!(result, Err(DriverError::UnknownVersion { tool, .. }) if tool == "seven"));
    }

    #[test]
    fn patience_ends() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let within = |script: &str, patience: u64| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            output_within(&mut command, Duration::from_millis(patience), &folder.path().join("said"))
        };
        assert!(within("exec sleep 100", 50).expect("it runs").is_none());
        let output = within("echo oh >&2; exit 3", 60_000).expect("it runs").expect("it ends");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(3), &b"oh\n"[..]));
    }

    #[test]
    fn both_streams_are_read_to_their_ends() {
        let mut command = Command::new("sh");
        command.args(["-c", "head -c 300000 /dev/zero; echo oh >&2; head -c 300000 /dev/zero >&2; exit 3"]);
        let output = output(&mut command).expect("it runs");
        assert_eq!(
            (output.status.code(), output.stdout.len(), output.stderr.len()),
            (Some(3), 300_000, 300_003)
        );
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let result = output(&mut Command::new("selvedge-no-such-program"));
        assert!(
            matches!(result, Err(DriverError::NotRun { tool, .. }) if tool == "selvedge-no-such-program")
        );
    }
}
