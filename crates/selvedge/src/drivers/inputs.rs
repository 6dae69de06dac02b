//! Sorts what the user named into kinds.

use super::elf;
use super::error::DriverError;
use super::needed;
use std::path::{Path, PathBuf};

/// One thing from the command line.
#[derive(Debug, PartialEq, Eq)]
pub enum Input {
    /// C source.
    C(PathBuf),
    /// C++ source.
    Cxx(PathBuf),
    /// A Rust program of one crate.
    Rust(PathBuf),
    /// Ready-made bitcode or textual IR.
    Module {
        path: PathBuf,
        /// Whether it calls the C++ library.
        cxx: bool,
    },
    /// A native program, library or object, which may hold the bitcode that it was made of.
    Native {
        path: PathBuf,
        /// Whether it calls the C++ library.
        cxx: bool,
        /// The shared libraries that it needs and that hold bitcode.
        libraries: Vec<PathBuf>,
    },
    /// The folder of a Cargo package.
    Package(PathBuf),
    /// A compilation database.
    CompileCommands(PathBuf),
}

impl Input {
    pub fn path(&self) -> &Path {
        match self {
            Self::C(path)
            | Self::Cxx(path)
            | Self::Rust(path)
            | Self::Module { path, .. }
            | Self::Native { path, .. }
            | Self::Package(path)
            | Self::CompileCommands(path) => path,
        }
    }

    /// Whether the C++ library has to be at hand.
    pub fn needs_cxx_library(&self) -> bool {
        matches!(self, Self::Cxx(_) | Self::Module { cxx: true, .. } | Self::Native { cxx: true, .. })
    }
}

/// The language of a source file by its extension: C, preprocessed or not.
pub fn is_c(path: &Path) -> bool {
    matches!(extension(path), "c" | "i")
}

/// The language of a source file by its extension: C++, preprocessed or not.
pub fn is_cxx(path: &Path) -> bool {
    matches!(extension(path), "cc" | "cpp" | "cxx" | "C" | "c++" | "ii")
}

/// Whether the preprocessor has written a source for a machine of 32 bits: it has that machine's idea of a size in it.
fn is_for_32_bits(path: &Path, text: &[u8]) -> bool {
    let preprocessed = matches!(extension(path), "i" | "ii") || text.starts_with(b"# ");
    let size = b"typedef unsigned int size_t;";
    preprocessed && text.windows(size.len()).any(|window| window == size)
}

/// A source file, unless it is one for another machine.
fn source(path: PathBuf, kind: fn(PathBuf) -> Input) -> Result<Input, DriverError> {
    match is_for_32_bits(&path, &super::read(&path)?) {
        true => Err(DriverError::For32Bits(path)),
        false => Ok(kind(path)),
    }
}

/// Looks at every path and refuses combinations that are not one program.
pub fn classify(paths: &[PathBuf]) -> Result<Vec<Input>, DriverError> {
    let known = |path: &PathBuf| match (classify_one(path), paths.first()) {
        (Err(DriverError::Missing(word)), Some(first)) if first != path && first.exists() => {
            Err(DriverError::MissingAfter { word, program: first.clone() })
        }
        (other, _) => other,
    };
    let inputs = paths.iter().map(known).collect::<Result<Vec<_>, _>>()?;
    if let Some(twice) = paths.iter().enumerate().find(|&(at, path)| paths[..at].contains(path)) {
        return Err(DriverError::Twice(twice.1.clone()));
    }
    let whole = |input: &&Input| matches!(input, Input::Package(_) | Input::CompileCommands(_));
    if let Some(input) = inputs.iter().find(whole).filter(|_| inputs.len() > 1) {
        return Err(DriverError::NotAlone(input.path().to_path_buf()));
    }
    if let Some(second) = inputs.iter().filter(|input| matches!(input, Input::Rust(_))).nth(1) {
        return Err(DriverError::NotAlone(second.path().to_path_buf()));
    }
    if inputs.is_empty() { Err(DriverError::NoInput) } else { Ok(inputs) }
}

fn classify_one(path: &Path) -> Result<Input, DriverError> {
    let metadata = std::fs::metadata(path).map_err(|cause| match cause.kind() {
        std::io::ErrorKind::NotFound => DriverError::Missing(path.to_path_buf()),
        _ => DriverError::Unreadable { path: path.to_path_buf(), cause },
    })?;
    if metadata.is_dir() {
        return classify_folder(path);
    }
    let path = path.to_path_buf();
    let name = path.file_name().unwrap_or_default();
    if name == "Cargo.toml" {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        return Ok(Input::Package(folder.unwrap_or(Path::new(".")).to_path_buf()));
    }
    if name == "compile_commands.json" {
        return Ok(Input::CompileCommands(path));
    }
    match extension(&path) {
        _ if is_c(&path) => source(path, Input::C),
        _ if is_cxx(&path) => source(path, Input::Cxx),
        "rs" => Ok(Input::Rust(path)),
        "bc" | "ll" => {
            let cxx = calls_cxx_library(&super::read(&path)?);
            Ok(Input::Module { path, cxx })
        }
        _ => {
            let bytes = super::read(&path)?;
            match needed::behind_script(&path, &bytes) {
                Some((program, folders)) => native(program.clone(), &super::read(&program)?, &folders),
                None => native(path, &bytes, &[]),
            }
        }
    }
}

