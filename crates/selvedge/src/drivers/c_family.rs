//! C and C++ through clang.

use super::error::DriverError;
use super::headers;
use super::libcxx::{self, CxxLibrary};
use super::tools;
use super::{Request, process};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Which of the two languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// C.
    C,
    /// C++.
    Cxx,
}

/// One call of the compiler.
#[derive(Debug)]
pub struct Unit {
    /// The source file, as the compiler is to see it.
    pub source: PathBuf,
    /// The bitcode to write.
    pub output: PathBuf,
    /// Its language.
    pub dialect: Dialect,
    /// Flags for this file alone, before the user's.
    pub flags: Vec<String>,
    /// Where to run the compiler, if not here.
    pub folder: Option<PathBuf>,
}

impl Unit {
    /// A source file with no flags of its own.
    pub fn new(source: &Path, output: &Path, dialect: Dialect) -> Self {
        Self {
            source: source.to_path_buf(),
            output: output.to_path_buf(),
            dialect,
            flags: Vec::new(),
            folder: None,
        }
    }
}

/// Compiles all `units` and returns the archives that the program may need: the C++ library if a unit is C++
/// or `needs_cxx` says so.
pub fn compile(request: &Request, units: &[Unit], needs_cxx: bool) -> Result<Vec<PathBuf>, DriverError> {
    let needs_cxx = needs_cxx || units.iter().any(|unit| unit.dialect == Dialect::Cxx);
    if units.is_empty() && !needs_cxx {
        return Ok(Vec::new());
    }
    if let (true, Some(archive)) = (units.is_empty(), libcxx::shipped_archive()) {
        return Ok(vec![archive]);
    }
    let clang = tools::clang()?;
    let library = if needs_cxx { Some(libcxx::prepare(&clang, request.verbose)?) } else { None };
    let headers = headers::c_folder()?;
    process::in_parallel(units, |unit| {
        let mut command = Command::new(&clang.program);
        command.args(flags(request, unit, library.as_ref()));
        // Where the user has a folder with another header of that name, theirs is found first.
        command.arg("-idirafter").arg(&headers);
        if let Some(folder) = &unit.folder {
            command.current_dir(folder);
        }
        if super::colours() {
            command.arg("-fcolor-diagnostics");
        }
        command.arg("-o").arg(&unit.output).arg("--").arg(&unit.source);
        process::compile(&mut command, &format!("`{}`", unit.source.display()), request.verbose)
    })?;
    Ok(library.into_iter().map(|library| library.archive).collect())
}

/// The flags of one call. Ours come before the user's where the user may know better, and after them
/// where we cannot work otherwise.
fn flags(request: &Request, unit: &Unit, library: Option<&CxxLibrary>) -> Vec<String> {
    let mut flags: Vec<String> = Vec::new();
    let mut add = |words: &[&str]| flags.extend(words.iter().map(|word| word.to_string()));
    if let (Dialect::Cxx, Some(library)) = (unit.dialect, library) {
        add(&["--driver-mode=g++"]);
        add(&library.flags.iter().map(String::as_str).collect::<Vec<_>>());
    }
    // The target has no fused multiply-add, so a native binary would not fuse either.
    add(&["-pthread", "-ffp-contract=off", "-D__SELVEDGE__=1"]);
    add(&unit.flags.iter().map(String::as_str).collect::<Vec<_>>());
    let level = request.opt_level.as_deref().unwrap_or("0");
    add(&[&format!("-O{level}")]);
    if level == "0" {
        // Without this, functions are marked as never to be simplified, not even their private locals.
        add(&["-Xclang", "-disable-O0-optnone"]);
    }
    add(&request.cflags.iter().map(String::as_str).collect::<Vec<_>>());
    // What these add (checks, canaries, calls of checked variants) is not in the program as written.
    add(&["-U_FORTIFY_SOURCE", "-fno-stack-protector", "-fcf-protection=none"]);
    if request.overflow {
        add(&["-fsanitize=signed-integer-overflow,shift"]);
    }
    add(&["-g", "-c", "-emit-llvm"]);
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(request: &Request, dialect: Dialect) -> String {
        let unit = Unit::new(Path::new("a.x"), Path::new("a.bc"), dialect);
        let library = CxxLibrary { flags: vec!["-nostdinc++".into()], archive: PathBuf::from("libcxx.a") };
        flags(request, &unit, Some(&library)).join(" ")
    }

    #[test]
    fn flags_of_c_by_default() {
        assert_eq!(
            check(&Request::default(), Dialect::C),
            "-pthread -ffp-contract=off -D__SELVEDGE__=1 -O0 -Xclang -disable-O0-optnone -U_FORTIFY_SOURCE \
             -fno-stack-protector -fcf-protection=none -g -c -emit-llvm"
        );
    }

    #[test]
    fn the_user_chooses_level_and_flags() {
        let request = Request {
            opt_level: Some("2".into()),
            cflags: vec!["-DN=3".into(), "-std=c11".into()],
            ..Request::default()
        };
        let flags = check(&request, Dialect::C);
        assert!(flags.contains("-O2 -DN=3 -std=c11 "), "{flags}");
        assert!(!flags.contains("optnone"), "{flags}");
    }

    #[test]
    fn cxx_uses_our_library() {
        let flags = check(&Request::default(), Dialect::Cxx);
        assert!(flags.starts_with("--driver-mode=g++ -nostdinc++ -pthread"), "{flags}");
    }
}
