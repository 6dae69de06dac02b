//! How each test is checked: the options of the command line, over those of `selvedge.toml` or of the manifest's metadata.
//!
//! A setting is an option without its dashes: `max-time = 10`, `model = "sc"`, `no-spurious = true`. In tables `[[test]]`
//! with a `name`, in which `*` stands for any text, it is for tests of that name.

use crate::check::Settings;
use crate::cli::defaults;
use crate::cli::memory;
use crate::cli::search::SearchArguments;
use crate::cli::values::{model, strategy};
use crate::drivers::cargo_tests::Package;
use clap::{Args, Command, FromArgMatches};
use selvedge_explore::{Options, Strategy};
use selvedge_machine::EndProperties;
use selvedge_trace::{Inputs, Model};
use serde_json::{Map, Value};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// A test that is not through by then is given up, unless another time is given.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// How a test is checked.
#[derive(Args)]
pub struct TestSearch {
    /// The memory model: sequential consistency (sc), store buffers as on x86 (tso) or weaker (pso), the language's own
    /// (rc11, which is taken without this option), or what of that multi-copy-atomic machines can show (mca)
    #[arg(long, value_parser = model(), help_heading = "Search")]
    model: Option<Model>,

    /// How to search, as with `selvedge check`; auto without it
    #[arg(long, value_name = "NAME", value_parser = strategy, help_heading = "Search")]
    strategy: Option<Strategy>,

    /// Do not search once more in an independent way when a test is verified
    #[arg(long, help_heading = "Search")]
    no_second_opinion: bool,

    /// Collect all violations of a test instead of stopping at the first
    #[arg(long, help_heading = "Search")]
    keep_going: bool,

    /// Interrupt threads that could go on at most so many times; for --strategy icb
    #[arg(long, value_name = "NUMBER", help_heading = "Limits")]
    preemptions: Option<u32>,

    #[command(flatten)]
    search: SearchArguments,
}

impl TestSearch {
    /// For a check of one test beside others, `jobs` at once.
    pub fn settings(&self, inputs: Inputs, jobs: usize) -> Settings {
        let options = self.search.options();
        let strategy = self.strategy.unwrap_or(Strategy::Auto);
        let weak = strategy == Strategy::Auto && self.preemptions.is_none() && !self.search.no_races;
        let share = || memory::default_limit().map(|all| all / jobs.max(1) as u64);
        Settings {
            model: self.model.unwrap_or(if weak { Model::Rc11 } else { Model::Sc }),
            inputs,
            options: Options {
                strategy,
                keep_going: self.keep_going,
                preemptions: self.preemptions,
                jobs: 1,
                max_time: Some(options.max_time.unwrap_or(PATIENCE)),
                max_memory: self.search.max_memory.or_else(share),
                ..options
            },
            cross_check: None,
            second_opinion: !self.no_second_opinion,
            explain_model: false,
            symbolic: None,
        }
    }

    /// Whether the code of Rust's standard library is executed where there is a model of it.
    pub fn library_code(&self) -> bool {
        self.search.library_code()
    }

    /// What has to hold when a test has ended.
    pub fn at_end(&self) -> EndProperties {
        self.search.ending.properties()
    }
}

/// What files say about tests.
#[derive(Clone, Debug, Default)]
pub struct FileSettings {
    general: Map<String, Value>,
    /// Patterns, and what they say.
    tests: Vec<(String, Map<String, Value>)>,
    /// Where it was said.
    source: String,
}

impl FileSettings {
    /// What counts for a package: its `selvedge.toml`, else its manifest, else the workspace's.
    pub fn find(package: &Package, workspace: &(std::path::PathBuf, Value)) -> Result<Self, String> {
        let of = |folder: &Path, metadata: &Value, table: &str| -> Result<Option<Self>, String> {
            let file = folder.join(defaults::FILE);
            match std::fs::read_to_string(&file) {
                Ok(text) => {
                    let source = file.display().to_string();
                    let value = basic_toml::from_str::<Value>(&text)
                        .map_err(|error| format!("`{source}` is not a settings file: {error}. Correct it"))?;
                    Self::read(&value, source).map(Some)
                }
                Err(_) if metadata.is_null() => Ok(None),
                Err(_) => {
                    let source =
                        format!("{}, [{table}.metadata.selvedge]", folder.join("Cargo.toml").display());
                    Self::read(metadata, source).map(Some)
                }
            }
        };
        Ok(match of(&package.folder, &package.settings, "package")? {
            Some(found) => found,
            None => of(&workspace.0, &workspace.1, "workspace")?.unwrap_or_default(),
        })
    }

    fn read(value: &Value, source: String) -> Result<Self, String> {
        let wrong = |what: &str| format!("`{source}`: {what}");
        let mut general = value.as_object().cloned().ok_or_else(|| wrong("it is not a table of settings"))?;
        // Defaults of other commands.
        for table in defaults::TABLES {
            general.remove(table);
        }
        general.retain(|key, _| known(key) || key == "test" || !defaults::is_known(key));
        let tables = general.remove("test").unwrap_or(Value::Array(Vec::new()));
        let tables = tables.as_array().ok_or_else(|| wrong("`test` is not a list: write [[test]]"))?;
        let mut tests = Vec::new();
        for table in tables {
            let mut table = table.as_object().cloned().ok_or_else(|| wrong("a [[test]] is not a table"))?;
            let name = table.remove("name").and_then(|name| name.as_str().map(str::to_owned));
            let name =
                name.ok_or_else(|| wrong("a [[test]] has no name. Add one, in which * stands for any text"))?;
            tests.push((name, table));
        }
        for key in tests.iter().map(|(_, table)| table).chain([&general]).flat_map(Map::keys) {
            if !known(key) {
                return Err(wrong(&format!("there is no setting `{key}`. There are {}", names().join(", "))));
            }
        }
        Ok(FileSettings { general, tests, source })
    }

