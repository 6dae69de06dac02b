//! The C++ library as bitcode: compiled once from its sources with the user's own clang, then kept.
//!
//! Programs are compiled against the headers of the very same tree, so that everything in a C++ program,
//! from `std::mutex` to the throwing of exceptions, is ordinary code.

use super::error::DriverError;
use super::tools::{self, Tool};
use super::{cache, edits, process};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The release of libc++ and libc++abi.
const VERSION: &str = "22.1.8";
const FETCH: &str = include_str!("../../runtime/cxx/fetch.py");
const CONFIG_SITE: &str = include_str!("../../runtime/cxx/config_site.h");
/// Headers in place of the library's, or beside them, and where they lie among the headers.
const HEADERS: &[(&str, &str)] = &[
    ("__thread/poll_with_backoff.h", include_str!("../../runtime/cxx/poll_with_backoff.h")),
    ("__selvedge/stream_guard.h", include_str!("../../runtime/cxx/stream_guard.h")),
];
/// Sources of ours, by name: the first takes the place of the library's `atomic.cpp`.
const OWN_SOURCES: &[(&str, &str)] = &[
    ("selvedge_atomic_wait.cpp", include_str!("../../runtime/cxx/atomic_wait.cpp")),
    ("selvedge_can_catch.cpp", include_str!("../../runtime/cxx/can_catch.cpp")),
    ("selvedge_standard_streams.cpp", include_str!("../../runtime/cxx/standard_streams.cpp")),
];

/// Library code is compiled with -O1: it is the same for every program, and its atomic accesses stay.
const FLAGS: &[&str] = &[
    "-c",
    "-emit-llvm",
    "-O1",
    "-gline-tables-only",
    "-std=c++23",
    "-fPIC",
    "-pthread",
    "-ffp-contract=off",
    "-fno-stack-protector",
    "-fcf-protection=none",
    "-w",
    "-DNDEBUG",
    "-DHAVE___CXA_THREAD_ATEXIT_IMPL",
    "-D_LIBCPP_BUILDING_LIBRARY",
    "-D_LIBCXXABI_BUILDING_LIBRARY",
    "-DLIBCXX_BUILDING_LIBCXXABI",
];

/// Folders of sources, and what in them is for other systems or configurations.
const SOURCES: &[(&str, &[&str])] = &[
    ("libcxx/src", &["atomic.cpp"]),
    ("libcxx/src/experimental", &[]),
    ("libcxx/src/filesystem", &[]),
    ("libcxx/src/ryu", &[]),
    ("libcxxabi/src", &["cxa_noexception.cpp"]),
];

/// What a C++ compilation needs.
#[derive(Debug)]
pub struct CxxLibrary {
    /// Flags for compiling against its headers.
    pub flags: Vec<String>,
    /// The bitcode.
    pub archive: PathBuf,
}

/// How much of the library is at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Neither sources nor bitcode.
    Absent,
    /// The sources; the bitcode will be made when a C++ program comes.
    Sources,
    Ready,
}

/// Looks without making anything.
pub fn state(clang: &Tool) -> State {
    if Shipped::find().is_some() {
        return State::Ready;
    }
    let places = Places::new(clang);
    if places.archive().is_file() && places.sources.is_dir() {
        State::Ready
    } else if places.sources.is_dir() {
        State::Sources
    } else {
        State::Absent
    }
}

/// Where it is, or will be.
pub fn place() -> PathBuf {
    Shipped::find().map_or_else(cache::folder, |shipped| shipped.built)
}

/// The bitcode beside the program, for programs that are bitcode already: no compiler is needed.
pub fn shipped_archive() -> Option<PathBuf> {
    Shipped::find().map(|shipped| shipped.library().archive)
}

/// Makes sure that the library is there: fetches and compiles what is missing.
pub fn prepare(clang: &Tool, verbose: bool) -> Result<CxxLibrary, DriverError> {
    if clang.llvm < tools::OLDEST_CLANG_FOR_CXX {
        return Err(tools::too_old(clang, tools::OLDEST_CLANG_FOR_CXX));
    }
    if let Some(shipped) = Shipped::find() {
        return Ok(shipped.library());
    }
    let places = Places::new(clang);
    if state(clang) != State::Ready {
        let _lock = cache::lock(&places.cache)?;
        if !places.sources.is_dir() {
            fetch(&places)?;
        }
        if !places.archive().is_file() {
            build(clang, &places, verbose)?;
        }
    }
    Ok(CxxLibrary { flags: header_flags(&places.sources, &places.built), archive: places.archive() })
}

