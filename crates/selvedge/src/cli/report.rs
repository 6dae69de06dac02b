//! Reports as files: what a page for the browser shows besides the result, and writing them.

use super::program::join;
use crate::run::prepare::Prepared;
use selvedge_report::html::{About, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Files of up to so many lines are shown whole.
const WHOLE: usize = 3_000;
/// Of longer ones so many lines around each that something happens at.
const AROUND: u32 = 40;
/// Files are read as far as they are not larger than this.
const LARGEST: u64 = 4 << 20;

/// Writes a report; why not, in words.
pub fn write(what: &str, file: &Path, text: &str) -> Result<(), String> {
    std::fs::write(file, text).map_err(|cause| {
        format!("the {what} `{}` cannot be written: {cause}. Choose another place", file.display())
    })
}

/// What the page says besides the result. `places` are the files and lines that it names.
pub fn about(prepared: &Prepared, places: Vec<(String, u32)>) -> About {
    let mut words: Vec<String> = std::env::args().collect();
    if let Some(first) = words.first_mut() {
        *first = "selvedge".to_owned();
    }
    About { program: prepared.name.clone(), command: join(&words), sources: sources(prepared, places) }
}

/// The files in which something happens, those in which most does first.
fn sources(prepared: &Prepared, places: Vec<(String, u32)>) -> Vec<Source> {
    let mut files: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for (file, line) in places {
        files.entry(file).or_default().insert(line);
    }
    let read = |(file, lines): (String, BTreeSet<u32>)| {
        let text = text(&prepared.source_root, &file)?;
        Some(Source { lines: excerpt(&text, &lines), file })
    };
    files.into_iter().filter_map(read).collect()
}

/// The text of a file that the program's debug information names, if it is at hand.
fn text(root: &Path, file: &str) -> Option<String> {
    let readable = |path: &Path| {
        let size = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?.len();
        let bytes = (size <= LARGEST).then(|| std::fs::read(path).ok()).flatten()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    readable(Path::new(file)).or_else(|| readable(&root.join(file)))
}

/// The lines to show.
fn excerpt(text: &str, wanted: &BTreeSet<u32>) -> Vec<(u32, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let near = |number: u32| {
        let range = number.saturating_sub(AROUND)..=number.saturating_add(AROUND);
        wanted.range(range).next().is_some()
    };
    let whole = lines.len() <= WHOLE;
    let numbered = (1_u32..).zip(lines);
    numbered
        .filter(|&(number, _)| whole || near(number))
        .map(|(number, line)| (number, line.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_shown_in_part() {
        let text = "x\n".repeat(WHOLE + 1);
        let shown: Vec<u32> = excerpt(&text, &BTreeSet::from([1, 500])).iter().map(|line| line.0).collect();
        let expected: Vec<u32> = (1..=41).chain(460..=540).collect();
        assert_eq!(shown, expected);
        assert_eq!(excerpt("a\nb", &BTreeSet::new()), [(1, "a".into()), (2, "b".into())]);
    }
}
