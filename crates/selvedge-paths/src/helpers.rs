//! Several threads that help a search: each has a runner of its own.

use std::panic::resume_unwind;
use std::thread;

/// Lets every helper work on a thread of its own, with its number counted from 1, and does the search's own part meanwhile.
/// Returns what came of all, the own part first. A panic goes on here.
pub fn together<R: Send, T: Send>(
    helpers: &mut [R],
    help: impl Fn(&mut R, usize) -> T + Sync,
    own: impl FnOnce() -> T,
) -> Vec<T> {
    thread::scope(|scope| {
        let help = &help;
        let helpers = helpers.iter_mut().zip(1..);
        let helpers: Vec<_> =
            helpers.map(|(helper, number)| scope.spawn(move || help(helper, number))).collect();
        let own = own();
        let others =
            helpers.into_iter().map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        std::iter::once(own).chain(others).collect()
    })
}
