//! Random C programs of one thread that compute numbers from inputs, without anything undefined in them; and whether what
//! an execution says of them in expressions is what happens.
//!
//! An execution gives for each result an expression, and the conditions under which the program takes the same way. Another
//! execution with other inputs must agree: if all conditions hold for its inputs, it takes the same way and its results are
//! what the expressions say; if one does not hold, it takes another way there.

use selvedge_machine::{Config, Extent, Outcome, Recorded, Symbolic, perform_and_look};
use selvedge_paths::{BranchKind, Request, Step};
use selvedge_program::Program;
use selvedge_terms::{Symbol, SymbolId, Term};
use selvedge_trace::ThreadName;
use std::fmt::Write;
use std::sync::Arc;

/// A program, and values of its inputs to try.
pub struct Computing {
    /// The C source. Its results are in `unsigned long long result[]`.
    pub source: String,
    /// Values of its inputs, in the order in which it asks for them.
    pub values: Vec<Vec<u64>>,
}

const INPUTS: [(&str, &str, u32); 5] = [
    ("int", "int", 32),
    ("unsigned char", "uchar", 8),
    ("short", "short", 16),
    ("unsigned long", "ulong", 64),
    ("_Bool", "bool", 1),
];

/// Numbers that look random and are the same for the same seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }
}

struct Writer {
    numbers: Numbers,
    names: Vec<String>,
}

impl Writer {
    fn below(&mut self, limit: u64) -> u64 {
        self.numbers.below(limit)
    }

    fn name(&mut self) -> String {
        let index = self.below(self.names.len() as u64);
        self.names[index as usize].clone()
    }

    /// An expression of type `unsigned long long`.
    fn number(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(8) == 0 {
            return match self.below(4) {
                0 => format!(
                    "{}ull",
                    [0, 1, 7, 255, 65536, u64::MAX, 1 << 63, 1 << 31][self.below(8) as usize]
                ),
                _ => format!("(u64)({})", self.name()),
            };
        }
        let one = self.number(depth - 1);
        let other = self.number(depth - 1);
        match self.below(24) {
            0 => format!("({one} + {other})"),
            1 => format!("({one} - {other})"),
            2 => format!("({one} * {other})"),
            3 => format!("({one} & {other})"),
            4 => format!("({one} | {other})"),
            5 => format!("({one} ^ {other})"),
            6 => format!("({one} << ({other} & 63))"),
            7 => format!("({one} >> ({other} & 63))"),
            8 => format!("(u64)((long long){one} >> {})", self.below(64)),
            9 => format!("({one} / (({other} & 15) + 1))"),
            10 => format!("({one} % (({other} & 7) + 1))"),
            11 => format!("(u64)((int){one} / ((int)({other} & 7) + 1))"),
            12 => format!("(u64)((short){one} % ((short)({other} & 15) + 1))"),
            13 => format!("(u64)(int)({one})"),
            14 => format!("(u64)(unsigned char)({one})"),
            15 => format!("(u64)(short)({one})"),
            16 => format!("(u64)(unsigned)({one})"),
            17 => format!("(u64)({one} < {other})"),
            18 => format!("(u64)((int){one} <= (int){other})"),
            19 => format!("(u64)((signed char){one} > (signed char){other})"),
            20 => format!("(u64)__builtin_popcountll({one})"),
            21 => format!("(u64)__builtin_clz((unsigned){one} | 1)"),
            22 => format!("helper((int){one}, (unsigned short){other})"),
            _ => format!("__builtin_bswap64({one})"),
        }
    }

    fn condition(&mut self) -> String {
        let (name, other) = (self.name(), self.name());
        match self.below(6) {
            0 => format!("(int){name} > {}", self.below(10)),
            1 => format!("{name} == {other}"),
            2 => format!("({name} & {}) != 0", 1 << self.below(8)),
            3 => format!("(short){name} < (short){other}"),
            4 => name,
            _ => format!("(u64){name} >= {}ull", self.below(300)),
        }
    }

