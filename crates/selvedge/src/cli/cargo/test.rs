//! `cargo selvedge test`.

use super::build::BuildArguments;
use super::listing::{Listed, list};
use super::outcome::Outcome;
use super::pool::{Pool, Task};
use super::results::{Key, Results, hash};
use super::select::Selection;
use super::settings::{self, FileSettings, TestSearch};
use super::tell::{Format, Manner, Teller, Test};
use crate::cli::code;
use crate::cli::ending::EndArguments;
use crate::cli::program::join;
use crate::cli::terminal::{self, complain, say};
use crate::cli::values::{jobs, variable};
use crate::drivers::cargo_tests::{self, TestProgram, TestPrograms};
use crate::drivers::{CargoTarget, temporary_folder};
use crate::run::ENVIRONMENT;
use crate::run::prepare::{Prepared, Reading, load};
use clap::Args;
use selvedge_trace::Inputs;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Check every test of a package by itself: does any schedule of its threads break it?
///
/// Finds the ordinary tests of a package (unit tests of its library and binaries, integration tests), builds them once, and
/// searches through all schedules of each. A line tells what came of a test as soon as that is known. Nothing in the
/// package changes.
#[derive(Args)]
#[command(after_help = EXIT_CODES, after_long_help = EXAMPLES)]
pub struct TestArguments {
    /// Only tests whose names contain this
    #[arg(value_name = "TESTNAME")]
    filter: Option<String>,

    /// Further filters and the options of Rust's test harness: --exact, --skip FILTER, --ignored, --include-ignored,
    /// --list, --test-threads NUMBER (tests at once)
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,

    #[command(flatten)]
    build: BuildArguments,

    /// Only used here to be known: what counts is read for each test, together with settings files.
    #[command(flatten)]
    _search: TestSearch,

    /// Check so many tests at once; all cores without it
    #[arg(long, value_name = "NUMBER", value_parser = jobs, help_heading = "Search")]
    jobs: Option<usize>,

    /// Check tests again whose outcome is known from before
    #[arg(long, help_heading = "Search")]
    fresh: bool,

    /// Set an environment variable for the tests, which see none of yours (only HOME, LANG and PATH with fixed values, and
    /// what cargo sets)
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable, help_heading = "Inputs")]
    env: Vec<String>,

    /// Text for people, or one JSON object a line: a test each, and the summary
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Report")]
    format: Format,

    /// Show the executions of violations as tables
    #[arg(long, help_heading = "Report")]
    trace: bool,

    /// Say nothing of tests that are verified
    #[arg(long, short, help_heading = "Report")]
    quiet: bool,
}

const EXIT_CODES: &str =
    "Exit codes: 0 all verified; 1 some violation; 2 wrong usage or input; 3 some unknown.";

const EXAMPLES: &str = "\
Examples:
  cargo selvedge test                          every test, each for at most 60 seconds
  cargo selvedge test queue --max-time 10      tests whose names contain `queue`
  cargo selvedge test --lib -- --exact tests::push_pop
                                               one unit test
  cargo selvedge test -p core --test stress --model tso --no-spurious
                                               an integration test of a package, on x86
  cargo selvedge test --format json            for programs

Settings for all runs are kept in selvedge.toml beside Cargo.toml, or below [package.metadata.selvedge] there:
  max-time = 20
  [[test]]
  name = \"stress::*\"
  model = \"sc\"

Exit codes:
  0   all tests were verified
  1   some test has a violation: schedule files in target/selvedge say how
  2   wrong usage or input
  3   some test is unknown, and none has a violation
  70  a bug of Selvedge
  130 interrupted";

/// What all tests have in common.
struct Session<'a> {
    arguments: &'a TestArguments,
    /// The options of the command line about how tests are checked.
    words: Vec<OsString>,
    selection: Selection,
    results: Results,
    /// Where schedules go.
    schedules: PathBuf,
    jobs: usize,
    interrupted: Arc<AtomicBool>,
    teller: Teller,
}

/// A test program at work.
struct Loaded<'a> {
    program: &'a TestProgram,
    bitcode: u128,
    settings: FileSettings,
    /// With and without the code of Rust's standard library, as soon as one is needed.
    prepared: [Option<Arc<Prepared>>; 2],
}

/// Runs the command; `words` are those of the command line after its name.
pub fn test(arguments: &TestArguments, words: &[OsString]) -> u8 {
    match run(arguments, words) {
        Ok(code) => code,
        Err(error) => complain(&error),
    }
}

