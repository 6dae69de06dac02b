//! Small programs that use public libraries: what a check with default settings says beside native runs with random
//! delays. One line of a table for each.

mod client;
mod native;
mod old;
mod table;

use crate::campaign::{Ran, Summary};
use crate::native::output;
use client::{Client, Kind};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What to do with the clients.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Only clients whose names contain this.
    pub only: String,
    /// Time limit of a check, in seconds.
    pub seconds: u64,
    /// Native runs of each.
    pub runs: u64,
    /// Where the table is kept, beside what is printed.
    pub table: Option<PathBuf>,
}

/// The verdict where the compiler does not accept a program because of what may be shared between threads.
const REFUSED: &str = "refused by the compiler";
/// The compiler's number for that.
const NOT_SHARED: &str = "E0277";

/// Where everything is.
struct Places {
    /// The command line program, which is built beside this one.
    selvedge: PathBuf,
    clients: PathBuf,
    /// Headers, and what is built.
    target: PathBuf,
}

impl Places {
    fn new(program: &Path) -> Result<Self, String> {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = package.parent().unwrap_or(package);
        let selvedge = program.with_file_name("selvedge");
        if !selvedge.exists() {
            return Err(format!("{} is not built", selvedge.display()));
        }
        Ok(Places { selvedge, clients: root.join("clients"), target: root.join("target/clients") })
    }

    fn include(&self) -> PathBuf {
        self.target.join("headers/usr/include")
    }
}

/// What a check said.
struct Said {
    verdict: String,
    /// What is wrong, or why nothing is known.
    why: String,
    looked: String,
    seconds: f64,
}

/// Checks the clients and runs them; prints a table.
pub fn run(program: &Path, plan: &Plan) -> Result<Summary, String> {
    let places = Places::new(program)?;
    let mut summary = Summary::default();
    println!("{}", table::head());
    let clients = client::all(&places.clients)?;
    for client in clients.iter().filter(|client| client.name.contains(&plan.only)) {
        let said = check(&places, client, plan)?;
        let native = match said.verdict.as_str() {
            REFUSED => Err(String::new()),
            _ => native::run(&places, client, plan.runs),
        };
        let (runs, failures) = match &native {
            Ok(seen) => (seen.runs.to_string(), seen.failures.join(", ")),
            Err(what) => (String::new(), what.lines().next().unwrap_or_default().to_owned()),
        };
        let wrong = judge(client, &said, native.as_ref().ok().map(|seen| seen.failures.as_slice()));
        let Said { verdict, why, looked, seconds } = &said;
        let agreement = wrong.as_deref().unwrap_or("yes");
        let row = format!(
            "| {} | {} | {verdict}{} | {looked} | {seconds:.1} | {runs} | {failures} | {agreement} |",
            client.name,
            client.library,
            if why.is_empty() { String::new() } else { format!(": {why}") },
        );
        println!("{row}");
        if let Some(file) = &plan.table {
            table::enter(file, &clients, &[row], plan, &today()?)?;
        }
        match wrong {
            Some(what) => summary.findings.push(format!("{}: {what}", client.name)),
            None => summary.count(Ran::Passed),
        }
    }
    Ok(summary)
}

/// The date.
fn today() -> Result<String, String> {
    let date = output(Command::new("date").args(["-u", "+%F"]))?;
    Ok(String::from_utf8_lossy(&date.stdout).trim().to_owned())
}

/// What is wrong with what was said. A violation of a client that is not known to have one has to be examined.
fn judge(client: &Client, said: &Said, failures: Option<&[String]>) -> Option<String> {
    let failed = failures.is_some_and(|failures| !failures.is_empty());
    let refused = matches!(&client.kind, Kind::Old(old) if old.refused);
    match said.verdict.as_str() {
        REFUSED if refused => None,
        _ if refused => Some("the compiler accepts it".to_owned()),
        "verified" | "unknown" if client.expect.is_some() => {
            Some("the known violation is not found".to_owned())
        }
        "verified" if failed => Some("contradicted natively".to_owned()),
        "violation" if client.expect.is_none() && !failed => Some("to be examined".to_owned()),
        "verified" | "violation" => None,
        "unknown" if said.why.is_empty() => Some("no reason is given".to_owned()),
        "unknown" => None,
        other => Some(format!("{other}: {}", said.why)),
    }
}

fn check(places: &Places, client: &Client, plan: &Plan) -> Result<Said, String> {
    let mut command = Command::new(&places.selvedge);
    command.arg("check").args(["--format", "json", "--no-schedule"]);
    command.args(["--max-time", &plan.seconds.to_string(), "--max-memory", "2G"]);
    command.args(&client.options);
    match &client.kind {
        Kind::Rust | Kind::Old(_) => {
            let package = match &client.kind {
                Kind::Old(old) => old.package(places, client)?,
                _ => places.clients.join("rust"),
            };
            command.arg(package).args(["--bin", &client.name]);
            command.env("CARGO_TARGET_DIR", places.target.join("rust")).env("CARGO_BUILD_JOBS", "1");
        }
        Kind::C | Kind::Cpp => {
            command.arg(&client.path).arg(format!("--cflags={}", client.flags(&places.include()).join(" ")));
        }
    }
    let done = output(&mut command)?;
    let said: Option<Value> = serde_json::from_slice(&done.stdout).ok();
    let Some(said) = said else {
        let told = String::from_utf8_lossy(&done.stderr);
        if told.contains(NOT_SHARED) {
            let (verdict, why) = (REFUSED.to_owned(), String::new());
            return Ok(Said { verdict, why, looked: String::new(), seconds: 0.0 });
        }
        let why = told.lines().take(3).collect::<Vec<_>>().join(" ");
        return Ok(Said { verdict: "error".to_owned(), why, looked: String::new(), seconds: 0.0 });
    };
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let violation = |value: &Value| format!("{} ({})", text(&value["kind"]), text(&value["message"]));
    let violations = said["violations"].as_array().into_iter().flatten().map(violation);
    let unknown = said["unknown"].as_array().into_iter().flatten().map(|value| text(&value["what"]));
    let why: Vec<String> = violations.chain(unknown).collect();
    let looked = match said["states"].as_u64() {
        Some(states) if states > 0 => format!("{states} states"),
        _ => format!("{} executions", said["executions"]),
    };
    let (verdict, seconds) = (text(&said["verdict"]), said["seconds"].as_f64().unwrap_or_default());
    Ok(Said { verdict, why: why.join("; ").replace('\n', " ").replace('|', "/"), looked, seconds })
}
