//! Families of programs of any size, mostly with closed forms for the number of views under sequential consistency.

use super::Row;

/// The families at sizes that the enumerator can do.
pub fn families() -> Vec<Row> {
    let mut rows = Vec::new();
    rows.extend((1..=3).map(rounds));
    rows.extend([(2, 2), (3, 2), (2, 3), (3, 3), (4, 3)].map(|(l, t)| ring(l, t)));
    rows.extend((1..=4).map(same_value));
    rows.extend([(2, 1), (2, 3), (3, 1), (3, 2)].map(|(n, m)| once_only(n, m)));
    rows.extend([1, 2, 4].map(redundant));
    rows.extend((2..=4).map(seen_twice));
    rows.extend((1..=5).map(last_one));
    rows.extend((2..=4).map(own_first));
    rows.extend([1, 2, 3, 5].map(dekker));
    rows.extend((1..=4).map(burns));
    rows.extend([(1, 12), (2, 121)].map(|(n, views)| peterson(n, views)));
    rows.extend([(1, 102)].map(|(n, views)| szymanski(n, views)));
    rows.extend([(2, 3), (3, 13), (4, 75)].map(|(n, views)| array(n, views)));
    rows.push(triangular(3, 314));
    rows
}

/// Larger ones.
pub fn large() -> Vec<Row> {
    vec![
        peterson(3, 1144),
        szymanski(2, 1461),
        array(5, 541),
        triangular(4, 1584),
        seen_twice(5),
        own_first(6),
        once_only(4, 1),
        ring(5, 5),
        dekker(10),
        redundant(10),
    ]
}

fn join(threads: impl IntoIterator<Item = String>) -> String {
    threads.into_iter().collect::<Vec<_>>().join(" || ")
}

/// Four threads that write 1 and look at each other, `n` times.
pub fn rounds(n: usize) -> Row {
    let threads = ["x=1", "r y; x=1", "r x; y=1", "y=1"].map(|body| format!("repeat {n} {{ {body} }}"));
    Row::sc(format!("rounds({n})"), "x y", &join(threads), "", 4 * n)
}

/// Latches and flags in a ring (pgsql): each of `threads` threads tries `tries` times to get its latch.
pub fn ring(tries: usize, threads: usize) -> Row {
    let thread = |me: usize| {
        let next = (me + 1) % threads;
        format!(
            "repeat {tries} {{ v=latch[{me}]; if v==1 {{ got=1; break }} }} if got==0 {{ return }} \
             v=latch[{me}]; if v!=0 {{ w=flag[{me}]; assert w==1 }} latch[{me}]=0; v=flag[{me}]; \
             if v==1 {{ flag[{me}]=0; flag[{next}]=1; latch[{next}]=1 }}"
        )
    };
    let declarations = format!("latch[{threads}] flag[{threads}]");
    let views = (tries.pow(threads as u32) - 1) / (tries - 1);
    let name = format!("ring({tries}, {threads})");
    let mut row = Row::sc(name, &declarations, &join((0..threads).map(thread)), "", views);
    row.program.variables.iter_mut().for_each(|variable| variable.initial[0] = 1);
    row
}

/// All threads write the same and look at it (monabsex).
pub fn same_value(n: usize) -> Row {
    let thread = format!("x={n}; v=x; assert v=={n}");
    Row::sc(format!("same value({n})"), "x", &join(vec![thread; n]), "", 1)
}

/// Only the thread that comes first may count (unverif).
pub fn once_only(n: usize, m: usize) -> Row {
    let thread = format!("faa(x,1); v=x; if v==1 {{ repeat {m} {{ s=y; y=s+1; l=l+1; s=y; assert s==l }} }}");
    let factorial: usize = (1..=n).product();
    Row::sc(format!("once only({n}, {m})"), "x y", &join(vec![thread; n]), "", factorial * factorial)
}

/// Two threads write the same again and again (redundant-co).
pub fn redundant(n: usize) -> Row {
    let threads = format!("repeat {n} {{ x=1 }} || repeat {n} {{ x=2 }} || r x; r x");
    Row::sc(format!("redundant({n})"), "x", &threads, "", 7)
}