fn run(arguments: &TestArguments, words: &[OsString]) -> Result<u8, String> {
    let selection = Selection::read(arguments.filter.as_deref(), &arguments.arguments)?;
    let interrupted = terminal::interruptions();
    let request = arguments.build.request();
    let built = cargo_tests::compile(&request, arguments.build.folder(), &arguments.build.chosen());
    if interrupted.load(Ordering::Relaxed) {
        say("selvedge: interrupted while compiling\n");
        return Ok(code::INTERRUPTED);
    }
    let built = built.map_err(|error| error.to_string())?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let manner = Manner { format: arguments.format, quiet: arguments.quiet, trace: arguments.trace };
    let mut session = Session {
        arguments,
        words: settings::of_search(words),
        jobs: selection.threads.or(arguments.jobs).unwrap_or_else(cores),
        selection,
        results: Results::new(built.folder.join("results")),
        schedules: built.folder.join("schedules"),
        interrupted: interrupted.clone(),
        teller: Teller::new(manner),
    };
    session.check(&built)?;
    let counts = session.teller.counts();
    if session.selection.list {
        return Ok(0);
    }
    session.teller.end();
    Ok(match counts {
        _ if interrupted.load(Ordering::Relaxed) => code::INTERRUPTED,
        counts if counts.violations > 0 => code::VIOLATION,
        counts if counts.unknown > 0 => code::UNKNOWN,
        counts if counts.checked() + counts.ignored == 0 && session.selection.is_partial() => {
            return Err(
                "no test has such a name. Leave the filter out, or add --list to see all names".into()
            );
        }
        _ => 0,
    })
}

impl Session<'_> {
    fn check(&mut self, built: &TestPrograms) -> Result<(), String> {
        let folder = temporary_folder().map_err(|error| error.to_string())?;
        let mut pool: Pool<(Test, Key)> = Pool::new(folder, self.interrupted.clone());
        for program in &built.programs {
            let path = &program.bitcode.modules[0].path;
            let bytes = std::fs::read(path).map_err(|cause| format!("`{}`: {cause}", path.display()))?;
            let mut loaded = Loaded {
                program,
                bitcode: hash([bytes]),
                settings: FileSettings::find(&program.package, &built.workspace)?,
                prepared: [None, None],
            };
            for listed in self.tests(&mut loaded)? {
                self.one(&mut loaded, &listed, &mut pool)?;
            }
        }
        let (teller, results) = (&mut self.teller, &self.results);
        pool.wait(1, |test, outcome| told(teller, results, test, &outcome));
        Ok(())
    }

    /// All tests of a program.
    fn tests(&self, loaded: &mut Loaded<'_>) -> Result<Vec<Listed>, String> {
        let key = self.results.key(loaded.bitcode, ["the tests"]);
        if let Some(known) = self.results.read(key) {
            return Ok(known);
        }
        let prepared = loaded.prepared(false)?;
        let (tests, lasting) = list(&prepared, self.environment(loaded.program));
        if lasting {
            self.results.keep(key, &tests);
        }
        Ok(tests)
    }

    /// Sees to one test: it is not meant, its outcome is known, or its check begins.
    fn one(
        &mut self,
        loaded: &mut Loaded<'_>,
        listed: &Listed,
        pool: &mut Pool<(Test, Key)>,
    ) -> Result<(), String> {
        let test = describe(loaded.program, listed);
        let (is_listed, mut is_checked) = self.selection.takes(listed);
        if !self.selection.names(&test.name) || !is_listed {
            return Ok(());
        }
        if self.selection.list {
            self.teller.listed(&test, listed);
            return Ok(());
        }
        is_checked &= !loaded.settings.ignores(&test.name);
        if !is_checked {
            self.teller.ignored(&test, listed.ignored.as_deref().unwrap_or("by the settings"));
            return Ok(());
        }
        let search = loaded.settings.search(&test.name, &self.words)?;
        let key = self.key(loaded, &test);
        let folder = &loaded.program.package.folder;
        if let Some(outcome) = self.results.outcome(key, folder).filter(|_| !self.arguments.fresh) {
            self.teller.outcome(&test, &outcome, true);
            return Ok(());
        }
        let (teller, results) = (&mut self.teller, &self.results);
        pool.wait(self.jobs, |test, outcome| told(teller, results, test, &outcome));
        if self.interrupted.load(Ordering::Relaxed) {
            self.teller.left();
            return Ok(());
        }
        let prepared = loaded.prepared(search.library_code())?;
        let task = self.task(loaded.program, listed, &test, (prepared, &search));
        // What is not written yet would be written by the copy, too.
        let _ = std::io::Write::flush(&mut std::io::stdout());
        if let Err((test, _)) = pool.begin((test, key), task) {
            let outcome = Outcome::failed("the system does not let another process begin", "", 0.0);
            self.teller.outcome(&test, &outcome, false);
        }
        Ok(())
    }

    /// All that the outcome of a test rests on.
    fn key(&self, loaded: &Loaded<'_>, test: &Test) -> Key {
        let words = loaded.settings.words(&test.name, &self.words);
        let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let environment = self.environment(loaded.program);
        // What replays a violation is part of its outcome.
        let replay = self.replay(loaded.program, "");
        let parts = ["a test", &test.target, &test.name, &replay].into_iter();
        let parts = parts.chain(environment.iter().chain(&words).map(String::as_str));
        self.results.key(loaded.bitcode, parts)
    }

    fn task(
        &self,
        program: &TestProgram,
        listed: &Listed,
        test: &Test,
        (prepared, search): (Arc<Prepared>, &TestSearch),
    ) -> Task {
        let mut arguments = Vec::new();
        if !listed.name.is_empty() {
            arguments = ["--exact", &listed.name, "--include-ignored"].map(str::to_owned).to_vec();
        }
        let inputs = Inputs { arguments, environment: self.environment(program), ..Inputs::default() };
        let folder = program.package.folder.clone();
        let file = format!("{}.{}.{}.schedule.json", test.package, test.target, test.name);
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
        let file = file.replace("::", ".").replace(|letter| !plain(letter), "_");
        let schedule = self.schedules.join(file);
        let schedule = schedule.strip_prefix(&folder).map_or(schedule.clone(), Path::to_path_buf);
        let at_end = EndArguments::words(search.at_end());
        Task {
            prepared,
            settings: search.settings(inputs, self.jobs),
            schedule,
            replay: self.replay(program, &join(&at_end)),
            folder,
        }
    }

    /// The command that replays, up to the file; `more` are further options.
    fn replay(&self, program: &TestProgram, more: &str) -> String {
        let mut words = ["selvedge", "run", "."].map(str::to_owned).to_vec();
        match &program.target {
            CargoTarget::Test(name) if name == "lib" => words.push("--lib".to_owned()),
            CargoTarget::BinaryTests(name) => words.extend(["--bin-tests".to_owned(), name.clone()]),
            CargoTarget::Test(name) | CargoTarget::Example(name) => {
                words.extend(["--test".to_owned(), name.clone()]);
            }
            CargoTarget::Binary(_) => {}
        }
        words.extend(["--package".to_owned(), program.package.name.clone()]);
        words.extend(self.arguments.build.words());
        let parts = [join(&words), more.to_owned(), "--schedule".to_owned()];
        let command = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        let here = std::env::current_dir().and_then(|folder| folder.canonicalize()).ok();
        match program.package.folder.canonicalize().ok() == here {
            true => command,
            false => format!("cd {} && {command}", join(&[program.package.folder.display().to_string()])),
        }
    }

    /// The variables that the tests of a program see.
    fn environment(&self, program: &TestProgram) -> Vec<String> {
        let mut all: Vec<String> = ENVIRONMENT.iter().map(|variable| (*variable).to_owned()).collect();
        all.push(format!("CARGO_MANIFEST_DIR={}", program.package.folder.display()));
        all.push(format!("CARGO_PKG_NAME={}", program.package.name));
        let name = |variable: &str| variable.split('=').next().unwrap_or_default().to_owned();
        for variable in &self.arguments.env {
            all.retain(|other| name(other) != name(variable));
            all.push(variable.clone());
        }
        all
    }
}

