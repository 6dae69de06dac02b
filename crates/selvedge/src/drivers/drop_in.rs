//! `selvedge cc` and `selvedge c++`: clang as build systems call it, with the difference that objects also hold the bitcode
//! of their sources.
//!
//! Clang does what it is told first, with the same words, and how it ends is how we end: build systems, and what they try out
//! beforehand, see nothing of us. Then each source is compiled once more, as `selvedge check` compiles it, and goes into the
//! object. That this fails is no failure: the object says so, and who checks the program learns of it.

use super::c_family::{self, Dialect, Unit};
use super::compile_commands::{kept_flags, split};
use super::embedded::{Record, embed};
use super::error::DriverError;
use super::tools::{self, Tool};
use super::{Request, inputs, temporary_folder};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Options whose value is the next word.
pub(super) const WITH_VALUE: &[&str] = &[
    "-o",
    "-I",
    "-D",
    "-U",
    "-L",
    "-x",
    "-u",
    "-z",
    "-T",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-serialize-diagnostics",
    "-cxx-isystem",
    "-iframework",
    "-iwithprefixbefore",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-isysroot",
    "--sysroot",
    "-target",
    "-arch",
    "-Xlinker",
    "-Xclang",
    "-Xpreprocessor",
    "-Xassembler",
    "-mllvm",
    "--param",
    "-rpath",
    "-e",
    "-aux-info",
    "-B",
    "-F",
    "-l",
    "-include-pch",
    "-ivfsoverlay",
    "-working-directory",
];
/// Options with which clang makes something else than objects and programs.
const OTHER: &[&str] =
    &["-E", "-S", "-M", "-MM", "-fsyntax-only", "-emit-llvm", "-emit-ast", "--analyze", "-###"];
/// Options that would leave no native object for the record.
const LINK_TIME: &str = "-flto";
/// Options that clang takes only together with these.
pub(super) const ONLY_LINK_TIME: &[&str] = &[
    "-ffat-lto-objects",
    "-fno-fat-lto-objects",
    "-fsplit-lto-unit",
    "-funified-lto",
    "-fvirtual-function-elimination",
    "-fwhole-program-vtables",
];

/// What clang is told.
#[derive(Debug, Default, PartialEq, Eq)]
struct Call {
    /// The position of each source, and its language.
    sources: Vec<(usize, Dialect)>,
    /// The positions of other files.
    files: Vec<usize>,
    /// The positions of what names the output: an option, and its value unless that is part of it.
    output: Vec<usize>,
    /// The positions of what names a language.
    languages: Vec<usize>,
    /// Objects are made, and not linked.
    objects: bool,
}

/// Runs the compiler with `words`; the exit code.
pub fn compile(dialect: Dialect, words: &[String]) -> Result<i32, DriverError> {
    let clang = Clang { tool: tools::clang()?, dialect };
    let words = expanded(words);
    let at_link_time = |word: &String| word.starts_with(LINK_TIME) || ONLY_LINK_TIME.contains(&word.as_str());
    let words: Vec<String> = words.into_iter().filter(|word| !at_link_time(word)).collect();
    let Some(call) = Call::read(dialect, &words) else { return clang.run(&words) };
    let folder = temporary_folder()?;
    let objects = match call.objects {
        true => call.objects(&words),
        false => call.temporary_objects(&words, folder.path()),
    };
    let compiled = match call.objects {
        true => clang.run(&words)?,
        false => call.compile_each(&clang, &words, &objects)?,
    };
    if compiled != 0 {
        return Ok(compiled);
    }
    for (&(at, dialect), object) in call.sources.iter().zip(&objects) {
        // What is no file of its own, as `/dev/null`, has no place for it.
        if std::fs::symlink_metadata(object).is_ok_and(|facts| facts.is_file()) {
            let record = record(&call, &words, at, dialect, folder.path());
            if let Err(error) = embed(object, &record, folder.path()) {
                eprintln!("selvedge: {error}");
            }
        }
    }
    match call.objects {
        true => Ok(0),
        false => clang.run(&call.linking(&words, &objects)),
    }
}

