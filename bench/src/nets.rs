//! What the nets under a verdict cost: each example and some programs of the corpus with the second search, without it, and with
//! each reduction switched off. Times are the processor's, so that they say something on a busy machine, too.

use selvedge::check::{Settings, check};
use selvedge::drivers::Request;
use selvedge::run::prepare::{Prepared, prepare};
use selvedge_explore::{Options as Search, Progress};
use selvedge_report::{Answer, SecondOutcome};
use selvedge_trace::{Inputs, Model, Reduction, Reductions};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What to measure.
#[derive(clap::Args)]
pub struct Options {
    /// Give up on a search after so many seconds
    #[arg(long, default_value_t = 20)]
    seconds: u64,

    /// Repeat each measurement so many times, and take the shortest
    #[arg(long, default_value_t = 3)]
    repeat: u32,

    /// Check under this memory model: sc, tso, pso, rc11 or mca
    #[arg(long, default_value = "rc11")]
    model: String,

    /// Flags for the compiler, as in -DFIXED
    #[arg(long, allow_hyphen_values = true)]
    cflags: Vec<String>,

    /// Programs; the examples, and those of corpus/check/search without them
    programs: Vec<PathBuf>,
}

/// One search: its verdict, and how long it took.
struct Measured {
    verdict: Answer,
    time: Duration,
    confirmed: bool,
}

/// Measures, and prints a table.
pub fn run(options: &Options) -> Result<(), String> {
    let models = [Model::Sc, Model::Tso, Model::Pso, Model::Rc11, Model::Mca];
    let model = models.into_iter().find(|model| model.name() == options.model);
    let model = model.ok_or_else(|| format!("there is no memory model `{}`", options.model))?;
    let mut head = vec!["program".to_owned(), "verdict".to_owned(), "alone".to_owned(), "second".to_owned()];
    head.extend(Reduction::ALL.iter().map(|reduction| reduction.name().to_owned()));
    println!("| {} |", head.join(" | "));
    println!("|{}", "---|".repeat(head.len()));
    let (mut alone_in_all, mut with_in_all, mut verified, mut confirmed) = (0.0, 0.0, 0, 0);
    for path in programs(options)? {
        let request =
            Request { inputs: vec![path.clone()], cflags: options.cflags.clone(), ..Request::default() };
        let Ok(prepared) = prepare(&request) else { continue };
        let measure = |reductions, second| measure(&prepared, model, options, reductions, second);
        // The first one reads the program into the processor's caches.
        measure(Reductions::ON, false);
        let alone = measure(Reductions::ON, false);
        let with = measure(Reductions::ON, true);
        let ratio = |other: &Measured| match other.verdict == alone.verdict {
            true => format!("{:.1}", other.time.as_secs_f64() / alone.time.as_secs_f64()),
            false => other.verdict.name().to_owned(),
        };
        if alone.verdict == Answer::Verified {
            verified += 1;
            confirmed += u32::from(with.confirmed);
            alone_in_all += alone.time.as_secs_f64();
            with_in_all += with.time.as_secs_f64();
        }
        let mut cells = vec![
            path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            alone.verdict.name().to_owned(),
            format!("{:.1} ms", alone.time.as_secs_f64() * 1e3),
            match alone.verdict == Answer::Verified {
                true => format!("{}{}", ratio(&with), if with.confirmed { "" } else { " (open)" }),
                false => "-".to_owned(),
            },
        ];
        let without = |&reduction: &Reduction| ratio(&measure(Reductions::ON.without(reduction), false));
        cells.extend(Reduction::ALL.iter().map(without));
        println!("| {} |", cells.join(" | "));
    }
    println!(
        "\n{verified} programs are verified, {confirmed} of them confirmed by a second search; together they take \
         {alone_in_all:.2} s without and {with_in_all:.2} s with it"
    );
    Ok(())
}

/// How long the processor has worked for this process.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a local variable of the type that the function fills in.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The programs to measure.
fn programs(options: &Options) -> Result<Vec<PathBuf>, String> {
    if !options.programs.is_empty() {
        return Ok(options.programs.clone());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for folder in ["examples", "corpus/check/search"] {
        let folder = root.join(folder);
        let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let files = entries.flatten().map(|entry| entry.path());
        found.extend(files.filter(|file| file.extension().is_some_and(|extension| extension == "c")));
    }
    found.sort();
    Ok(found)
}

fn measure(
    prepared: &Prepared,
    model: Model,
    options: &Options,
    reductions: Reductions,
    second_opinion: bool,
) -> Measured {
    let settings = Settings {
        model,
        inputs: Inputs::default(),
        options: Search {
            reductions,
            max_time: Some(Duration::from_secs(options.seconds)),
            max_memory: Some(2 << 30),
            ..Search::default()
        },
        cross_check: None,
        second_opinion,
        explain_model: false,
        symbolic: None,
    };
    let mut best: Option<Measured> = None;
    for _ in 0..options.repeat.max(1) {
        let begun = processor_time();
        let checked = check(prepared, &settings, &Progress::default());
        let time = processor_time().saturating_sub(begun);
        let outcome = checked.result.second_search.map(|second| second.outcome);
        let confirmed = outcome == Some(SecondOutcome::Confirmed);
        if best.as_ref().is_none_or(|best| time < best.time) {
            best = Some(Measured { verdict: checked.result.verdict, time, confirmed });
        }
        if time > Duration::from_secs(2) {
            break;
        }
    }
    best.unwrap_or(Measured { verdict: Answer::Unknown, time: Duration::ZERO, confirmed: false })
}
