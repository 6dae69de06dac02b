//! Programs with one memory order made weaker at a time: which tools notice?
//!
//! Each `memory_order_…` in the text of a program is replaced by the next weaker ones, and the mutant is checked under
//! `rc11`. A mutant that is verified is not harmful to this client, as far as the search is right; GenMC says the same
//! or not where it is installed.

use crate::check::limits::{self, End, Limits};
use crate::check::{ours::Ours, peers};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What to measure.
#[derive(clap::Args)]
pub struct Options {
    /// Only programs whose name begins like this
    #[arg(long, value_name = "NAME")]
    only: Option<String>,

    /// Stop a mutant after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    seconds: u64,

    /// This program instead of a fresh build
    #[arg(long, value_name = "PATH")]
    selvedge: Option<PathBuf>,

    #[command(flatten)]
    peers: peers::Options,
}

/// What is weaker than an order, one step.
fn weaker(order: &str) -> &'static [&'static str] {
    match order {
        "seq_cst" => &["acq_rel"],
        "acq_rel" => &["acquire", "release"],
        "acquire" | "release" => &["relaxed"],
        _ => &[],
    }
}

/// What an order is for a load or a store, where not every one is allowed.
fn allowed(line: &str, at: usize, order: &'static str) -> &'static str {
    let before = &line[..at];
    let last = |name: &str| before.rfind(name);
    let load = last("atomic_load_explicit(");
    let store = last("atomic_store_explicit(");
    match order {
        "acq_rel" if load > store => "acquire",
        "acq_rel" if store > load => "release",
        order => order,
    }
}

/// The mutants of a text: which line, which order, which instead, and the text.
fn mutants(text: &str) -> Vec<(usize, String, &'static str, String)> {
    const PREFIX: &str = "memory_order_";
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(at) = text[start..].find(PREFIX).map(|at| start + at + PREFIX.len()) {
        let length = text[at..].find(|byte: char| byte != '_' && !byte.is_ascii_lowercase());
        let end = at + length.unwrap_or(text.len() - at);
        start = end;
        let begin = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let line = &text[begin..];
        // Comments say how the program is checked; they are no code.
        if line.starts_with("//") {
            continue;
        }
        let order = &text[at..end];
        for weak in weaker(order) {
            let weak = allowed(line, at - begin, weak);
            let mutant = format!("{}{weak}{}", &text[..at], &text[end..]);
            found.push((text[..at].matches('\n').count() + 1, order.to_owned(), weak, mutant));
        }
    }
    found
}

/// Prints the table.
pub fn run(options: &Options) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let ours = Ours::prepare(options.selvedge.as_deref(), folder.path())?;
    let peers = peers::find(&options.peers, folder.path());
    let genmc = peers.iter().find(|peer| peer.name == "GenMC");
    let limits = Limits { time: Duration::from_secs(options.seconds), processor: false, memory: 4 << 30 };
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/check/rc11/real");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&programs)
        .map_err(|error| format!("{}: {error}", programs.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    println!("| program | mutants | caught | verified | unknown | GenMC: caught | differ |");
    println!("|---|---|---|---|---|---|---|");
    let mut sums = [0_u32; 5];
    let mut remarks = Vec::new();
    for file in files {
        let name = file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if options.only.as_ref().is_some_and(|only| !name.starts_with(only.as_str())) {
            continue;
        }
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let (mut caught, mut verified, mut unknown, mut theirs, mut differ) = (0, 0, 0, 0, 0);
        let all = mutants(&text);
        for (line, order, weak, mutant) in &all {
            let source = folder.path().join(format!("{name}.c"));
            std::fs::write(&source, mutant).map_err(|error| error.to_string())?;
            let verdict = check(&ours, &source, limits)?;
            match verdict {
                Some(true) => caught += 1,
                Some(false) => verified += 1,
                None => unknown += 1,
            }
            let peer = genmc.and_then(|peer| peer.finds(&source, limits));
            theirs += u32::from(peer == Some(true));
            if let (Some(own), Some(peer)) = (verdict, peer)
                && own != peer
            {
                differ += 1;
                let who = if own { "only Selvedge" } else { "only GenMC" };
                remarks.push(format!("{name}.c:{line}: {order} as {weak}: {who} finds something"));
            }
        }
        let their_column = genmc.map_or("-".to_owned(), |_| theirs.to_string());
        println!(
            "| {name} | {} | {caught} | {verified} | {unknown} | {their_column} | {differ} |",
            all.len()
        );
        for (sum, number) in sums.iter_mut().zip([all.len() as u32, caught, verified, unknown, theirs]) {
            *sum += number;
        }
    }
    let [all, caught, verified, unknown, theirs] = sums;
    println!("| all | {all} | {caught} | {verified} | {unknown} | {theirs} | {} |", remarks.len());
    for remark in remarks {
        println!("\n{remark}");
    }
    Ok(())
}

/// Whether a violation is found; nothing if that is not known.
fn check(ours: &Ours, source: &Path, limits: Limits) -> Result<Option<bool>, String> {
    let mut command = ours.start(source);
    command.args(["--model", "rc11", "--no-schedule", "--format", "json"]);
    let measured = limits::run(&mut command, ours.folder(), limits)?;
    match measured.end {
        End::Exited(0) => Ok(Some(false)),
        End::Exited(1) => Ok(Some(true)),
        End::Exited(3) | End::OutOfTime | End::OutOfMemory => Ok(None),
        End::Exited(_) | End::Signal(_) => {
            Err(format!("{command:?} ended badly:\n{}{}", measured.stdout, measured.stderr))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::mutants;

    #[test]
    fn every_order_is_made_weaker() {
        let text = "// memory_order_release\nx = atomic_load_explicit(&y, memory_order_seq_cst);\n\
                    atomic_fetch_add_explicit(&y, 1, memory_order_acq_rel);\nf(memory_order_relaxed);\n";
        let found: Vec<(usize, String, &str)> =
            mutants(text).into_iter().map(|(line, order, weak, _)| (line, order, weak)).collect();
        let expected = [(2, "seq_cst", "acquire"), (3, "acq_rel", "acquire"), (3, "acq_rel", "release")];
        assert_eq!(found, expected.map(|(line, order, weak)| (line, order.to_owned(), weak)));
    }
}
