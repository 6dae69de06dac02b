//! What is written down of the command line elsewhere than in `--help`: pages of the book, manual pages, completions of
//! shells. All of it comes from the one declaration of the command line.

use super::terminal::complain;
use super::{code, whole_command_line};
use crate::drivers;
use clap::builder::ValueRange;
use clap::{Arg, Args, Command, ValueEnum};
use clap_complete::{Shell, generate};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Print the script with which a shell completes commands, options and their values.
///
/// `make install` puts the scripts where shells look for them. By hand, for the present user:
///
///   selvedge completions bash > ~/.local/share/bash-completion/completions/selvedge
///   selvedge completions fish > ~/.config/fish/completions/selvedge.fish
///   selvedge completions zsh > FOLDER/_selvedge       (a folder of $fpath)
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    shell: KnownShell,
}

/// Write what is installed beside the programs into a folder `share`: manual pages, completions, and the C++ library.
#[derive(Args)]
pub struct ShareArguments {
    /// The folder, which is made if it is not there
    folder: PathBuf,

    /// Leave the C++ library out, which is then compiled when the first C++ program comes
    #[arg(long)]
    without_library: bool,
}

/// The shells whose scripts are tried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KnownShell {
    Bash,
    Zsh,
    Fish,
}

impl KnownShell {
    fn shell(self) -> Shell {
        match self {
            KnownShell::Bash => Shell::Bash,
            KnownShell::Zsh => Shell::Zsh,
            KnownShell::Fish => Shell::Fish,
        }
    }

    /// Where the shell looks for scripts, below a folder `share`.
    fn place(self) -> &'static str {
        match self {
            KnownShell::Bash => "bash-completion/completions/selvedge",
            KnownShell::Zsh => "zsh/site-functions/_selvedge",
            KnownShell::Fish => "fish/vendor_completions.d/selvedge.fish",
        }
    }

    fn script(self) -> Vec<u8> {
        let mut script = Vec::new();
        generate(self.shell(), &mut whole_command_line(), "selvedge", &mut script);
        script
    }
}

/// Prints the script; the exit code.
pub fn completions(arguments: &CompletionsArguments) -> u8 {
    match io::stdout().lock().write_all(&arguments.shell.script()) {
        Ok(()) => 0,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => code::PIPE_CLOSED,
        Err(error) => complain(&format!("the script cannot be written: {error}")),
    }
}

/// Writes manual pages, completions and the C++ library; the exit code.
pub fn share(arguments: &ShareArguments) -> u8 {
    let folder = &arguments.folder;
    if let Err(error) = write_share(folder) {
        return complain(&format!(
            "manual pages and completions cannot be written into `{}`: {error}. Name a folder that can be written to",
            folder.display()
        ));
    }
    if !arguments.without_library
        && let Err(error) = drivers::ship_cxx_library(&folder.join("selvedge"))
    {
        return complain(&error);
    }
    0
}

fn write_share(folder: &Path) -> io::Result<()> {
    let manual = folder.join("man/man1");
    std::fs::create_dir_all(&manual)?;
    for command in [whole_command_line(), super::cargo::whole_command_line()] {
        clap_mangen::generate_to(command, &manual)?;
    }
    for shell in KnownShell::value_variants() {
        let file = folder.join(shell.place());
        std::fs::create_dir_all(file.parent().unwrap_or(folder))?;
        std::fs::write(file, shell.script())?;
    }
    Ok(())
}

/// The pages of the book about commands: the name of each file, and its text.
pub fn book_pages() -> Vec<(String, String)> {
    let mut pages = Vec::new();
    let mut list = String::from(
        "# Commands\n\nThese pages have every option of every command, as `--help` does.\n\n| command | |\n|---|---|\n",
    );
    for mut command in [whole_command_line(), super::cargo::whole_command_line()] {
        command.build();
        for command in command.get_subcommands() {
            // These two pass on what they are given, or say what clang's pages say.
            if command.is_hide_set() || matches!(command.get_name(), "help") {
                continue;
            }
            let mut command = command.clone();
            let title = command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned();
            let file = format!("{}.md", title.replace(' ', "-").replace("++", "xx"));
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(list, "| [`{title}`]({file}) | {} |", cell(about.trim_end_matches('.')));
            pages.push((file, page(&mut command, &title)));
        }
    }
    pages.push(("README.md".to_owned(), list));
    pages
}

