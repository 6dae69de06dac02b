//! A folder with `compile_commands.json`: its C and C++ files, compiled with their own flags.

use super::c_family::{self, Dialect, Unit};
use super::drop_in::{ONLY_LINK_TIME, WITH_VALUE};
use super::error::DriverError;
use super::inputs;
use super::{Bitcode, CargoTarget, Language, ModuleFile, Request, process, tools};
use serde_json::Value;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles the program that the database describes. If several files define `main`, the user chooses one by
/// the name of its file, and what the others share with it is pulled in by symbol.
pub fn compile(request: &Request, database: &Path, keep: tempfile::TempDir) -> Result<Bitcode, DriverError> {
    let bad = |problem| DriverError::BadCompileCommands { path: database.to_path_buf(), problem };
    let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = std::path::absolute(folder)
        .map_err(|cause| DriverError::Unreadable { path: folder.to_path_buf(), cause })?;
    let json: Value =
        serde_json::from_slice(&super::read(database)?).map_err(|error| bad(error.to_string()))?;
    let entries = json.as_array().ok_or_else(|| bad("it is not a list".into()))?;
    let mut described = Vec::new();
    for entry in entries {
        let Some(unit) = unit(entry, &folder).map_err(bad)? else { continue };
        described.push((unit, target(entry)));
    }
    // A file may be part of several targets, with flags of each.
    described.sort_by_key(|(_, target)| target.is_none() || target.as_deref() != wanted(request));
    let mut seen = HashSet::new();
    described.retain(|(unit, _)| seen.insert(unit.source.clone()));
    let (mut units, targets): (Vec<Unit>, Vec<_>) = described.into_iter().unzip();
    for (index, unit) in units.iter_mut().enumerate() {
        unit.output = keep.path().join(format!("module-{index}.bc"));
    }
    if units.is_empty() {
        return Err(bad("it names no C or C++ file".into()));
    }
    let library = c_family::compile(request, &units, false)?;
    let cxx = units.iter().any(|unit| unit.dialect == Dialect::Cxx);
    let mut bitcode = Bitcode {
        modules: units.iter().map(|unit| module(unit, &folder)).collect(),
        archives: Vec::new(),
        language: if cxx { Language::Cxx } else { Language::C },
        source_root: folder.clone(),
        keep,
    };
    choose_program(request, &units, &targets, &folder, &mut bitcode)?;
    bitcode.archives.extend(library);
    Ok(bitcode)
}

fn module(unit: &Unit, folder: &Path) -> ModuleFile {
    let name = unit.source.strip_prefix(folder).unwrap_or(&unit.source).display().to_string();
    ModuleFile { path: unit.output.clone(), name }
}

/// The program that the user wants: a target of the build system, or the file with its `main`.
fn wanted(request: &Request) -> Option<&str> {
    match &request.cargo {
        CargoTarget::Binary(name) => name.as_deref(),
        CargoTarget::Example(name) | CargoTarget::Test(name) | CargoTarget::BinaryTests(name) => {
            Some(name.as_str())
        }
    }
}

/// The target that an entry is part of, where the name of its object says so: CMake puts it into `CMakeFiles/TARGET.dir`,
/// Meson into `TARGET.p`.
fn target(entry: &Value) -> Option<String> {
    let words = || -> Vec<String> {
        match (&entry["arguments"], &entry["command"]) {
            (Value::Array(words), _) => words.iter().filter_map(Value::as_str).map(String::from).collect(),
            (_, Value::String(command)) => split(command),
            _ => Vec::new(),
        }
    };
    let output = entry["output"].as_str().map(String::from).or_else(|| {
        let words = words();
        let at = words.iter().position(|word| word == "-o")?;
        words.get(at + 1).cloned()
    })?;
    if let Some((_, rest)) = output.split_once("CMakeFiles/") {
        return rest.split_once(".dir/").map(|(target, _)| target.to_owned());
    }
    let mut folders = Path::new(&output).parent()?.iter().filter_map(|folder| folder.to_str());
    folders.find_map(|folder| folder.strip_suffix(".p")).map(str::to_owned)
}

