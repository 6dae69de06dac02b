//! Every kind of query, once each.

use selvedge_order::{
    Action, Answer, Cause, EventId, Place, Prepared, Query, QueryError, Scratch, Step, Trace, verify,
};
use selvedge_trace::{MemoryOrder, Model, Value};

const MODELS: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];

fn value(number: u8) -> Value {
    Value::from_slice(&[number])
}

fn write(at: u64, number: u8) -> Action {
    Action::Write { at: Place::new(at, 1), value: value(number), order: MemoryOrder::NotAtomic }
}

fn read(at: u64, number: u8) -> Action {
    Action::Read { at: Place::new(at, 1), value: value(number) }
}

/// The answer; an order has been checked.
fn ask(trace: &Trace, model: Model, query: &Query) -> Answer {
    let answer =
        Prepared::new(trace, model).expect("a trace").solve(query, &mut Scratch::new()).expect("a query");
    if let Some(steps) = answer.steps() {
        verify(trace, model, query, steps).expect("an order");
    }
    answer
}

#[test]
fn an_error_that_only_pso_shows() {
    // One thread goes twice through z=0 x=0 y=0 x=2 y=3 z=1; the other one saw z=1, x=2, y=3.
    let mut trace = Trace::new();
    let [x, y, z] = [1, 2, 3];
    for (at, number) in [(z, 0), (x, 0), (y, 0), (x, 2), (y, 3), (z, 1)] {
        trace.push(0, write(at, number));
    }
    trace.push(1, read(z, 1));
    let seen = trace.push(1, read(x, 2));
    let query = Query::new().see(&trace, seen, value(0)).last(seen);
    assert_eq!(ask(&trace, Model::Sc, &query), Answer::None);
    assert_eq!(ask(&trace, Model::Tso, &query), Answer::None);
    // Six stores enter the buffer; of their commits only those of z are needed: x is 0 from the start.
    assert_eq!(ask(&trace, Model::Pso, &query).size(), Some(10));
}

#[test]
fn the_smallest_order_leaves_out_what_is_not_needed() {
    let mut trace = Trace::new();
    for number in 1..6 {
        trace.push(0, write(1, number));
    }
    trace.push(1, write(1, 3));
    trace.push(1, write(2, 1));
    let seen = trace.push(2, read(1, 0));
    let query = Query::new().see(&trace, seen, value(3));
    let answer = ask(&trace, Model::Sc, &query);
    let steps = [Step::Event(EventId::new(1, 0)), Step::Event(seen)];
    assert_eq!(answer, Answer::Order { steps: steps.to_vec(), least: true });
}

#[test]
fn unfinished_sections_keep_others_out() {
    for model in MODELS {
        let mut trace = Trace::new();
        let seen = trace.push(0, Action::Lock { lock: 1 });
        let inside = trace.push(0, read(1, 0));
        trace.push(1, Action::Lock { lock: 1 });
        trace.push(1, write(1, 1));
        trace.push(1, Action::Unlock { lock: 1 });
        let first = Query::new().see(&trace, inside, value(1));
        assert!(ask(&trace, model, &first).steps().is_some());
        // The first thread never gives the lock back.
        let store = EventId::new(1, 1);
        assert_eq!(ask(&trace, model, &first.clone().before(seen, store)), Answer::None);
        assert_eq!(ask(&trace, model, &first.stop_before(EventId::new(1, 2))), Answer::None);
    }
}

#[test]
fn two_locks_in_two_orders_block_each_other() {
    for model in MODELS {
        let mut trace = Trace::new();
        let mut wants = Vec::new();
        for (thread, locks) in [(0, [1, 2]), (1, [2, 1])] {
            trace.push(thread, Action::Lock { lock: locks[0] });
            wants.push(trace.push(thread, Action::Lock { lock: locks[1] }));
            trace.push(thread, Action::Unlock { lock: locks[1] });
            trace.push(thread, Action::Unlock { lock: locks[0] });
        }
        assert_eq!(ask(&trace, model, &Query::new().deadlock(&wants)).size(), Some(2));
        // A lock around both keeps the threads apart.
        let mut trace = Trace::new();
        let mut wants = Vec::new();
        for (thread, locks) in [(0, [3, 1, 2]), (1, [3, 2, 1])] {
            trace.push(thread, Action::Lock { lock: locks[0] });
            trace.push(thread, Action::Lock { lock: locks[1] });
            wants.push(trace.push(thread, Action::Lock { lock: locks[2] }));
            for lock in [locks[2], locks[1], locks[0]] {
                trace.push(thread, Action::Unlock { lock });
            }
        }
        assert_eq!(ask(&trace, model, &Query::new().deadlock(&wants)), Answer::None);
    }
}

#[test]
fn accesses_meet_unless_a_lock_keeps_them_apart() {
    for model in MODELS {
        for locked in [false, true] {
            let mut trace = Trace::new();
            let mut accesses = Vec::new();
            for (thread, action) in [(0, write(1, 1)), (1, read(1, 1))] {
                let lock = [Action::Lock { lock: 1 }, Action::Nothing][usize::from(!locked)].clone();
                trace.push(thread, lock);
                accesses.push(trace.push(thread, action));
                let unlock = [Action::Unlock { lock: 1 }, Action::Nothing][usize::from(!locked)].clone();
                trace.push(thread, unlock);
            }
            let answer = ask(&trace, model, &Query::new().meet(accesses[0], accesses[1]));
            assert_eq!(answer.size(), if locked { None } else { Some(2) });
        }
    }
}

