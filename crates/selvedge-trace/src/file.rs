//! Schedule files: JSON that people can read and that a replay can trust.
//!
//! Choices are written as a person would say them (`"main x12"`, `"main.1 timeout"`). Reading never panics, whatever
//! the bytes are, and needs no more memory than a few times the size of the file: repetitions stay counts.

use crate::{
    Births, Choice, Choices, Claim, InputName, Inputs, Model, Property, SPURIOUS, Schedule, StepNote,
    TIMEOUT, ThreadName,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The version of the format that is written, and the newest that can be read.
const SCHEMA: u64 = 2;
/// The oldest version that can be read: it says neither what the steps did nor which files the program is made from.
const OLDEST_SCHEMA: u64 = 1;
/// The steps of longer executions are not noted: their files would be large.
pub const MOST_STEPS: usize = 5_000;
/// Larger files are refused before they are read into memory.
const LARGEST: u64 = 1 << 30;

/// A schedule file cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("schedule file `{}` {problem}", .path.display())]
pub struct ScheduleFileError {
    pub path: PathBuf,
    /// What is wrong, and what to do about it.
    pub problem: FileProblem,
}

/// What can be wrong with a schedule file.
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// The path names nothing.
    #[error("does not exist. Check the spelling and the folder you are in")]
    Missing,
    /// The system refuses.
    #[error("cannot be read: {0}. Check its permissions")]
    Unreadable(io::Error),
    /// The system refuses.
    #[error(
        "cannot be written: {0}. Check the space and permissions there, or choose another place with --save-schedule"
    )]
    Unwritable(io::Error),
    /// No real schedule is that large.
    #[error("is larger than a schedule can be ({} MiB at most). Name the file that --save-schedule wrote", LARGEST >> 20)]
    TooLarge,
    /// Not our format.
    #[error("is not a schedule: {0}. Name a file that --save-schedule wrote, or record it again")]
    Malformed(String),
    /// Our format, but of another version.
    #[error(
        "has format {0}, and this Selvedge reads the formats {OLDEST_SCHEMA} to {SCHEMA}. Record it again, or use the Selvedge that wrote it"
    )]
    OtherSchema(u64),
}

#[derive(Deserialize)]
struct Probe {
    schema: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileForm {
    schema: u64,
    program: String,
    fingerprint: String,
    model: Model,
    inputs: InputsForm,
    /// Sites whose objects are shared from their birth.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    shared_at_birth: Vec<String>,
    /// Words of the command line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    made_from: Vec<String>,
    choices: Vec<String>,
    /// What the choices did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    steps: Vec<String>,
    digest: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    finding: Option<ClaimForm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    property: Option<Property>,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
enum ClaimForm {
    DataRace { threads: [ThreadName; 2] },
    Termination { threads: Vec<ThreadName>, cycle: Vec<String> },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct InputsForm {
    arguments: Vec<String>,
    environment: Vec<String>,
    /// Standard input where it is text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stdin: Option<String>,
    /// Standard input where it is not, two hexadecimal digits a byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stdin_hex: Option<String>,
    clock: u64,
    random: u64,
    /// Values that the program asks for, by thread and how many-th.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    values: BTreeMap<InputName, u64>,
    /// Contents of files, two hexadecimal digits a byte.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    files: BTreeMap<String, String>,
}

/// Reads a schedule file.
pub fn read_schedule(path: &Path) -> Result<Schedule, ScheduleFileError> {
    read_bytes(path).and_then(|bytes| parse(&bytes)).map_err(|problem| error(path, problem))
}

/// Writes a schedule file: all of it or nothing, also when something fails meanwhile.
pub fn write_schedule(path: &Path, schedule: &Schedule) -> Result<(), ScheduleFileError> {
    let write = || -> io::Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let mut file = tempfile::Builder::new()
            .prefix(".selvedge-")
            .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666))
            .tempfile_in(folder)?;
        file.write_all(&print(schedule))?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|cause| error(path, FileProblem::Unwritable(cause)))
}

