//! Defaults of `check`, `run` and the other commands that name a program, from `selvedge.toml`: a setting is an option without its dashes.
//!
//! What stands at the top of the file counts for every command that has such an option, what stands below `[check]`,
//! `[run]` and so on for that command, and the command line counts most. Tests of Cargo packages have settings of their own in the
//! same file (`cargo/settings.rs`).

use clap::{ArgAction, Command};
use serde_json::{Map, Value};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The name of the file.
pub const FILE: &str = "selvedge.toml";
/// The tables for one command each.
pub const TABLES: [&str; 5] = ["check", "run", "compare", "debug", "disassemble"];
/// What stands for tests of Cargo packages.
const OF_TESTS: [&str; 2] = ["test", "ignore"];

/// A settings file for a command of the command line.
struct Defaults<'a> {
    file: &'a Path,
    text: &'a str,
    command: &'a Command,
}

/// The words of a command line with those of the settings file in between: `words` begins with the program and the command.
/// The file is the one in `folder` or above it, up to the top of a repository.
pub fn with_defaults(whole: &Command, words: &[OsString], folder: &Path) -> Result<Vec<OsString>, String> {
    let name = words.get(1).and_then(|word| word.to_str()).filter(|name| TABLES.contains(name));
    let command = name.and_then(|name| whole.find_subcommand(name));
    let (Some(name), Some(command), Some(file)) = (name, command, nearest(folder)) else {
        return Ok(words.to_vec());
    };
    let text = std::fs::read_to_string(&file)
        .map_err(|error| format!("`{}` cannot be read: {error}. Check its permissions", file.display()))?;
    let defaults = Defaults { file: &file, text: &text, command };
    let given = defaults.words(name)?;
    let parses = |words: &[OsString]| whole.clone().try_get_matches_from(words);
    // What the user typed is wrong: the message is about that.
    if given.is_empty() || parses(words).is_err() {
        return Ok(words.to_vec());
    }
    let mut all = words[..2].to_vec();
    for (line, word) in given {
        let alone: Vec<OsString> = words[..2].iter().cloned().chain([word.clone(), "input".into()]).collect();
        if let Err(error) = parses(&alone) {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
            return Err(format!("{}:{line}: {first}. Correct it there", file.display()));
        }
        // What does not go together with the command line gives way to it.
        let together: Vec<OsString> = all.iter().chain([&word]).chain(&words[2..]).cloned().collect();
        if !is_typed(&word, &words[2..], command) && parses(&together).is_ok() {
            all.push(word);
        }
    }
    all.extend_from_slice(&words[2..]);
    Ok(all)
}

/// The settings file that counts in a folder.
fn nearest(folder: &Path) -> Option<PathBuf> {
    let repository = folder.ancestors().position(|folder| folder.join(".git").exists());
    let folders = folder.ancestors().take(repository.unwrap_or(0) + 1);
    folders.map(|folder| folder.join(FILE)).find(|file| file.is_file())
}

/// Whether the command line has the option of a word already.
fn is_typed(word: &OsStr, words: &[OsString], command: &Command) -> bool {
    let name = |word: &OsStr| {
        let text = word.to_str()?.strip_prefix("--")?;
        option(command, text.split('=').next()?)
    };
    let wanted = name(word);
    let typed = words.iter().take_while(|word| *word != "--").any(|word| name(word) == wanted);
    let short = wanted.as_deref().and_then(|wanted| {
        command.get_arguments().find(|argument| argument.get_long() == Some(wanted))?.get_short()
    });
    let is_short = |word: &OsString| short.is_some_and(|short| word.to_str() == Some(&format!("-{short}")));
    typed || words.iter().take_while(|word| *word != "--").any(is_short)
}

/// The name of the option that has this name or alias.
fn option(command: &Command, name: &str) -> Option<String> {
    let has = |argument: &&clap::Arg| {
        argument.get_long() == Some(name)
            || argument.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
    };
    let found = command.get_arguments().filter(|argument| !argument.is_hide_set()).find(has);
    found.and_then(|argument| argument.get_long()).map(str::to_owned)
}

/// Whether one of the commands has such an option.
pub fn is_known(name: &str) -> bool {
    let whole = super::whole_command_line();
    TABLES
        .iter()
        .filter_map(|table| whole.find_subcommand(table))
        .any(|command| option(command, name).is_some())
}