/// The words with those of response files (`@file`) in their places. What is no file stays as it is, for clang to say so.
fn expanded(words: &[String]) -> Vec<String> {
    // Files may name files, and must not name themselves.
    const DEPTH: usize = 8;
    fn expand(words: &[String], depth: usize, all: &mut Vec<String>) {
        for word in words {
            let text = word.strip_prefix('@').filter(|_| depth > 0);
            match text.and_then(|file| std::fs::read_to_string(file).ok()) {
                Some(text) => expand(&split(&text), depth - 1, all),
                None => all.push(word.clone()),
            }
        }
    }
    let mut all = Vec::new();
    expand(words, DEPTH, &mut all);
    all
}

/// The compiler, as which it is called.
struct Clang {
    tool: Tool,
    dialect: Dialect,
}

impl Clang {
    /// Runs it with our own streams; the exit code.
    fn run(&self, words: &[impl AsRef<OsStr>]) -> Result<i32, DriverError> {
        let mode = match self.dialect {
            Dialect::C => "--driver-mode=gcc",
            Dialect::Cxx => "--driver-mode=g++",
        };
        let status = Command::new(&self.tool.program).arg(mode).args(words).status();
        status.map(|status| status.code().unwrap_or(1)).map_err(|cause| DriverError::NotRun {
            tool: self.tool.program.to_string_lossy().into_owned(),
            cause,
        })
    }
}

/// The bitcode of one source.
fn record(call: &Call, words: &[String], at: usize, dialect: Dialect, folder: &Path) -> Record {
    let (source, output) = (Path::new(&words[at]), folder.join("module.bc"));
    let _ = std::fs::remove_file(&output);
    let mut unit = Unit::new(source, &output, dialect);
    let flags: Vec<String> = call.flags(words).cloned().collect();
    unit.flags = kept_flags(&flags);
    let compiled = c_family::compile(&Request::default(), &[unit], false);
    let bitcode = compiled.and_then(|_| super::read(&output)).map_err(|error| error.to_string());
    let name = std::path::absolute(source).unwrap_or_else(|_| source.to_path_buf());
    Record { name: name.display().to_string(), bitcode }
}

/// What clang calls the object of a source unless it is told.
fn object_of(source: &str) -> PathBuf {
    PathBuf::from(Path::new(source).file_name().unwrap_or_default()).with_extension("o")
}

impl Call {
    /// Nothing if clang makes no objects of C and C++ sources, or is told in a way that only clang understands.
    fn read(dialect: Dialect, words: &[String]) -> Option<Self> {
        let mut call = Call::default();
        let mut language: Option<Dialect> = None;
        let mut at = 0;
        while at < words.len() {
            let word = words[at].as_str();
            match word {
                "-c" => call.objects = true,
                "-" => return None,
                other if OTHER.contains(&other) => return None,
                other if other.starts_with('@') => return None,
                option if WITH_VALUE.contains(&option) => {
                    let value = words.get(at + 1)?;
                    match option {
                        "-o" => call.output = vec![at, at + 1],
                        "-x" => {
                            call.languages.extend([at, at + 1]);
                            language = language_named(value)?;
                        }
                        _ => {}
                    }
                    at += 1;
                }
                option if option.starts_with("-x") => {
                    call.languages.push(at);
                    language = language_named(&option[2..])?;
                }
                option if option.starts_with("-o") => call.output = vec![at],
                option if option.starts_with('-') => {}
                file => match language.or_else(|| language_of(dialect, Path::new(file))) {
                    Some(language) => call.sources.push((at, language)),
                    None => call.files.push(at),
                },
            }
            at += 1;
        }
        (!call.sources.is_empty()).then_some(call)
    }

