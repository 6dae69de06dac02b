//! Checkpoints of `mcr` and its kin.
//!
//! Executions that are still to be explored are kept as what was chosen in them, and executed again. Questions are not
//! kept: a search that asks again finds which seeds were followed.

use crate::kit::checkpoint::{Checkpoint, KeptViews, halves, keep_pick, pick, whole};
use crate::kit::exploration::Exploration;
use crate::kit::keep as reports;
use crate::recorded::ledger::Ledger;
use crate::recorded::mcr::search::{Search, Shared};
use crate::recorded::record::Names;
use crate::recorded::run::{Run, again};
use crate::recorded::views::Views;
use std::sync::Arc;

/// How far a search has come. An execution that a worker is exploring counts as not explored.
pub(crate) fn checkpoint(shared: &Shared<'_>, names: &Names) -> Checkpoint {
    let mut kept = Checkpoint::default();
    reports::keep_report(&shared.ledger.report, &shared.ledger.found, &mut kept);
    kept.queries = shared.ledger.report.queries;
    kept.pairs = shared.ledger.pairs.iter().copied().collect();
    kept.pairs.sort_unstable();
    kept.views = shared.views.iter().map(|&view| halves(view)).collect();
    kept.views.sort_unstable();
    let (nodes, ends) = shared.explored.views.parts();
    let picks = |run: &Arc<Run<'_>>| run.picks.iter().map(|&pick| keep_pick(pick)).collect();
    let mut seeds: Vec<[u64; 2]> = shared.explored.seeds.iter().map(|&seed| halves(seed)).collect();
    seeds.sort_unstable();
    kept.view_tree = Some(KeptViews {
        names: names.all().iter().map(ToString::to_string).collect(),
        nodes: nodes.map(|(history, before)| (halves(history), before)).collect(),
        ends: ends.iter().map(|ends| ends.to_vec()).collect(),
        stuck: shared.explored.views.other_ends().map(halves).collect(),
        failed: Vec::new(),
        seeds,
        waiting: shared.waiting.iter().chain(&shared.looking).map(picks).collect(),
    });
    kept
}

/// What was kept; nothing if it does not fit the program.
pub(crate) fn resume<'s>(
    kept: &Checkpoint,
    views: &KeptViews,
    search: &Search<'s>,
    plain: &Exploration<'_>,
) -> Option<Shared<'s>> {
    let mut shared = Shared::default();
    let nodes = views.nodes.iter().map(|&(history, before)| (whole(history), before));
    let stuck = views.stuck.iter().map(|&end| whole(end));
    shared.explored.views = Views::again(nodes, views.ends.iter().cloned(), stuck)?;
    shared.explored.seeds = views.seeds.iter().map(|&seed| whole(seed)).collect();
    shared.ledger = Ledger::again(reports::report(kept, plain)?, reports::found(kept, plain)?, &kept.pairs);
    shared.ledger.report.queries = kept.queries;
    shared.views = kept.views.iter().map(|&view| whole(view)).collect();
    for picks in &views.waiting {
        let picks: Vec<_> = picks.iter().map(|&kept| pick(kept)).collect();
        shared.waiting.push(Arc::new(again(search.subject, &picks)?));
    }
    Some(shared)
}
