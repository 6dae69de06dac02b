//! `cargo run --release -p selvedge-fuzz -- csmith --seconds 600 --seed 1`

use clap::{Args, Parser, Subcommand};
use selvedge_fuzz::campaign::{Campaign, Summary};
use selvedge_fuzz::{
    abi, alike, batch, check, clients, commute, concolic, corpus, csmith, graphs, inputs, litmus, loader,
    programs, schedule, solve, terms, threads, weak,
};
use selvedge_oracle::generate::generate;
use selvedge_oracle::shapes::shaped;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// How often each program of the corpus is run.
const NATIVE_RUNS: u64 = 200;

/// Looks for mistakes of Selvedge with random programs and damaged files.
#[derive(Parser)]
#[command(name = "selvedge-fuzz")]
struct Arguments {
    #[command(subcommand)]
    mode: Mode,
}

#[derive(Subcommand)]
enum Mode {
    /// Random C programs of csmith beside their native runs
    Csmith(Extent),
    /// Random functions called in every way, in C and C++, beside their native runs
    Abi(Extent),
    /// Random multithreaded programs: determinism, replay, snapshots
    Threads(Extent),
    /// Random small programs: the search beside an enumerator
    Check(Extent),
    /// Random small programs in which main takes part, made of roles: the search beside an enumerator
    Shapes(Extent),
    /// Programs that use public libraries: a check beside native runs
    Clients(Clients),
    /// Random steps that are said to be independent: both orders lead to the same state
    Commute(Extent),
    /// Random questions about orders of events: the solver beside Z3 and an enumerator
    Solve(Extent),
    /// Random formulas beside Z3, and the paths of random small programs beside all their executions
    Terms(Extent),
    /// Random litmus tests: the exploration of execution graphs beside an enumerator
    Graphs(Extent),
    /// Random litmus tests as programs: the search through states beside an enumerator
    Litmus(Extent),
    /// Random programs with equal threads: the default search beside an enumerator
    Alike(Extent),
    /// Random programs with weak atomics: the default search beside that through all graphs
    Weak(Extent),
    /// Random programs that compute numbers from inputs: what executions say in expressions beside other executions
    Concolic(Extent),
    /// Random small programs with inputs: the search over paths beside all their executions
    Inputs(Extent),
    /// Random programs as people write them: searches of every kind beside each other
    Programs(Extent),
    /// Random programs, in a child of `programs`
    #[command(hide = true)]
    ProgramsChild(Share),
    /// The corpus natively, with random delays: nothing fails that must be verified
    Native(Extent),
    /// The text of a random program
    #[command(hide = true)]
    ProgramsShow(Share),
    /// Damaged modules
    Loader(Extent),
    /// Damaged modules, in a child of `loader`
    #[command(hide = true)]
    LoaderChild(LoaderShare),
    /// Damaged schedule files
    Schedule(Extent),
    /// Damaged schedule files, in a child of `schedule`
    #[command(hide = true)]
    ScheduleChild(Share),
}

#[derive(Args)]
struct Extent {
    /// Number of the first case
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Stop after so many seconds
    #[arg(long)]
    seconds: Option<u64>,
    /// Stop after so many cases
    #[arg(long)]
    count: Option<u64>,
}

#[derive(Args)]
struct Clients {
    /// Only clients whose names contain this
    #[arg(long, default_value = "")]
    only: String,
    /// Time limit of each check
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Native runs of each
    #[arg(long, default_value_t = 300)]
    runs: u64,
    /// A file for the table; rows of other clients stay in it
    #[arg(long)]
    table: Option<PathBuf>,
}

/// What a child process is to do.
#[derive(Args)]
struct Share {
    #[arg(long)]
    seed: u64,
    #[arg(long)]
    count: u64,
}

#[derive(Args)]
struct LoaderShare {
    #[command(flatten)]
    share: Share,
    /// Where the modules are
    #[arg(long)]
    folder: PathBuf,
}

