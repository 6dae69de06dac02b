//! What to do about a command line that cannot be read, where its parser knows no better: words that people type because other
//! tools take them.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::ffi::OsString;
use std::path::Path;

/// How flags of compilers begin.
const FLAGS: [&str; 12] =
    ["-O", "-D", "-U", "-I", "-L", "-W", "-f", "-std", "-pthread", "-isystem", "-include", "-g"];

/// Commands of other tools, and what they are here.
const COMMANDS: [(&str, &str); 6] = [
    ("test", "tests of a Cargo package are checked by `cargo selvedge test`"),
    ("replay", "a schedule is replayed by `selvedge run PROGRAM --schedule FILE`"),
    ("verify", "a program is verified by `selvedge check PROGRAM`"),
    ("explore", "all executions are explored by `selvedge check PROGRAM`"),
    ("trace", "an execution is shown by `selvedge run PROGRAM --trace`"),
    ("build", "programs are built as always, with `selvedge cc` and `selvedge c++` as compilers"),
];

/// A sentence for an error of the parser.
pub fn advice(error: &clap::Error, words: &[OsString]) -> Option<String> {
    match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) => {
            if Path::new(word).exists() || Path::new(word).extension().is_some() {
                return Some(format!("to look at all its executions, type `selvedge check {word}`"));
            }
            COMMANDS.iter().find(|(other, _)| other == word).map(|(_, what)| (*what).to_owned())
        }
        (ErrorKind::UnknownArgument, _) => {
            let typed = words.iter().filter_map(|word| word.to_str()).take_while(|word| *word != "--");
            let flags: Vec<&str> =
                typed.filter(|word| FLAGS.iter().any(|flag| word.starts_with(flag))).collect();
            let rejected = match error.get(ContextKind::InvalidArg) {
                Some(ContextValue::String(word)) => word,
                _ => return None,
            };
            let is_flag = flags.iter().any(|flag| flag.starts_with(rejected.as_str()));
            is_flag.then(|| format!("flags for the compiler are given as --cflags \"{}\"", flags.join(" ")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str) -> Option<String> {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let error = crate::cli::whole_command_line().try_get_matches_from(&words).err()?;
        advice(&error, &words)
    }

    #[test]
    fn words_of_other_tools() {
        let text = |line: &str| check(line).unwrap_or_default();
        assert_eq!(
            text("selvedge check a.c -O2 -DN=3 -std=c11"),
            "flags for the compiler are given as --cflags \"-O2 -DN=3 -std=c11\""
        );
        assert_eq!(text("selvedge bank.c"), "to look at all its executions, type `selvedge check bank.c`");
        assert!(text("selvedge replay a.c").contains("--schedule FILE"));
        assert_eq!(check("selvedge check a.c --modle sc"), None);
        assert_eq!(check("selvedge check a.c -z -- -O2"), None);
    }
}
