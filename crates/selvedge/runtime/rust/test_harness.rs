//! Runs the tests of a package in place of Rust's own harness: one after the other, on the main thread, without
//! channels, clocks and captured output, so that the schedules of a test are those of its own threads.
//!
//! The first test that fails ends the program in the way a panic of `main` does. The arguments are those of Rust's
//! harness, as far as they choose tests; the others change nothing.

#![feature(test)]

extern crate test;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use test::{ShouldPanic, TestDesc, TestDescAndFn, TestFn};

/// Which of the tests that are marked `#[ignore]` are run with the others.
#[derive(Clone, Copy, PartialEq)]
enum Ignored {
    No,
    Only,
    Too,
}

/// Asks for a list of all tests for `cargo selvedge`, which chooses among them itself.
const DESCRIBE: &str = "--selvedge-list";
/// The first line of that list.
const DESCRIPTION: &str = "selvedge: tests, version 1";

/// What the arguments say.
struct Arguments {
    filters: Vec<String>,
    skipped: Vec<String>,
    exact: bool,
    ignored: Ignored,
    list: bool,
}

/// Options that are followed by a value which does not choose tests.
const WITH_VALUE: [&str; 6] =
    ["--test-threads", "--logfile", "--color", "--format", "--shuffle-seed", "-Z"];

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Self {
        let (filters, skipped) = (Vec::new(), Vec::new());
        let mut read = Arguments { filters, skipped, exact: false, ignored: Ignored::No, list: false };
        while let Some(word) = words.next() {
            match word.as_str() {
                "--exact" => read.exact = true,
                "--ignored" => read.ignored = Ignored::Only,
                "--include-ignored" => read.ignored = Ignored::Too,
                "--list" => read.list = true,
                "--skip" => read.skipped.extend(words.next()),
                option if WITH_VALUE.contains(&option) => drop(words.next()),
                option => match option.strip_prefix("--skip=") {
                    Some(name) => read.skipped.push(name.to_owned()),
                    None if option.starts_with('-') => {}
                    None => read.filters.push(word),
                },
            }
        }
        read
    }

    fn matches(&self, filter: &str, name: &str) -> bool {
        if self.exact { name == filter } else { name.contains(filter) }
    }

    fn names(&self, name: &str) -> bool {
        let named = self.filters.is_empty() || self.filters.iter().any(|filter| self.matches(filter, name));
        named && !self.skipped.iter().any(|filter| self.matches(filter, name))
    }

    fn runs(&self, test: &TestDesc) -> bool {
        match self.ignored {
            Ignored::No => !test.ignore,
            Ignored::Only => test.ignore,
            Ignored::Too => true,
        }
    }
}

/// What the `main` of a test program calls, with all its tests.
pub fn run(tests: &[&TestDescAndFn]) {
    if std::env::args_os().nth(1).is_some_and(|word| word == DESCRIBE) {
        return describe(tests);
    }
    let arguments = Arguments::read(std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()));
    let named = || tests.iter().filter(|test| arguments.names(test.desc.name.as_slice()));
    if arguments.list {
        let listed = named().filter(|test| arguments.ignored == Ignored::No || arguments.runs(&test.desc));
        listed.for_each(|test| println!("{}: test", test.desc.name.as_slice()));
        return;
    }
    let mut passed = 0;
    for test in named().filter(|test| arguments.runs(&test.desc)) {
        if let TestFn::StaticTestFn(function) = test.testfn {
            perform(&test.desc, function);
            println!("test {} ... ok", test.desc.name.as_slice());
            passed += 1;
        }
    }
    println!("test result: ok. {passed} passed; 0 failed; {} not run", tests.len() - passed);
}

/// A line for each test: its name, whether it is ignored and why, and its place, with tabs between them.
fn describe(tests: &[&TestDescAndFn]) {
    println!("{DESCRIPTION}");
    for test in tests {
        let TestFn::StaticTestFn(_) = test.testfn else { continue };
        let desc = &test.desc;
        let ignored = if desc.ignore { "ignored" } else { "" };
        let why = desc.ignore_message.unwrap_or("").replace(['\n', '\t'], " ");
        let (name, file, line) = (desc.name.as_slice(), desc.source_file, desc.start_line);
        println!("{name}\t{ignored}\t{why}\t{file}:{line}");
    }
}

/// Runs one test; comes back if it passes.
fn perform(test: &TestDesc, function: fn() -> Result<(), String>) {
    let expected = match test.should_panic {
        ShouldPanic::No => {
            // A panic goes on to `main` from here.
            return function().unwrap_or_else(|_| fail(test, "the test returned an error"));
        }
        ShouldPanic::Yes => "",
        ShouldPanic::YesWithMessage(expected) => expected,
    };
    let Err(panic) = catch_unwind(AssertUnwindSafe(function)) else {
        fail(test, "the test should panic, and did not")
    };
    let said = message(&*panic);
    if !said.is_some_and(|said| said.contains(expected)) && !expected.is_empty() {
        let said = said.unwrap_or("something that is no text");
        fail(test, &format!("the test should panic with {expected:?}, and panicked with {said:?}"))
    }
}

fn message(panic: &(dyn Any + Send)) -> Option<&str> {
    panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str))
}

/// Ends the program as a panic at the test's definition would.
fn fail(test: &TestDesc, message: &str) -> ! {
    let (file, line, column) = (test.source_file, test.start_line, test.start_col);
    eprintln!("thread 'main' panicked at {file}:{line}:{column}:\n{message}");
    resume_unwind(Box::new(()))
}