    /// Whether a test shall not be checked.
    pub fn ignores(&self, name: &str) -> bool {
        self.of(name).get(IGNORE).is_some_and(|value| value == &Value::Bool(true))
    }

    /// How a test is checked: `words` of the command line count most.
    pub fn search(&self, name: &str, words: &[OsString]) -> Result<TestSearch, String> {
        let parsed = command().try_get_matches_from(self.words(name, words));
        let parsed = parsed.and_then(|matches| TestSearch::from_arg_matches(&matches));
        parsed.map_err(|error| {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
            format!("`{}`: {first}. Correct it there", self.source)
        })
    }

    /// How a test is checked, as options.
    pub fn words(&self, name: &str, words: &[OsString]) -> Vec<OsString> {
        let mut all: Vec<OsString> = Vec::new();
        for (key, value) in self.of(name).iter().filter(|(key, _)| *key != IGNORE) {
            let values = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
            for value in values {
                match value {
                    Value::Bool(false) => {}
                    Value::Bool(true) => all.push(format!("--{key}").into()),
                    Value::String(text) => all.push(format!("--{key}={text}").into()),
                    value => all.push(format!("--{key}={value}").into()),
                }
            }
        }
        all.extend(words.iter().cloned());
        all
    }

    /// What is said of a test; what comes later counts more.
    fn of(&self, name: &str) -> Map<String, Value> {
        let mut all = self.general.clone();
        for (_, table) in self.tests.iter().filter(|(pattern, _)| matches(pattern, name)) {
            all.extend(table.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        all
    }
}

/// The setting that is no option: the test is left out.
const IGNORE: &str = "ignore";

/// The options, in the order in which they are given: the last one counts.
fn command() -> Command {
    TestSearch::augment_args(Command::new("settings")).no_binary_name(true).args_override_self(true)
}

/// The names of all settings.
fn names() -> Vec<String> {
    let command = command();
    let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
    shown.filter_map(|argument| argument.get_long().map(str::to_owned)).chain([IGNORE.to_owned()]).collect()
}

/// Whether there is such a setting for tests.
pub fn known(key: &str) -> bool {
    names().iter().any(|name| name == key)
}

/// The words among `words` that are about how tests are checked.
pub fn of_search(words: &[OsString]) -> Vec<OsString> {
    let command = command();
    let mut kept = Vec::new();
    let mut words = words.iter().take_while(|word| *word != "--");
    while let Some(word) = words.next() {
        let Some(text) = word.to_str().and_then(|word| word.strip_prefix("--")) else { continue };
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let found = command.get_arguments().find(|argument| argument.get_long() == Some(name));
        let Some(argument) = found else { continue };
        kept.push(word.clone());
        if argument.get_action().takes_values() && value.is_none() {
            kept.extend(words.next().cloned());
        }
    }
    kept
}

/// Whether a name fits a pattern, in which `*` is any text.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(name) = name.strip_prefix(start) else { return false };
    (0..=name.len()).filter(|&at| name.is_char_boundary(at)).any(|at| matches(rest, &name[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn patterns() {
        assert!(
            matches("a::*", "a::b") && matches("*b*", "a::b") && matches("a::b", "a::b") && matches("*", "")
        );
        assert!(!matches("a::*", "b::a") && !matches("a", "a::b") && !matches("*c", "a::b"));
    }

    #[test]
    fn the_command_line_counts_most_and_then_the_last_pattern() {
        // What is for other commands is none of ours.
        let said = json!({ "model": "sc", "max-time": 5, "no-spurious": true, "cflags": "-DX", "check": { "model": "pso" }, "test": [
            { "name": "queue::*", "max-time": 7, "no-spurious": false }, { "name": "*slow", "ignore": true } ] });
        let settings = FileSettings::read(&said, "s".into()).expect("settings");
        let of = |name: &str, text: &str| {
            let search = settings.search(name, &words(text)).expect("a search");
            let settings = search.settings(Inputs::default(), 1);
            (settings.model, settings.options.max_time.map(|time| time.as_secs()), settings.options.spurious)
        };
        assert_eq!(of("stack", ""), (Model::Sc, Some(5), false));
        assert_eq!(of("queue::a", ""), (Model::Sc, Some(7), true));
        assert_eq!(of("queue::a", "--model tso --max-time 9"), (Model::Tso, Some(9), true));
        assert!(settings.ignores("queue::slow") && !settings.ignores("queue"));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let wrong = |said: Value| FileSettings::read(&said, "s".into()).expect_err("an error");
        assert!(
            wrong(json!({ "modle": "sc" })).starts_with("`s`: there is no setting `modle`. There are model,")
        );
        assert!(wrong(json!({ "test": [{}] })).starts_with("`s`: a [[test]] has no name"));
        let settings =
            FileSettings::read(&json!({ "model": "arm" }), "s".into()).expect("a name that is known");
        let error = settings.search("a", &[]).err().expect("an error");
        assert!(error.starts_with("`s`: invalid value 'arm' for '--model"), "{error}");
    }

    #[test]
    fn options_about_the_search_are_found_among_others() {
        let kept = of_search(&words("-p x --model sc --lib --max-time=3 push --leaks -- --exact --model"));
        assert_eq!(kept, words("--model sc --max-time=3 --leaks"));
    }
}
