//! Random small programs: every complete strategy finds what the enumerator finds, under every memory model.

use crate::campaign::{Campaign, Failure, Ran, Summary};
use selvedge::drivers::Request;
use selvedge::run::prepare::prepare;
use selvedge_oracle::compare::{Compiled, MOST_VIEWS, compare};
use selvedge_oracle::enumerate::distinct_states;
use selvedge_oracle::graphs;
use selvedge_oracle::language::{Statement, walk};
use selvedge_oracle::shrink::shrink;
use selvedge_oracle::{Model, Program, c};
use std::time::{Duration, Instant};

/// Programs that are compiled together.
const BATCH: u64 = 50;
/// As long as a program is made smaller.
const SHRINKING: Duration = Duration::from_secs(30);
/// More states than a generated program has.
const STATES: u64 = 1_000_000;

/// Runs a campaign: its cases are the programs that `generate` makes of their numbers.
pub fn run(campaign: &Campaign, generate: fn(u64) -> Program) -> Summary {
    let prepare = |numbers: &[u64]| Both::new(numbers.iter().map(|&number| generate(number)).collect());
    campaign.run_together(BATCH, prepare, case)
}

/// Programs as they are, and with all accesses sequentially consistent.
struct Both {
    plain: Compiled,
    strengthened: Compiled,
}

impl Both {
    fn new(programs: Vec<Program>) -> Result<Self, Failure> {
        let strengthened = compile(programs.iter().map(graphs::strengthened).collect())?;
        Ok(Both { plain: compile(programs)?, strengthened })
    }
}

fn compile(programs: Vec<Program>) -> Result<Compiled, Failure> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = folder.path().join("programs.c");
    std::fs::write(&source, c::many_to_c(&programs)).map_err(|error| error.to_string())?;
    let request = Request { inputs: vec![source], ..Request::default() };
    let prepared = prepare(&request).map_err(|error| format!("not prepared: {error}"))?;
    Ok(Compiled { programs, program: prepared.program })
}

/// Compares one of the programs under every model.
fn case(compiled: &Both, index: usize) -> Result<Ran, Failure> {
    let program = &compiled.plain.programs[index];
    let mut ran = Ran::Passed;
    for model in [Model::Sc, Model::Tso, Model::Pso, Model::Rc11] {
        let Err(what) = check(compiled, index, model) else { continue };
        if is_open(program, model, &what) {
            ran = Ran::skipped("whether a call races with a store in a buffer is not known");
            continue;
        }
        let begun = Instant::now();
        let small = shrink(program, &mut |candidate| {
            begun.elapsed() < SHRINKING
                && Both::new(vec![candidate.clone()])
                    .is_ok_and(|compiled| check(&compiled, 0, model).is_err())
        });
        let now = Both::new(vec![small.clone()]).map(|compiled| check(&compiled, 0, model));
        let what = match now {
            Ok(Err(what)) => what,
            _ => what,
        };
        let text = c::to_c(&small);
        return Err(Failure {
            what: format!("{model:?}: {what}\n{text}"),
            files: vec![
                ("program.c".to_owned(), c::to_c(program).into_bytes()),
                ("shrunk.c".to_owned(), text.into_bytes()),
            ],
        });
    }
    Ok(ran)
}

/// Whether strategies say that they do not know what calls do while stores wait, and nothing else is wrong.
fn is_open(program: &Program, model: Model, what: &str) -> bool {
    let buffers = matches!(model, Model::Tso | Model::Pso);
    buffers && program.calls() && what.lines().all(|line| line.contains("not finished: Beyond"))
}

fn check(compiled: &Both, index: usize, model: Model) -> Result<(), String> {
    // Where every access is sequentially consistent the language's model is that of one step after the other.
    let (compiled, alike) = match model {
        Model::Rc11 => (&compiled.strengthened, Model::Sc),
        _ => (&compiled.plain, model),
    };
    let source = &compiled.programs[index];
    let expected = distinct_states(source, alike, STATES).ok_or("too many states")?;
    // A smaller program may unlock what it has not locked.
    if expected.misuse {
        return Ok(());
    }
    let (program, config) = (&compiled.program, compiled.config(index, model));
    let compared = match model {
        Model::Rc11 => graphs::compare(program, &config, source, &expected),
        _ => compare(program, &config, &expected, MOST_VIEWS),
    };
    compared.or_else(|what| known(source, what))
}

/// Leaves out what strategies that ask a solver say of themselves: they know nothing about processes that end before their
/// threads, or about tries to join.
fn known(source: &Program, what: String) -> Result<(), String> {
    let mut ends_early = source.main_creates();
    for body in source.bodies() {
        walk(body, &mut |statement| ends_early |= matches!(statement, Statement::Exit));
    }
    let beyond = |line: &&str| ends_early && line.contains("not finished: Beyond");
    let others: Vec<&str> = what.lines().filter(|line| !beyond(line)).collect();
    if others.is_empty() { Ok(()) } else { Err(others.join("\n")) }
}
