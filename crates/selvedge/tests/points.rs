//! Program points: what the lowered code and the bitcode call the same instruction.

use selvedge::drivers::{self, Request};
use selvedge::run::prepare::prepare;
use selvedge_program::code::{Callee, Op};
use selvedge_program::{FunctionOutline, ModuleBytes, Program, ProgramPoint, Site, outline};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Programs of each language, and what threads do in them.
const PROGRAMS: [&str; 8] = [
    "examples/bank.c",
    "corpus/c/threads",
    "corpus/c/instructions",
    "corpus/cpp",
    "corpus/rust",
    "corpus/check/bugs/c",
    "corpus/check/bugs/cpp",
    "corpus/check/bugs/rust",
];
/// Of each folder.
const FILES: usize = 3;

fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = Vec::new();
    for name in PROGRAMS {
        let path = root.join(name);
        if path.is_file() {
            sources.push(path);
            continue;
        }
        let Ok(entries) = std::fs::read_dir(&path) else { continue };
        let files = entries.flatten().map(|entry| entry.path());
        let mut files: Vec<_> = files
            .filter(|path| {
                path.extension().is_some_and(|end| ["c", "cpp", "cc", "rs"].iter().any(|other| end == *other))
            })
            .collect();
        files.sort();
        sources.extend(files.into_iter().step_by(5).take(FILES));
    }
    sources
}

/// The modules of a program, function by function, with the numbers that tell equal names apart left out.
fn outlines(request: &Request) -> BTreeMap<String, Vec<FunctionOutline>> {
    let bitcode = drivers::compile(request).unwrap_or_else(|error| panic!("{error}"));
    let mut all: BTreeMap<String, Vec<FunctionOutline>> = BTreeMap::new();
    for module in &bitcode.modules {
        let bytes = std::fs::read(&module.path).expect("the module is there");
        let found = outline(&ModuleBytes { name: &module.name, bytes: &bytes });
        for function in found.unwrap_or_else(|error| panic!("{error}")) {
            all.entry(function.function.clone()).or_default().push(function);
        }
    }
    all
}

/// The instructions of LLVM that an operation may have been made from, for those that others may notice and those that
/// decide; nothing is said of the others, which may be part of any instruction.
fn instructions(program: &Program, function: usize, op: &Op) -> Option<&'static [&'static str]> {
    let code = &program.functions[function];
    Some(match op {
        // Calls of functions that LLVM knows become accesses; so does what a call passes in memory.
        Op::Load { .. } | Op::LoadPtr { .. } | Op::LoadMany { .. } => &["load", "call", "invoke", "vaarg"],
        Op::Store { .. } | Op::StorePtr { .. } | Op::StoreMany { .. } => &["store", "call", "invoke"],
        Op::Atomic { .. } => &["load", "store", "atomicrmw", "atomiccmpxchg", "cmpxchg", "fence", "call"],
        Op::Switch { .. } => &["switch", "indirectbr"],
        Op::BranchIf { .. }
        | Op::BranchUnless { .. }
        | Op::BranchCompare { .. }
        | Op::BranchCompareImm { .. } => &["br", "switch", "select", "call", "invoke"],
        Op::Return { .. } => &["ret"],
        Op::Call { index } => match &code.calls[*index as usize].callee {
            // What the lowering calls by itself: it belongs to the instruction that needs it.
            Callee::External(_) => return None,
            _ => &["call", "invoke", "resume"],
        },
        _ => return None,
    })
}

#[test]
fn operations_and_instructions_of_the_corpus_are_found_from_each_other() {
    let sources = sources();
    assert!(sources.len() > 15, "{sources:?}");
    let (mut operations, mut events, mut functions) = (0_u64, 0_u64, 0_u64);
    for source in sources {
        let request = Request { inputs: vec![source.clone()], ..Request::default() };
        let Ok(prepared) = prepare(&request) else { continue };
        let program = &prepared.program;
        let modules = outlines(&request);
        let names: BTreeSet<&str> = program.functions.iter().map(|function| &*function.unique).collect();
        assert_eq!(names.len(), program.functions.len(), "names of functions are unique");
        for (id, function) in program.functions.iter().enumerate() {
            // Functions of the C library are not among the program's modules.
            let Some(found) = modules.get(&*function.unique) else { continue };
            functions += 1;
            // Copies of an inline function are equal.
            let bitcode = &found[0];
            let mut made: BTreeSet<Site> = BTreeSet::new();
            for (at, op) in function.code.iter().enumerate() {
                operations += 1;
                let Some(point) = program.point_of(id as u32, at as u32) else {
                    assert!(
                        instructions(program, id, op).is_none(),
                        "{source:?} {} {at}: {op:?}",
                        function.unique
                    );
                    continue;
                };
                let text = point.to_string();
                assert_eq!(text.parse::<ProgramPoint>().as_ref(), Ok(&point));
                assert!(program.find(&point).contains(&(id as u32, at as u32)), "{text}");
                made.insert(point.site);
                let Site { block, instruction } = point.site;
                let block = bitcode.blocks.get(block as usize).unwrap_or_else(|| panic!("{source:?} {text}"));
                let opcode = block.get(instruction as usize).unwrap_or_else(|| panic!("{source:?} {text}"));
                if let Some(allowed) = instructions(program, id, op) {
                    events += 1;
                    assert!(allowed.contains(&opcode.as_str()), "{source:?} {text}: {opcode} became {op:?}");
                }
            }
            // The other way round: what others may notice is there, if the block can be reached at all.
            let reached: BTreeSet<u32> = made.iter().map(|site| site.block).collect();
            for (block, instructions) in bitcode.blocks.iter().enumerate() {
                for (instruction, opcode) in instructions.iter().enumerate() {
                    let site = Site { block: block as u32, instruction: instruction as u32 };
                    let must =
                        matches!(opcode.as_str(), "atomicrmw" | "atomiccmpxchg" | "fence" | "ret" | "invoke");
                    if must && reached.contains(&site.block) {
                        let point = ProgramPoint { function: function.unique.clone(), site };
                        assert!(!program.find(&point).is_empty(), "{source:?} {point}: {opcode} is nowhere");
                    }
                }
            }
        }
    }
    assert!(
        functions > 200 && events > 1_000 && operations > 2 * events,
        "{functions} {events} {operations}"
    );
}

#[test]
fn points_do_not_change_when_another_function_is_edited() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.c");
    let points = |text: &str| {
        std::fs::write(&file, text).expect("a file");
        let prepared = prepare(&Request { inputs: vec![file.clone()], ..Request::default() });
        let prepared = prepared.unwrap_or_else(|error| panic!("{error}"));
        let program = &prepared.program;
        let id = program.functions.iter().position(|function| function.unique.ends_with("a.c:kept"));
        let id = id.expect("the function is there");
        let function = &program.functions[id];
        let all = (0..function.code.len() as u32).map(|at| program.point_of(id as u32, at));
        all.collect::<Vec<_>>()
    };
    let kept = "int x; static int kept(int a) { if (a > x) x = a; return x; }\n";
    let before = points(&format!("{kept} int main(void) {{ return kept(1); }}"));
    let after = points(&format!(
        "int y; static int other(void) {{ return y++; }}\n{kept} int main(void) {{ other(); return kept(1) + kept(2); }}"
    ));
    assert_eq!(before, after);
    assert!(before.iter().flatten().all(|point| point.to_string().contains("a.c:kept#")), "{before:?}");
}
