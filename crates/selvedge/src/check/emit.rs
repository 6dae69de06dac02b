//! Regression tests: a program that fixes the inputs of a violation and runs what was checked.
//!
//! The schedule is not part of it: a test must outlive the repair, and the repaired program has other schedules. Checked by
//! Selvedge, the test covers all schedules with these inputs; natively it takes the one that happens.

use selvedge_trace::Schedule;
use std::io;
use std::path::{Path, PathBuf};

/// Writes the test for these source files.
pub fn write(file: &Path, sources: &[PathBuf], schedule: &Schedule) -> io::Result<()> {
    let sources: Vec<PathBuf> =
        sources.iter().map(|source| source.canonicalize().unwrap_or_else(|_| source.clone())).collect();
    let text = match file.extension().is_some_and(|extension| extension == "rs") {
        true => rust(&sources, schedule),
        false => c(&sources, schedule),
    };
    std::fs::write(file, text)
}

fn pins(schedule: &Schedule, function: &str, end: &str) -> String {
    let pins = schedule.inputs.values.iter();
    pins.map(|(name, value)| format!("    {function}(\"{name}\", {value}{end});\n")).collect()
}

/// What the program returns is not looked at: a `main` without `return` gives 0, but not under another name.
fn c(sources: &[PathBuf], schedule: &Schedule) -> String {
    let includes: String =
        sources.iter().map(|source| format!("#include \"{}\"\n", source.display())).collect();
    format!(
        "/* The inputs with which `{}` failed. `selvedge check` of this file looks at all schedules with them. */\n\
         #define main selvedge_program_main\n{includes}#undef main\n#include <selvedge.h>\n\n\
         int main(int argc, char **argv) {{\n{}    int (*program)(int, char **) = (int (*)(int, char **))selvedge_program_main;\n    program(argc, argv);\n    return 0;\n}}\n",
        schedule.program,
        pins(schedule, "selvedge_pin", "ull"),
    )
}

fn rust(sources: &[PathBuf], schedule: &Schedule) -> String {
    let includes: String =
        sources.iter().map(|source| format!("include!({:?});\n", source.display().to_string())).collect();
    format!(
        "// The inputs with which `{}` failed. `selvedge check . --test NAME` looks at all schedules with them.\n\
         {includes}\n#[test]\nfn fails_no_more() {{\n{}    let _ = main();\n}}\n",
        schedule.program,
        pins(schedule, "selvedge::pin", ""),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_trace::{Choices, InputName, Inputs, Model, ThreadName};

    fn schedule() -> Schedule {
        let name = InputName { thread: ThreadName::main().child(2), occurrence: 1 };
        let inputs = Inputs { values: [(name, 7)].into_iter().collect(), ..Inputs::default() };
        let (program, choices) = ("bank".to_owned(), Choices::new());
        Schedule { program, fingerprint: 0, model: Model::Sc, inputs, choices, digest: 0, claim: None }
    }

    #[test]
    fn inputs_are_fixed_before_the_program_runs() {
        let text = c(&[PathBuf::from("/x/bank.c")], &schedule());
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part} in {text}"));
        assert!(at("#include \"/x/bank.c\"") < at("selvedge_pin(\"main.2#1\", 7ull);"));
        assert!(at("selvedge_pin") < at("    program(argc, argv);"));
        let text = rust(&[PathBuf::from("/x/bank.rs")], &schedule());
        assert!(
            text.contains("include!(\"/x/bank.rs\");") && text.contains("selvedge::pin(\"main.2#1\", 7);"),
            "{text}"
        );
    }
}
