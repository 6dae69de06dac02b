//! Small examples and mutual exclusion algorithms whose loops are bounded, with counts under all models.

use super::Row;

/// The programs.
pub fn algorithms() -> Vec<Row> {
    let mut rows = vec![
        Row::each("retargeted read", "x", "a=x; if a==0 { r x } || x=1", [3, 3, 3]),
        Row::each("two pairs", "x y", "x=1 || r x || y=1 || r y", [4, 4, 4]),
        Row::each("store buffering", "x y", "x=1; r y || y=1; r x", [3, 4, 4]),
        Row::each("message passing", "x y", "x=1; y=1 || r y; r x", [3, 3, 4]),
        Row::each("store buffering, own reads", "x y", "x=1; r x; r y || y=1; r y; r x", [3, 4, 4]),
        Row::each("write and two reads", "x", "x=1 || r x; r x", [3, 3, 3]),
        Row::each("data dependence", "x y", "r y || x=1; v=x; y=v || x=2", [4, 4, 4]),
        Row::each("write before read", "x y", "x=1 || r x || y=1 || x=2; r y", [6, 6, 6]),
        Row::each(
            "reads under a lock",
            "x y mutex:m",
            "x=1 || lock m; r x; unlock m || y=1 || lock m; r y; unlock m",
            [4, 4, 4],
        ),
        Row::each("three pairs", "x y z", "r x || r y || r z || x=1 || y=1 || z=1", [8, 8, 8]),
        Row::each(
            "published pair",
            "x=1 y=2 z",
            "z=0; v=x; x=v+1; v=y; y=v+1; z=1 || v=z; if v==1 { r x; r y }",
            [2, 2, 5],
        ),
        Row::each(
            "locked resets",
            "x y mutex:m",
            "repeat 2 { lock m; x=1; y=1; unlock m } || \
             repeat 2 { lock m; x=0; unlock m; v=x; if v>0 { v=y; y=v+1; x=2 } } || \
             repeat 2 { v=x; if v>1 { v=y; if v!=3 { y=2 } } }",
            [107, 107, 137],
        ),
        peterson(1, 36),
        peterson(3, 80),
        peterson(10, 360),
        dekker(0, [33, 35, 55]),
        dekker(1, [84, 86, 154]),
        dekker(2, [175, 177, 333]),
        bakery(0, [120, 243, 282]),
        bakery(1, [194, 496, 624]),
        lamport(false, [121, 123, 311]),
        lamport(true, [187, 189, 633]),
    ];
    rows.extend([(1, [2, 2, 10]), (2, [52, 52, 188])].map(|(n, views)| seen_apart(n, views)));
    let Row { program, .. } = seen_apart(3, [0; 3]);
    rows.push(Row { program, sc: Some(1016), tso: None, pso: None });
    rows.extend([(2, 19), (3, 140), (4, 1091), (5, 8747)].map(|(n, views)| counter(n, views)));
    rows
}

/// Larger ones.
pub fn large() -> Vec<Row> {
    let Row { program, .. } = seen_apart(4, [0; 3]);
    vec![seen_apart(3, [1016, 1016, 2728]), Row { program, sc: Some(17_680), tso: None, pso: None }]
}

/// Two values that belong together are written one after the other, `n` times, and looked at.
fn seen_apart(n: usize, views: [usize; 3]) -> Row {
    let threads = format!(
        "repeat {n} {{ z=0; x=0; y=0; x=2; y=3; z=1 }} || \
         repeat {n} {{ v=z; if v==1 {{ v=x; w=y; if v+1!=w {{ r x; r y }} }} }}"
    );
    Row::each(format!("seen apart({n})"), "x y z", &threads, views)
}

/// One thread counts up, one down.
fn counter(n: usize, views: usize) -> Row {
    let threads = format!("repeat {n} {{ v=c; c=v+1 }} || repeat {n} {{ v=c; c=v-1 }}");
    Row::sc(format!("counter({n})"), "c", &threads, "", views)
}

