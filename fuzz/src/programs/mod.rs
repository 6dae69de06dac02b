//! Random programs as people write them, in C, C++ and Rust: every search says the same about them, and the processor
//! shows nothing that the searches do not.

pub mod ast;
mod beside;
mod build;
pub mod c;
pub mod compare;
mod cxx;
pub mod generate;
pub mod oracle;
mod rust;
pub mod search;
mod shapes;
pub mod shrink;
pub mod tally;
mod text;

use crate::batch::Children;
use crate::campaign::{Campaign, Ran, Summary, kept};
use crate::random::Random;
use ast::{Language, Program};
use c::Purpose;
use compare::{Contradiction, compare, corpus_text, purpose};
use generate::generate;
use search::processor_time;
use selvedge::drivers::Request;
use selvedge::run::prepare::{Prepared, prepare};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;
use tally::Tally;

/// Candidates that are tried to make a program smaller.
const ATTEMPTS: usize = 120;
/// The processor works so long to make a program smaller: one finding must not keep others from being made.
const SHRINKING: Duration = Duration::from_secs(15);

/// Programs that one child is given: each takes about a quarter of a second.
const CHUNK: u64 = 32;
/// A search that says nothing for so long hangs, on however busy a machine: each has a limit of a few seconds.
const PATIENCE: Duration = Duration::from_secs(300);
/// One in so many programs is compared with its native runs, which take much longer than searches.
const NATIVE: usize = 16;

/// Whether the language of the program has all that the program does.
fn fits(program: &Program) -> bool {
    match program.language {
        Language::C => true,
        Language::Cxx => cxx::fits(program),
        Language::Rust => rust::fits(program),
    }
}

/// The program as text.
pub fn text_of(program: &Program, purpose: Purpose) -> String {
    match program.language {
        Language::C => c::to_c(program, purpose),
        Language::Cxx => cxx::to_cxx(program, purpose),
        Language::Rust => rust::to_rust(program, purpose),
    }
}

/// The program of a case.
pub fn program(number: u64) -> Program {
    // C has the most of what is generated, and is compiled in a thirtieth of the time.
    let language = match number % 64 {
        5 | 43 => Language::Cxx,
        31 => Language::Rust,
        _ => Language::C,
    };
    generate(language, number)
}

/// Runs a campaign in child processes, and the figures by pair.
pub fn run(campaign: &Campaign, this: &Path) -> (Summary, Tally) {
    let tally = Mutex::new(Tally::default());
    let children = Children {
        program: this,
        arguments: vec!["programs-child".to_owned()],
        fatal: |_| true,
        files: &|number| {
            let program = program(number);
            let text = text_of(&program, Purpose::Checked);
            vec![(format!("program.{}", program.language.extension()), text.into_bytes())]
        },
        chunk: CHUNK,
        patience: PATIENCE,
        note: &|line| tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner).read(line),
    };
    let summary = children.run(campaign);
    (summary, tally.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
}

/// One program, in a child process.
pub fn case(number: u64, stage: &dyn Fn(&str)) -> Result<Ran, String> {
    let program = program(number);
    let mut random = Random::new(number.wrapping_add(1 << 40));
    let mut tally = Tally::default();
    stage("compile");
    let optimised = random.once_in(6);
    let prepared = compiled(&program, Purpose::Checked, optimised)?;
    let mut compared = compare(&program, &prepared, &mut random, &mut tally, stage);
    if compared.is_ok() && !optimised && random.once_in(NATIVE) {
        compared = beside::compare(&program, &prepared, &mut random, &mut tally, stage);
    }
    for line in tally.lines() {
        println!("note {number} {line}");
    }
    match compared {
        Ok(()) => Ok(Ran::Passed),
        Err(contradiction) => Err(shown(number, (&program, optimised), *contradiction, stage)),
    }
}

/// Makes the program of a contradiction as small as can be, keeps it, and says what is wrong.
fn shown(
    number: u64,
    (program, optimised): (&Program, bool),
    first: Contradiction,
    stage: &dyn Fn(&str),
) -> String {
    let begun = processor_time();
    let left = || processor_time().saturating_sub(begun) < SHRINKING;
    let simplest = |found: Contradiction, program: &Program| {
        let prepared = compiled(program, purpose(&found), optimised);
        match prepared.ok().filter(|prepared| found.again(program, prepared).is_some()) {
            Some(prepared) => found.simplest(program, &prepared, &left),
            None => found,
        }
    };
    let mut found = simplest(first, program);
    let mut attempts = 0;
    let smallest = shrink::shrink(program, &mut |candidate| {
        attempts += 1;
        stage("shrink");
        let again = || {
            let prepared = compiled(candidate, purpose(&found), optimised).ok()?;
            found.again(candidate, &prepared)
        };
        match (attempts < ATTEMPTS && left()).then(again).flatten() {
            Some(again) => {
                found = again;
                true
            }
            None => false,
        }
    });
    found = simplest(found, &smallest);
    let folder = kept().join(format!("programs-{number}"));
    let name = format!("shrunk.{}", program.language.extension());
    let text = corpus_text(&smallest, optimised, &found);
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(folder.join(name), &text));
    let lost = written.err().map_or(String::new(), |error| format!(" (not kept: {error})"));
    let other = found.other.as_ref().map_or(String::new(), |other| format!("; {}", other.options()));
    format!(
        "{:?}: {}: {} [{}{other}]{lost}",
        program.shapes,
        found.wrong.options(),
        found.what,
        found.arguments.join(" ")
    )
}

/// Compiles a program.
pub fn compiled(program: &Program, purpose: Purpose, optimised: bool) -> Result<Prepared, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = folder.path().join(format!("program.{}", program.language.extension()));
    let text = text_of(program, purpose);
    std::fs::write(&source, &text).map_err(|error| error.to_string())?;
    let opt_level = optimised.then(|| "2".to_owned());
    let cflags = program.language.flags().iter().map(|flag| (*flag).to_owned()).collect();
    let request = Request { inputs: vec![source], opt_level, cflags, ..Request::default() };
    prepare(&request).map_err(|error| format!("not prepared: {error}\n{text}"))
}