/// The page of one command.
fn page(command: &mut Command, title: &str) -> String {
    let mut text = format!("# {title}\n\n");
    let usage = command.render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage).trim().to_owned();
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    let _ = writeln!(text, "    {usage}\n\n{}", paragraphs(&about));
    let shown: Vec<&Arg> = command.get_arguments().filter(|argument| !argument.is_hide_set()).collect();
    let mut headings: Vec<Option<&str>> = Vec::new();
    for argument in &shown {
        let heading = heading_of(argument);
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    // As in `--help`: arguments first, options without a heading last.
    headings.sort_by_key(|heading| match heading {
        Some("Arguments") => 0,
        Some(_) => 1,
        None => 2,
    });
    for heading in headings {
        let _ = writeln!(text, "\n## {}\n\n| | |\n|---|---|", heading.unwrap_or("Other options"));
        for argument in shown.iter().filter(|argument| heading_of(argument) == heading) {
            let _ = writeln!(text, "| {} | {} |", names(argument), meaning(argument));
        }
    }
    if let Some(after) = command.get_after_long_help() {
        let _ = write!(text, "\n## More\n\n{}", verbatim(&after.to_string()));
    }
    text.trim_end().to_owned() + "\n"
}

/// Under which heading an argument stands.
fn heading_of(argument: &Arg) -> Option<&str> {
    match argument.is_positional() {
        true => Some("Arguments"),
        false => argument.get_help_heading(),
    }
}

/// How an option is written: `--jobs NUMBER`, `-q`.
fn names(argument: &Arg) -> String {
    let values: Vec<String> = argument
        .get_value_names()
        .filter(|_| argument.get_num_args().is_none_or(|range| range != ValueRange::EMPTY))
        .filter(|_| argument.get_action().takes_values())
        .into_iter()
        .flatten()
        .map(ToString::to_string)
        .collect();
    let value = values.join(" ");
    if argument.is_positional() {
        return code_span(&value);
    }
    let long = argument.get_long_and_visible_aliases().unwrap_or_default();
    let mut names: Vec<String> = long.into_iter().map(|name| format!("--{name} {value}")).collect();
    names.extend(argument.get_short().map(|short| format!("-{short} {value}")));
    names.iter().map(|name| code_span(name.trim_end())).collect::<Vec<_>>().join(", ")
}

/// What an option means, which values it has and which it takes without a word.
fn meaning(argument: &Arg) -> String {
    let help = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut text = cell(&help);
    let values: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| match value.get_help() {
            Some(help) => format!("`{}` ({help})", value.get_name()),
            None => format!("`{}`", value.get_name()),
        })
        .collect();
    if argument.get_action().takes_values() && !values.is_empty() {
        let _ = write!(text, ". One of {}", values.join(", "));
    }
    let defaults: Vec<String> =
        argument.get_default_values().iter().map(|value| format!("`{}`", value.to_string_lossy())).collect();
    if argument.get_action().takes_values() && !defaults.is_empty() {
        let _ = write!(text, ". Without it {}", defaults.join(", "));
    }
    text
}

/// Text inside of a table: on one line, with bars that do not end the cell.
fn cell(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace('|', "\\|").replace('<', "&lt;")
}

fn code_span(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

/// Paragraphs as they are, and lines that are indented as code.
fn paragraphs(text: &str) -> String {
    let indented = |line: &str| match line.strip_prefix("  ") {
        Some(line) => format!("    {line}"),
        None => line.replace('<', "&lt;"),
    };
    text.lines().map(indented).collect::<Vec<_>>().join("\n")
}

/// Lines as they are, as code.
fn verbatim(text: &str) -> String {
    let lines = text.lines().map(|line| format!("    {line}").trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_what_help_has() {
        let pages = book_pages();
        let page = |name: &str| {
            let found = pages.iter().find(|(file, _)| file == name);
            found.map(|(_, text)| text.as_str()).unwrap_or_else(|| panic!("{name} is not there"))
        };
        let check = page("selvedge-check.md");
        assert!(check.contains("\n## Search\n"), "{check}");
        assert!(check.contains("\n| `--max-time SECONDS` | Give up after so many seconds"), "{check}");
        assert!(check.contains("One of `sc`, `tso`, `pso`, `rc11`, `mca` |"), "{check}");
        assert!(!check.contains("--mutant"), "hidden options are for developers");
        assert!(page("cargo-selvedge-test.md").contains("`--fresh`"));
        assert!(page("README.md").contains("[`selvedge check`](selvedge-check.md)"));
        assert!(pages.iter().all(|(_, text)| !text.contains("selvedge share")));
    }

    #[test]
    fn bars_and_angles_stay_in_their_cell() {
        assert_eq!(cell("a|b\n <c>"), "a\\|b &lt;c>");
        assert_eq!(paragraphs("Text\n\n  code <x>"), "Text\n\n    code <x>");
    }
}