impl Extent {
    fn campaign(&self, mode: &'static str) -> Campaign {
        let time = self.seconds.map(Duration::from_secs);
        Campaign { mode, seed: self.seed, count: self.count, time }
    }
}

fn run(mode: Mode) -> Result<Summary, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    Ok(match mode {
        Mode::Csmith(extent) => {
            extent.campaign("csmith").run(|number| csmith::case(number, csmith::levels(number)))
        }
        Mode::Abi(extent) => extent.campaign("abi").run(|number| abi::case(number, &["0", "1", "2"])),
        Mode::Threads(extent) => extent.campaign("threads").run(|number| threads::case(number, 4)),
        Mode::Check(extent) => check::run(&extent.campaign("check"), generate),
        Mode::Shapes(extent) => check::run(&extent.campaign("shapes"), shaped),
        Mode::Clients(Clients { only, seconds, runs, table }) => {
            clients::run(&program, &clients::Plan { only, seconds, runs, table })?
        }
        Mode::Commute(extent) => extent.campaign("commute").run(commute::case),
        Mode::Solve(extent) => extent.campaign("solve").run(solve::case),
        Mode::Terms(extent) => extent.campaign("terms").run(terms::case),
        Mode::Graphs(extent) => extent.campaign("graphs").run(graphs::case),
        Mode::Alike(extent) => extent.campaign("alike").run(alike::case),
        Mode::Litmus(extent) => extent.campaign("litmus").run(litmus::case),
        Mode::Weak(extent) => weak::run(&extent.campaign("weak")),
        Mode::Inputs(extent) => inputs::run(&extent.campaign("inputs")),
        Mode::Concolic(extent) => extent.campaign("concolic").run(concolic::case),
        Mode::Programs(extent) => {
            let (summary, tally) = programs::run(&extent.campaign("programs"), &program);
            println!("{}", tally.table());
            summary
        }
        Mode::ProgramsChild(share) => {
            batch::serve(share.seed, share.count, programs::case);
            Summary::default()
        }
        Mode::Native(extent) => {
            let programs = corpus::verified();
            extent.campaign("native").run(|number| {
                corpus::case_of(&programs[number as usize % programs.len()], number, NATIVE_RUNS)
            })
        }
        Mode::ProgramsShow(share) => {
            for number in share.seed..share.seed + share.count {
                let program = programs::program(number);
                println!("{}", programs::text_of(&program, programs::c::Purpose::Shown));
            }
            Summary::default()
        }
        Mode::Loader(extent) => loader::run(&extent.campaign("loader"), &program)?,
        Mode::LoaderChild(LoaderShare { share, folder }) => {
            let modules = loader::Modules::read(&folder)?;
            batch::serve(share.seed, share.count, |number, stage| loader::case(&modules, number, stage));
            Summary::default()
        }
        Mode::Schedule(extent) => schedule::run(&extent.campaign("schedule"), &program)?,
        Mode::ScheduleChild(share) => {
            let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
            let schedules = schedule::Schedules::record(folder.path())?;
            batch::serve(share.seed, share.count, |number, stage| {
                schedule::case(&schedules, folder.path(), number, stage)
            });
            Summary::default()
        }
    })
}

fn main() -> ExitCode {
    // The linker of Rust programs calls this program.
    selvedge::drivers::wrapper::run_if_wrapper();
    let mode = Arguments::parse().mode;
    let child = matches!(
        mode,
        Mode::LoaderChild(_) | Mode::ScheduleChild(_) | Mode::ProgramsChild(_) | Mode::ProgramsShow(_)
    );
    match run(mode) {
        Ok(_) if child => ExitCode::SUCCESS,
        Ok(summary) => {
            println!("{}", summary.line());
            ExitCode::from(u8::from(!summary.findings.is_empty()))
        }
        Err(error) => {
            eprintln!("selvedge-fuzz: {error}");
            ExitCode::from(2)
        }
    }
}