    /// The output, if it is named.
    fn value<'a>(&self, words: &'a [String]) -> Option<&'a str> {
        match self.output.as_slice() {
            [at] => Some(&words[*at][2..]),
            [_, at] => Some(&words[*at]),
            _ => None,
        }
    }

    /// The objects that clang makes.
    fn objects(&self, words: &[String]) -> Vec<PathBuf> {
        let of = |at: usize| self.value(words).map_or_else(|| object_of(&words[at]), PathBuf::from);
        self.sources.iter().map(|&(at, _)| of(at)).collect()
    }

    /// Objects in place of those that clang would make and remove.
    fn temporary_objects(&self, words: &[String], folder: &Path) -> Vec<PathBuf> {
        let name = |at: usize| format!("{at}-{}", object_of(&words[at]).display());
        self.sources.iter().map(|&(at, _)| folder.join(name(at))).collect()
    }

    /// Compiles each source into its object; the first exit code that tells of a failure.
    fn compile_each(&self, clang: &Clang, words: &[String], objects: &[PathBuf]) -> Result<i32, DriverError> {
        for (&(at, _), object) in self.sources.iter().zip(objects) {
            // The language of a source is said before it, which the flags do.
            let mut of_one: Vec<OsString> = self.flags(words).map(OsString::from).collect();
            of_one.extend(["-Qunused-arguments", "-c", words[at].as_str(), "-o"].map(OsString::from));
            of_one.push(object.into());
            let code = clang.run(&of_one)?;
            if code != 0 {
                return Ok(code);
            }
        }
        Ok(0)
    }

    /// The words that link the objects, each in the place of its source.
    fn linking(&self, words: &[String], objects: &[PathBuf]) -> Vec<OsString> {
        let object = |at: usize| {
            let source = self.sources.iter().position(|&(source, _)| source == at);
            source.map(|index| objects[index].clone().into_os_string())
        };
        // An object is in no language.
        let kept = (0..words.len()).filter(|at| !self.languages.contains(at));
        let linking = kept.map(|at| object(at).unwrap_or_else(|| OsString::from(&words[at])));
        linking.chain(["-Qunused-arguments".into()]).collect()
    }

    /// The words without files and the output.
    fn flags<'a>(&'a self, words: &'a [String]) -> impl Iterator<Item = &'a String> {
        let is_source = |at: &usize| self.sources.iter().any(|(source, _)| source == at);
        let left_out = move |at: &usize| is_source(at) || self.files.contains(at) || self.output.contains(at);
        words.iter().enumerate().filter(move |(at, _)| !left_out(at)).map(|(_, word)| word)
    }
}

/// What `-x` says: another language than ours is an answer, too, but not one that helps.
fn language_named(name: &str) -> Option<Option<Dialect>> {
    match name {
        "c" => Some(Some(Dialect::C)),
        "c++" => Some(Some(Dialect::Cxx)),
        "none" => Some(None),
        _ => None,
    }
}

fn language_of(dialect: Dialect, path: &Path) -> Option<Dialect> {
    match path {
        path if inputs::is_cxx(path) => Some(Dialect::Cxx),
        // As `g++` does, `c++` takes C for C++.
        path if inputs::is_c(path) => Some(dialect),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(dialect: Dialect, text: &str) -> String {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let Some(call) = Call::read(dialect, &words) else { return "as it is".to_owned() };
        let sources: Vec<String> =
            call.sources.iter().map(|&(at, dialect)| format!("{} {dialect:?}", words[at])).collect();
        let flags: Vec<&str> = call.flags(&words).map(String::as_str).collect();
        let what = if call.objects { "objects" } else { "program" };
        format!("{what} {:?} of {} with {}", call.value(&words), sources.join(", "), flags.join(" "))
    }

    #[test]
    fn calls_are_understood() {
        assert_eq!(
            check(Dialect::C, "-I inc -DX -c -o out/a.o -MD -MF a.d a.c"),
            "objects Some(\"out/a.o\") of a.c C with -I inc -DX -c -MD -MF a.d"
        );
        assert_eq!(
            check(Dialect::C, "a.c b.o c.cpp -oprog -lm"),
            "program Some(\"prog\") of a.c C, c.cpp Cxx with -lm"
        );
        assert_eq!(check(Dialect::Cxx, "a.c -c"), "objects None of a.c Cxx with -c");
        assert_eq!(
            check(Dialect::C, "-x c++ a -x none b.c"),
            "program None of a Cxx, b.c C with -x c++ -x none"
        );
    }

    #[test]
    fn response_files_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        std::fs::write(&one, format!("-c 'a b.c'\n@{}", other.display())).expect("a file");
        std::fs::write(&other, format!("-DX=\\\"y\\\" @{}", other.display())).expect("a file");
        let words = ["-I.".to_owned(), format!("@{}", one.display()), "@gone".to_owned()];
        let words = expanded(&words);
        assert_eq!(words[..4], ["-I.", "-c", "a b.c", "-DX=\"y\""]);
        assert_eq!(words.last().map(String::as_str), Some("@gone"));
        assert!(words.len() < 20, "a file that names itself ends somewhere: {words:?}");
    }

    #[test]
    fn what_makes_no_objects_of_sources_is_left_to_clang() {
        for text in
            ["a.o -o prog", "--version", "-E a.c", "-c -x assembler a", "-c -", "@words", "-c a.S", "-o"]
        {
            assert_eq!(check(Dialect::C, text), "as it is", "{text}");
        }
    }
}
