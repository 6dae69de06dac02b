//! What is known of machines: outcomes that the language allows, and that multi-copy-atomic machines or x86 do or do not show.

use super::families::shows;
use selvedge_oracle::axiomatic::parse;
use selvedge_relations::Rules;

/// Name, program, outcome, and whether rc11, mca and tso show it.
type Known = (&'static str, &'static str, &'static str, [bool; 3]);

const A: [bool; 3] = [true, true, true];
/// Not on x86.
const M: [bool; 3] = [true, true, false];
/// On no machine.
const L: [bool; 3] = [true, false, false];
const N: [bool; 3] = [false, false, false];

const KNOWN: &[Known] = &[
    ("MP", "x.rlx = 1; y.rlx = 1\n a = y.rlx; b = x.rlx", "a=1 b=0", M),
    ("MP+rel+acq", "x.rlx = 1; y.rel = 1\n a = y.acq; b = x.rlx", "a=1 b=0", N),
    ("MP+rel+addr", "x.rlx = 1; y.rel = 1\n a = y.rlx; b = x.rlx @a", "a=1 b=0", L),
    ("MP+relf+addr", "x.rlx = 1; fence.rel; y.rlx = 1\n a = y.rlx; b = x.rlx @a", "a=1 b=0", L),
    ("MP+relf+po", "x.rlx = 1; fence.rel; y.rlx = 1\n a = y.rlx; b = x.rlx", "a=1 b=0", M),
    ("MP+po+addr", "x.rlx = 1; y.rlx = 1\n a = y.rlx; b = x.rlx @a", "a=1 b=0", M),
    ("MP+relf+ctrl", "x.rlx = 1; fence.rel; y.rlx = 1\n a = y.rlx; if a == 1 { b = x.rlx }", "a=1 b=0", M),
    ("MP+relf+acqf", "x.rlx = 1; fence.rel; y.rlx = 1\n a = y.rlx; fence.acq; b = x.rlx", "a=1 b=0", N),
    ("MP+acqf+addr", "x.rlx = 1; fence.acq; y.rlx = 1\n a = y.rlx; b = x.rlx @a", "a=1 b=0", M),
    (
        "PPOCA",
        "x.rlx = 1; fence.rel; y.rlx = 1\n a = y.rlx; if a == 1 { z.rlx = 1 }; c = z.rlx; b = x.rlx @c",
        "a=1 c=1 b=0",
        M,
    ),
    ("S", "x.rlx = 2; y.rlx = 1\n a = y.rlx; x.rlx = 1", "a=1 x=2", M),
    ("S+relf+data", "x.rlx = 2; fence.rel; y.rlx = 1\n a = y.rlx; x.rlx = a", "a=1 x=2", L),
    ("S+rel+addr", "x.rlx = 2; y.rel = 1\n a = y.rlx; x.rlx = 1 @a", "a=1 x=2", L),
    ("S+relf+ctrl", "x.rlx = 2; fence.rel; y.rlx = 1\n a = y.rlx; if a == 1 { x.rlx = 1 }", "a=1 x=2", L),
    ("S+relf+po", "x.rlx = 2; fence.rel; y.rlx = 1\n a = y.rlx; x.rlx = 1", "a=1 x=2", M),
    // Behind a condition whose ways have met again.
    (
        "S+relf+ctrl-join",
        "x.rlx = 2; fence.rel; y.rlx = 1\n a = y.rlx; if a == 7 { z.rlx = 1 }; x.rlx = 1",
        "a=1 x=2",
        L,
    ),
    ("2+2W", "x.rlx = 1; y.rlx = 2\n y.rlx = 1; x.rlx = 2", "x=1 y=1", M),
    ("2+2W+rels", "x.rlx = 1; y.rel = 2\n y.rlx = 1; x.rel = 2", "x=1 y=1", L),
    ("2+2W+relfs", "x.rlx = 1; fence.rel; y.rlx = 2\n y.rlx = 1; fence.rel; x.rlx = 2", "x=1 y=1", L),
    ("2+2W+relf+po", "x.rlx = 1; fence.rel; y.rlx = 2\n y.rlx = 1; x.rlx = 2", "x=1 y=1", M),
    ("SB", "x.rlx = 1; a = y.rlx\n y.rlx = 1; b = x.rlx", "a=0 b=0", A),
    ("SB+rel+acq", "x.rel = 1; a = y.acq\n y.rel = 1; b = x.acq", "a=0 b=0", A),
    ("SB+arfs", "x.rlx = 1; fence.ar; a = y.rlx\n y.rlx = 1; fence.ar; b = x.rlx", "a=0 b=0", A),
    ("SB+scfs", "x.rlx = 1; fence.sc; a = y.rlx\n y.rlx = 1; fence.sc; b = x.rlx", "a=0 b=0", N),
    ("SB+scs", "x.sc = 1; a = y.sc\n y.sc = 1; b = x.sc", "a=0 b=0", N),
    ("SB+scs+acq", "x.sc = 1; a = y.acq\n y.sc = 1; b = x.sc", "a=0 b=0", [true, true, false]),
    ("SB+xchgs", "c = x.xchg.ar 1; a = y.acq\n d = y.xchg.ar 1; b = x.acq", "a=0 b=0", M),
    ("R", "x.rlx = 1; y.rlx = 1\n y.rlx = 2; a = x.rlx", "y=2 a=0", A),
    ("R+relf+scf", "x.rlx = 1; fence.rel; y.rlx = 1\n y.rlx = 2; fence.sc; a = x.rlx", "y=2 a=0", L),
    ("R+rel+po", "x.rlx = 1; y.rel = 1\n y.rlx = 2; a = x.rlx", "y=2 a=0", A),
    ("WRC", "x.rlx = 1\n a = x.rlx; y.rlx = 1\n b = y.rlx; c = x.rlx", "a=1 b=1 c=0", M),
    ("WRC+addrs", "x.rlx = 1\n a = x.rlx; y.rlx = 1 @a\n b = y.rlx; c = x.rlx @b", "a=1 b=1 c=0", L),
    ("WRC+data+addr", "x.rlx = 1\n a = x.rlx; y.rlx = a\n b = y.rlx; c = x.rlx @b", "a=1 b=1 c=0", L),
    (
        "WRC+ctrl+addr",
        "x.rlx = 1\n a = x.rlx; if a == 1 { y.rlx = 1 }\n b = y.rlx; c = x.rlx @b",
        "a=1 b=1 c=0",
        L,
    ),
    ("WRC+po+addr", "x.rlx = 1\n a = x.rlx; y.rlx = 1\n b = y.rlx; c = x.rlx @b", "a=1 b=1 c=0", M),
    ("WRC+addr+po", "x.rlx = 1\n a = x.rlx; y.rlx = 1 @a\n b = y.rlx; c = x.rlx", "a=1 b=1 c=0", M),
    ("WRC+addr+acq", "x.rlx = 1\n a = x.rlx; y.rlx = 1 @a\n b = y.acq; c = x.rlx", "a=1 b=1 c=0", L),
    ("WRC+rel+acq", "x.rlx = 1\n a = x.rlx; y.rel = 1\n b = y.acq; c = x.rlx", "a=1 b=1 c=0", N),
    ("IRIW", "x.rlx = 1\n y.rlx = 1\n a = x.rlx; b = y.rlx\n c = y.rlx; d = x.rlx", "a=1 b=0 c=1 d=0", M),
    (
        "IRIW+addrs",
        "x.rlx = 1\n y.rlx = 1\n a = x.rlx; b = y.rlx @a\n c = y.rlx; d = x.rlx @c",
        "a=1 b=0 c=1 d=0",
        L,
    ),
    (
        "IRIW+addr+po",
        "x.rlx = 1\n y.rlx = 1\n a = x.rlx; b = y.rlx @a\n c = y.rlx; d = x.rlx",
        "a=1 b=0 c=1 d=0",
        M,
    ),
    (
        "IRIW+acqs",
        "x.rel = 1\n y.rel = 1\n a = x.acq; b = y.acq\n c = y.acq; d = x.acq",
        "a=1 b=0 c=1 d=0",
        L,
    ),
    ("IRIW+scs", "x.sc = 1\n y.sc = 1\n a = x.sc; b = y.sc\n c = y.sc; d = x.sc", "a=1 b=0 c=1 d=0", N),
    (
        "ISA2+relf+addrs",
        "x.rlx = 1; fence.rel; y.rlx = 1\n a = y.rlx; z.rlx = 1 @a\n b = z.rlx; c = x.rlx @b",
        "a=1 b=1 c=0",
        L,
    ),
    (
        "ISA2+relf+ctrl+addr",
        "x.rlx = 1; fence.rel; y.rlx = 1\n a = y.rlx; if a == 1 { z.rlx = 1 }\n b = z.rlx; c = x.rlx @b",
        "a=1 b=1 c=0",
        L,
    ),
    (
        "ISA2+relf+po+addr",
        "x.rlx = 1; fence.rel; y.rlx = 1\n a = y.rlx; z.rlx = 1\n b = z.rlx; c = x.rlx @b",
        "a=1 b=1 c=0",
        M,
    ),
    // What a store depends on later stores to its location come after too.
    (
        "ISA2+relf+data-coi+addr",
        "x.rlx = 1; fence.rel; y.rlx = 1\n a = y.rlx; z.rlx = a; z.rlx = 2\n b = z.rlx; c = x.rlx @b",
        "a=1 b=2 c=0",
        L,
    ),
    (
        "Z6.3+relfs+addr",
        "x.rlx = 1; fence.rel; y.rlx = 1\n y.rlx = 2; fence.rel; z.rlx = 1\n a = z.rlx; b = x.rlx @a",
        "y=2 a=1 b=0",
        L,
    ),
    (
        "Z6.3+relf+po+addr",
        "x.rlx = 1; fence.rel; y.rlx = 1\n y.rlx = 2; z.rlx = 1\n a = z.rlx; b = x.rlx @a",
        "y=2 a=1 b=0",
        M,
    ),
    (
        "RWC+addr+scf",
        "x.rlx = 1\n a = x.rlx; b = y.rlx @a\n y.rlx = 1; fence.sc; c = x.rlx",
        "a=1 b=0 c=0",
        L,
    ),
    ("RWC+addr+po", "x.rlx = 1\n a = x.rlx; b = y.rlx @a\n y.rlx = 1; c = x.rlx", "a=1 b=0 c=0", A),
    (
        "W+RWC+relf+addr+scf",
        "x.rlx = 1; fence.rel; z.rlx = 1\n a = z.rlx; b = y.rlx @a\n y.rlx = 1; fence.sc; c = x.rlx",
        "a=1 b=0 c=0",
        L,
    ),
    ("LB", "a = x.rlx; y.rlx = 1\n b = y.rlx; x.rlx = 1", "a=1 b=1", N),
    ("CoRR", "x.rlx = 1\n a = x.rlx; b = x.rlx", "a=1 b=0", N),
    // What fails an update depends on as little as a load does.
    ("MP+relf+cas", "x.rlx = 1; fence.rel; y.rlx = 1\n a = y.cas.rlx.rlx 5 6; b = x.rlx", "a=1 b=0", M),
    ("WRC+add+addr", "x.rlx = 1\n a = x.add.rlx 1; y.rlx = 1 @a\n b = y.rlx; c = x.rlx @b", "a=1 b=1 c=0", L),
];

#[test]
fn machines_show_what_is_known_of_them() {
    for (name, text, outcome, known) in KNOWN {
        let test = parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let found = [Rules::Rc11, Rules::Mca, Rules::Tso].map(|rules| shows(&test, outcome, rules));
        assert_eq!(found, *known, "{name}\n{test}");
    }
}