#[test]
fn a_notification_before_the_wait_is_lost() {
    for model in MODELS {
        let mut trace = Trace::new();
        let (queue, lock) = (9, Some(1));
        trace.push(0, Action::Lock { lock: 1 });
        let wait = trace.push(0, Action::Wait { queue, lock, sees: None });
        let notify = trace.push(1, Action::Notify { queue, most: 1, woken: None });
        let wake = trace.push(0, Action::Wake { queue, lock, cause: Cause::Notified });
        let answer = ask(&trace, model, &Query::new().include(wake));
        let steps = [
            Step::Event(EventId::new(0, 0)),
            Step::Event(wait),
            Step::Event(notify),
            Step::Notified { thread: 0 },
            Step::Event(wake),
        ];
        assert_eq!(answer, Answer::Order { steps: steps.to_vec(), least: true });
        assert_eq!(ask(&trace, model, &Query::new().include(wake).before(notify, wait)), Answer::None);
        let expired = Action::Wake { queue, lock, cause: Cause::Expired };
        let answer = ask(&trace, model, &Query::new().change(wake, expired).before(notify, wait));
        assert!(answer.steps().is_some_and(|steps| steps.contains(&Step::Expired(wait))));
    }
}

#[test]
fn one_signal_wakes_one_of_two() {
    let mut trace = Trace::new();
    let mut wakes = Vec::new();
    for thread in [0, 1] {
        trace.push(thread, Action::Wait { queue: 9, lock: None, sees: None });
    }
    trace.push(2, Action::Notify { queue: 9, most: 1, woken: None });
    for thread in [0, 1] {
        wakes.push(trace.push(thread, Action::Wake { queue: 9, lock: None, cause: Cause::Notified }));
    }
    let both = Query::new().include(wakes[0]).include(wakes[1]);
    for model in MODELS {
        assert!(ask(&trace, model, &Query::new().include(wakes[1])).steps().is_some());
        assert_eq!(ask(&trace, model, &both), Answer::None);
    }
    trace.push(2, Action::Notify { queue: 9, most: 1, woken: None });
    assert_eq!(ask(&trace, Model::Sc, &both).size(), Some(6));
}

#[test]
fn a_join_needs_all_of_the_thread() {
    let mut trace = Trace::new();
    trace.push(0, Action::Fork { thread: 1 });
    trace.push(1, write(1, 1));
    trace.push(1, Action::End);
    trace.push(0, Action::Join { thread: 1 });
    let seen = trace.push(0, read(1, 1));
    // The store, its commit where there is a buffer, and three events of each thread but the end.
    let sizes = MODELS.map(|model| ask(&trace, model, &Query::new().include(seen)).size());
    assert_eq!(sizes, [Some(5), Some(6), Some(6)]);
    let query = Query::new().see(&trace, seen, value(0));
    assert!(MODELS.iter().all(|&model| ask(&trace, model, &query) == Answer::None));
}

#[test]
fn overlapping_accesses_are_seen_byte_by_byte() {
    let mut trace = Trace::new();
    let wide = |at: u64, bytes: [u8; 2]| (Place::new(at, 2), Value::from_slice(&bytes));
    let (at, stored) = wide(0, [1, 2]);
    trace.push(0, Action::Write { at, value: stored, order: MemoryOrder::NotAtomic });
    let (at, stored) = wide(1, [3, 4]);
    trace.push(1, Action::Write { at, value: stored, order: MemoryOrder::NotAtomic });
    let (at, nothing) = wide(0, [0, 0]);
    let seen = trace.push(2, Action::Read { at, value: nothing });
    for model in MODELS {
        let possible = |bytes: [u8; 2]| {
            let query = Query::new().see(&trace, seen, Value::from_slice(&bytes));
            ask(&trace, model, &query).steps().is_some()
        };
        assert!(possible([1, 2]) && possible([1, 3]) && possible([0, 3]) && possible([0, 0]));
        assert!(!possible([1, 0]) && !possible([0, 2]) && !possible([0, 4]));
    }
}

#[test]
fn a_free_read_may_see_anything() {
    let mut trace = Trace::new();
    trace.push(0, write(1, 1));
    trace.push(0, write(2, 1));
    let other = trace.push(1, read(1, 0));
    let seen = trace.push(1, read(2, 0));
    // The last read can be 1 only after the store to the first place, unless it comes in between.
    let query = Query::new().see(&trace, seen, value(1)).before(EventId::new(0, 0), other);
    assert_eq!(ask(&trace, Model::Sc, &query), Answer::None);
    assert!(ask(&trace, Model::Sc, &query.free(other)).steps().is_some());
}

#[test]
fn wrong_questions_are_refused() {
    let mut trace = Trace::new();
    let store = trace.push(0, write(1, 1));
    let prepared = Prepared::new(&trace, Model::Sc).expect("a trace");
    let nowhere = EventId::new(3, 7);
    let refused = |query: Query| prepared.solve(&query, &mut Scratch::new()).expect_err("a wrong query");
    assert_eq!(refused(Query::new().include(nowhere)), QueryError::NoEvent(nowhere));
    assert_eq!(refused(Query::new().free(store)), QueryError::BadChange(store));
    assert_eq!(refused(Query::new().see(&trace, store, value(1))), QueryError::BadChange(store));
    trace.push(0, Action::Unlock { lock: 1 });
    assert!(Prepared::new(&trace, Model::Sc).is_err());
}
