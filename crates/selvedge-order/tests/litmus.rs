//! Small programs: which combinations of values can be read, counted with one query for each.

use selvedge_order::{Action, Answer, EventId, Place, Prepared, Query, Scratch, Trace, verify};
use selvedge_trace::{MemoryOrder, Model, Value};

#[derive(Clone, Copy)]
enum Op {
    Write(u64, u8),
    Read(u64),
    Add(u64, u8),
    Exchange(u64, u8),
    CompareExchange(u64, u8, u8),
    Fence(MemoryOrder),
}

fn value(number: u8) -> Value {
    Value::from_slice(&[number])
}

fn parse(text: &str) -> Op {
    let variable = |name: &str| u64::from(name.trim().as_bytes()[0]);
    let number = |text: &str| text.trim().parse().expect("a number");
    if let Some((function, rest)) = text.split_once('(') {
        let arguments: Vec<&str> = rest.trim_end_matches(')').split(',').collect();
        let at = variable(arguments[0]);
        match function {
            "FAA" => Op::Add(at, number(arguments[1])),
            "XCHG" => Op::Exchange(at, number(arguments[1])),
            _ => Op::CompareExchange(at, number(arguments[1]), number(arguments[2])),
        }
    } else if let Some((at, stored)) = text.split_once('=') {
        Op::Write(variable(at), number(stored))
    } else {
        match text {
            "fence" => Op::Fence(MemoryOrder::SeqCst),
            "release" => Op::Fence(MemoryOrder::Release),
            read => Op::Read(variable(read[1..].trim_start())),
        }
    }
}

/// How many combinations of values the reads of a program can see, of those up to `most`.
fn views(program: &str, most: u8, model: Model) -> usize {
    let threads: Vec<Vec<Op>> =
        program.split("||").map(|thread| thread.split(';').map(|op| parse(op.trim())).collect()).collect();
    let reads = |op: &&Op| !matches!(op, Op::Write(..) | Op::Fence(_));
    let count = threads.iter().flatten().filter(reads).count();
    let mut scratch = Scratch::new();
    let mut seen = vec![0_u8; count];
    let mut views = 0;
    loop {
        let (trace, ends) = trace(&threads, &seen);
        let query = ends.into_iter().fold(Query::new(), Query::include);
        let prepared = Prepared::new(&trace, model).expect("a trace");
        match prepared.solve(&query, &mut scratch).expect("a query") {
            Answer::Order { steps, .. } => {
                verify(&trace, model, &query, &steps).expect("an order");
                views += 1;
            }
            Answer::None => {}
            Answer::Unknown => panic!("no answer"),
        }
        let Some(place) = seen.iter().position(|&number| number < most) else { return views };
        seen[..place].fill(0);
        seen[place] += 1;
    }
}

fn trace(threads: &[Vec<Op>], seen: &[u8]) -> (Trace, Vec<EventId>) {
    let mut trace = Trace::new();
    let mut seen = seen.iter().copied();
    let mut ends = Vec::new();
    for (thread, ops) in (0_u32..).zip(threads) {
        let mut last = None;
        for &op in ops {
            let mut see = || seen.next().expect("a value");
            let action = match op {
                Op::Write(at, stored) => {
                    Action::Write { at: Place::new(at, 1), value: value(stored), order: MemoryOrder::Relaxed }
                }
                Op::Read(at) => Action::Read { at: Place::new(at, 1), value: value(see()) },
                Op::Fence(order) => Action::Fence { order },
                Op::Add(at, more) => update(at, see(), |old| Some(old + more)),
                Op::Exchange(at, new) => update(at, see(), |_| Some(new)),
                Op::CompareExchange(at, old, new) => update(at, see(), |seen| (seen == old).then_some(new)),
            };
            last = Some(trace.push(thread, action));
        }
        ends.extend(last);
    }
    (trace, ends)
}

fn update(at: u64, read: u8, new: impl Fn(u8) -> Option<u8>) -> Action {
    Action::Update { at: Place::new(at, 1), read: value(read), written: new(read).map(value) }
}

