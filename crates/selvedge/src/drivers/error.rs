//! What can go wrong between the command line and the bitcode, in the user's words.

use std::path::PathBuf;

/// Why no bitcode could be made. Every text ends by saying what to do.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// Nothing was named.
    #[error("no program was given. Name a source file, a bitcode file, or a Cargo package")]
    NoInput,
    /// The path names nothing.
    #[error("`{}` does not exist. Check the spelling and the folder you are in", .0.display())]
    Missing(PathBuf),
    /// A word after the program names nothing: probably meant for the program.
    #[error(
        "`{}` does not exist. Check the spelling; arguments of the program come after `--`, as in \
         `selvedge run {} -- {}`",
        .word.display(), .program.display(), .word.display()
    )]
    MissingAfter {
        /// What names nothing.
        word: PathBuf,
        /// What was named first.
        program: PathBuf,
    },
    /// The same file more than once.
    #[error("`{}` is named twice. Leave one of them out", .0.display())]
    Twice(PathBuf),
    /// A target is chosen where there are none to choose from.
    #[error(
        "`{}` is a file, and {option} chooses a target of a Cargo package or of a folder with compile_commands.json. \
         Leave it out, or name the folder",
        .file.display()
    )]
    NoTargets {
        /// The option that chooses.
        option: &'static str,
        /// What was named.
        file: PathBuf,
    },
    /// The path exists and cannot be read.
    #[error("`{}` cannot be read: {cause}. Check its permissions", .path.display())]
    Unreadable {
        /// What could not be read.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// The extension says nothing to us.
    #[error(
        "`{}` is not a kind of file that Selvedge knows. Give .c .cc .cpp .cxx .i .ii .rs .ll or .bc files, \
         a program that `selvedge cc` has made, a Cargo package, or a folder with compile_commands.json",
        .0.display()
    )]
    UnknownKind(PathBuf),
    /// A native program of which the bitcode is not known.
    #[error(
        "`{}` is a native program without bitcode. Build it with `selvedge cc` and `selvedge c++` as compilers, as in \
         make CC=\"selvedge cc\" CXX=\"selvedge c++\"",
        .0.display()
    )]
    NoBitcode(PathBuf),
    /// Sizes have 32 bits in it.
    #[error(
        "`{}` was preprocessed for a machine of 32 bits, and Selvedge executes programs for x86-64 only. \
         Preprocess it again without -m32, or give the source as it was before",
        .0.display()
    )]
    For32Bits(PathBuf),
    /// A folder in which nothing tells how to build it.
    #[error(
        "`{}` holds neither Cargo.toml nor compile_commands.json. Name its source files instead, \
         or write compile_commands.json (cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or bear -- make)",
        .0.display()
    )]
    NotAPackage(PathBuf),
    /// A folder or a Rust file among other inputs.
    #[error("`{}` is a whole program by itself. Give it alone, without other files", .0.display())]
    NotAlone(PathBuf),
    /// A tool is not installed.
    #[error("{tool} was not found. Install it: {install}")]
    ToolMissing {
        /// The program that was looked for.
        tool: String,
        /// How to get it.
        install: String,
    },
    /// A tool writes bitcode that our LLVM cannot read.
    #[error("{tool} uses LLVM {found}, and this Selvedge reads LLVM {supported} and older. {install}")]
    TooNew {
        /// The program and its version.
        tool: String,
        /// Its LLVM major version.
        found: u32,
        /// Ours.
        supported: u32,
        /// What to install instead.
        install: String,
    },
    /// A tool is older than what its inputs need.
    #[error("{tool} is too old: at least version {needed} is needed. Install a newer one: {install}")]
    TooOld {
        /// The program and its version.
        tool: String,
        /// The first version that serves.
        needed: u32,
        /// How to get it.
        install: String,
    },
    /// A tool answered something that is not a version.
    #[error("{tool} did not tell its version (it said {answer:?}). Check that it is what its name says")]
    UnknownVersion {
        /// The program that was asked.
        tool: String,
        /// Its first line.
        answer: String,
    },
    /// The compiler rejected the program: its own words, then ours.
    #[error("{diagnostics}{what} was not compiled: {}", remedy(what, diagnostics))]
    Rejected {
        /// What was being compiled.
        what: String,
        /// The compiler's own output, unchanged, ending in a newline.
        diagnostics: String,
    },
    /// A module that the user brought along is not accepted; the text says why and what to do.
    #[error("{}", .0.trim_end())]
    BadModule(String),
    /// A tool could not be started or watched.
    #[error(
        "{tool} could not be run: {cause}. Check that it is installed and that the system is not out of memory or space"
    )]
    NotRun {
        tool: String,
        /// What the system says.
        cause: std::io::Error,
    },
    /// Files of our own could not be written.
    #[error("`{}` could not be written: {cause}. Check the space and permissions there{hint}", .path.display())]
    NotWritten {
        /// What was to be written.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
        /// What helps, or nothing.
        hint: &'static str,
    },
    /// `compile_commands.json` does not say what it should.
    #[error("`{}` is not a compilation database: {problem}. Generate it again", .path.display())]
    BadCompileCommands {
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Several programs, none chosen.
    #[error("`{}` has several programs: {}. Choose one with --bin NAME", .folder.display(), .names.join(", "))]
    SeveralPrograms {
        /// Package or folder.
        folder: PathBuf,
        /// What there is.
        names: Vec<String>,
    },
    /// The chosen target is not there.
    #[error("`{}` has no {wanted}. {available}", .folder.display())]
    NoSuchTarget {
        /// Package or folder.
        folder: PathBuf,
        /// What was looked for, as in "example `bank`".
        wanted: String,
        /// What there is, as a sentence that says how to choose it.
        available: String,
    },
    /// Cargo finished without leaving what was asked for.
    #[error("cargo left no bitcode for {what}. Remove `{}` and try again", .folder.display())]
    NoArtifact {
        /// The target.
        what: String,
        /// The folder it was built in.
        folder: PathBuf,
    },
    /// The C++ library is not on this machine and could not be fetched.
    #[error("{diagnostics}the sources of the C++ library could not be fetched into `{}`. \
         Run `make setup` in Selvedge's folder with a network connection (it needs python3 with pip)", .cache.display())]
    NoCxxSources {
        /// Where they belong.
        cache: PathBuf,
        /// What the fetching program said.
        diagnostics: String,
    },
    /// The C++ library could not be compiled.
    #[error(
        "{diagnostics}the C++ library could not be compiled with {compiler}. Install clang-22 (apt install clang-22 llvm-22)"
    )]
    CxxLibrary {
        /// The compiler that was used.
        compiler: String,
        /// What it said.
        diagnostics: String,
    },
}

/// What the tests of a package are called while they are compiled, where there are no flags to be passed.
pub const TESTS: &str = "what is to be tested";

/// What to do about a program that the compiler rejects.
fn remedy(what: &str, diagnostics: &str) -> &'static str {
    if what == TESTS {
        "correct the errors above"
    } else if diagnostics.contains("unlinked crate") || diagnostics.contains("can't find crate") {
        "a program that uses crates is checked as a Cargo package. Name the folder of its Cargo.toml, with --bin NAME where it has \
         several programs"
    } else {
        "correct the errors above, or pass the right flags with --cflags"
    }
}