fn error(path: &Path, problem: FileProblem) -> ScheduleFileError {
    ScheduleFileError { path: path.to_path_buf(), problem }
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, FileProblem> {
    let file = File::open(path).map_err(|cause| match cause.kind() {
        io::ErrorKind::NotFound => FileProblem::Missing,
        _ => FileProblem::Unreadable(cause),
    })?;
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(FileProblem::Unreadable)?;
    if bytes.len() as u64 > LARGEST { Err(FileProblem::TooLarge) } else { Ok(bytes) }
}

/// The bytes of a schedule's file.
fn print(schedule: &Schedule) -> Vec<u8> {
    let (stdin, stdin_hex) = match std::str::from_utf8(&schedule.inputs.stdin) {
        Ok(text) => (Some(text.to_owned()), None),
        Err(_) => (None, Some(print_bytes(&schedule.inputs.stdin))),
    };
    let files = schedule.inputs.files.iter();
    let form = FileForm {
        schema: SCHEMA,
        program: schedule.program.clone(),
        fingerprint: format!("{:016x}", schedule.fingerprint),
        model: schedule.model,
        inputs: InputsForm {
            arguments: schedule.inputs.arguments.clone(),
            environment: schedule.inputs.environment.clone(),
            stdin,
            stdin_hex,
            clock: schedule.inputs.clock,
            random: schedule.inputs.random,
            values: schedule.inputs.values.clone(),
            files: files.map(|(name, bytes)| (name.clone(), print_bytes(bytes))).collect(),
        },
        shared_at_birth: schedule.births.words(),
        made_from: schedule.made_from.clone(),
        choices: print_choices(&schedule.choices),
        steps: print_steps(&schedule.steps),
        digest: format!("{:016x}", schedule.digest),
        finding: schedule.claim.as_ref().map(|claim| match claim {
            Claim::DataRace(threads) => ClaimForm::DataRace { threads: threads.clone() },
            Claim::Termination { threads, cycle } => {
                ClaimForm::Termination { threads: threads.clone(), cycle: print_choices(cycle) }
            }
        }),
        property: schedule.property,
    };
    let mut bytes = serde_json::to_vec_pretty(&form).expect("strings and numbers are always JSON");
    bytes.push(b'\n');
    bytes
}

fn print_choices(choices: &Choices) -> Vec<String> {
    choices.runs().iter().map(|(choice, count)| print_run(choice, *count)).collect()
}

fn print_run(choice: &Choice, count: u64) -> String {
    let mut text = match choice {
        Choice::Step { thread, alternative: 0 } => thread.to_string(),
        Choice::Step { thread, alternative: TIMEOUT } => format!("{thread} timeout"),
        Choice::Step { thread, alternative: SPURIOUS } => format!("{thread} spurious"),
        Choice::Step { thread, alternative } => format!("{thread} alternative {alternative}"),
        Choice::Commit { thread, address } => format!("commit {thread} {address:#x}"),
    };
    if count > 1 {
        text.push_str(&format!(" x{count}"));
    }
    text
}

/// The schedule in a file's bytes.
fn parse(bytes: &[u8]) -> Result<Schedule, FileProblem> {
    let malformed = |text: String| FileProblem::Malformed(text);
    let probe: Probe = serde_json::from_slice(bytes).map_err(|cause| malformed(cause.to_string()))?;
    if !(OLDEST_SCHEMA..=SCHEMA).contains(&probe.schema) {
        return Err(FileProblem::OtherSchema(probe.schema));
    }
    let form: FileForm = serde_json::from_slice(bytes).map_err(|cause| malformed(cause.to_string()))?;
    let hexadecimal = |name: &str, text: &str| {
        let digits = text.len() <= 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = digits.then(|| u64::from_str_radix(text, 16).ok()).flatten();
        number.ok_or_else(|| malformed(format!("`{name}` is {text:?}, not a hexadecimal number of 64 bits")))
    };
    let stdin = match (form.inputs.stdin, form.inputs.stdin_hex) {
        (Some(text), None) => text.into_bytes(),
        (None, None) => Vec::new(),
        (None, Some(digits)) => parse_bytes(&digits)
            .ok_or_else(|| malformed("`stdin_hex` is not a sequence of hexadecimal bytes".to_owned()))?,
        (Some(_), Some(_)) => return Err(malformed("it has both `stdin` and `stdin_hex`".to_owned())),
    };
    let mut files = BTreeMap::new();
    for (name, digits) in form.inputs.files {
        let bytes = parse_bytes(&digits).ok_or_else(|| {
            malformed("a file's contents are not a sequence of hexadecimal bytes".to_owned())
        })?;
        files.insert(name, bytes);
    }
    let claim = match form.finding {
        None => None,
        Some(ClaimForm::DataRace { threads }) => Some(Claim::DataRace(threads)),
        Some(ClaimForm::Termination { threads, cycle }) => {
            Some(Claim::Termination { threads, cycle: parse_choices(&cycle)? })
        }
    };
    let births = Births::from_words(&form.shared_at_birth).map_err(|word| {
        let word = shortened(word);
        malformed(format!("`shared_at_birth` has {word:?}, which is neither `all` nor 16 hexadecimal digits"))
    })?;
    Ok(Schedule {
        births,
        fingerprint: hexadecimal("fingerprint", &form.fingerprint)?,
        digest: hexadecimal("digest", &form.digest)?,
        program: form.program,
        model: form.model,
        inputs: Inputs {
            arguments: form.inputs.arguments,
            environment: form.inputs.environment,
            stdin,
            clock: form.inputs.clock,
            random: form.inputs.random,
            values: form.inputs.values,
            files,
        },
        choices: parse_choices(&form.choices)?,
        steps: parse_steps(&form.steps)?,
        made_from: form.made_from,
        claim,
        property: form.property,
    })
}

/// Equal neighbours are written once, with their number.
fn print_steps(steps: &[StepNote]) -> Vec<String> {
    let runs = steps.chunk_by(|one, other| one == other);
    runs.map(|run| if run.len() > 1 { format!("{} x{}", run[0], run.len()) } else { run[0].to_string() })
        .collect()
}

fn parse_steps(texts: &[String]) -> Result<Vec<StepNote>, FileProblem> {
    let mut steps = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let counted =
            text.rsplit_once(" x").and_then(|(note, count)| Some((note, count.parse::<usize>().ok()?)));
        let (note, count) = counted.unwrap_or((text, 1));
        let malformed = |why: &str| {
            FileProblem::Malformed(format!("step {} is {:?}, and {why}", index + 1, shortened(text)))
        };
        let note: StepNote = note.parse().map_err(|()| malformed("names no operation"))?;
        if steps.len().saturating_add(count) > MOST_STEPS {
            return Err(malformed("there are more steps than are ever noted"));
        }
        steps.extend(std::iter::repeat_n(note, count));
    }
    Ok(steps)
}