/// Tells of a test, and keeps what came out.
fn told(teller: &mut Teller, results: &Results, (test, key): (Test, Key), outcome: &Outcome) {
    if outcome.lasting {
        results.keep(key, outcome);
    }
    teller.outcome(&test, outcome, false);
}

impl Loaded<'_> {
    fn prepared(&mut self, code: bool) -> Result<Arc<Prepared>, String> {
        let place = &mut self.prepared[usize::from(code)];
        if let Some(prepared) = place {
            return Ok(prepared.clone());
        }
        let name = name(&self.program.target);
        let loaded = load(&self.program.bitcode, name, Reading { library_code: code, ..Reading::default() })
            .map_err(|error| error.to_string())?;
        Ok(place.insert(Arc::new(loaded)).clone())
    }
}

/// What the program is called, as with `selvedge check`.
fn name(target: &CargoTarget) -> String {
    match target {
        CargoTarget::Binary(name) => name.clone().unwrap_or_default(),
        CargoTarget::Example(name) | CargoTarget::Test(name) | CargoTarget::BinaryTests(name) => name.clone(),
    }
}

fn describe(program: &TestProgram, listed: &Listed) -> Test {
    let target = name(&program.target);
    let name = if listed.name.is_empty() { target.clone() } else { listed.name.clone() };
    Test {
        package: program.package.name.clone(),
        target,
        program: program.title.clone(),
        name,
        place: listed.place.clone(),
    }
}