/// Peterson's algorithm; the loop is left when it was gone through `bound` times.
fn peterson(bound: usize, views: usize) -> Row {
    let thread = |me, other, turn, value| {
        format!(
            "{me}=1; turn={turn}; loop {{ f={other}; if f!=1 {{ break }} t=turn; if t!={turn} {{ break }} \
             k=c; c=c+1; if k>{bound} {{ break }} }} cs={value}; {me}=0"
        )
    };
    let threads = [thread("f1", "f2", 2, 1), thread("f2", "f1", 1, 2)].join(" || ");
    Row::each(format!("peterson, bound {bound}"), "f1 f2 turn cs", &threads, [views; 3])
}

/// Dekker's algorithm, with a look at the critical section.
fn dekker(bound: usize, views: [usize; 3]) -> Row {
    let thread = |me, other, mine, theirs| {
        format!(
            "{me}=1; loop {{ f={other}; if f!=1 {{ break }} k=m; m=m+1; if k>{bound} {{ break }} \
             t=turn; if t!={mine} {{ {me}=0; loop {{ t=turn; if t=={mine} {{ break }} \
             k=n; n=n+1; if k>{bound} {{ break }} }} {me}=1 }} }} cs={mine}; r cs; turn={theirs}; {me}=0"
        )
    };
    let threads = [thread("f1", "f2", 1, 2), thread("f2", "f1", 2, 1)].join(" || ");
    Row::each(format!("dekker, bound {bound}"), "f1 f2 turn=1 cs", &threads, views)
}

/// Lamport's bakery for two.
fn bakery(bound: usize, views: [usize; 3]) -> Row {
    let thread = |me: usize| {
        let look = |j| format!("v=number[{j}]; if v>max {{ max=number[{j}] }}");
        let wait = |j| {
            format!(
                "loop {{ v=entering[{j}]; if v!=1 {{ break }} k=m; m=m+1; if k>{bound} {{ break }} }} \
                 loop {{ v=number[{j}]; if v==0 {{ break }} v=number[{j}]; w=number[{me}]; \
                 if !(v<w) {{ break }} k=n; n=n+1; if k>{bound} {{ break }} }}"
            )
        };
        format!(
            "entering[{me}]=1; {}; {}; number[{me}]=1+max; entering[{me}]=0; {} {} cs={}; number[{me}]=0",
            look(0),
            look(1),
            wait(0),
            wait(1),
            me + 1
        )
    };
    let threads = [thread(0), thread(1)].join(" || ");
    Row::each(format!("bakery, bound {bound}"), "entering[2] number[2] cs", &threads, views)
}

/// Lamport's fast mutex for two. The version that was published has slips in the second thread, which change what can
/// be read; the other one is symmetric.
fn lamport(symmetric: bool, views: [usize; 3]) -> Row {
    let thread = |me, other, id, written| {
        let wait = |read: &str, until: &str, counter: &str| {
            format!(
                "loop {{ v={read}; if {until} {{ break }} k={counter}; {counter}={counter}+1; if k>1 {{ break }} }}"
            )
        };
        format!(
            "loop {{ k=n; n=n+1; if k>1 {{ break }} {me}=1; x={id}; \
             v=y; if v!=0 {{ {me}=0; {first} continue }} \
             y={written}; v=x; if v!={id} {{ {me}=0; {second} v=y; if v!={id} {{ {third} continue }} }} break }} \
             cs={id}; r cs; y=0; {me}=0",
            first = wait("y", "v==0", "n2"),
            second = wait(other, "v<1", "n3"),
            third = wait("y", "v==0", "n4"),
        )
    };
    let second = if symmetric { thread("f2", "f1", 2, 2) } else { thread("f2", "f2", 2, 1) };
    let threads = [thread("f1", "f2", 1, 1), second].join(" || ");
    let name = if symmetric { "lamport, symmetric" } else { "lamport, as published" };
    Row::each(name, "f1 f2 x y cs", &threads, views)
}
