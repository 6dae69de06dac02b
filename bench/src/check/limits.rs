//! Runs a program as a child under limits and measures what it takes.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often to look at the child's memory.
const LOOK: Duration = Duration::from_millis(20);

/// What a child may use.
#[derive(Clone, Copy)]
pub struct Limits {
    pub time: Duration,
    /// Whether the time is that of the processor, not of the clock.
    pub processor: bool,
    /// Bytes of resident memory.
    pub memory: u64,
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exited(i32),
    Signal(i32),
    OutOfTime,
    OutOfMemory,
}

/// What a child took and said.
pub struct Measured {
    pub end: End,
    pub wall: Duration,
    /// User and system time, including its own children's.
    pub cpu: Duration,
    /// Highest resident memory in bytes.
    pub peak: u64,
    pub stdout: String,
    pub stderr: String,
}

/// Runs `command` to its end or to its limits; what it prints goes through files in `folder`.
pub fn run(command: &mut Command, folder: &Path, limits: Limits) -> Result<Measured, String> {
    let describe = |error: std::io::Error| format!("{command:?}: {error}");
    let (out, err) = (folder.join("stdout"), folder.join("stderr"));
    let files = (File::create(&out), File::create(&err));
    let (stdout, stderr) = (files.0.map_err(describe)?, files.1.map_err(describe)?);
    command.stdin(Stdio::null()).stdout(stdout).stderr(stderr).process_group(0);
    let start = Instant::now();
    let child = command.spawn().map_err(|error| format!("{command:?}: {error}"))?;
    let pid = child.id() as libc::pid_t;
    let (stop, stopped) = channel::<()>();
    let watch = std::thread::spawn(move || {
        loop {
            match stopped.recv_timeout(LOOK) {
                Err(RecvTimeoutError::Timeout) => {}
                _ => return None,
            }
            let taken = if limits.processor { processor_time(pid) } else { start.elapsed() };
            let end = if taken > limits.time {
                End::OutOfTime
            } else if resident(pid) > limits.memory {
                End::OutOfMemory
            } else {
                continue;
            };
            // SAFETY: the group is the child's own, and the child is not reaped before this thread has ended.
            unsafe { libc::kill(-pid, libc::SIGKILL) };
            return Some(end);
        }
    });
    wait_without_reaping(pid);
    let wall = start.elapsed();
    drop(stop);
    let cut = watch.join().unwrap_or(None);
    let (status, usage) = reap(pid);
    let end = match cut {
        Some(end) => end,
        None if libc::WIFEXITED(status) => End::Exited(libc::WEXITSTATUS(status)),
        None => End::Signal(libc::WTERMSIG(status)),
    };
    let read = |path: &Path| {
        std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
    };
    Ok(Measured {
        end,
        wall,
        cpu: duration(usage.ru_utime) + duration(usage.ru_stime),
        peak: usage.ru_maxrss as u64 * 1024,
        stdout: read(&out),
        stderr: read(&err),
    })
}

/// Resident bytes; 0 when the process is gone.
fn resident(pid: libc::pid_t) -> u64 {
    let statistics = std::fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    let pages = statistics.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
    // SAFETY: sysconf has no preconditions.
    pages.unwrap_or(0) * unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64
}

/// User and system time so far, without children's.
fn processor_time(pid: libc::pid_t) -> Duration {
    let statistics = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name in parentheses may hold anything; of what follows it, two fields are times in ticks.
    let fields = statistics.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    // SAFETY: sysconf has no preconditions.
    Duration::from_millis(ticks * 1000 / unsafe { libc::sysconf(libc::_SC_CLK_TCK) } as u64)
}

/// Until the child has ended. It stays a zombie, so that its number stays its own while others may still signal it.
fn wait_without_reaping(pid: libc::pid_t) {
    loop {
        // SAFETY: the structure is plain data, and the call only fills it.
        let result = unsafe {
            let mut information: libc::siginfo_t = std::mem::zeroed();
            libc::waitid(libc::P_PID, pid as libc::id_t, &mut information, libc::WEXITED | libc::WNOWAIT)
        };
        if result == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::EINTR) {
            return;
        }
    }
}

fn reap(pid: libc::pid_t) -> (i32, libc::rusage) {
    let mut status = 0;
    // SAFETY: both are plain data that the call fills; the child has ended, so it does not block.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::wait4(pid, &mut status, 0, &mut usage);
        usage
    };
    (status, usage)
}

fn duration(time: libc::timeval) -> Duration {
    Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, time: Duration, processor: bool, memory: u64) -> Measured {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut command = Command::new("sh");
        run(command.args(["-c", script]), folder.path(), Limits { time, processor, memory }).expect("sh runs")
    }

    #[test]
    fn tells_how_a_child_ends() {
        let hour = Duration::from_secs(3600);
        let measured = shell("echo said; exit 3", hour, false, u64::MAX);
        assert_eq!((measured.end, measured.stdout.as_str()), (End::Exited(3), "said\n"));
        assert!(measured.peak > 0);
        assert_eq!(shell("kill -9 $$", hour, false, u64::MAX).end, End::Signal(9));
        for processor in [false, true] {
            let measured = shell("while :; do :; done", Duration::from_millis(50), processor, u64::MAX);
            assert_eq!(measured.end, End::OutOfTime);
        }
        assert_eq!(shell("while :; do :; done", hour, false, 1).end, End::OutOfMemory);
    }
}
