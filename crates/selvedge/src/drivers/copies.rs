//! Copies of this process, which work beside it: nothing has to be loaded again, and what goes wrong in one of them is
//! its end alone.

use super::error::DriverError;
use super::process::wait;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ExitStatus, Output};
use std::time::Duration;

/// The exit code of a copy whose work has panicked.
const PANICKED: i32 = 101;

/// A copy of this process at work.
#[derive(Debug)]
pub struct Copy {
    process: libc::pid_t,
    ended: Option<ExitStatus>,
}

impl Copy {
    /// Begins some work in a copy of this process, which ends with the exit code that the work gives, and at the latest
    /// with this process. What it says on standard error goes to the file `said`. Nothing where this process has other
    /// threads: what they hold would stay held in the copy.
    pub fn begin(said: &Path, work: impl FnOnce() -> i32) -> Option<Self> {
        if std::fs::read_dir("/proc/self/task").ok()?.count() != 1 {
            return None;
        }
        let file = File::create(said).ok()?;
        // SAFETY: there is no other thread, so the copy is whole.
        match unsafe { libc::fork() } {
            -1 => None,
            0 => {
                // SAFETY: both descriptors are open; what is said goes to the file from here on. A signal from the terminal is
                // for the original, which passes it on.
                unsafe {
                    libc::dup2(file.as_raw_fd(), 2);
                    libc::setpgid(0, 0);
                    libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                }
                let code = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or(PANICKED);
                // SAFETY: ends the copy at once: what is to be done at the end of the process is the original's to do.
                unsafe { libc::_exit(code) }
            }
            process => Some(Copy { process, ended: None }),
        }
    }

    /// How it has ended, if it has.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.ended.is_none() {
            let mut status = 0;
            // SAFETY: the child is ours, and nothing else waits for it.
            match unsafe { libc::waitpid(self.process, &mut status, libc::WNOHANG) } {
                0 => {}
                -1 => return Err(io::Error::last_os_error()),
                _ => self.ended = Some(ExitStatus::from_raw(status)),
            }
        }
        Ok(self.ended)
    }

    /// Asks it to come to an end.
    pub fn interrupt(&self) {
        self.signal(libc::SIGINT);
    }

    /// Ends it at once.
    pub fn kill(&mut self) {
        self.signal(libc::SIGKILL);
        let _ = wait(Duration::from_secs(10), || self.try_wait());
    }

    fn signal(&self, signal: libc::c_int) {
        if self.ended.is_none() {
            // SAFETY: the child was not waited for, so its number is not used again.
            unsafe { libc::kill(self.process, signal) };
        }
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        if self.ended.is_none() {
            self.kill();
        }
    }
}

/// Does some work in a copy of this process, whose exit code it gives, as [`super::process::output_within`] runs a command.
/// Nothing where there can be no copy.
pub fn copy_within(
    patience: Duration,
    said: &Path,
    work: impl FnOnce() -> i32,
) -> Option<Result<Option<Output>, DriverError>> {
    let mut copy = Copy::begin(said, work)?;
    let failed = |cause| DriverError::NotRun { tool: "selvedge".to_owned(), cause };
    Some(match wait(patience, || copy.try_wait()) {
        Ok(Some(status)) => std::fs::read(said)
            .map(|stderr| Some(Output { status, stdout: Vec::new(), stderr }))
            .map_err(failed),
        Ok(None) => {
            copy.kill();
            Ok(None)
        }
        Err(cause) => Err(failed(cause)),
    })
}
