//! One program of the corpus: compiles it, runs it with every seed, compares.

use super::check;
use super::directives::{self, Case, Command, Directives, Expected};
use super::native::{self, Source};
use selvedge::cli::run::RunArguments;
use selvedge::drivers::Request;
use selvedge::run::execute::{Captured, Limits};
use selvedge::run::prepare::{Prepared, prepare};
use selvedge::run::{self, Choose, Settings, Trace};
use selvedge_report::Verdict;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A run or check that takes longer than this hangs.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A program of the corpus.
pub struct Test {
    /// Its path within the corpus.
    pub name: String,
    file: PathBuf,
    text: String,
    /// Directives stand behind `//`.
    marked: bool,
}

/// How a run ended, in the words of directives.
struct Ended {
    result: Expected,
    detail: String,
    stdout: Vec<u8>,
}

impl Test {
    /// Reads the program's file.
    pub fn read(root: &Path, file: &Path) -> Self {
        let name = file.strip_prefix(root).unwrap_or(file).display().to_string();
        let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let marked = file.extension().is_some_and(|extension| extension != "txt");
        Test { name, file: file.to_path_buf(), text, marked }
    }

    /// Does what the program asks for, what takes long only if the run is `patient`; the number of runs and checks, or
    /// what is wrong in one line.
    pub fn run(&self, bless: bool, patient: bool) -> Result<usize, String> {
        let directives = directives::parse(&self.text, self.marked)?;
        let mut compiled = Compiled::default();
        let mut count = 0;
        for (index, case) in directives.cases.iter().enumerate() {
            if case.slow.is_some() && !patient {
                continue;
            }
            let done = match case.command {
                Command::Run => self.run_case(&directives, case, &mut compiled, bless),
                Command::Check => self.check_case(&directives, case, &mut compiled),
            };
            let which = || match directives.cases.len() {
                1 => String::new(),
                _ => format!("case {} ({}): ", index + 1, case.arguments.join(" ")),
            };
            count += done.map_err(|error| format!("{}{error}", which()))?;
        }
        Ok(count)
    }

    fn check_case(
        &self,
        directives: &Directives,
        case: &Case,
        compiled: &mut Compiled,
    ) -> Result<usize, String> {
        let (all, _) = self.words(directives, case)?;
        let arguments = selvedge::cli::parse_check(&all).map_err(|error| error.to_string())?;
        let prepared = compiled.prepare(arguments.program().request())?;
        let asks = selvedge_machine::asks_for_inputs(&prepared.program).is_some();
        let settings = arguments.settings(stdin(directives), arguments.strategy(prepared), asks);
        check::check(prepared, settings, case)?;
        Ok(1)
    }

    fn run_case(
        &self,
        directives: &Directives,
        case: &Case,
        compiled: &mut Compiled,
        bless: bool,
    ) -> Result<usize, String> {
        let (all, words) = self.words(directives, case)?;
        let arguments = selvedge::cli::parse_run(&all).map_err(|error| error.to_string())?;
        let prepared = compiled.prepare(arguments.program().request())?;
        let seeds: Vec<Option<u64>> = match case.seeds {
            Some(count) => (0..count).map(Some).collect(),
            None => vec![None],
        };
        let mut met = vec![false; case.expect_some.len()];
        for (index, seed) in seeds.iter().enumerate() {
            let choose = seed.map_or(Choose::InOrder, Choose::Seed);
            let at = seed.map_or(String::new(), |seed| format!("seed {seed}: "));
            let ended = execute(prepared, &arguments, directives, choose, index == 0)
                .map_err(|error| format!("{at}{error}"))?;
            compare(case, &ended, &mut met).map_err(|error| format!("{at}{error}"))?;
            if let Some(expected) = &case.stdout {
                let actual = lines(&ended.stdout);
                if actual != *expected {
                    if bless && directives.cases.len() == 1 {
                        let text = directives::bless(&self.text, self.marked, &actual);
                        std::fs::write(&self.file, text).map_err(|error| error.to_string())?;
                        return Ok(seeds.len());
                    }
                    return Err(format!("{at}standard output: {}", difference(expected, &actual)));
                }
            }
            if index == 0 && case.native {
                self.compare_natively(&arguments, &words, directives, &ended)?;
            }
        }
        match case.expect_some.iter().zip(&met).find(|(_, met)| !**met) {
            Some((expected, _)) => {
                Err(format!("expected {expected} from at least one of {} seeds", seeds.len()))
            }
            None => Ok(seeds.len()),
        }
    }

    fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new("."))
    }

    /// What follows the command, and the same without the input.
    fn words(&self, directives: &Directives, case: &Case) -> Result<(Vec<String>, Vec<String>), String> {
        let mut words = case.arguments.clone();
        let input = if self.marked { self.file.clone() } else { self.folder().to_path_buf() };
        if !self.marked {
            if words.first().map(String::as_str) != Some(".") {
                return Err("the input of a package is `.`".to_owned());
            }
            words.remove(0);
        }
        let mut all = vec![input.display().to_string()];
        all.extend(words.iter().cloned());
        if let Some(cflags) = &directives.cflags {
            // The case's own flags come after those of the file.
            let own = all.iter().take_while(|word| *word != "--").position(|word| word == "--cflags");
            match own.and_then(|at| all.get_mut(at + 1)) {
                Some(own) => *own = format!("{cflags} {own}"),
                None => drop(all.splice(1..1, ["--cflags".to_owned(), cflags.clone()])),
            }
        }
        Ok((all, words))
    }

    fn compare_natively(
        &self,
        arguments: &RunArguments,
        words: &[String],
        directives: &Directives,
        ended: &Ended,
    ) -> Result<(), String> {
        let Expected::Exit(code) = ended.result else { return Ok(()) };
        let options: Vec<String> = words.iter().take_while(|word| *word != "--").cloned().collect();
        let source = match self.marked {
            true => Source::File(&self.file),
            false => Source::Package(self.folder(), &options),
        };
        let inputs = arguments.program().inputs(stdin(directives));
        let cflags = arguments.program().request().cflags;
        let native = native::run(&source, &cflags, &inputs.arguments, &inputs.stdin)?;
        let Some((stdout, native_code)) = native else { return Ok(()) };
        if stdout != ended.stdout {
            let difference = difference(&lines(&stdout), &lines(&ended.stdout));
            return Err(format!("standard output is not that of the native program: {difference}"));
        }
        match native_code == code {
            true => Ok(()),
            false => Err(format!("exit code {code}, and {native_code} natively")),
        }
    }
}

/// The last program that was compiled: cases often differ in options only.
#[derive(Default)]
struct Compiled {
    last: Option<(Request, Prepared)>,
}

impl Compiled {
    fn prepare(&mut self, mut request: Request) -> Result<&Prepared, String> {
        request.program = Some(PathBuf::from(env!("CARGO_BIN_EXE_selvedge")));
        if self.last.as_ref().is_none_or(|(last, _)| *last != request) {
            let prepared = prepare(&request).map_err(|error| format!("not prepared: {error}"))?;
            self.last = Some((request, prepared));
        }
        self.last.as_ref().map(|(_, prepared)| prepared).ok_or_else(|| "nothing is prepared".to_owned())
    }
}

fn stdin(directives: &Directives) -> Vec<u8> {
    directives.stdin.iter().flat_map(|line| [line.as_bytes(), b"\n"]).flatten().copied().collect()
}

fn execute(
    prepared: &Prepared,
    arguments: &RunArguments,
    directives: &Directives,
    choose: Choose,
    again: bool,
) -> Result<Ended, String> {
    let limits = arguments.limits();
    let limits = Limits { time: limits.time.or(Some(PATIENCE)), ..limits };
    let inputs = arguments.program().inputs(stdin(directives));
    let mut settings = Settings { choose, model: arguments.model(), inputs, trace: Trace::Off, limits };
    let mut output = Captured::default();
    let mut execution = run::run(prepared, &settings, &mut output).map_err(|error| error.to_string())?;
    let schedule = run::schedule(prepared, &settings, &execution);
    let verdict = run::judge(&mut execution, arguments.at_end());
    if again {
        // What was recorded can be replayed, and says the same.
        settings.choose = Choose::Replay(Box::new(schedule));
        let mut second = Captured::default();
        let replayed = run::run(prepared, &settings, &mut second);
        let mut replayed = replayed.map_err(|error| format!("replay: {error}"))?;
        if run::judge(&mut replayed, arguments.at_end()) != verdict || second != output {
            return Err("a replay gives another result".to_owned());
        }
    }
    let (result, detail) = match verdict {
        Verdict::Ended(code) => (Expected::Exit(code), String::new()),
        Verdict::Violation(violation) => {
            let line = violation.place.as_ref().map(|place| place.line);
            let place = violation.place.map(|place| place.described()).unwrap_or_default();
            let detail = format!(" ({}, {place})", violation.message);
            (Expected::Violation { kind: violation.kind.name().to_owned(), line }, detail)
        }
        Verdict::Unknown(unknown) => {
            let place = unknown.place.map(|place| place.described()).unwrap_or_default();
            (Expected::Unknown(unknown.what), format!(" ({place})"))
        }
    };
    Ok(Ended { result, detail, stdout: output.stdout })
}

fn compare(case: &Case, ended: &Ended, met: &mut [bool]) -> Result<(), String> {
    let mut fits = case.expect.iter().any(|expected| satisfies(&ended.result, expected));
    for (expected, met) in case.expect_some.iter().zip(met) {
        let hit = satisfies(&ended.result, expected);
        *met |= hit;
        fits |= hit;
    }
    fits |= !case.expect_some.is_empty() && ended.result == Expected::Exit(0);
    if fits {
        return Ok(());
    }
    let expected = case.expect.iter().chain(&case.expect_some).map(ToString::to_string);
    let expected = expected.collect::<Vec<_>>().join(" or ");
    Err(format!("expected {expected}, got {}{}", ended.result, ended.detail))
}

fn satisfies(result: &Expected, expected: &Expected) -> bool {
    match (result, expected) {
        (Expected::Violation { kind, .. }, Expected::Violation { kind: wanted, line: None }) => {
            kind == wanted
        }
        (Expected::Unknown(text), Expected::Unknown(wanted)) => text.contains(wanted.as_str()),
        _ => result == expected,
    }
}

/// The lines of a program's output, as directives write them.
fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).lines().map(|line| line.trim_end().to_owned()).collect()
}

fn difference(expected: &[String], actual: &[String]) -> String {
    let at = expected.iter().zip(actual).take_while(|(one, other)| one == other).count();
    let show = |lines: &[String]| match lines.get(at) {
        Some(line) => format!("{:?}", line.chars().take(200).collect::<String>()),
        None => "the end".to_owned(),
    };
    format!("line {} is {}, expected {}", at + 1, show(actual), show(expected))
}
