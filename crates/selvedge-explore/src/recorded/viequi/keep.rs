//! Checkpoints of `viequi`.
//!
//! Executions that are still to be explored are kept as what was chosen in them, and executed again. Questions are not
//! kept: a search that asks again finds what was explored.

use crate::kit::checkpoint::{Checkpoint, KeptViews, halves, keep_pick, pick, whole};
use crate::kit::exploration::Exploration;
use crate::kit::keep as reports;
use crate::recorded::ledger::Ledger;
use crate::recorded::record::Names;
use crate::recorded::run::again;
use crate::recorded::viequi::content::Cut;
use crate::recorded::viequi::look::Item;
use crate::recorded::viequi::search::{Search, Shared};
use crate::recorded::views::Views;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// Identifies a beginning.
pub fn digest(frontier: &[(u32, u32, u128)]) -> u128 {
    let bytes: Vec<u8> = frontier.iter().flat_map(|(_, _, history)| history.to_le_bytes()).collect();
    xxh3_128(&bytes)
}

/// How far a search has come. An execution that a worker is exploring counts as not explored.
pub(crate) fn checkpoint(shared: &Shared<'_>, names: &Names) -> Checkpoint {
    let mut kept = Checkpoint::default();
    reports::keep_report(&shared.ledger.report, &shared.ledger.found, &mut kept);
    kept.pairs = shared.ledger.pairs.iter().copied().collect();
    kept.pairs.sort_unstable();
    let (nodes, ends) = shared.views.parts();
    let picks = |item: &Arc<Item<'_>>| item.run.picks.iter().map(|&pick| keep_pick(pick)).collect();
    let mut failed: Vec<[u64; 2]> = shared.failed.iter().map(|&seed| halves(seed)).collect();
    failed.sort_unstable();
    kept.view_tree = Some(KeptViews {
        names: names.all().iter().map(ToString::to_string).collect(),
        nodes: nodes.map(|(history, before)| (halves(history), before)).collect(),
        ends: ends.iter().map(|ends| ends.to_vec()).collect(),
        stuck: shared.views.other_ends().map(halves).collect(),
        failed,
        seeds: Vec::new(),
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
    let nodes = views.nodes.iter().map(|&(history, before)| (whole(history), before));
    let stuck = views.stuck.iter().map(|&end| whole(end));
    let mut shared = Shared::default();
    shared.views = Views::again(nodes, views.ends.iter().cloned(), stuck)?;
    shared.failed = views.failed.iter().map(|&seed| whole(seed)).collect();
    shared.ledger = Ledger::again(reports::report(kept, plain)?, reports::found(kept, plain)?, &kept.pairs);
    shared.classes = kept.views.iter().map(|&view| whole(view)).collect();
    for picks in &views.waiting {
        let picks: Vec<_> = picks.iter().map(|&kept| pick(kept)).collect();
        let run = again(search.subject, &picks)?;
        let (model, races) = (search.subject.config.model, search.subject.options.races);
        search.wait(&mut shared, Item::new(run, model, races, &mut Cut::default()));
    }
    Some(shared)
}