fn parse_choices(texts: &[String]) -> Result<Choices, FileProblem> {
    let mut choices = Choices::new();
    for (index, text) in texts.iter().enumerate() {
        let (choice, count) = parse_run(text).map_err(|why| {
            FileProblem::Malformed(format!("choice {} is {:?}, and {why}", index + 1, shortened(text)))
        })?;
        choices.push_repeated(choice, count);
    }
    Ok(choices)
}

fn print_bytes(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn parse_bytes(digits: &str) -> Option<Vec<u8>> {
    let digits = digits.as_bytes();
    if !digits.len().is_multiple_of(2) || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let value = |digit: u8| (digit as char).to_digit(16).unwrap_or(0) as u8;
    Some(digits.chunks(2).map(|pair| value(pair[0]) << 4 | value(pair[1])).collect())
}

/// A choice and how often it is repeated, or what is wrong.
fn parse_run(text: &str) -> Result<(Choice, u64), String> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let mut count = 1;
    if let Some(number) = words.last().and_then(|word| word.strip_prefix('x')) {
        count = match number.parse() {
            Ok(count) if count > 0 => count,
            _ => return Err(format!("`x{}` is not a number of repetitions", shortened(number))),
        };
        words.pop();
    }
    let name = |word: &str| {
        word.parse::<ThreadName>().map_err(|_| {
            format!("`{}` is not the name of a thread (they look like `main` or `main.1`)", shortened(word))
        })
    };
    let choice = match words[..] {
        [thread] => Choice::Step { thread: name(thread)?, alternative: 0 },
        [thread, "timeout"] => Choice::Step { thread: name(thread)?, alternative: TIMEOUT },
        [thread, "spurious"] => Choice::Step { thread: name(thread)?, alternative: SPURIOUS },
        [thread, "alternative", number] => {
            let alternative =
                number.parse().map_err(|_| format!("`{}` is not a number", shortened(number)))?;
            Choice::Step { thread: name(thread)?, alternative }
        }
        ["commit", thread, address] => {
            let digits = address.strip_prefix("0x").filter(|digits| !digits.starts_with('+'));
            let address = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
            let address = address.ok_or("the address to commit is not a hexadecimal number")?;
            Choice::Commit { thread: name(thread)?, address }
        }
        _ => {
            return Err("choices look like `main`, `main.1 x12`, `main alternative 2`, `main timeout` or \
                        `commit main 0x100000040`"
                .to_owned());
        }
    };
    Ok((choice, count))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