/// Leaves one `main`.
fn choose_program(
    request: &Request,
    units: &[Unit],
    targets: &[Option<String>],
    folder: &Path,
    bitcode: &mut Bitcode,
) -> Result<(), DriverError> {
    let mut programs = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        if defines_main(&unit.output)? {
            let name = unit.source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            programs.push((index, name));
        }
    }
    let names = || programs.iter().map(|(_, name)| name.clone()).collect::<Vec<_>>();
    let wanted = wanted(request);
    let chosen = match (wanted, programs.as_slice()) {
        // No `main` at all is for the loader to say.
        (None, [] | [_]) => return Ok(()),
        (None, _) => {
            return Err(DriverError::SeveralPrograms { folder: folder.to_path_buf(), names: names() });
        }
        (Some(wanted), _) => {
            let is_meant = |index: usize, name: &str| {
                name == wanted
                    || targets[index].as_deref() == Some(wanted)
                    || units[index].source.ends_with(wanted)
            };
            programs.iter().find(|(index, name)| is_meant(*index, name)).map(|(index, _)| *index)
        }
    };
    let Some(chosen) = chosen else {
        return Err(DriverError::NoSuchTarget {
            folder: folder.to_path_buf(),
            wanted: format!("program `{}`", wanted.unwrap_or_default()),
            available: format!("Choose one of: --bin {}", names().join(", --bin ")),
        });
    };
    if let [_] = programs.as_slice() {
        return Ok(());
    }
    let (own, shared): (Vec<usize>, Vec<usize>) = (0..units.len())
        .filter(|index| !programs.iter().any(|(program, _)| program == index))
        .partition(|&index| targets[index].is_some() && targets[index] == targets[chosen]);
    let shared: Vec<&PathBuf> = shared.into_iter().map(|index| &units[index].output).collect();
    if !shared.is_empty() {
        let archive = bitcode.keep.path().join("shared.a");
        let mut command = Command::new(tools::llvm_tool("llvm-ar")?);
        command.arg("rcs").arg(&archive).args(shared);
        process::compile(&mut command, "the archive of shared files", request.verbose)?;
        bitcode.archives.push(archive);
    }
    bitcode.modules = [chosen].into_iter().chain(own).map(|index| module(&units[index], folder)).collect();
    Ok(())
}

fn defines_main(module: &Path) -> Result<bool, DriverError> {
    let mut command = Command::new(tools::llvm_tool("llvm-nm")?);
    command.args(["--defined-only", "--extern-only", "--format=just-symbols"]).arg(module);
    let output = process::output(&mut command)?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().any(|line| line.trim() == "main"))
}

/// The call that one entry describes, or nothing if it is not C or C++.
fn unit(entry: &Value, default_folder: &Path) -> Result<Option<Unit>, String> {
    let folder = entry["directory"]
        .as_str()
        .map_or_else(|| default_folder.to_path_buf(), |folder| default_folder.join(folder));
    let file = entry["file"].as_str().ok_or("an entry has no \"file\"")?;
    let dialect = match Path::new(file) {
        path if inputs::is_cxx(path) => Dialect::Cxx,
        path if inputs::is_c(path) => Dialect::C,
        _ => return Ok(None),
    };
    let words: Vec<String> = match (&entry["arguments"], &entry["command"]) {
        (Value::Array(words), _) => words
            .iter()
            .map(|word| word.as_str().map(String::from))
            .collect::<Option<_>>()
            .ok_or("\"arguments\" must be strings")?,
        (_, Value::String(command)) => split(command),
        _ => return Err(format!("the entry of {file} has neither \"arguments\" nor \"command\"")),
    };
    // A header that is compiled beforehand is no part of a program by itself.
    if words
        .iter()
        .any(|word| matches!(word.as_str(), "c-header" | "c++-header" | "-xc-header" | "-xc++-header"))
    {
        return Ok(None);
    }
    let flags = kept_flags(words.get(1..).unwrap_or_default());
    Ok(Some(Unit { source: folder.join(file), output: PathBuf::new(), dialect, flags, folder: Some(folder) }))
}

