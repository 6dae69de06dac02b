//! Runs every program of the corpus and compares it with what it says of itself.
//!
//! `CORPUS=text` runs only the programs whose path contains the text (`CORPUS="one other"`: one of the texts), slow
//! cases included; `BLESS=1` rewrites the expected output.

mod check;
mod directives;
mod native;
mod program;

use program::Test;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The loader recurses over what programs contain: the default of test threads is small.
const STACK: usize = 64 << 20;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project's folder")
}

/// Every program of the corpus, in order of their names, and those that are measured, in small sizes.
fn tests() -> Vec<Test> {
    let root = root();
    let mut files = Vec::new();
    ["corpus", "bench/programs"].iter().for_each(|folder| collect(&root.join(folder), &mut files));
    files.sort();
    let wanted = std::env::var("CORPUS").unwrap_or_default();
    let fits = |file: &PathBuf, text: &str| {
        file.strip_prefix(&root).is_ok_and(|name| name.to_string_lossy().contains(text))
    };
    let wanted: Vec<&str> = wanted.split_whitespace().collect();
    let unmatched = wanted.iter().find(|text| !files.iter().any(|file| fits(file, text)));
    assert_eq!(unmatched, None, "no program matches");
    let chosen = |file: &&PathBuf| wanted.is_empty() || wanted.iter().any(|text| fits(file, text));
    files.iter().filter(chosen).map(|file| Test::read(&root, file)).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        let in_package = folder.join("Cargo.toml").is_file();
        if in_package {
            if name.starts_with("selvedge") && extension == "txt" {
                files.push(path);
            }
        } else if path.is_dir() {
            collect(&path, files);
        } else if matches!(extension.as_str(), "c" | "cpp" | "rs") {
            files.push(path);
        }
    }
}

#[test]
fn corpus() {
    let begun = Instant::now();
    let tests = tests();
    let bless = std::env::var_os("BLESS").is_some();
    let patient = std::env::var_os("CORPUS").is_some();
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let runs = AtomicUsize::new(0);
    let work = || {
        while let Some(test) = tests.get(next.fetch_add(1, Ordering::Relaxed)) {
            let result = std::panic::catch_unwind(|| test.run(bless, patient));
            let result = result.unwrap_or_else(|panic| {
                let message = panic.downcast_ref::<String>().cloned();
                let message = message.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                Err(format!("internal error: {}", message.unwrap_or_default()))
            });
            match result {
                Ok(count) => {
                    runs.fetch_add(count, Ordering::Relaxed);
                }
                Err(failure) => {
                    eprintln!("FAIL {}: {failure}", test.name);
                    failures.lock().expect("no panic holds it").push(test.name.clone());
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let workers = std::thread::available_parallelism().map_or(2, usize::from);
        let spawn =
            |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("a thread");
        (0..workers)
            .map(spawn)
            .collect::<Vec<_>>()
            .into_iter()
            .for_each(|worker| worker.join().expect("no panic"));
    });
    let mut failures = failures.into_inner().expect("no panic holds it");
    failures.sort();
    let mut summary = String::new();
    let _ = write!(
        summary,
        "corpus: {} programs, {} runs, {} failed, {:.0} s",
        tests.len(),
        runs.into_inner(),
        failures.len(),
        begun.elapsed().as_secs_f64()
    );
    eprintln!("{summary}");
    assert!(failures.is_empty(), "{summary}:\n  {}", failures.join("\n  "));
}
