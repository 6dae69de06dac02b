//! What of the tools around Selvedge is there, and how to get what is not.

use crate::drivers::{self, CxxLibraryState, DriverError, tools};
use std::fmt;
use std::path::Path;

/// The state of one thing that Selvedge uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub what: &'static str,
    /// What was found, or what is wrong and what to do.
    pub state: String,
    /// Whether it can be used.
    pub usable: bool,
}

/// Everything that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// In the order in which a compilation meets them.
    pub findings: Vec<Finding>,
}

impl Health {
    fn has(&self, what: &str) -> bool {
        self.findings.iter().any(|finding| finding.what == what && finding.usable)
    }

    /// Whether every kind of program can be run.
    pub fn complete(&self) -> bool {
        self.findings.iter().all(|finding| finding.usable)
    }
}

/// Looks at everything. `llvm` is the version of the linked LLVM, which only its own crate can tell.
pub fn examine(llvm: &str) -> Health {
    let own = Finding {
        what: "Selvedge",
        state: format!(
            "{}, with LLVM {llvm}: reads the bitcode of LLVM {} and older",
            env!("CARGO_PKG_VERSION"),
            tools::SUPPORTED_LLVM
        ),
        usable: true,
    };
    let clang = tools::clang();
    let library = clang.as_ref().map(drivers::cxx_library_state);
    let library = match library {
        Ok(state) => cxx_library(state, &drivers::cxx_library_place()),
        Err(_) => Finding { what: "C++ library", state: "needs clang".into(), usable: false },
    };
    let findings = vec![
        own,
        finding("clang", clang.map(|tool| tool.title())),
        finding("llvm-ar", tools::llvm_tool("llvm-ar").map(|program| program.to_string_lossy().into_owned())),
        library,
        finding("rustc", tools::rustc(None).map(|tool| format!("{}, with LLVM {}", tool.title(), tool.llvm))),
        finding("cargo", tools::cargo(Path::new(".")).map(|program| program.to_string_lossy().into_owned())),
    ];
    Health { findings }
}

fn finding(what: &'static str, found: Result<String, DriverError>) -> Finding {
    match found {
        Ok(state) => Finding { what, state, usable: true },
        Err(error) => Finding { what, state: error.to_string(), usable: false },
    }
}

fn cxx_library(state: CxxLibraryState, cache: &Path) -> Finding {
    let place = cache.display();
    let (state, usable) = match state {
        CxxLibraryState::Ready => (format!("compiled, in {place}"), true),
        CxxLibraryState::Sources => {
            (format!("sources in {place}; the first C++ program compiles them (about a minute)"), true)
        }
        CxxLibraryState::Absent => (
            "not there; the first C++ program fetches it (100 MB, needs python3 with pip), or run `make setup`"
                .to_string(),
            false,
        ),
    };
    Finding { what: "C++ library", state, usable }
}

impl fmt::Display for Health {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            let mark = if finding.usable { "ok" } else { "--" };
            writeln!(formatter, "{mark}  {:<12} {}", finding.what, finding.state)?;
        }
        let (ready, waiting): (Vec<_>, Vec<_>) =
            LANGUAGES.iter().partition(|(_, needed)| needed.iter().all(|what| self.has(what)));
        let names = |languages: &[&(&str, &[&str])]| {
            languages.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
        };
        if !ready.is_empty() {
            writeln!(formatter, "Programs in these languages can be checked: {}.", names(&ready))?;
        }
        if !waiting.is_empty() {
            writeln!(
                formatter,
                "For {} the lines with -- above say what to do. In a checkout of Selvedge `make setup` gets what Debian has.",
                names(&waiting)
            )?;
        }
        Ok(())
    }
}

/// What each language needs.
static LANGUAGES: [(&str, &[&str]); 3] =
    [("C", &["clang"]), ("C++", &["clang", "C++ library"]), ("Rust", &["rustc", "cargo"])];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complete_machine() {
        let health = Health {
            findings: vec![
                finding("clang", Ok("clang-22 22.1.8".into())),
                cxx_library(CxxLibraryState::Ready, Path::new("/c")),
            ],
        };
        assert!(health.complete());
        assert_eq!(
            health.to_string(),
            "ok  clang        clang-22 22.1.8\n\
             ok  C++ library  compiled, in /c\n\
             Programs in these languages can be checked: C, C++.\n\
             For Rust the lines with -- above say what to do. In a checkout of Selvedge `make setup` gets what Debian has.\n"
        );
    }

    #[test]
    fn what_is_missing_is_named_with_its_remedy() {
        let missing =
            DriverError::ToolMissing { tool: "clang".into(), install: "apt install clang-22".into() };
        let health = Health {
            findings: vec![
                finding("clang", Err(missing)),
                cxx_library(CxxLibraryState::Absent, Path::new("/c")),
            ],
        };
        assert!(!health.complete());
        let text = health.to_string();
        assert!(
            text.starts_with("--  clang        clang was not found. Install it: apt install clang-22\n"),
            "{text}"
        );
        assert!(text.contains("\nFor C, C++, Rust the lines with -- above"), "{text}");
    }
}
