//! The book as a whole: its list of pages, the pages that are generated from the command line, links, and pictures.
//!
//! `make book` has mdBook build it. That takes minutes to install, so that what can be wrong is looked for here.

use selvedge::cli::reference;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project's folder")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below a folder with this ending.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => found.extend(files(&path, ending)),
            false if path.extension().is_some_and(|extension| extension == ending) => found.push(path),
            false => {}
        }
    }
    found.sort();
    found
}

/// A page's lines outside of blocks of code, without what is code inside of them.
fn prose(text: &str) -> Vec<String> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced && !line.starts_with("    ") {
            let outside = line.split('`').step_by(2);
            lines.push(outside.collect::<Vec<_>>().join("`"));
        }
    }
    lines
}

/// What the links and pictures of a page lead to.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(text) {
        let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        found.extend(targets.map(str::to_owned));
    }
    found
}

/// The anchors of a page, made of its headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| -> String {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept =
            heading.chars().filter(|character| character.is_alphanumeric() || " -_".contains(*character));
        kept.map(|character| if character == ' ' { '-' } else { character }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn links_lead_somewhere() {
    let root = root();
    let mut pages = files(&root.join("docs"), "md");
    pages.push(root.join("README.md"));
    pages.push(root.join("clients/README.md"));
    let mut broken = Vec::new();
    let mut count = 0;
    for page in &pages {
        let text = read(page);
        for link in links(&text).iter().filter(|link| !link.contains("://")) {
            count += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                file => page.parent().expect("a folder").join(file),
            };
            let there = match anchor {
                "" => target.exists(),
                anchor => target.is_file() && anchors(&read(&target)).contains(anchor),
            };
            if !there {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
    assert!(count > 100, "there are links: {count}");
}

#[test]
fn every_page_is_in_the_list_of_pages() {
    let docs = root().join("docs");
    let summary = read(&docs.join("SUMMARY.md"));
    let links_of_summary = links(&summary);
    let listed: BTreeSet<PathBuf> = links_of_summary.iter().map(|link| docs.join(link)).collect();
    assert_eq!(
        listed.len(),
        links_of_summary.len(),
        "docs/SUMMARY.md lists no page twice, which mdBook refuses"
    );
    let mut pages: BTreeSet<PathBuf> = files(&docs, "md").into_iter().collect();
    pages.remove(&docs.join("SUMMARY.md"));
    assert_eq!(listed, pages, "docs/SUMMARY.md lists the pages of docs");
    // A page of the book can only lead to pages of the book: mdBook makes pages of no others.
    for page in &pages {
        for link in links(&read(page)).iter().filter(|link| !link.contains("://")) {
            assert!(
                !link.contains("../../") || page.parent() != Some(&docs.join("book")),
                "{}: {link}",
                page.display()
            );
        }
    }
}

/// The pages about commands are what the command line says of itself. `BLESS=1` writes them.
#[test]
fn pages_about_commands_are_those_of_the_command_line() {
    let folder = root().join("docs/book/commands");
    let pages = reference::book_pages();
    let expected: BTreeSet<PathBuf> = pages.iter().map(|(name, _)| folder.join(name)).collect();
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(&folder).expect("a folder");
        for old in files(&folder, "md").iter().filter(|file| !expected.contains(*file)) {
            std::fs::remove_file(old).expect("a page that can be removed");
        }
        for (name, text) in &pages {
            std::fs::write(folder.join(name), text).expect("a page that can be written");
        }
        return;
    }
    assert_eq!(
        files(&folder, "md").into_iter().collect::<BTreeSet<_>>(),
        expected,
        "BLESS=1 writes the pages"
    );
    for (name, text) in &pages {
        assert_eq!(&read(&folder.join(name)), text, "{name}: BLESS=1 writes the page");
    }
}

#[test]
fn pictures_can_be_read_in_light_and_dark() {
    let pictures = files(&root().join("docs"), "svg");
    assert!(pictures.len() >= 4);
    for picture in pictures {
        let (name, text) = (picture.display(), read(&picture));
        assert!(text.contains("prefers-color-scheme: dark"), "{name} has no dark colours");
        assert!(
            text.contains("<title>") && text.contains("role=\"img\""),
            "{name} says nothing to who cannot see it"
        );
        // Colours are named once, in the style: an element with one of its own would be the same in light and dark.
        let drawing = text.split("</style>").nth(1).expect("a drawing after the style");
        assert!(
            !drawing.contains("fill=\"") && !drawing.contains("stroke=\""),
            "{name} has colours beside its style"
        );
        let opened = text.matches("<text").count();
        assert_eq!(opened, text.matches("</text>").count(), "{name} is well-formed");
    }
}
