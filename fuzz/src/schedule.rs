//! Damaged schedule files: reading one is a schedule or an error, and replaying one is a run or a divergence.

use crate::batch::Children;
use crate::campaign::{Campaign, Ran, Summary};
use crate::random::Random;
use crate::{mutate, threads};
use selvedge::run::execute::{Captured, Limits};
use selvedge::run::prepare::Prepared;
use selvedge::run::{self, Choose, Settings, Trace};
use selvedge_machine::EndProperties;
use selvedge_trace::{Inputs, Model, read_schedule, write_schedule};
use std::path::Path;
use std::time::Duration;

/// The programs that schedules are recorded with, by the numbers of their cases.
const PROGRAMS: [u64; 3] = [3, 8, 21];
/// Steps that a replay may take: a schedule can say to go on for ever.
const STEPS: u64 = 20_000;
/// Time that a replay may take.
const LIMIT: Duration = Duration::from_secs(20);

/// A program with the files of schedules that were recorded with it.
struct Recorded {
    prepared: Prepared,
    files: Vec<String>,
}

/// What schedules are damaged and replayed with.
pub struct Schedules {
    programs: Vec<Recorded>,
}

impl Schedules {
    /// Compiles the programs and records schedules under every memory model.
    pub fn record(folder: &Path) -> Result<Self, String> {
        let programs = PROGRAMS.iter().map(|&number| {
            let prepared = threads::compile(&threads::generate::generate(number), "0", folder)?;
            let mut files = Vec::new();
            for (seed, model) in Model::INTERLEAVED.iter().copied().enumerate() {
                let file = folder.join("recorded.json");
                let schedule = threads::record(&prepared, model, seed as u64)?;
                write_schedule(&file, &schedule).map_err(|error| error.to_string())?;
                files.push(std::fs::read_to_string(&file).map_err(|error| error.to_string())?);
            }
            Ok(Recorded { prepared, files })
        });
        Ok(Schedules { programs: programs.collect::<Result<_, String>>()? })
    }

    /// The program and the damaged file of a case.
    fn damaged(&self, number: u64) -> (&Prepared, Vec<u8>) {
        let mut random = Random::new(number);
        let program = &self.programs[random.below(self.programs.len())];
        let [text, other] = [(); 2].map(|()| &program.files[random.below(program.files.len())]);
        let choices = text.find("\"choices\"").unwrap_or(0);
        let bytes = match random.below(4) {
            0 => mutate::bytes(&mut random, text.as_bytes(), other.as_bytes()),
            // The inputs are a few lines before very many others.
            1 => (mutate::text(&mut random, &text[..choices], other) + &text[choices..]).into_bytes(),
            _ => mutate::text(&mut random, text, other).into_bytes(),
        };
        (&program.prepared, bytes)
    }
}

/// Runs a campaign; `program` is this one, for the children.
pub fn run(campaign: &Campaign, program: &Path) -> Result<Summary, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let schedules = Schedules::record(folder.path())?;
    let children = Children {
        program,
        arguments: vec!["schedule-child".to_owned()],
        fatal: |_| true,
        files: &|number| vec![("schedule.json".to_owned(), schedules.damaged(number).1)],
        chunk: crate::batch::CHUNK,
        patience: crate::batch::PATIENCE,
        note: &|_| {},
    };
    Ok(children.run(campaign))
}

/// Reads the file of a case, and replays it if it can be read.
pub fn case(schedules: &Schedules, folder: &Path, number: u64, stage: &dyn Fn(&str)) -> Result<Ran, String> {
    let (prepared, bytes) = schedules.damaged(number);
    let file = folder.join("damaged.json");
    std::fs::write(&file, bytes).map_err(|error| error.to_string())?;
    stage("read");
    let Ok(schedule) = read_schedule(&file) else { return Ok(Ran::skipped("the file is not accepted")) };
    stage("replay");
    let settings = Settings {
        choose: Choose::Replay(Box::new(schedule)),
        model: Model::Sc,
        inputs: Inputs::default(),
        trace: Trace::Off,
        limits: Limits { steps: Some(STEPS), time: Some(LIMIT), interrupted: None },
    };
    match run::run(prepared, &settings, &mut Captured::default()) {
        Ok(mut execution) => {
            run::judge(&mut execution, EndProperties::LEAKS);
            Ok(Ran::Passed)
        }
        Err(divergence) => {
            let _ = divergence.to_string();
            Ok(Ran::skipped("the replay diverges"))
        }
    }
}