#[test]
fn views_under_sequential_consistency() {
    let table = [
        ("x=1||r x", 2),
        ("x=1||x=2||x=1||r x", 3),
        ("y=1||x=1||r x||r y", 4),
        ("x=2||x=1;r x||x=1", 2),
        ("x=1||r y;r x||y=1||r x||r x", 16),
        ("x=1||r y;r x||y=1||r x||r y", 16),
        ("r y;x=2||z=2;x=1||z=3;y=1", 2),
        ("r x;y=1||r y;x=1", 3),
        ("x=1||x=2||r x||r y;r x", 9),
        ("x=1;r x;r y;r y||x=2||y=1", 6),
        ("r x;r x||x=1||r x", 6),
        ("r x;r y;r y||y=1||y=2", 7),
        ("x=1||r x||r y;x=2||r z;x=3", 4),
        ("x=1;x=2||r y;r x;r x||x=2", 7),
        ("r x||r y;x=1", 2),
        ("x=1||x=1||r y;r x||r y;r x", 4),
        ("x=1||r x;y=1||r y;x=2||r z;x=2", 6),
        ("y=1||r y;r z;r x||r z;x=1||r z;r x;y=0", 8),
        ("x=1;r x;y=1||y=1;r y;x=1", 1),
        ("r x;r z||x=1;r y||z=1;r w;y=1", 8),
        ("x=1||r y;x=1||r x;y=1||y=1", 4),
        ("x=1||r y;r x||r y;r y;x=0", 2),
        ("y=1||r y;x=1||r x;r y||x=1", 8),
        ("r x||r y||r z||x=1||y=1||z=1", 8),
        // The first read's 1 can only come from the last store of the other thread.
        ("x=2;r x||x=1;r x;r x;x=1", 6),
        ("a=1||FAA(a,1)", 2),
        ("r a||FAA(a,1)", 2),
        ("FAA(x,1)||x=2||r x", 6),
        ("x=1||FAA(x,2)||FAA(x,1)", 5),
        ("FAA(y,1)||FAA(x,1)||r x||r y", 4),
        ("FAA(x,2)||FAA(x,1);r x||x=1", 8),
        ("FAA(x,2)||FAA(x,1);FAA(x,1)||x=1", 9),
        ("r x;FAA(y,1)||r y;FAA(x,1)", 3),
        ("x=1;FAA(x,1)||r y;r x;r x||x=2", 17),
        ("x=1||FAA(x,2)||FAA(x,1)||r x", 18),
        ("a=1||XCHG(a,2)", 2),
        ("a=1||CAS(a,1,2)", 2),
        ("CAS(x,0,1)||x=2||r x", 5),
        ("x=1||CAS(x,1,2)||CAS(x,1,1)", 5),
        ("FAA(x,2)||CAS(x,1,2);r x||x=1", 12),
        ("FAA(x,1)||CAS(x,1,2);r x||x=1", 10),
        ("FAA(x,2)||CAS(x,1,2);CAS(x,2,3)||x=1", 12),
    ];
    for (program, expected) in table {
        assert_eq!(views(program, 4, Model::Sc), expected, "{program}");
    }
}

#[test]
fn views_under_every_model() {
    let table = [
        // Store buffering, also where each thread reads what it has stored before others can.
        ("x=1;r y||y=1;r x", [3, 4, 4]),
        ("x=1;r x;r y||y=1;r y;r x", [3, 4, 4]),
        ("x=1;fence;r y||y=1;fence;r x", [3, 3, 3]),
        ("x=1;XCHG(z,1);r y||y=1;XCHG(w,1);r x", [3, 3, 3]),
        // Message passing: only PSO lets stores to different places pass each other.
        ("x=1;y=1||r y;r x", [3, 3, 4]),
        ("x=1;release;y=1||r y;r x", [3, 3, 3]),
        // Load buffering, and independent reads of independent writes.
        ("r x;y=1||r y;x=1", [3, 3, 3]),
        ("x=1||y=1||r x;r y||r y;r x", [15, 15, 15]),
        ("x=1||r x||y=1||r y", [4, 4, 4]),
        // 2+2W with what is seen in between.
        ("x=1;y=2;r y||y=1;x=2;r x", [3, 3, 4]),
    ];
    for (program, expected) in table {
        let counts = [Model::Sc, Model::Tso, Model::Pso].map(|model| views(program, 2, model));
        assert_eq!(counts, expected, "{program}");
    }
}