/// A file of the system's linker. `folders` are searched for its libraries besides those that it names itself.
fn native(path: PathBuf, bytes: &[u8], folders: &[PathBuf]) -> Result<Input, DriverError> {
    if !elf::is_elf(bytes) {
        return Err(DriverError::UnknownKind(path));
    }
    let libraries = needed::libraries(&path, bytes, folders);
    let calls = |library: &PathBuf| std::fs::read(library).is_ok_and(|bytes| calls_cxx_library(&bytes));
    let cxx = calls_cxx_library(bytes) || libraries.iter().any(calls);
    Ok(Input::Native { path, cxx, libraries })
}

fn classify_folder(folder: &Path) -> Result<Input, DriverError> {
    if folder.join("Cargo.toml").is_file() {
        return Ok(Input::Package(folder.to_path_buf()));
    }
    for place in ["compile_commands.json", "build/compile_commands.json"] {
        let file = folder.join(place);
        if file.is_file() {
            return Ok(Input::CompileCommands(file));
        }
    }
    Err(DriverError::NotAPackage(folder.to_path_buf()))
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

/// Symbol names stand as plain bytes in bitcode and in textual IR, so a search tells whether the C++ library
/// may be needed. A false alarm costs nothing: a library's modules are pulled in only by symbol.
fn calls_cxx_library(bytes: &[u8]) -> bool {
    [b"__gxx_personality_v0".as_slice(), b"_ZNSt3__1", b"_Znwm", b"__cxa_throw", b"_ZTVN10__cxxabiv1"]
        .iter()
        .any(|name| bytes.windows(name.len()).any(|window| window == *name))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Classifies `files` (created empty in a fresh folder; a name ending in `/` is a folder).
    fn check(files: &[&str], inputs: &[&str]) -> String {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for file in files {
            let path = folder.path().join(file);
            if file.ends_with('/') {
                std::fs::create_dir_all(path).expect("a folder");
            } else {
                std::fs::write(path, "").expect("a file");
            }
        }
        let paths: Vec<PathBuf> = inputs.iter().map(|input| folder.path().join(input)).collect();
        let text = match classify(&paths) {
            Ok(inputs) => format!("{inputs:?}"),
            Err(error) => error.to_string(),
        };
        text.replace(&format!("{}/", folder.path().display()), "")
    }

    #[test]
    fn kinds_by_extension() {
        assert_eq!(
            check(&["a.c", "b.cc", "c.cpp", "d.cxx", "e.C"], &["a.c", "b.cc", "c.cpp", "d.cxx", "e.C"]),
            r#"[C("a.c"), Cxx("b.cc"), Cxx("c.cpp"), Cxx("d.cxx"), Cxx("e.C")]"#
        );
        assert_eq!(check(&["a.rs", "b.c"], &["a.rs", "b.c"]), r#"[Rust("a.rs"), C("b.c")]"#);
        assert_eq!(check(&["a.bc"], &["a.bc"]), r#"[Module { path: "a.bc", cxx: false }]"#);
    }

    #[test]
    fn preprocessed_sources() {
        assert_eq!(check(&["a.i", "b.ii"], &["a.i", "b.ii"]), r#"[C("a.i"), Cxx("b.ii")]"#);
        let is_for_32_bits = |name: &str, text: &[u8]| is_for_32_bits(Path::new(name), text);
        assert!(is_for_32_bits("a.i", b"typedef unsigned int size_t;"));
        assert!(is_for_32_bits("a.c", b"# 1 \"a.c\"\ntypedef unsigned int size_t;"));
        assert!(!is_for_32_bits("a.c", b"typedef unsigned int size_t;"));
        assert!(!is_for_32_bits("a.i", b"typedef long unsigned int size_t;"));
    }

    #[test]
    fn folders() {
        assert_eq!(check(&["p/", "p/Cargo.toml"], &["p"]), r#"[Package("p")]"#);
        assert_eq!(check(&["p/", "p/Cargo.toml"], &["p/Cargo.toml"]), r#"[Package("p")]"#);
        assert_eq!(
            check(&["p/build/", "p/build/compile_commands.json"], &["p"]),
            r#"[CompileCommands("p/build/compile_commands.json")]"#
        );
    }

    #[test]
    fn errors_say_what_to_do() {
        assert_eq!(
            check(&[], &[]),
            "no program was given. Name a source file, a bitcode file, or a Cargo package"
        );
        assert_eq!(
            check(&[], &["gone.c"]),
            "`gone.c` does not exist. Check the spelling and the folder you are in"
        );
        assert!(
            check(&["a.py"], &["a.py"])
                .starts_with("`a.py` is not a kind of file that Selvedge knows. Give .c")
        );
        assert!(
            check(&["p/"], &["p"])
                .starts_with("`p` holds neither Cargo.toml nor compile_commands.json. Name")
        );
        let alone = "is a whole program by itself. Give it alone, without other files";
        assert_eq!(check(&["p/", "p/Cargo.toml", "a.c"], &["a.c", "p"]), format!("`p` {alone}"));
        assert_eq!(check(&["a.rs", "b.rs"], &["a.rs", "b.rs"]), format!("`b.rs` {alone}"));
    }

    #[test]
    fn a_module_that_calls_the_cxx_library_is_recognised() {
        assert!(calls_cxx_library(b"define i32 @main() personality ptr @__gxx_personality_v0 {"));
        assert!(!calls_cxx_library(b"define i32 @main() {"));
    }
}