/// Writes the library into `folder`, for a program that is installed with it.
pub fn ship(folder: &Path) -> Result<(), DriverError> {
    let clang = tools::clang()?;
    let library = prepare(&clang, false)?;
    let places = Places::new(&clang);
    let shipped = Shipped::within(folder);
    let (sources, built) = match Shipped::find() {
        Some(own) => (own.headers, own.built),
        None => (places.sources, places.built),
    };
    for part in ["libcxx/include", "libcxxabi/include"] {
        copy(&sources.join(part), &shipped.headers.join(part))?;
    }
    for licence in ["libcxx/LICENSE.TXT", "libcxxabi/LICENSE.TXT"] {
        if sources.join(licence).is_file() {
            copy(&sources.join(licence), &shipped.headers.join(licence))?;
        }
    }
    debug_assert!(library.archive.starts_with(&built));
    copy(&built, &shipped.built)
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> Result<(), DriverError> {
    let unreadable = |cause| DriverError::Unreadable { path: from.to_path_buf(), cause };
    let not_written = |cause| DriverError::NotWritten { path: to.to_path_buf(), cause, hint: "" };
    if !from.is_dir() {
        return std::fs::copy(from, to).map(drop).map_err(not_written);
    }
    std::fs::create_dir_all(to).map_err(not_written)?;
    for entry in std::fs::read_dir(from).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// A library that was installed with the program, compiled already. Bitcode of one compiler goes together with that of
/// another, so that it is there for all of them.
struct Shipped {
    headers: PathBuf,
    built: PathBuf,
}

impl Shipped {
    /// The one beside the running program: in `share/selvedge` of its prefix.
    fn find() -> Option<Self> {
        let program = std::env::current_exe().and_then(|program| program.canonicalize()).ok()?;
        let shipped = Shipped::within(&program.parent()?.parent()?.join("share/selvedge"));
        (shipped.built.join("libcxx.a").is_file() && shipped.headers.is_dir()).then_some(shipped)
    }

    fn within(folder: &Path) -> Self {
        let key = cache::key(parts());
        Shipped {
            headers: folder.join(format!("libcxx-{VERSION}")),
            built: folder.join(format!("libcxx-{VERSION}-{key}")),
        }
    }

    fn library(&self) -> CxxLibrary {
        let archive = self.built.join("libcxx.a");
        CxxLibrary { flags: header_flags(&self.headers, &self.built), archive }
    }
}

/// Everything that the library is made of besides its sources.
fn parts<'a>() -> impl Iterator<Item = &'a str> {
    let folders =
        SOURCES.iter().flat_map(|(folder, excluded)| [*folder].into_iter().chain(excluded.iter().copied()));
    let own = HEADERS.iter().chain(OWN_SOURCES).flat_map(|&(name, text)| [name, text]);
    let edits = edits::ALL.iter().flat_map(|edit| [edit.file, edit.from, edit.to]);
    [CONFIG_SITE].into_iter().chain(FLAGS.iter().copied()).chain(folders).chain(own).chain(edits)
}

/// Where everything is.
struct Places {
    cache: PathBuf,
    sources: PathBuf,
    built: PathBuf,
}

impl Places {
    fn new(clang: &Tool) -> Self {
        let cache = cache::folder();
        let key = cache::key([clang.version.as_str()].into_iter().chain(parts()));
        Self {
            sources: cache.join(format!("libcxx-{VERSION}")),
            built: cache.join(format!("libcxx-{VERSION}-{key}")),
            cache,
        }
    }

    fn archive(&self) -> PathBuf {
        self.built.join("libcxx.a")
    }
}

/// The flags with which both the library and programs find its headers. `built` holds the site configuration and what takes
/// the place of other headers.
fn header_flags(sources: &Path, built: &Path) -> Vec<String> {
    let text = |path: PathBuf| path.display().to_string();
    vec![
        "-nostdinc++".into(),
        "-include".into(),
        text(built.join("config_site.h")),
        "-isystem".into(),
        text(built.join("include")),
        "-isystem".into(),
        text(sources.join("libcxx/include")),
        "-isystem".into(),
        text(sources.join("libcxxabi/include")),
    ]
}

fn fetch(places: &Places) -> Result<(), DriverError> {
    eprintln!("selvedge: fetching the sources of the C++ library (once, 100 MB)");
    let failed = |diagnostics| DriverError::NoCxxSources { cache: places.cache.clone(), diagnostics };
    let mut command = Command::new("python3");
    command.args(["-c", FETCH]).arg(&places.cache);
    let output = process::output(&mut command).map_err(|error| failed(format!("{error}\n")))?;
    if output.status.success() { Ok(()) } else { Err(failed(process::diagnostics(&output))) }
}

/// Compiles every source file into a folder of its own, which then takes its place as a whole.
fn build(clang: &Tool, places: &Places, verbose: bool) -> Result<(), DriverError> {
    let archiver = tools::llvm_tool("llvm-ar")?;
    eprintln!("selvedge: compiling the C++ library to bitcode (once, about a minute)");
    let work = tempfile::Builder::new()
        .prefix(".build-")
        .tempdir_in(&places.cache)
        .map_err(|cause| cache::not_written(&places.cache, cause))?;
    let made = work.path().join("library");
    let objects = work.path().join("objects");
    cache::create_folder(&made)?;
    cache::create_folder(&objects)?;
    cache::write(&made.join("config_site.h"), CONFIG_SITE)?;
    for (name, text) in HEADERS {
        write_below(&made.join("include").join(name), text)?;
    }
    let mut sources = source_files(&places.sources)?;
    for (name, text) in OWN_SOURCES {
        let source = work.path().join(name);
        cache::write(&source, text)?;
        sources.push(source);
    }
    edit_library(places, &made, work.path(), &mut sources)?;
    let units: Vec<(PathBuf, PathBuf)> = sources
        .into_iter()
        .map(|source| (source.clone(), objects.join(object_name(&source, &places.sources))))
        .collect();
    process::in_parallel(&units, |(source, object)| {
        let mut command = Command::new(&clang.program);
        command.arg("--driver-mode=g++").args(FLAGS).args(header_flags(&places.sources, &made));
        for folder in ["libcxx/src", "libcxx/src/include", "libcxx/libc", "libcxxabi/src"] {
            command.arg("-I").arg(places.sources.join(folder));
        }
        command.arg("-o").arg(object).arg(source);
        library_step(&mut command, &source.display().to_string(), clang, verbose)
    })?;

    let mut command = Command::new(archiver);
    command.arg("rcs").arg(made.join("libcxx.a")).args(units.iter().map(|(_, object)| object));
    library_step(&mut command, "the archive", clang, verbose)?;
    std::fs::rename(&made, &places.built).map_err(|cause| cache::not_written(&places.built, cause))
}

/// Writes edited copies of the library's files, which take the place of the originals.
fn edit_library(
    places: &Places,
    made: &Path,
    work: &Path,
    sources: &mut [PathBuf],
) -> Result<(), DriverError> {
    for file in edits::files() {
        let original = places.sources.join(file);
        let text = std::fs::read_to_string(&original)
            .map_err(|cause| DriverError::Unreadable { path: original.clone(), cause })?;
        let text = edits::edited(file, text)
            .map_err(|diagnostics| DriverError::CxxLibrary { compiler: VERSION.to_owned(), diagnostics })?;
        match file.strip_prefix("libcxx/include/") {
            Some(header) => write_below(&made.join("include").join(header), &text)?,
            None => {
                let copy = work.join(object_name(Path::new(file), Path::new("")).replace(".bc", ""));
                cache::write(&copy, &text)?;
                sources
                    .iter_mut()
                    .filter(|source| **source == original)
                    .for_each(|source| *source = copy.clone());
            }
        }
    }
    Ok(())
}

/// Writes a file in folders that may not be there yet.
fn write_below(path: &Path, text: &str) -> Result<(), DriverError> {
    cache::create_folder(path.parent().unwrap_or(Path::new("")))?;
    cache::write(path, text)
}

/// A failing step here is not the user's fault: it gets an error of its own.
fn library_step(command: &mut Command, what: &str, clang: &Tool, verbose: bool) -> Result<(), DriverError> {
    process::compile(command, what, verbose).map_err(|error| match error {
        DriverError::Rejected { diagnostics, .. } => {
            DriverError::CxxLibrary { compiler: clang.title(), diagnostics }
        }
        other => other,
    })
}

fn source_files(root: &Path) -> Result<Vec<PathBuf>, DriverError> {
    let mut files = Vec::new();
    for (folder, excluded) in SOURCES {
        let folder = root.join(folder);
        let unreadable = |cause| DriverError::Unreadable { path: folder.clone(), cause };
        for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let name = path.file_name().unwrap_or_default();
            if path.extension().is_some_and(|extension| extension == "cpp")
                && !excluded.iter().any(|other| name == *other)
            {
                files.push(path);
            }
        }
    }
    // The order of members must not depend on the file system.
    files.sort();
    Ok(files)
}

/// Members of one archive need different names: `libcxx/src/new.cpp` is `libcxx_src_new.cpp.bc`.
fn object_name(source: &Path, root: &Path) -> String {
    let relative = source.strip_prefix(root).unwrap_or(Path::new(source.file_name().unwrap_or_default()));
    format!("{}.bc", relative.display().to_string().replace('/', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_fetched_into_the_folder_that_is_looked_for() {
        assert!(FETCH.contains(&format!("FOLDER = \"libcxx-{VERSION}\"")));
    }

    #[test]
    fn members_have_different_names() {
        let root = Path::new("/c/libcxx-22.1.8");
        assert_eq!(object_name(&root.join("libcxx/src/new.cpp"), root), "libcxx_src_new.cpp.bc");
        assert_eq!(object_name(Path::new("/tmp/x/can_catch.cpp"), root), "can_catch.cpp.bc");
    }

    #[test]
    fn the_place_depends_on_the_compiler() {
        let clang = |version: &str| Tool {
            program: "clang".into(),
            version: version.into(),
            llvm: 22,
            answer: String::new(),
        };
        let (one, other) = (Places::new(&clang("22.1.8")), Places::new(&clang("22.1.9")));
        assert_eq!(one.sources, other.sources);
        assert_ne!(one.built, other.built);
    }
}