    fn statement(&mut self, text: &mut String, depth: u32) {
        let target = self.below(4);
        let value = self.number(2);
        let done = match self.below(14) {
            0..=3 => writeln!(text, "v{target} = {value};"),
            4 if depth > 0 => {
                let condition = self.condition();
                let _ = writeln!(text, "if ({condition}) {{");
                self.statement(text, depth - 1);
                let _ = writeln!(text, "}} else {{");
                self.statement(text, depth - 1);
                writeln!(text, "}}")
            }
            5 => writeln!(text, "v{target} = ({}) ? {value} : v{};", self.condition(), self.below(4)),
            6 => writeln!(text, "buffer[{}] = (unsigned char){value};", self.below(16)),
            7 => writeln!(text, "memcpy(buffer + {}, &v{target}, 8);", self.below(9)),
            8 => writeln!(text, "memcpy(&v{target}, buffer + {}, {});", self.below(9), 1 + self.below(8)),
            9 => writeln!(text, "memset(buffer + {}, (int){value}, {});", self.below(8), 1 + self.below(8)),
            10 => writeln!(
                text,
                "record.c = (int){value}; record.b = (short)v{target}; copy = record; v{target} += (u64)copy.c ^ (u64)copy.b;"
            ),
            11 => writeln!(
                text,
                "{{ int sum; v{target} = __builtin_{}_overflow((int){value}, (int)v{}, &sum) ? 5 : (u64)sum; }}",
                ["add", "sub", "mul"][self.below(3) as usize],
                self.below(4)
            ),
            12 => writeln!(
                text,
                "switch (v{target} & 3) {{ case 0: v{target} = {value}; break; case 1: case 2: v{target} ^= 9; break; default: v{target}++; }}"
            ),
            _ => writeln!(
                text,
                "for (int k = 0; k < {}; k++) v{target} = v{target} * 3 + (u64)buffer[k];",
                self.below(6)
            ),
        };
        done.unwrap_or_default();
    }
}

/// The program with this number.
pub fn program(seed: u64) -> Computing {
    let mut writer = Writer { numbers: Numbers(seed ^ 0x51ad_0e5e_ed00), names: Vec::new() };
    let mut text = String::from(
        "#include <selvedge.h>\n#include <string.h>\ntypedef unsigned long long u64;\n\
         u64 result[6];\nstruct record { unsigned char a; short b; int c; long long d; };\n\
         static struct record record, copy;\n",
    );
    writer.names = vec!["a".into(), "b".into()];
    let expression = {
        // Nothing that calls itself.
        let text = writer.number(2);
        if text.contains("helper") { "(u64)(a + 3) * b".to_owned() } else { text }
    };
    let _ = writeln!(
        text,
        "static u64 helper(int a, unsigned short b) {{ return {}; }}",
        expression.replace("(u64)(a + 3)", "((u64)a + 3)")
    );
    let _ = writeln!(text, "int main(void) {{");
    let mut widths = Vec::new();
    writer.names.clear();
    for (index, (kind, name, width)) in INPUTS.iter().enumerate() {
        let _ = writeln!(text, "{kind} i{index} = selvedge_any_{name}();");
        writer.names.push(format!("i{index}"));
        widths.push(*width);
    }
    let _ = writeln!(text, "u64 v0 = i0, v1 = i1, v2 = i3, v3 = 3;\nunsigned char buffer[16] = {{0}};");
    writer.names.extend((0..4).map(|index| format!("v{index}")));
    for _ in 0..8 {
        writer.statement(&mut text, 2);
    }
    for index in 0..4 {
        let _ = writeln!(text, "result[{index}] = v{index};");
    }
    let last = writer.number(3);
    let _ = writeln!(text, "result[4] = {last};\nmemcpy(&result[5], buffer + 3, 8);\nreturn 0;\n}}");
    let mask = |value: u64, width: u32| value & (u64::MAX >> (64 - width));
    let base: Vec<u64> = widths.iter().map(|_| writer.below(20)).collect();
    let mut values = Vec::new();
    for round in 0..5 {
        let vector = base.iter().zip(&widths).map(|(&base, &width)| {
            let value = match writer.below(3 + round) {
                0 => base,
                1 => base ^ 1 << writer.below(8),
                2 => base.wrapping_sub(writer.below(30)),
                _ => writer.below(u64::MAX),
            };
            mask(value, width)
        });
        let vector: Vec<u64> = vector.collect();
        values.push(vector);
    }
    Computing { source: text, values }
}

