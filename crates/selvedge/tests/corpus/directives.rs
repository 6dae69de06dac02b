//! What a program of the corpus says of itself.

use std::fmt;

/// How a run must end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// By itself, with this code.
    Exit(i32),
    /// With a violation of this kind, at this line.
    Violation { kind: String, line: Option<u32> },
    /// Unknown, with a message that contains this.
    Unknown(String),
}

impl fmt::Display for Expected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Exit(code) => write!(formatter, "exit {code}"),
            Expected::Violation { kind, line: Some(line) } => {
                write!(formatter, "violation {kind} line {line}")
            }
            Expected::Violation { kind, line: None } => write!(formatter, "violation {kind}"),
            Expected::Unknown(text) => write!(formatter, "unknown {text}"),
        }
    }
}

/// The directives of one program.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Directives {
    /// What follows `run`.
    pub arguments: Vec<String>,
    pub cflags: Option<String>,
    /// What every run must give.
    pub expect: Option<Expected>,
    /// What at least one run must give each.
    pub expect_some: Vec<Expected>,
    pub seeds: Option<u64>,
    pub stdout: Option<Vec<String>>,
    pub stdin: Vec<String>,
    pub native: bool,
}

const KEYS: [&str; 8] = ["selvedge", "cflags", "expect", "expect-some", "seeds", "stdout", "stdin", "native"];

/// The key and value of a directive; `marked` ones stand behind `//`.
fn directive(line: &str, marked: bool) -> Option<(&str, &str)> {
    let text = if marked { line.strip_prefix("// ")? } else { line };
    let (key, value) = text.split_once(':')?;
    KEYS.contains(&key).then(|| (key, value.strip_prefix(' ').unwrap_or(value)))
}

/// The directives at the top of a file.
pub fn parse(text: &str, marked: bool) -> Result<Directives, String> {
    let mut result = Directives::default();
    let mut run = false;
    for line in text.lines() {
        let Some((key, value)) = directive(line, marked) else { break };
        match key {
            "selvedge" => {
                let words = shlex::split(value).ok_or("an open quote in `selvedge:`")?;
                let (first, rest) = words.split_first().ok_or("`selvedge:` without a command")?;
                if first != "run" {
                    return Err(format!("`selvedge: {first}` is not a command"));
                }
                (run, result.arguments) = (true, rest.to_vec());
            }
            "cflags" => result.cflags = Some(value.to_owned()),
            "expect" => result.expect = Some(expected(value)?),
            "expect-some" => result.expect_some.push(expected(value)?),
            "seeds" => result.seeds = Some(value.parse().map_err(|_| format!("`seeds: {value}`"))?),
            "stdout" => result.stdout.get_or_insert_default().push(value.to_owned()),
            "stdin" => result.stdin.push(value.to_owned()),
            _ => match value {
                "same" => result.native = true,
                _ => return Err(format!("`native: {value}`")),
            },
        }
    }
    if !run {
        return Err("no `selvedge: run` at the top".to_owned());
    }
    match result.expect.is_none() && result.expect_some.is_empty() {
        true => Err("no `expect:`".to_owned()),
        false => Ok(result),
    }
}

fn expected(text: &str) -> Result<Expected, String> {
    let bad = || format!("`expect: {text}`");
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        ["exit", code] => code.parse().map(Expected::Exit).map_err(|_| bad()),
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
    let read = parse(text, true).expect("directives");
    assert_eq!(read.arguments, ["--leaks", "--", "a", "b c"]);
    assert_eq!(read.expect_some, [Expected::Violation { kind: "leak".into(), line: Some(3) }]);
    assert_eq!(read.stdout, Some(vec!["x".into(), String::new()]));
    assert!(!read.native, "what follows the first other line is not a directive");
    let blessed = bless(text, true, &["y".into()]);
    assert_eq!(blessed, text.replace("// stdout: x\n// stdout:\n", "// stdout: y\n"));
}