impl Defaults<'_> {
    /// The options for a command: the line of each, and its word.
    fn words(&self, name: &str) -> Result<Vec<(usize, OsString)>, String> {
        let file = self.file.display();
        let said = basic_toml::from_str::<Map<String, Value>>(self.text)
            .map_err(|error| format!("`{file}` is not a settings file: {error}. Correct it"))?;
        let mut words = Vec::new();
        for (key, value) in &said {
            if TABLES.contains(&key.as_str()) || OF_TESTS.contains(&key.as_str()) {
                continue;
            }
            // It may be for another command.
            if self.option(key, None, is_known(key))? {
                self.add(key, value, None, &mut words)?;
            }
        }
        let own = said.get(name).cloned().unwrap_or(Value::Object(Map::new()));
        let own = own.as_object().ok_or_else(|| format!("`{file}`: `{name}` is no table. Write [{name}]"))?;
        for (key, value) in own {
            self.option(key, Some(name), false)?;
            // The table counts more than what stands above.
            let above = OsString::from(format!("--{key}"));
            words.retain(|(_, word)| !is_typed(word, std::slice::from_ref(&above), self.command));
            self.add(key, value, Some(name), &mut words)?;
        }
        Ok(words)
    }

    /// Whether the command has the option; an error if none has.
    fn option(&self, key: &str, table: Option<&str>, elsewhere: bool) -> Result<bool, String> {
        if option(self.command, key).is_some() {
            return Ok(true);
        }
        if elsewhere || table.is_none() && super::cargo::is_setting(key) {
            return Ok(false);
        }
        let names = self.command.get_arguments().filter(|argument| !argument.is_hide_set());
        let names: Vec<&str> = names.filter_map(clap::Arg::get_long).filter(|name| *name != "help").collect();
        Err(format!(
            "{}: there is no setting `{key}`. There are {}",
            self.place(key, table),
            names.join(", ")
        ))
    }

    /// The words of one setting.
    fn add(
        &self,
        key: &str,
        value: &Value,
        table: Option<&str>,
        words: &mut Vec<(usize, OsString)>,
    ) -> Result<(), String> {
        let line = self.line(key, table);
        let found = self.command.get_arguments().find(|argument| argument.get_long() == Some(key));
        let is_switch = found.is_some_and(|argument| matches!(argument.get_action(), ArgAction::SetTrue));
        let values = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
        for value in values {
            let word = match (is_switch, value) {
                (true, Value::Bool(false)) => continue,
                (true, Value::Bool(true)) => format!("--{key}"),
                (true, _) => {
                    return Err(format!(
                        "{}: `{key}` is a switch. Write true or false",
                        self.place(key, table)
                    ));
                }
                (false, Value::String(text)) => format!("--{key}={text}"),
                (false, Value::Number(number)) => format!("--{key}={number}"),
                (false, _) => {
                    return Err(format!(
                        "{}: `{key}` has a value: a text, a number, or a list of them",
                        self.place(key, table)
                    ));
                }
            };
            words.push((line, word.into()));
        }
        Ok(())
    }

    fn place(&self, key: &str, table: Option<&str>) -> String {
        format!("{}:{}", self.file.display(), self.line(key, table))
    }

    /// The line in which a key is said; the first one if it is said in an unusual way.
    fn line(&self, key: &str, table: Option<&str>) -> usize {
        let mut current: Option<&str> = None;
        for (index, line) in self.text.lines().enumerate() {
            let line = line.trim();
            if let Some(name) = line.strip_prefix('[') {
                current = Some(name.trim_start_matches('[').trim_end_matches(']').trim());
            }
            let said = line.split('=').next().unwrap_or_default().trim().trim_matches('"');
            if current == table && said == key {
                return index + 1;
            }
        }
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the command line becomes with a settings file.
    fn check(file: &str, line: &str) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(FILE), file).expect("a file");
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let place = format!("{}/", folder.path().display());
        match with_defaults(&crate::cli::whole_command_line(), &words, folder.path()) {
            Ok(words) => words.join(OsStr::new(" ")).to_string_lossy().into_owned(),
            Err(error) => error.replace(&place, ""),
        }
    }

    #[test]
    fn settings_stand_before_what_is_typed() {
        let file = "max-time = 5\ncflags = [\"-DA\", \"-DB\"]\n[check]\nmodel = \"tso\"\nleaks = true\nquiet = false\n[run]\nseed = 3\n";
        let check = |line: &str| check(file, line);
        assert_eq!(
            check("selvedge check a.c"),
            "selvedge check --cflags=-DA --cflags=-DB --max-time=5 --leaks --model=tso a.c"
        );
        assert_eq!(
            check("selvedge run a.c"),
            "selvedge run --cflags=-DA --cflags=-DB --max-time=5 --seed=3 a.c"
        );
        // What is typed counts more, and what does not go with it gives way.
        assert_eq!(
            check("selvedge check a.c --model sc --max-time=1 --cflags -DC"),
            "selvedge check --leaks a.c --model sc --max-time=1 --cflags -DC"
        );
        assert_eq!(
            check("selvedge run a.c --schedule s.json"),
            "selvedge run --cflags=-DA --cflags=-DB --max-time=5 a.c --schedule s.json"
        );
        assert_eq!(check("selvedge doctor"), "selvedge doctor");
    }

    #[test]
    fn a_table_counts_more_than_the_top() {
        assert_eq!(
            check("max-time = 5\n[check]\nmax-time = 7\n", "selvedge check a.c"),
            "selvedge check --max-time=7 a.c"
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let check = |file: &str| check(file, "selvedge check a.c");
        assert!(
            check("\nmodle = \"sc\"\n")
                .starts_with("selvedge.toml:2: there is no setting `modle`. There are ")
        );
        assert!(check("[check]\nseeds = 1").starts_with("selvedge.toml:2: there is no setting `seeds`"));
        assert!(
            check("[check]\n\nmodel = \"arm\"")
                .starts_with("selvedge.toml:3: invalid value 'arm' for '--model")
        );
        assert_eq!(check("leaks = 1"), "selvedge.toml:1: `leaks` is a switch. Write true or false");
        assert!(check("model =").contains("is not a settings file: "));
        assert!(check("model = true").starts_with("selvedge.toml:1: `model` has a value"));
    }

    #[test]
    fn settings_of_tests_are_for_tests() {
        let file = "no-second-opinion = true\n[[test]]\nname = \"a*\"\nignore = true\n";
        assert_eq!(check(file, "selvedge run a.c"), "selvedge run a.c");
        assert_eq!(check(file, "selvedge check a.c"), "selvedge check --no-second-opinion a.c");
    }
}