/// An execution with its results.
struct Seen {
    recorded: Recorded,
    results: Vec<(u8, Option<Term>)>,
}

fn execute(program: &Arc<Program>, values: &[u64]) -> Result<Seen, String> {
    let symbol = |occurrence| Symbol::Input { thread: ThreadName::main(), occurrence };
    let values = (0_u32..).zip(values).map(|(occurrence, &value)| (symbol(occurrence), u128::from(value)));
    let request = Request { inputs: values.collect(), ..Request::default() };
    let symbolic = Some(Symbolic { inputs: true, ..Symbolic::default() });
    let config = Config { symbolic, ..Config::default() };
    let mut results = None;
    let recorded = perform_and_look(program, &config, &request, Extent::default(), |machine| {
        results = machine.probe().global_bytes("result");
    });
    match (&recorded.outcome, results) {
        (Some(Outcome::Exited(0)), Some(results)) => Ok(Seen { recorded, results }),
        (outcome, _) => Err(format!("it ends with {outcome:?}")),
    }
}

fn branches(seen: &Seen) -> Vec<(Term, u64, BranchKind)> {
    let steps = seen.recorded.execution.threads.iter().flat_map(|thread| &thread.steps);
    let branch = |step: &Step| match step {
        Step::Branch { condition, outcome, kind } => Some((*condition, *outcome, *kind)),
        _ => None,
    };
    steps.filter_map(|performed| branch(&performed.step)).collect()
}

/// Compares executions of a program with all its values; how many pairs took the same way with different inputs.
pub fn compare(program: &Arc<Program>, computing: &Computing) -> Result<usize, String> {
    let seen =
        computing.values.iter().map(|values| execute(program, values)).collect::<Result<Vec<_>, _>>()?;
    let mut same = 0;
    for one in &seen {
        for (other, values) in seen.iter().zip(&computing.values) {
            same += usize::from(agree(one, other, values)? && !std::ptr::eq(one, other));
        }
    }
    Ok(same)
}

/// Whether another execution took the same way, if what one says of it is right.
fn agree(one: &Seen, other: &Seen, values: &[u64]) -> Result<bool, String> {
    let terms = &one.recorded.execution.terms;
    let value = |symbol: SymbolId| match terms.symbol_of(symbol) {
        Symbol::Input { occurrence, .. } => u128::from(values[*occurrence as usize]),
        _ => 0,
    };
    let (own, others) = (branches(one), branches(other));
    let outcomes = |all: &[(Term, u64, BranchKind)]| all.iter().map(|b| (b.1, b.2)).collect::<Vec<_>>();
    let failing = own.iter().position(|(condition, ..)| terms.evaluate(*condition, value) == 0);
    let Some(at) = failing else {
        if outcomes(&own) != outcomes(&others) {
            return Err(format!("it takes another way with {values:?}"));
        }
        for (index, (byte, term)) in one.results.iter().enumerate() {
            let said = term.map_or(u128::from(*byte), |term| terms.evaluate(term, value));
            if said != u128::from(other.results[index].0) {
                return Err(format!("byte {index} is not {said} with {values:?}"));
            }
        }
        return Ok(true);
    };
    let (before, there) = (outcomes(&own[..at]), outcomes(&own[at..=at]));
    match others.get(..=at).map(|others| (outcomes(&others[..at]), outcomes(&others[at..]))) {
        Some((same, parted)) if same == before && parted != there => Ok(false),
        _ => Err(format!("it does not part at branch {at} with {values:?}")),
    }
}
