//! What a program of the corpus says of itself.

use std::fmt;

/// How a run or a check must end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// By itself, with this code.
    Exit(i32),
    /// Nothing is wrong with any execution.
    Verified(Counts),
    /// With a violation of this kind, at this line.
    Violation { kind: String, line: Option<u32> },
    /// Unknown, with a message that contains this.
    Unknown(String),
}

/// How much a check must have looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub classes: Option<u64>,
    pub executions: Option<u64>,
    pub states: Option<u64>,
    pub paths: Option<u64>,
}

impl fmt::Display for Expected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Exit(code) => write!(formatter, "exit {code}"),
            Expected::Verified(counts) => {
                formatter.write_str("verified")?;
                let named = [
                    ("classes", counts.classes),
                    ("executions", counts.executions),
                    ("states", counts.states),
                    ("paths", counts.paths),
                ];
                let mut known = named.iter().filter_map(|(name, number)| Some((name, (*number)?)));
                known.try_for_each(|(name, number)| write!(formatter, " {name} {number}"))
            }
            Expected::Violation { kind, line: Some(line) } => {
                write!(formatter, "violation {kind} line {line}")
            }
            Expected::Violation { kind, line: None } => write!(formatter, "violation {kind}"),
            Expected::Unknown(text) => write!(formatter, "unknown {text}"),
        }
    }
}

/// The commands that a program of the corpus can ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Command {
    #[default]
    Run,
    Check,
}

/// The directives of one program.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Directives {
    /// For every case.
    pub cflags: Option<String>,
    /// For every case.
    pub stdin: Vec<String>,
    pub cases: Vec<Case>,
}

/// One command, and what must come out.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Case {
    pub command: Command,
    /// What follows the command.
    pub arguments: Vec<String>,
    /// What every run must give; for a check, one for each violation.
    pub expect: Vec<Expected>,
    /// What at least one run must give each.
    pub expect_some: Vec<Expected>,
    pub seeds: Option<u64>,
    pub stdout: Option<Vec<String>>,
    pub native: bool,
    /// Why it takes long, if it does: then it is left out unless programs are chosen.
    pub slow: Option<String>,
}

const KEYS: [&str; 9] =
    ["selvedge", "cflags", "expect", "expect-some", "seeds", "stdout", "stdin", "native", "slow"];

/// The key and value of a directive; `marked` ones stand behind `//`.
fn directive(line: &str, marked: bool) -> Option<(&str, &str)> {
    let text = if marked { line.strip_prefix("// ")? } else { line };
    let (key, value) = text.split_once(':')?;
    KEYS.contains(&key).then(|| (key, value.strip_prefix(' ').unwrap_or(value)))
}

/// The directives at the top of a file. Each `selvedge:` begins a case.
pub fn parse(text: &str, marked: bool) -> Result<Directives, String> {
    let mut result = Directives::default();
    for line in text.lines() {
        let Some((key, value)) = directive(line, marked) else { break };
        match key {
            "selvedge" => result.cases.push(case(value)?),
            "cflags" => result.cflags = Some(value.to_owned()),
            "stdin" => result.stdin.push(value.to_owned()),
            _ => {
                let case = result.cases.last_mut().ok_or(format!("`{key}:` before `selvedge:`"))?;
                about_case(case, key, value)?;
            }
        }
    }
    if result.cases.is_empty() {
        return Err("no `selvedge:` at the top".to_owned());
    }
    result.cases.iter().try_for_each(sensible)?;
    Ok(result)
}

fn case(value: &str) -> Result<Case, String> {
    let words = shlex::split(value).ok_or("an open quote in `selvedge:`")?;
    let (first, rest) = words.split_first().ok_or("`selvedge:` without a command")?;
    let command = match first.as_str() {
        "run" => Command::Run,
        "check" => Command::Check,
        _ => return Err(format!("`selvedge: {first}` is not a command")),
    };
    Ok(Case { command, arguments: rest.to_vec(), ..Case::default() })
}

fn about_case(case: &mut Case, key: &str, value: &str) -> Result<(), String> {
    match key {
        "expect" => case.expect.push(expected(value)?),
        "expect-some" => case.expect_some.push(expected(value)?),
        "seeds" => case.seeds = Some(value.parse().map_err(|_| format!("`seeds: {value}`"))?),
        "slow" => case.slow = Some(value.to_owned()),
        "stdout" => case.stdout.get_or_insert_default().push(value.to_owned()),
        _ => match value {
            "same" => case.native = true,
            _ => return Err(format!("`native: {value}`")),
        },
    }
    Ok(())
}

