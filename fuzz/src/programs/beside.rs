//! A program beside its native runs: what the processor shows is among what the searches find.

use super::ast::{Language, Program};
use super::c::Purpose;
use super::compare::{About, Contradiction};
use super::oracle::{self, Ended, Runs};
use super::search::{Said, Search};
use super::tally::{Counts, Tally};
use crate::random::Random;
use selvedge::run::prepare::Prepared;
use selvedge_explore::Strategy;
use selvedge_report::Answer;
use selvedge_trace::Model;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Runs of each binary.
const RUNS: u64 = 100;
/// A run that takes longer hangs, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(3);
/// So many outcomes are asked for.
const OUTCOMES: usize = 8;

/// What native runs have shown.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Outcomes of runs that ended well.
    pub outcomes: BTreeSet<String>,
    /// How other runs ended.
    pub failures: BTreeSet<Ended>,
    /// How many runs there were.
    pub runs: u64,
}

/// Compiles a program natively. Where it is optimised the compiler may do all that the language allows.
pub fn binary(program: &Program, optimised: bool, folder: &Path) -> Result<PathBuf, String> {
    let source = folder.join(format!("native.{}", program.language.extension()));
    std::fs::write(&source, super::text_of(program, Purpose::Native)).map_err(|error| error.to_string())?;
    let made = folder.join("native");
    let noise = oracle::noise()?;
    let level = if optimised { "2" } else { "0" };
    let mut compiler = match program.language {
        Language::C => Command::new("clang-22"),
        Language::Cxx => Command::new("clang++-22"),
        Language::Rust => Command::new("rustc"),
    };
    match program.language {
        Language::C | Language::Cxx => {
            compiler
                .args([&format!("-O{level}"), "-w", "-pthread", "-o"])
                .arg(&made)
                .arg(&source)
                .arg(&noise);
            compiler.args(program.language.flags());
        }
        Language::Rust => {
            compiler.args(["--edition", "2024", "-Awarnings", "-C", &format!("opt-level={level}"), "-o"]);
            compiler.arg(&made).arg(&source).arg("-C").arg(format!("link-arg={}", noise.display()));
        }
    }
    oracle::compile(&mut compiler)?;
    Ok(made)
}

/// Runs a program natively.
pub fn seen(program: &Program, optimised: bool, random: &mut Random) -> Result<Seen, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let made = binary(program, optimised, folder.path())?;
    let runs = Runs { count: RUNS, seed: random.number(), patience: PATIENCE };
    let mut seen = Seen::default();
    for ((ended, printed), count) in oracle::run(&made, &[], &runs)? {
        seen.runs += count;
        let outcome = printed.lines().find_map(|line| line.strip_prefix("outcome "));
        match (ended.is_failure(), outcome) {
            (true, _) => drop(seen.failures.insert(ended)),
            (false, Some(outcome)) => drop(seen.outcomes.insert(outcome.to_owned())),
            (false, None) => {}
        }
    }
    Ok(seen)
}

/// The model that covers a binary: the processor's for code as it was written, the language's for optimised code.
fn model(optimised: bool) -> Model {
    if optimised { Model::Rc11 } else { Model::Tso }
}

/// Compares native runs, of code as it was written and optimised, with the default search.
pub fn compare(
    program: &Program,
    prepared: &Prepared,
    random: &mut Random,
    tally: &mut Tally,
    stage: &dyn Fn(&str),
) -> Result<(), Box<Contradiction>> {
    for optimised in [false, true] {
        stage("native");
        let wrong = Search::new(model(optimised), Strategy::Auto);
        let itself = |what: String| {
            let (arguments, kinds) = (Vec::new(), BTreeSet::new());
            Box::new(Contradiction {
                wrong: wrong.clone(),
                other: None,
                arguments,
                about: About::Itself,
                what,
                kinds,
            })
        };
        let seen = seen(program, optimised, random).map_err(itself)?;
        let found = judge(prepared, &wrong, &seen, tally, stage)?;
        if let Some((arguments, what)) = found {
            let about = About::Native(optimised);
            let kinds = BTreeSet::new();
            return Err(Box::new(Contradiction { wrong, other: None, arguments, about, what, kinds }));
        }
    }
    Ok(())
}

/// What native runs have shown that a search does not.
fn judge(
    prepared: &Prepared,
    search: &Search,
    seen: &Seen,
    tally: &mut Tally,
    stage: &dyn Fn(&str),
) -> Result<Option<(Vec<String>, String)>, Box<Contradiction>> {
    let said = super::compare::ask(search, prepared, &[], stage)?;
    let label = if search.model == Model::Rc11 { "native, optimised" } else { "native" };
    let mut note = |counts: Counts| tally.note(label, search.model.name(), counts);
    match said.answer {
        Answer::Unknown => {
            note(Counts { unknown: 1, ..Counts::default() });
            return Ok(None);
        }
        Answer::Verified => note(Counts { compared: 1, ..Counts::default() }),
        // What follows undefined behaviour is not compared.
        Answer::Violation if is_undefined(&said) => return Ok(None),
        Answer::Violation => {}
    }
    if let (Answer::Verified, Some(failure)) = (said.answer, seen.failures.first()) {
        note(Counts { contradicted: 1, ..Counts::default() });
        let what = format!("verified, and natively {} in some of {} runs", failure.words(), seen.runs);
        return Ok(Some((Vec::new(), what)));
    }
    if said.answer == Answer::Violation {
        return Ok(None);
    }
    for outcome in seen.outcomes.iter().take(OUTCOMES) {
        let arguments = vec!["is".to_owned(), outcome.clone()];
        let said = super::compare::ask(search, prepared, &arguments, stage)?;
        tally.note(
            &format!("{label}, outcomes"),
            search.model.name(),
            Counts {
                compared: u64::from(said.answer != Answer::Unknown),
                unknown: u64::from(said.answer == Answer::Unknown),
                contradicted: u64::from(said.answer == Answer::Verified),
            },
        );
        if said.answer == Answer::Verified {
            // What depends on the time that a search had is hard to see again.
            let again = super::compare::ask(search, prepared, &arguments, stage)?;
            let answers = if again.answer == Answer::Verified { "twice" } else { "the first time" };
            let what = format!("outcome {outcome} is not found {answers}, and there is natively");
            return Ok(Some((arguments, what)));
        }
    }
    Ok(None)
}

/// Whether a program does what the language gives no meaning to.
fn is_undefined(said: &Said) -> bool {
    said.kinds.iter().any(|kind| kind != "assertion" && kind != "deadlock")
}

/// Whether native runs of a program show the same again that a search does not.
pub fn again(
    program: &Program,
    prepared: &Prepared,
    found: &Contradiction,
    optimised: bool,
) -> Option<Contradiction> {
    let mut random = Random::new(1);
    // More runs than before: what was seen once need not be seen again.
    for _ in 0..3 {
        let seen = seen(program, optimised, &mut random).ok()?;
        let shown = judge(prepared, &found.wrong, &seen, &mut Tally::default(), &|_| {}).ok()?;
        if let Some((arguments, what)) = shown {
            return Some(Contradiction { arguments, what, ..found.clone() });
        }
    }
    None
}
