//! Programs that a strategy once had wrong. They were found at random; as text they stay what they are when the
//! generator changes.

use crate::language::Program;
use crate::notation;

/// Declarations, threads, main.
type Text = (&'static str, &'static str, &'static str);

/// A strategy once lost an alternative that it was to follow, or missed a race beside an assertion.
const LOST_ALTERNATIVES: &[Text] = &[
    (
        "x=1 y z mutex:m0 mutex:m1 cond:c0:m0",
        "v0=x; create 2; lock m0; x=(v0+1); lock m1; assert (v0<=0); unlock m1; unlock m0; broadcast c0 \
         || v0=z; x=2; v0=trylock m0; if v0 { assert (v0!=v0); unlock m0 }; broadcast c0 || \
         v0=cas(z.sc,0,2); z=(v0+1); signal c0",
        "v0=x; v1=y; v2=z",
    ),
    (
        "x y b[2] c[2]=1,1",
        "v0=x.sc; v1=length b; create 2; if (v1<=0) { v2=same b c } else { assert (v0<=0); assert \
         (v2<=v1) }; join 2 || v0=b[1]; v1=same c b; v2=length b || v0=y; v1=x.acq",
        "",
    ),
    (
        "x b[2] c[2]",
        "v0=same c b; repeat 2 { fence.ar } || v0=cas(c[1].sc,1,1); fence.ar || b.sc=3; v0=xchg(c[1],1)",
        "",
    ),
    (
        "x=1 y=1 b[2] c[2] mutex:m0 mutex:m1 cond:c0:m0",
        "copy b c; v0=same b c; v0=x.sc; create 2; join 2; v0=trylock m1; if v0 { lock m0; v1=y.sc; \
         unlock m0; assert (v0!=2); unlock m1 } || v0=same b c; assert (v0!=1); v1=trylock m0; if v1 { \
         lock m1; v1=b[1]; unlock m1; unlock m0 } || y=2; v0=y.sc; if (v0!=1) { v1=y; call c b } else { \
         c=2; v1=faa(b,2) }; assert (v0!=2)",
        "v0=x; v1=y; v2=b; v3=c; assert (v0!=v3)",
    ),
    (
        "x y z b[2] c[2] mutex:m0 cond:c0:m0",
        "v0=length c; repeat 2 { v0=x.acq; z.sc=3 }; b[1]=1; v0=length c || b[1]=1; v0=cas(z,0,1); \
         broadcast c0",
        "",
    ),
    (
        "x mutex:m0 mutex:m1 cond:c0:m0",
        "v0=cas(x.sc,1,1); assert (v0!=0) || v0=x; lock m0; wait c0; x=(v0+1); unlock m0; lock m1; \
         v1=faa(x.sc,(v0+2)); x.rel=2; unlock m1; x.rel=2 || v0=x; v1=x.sc; lock m1; v1=x; unlock m1; \
         signal c0",
        "",
    ),
    (
        "x y=1 z b[2]=1,1 c[2] mutex:m0 mutex:m1 cond:c0:m0",
        "copy c b; v0=b.acq; fence.rel || v0=length b; call b c; signal c0",
        "v0=x; v1=y; v2=z; v3=b; v4=c; assert (v0!=1)",
    ),
    (
        "x y=1 r0 r1 mutex:m0 cond:c0:m0",
        "v0=cas(x,1,3); assert (v0!=1); v0=x.acq; if (v0!=3) { v0=x.sc }; v1=trylock m0; if v1 { signal \
         c0; unlock m0 }; r0.na=v0 || v0=x.na; lock m0; x.sc=1; v0=x.na; unlock m0; fence.ar; signal c0; \
         r1.na=v0",
        "v0=r0; v1=r1; assert ((v0!=2) or (v1!=0))",
    ),
    (
        "x y r0 r1",
        "v0=x; v0=y.na; assert (v0!=v0); x.rel=3; r0.na=v0 || v0=xchg(y.sc,1); assert (v0!=0); x=(v0+1); \
         if (v0!=3) { x.rel=(v0+1) } else { v0=y.acq; v1=y.na }; v2=x; r1.na=v2",
        "v0=x; v1=y; v2=r0; v3=r1",
    ),
];

/// A strategy was once wrong about executions that end by an assertion or in a deadlock.
const EARLY_ENDS: &[Text] = &[
    ("x", "exit", "create 0"),
    ("x", "exit || v0=faa(x.sc,1)", "create 0; create 1; v0=x.sc; assert (v0!=1); leave"),
    (
        "x=1 y mutex:m0 mutex:m1 cond:c0:m0",
        "v0=y.sc; signal c0; lock m1; v1=cas(x,0,(v0+1)); broadcast c0; unlock m1; y.rel=1; lock m0; \
         v1=x; if !v1 { wait c0 }; v1=faa(x.sc,3); unlock m0 || y=1; lock m0; lock m1; v0=cas(y.sc,0,3); \
         lock m1; unlock m1; unlock m0; lock m1; assume (v0==1); signal c0; unlock m1; v0=y",
        "v0=x; v1=y",
    ),
    (
        "x=1 y mutex:m0 mutex:m1 cond:c0:m0",
        "x.na=3; v0=y.na; assert (v0==1) || v0=y.sc; v1=xchg(x,1); assume (v1<=3); v1=y.acq",
        "",
    ),
    (
        "x y=1 z mutex:m0 cond:c0:m0",
        "z.sc=2; v0=trylock m0; if v0 { z.sc=3; v1=cas(y.sc,0,(v0+2)); unlock m0 } || z=3; lock m0; v0=z; \
         v0=x; unlock m0; v0=faa(y,3); signal c0 || v0=y.acq; lock m0; v0=z; if !v0 { wait c0 }; lock m0; \
         unlock m0; broadcast c0; lock m0; v1=y; if !v1 { wait c0 }; v1=x; signal c0; unlock m0",
        "",
    ),
    (
        "x y z=1 r0 r1 r2 mutex:m0 cond:c0:m0",
        "v0=x.acq; v1=cas(x.sc,0,(v0+1)); assume (v1<=0); r0.na=v1 || v0=x; assert (v0!=0); lock m0; \
         v0=x.sc; unlock m0; y=(v0+3); r1.na=v0 || v0=z; lock m0; v0=x; if !v0 { wait c0 }; v0=z; \
         x.rel=(v0+3); unlock m0; r2.na=v0",
        "v0=x; v1=y; v2=z; v3=r0; v4=r1; v5=r2; assert (v0==3)",
    ),
    (
        "x=1 a[2] r0 r1 mutex:m0 mutex:m1 cond:c0:m0",
        "v0=x.sc; lock m1; v0=x.acq; lock m0; wait c0; broadcast c0; fence.sc; unlock m0; unlock m1; \
         v0=trylock m1; if v0 { x.sc=(v0+3); unlock m1 }; a.rel=1; r0.na=v0 || x.na=2; lock m1; v0=a.acq; \
         unlock m1; lock m0; v0=a.na; unlock m0; signal c0; r1.na=v0",
        "v0=x; v1=a; v2=r0; v3=r1",
    ),
    (
        "x mutex:m0 cond:c0:m0",
        "v0=x.na; if (v0!=1) { v1=faa(x.sc,3); v2=x.na }; lock m0; v0=x; if !v0 { wait c0 }; if (v0==3) { \
         v1=x.na }; assume (v2!=v1); unlock m0 || x=1; lock m0; v0=x; if !v0 { wait c0 }; signal c0; \
         x.na=3; unlock m0; lock m0; v0=x.acq; fence.ar; unlock m0; v0=x.acq; x.na=2",
        "",
    ),
    (
        "x y=1 mutex:m0 mutex:m1 cond:c0:m0",
        "v0=x; v0=x.na; v1=y.na || v0=cas(y.sc,1,2); assert (v0!=1) || v0=y.acq; v0=y.na; broadcast c0; \
         v1=y.na",
        "",
    ),
    (
        "x y z mutex:m0 cond:c0:m0",
        "x=3; lock m0; v0=z; v0=x; unlock m0; create 2; assert (v0<=0) || v0=z.sc; v0=y; v1=y; v2=x || \
         v0=z; v1=z; lock m0; signal c0; z=2; unlock m0; lock m0; v1=y; if !v1 { wait c0 }; z.sc=(v0+1); \
         unlock m0",
        "",
    ),
];

/// Races with stores that wait in buffers, and accesses that come only after these are seen; and a program with which two
/// different questions were once taken for the same one.
const OVERTAKEN_STORES: &[Text] = &[
    (
        "x y",
        "y.na=2; x=2 || v0=xchg(x.sc,1); if (v0!=2) { return 0 }; v1=y.na; assert (v1!=1) || v0=faa(x,1); \
         v0=xchg(x.sc,1)",
        "v0=x; v1=y; assert (v1<=3)",
    ),
    (
        "x y mutex:m0 mutex:m1 cond:c0:m0",
        "x.na=2; lock m1; lock m0; fence.ar; v0=y.acq; unlock m0; create 2; unlock m1 || v0=x.na; repeat \
         2 { y.sc=2 }; lock m0; v1=x; if !v1 { wait c0 }; v2=x; unlock m0; y.na=2 || v0=y.acq; lock m1; \
         return 0; unlock m1; lock m0; y.na=1; v0=y; unlock m0; v0=trylock m0; if v0 { v1=y.na; v0=y; \
         unlock m0 }",
        "",
    ),
    (
        "x y r0 r1",
        "v0=faa(x,2); repeat 2 { y.na=2; y.na=2 }; if (v0!=3) { x=1 }; v0=y; assert (v0<=0); r0.na=v0 || \
         y.na=2; v0=faa(y.sc,3); v0=cas(x,0,(v0+2)); v1=y.sc; r1.na=v1",
        "v0=x; v1=y; v2=r0; v3=r1",
    ),
    (
        "x mutex:m0 cond:c0:m0",
        "v0=x; v0=trylock m0; if v0 { fence.rel; unlock m0 }; v1=x.sc; lock m0; create 2; \
         v1=xchg(x.sc,2); join 2; unlock m0 || x=1; v0=x.acq; x=3 || v0=x.sc; repeat 2 { lock m0; \
         v0=x.sc; unlock m0; if (v0<=2) { v1=cas(x,0,2); v1=cas(x,0,1) } else { return 0 } }; fence.acq; \
         v1=trylock m0; if v1 { fence.rel; unlock m0 }",
        "v0=x",
    ),
];

fn programs(texts: &[Text]) -> Vec<Program> {
    let numbered = (1..).zip(texts);
    numbered
        .map(|(number, (declarations, threads, main))| {
            notation::program(&format!("once wrong {number}"), declarations, threads, main)
        })
        .collect()
}

/// A strategy once lost an alternative that it was to follow, or missed a race beside an assertion.
pub fn lost_alternatives() -> Vec<Program> {
    programs(LOST_ALTERNATIVES)
}

/// A strategy was once wrong about executions that end by an assertion or in a deadlock.
pub fn early_ends() -> Vec<Program> {
    programs(EARLY_ENDS)
}

/// Races with stores that wait in buffers, and accesses that come only after these are seen; and a program with which two
/// different questions were once taken for the same one.
pub fn overtaken_stores() -> Vec<Program> {
    programs(OVERTAKEN_STORES)
}