/// Drops files, what says where to write, how to optimise, and what instruments the program. A word that is neither an option
/// nor the value of one is a file, or, where a command begins with several words, part of the compiler's name.
pub(super) fn kept_flags(words: &[String]) -> Vec<String> {
    const WITH_ARGUMENT: &[&str] = &["-o", "-MF", "-MJ", "-MT", "-MQ", "-serialize-diagnostics"];
    const ALONE: &[&str] =
        &["-c", "-S", "-E", "-MD", "-MMD", "-MP", "-MG", "-M", "-MM", "--coverage", "-Werror", "--", "-pg"];
    const BEGINNINGS: &[&str] = &[
        "-O",
        "-g",
        "-fsanitize",
        "-flto",
        "-fprofile",
        "-fcoverage",
        "-Werror=",
        "-o",
        "-Wp,-M",
        "-fuse-linker-plugin",
    ];
    let mut kept = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let word = word.as_str();
        if WITH_ARGUMENT.contains(&word) {
            words.next();
        } else if word == "-Xclang" && words.peek().is_some_and(|next| *next == "-include-pch") {
            // It is about another compilation of the headers, which are included as well: `-Xclang -include-pch -Xclang FILE`.
            words.by_ref().take(3).for_each(drop);
        } else if WITH_VALUE.contains(&word) {
            kept.push(word.to_owned());
            kept.extend(words.next().cloned());
        } else if word.starts_with('-')
            && !ALONE.contains(&word)
            && !ONLY_LINK_TIME.contains(&word)
            && !BEGINNINGS.iter().any(|beginning| word.starts_with(beginning))
        {
            kept.push(word.to_owned());
        }
    }
    // What only gcc knows must not stop clang.
    kept.extend(["-Wno-unknown-warning-option".into(), "-Qunused-arguments".into()]);
    kept
}

/// Splits a command as a shell would: quotes and backslashes, nothing else.
pub(super) fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (Some('"') | None, '\\') => word.get_or_insert_default().extend(characters.next()),
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        assert_eq!(
            split(r#"cc -DA="x y" -DB=\"q\" 'it s' a\ b.c"#),
            ["cc", "-DA=x y", "-DB=\"q\"", "it s", "a b.c"]
        );
        assert_eq!(split("  cc ''  "), ["cc", ""]);
    }

    #[test]
    fn flags_that_are_ours_to_choose_are_dropped() {
        let entry = json!({ "directory": "build", "file": "../a.cpp", "command":
            "g++ -Iinc -DX=1 -O2 -g3 -fsanitize=thread -std=c++20 -MD -MF a.d -o a.o -Werror -c ../a.cpp" });
        let unit = unit(&entry, Path::new("/p")).expect("an entry").expect("C++");
        assert_eq!(
            unit.flags,
            ["-Iinc", "-DX=1", "-std=c++20", "-Wno-unknown-warning-option", "-Qunused-arguments"]
        );
        assert_eq!((unit.dialect, unit.source), (Dialect::Cxx, PathBuf::from("/p/build/../a.cpp")));
    }

    #[test]
    fn what_is_no_option_is_no_flag() {
        let kept = |text: &str| {
            let mut kept = kept_flags(&split(text));
            kept.truncate(kept.len() - 2);
            kept.join(" ")
        };
        // The rest of a compiler's name, other sources of one call, objects.
        assert_eq!(kept("cc -DX a.c b.c c.o"), "-DX");
        assert_eq!(kept("-I inc.c -include b.h -x c"), "-I inc.c -include b.h -x c");
        assert_eq!(
            kept("-Xclang -include-pch -Xclang a.pch -Xclang -include -Xclang a.h"),
            "-Xclang -include -Xclang a.h"
        );
        assert_eq!(kept("-flto=auto -ffat-lto-objects -fwhole-program-vtables -O2"), "");
        let header = json!({ "file": "a.h.c", "command": "cc -x c-header -o a.pch -c a.h.c" });
        assert!(unit(&header, Path::new("/p")).expect("an entry").is_none());
    }

    #[test]
    fn targets_are_those_of_the_build_system() {
        let of = |output: &str| target(&json!({ "file": "a.c", "output": output }));
        assert_eq!(of("src/CMakeFiles/server.dir/a.c.o").as_deref(), Some("server"));
        assert_eq!(of("server.p/src_a.c.o").as_deref(), Some("server"));
        assert_eq!(of("a.o"), None);
        let entry = json!({ "file": "a.c", "command": "cc -o CMakeFiles/x.dir/a.c.o -c a.c" });
        assert_eq!(target(&entry).as_deref(), Some("x"));
    }

    #[test]
    fn entries_that_say_too_little_are_errors() {
        let problem = |entry| unit(&entry, Path::new("/p")).expect_err("a problem");
        assert_eq!(problem(json!({})), "an entry has no \"file\"");
        assert_eq!(
            problem(json!({ "file": "a.c" })),
            "the entry of a.c has neither \"arguments\" nor \"command\""
        );
        assert!(matches!(unit(&json!({ "file": "a.S" }), Path::new("/p")), Ok(None)));
    }
}
