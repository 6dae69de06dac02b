//! Regression tests: a program that fixes the inputs of a violation and runs what was checked, or a script that replays the
//! violation.
//!
//! The schedule is not part of the program: a test must outlive the repair, and the repaired program has other schedules.
//! Checked by Selvedge, the test covers all schedules with these inputs; natively it takes the one that happens. The script
//! has the schedule in it, and fails again for as long as the program goes wrong in that schedule.

use selvedge_trace::{Schedule, write_schedule};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Writes the test for these source files; `words` name the program on the command line.
pub fn write(file: &Path, sources: &[PathBuf], words: &[String], schedule: &Schedule) -> io::Result<()> {
    let sources: Vec<PathBuf> =
        sources.iter().map(|source| source.canonicalize().unwrap_or_else(|_| source.clone())).collect();
    let is = |file: &Path, names: &[&str]| {
        file.extension().is_some_and(|extension| names.iter().any(|name| extension == *name))
    };
    if is(file, &["sh"]) {
        std::fs::write(file, script(&absolute(words), schedule)?)?;
        return std::fs::set_permissions(file, PermissionsExt::from_mode(0o755));
    }
    let cplusplus = ["cpp", "cc", "cxx", "C", "c++"];
    let text = match is(file, &["rs"]) {
        true => rust(&sources, schedule),
        false if sources.iter().any(|source| is(source, &cplusplus)) => cpp(&sources, schedule),
        false => c(&sources, schedule),
    };
    std::fs::write(file, text)
}

/// The words with whole paths, so that a script can be anywhere.
fn absolute(words: &[String]) -> Vec<String> {
    let whole = |word: &String| match Path::new(word).canonicalize() {
        Ok(path) if !word.starts_with('-') => path.display().to_string(),
        _ => word.clone(),
    };
    words.iter().map(whole).collect()
}

/// A script that replays the schedule, which is part of it.
fn script(words: &[String], schedule: &Schedule) -> io::Result<String> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("schedule.json");
    write_schedule(&file, schedule).map_err(io::Error::other)?;
    let text = std::fs::read_to_string(&file)?;
    Ok(format!(
        "#!/bin/sh\n\
         # Runs `{}` once more in the schedule, and with the inputs, in which it failed. Ends as `selvedge run` does: 1 when it\n\
         # fails again, 2 when it has changed so much that the schedule does not fit, else as the program ends.\n\
         schedule=$(mktemp) || exit 2\n\
         trap 'rm -f \"$schedule\"' EXIT\n\
         cat >\"$schedule\" <<'END OF SCHEDULE'\n{text}END OF SCHEDULE\n\
         \"${{SELVEDGE:-selvedge}}\" run {} --schedule \"$schedule\"\n",
        schedule.program,
        shlex::try_join(words.iter().map(String::as_str)).map_err(io::Error::other)?,
    ))
}

fn pins(schedule: &Schedule, function: &str, end: &str) -> String {
    let pins = schedule.inputs.values.iter();
    pins.map(|(name, value)| format!("    {function}(\"{name}\", {value}{end});\n")).collect()
}

fn includes(sources: &[PathBuf]) -> String {
    sources.iter().map(|source| format!("#include \"{}\"\n", source.display())).collect()
}

/// What the program returns is not looked at: a `main` without `return` gives 0, but not under another name.
fn c(sources: &[PathBuf], schedule: &Schedule) -> String {
    let arguments = &schedule.inputs.arguments;
    let call = match arguments.is_empty() {
        true => "    program(argc, argv);\n".to_owned(),
        false => {
            let words: String =
                arguments.iter().map(|word| format!("(char *){}, ", quoted(word.as_bytes()))).collect();
            let count = arguments.len() + 1;
            format!(
                "    char *arguments[] = {{argv[0], {words}0}};\n    (void)argc;\n    program({count}, arguments);\n"
            )
        }
    };
    format!(
        "{}#define main selvedge_program_main\n{}#undef main\n#include <selvedge.h>\n\n\
         int main(int argc, char **argv) {{\n{}    int (*program)(int, char **) = (int (*)(int, char **))selvedge_program_main;\n{call}    return 0;\n}}\n",
        head(schedule, &[]),
        includes(sources),
        pins(schedule, "selvedge_pin", "ull"),
    )
}

