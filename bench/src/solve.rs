//! The ordering solver beside Z3: microseconds a query, for traces of several sizes.

use clap::Args;
use selvedge_oracle::numbers::Numbers;
use selvedge_oracle::orders::random::{Shape, changed};
use selvedge_order::{Answer, Prepared, Query, Scratch, Trace};
use selvedge_smt::{Verdict, Z3};
use selvedge_trace::Model;
use std::time::{Duration, Instant};

/// What to measure.
#[derive(Args)]
pub struct Options {
    /// Traces of each size
    #[arg(long, default_value_t = 20)]
    traces: u64,
    /// Queries about each trace
    #[arg(long, default_value_t = 20)]
    queries: u64,
    /// Queries of each size that Z3 is asked as well
    #[arg(long, default_value_t = 10)]
    z3_queries: usize,
    /// Events of the largest traces
    #[arg(long, default_value_t = 500)]
    largest: usize,
}

const SIZES: [usize; 5] = [20, 50, 100, 200, 500];
const VALUES: usize = 6;
/// Z3 gives up after so long.
const PATIENCE: Duration = Duration::from_secs(2);
/// The solver gives up when it remembers so many frontiers.
const FRONTIERS: usize = 50_000;

/// What one size came to.
#[derive(Default)]
struct Row {
    microseconds: Vec<f64>,
    /// The same where any order will do.
    any: Vec<f64>,
    preparing: Vec<f64>,
    orders: usize,
    none: usize,
    unknown: usize,
    z3: Vec<f64>,
    z3_unknown: usize,
}

/// Prints the table.
pub fn run(options: &Options) -> Result<(), String> {
    let mut z3 = Z3::start(PATIENCE).map_err(|error| error.to_string())?;
    println!(
        "Microseconds a query: for the smallest order, for any order, and of Z3 for any order (the mean of those"
    );
    println!("that it answered within {} s).", PATIENCE.as_secs());
    println!(
        "{:<5} {:>6} {:>9} {:>8} {:>8} {:>10} {:>8} {:>8} {:>10} {:>6} {:>6} {:>7} {:>10} {:>10}",
        "model",
        "events",
        "prepare",
        "median",
        "90%",
        "mean",
        "any: med",
        "90%",
        "mean",
        "order",
        "none",
        "unknown",
        "Z3",
        "Z3 unknown"
    );
    for model in [Model::Sc, Model::Tso, Model::Pso] {
        for size in SIZES.into_iter().filter(|&size| size <= options.largest) {
            let row = measure(model, size, options, &mut z3)?;
            print(model, size, row);
        }
    }
    Ok(())
}

fn measure(model: Model, size: usize, options: &Options, z3: &mut Z3) -> Result<Row, String> {
    let mut row = Row::default();
    let mut scratch = Scratch::with_limit(FRONTIERS);
    for seed in 0..options.traces {
        let mut numbers = Numbers::new(seed);
        let threads = 4 + numbers.below(3);
        let plain = seed % 2 == 0;
        let shape = Shape { threads, events: size, variables: 2 + size / 20, values: VALUES, plain };
        let trace = shape.trace(model, &mut numbers);
        let begun = Instant::now();
        let prepared = Prepared::new(&trace, model).map_err(|error| error.to_string())?;
        row.preparing.push(microseconds(begun));
        let queries: Vec<Query> =
            (0..options.queries).filter_map(|_| changed(&trace, VALUES, &mut numbers)).collect();
        for query in &queries {
            let begun = Instant::now();
            let answer = prepared.solve(query, &mut scratch).map_err(|error| error.to_string())?;
            row.microseconds.push(microseconds(begun));
            let easier = query.clone().any();
            let begun = Instant::now();
            prepared.solve(&easier, &mut scratch).map_err(|error| error.to_string())?;
            row.any.push(microseconds(begun));
            match &answer {
                Answer::Order { .. } => row.orders += 1,
                Answer::None => row.none += 1,
                Answer::Unknown => row.unknown += 1,
            }
            if row.z3.len() + row.z3_unknown < options.z3_queries {
                beside(z3, &trace, model, query, &answer, &mut row)?;
            }
        }
    }
    Ok(row)
}

fn beside(
    z3: &mut Z3,
    trace: &Trace,
    model: Model,
    query: &Query,
    answer: &Answer,
    row: &mut Row,
) -> Result<(), String> {
    let begun = Instant::now();
    let verdict = z3.ask(trace, model, query, None).map_err(|error| error.to_string())?;
    match (verdict, answer) {
        (Verdict::Unknown, _) => row.z3_unknown += 1,
        (Verdict::Sat, Answer::None) | (Verdict::Unsat, Answer::Order { .. }) => {
            return Err(format!("Z3 says {verdict:?}, the solver {answer:?}: this must not be"));
        }
        _ => row.z3.push(microseconds(begun)),
    }
    Ok(())
}

fn microseconds(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1e6
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len().max(1) as f64
}

/// The time that this part of the queries does not exceed.
fn within(sorted: &[f64], part: f64) -> f64 {
    let index = (sorted.len() as f64 * part) as usize;
    sorted.get(index.min(sorted.len().saturating_sub(1))).copied().unwrap_or(0.0)
}

fn print(model: Model, size: usize, mut row: Row) {
    row.microseconds.sort_by(f64::total_cmp);
    row.any.sort_by(f64::total_cmp);
    println!(
        "{:<5} {size:>6} {:>9.1} {:>8.1} {:>8.1} {:>10.1} {:>8.1} {:>8.1} {:>10.1} {:>6} {:>6} {:>7} {:>10.0} {:>10}",
        format!("{model:?}").to_lowercase(),
        mean(&row.preparing),
        within(&row.microseconds, 0.5),
        within(&row.microseconds, 0.9),
        mean(&row.microseconds),
        within(&row.any, 0.5),
        within(&row.any, 0.9),
        mean(&row.any),
        row.orders,
        row.none,
        row.unknown,
        mean(&row.z3),
        row.z3_unknown
    );
}