/// Writers of different values, two reads and one at the end (swsc-co1).
pub fn seen_twice(n: usize) -> Row {
    let writers = (0..n).map(|value| format!("x={value}"));
    let threads = join(writers.chain(["r x; r x".to_owned()]));
    Row::sc(format!("seen twice({n})"), "x", &threads, "r x", n.pow(3) - (n - 1).pow(2))
}

/// Writers of different values, and which was the last (swsc-co10).
pub fn last_one(n: usize) -> Row {
    Row::sc(format!("last one({n})"), "x", &join((0..n).map(|value| format!("x={value}"))), "r x", n)
}

/// Writers, and a reader that writes first (alpha2).
pub fn own_first(n: usize) -> Row {
    let writers = (0..n).map(|value| format!("x={value}"));
    let threads = join(writers.chain([format!("x={n}; r x; r x")]));
    Row::sc(format!("own first({n})"), "x=1", &threads, "", n * n + n + 1)
}

/// Dekker's entry, given up when the other one is there (dekker-simple).
pub fn dekker(n: usize) -> Row {
    let thread = |me, other, value| {
        format!(
            "repeat {n} {{ {me}=1; v={other}; if v!=0 {{ return }} c={value}; v=c; assert v=={value}; {me}=0 }}"
        )
    };
    let threads = join([thread("x", "y", 2), thread("y", "x", 1)]);
    Row::sc(format!("dekker({n})"), "x y c", &threads, "", (n + 1) * (n + 1))
}

/// Burns' algorithm, given up when the other one is there.
pub fn burns(n: usize) -> Row {
    let first = "f1=0; f1=1; v=f2; if v==1 { return } c=0; v=c; assert v<=0; f1=0";
    let second = "f2=0; v=f1; if v==1 { return } f2=1; v=f1; if v==1 { return } c=1; v=c; assert v>=1; f2=0";
    let threads = join([first, second].map(|body| format!("repeat {n} {{ {body} }}")));
    Row::sc(format!("burns({n})"), "f1 f2 c", &threads, "", 2 * n * n + 2 * n + 1)
}

/// Peterson's algorithm, given up when the other one is there.
pub fn peterson(n: usize, views: usize) -> Row {
    let thread = |me, other, turn, value| {
        format!(
            "repeat {n} {{ {me}=1; turn={turn}; v={other}; t=turn; if v==1 and t=={turn} {{ return }} \
             c={value}; v=c; assert v=={value}; {me}=0 }}"
        )
    };
    let threads = join([thread("f1", "f2", 1, 2), thread("f2", "f1", 0, 1)]);
    Row::sc(format!("peterson({n})"), "f1 f2 turn c", &threads, "", views)
}

/// Szymanski's algorithm, given up when the other one is there.
pub fn szymanski(n: usize, views: usize) -> Row {
    let thread = |me, other, value, check| {
        format!(
            "repeat {n} {{ {me}=1; v={other}; if v>=3 {{ return }} {me}=3; v={other}; \
             if v==1 {{ {me}=2; v={other}; if v!=4 {{ return }} }} {me}=4; v={other}; if v>=2 {{ return }} \
             c={value}; v=c; assert {check}; v={other}; if v>=2 and v<=3 {{ return }} {me}=0 }}"
        )
    };
    let threads = join([thread("f1", "f2", 0, "v<=0"), thread("f2", "f1", 1, "v>=1")]);
    Row::sc(format!("szymanski({n})"), "f1 f2 c", &threads, "", views)
}

/// `n` threads mark the elements of an array that they find by an unprotected counter (nondet-array-2).
pub fn array(n: usize, views: usize) -> Row {
    let thread = "v=x; a[v]=1; x=v+1".to_owned();
    let finale: Vec<String> = (0..n).map(|index| format!("r a[{index}]")).collect();
    let declarations = format!("x a[{}]", n + 1);
    Row::sc(format!("array({n})"), &declarations, &join(vec![thread; n]), &finale.join("; "), views)
}

/// Two counters that push each other up, and a thread that looks (triangular-2).
pub fn triangular(n: usize, views: usize) -> Row {
    let threads = format!("repeat {n} {{ v=y; x=v+1 }} || repeat {n} {{ v=x; y=v+1 }} || r x; r y");
    Row::sc(format!("triangular({n})"), "x=3 y=6", &threads, "", views)
}
