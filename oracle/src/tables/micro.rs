//! Very small programs, each for one way in which an exploration by values read can go wrong.

use super::Row;

/// Threads, and the number of views.
const BASIC: &[(&str, usize)] = &[
    ("x=1 || r x", 2),
    ("x=1 || x=2 || x=1 || r x", 3),
    ("y=1 || x=1 || r x || r y", 4),
    ("x=1 || y=1 || a=x; b=y; if a and b { z=1 } || r z", 5),
    ("x=1 || y=1 || a=y; if a==0 { z=1 } || n=z; l=y; if n and !l { r x }", 7),
    ("x=2 || x=1; r x || x=1", 2),
    ("x=1; r y || y=1; r x", 3),
    ("x=1 || r y; r x || y=1 || r x || r x", 16),
    ("x=1 || r y; r x || y=1 || r x || r y", 16),
    ("a=y; if a==0 { x=2 } || z=1; x=1; y=1; r x || x=3", 5),
    ("r y; x=2 || z=2; x=1 || z=3; y=1", 2),
    ("x=1 || a=x; if a { r x }", 2),
    ("r x; y=1 || r y; x=1", 3),
    ("r z; a=x; if a { r y } else { r y } || x=1 || y=1", 4),
    ("x=1 || x=2 || r x || r y; r x", 9),
    ("x=1; r x; r y; r y || x=2 || y=1", 6),
    ("r x; r x || x=1 || r x", 6),
    ("r x; r y; r y || y=1 || y=2", 7),
    ("x=1 || r x || r y; x=2 || r z; x=3", 4),
    ("r w; a=x; if a { r y } else { r y } || x=1 || y=1", 4),
    ("x=1; x=2 || r y; r x; r x || x=2", 7),
    ("y=1 || y=2 || r z; x=1 || a=x; if a==1 { r y }", 4),
    ("r x || r y; x=1", 2),
    ("x=1 || x=1 || r y; r x || r y; r x", 4),
    ("x=1 || r x; y=1 || r y; x=2 || r z; x=2", 6),
    ("y=1 || r y; r z; r x || r z; x=1 || r z; r x; y=0", 8),
    ("x=1; r x; y=1 || y=1; r y; x=1", 1),
    ("r x; r z || x=1; r y || z=1; r w; y=1", 8),
    ("x=1 || r y; x=1 || r x; y=1 || y=1", 4),
    ("x=1 || r y; r x || r y; r y; x=0", 2),
    ("y=1 || r y; x=1 || r x; r y || x=1", 8),
    ("y=1 || x=1 || r z; a=x; if a==1 { r y } || r z; x=2", 4),
    // A part of a view need not be possible on its own.
    ("x=2; r x || x=1; r x; r x; x=1", 6),
];

const READ_MODIFY_WRITE: &[(&str, usize)] = &[
    ("x=1 || faa(x,1)", 2),
    ("r x || faa(x,1)", 2),
    ("faa(x,1) || r x", 2),
    ("faa(x,1) || x=2 || r x", 6),
    ("x=1 || faa(x,2) || faa(x,1)", 5),
    ("faa(y,1) || faa(x,1) || r x || r y", 4),
    ("faa(x,2) || faa(x,1); r x || x=1", 8),
    ("faa(x,2) || faa(x,1); faa(x,1) || x=1", 9),
    ("faa(x,1) || a=x; if a { r x }", 2),
    ("r x; faa(y,1) || r y; faa(x,1)", 3),
    ("r z; a=x; if a { r y } else { r y } || faa(x,1) || faa(y,1)", 4),
    ("r z; a=x; if a { r x } else { r x } || faa(x,1) || faa(x,1)", 12),
    ("x=1; faa(x,1) || r y; r x; r x || x=2", 17),
    ("x=1 || faa(x,2) || faa(x,1) || r x", 18),
    ("x=1 || xchg(x,2)", 2),
];

const COMPARE_EXCHANGE: &[(&str, usize)] = &[
    ("x=1 || cas(x,1,2)", 2),
    ("cas(x,0,1) || x=2 || r x", 5),
    ("x=1 || cas(x,1,2) || cas(x,1,1)", 5),
    ("faa(x,2) || cas(x,1,2); r x || x=1", 12),
    ("faa(x,1) || cas(x,1,2); r x || x=1", 10),
    ("faa(x,2) || cas(x,1,2); cas(x,2,3) || x=1", 12),
    (
        "a=cas(x,0,1); if a==0 { y=1; a=y; assert a==1; x=0 } || \
         a=cas(x,0,1); if a==0 { y=2; a=y; assert a==2; x=0 }",
        3,
    ),
];

/// The programs, with counts under sequential consistency.
pub fn micro() -> Vec<Row> {
    let groups = [("basic", BASIC), ("rmw", READ_MODIFY_WRITE), ("cas", COMPARE_EXCHANGE)];
    let mut rows = Vec::new();
    for (group, programs) in groups {
        for (index, (threads, views)) in programs.iter().enumerate() {
            rows.push(Row::sc(format!("{group} {}", index + 1), "x y z w", threads, "", *views));
        }
    }
    let failing = Row::sc(
        "basic, checked at the end",
        "x y seen_x seen_y",
        "y=1 || x=1 || v=x; seen_x=v || v=y; seen_y=v",
        "v=seen_x; w=seen_y; assert !(v==1 and w==1)",
        4,
    );
    rows.push(failing);
    rows
}
