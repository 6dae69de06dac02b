//! Random programs with weak atomics under the language's memory model: the default search, which leaves out what it can
//! prove not to matter, finds what one through all execution graphs does, and where everything is sequentially consistent what
//! one through all interleavings does. What a search through states verifies, complete graphs do not break. Under `sc` the default
//! search finds what one through all states does.

pub mod generate;

use crate::campaign::{Campaign, Failure, Ran, Summary};
use generate::{Program, many_to_c};
use selvedge::drivers::Request;
use selvedge::run::prepare::prepare;
use selvedge_explore::{Bug, Options, Progress, Report, Strategy, explore, verify_by_states};
use selvedge_machine::{Config, Outcome, ViolationKind};
use selvedge_oracle::compare::replay;
use selvedge_trace::{Inputs, Model};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// Programs that are compiled together.
const BATCH: u64 = 50;
/// Programs with more executions are left out.
const EXECUTIONS: u64 = 20_000;
/// So are those of which one takes longer.
const LIMIT: Duration = Duration::from_secs(10);

/// Runs a campaign: its cases are programs.
pub fn run(campaign: &Campaign) -> Summary {
    campaign.run_together(
        BATCH,
        |numbers| Compiled::new(numbers.iter().map(|&number| generate::generate(number)).collect(), numbers),
        case,
    )
}

/// Programs, those with even numbers as they are, the others optimised.
struct Compiled {
    programs: Vec<Program>,
    optimised: Vec<bool>,
    /// Not optimised and optimised.
    compiled: [Option<Arc<selvedge_program::Program>>; 2],
}

impl Compiled {
    fn new(programs: Vec<Program>, numbers: &[u64]) -> Result<Self, Failure> {
        let optimised: Vec<bool> = numbers.iter().map(|number| number % 2 == 1).collect();
        let mut compiled = [None, None];
        for (level, compiled) in [false, true].into_iter().zip(&mut compiled) {
            if optimised.contains(&level) {
                *compiled = Some(compile(&many_to_c(&programs), level)?);
            }
        }
        Ok(Compiled { programs, optimised, compiled })
    }
}

fn compile(text: &str, optimised: bool) -> Result<Arc<selvedge_program::Program>, Failure> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = folder.path().join("programs.c");
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    let level = optimised.then(|| "2".to_owned());
    let request = Request { inputs: vec![source], opt_level: level, ..Request::default() };
    let prepared = prepare(&request).map_err(|error| format!("not prepared: {error}\n{text}"))?;
    Ok(prepared.program)
}

/// Compares one of the programs; if something differs a smaller one for which it does is looked for.
fn case(compiled: &Compiled, index: usize) -> Result<Ran, Failure> {
    let what = match check(compiled, index) {
        Ok(ran) => return Ok(ran),
        Err(what) => what,
    };
    let (program, number) = (&compiled.programs[index], [u64::from(compiled.optimised[index])]);
    let (mut smallest, mut what) = (program.clone(), what);
    'again: loop {
        for smaller in smallest.smaller() {
            let compiled = Compiled::new(vec![smaller.clone()], &number);
            if let Some(Err(still)) = compiled.ok().map(|compiled| check(&compiled, 0)) {
                (smallest, what) = (smaller, still);
                continue 'again;
            }
        }
        break;
    }
    let level = if compiled.optimised[index] { "--opt-level 2: " } else { "" };
    let text = smallest.to_c();
    Err(Failure {
        what: format!("{level}{what}\n{text}"),
        files: vec![
            ("program.c".to_owned(), program.to_c().into_bytes()),
            ("shrunk.c".to_owned(), text.into_bytes()),
        ],
    })
}