/// In C++ a function without `return` is not allowed to end, but for `main`: so that stays what it is, and inputs are fixed
/// before it.
fn cpp(sources: &[PathBuf], schedule: &Schedule) -> String {
    let arguments: Vec<String> =
        schedule.inputs.arguments.iter().map(|word| quoted(word.as_bytes())).collect();
    let arguments = (!arguments.is_empty()).then(|| format!("its arguments {}", arguments.join(" ")));
    format!(
        "{}__attribute__((constructor(101))) static void selvedge_fix_inputs(void);\n{}#include <selvedge.h>\n\n\
         static void selvedge_fix_inputs(void) {{\n{}}}\n",
        head(schedule, &Vec::from_iter(arguments)),
        includes(sources),
        pins(schedule, "selvedge_pin", "ull"),
    )
}

/// What the test is, and what has to be given to it beside what it says itself.
fn head(schedule: &Schedule, more: &[String]) -> String {
    let inputs = &schedule.inputs;
    let stdin = (!inputs.stdin.is_empty()).then(|| format!("standard input {}", quoted(&inputs.stdin)));
    let files = inputs.files.iter().map(|(name, text)| format!("the file `{name}` with {}", quoted(text)));
    let given: Vec<String> = more.iter().cloned().chain(stdin).chain(files).collect();
    let given = match given.is_empty() {
        true => String::new(),
        false => format!("\n   Give it what the program got: {}. ", given.join("; ")),
    };
    format!(
        "/* The inputs with which `{}` failed. `selvedge check` of this file looks at all schedules with them.{given} */\n",
        schedule.program
    )
}

/// As a string of C, also where it stands in a comment.
fn quoted(bytes: &[u8]) -> String {
    let escape = |&byte: &u8| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' if !matches!(byte, b'*' | b'?') => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", bytes.iter().map(escape).collect::<String>())
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
    use selvedge_trace::{Births, Choices, InputName, Inputs, Model, ThreadName};

    fn schedule() -> Schedule {
        let name = InputName { thread: ThreadName::main().child(2), occurrence: 1 };
        let inputs = Inputs { values: [(name, 7)].into_iter().collect(), ..Inputs::default() };
        let (program, choices) = ("bank".to_owned(), Choices::new());
        let births = Births::default();
        Schedule {
            program,
            fingerprint: 0,
            model: Model::Sc,
            inputs,
            births,
            choices,
            digest: 0,
            claim: None,
            property: None,
            steps: Vec::new(),
            made_from: Vec::new(),
        }
    }

    #[test]
    fn inputs_are_fixed_before_the_program_runs() {
        let text = c(&[PathBuf::from("/x/bank.c")], &schedule());
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part} in {text}"));
        assert!(at("#include \"/x/bank.c\"") < at("selvedge_pin(\"main.2#1\", 7ull);"));
        assert!(at("selvedge_pin") < at("    program(argc, argv);"));
        let text = cpp(&[PathBuf::from("/x/bank.cpp")], &schedule());
        assert!(text.contains("constructor(101)") && !text.contains("define main"), "{text}");
        let text = rust(&[PathBuf::from("/x/bank.rs")], &schedule());
        assert!(
            text.contains("include!(\"/x/bank.rs\");") && text.contains("selvedge::pin(\"main.2#1\", 7);"),
            "{text}"
        );
    }

    #[test]
    fn what_the_program_was_given_is_there() {
        let mut schedule = schedule();
        schedule.inputs.arguments = vec!["a*/\"b".to_owned()];
        schedule.inputs.stdin = b"x\n".to_vec();
        let text = c(&[PathBuf::from("/x/bank.c")], &schedule);
        assert!(text.contains("{argv[0], (char *)\"a\\052/\\\"b\", 0}"), "{text}");
        assert!(text.contains("standard input \"x\\012\""), "{text}");
    }
}