/// Whether what a case says goes together.
fn sensible(case: &Case) -> Result<(), String> {
    let of_run = |expected: &Expected| !matches!(expected, Expected::Verified(_));
    let of_check = |expected: &Expected| !matches!(expected, Expected::Exit(_));
    let violations = |expected: &Expected| matches!(expected, Expected::Violation { .. });
    let all = || case.expect.iter().chain(&case.expect_some);
    match case.command {
        _ if all().next().is_none() => Err("no `expect:`".to_owned()),
        Command::Run if case.expect.len() > 1 => Err("more than one `expect:` for one run".to_owned()),
        Command::Run if !all().all(of_run) => Err("a run does not verify anything".to_owned()),
        Command::Check if !all().all(of_check) => Err("a check does not exit by itself".to_owned()),
        Command::Check if case.expect.len() > 1 && !all().all(violations) => {
            Err("more than one `expect:` for one check that are not all violations".to_owned())
        }
        Command::Check
            if case.seeds.is_some()
                || case.stdout.is_some()
                || case.native
                || !case.expect_some.is_empty() =>
        {
            Err("a check knows `expect:` only".to_owned())
        }
        _ => Ok(()),
    }
}

fn expected(text: &str) -> Result<Expected, String> {
    let bad = || format!("`expect: {text}`");
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_end_matches(',')).collect();
    match words[..] {
        ["exit", code] => code.parse().map(Expected::Exit).map_err(|_| bad()),
        ["verified", ref counts @ ..] => {
            let mut result = Counts::default();
            for pair in counts.chunks(2) {
                let [name, number] = pair else { return Err(bad()) };
                let number = Some(number.parse().map_err(|_| bad())?);
                match *name {
                    "classes" => result.classes = number,
                    "executions" => result.executions = number,
                    "states" => result.states = number,
                    "paths" => result.paths = number,
                    _ => return Err(bad()),
                }
            }
            Ok(Expected::Verified(result))
        }
        ["violation", kind] => Ok(Expected::Violation { kind: kind.to_owned(), line: None }),
        ["violation", kind, "line", line] => {
            let line = line.parse().map_err(|_| bad())?;
            Ok(Expected::Violation { kind: kind.to_owned(), line: Some(line) })
        }
        ["unknown", ..] => Ok(Expected::Unknown(text["unknown".len()..].trim().to_owned())),
        _ => Err(bad()),
    }
}

/// The text of a file with these expected lines of standard output.
pub fn bless(text: &str, marked: bool, stdout: &[String]) -> String {
    let mut result = Vec::new();
    let mut blessed = false;
    let mut top = true;
    let mark = if marked { "// " } else { "" };
    for line in text.lines() {
        let is = directive(line, marked);
        top &= is.is_some();
        if top && is.is_some_and(|(key, _)| key == "stdout") {
            if !std::mem::replace(&mut blessed, true) {
                result
                    .extend(stdout.iter().map(|line| format!("{mark}stdout: {line}").trim_end().to_owned()));
            }
        } else {
            result.push(line.to_owned());
        }
    }
    result.join("\n") + "\n"
}

#[test]
fn directives_are_read() {
    let text = "// selvedge: run --leaks -- a \"b c\"\n// expect-some: violation leak line 3\n// seeds: 2\n\
                // stdout: x\n// stdout:\n//\n// native: same\nint main\n";
    let read = parse(text, true).expect("directives").cases.remove(0);
    assert_eq!(read.arguments, ["--leaks", "--", "a", "b c"]);
    assert_eq!(read.expect_some, [Expected::Violation { kind: "leak".into(), line: Some(3) }]);
    assert_eq!(read.stdout, Some(vec!["x".into(), String::new()]));
    assert!(!read.native, "what follows the first other line is not a directive");
    let blessed = bless(text, true, &["y".into()]);
    assert_eq!(blessed, text.replace("// stdout: x\n// stdout:\n", "// stdout: y\n"));
}

#[test]
fn several_cases_in_one_file() {
    let text = "// cflags: -DN=2\n// selvedge: check --model tso\n// expect: violation data-race line 7\n\
                // expect: violation deadlock\n// slow: many threads\n// selvedge: check\n// expect: verified, classes 4 states 9\n";
    let read = parse(text, true).expect("directives");
    assert_eq!(read.cflags.as_deref(), Some("-DN=2"));
    let [first, second] = &read.cases[..] else { panic!("two cases: {read:?}") };
    assert_eq!((first.command, first.expect.len()), (Command::Check, 2));
    assert_eq!((first.slow.as_deref(), second.slow.as_deref()), (Some("many threads"), None));
    let counts = Counts { classes: Some(4), states: Some(9), ..Counts::default() };
    assert_eq!(second.expect, [Expected::Verified(counts)]);
    assert_eq!(second.expect[0].to_string(), "verified classes 4 states 9");
}

#[test]
fn nonsense_is_refused() {
    let refused = |text: &str| parse(text, true).expect_err("nonsense");
    assert_eq!(refused("int main"), "no `selvedge:` at the top");
    assert_eq!(refused("// selvedge: check\nint main"), "no `expect:`");
    assert_eq!(refused("// selvedge: check\n// expect: exit 0\n"), "a check does not exit by itself");
    assert_eq!(refused("// selvedge: run\n// expect: verified\n"), "a run does not verify anything");
    assert_eq!(refused("// expect: exit 0\n"), "`expect:` before `selvedge:`");
    assert_eq!(refused("// selvedge: check\n// expect: verified states\n"), "`expect: verified states`");
}
