//! Which tests are meant: the filters of Rust's own test harness.

use super::listing::Listed;

/// Filters and what follows `--`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    filters: Vec<String>,
    skipped: Vec<String>,
    exact: bool,
    ignored: Ignored,
    /// Only say which tests there are.
    pub list: bool,
    /// So many tests at once.
    pub threads: Option<usize>,
}

/// What is done about tests that are marked `#[ignore]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Ignored {
    #[default]
    No,
    Only,
    Too,
}

/// Options that are followed by a value which does not choose tests.
const WITH_VALUE: [&str; 5] = ["--logfile", "--color", "--format", "--shuffle-seed", "-Z"];

/// Options that say how Rust's harness shows its results, or what else is no matter here.
const WITHOUT_EFFECT: [&str; 9] = [
    "--nocapture",
    "--no-capture",
    "--show-output",
    "--quiet",
    "-q",
    "--report-time",
    "--shuffle",
    "--test",
    "--exclude-should-panic",
];

impl Selection {
    /// Reads a filter and what follows `--`. What says how Rust's harness shows its results changes nothing.
    pub fn read(filter: Option<&str>, words: &[String]) -> Result<Self, String> {
        let mut read =
            Selection { filters: filter.into_iter().map(str::to_owned).collect(), ..Self::default() };
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let (option, value) =
                word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
            match option {
                "--exact" => read.exact = true,
                "--ignored" => read.ignored = Ignored::Only,
                "--include-ignored" => read.ignored = Ignored::Too,
                "--list" => read.list = true,
                "--skip" => read.skipped.extend(value.or_else(|| words.next()).map(str::to_owned)),
                "--test-threads" => {
                    let number = value.or_else(|| words.next()).and_then(|number| number.parse().ok());
                    let number = number.filter(|&number| number > 0);
                    read.threads = Some(number.ok_or("--test-threads takes a number of tests, from 1 on")?);
                }
                option if WITH_VALUE.contains(&option) && value.is_none() => drop(words.next()),
                option if WITH_VALUE.contains(&option) || WITHOUT_EFFECT.contains(&option) => {}
                option if option.starts_with('-') => {
                    return Err(format!(
                        "after `--` stand filters and options of Rust's test harness, and `{option}` is none. Options of \
                         Selvedge come before `--`; `cargo selvedge test --help` lists them"
                    ));
                }
                _ => read.filters.push(word.to_owned()),
            }
        }
        Ok(read)
    }

    /// Whether a test is named.
    pub fn names(&self, name: &str) -> bool {
        let matches =
            |filter: &String| if self.exact { name == filter } else { name.contains(filter.as_str()) };
        (self.filters.is_empty() || self.filters.iter().any(matches)) && !self.skipped.iter().any(matches)
    }

    /// Whether the tests are a part of what there is.
    pub fn is_partial(&self) -> bool {
        !self.filters.is_empty() || !self.skipped.is_empty() || self.ignored == Ignored::Only
    }

    /// Whether a test that is named is listed, and whether it is checked.
    pub fn takes(&self, test: &Listed) -> (bool, bool) {
        match self.ignored {
            Ignored::No => (true, test.ignored.is_none()),
            Ignored::Only => (test.ignored.is_some(), test.ignored.is_some()),
            Ignored::Too => (true, true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(filter: Option<&str>, words: &str, names: &[&str]) -> String {
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let selection = Selection::read(filter, &words).expect("a selection");
        let named = names.iter().filter(|name| selection.names(name));
        named.copied().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn filters_are_those_of_the_harness() {
        let names = ["queue::push", "queue::pop", "stack::push"];
        assert_eq!(check(None, "", &names), "queue::push queue::pop stack::push");
        assert_eq!(check(Some("push"), "", &names), "queue::push stack::push");
        assert_eq!(check(Some("stack"), "pop", &names), "queue::pop stack::push");
        assert_eq!(check(Some("push"), "--skip stack", &names), "queue::push");
        assert_eq!(check(Some("push"), "--skip=queue --nocapture", &names), "stack::push");
        assert_eq!(check(Some("push"), "--exact", &names), "");
        assert_eq!(check(None, "--format pretty --exact stack::push", &names), "stack::push");
    }

    #[test]
    fn ignored_tests_are_asked_for() {
        let test =
            |ignored: Option<&str>| Listed { ignored: ignored.map(str::to_owned), ..Listed::default() };
        let takes = |word: &str, ignored| {
            Selection::read(None, &[word.to_owned()]).expect("a selection").takes(&test(ignored))
        };
        assert_eq!((takes("-q", None), takes("-q", Some(""))), ((true, true), (true, false)));
        assert_eq!((takes("--ignored", None), takes("--ignored", Some(""))), ((false, false), (true, true)));
        assert_eq!(takes("--include-ignored", Some("slow")), (true, true));
        assert!(Selection::read(None, &["--test-threads=0".to_owned()]).is_err());
    }
}