fn check(compiled: &Compiled, index: usize) -> Result<Ran, String> {
    let source = &compiled.programs[index];
    let program = compiled.compiled[usize::from(compiled.optimised[index])].as_ref();
    let program = program.ok_or("not compiled")?;
    let inputs = Arc::new(Inputs { arguments: vec![index.to_string()], ..Inputs::default() });
    let config = |model| Config { model, inputs: inputs.clone(), ..Config::default() };
    let look = |strategy, model, keep_going| {
        let options = Options {
            strategy,
            keep_going,
            max_executions: Some(EXECUTIONS),
            max_time: Some(LIMIT),
            ..Options::default()
        };
        explore(program.clone(), config(model), &options, &Progress::default())
    };
    let (all, some) = (look(Strategy::States, Model::Sc, true), look(Strategy::Auto, Model::Sc, true));
    if let Some(unfinished) = [&all, &some].into_iter().find(|report| !report.unfinished.is_empty()) {
        return Ok(Ran::Skipped(format!("under sc: {}", why(unfinished))));
    }
    if kinds(&all) != kinds(&some) {
        return Err(format!("under sc: found {:?}, all states show {:?}", kinds(&some), kinds(&all)));
    }
    let complete = look(Strategy::Optimal, Model::Rc11, true);
    if complete.findings.is_empty() && !complete.unfinished.is_empty() {
        return Ok(Ran::Skipped(format!("complete graphs: {}", why(&complete))));
    }
    let options = Options { max_time: Some(LIMIT), ..Options::default() };
    let verified = verify_by_states(program, &config(Model::Rc11), &options, &Progress::default());
    if verified.is_some() && !complete.findings.is_empty() {
        return Err(format!("verified by states, complete graphs show {:?}", kinds(&complete)));
    }
    let mut looks = vec![(Strategy::Auto, Model::Rc11)];
    looks.extend(source.sequential.then_some((Strategy::Auto, Model::Sc)));
    for (strategy, model) in looks {
        let report = look(strategy, model, false);
        let at = |what: String| format!("{} under {}: {what}", strategy.name(), model.name());
        if report.findings.is_empty() && !report.unfinished.is_empty() {
            return Ok(Ran::Skipped(at(why(&report))));
        }
        let (all, found) = (kinds(&complete), kinds(&report));
        if all.is_empty() != found.is_empty() {
            return Err(at(format!("found {found:?}, complete graphs show {all:?}")));
        }
        // An execution ends where it goes wrong, and what could have come later is not seen.
        let to_the_end = source.asserts_last && !all.contains("race") && complete.unfinished.is_empty();
        if to_the_end && !found.is_subset(&all) {
            return Err(at(format!("found {found:?}, complete graphs show only {all:?}")));
        }
        let followed = if report.sequential { config(Model::Sc) } else { config(model) };
        for finding in &report.findings {
            if !matches!(finding.bug, Bug::Livelock { .. }) {
                replay(program, &followed, finding).map_err(at)?;
            }
        }
    }
    Ok(Ran::Passed)
}

/// Why something was not looked at to its end, in few words.
fn why(report: &Report) -> String {
    report.unfinished.first().map_or_else(String::new, |unfinished| {
        let text = format!("{unfinished:?}");
        text.split_once(", choices").map_or(text.clone(), |(text, _)| text.to_owned())
    })
}

/// The kinds of violations. A thread that waits for ever does so at an operation or in a loop, and both names may be
/// given.
fn kinds(report: &Report) -> BTreeSet<String> {
    let kind = |bug: &Bug| match bug {
        Bug::Ends(Outcome::Violation { violation, .. }) if violation.kind == ViolationKind::DataRace => {
            "race".to_owned()
        }
        Bug::Ends(Outcome::Violation { violation, .. }) => format!("{:?}", violation.kind).to_lowercase(),
        Bug::Ends(Outcome::Deadlock(_)) | Bug::Livelock { .. } => "waits for ever".to_owned(),
        Bug::Race(..) => "race".to_owned(),
        Bug::AtEnd(property) => property.name.to_owned(),
        Bug::Ends(other) => format!("{other:?}"),
    };
    report.findings.iter().map(|finding| kind(&finding.bug)).collect()
}
