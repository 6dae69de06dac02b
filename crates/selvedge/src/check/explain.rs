//! Whether a violation that the language allows exists under stronger models too: on machines, or even without any weak
//! memory.

use super::Settings;
use crate::run::prepare::Prepared;
use selvedge_explore::{Finding, Options, Progress, Report, exists_under};
use selvedge_machine::Config;
use selvedge_report::Elsewhere;
use selvedge_trace::Model;
use std::sync::Arc;
use std::time::Duration;

/// So many executions are explored for each model where the user has not asked for more.
const SHORT_SEARCH: u64 = 1_000;
/// And that takes at most so long.
const SHORT_TIME: Duration = Duration::from_secs(1);

/// The answers for all models that are stronger than the one that was checked, the weakest first. `allowed` are those that
/// allow the very execution that was found; for others one is searched for. Each allows all that the next one does.
pub fn explain(
    prepared: &Prepared,
    settings: &Settings,
    (finding, report): (&Finding, &Report),
    allowed: &[Model],
    progress: &Progress,
) -> Vec<Elsewhere> {
    let models = settings.model.row().stronger;
    if models.is_empty() {
        return Vec::new();
    }
    let config = Config {
        inputs: Arc::new(settings.inputs.clone()),
        program_name: prepared.name.clone(),
        births: report.births.clone(),
        ..Config::default()
    };
    let brief = !settings.explain_model;
    let options = Options {
        max_executions: brief.then_some(SHORT_SEARCH),
        max_time: brief.then_some(SHORT_TIME),
        keep_going: false,
        ..settings.options.clone()
    };
    let mut exists = None;
    let mut answers: Vec<Elsewhere> = Vec::new();
    for &model in models.iter().rev() {
        // What the stronger one shows this one shows too.
        if exists != Some(true) {
            exists = match allowed.contains(&model) {
                true => Some(true),
                false => exists_under(&prepared.program, &config, (model, finding), &options, progress),
            };
        }
        answers.push(Elsewhere { model, exists });
    }
    answers.reverse();
    answers
}
