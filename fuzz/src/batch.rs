//! Cases that may crash or hang run in child processes: this program again, on a range of numbers.
//!
//! A child says on its standard output what it is at, one line each: `begin N`, `stage N TEXT`, then `pass N`,
//! `skip N TEXT` or `fail N TEXT`; and `note N TEXT` for whatever else there is to say. When it dies, the last case begun is to blame, and another child goes on behind it.

use crate::campaign::{Campaign, Failure, Ran, Summary};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

/// A case that takes longer than this hangs, on however busy a machine, where cases are quick.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// Cases that one child is given, where they are quick.
pub const CHUNK: u64 = 250;
/// Address space that a child may have, in KiB: needing more for a small file is a mistake.
const MEMORY: u64 = 6 << 20;

/// How a child's process is started.
pub struct Children<'a> {
    /// This program.
    pub program: &'a Path,
    /// What it shall do; the range is added.
    pub arguments: Vec<String>,
    /// Whether dying at this stage is a finding. If not, the case counts as skipped.
    pub fatal: fn(stage: &str) -> bool,
    /// What a case works on, to be kept when it fails.
    pub files: &'a (dyn Fn(u64) -> Vec<(String, Vec<u8>)> + Sync),
    /// Cases that one child is given.
    pub chunk: u64,
    /// A case that says nothing for so long hangs.
    pub patience: Duration,
    /// Told what children say besides, in lines of the form `note N TEXT`.
    pub note: &'a (dyn Fn(&str) + Sync),
}

/// How one case ended.
enum Ended {
    Ran(Ran),
    Failed(String),
}

impl Children<'_> {
    /// Runs the campaign in children, as many at a time as there are cores.
    pub fn run(&self, campaign: &Campaign) -> Summary {
        let begun = Instant::now();
        let next = AtomicU64::new(0);
        let summary = Mutex::new(Summary::default());
        let work = || {
            loop {
                let from = next.fetch_add(self.chunk, Ordering::Relaxed);
                let over = campaign.time.is_some_and(|time| begun.elapsed() >= time);
                let count = self.chunk.min(campaign.count.unwrap_or(u64::MAX).saturating_sub(from));
                if over || count == 0 {
                    return;
                }
                self.range(campaign.seed.wrapping_add(from), count, &mut |number, ended| {
                    let mut summary = summary.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    match ended {
                        Ended::Ran(ran) => summary.count(ran),
                        Ended::Failed(what) => {
                            let failure = Failure { what, files: (self.files)(number) };
                            let text = campaign.keep(number, &failure);
                            eprintln!("FAIL {text}");
                            summary.findings.push(text);
                        }
                    }
                });
            }
        };
        std::thread::scope(|scope| {
            let workers = std::thread::available_parallelism().map_or(1, usize::from);
            (0..workers).for_each(|_| drop(scope.spawn(work)));
        });
        summary.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Runs a range of cases, in as many children as it takes.
    fn range(&self, from: u64, count: u64, report: &mut dyn FnMut(u64, Ended)) {
        let mut done = 0;
        while done < count {
            match self.child(from.wrapping_add(done), count - done, report) {
                Ok(further) => done += further,
                Err(error) => {
                    report(from.wrapping_add(done), Ended::Failed(format!("no child process: {error}")));
                    return;
                }
            }
        }
    }

    /// Starts one child and reports on its cases until it ends; how many cases it got through.
    fn child(&self, from: u64, count: u64, report: &mut dyn FnMut(u64, Ended)) -> std::io::Result<u64> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "ulimit -v $1; shift; exec \"$@\"", "sh", &MEMORY.to_string()]);
        command.arg(self.program).args(&self.arguments);
        command.args(["--seed", &from.to_string(), "--count", &count.to_string()]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (sender, lines) = mpsc::channel();
        let stdout = child.stdout.take();
        let reader = std::thread::spawn(move || {
            let lines = stdout.into_iter().flat_map(|stdout| BufReader::new(stdout).lines());
            lines.map_while(Result::ok).try_for_each(|line| sender.send(line)).ok();
        });
        let stderr = child.stderr.take();
        let listener = std::thread::spawn(move || {
            let mut said = Vec::new();
            stderr.into_iter().for_each(|mut stderr| drop(stderr.read_to_end(&mut said)));
            said
        });
        let mut stage = String::new();
        let mut done = 0;
        let mut hung = false;
        while done < count {
            match lines.recv_timeout(self.patience) {
                Ok(line) => {
                    let mut words = line.splitn(3, ' ');
                    let (kind, _, rest) = (words.next(), words.next(), words.next().unwrap_or_default());
                    let ended = match kind {
                        Some("pass") => Ended::Ran(Ran::Passed),
                        Some("skip") => Ended::Ran(Ran::skipped(rest)),
                        Some("fail") => Ended::Failed(rest.to_owned()),
                        Some("note") => {
                            (self.note)(rest);
                            continue;
                        }
                        Some("stage") => {
                            rest.clone_into(&mut stage);
                            continue;
                        }
                        _ => {
                            stage.clear();
                            continue;
                        }
                    };
                    report(from.wrapping_add(done), ended);
                    done += 1;
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    hung = true;
                    break;
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
        }
        let how = end(&mut child, hung || done == count);
        let _ = reader.join();
        let said = listener.join().unwrap_or_default();
        if done < count {
            let how = if hung { "hung".to_owned() } else { format!("died ({how})") };
            let said = String::from_utf8_lossy(&said).trim_end().to_owned();
            let ended = match (self.fatal)(&stage) {
                true => Ended::Failed(format!("the process {how} in stage `{stage}`\n{said}")),
                false => Ended::Ran(Ran::Skipped(format!("{how} in stage `{stage}`"))),
            };
            report(from.wrapping_add(done), ended);
            done += 1;
        }
        Ok(done)
    }
}

/// Waits for the end of a child, which may have to be helped along.
fn end(child: &mut Child, kill: bool) -> String {
    if kill {
        let _ = child.kill();
    }
    child.wait().map_or_else(|error| error.to_string(), |status| status.to_string())
}

/// The child's side: runs the cases and says what it is at.
pub fn serve(from: u64, count: u64, case: impl Fn(u64, &dyn Fn(&str)) -> Result<Ran, String>) {
    let say = |text: String| {
        let mut stdout = std::io::stdout().lock();
        // A parent that is gone does not want to know.
        let _ = writeln!(stdout, "{}", text.replace('\n', " | ")).and_then(|()| stdout.flush());
    };
    // What is caught does not say where it came from.
    let first_panic = Arc::new(Mutex::new(String::new()));
    let noted = first_panic.clone();
    std::panic::set_hook(Box::new(move |panic| {
        let mut noted = noted.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // A thread that joins another one panics after it, and has less to say.
        if noted.is_empty() {
            *noted = panic.to_string();
        }
    }));
    for number in (0..count).map(|index| from.wrapping_add(index)) {
        say(format!("begin {number}"));
        let stage = |text: &str| say(format!("stage {number} {text}"));
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| case(number, &stage)));
        match result {
            Ok(Ok(Ran::Passed)) => say(format!("pass {number}")),
            Ok(Ok(Ran::Skipped(why))) => say(format!("skip {number} {why}")),
            Ok(Err(what)) => say(format!("fail {number} {what}")),
            Err(_) => {
                let mut panic = first_panic.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                say(format!("fail {number} {}", std::mem::take(&mut *panic)));
            }
        }
    }
}
