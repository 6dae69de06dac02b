//! Z3 as a second opinion, in a process of its own.

use crate::question::{commit_time, committed, included, question, time, wakes};
use selvedge_order::{
    Action, Answer, EventId, ExternalSolver, Query, QueryError, Requirement, SolverError, StartSolver, Step,
    Trace,
};
use selvedge_trace::Model;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// Z3 cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum Z3Error {
    /// It cannot be started.
    #[error("z3 cannot be started ({0}); install it, for example with `apt-get install z3`")]
    Start(std::io::Error),
    /// The connection is broken.
    #[error("z3 does not answer ({0}); try again with more memory")]
    Broken(std::io::Error),
    /// It says something unexpected.
    #[error("z3 answers `{0}`; use a version from 4.8 on")]
    Strange(String),
    /// The query is wrong.
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// What Z3 says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is a solution.
    Sat,
    /// There is none.
    Unsat,
    /// It does not know, or the time was over.
    Unknown,
}

/// A running Z3.
#[derive(Debug)]
pub struct Z3 {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    timeout: Duration,
    /// What it said last of the resources that it has used.
    used: u64,
}

impl Z3 {
    /// Starts Z3; every question may take so long.
    pub fn start(timeout: Duration) -> Result<Self, Z3Error> {
        let mut command = Command::new("z3");
        command.args(["-in", "-smt2"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(Z3Error::Start)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| Z3Error::Start(std::io::ErrorKind::BrokenPipe.into()))?;
        Ok(Z3 { child, input, output: BufReader::new(output), timeout, used: 0 })
    }

    /// Asks whether these assertions can hold.
    pub fn check(&mut self, text: &str) -> Result<Verdict, Z3Error> {
        let milliseconds = self.timeout.as_millis();
        let whole = format!("(reset)\n(set-option :timeout {milliseconds})\n{text}(check-sat)\n");
        self.input.write_all(whole.as_bytes()).map_err(Z3Error::Broken)?;
        self.input.flush().map_err(Z3Error::Broken)?;
        match self.line()?.as_str() {
            "sat" => Ok(Verdict::Sat),
            "unsat" => Ok(Verdict::Unsat),
            "unknown" | "timeout" => Ok(Verdict::Unknown),
            other => Err(Z3Error::Strange(other.to_owned())),
        }
    }

    /// The resources that it has used since it was asked for them the last time, by its own count, which does not depend on
    /// the machine.
    pub fn effort(&mut self) -> Result<u64, Z3Error> {
        self.input.write_all(b"(get-info :rlimit)\n").map_err(Z3Error::Broken)?;
        self.input.flush().map_err(Z3Error::Broken)?;
        let line = self.line()?;
        let count = line.strip_prefix("(:rlimit ").and_then(|rest| rest.strip_suffix(')'));
        let used = count.and_then(|count| count.parse().ok()).unwrap_or(self.used);
        let before = std::mem::replace(&mut self.used, used);
        Ok(used.checked_sub(before).unwrap_or(used))
    }

    fn line(&mut self) -> Result<String, Z3Error> {
        let mut line = String::new();
        match self.output.read_line(&mut line).map_err(Z3Error::Broken)? {
            0 => Err(Z3Error::Broken(std::io::ErrorKind::UnexpectedEof.into())),
            _ => Ok(line.trim().to_owned()),
        }
    }

    /// Whether there is an order that answers a query, with fewer events and commits than `fewer` if that is given.
    pub fn ask(
        &mut self,
        trace: &Trace,
        model: Model,
        query: &Query,
        fewer: Option<usize>,
    ) -> Result<Verdict, Z3Error> {
        let text = question(trace, model, query, fewer)?;
        self.check(&text)
    }

    /// Answers a query as [`selvedge_order::Prepared::solve`] does, with any order instead of the smallest one.
    pub fn solve(&mut self, trace: &Trace, model: Model, query: &Query) -> Result<Answer, Z3Error> {
        match self.ask(trace, model, query, None)? {
            Verdict::Unsat => return Ok(Answer::None),
            Verdict::Unknown => return Ok(Answer::Unknown),
            Verdict::Sat => {}
        }
        let required = Requirement::new(trace, query)?;
        let mut moments: Vec<(i64, EventId, bool)> = Vec::new();
        let limits = (0_u32..).zip(&required.limit);
        for event in
            limits.flat_map(|(thread, &limit)| (0..limit).map(move |index| EventId { thread, index }))
        {
            let buffered = model != Model::Sc && required.action(trace, event).buffered().is_some();
            for (here, when, commit) in
                [(included(event), time(event), false), (committed(event), commit_time(event), true)]
            {
                if (!commit || buffered) && self.value(&here)? == "true" {
                    let moment = self.value(&when)?;
                    let number = moment.parse().map_err(|_| Z3Error::Strange(moment))?;
                    moments.push((number, event, commit));
                }
            }
        }
        moments.sort_unstable();
        let mut steps = Vec::new();
        for &(_, event, commit) in &moments {
            if commit {
                steps.push(Step::Commit(event));
                continue;
            }
            steps.push(Step::Event(event));
            let goes_on = moments.iter().any(|&(_, other, commit)| {
                !commit && other.thread == event.thread && other.index == event.index + 1
            });
            if goes_on && required.expires(trace, event.thread, event.index + 1) {
                steps.push(Step::Expired(event));
            }
            if let Action::Notify { queue, .. } = required.action(trace, event) {
                for &(_, wait, _) in moments.iter().filter(|(_, _, commit)| !commit) {
                    let waits = matches!(required.action(trace, wait),
                        Action::Wait { queue: at, .. } if at == queue);
                    if waits && self.value(&wakes(wait, event))? == "true" {
                        steps.push(Step::Notified { thread: wait.thread });
                    }
                }
            }
        }
        Ok(Answer::Order { steps, least: false })
    }

    /// The value of a constant in the solution that was found last.
    fn value(&mut self, name: &str) -> Result<String, Z3Error> {
        writeln!(self.input, "(get-value ({name}))").map_err(Z3Error::Broken)?;
        self.input.flush().map_err(Z3Error::Broken)?;
        let line = self.line()?;
        let value = line.strip_prefix("((").and_then(|rest| rest.strip_suffix("))"));
        let value = value.and_then(|rest| rest.strip_prefix(name)).map(str::trim);
        // A negative number is written as (- 5).
        match value.map(|value| value.replace(['(', ')', ' '], "")) {
            Some(value) => Ok(value),
            None => Err(Z3Error::Strange(line)),
        }
    }
}

impl Drop for Z3 {
    fn drop(&mut self) {
        // It ends by itself when its input is closed; it is only not to be waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl From<Z3Error> for SolverError {
    fn from(error: Z3Error) -> Self {
        match error {
            Z3Error::Query(error) => SolverError::Query(error),
            trouble => SolverError::Failed(Box::new(trouble)),
        }
    }
}

impl ExternalSolver for Z3 {
    fn solve(&mut self, trace: &Trace, model: Model, query: &Query) -> Result<Answer, SolverError> {
        Ok(Z3::solve(self, trace, model, query)?)
    }

    fn work(&mut self) -> Result<u64, SolverError> {
        Ok(self.effort()?)
    }
}

/// Starts a Z3 for each thread of a search.
#[derive(Clone, Copy, Debug)]
pub struct StartZ3 {
    /// How long each question may take.
    pub timeout: Duration,
}

impl StartSolver for StartZ3 {
    fn start(&self) -> Result<Box<dyn ExternalSolver>, SolverError> {
        Ok(Box::new(Z3::start(self.timeout)?))
    }
}
