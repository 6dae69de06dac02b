//! `selvedge cc` and `selvedge c++` in place of compilers, and `selvedge check` on what they have made.

use crate::cli::Place;
use std::process::Command;

/// A program of two files and a library, with a mistake that a macro switches on.
const FILES: &[(&str, &str)] = &[
    (
        "main.c",
        "#include <assert.h>\n#include <pthread.h>\n#include \"count.h\"\n\
         static void *work(void *unused) { count(); return unused; }\n\
         int main(void) {\n  pthread_t one, two;\n  pthread_create(&one, 0, work, 0);\n  pthread_create(&two, 0, work, 0);\n\
         pthread_join(one, 0);\n  pthread_join(two, 0);\n  assert(counted() == 2);\n  return 0;\n}\n",
    ),
    ("count.h", "void count(void);\nint counted(void);\n"),
    (
        "count.c",
        "#include <pthread.h>\n#include \"count.h\"\nstatic pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\nstatic int number;\n\
         void count(void) {\n  pthread_mutex_lock(&lock);\n  int seen = number;\n#ifdef HASTY\n  pthread_mutex_unlock(&lock);\n\
         pthread_mutex_lock(&lock);\n#endif\n  number = seen + 1;\n  pthread_mutex_unlock(&lock);\n}\n\
         int counted(void) { return number; }\n",
    ),
    ("other.c", "#include \"missing_only_here.h\"\nint other(void) { return 1; }\n"),
    (
        "Makefile",
        "CFLAGS = -O2 -Wall -Werror\nprogram: main.o libcount.a\n\t$(CC) $(LDFLAGS) -o $@ main.o -L. -lcount -lpthread\n\
         libcount.a: count.o\n\tar rcs $@ count.o\n",
    ),
];

fn make(place: &Place, words: &[&str]) {
    let mut command = Command::new("make");
    command.arg(format!("CC={} cc", env!("CARGO_BIN_EXE_selvedge"))).args(words);
    let output = command.current_dir(place.folder.path()).output().expect("make");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // Build systems try compilers out, and take what they say for a warning.
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn make_builds_programs_that_can_be_run_and_checked() {
    let place = Place::new(FILES);
    make(&place, &["-s"]);
    let native = Command::new(place.path("program")).status().expect("the native program");
    assert!(native.success());
    let checked = place.run(&["check", "program"]);
    assert!(
        checked.code == 0 && checked.stdout.starts_with("verified"),
        "{}{}",
        checked.stdout,
        checked.stderr
    );

    // What is in an archive is part of the program, with the flags that it was compiled with.
    make(&place, &["-s", "-B", "CFLAGS=-DHASTY"]);
    let checked = place.run(&["check", "program"]);
    assert_eq!(checked.code, 1, "{}{}", checked.stdout, checked.stderr);
    assert!(checked.stdout.contains("violation: failed assertion"), "{}", checked.stdout);
    assert!(checked.stdout.contains("main.c:11"), "{}", checked.stdout);
    let replayed = place.run(&["run", "program", "--schedule", "program.schedule.json"]);
    assert_eq!(replayed.code, 1, "{}", replayed.stderr);

    // Symbols and debug information go, and the bitcode stays.
    assert!(Command::new("strip").arg(place.path("program")).status().expect("strip").success());
    assert_eq!(place.run(&["check", "program"]).code, 1);
}

#[test]
fn one_call_compiles_and_links() {
    let place = Place::new(FILES);
    let built = place.run(&["cc", "-o", "program", "main.c", "-x", "c", "count.c", "-lpthread"]);
    assert_eq!((built.code, built.stdout.as_str(), built.stderr.as_str()), (0, "", ""));
    assert_eq!(place.run(&["check", "program"]).code, 0);
    // Objects are programs in parts.
    assert_eq!(place.run(&["cc", "-c", "main.c"]).code, 0);
    assert_eq!(place.run(&["cc", "-c", "-DHASTY", "-o", "hasty.o", "count.c"]).code, 0);
    assert_eq!(place.run(&["check", "main.o", "hasty.o"]).code, 1);
}

#[test]
fn what_clang_says_is_what_we_say() {
    let place = Place::new(FILES);
    let failed = place.run(&["cc", "-c", "other.c"]);
    assert!(failed.code == 1 && failed.stderr.contains("missing_only_here.h"), "{}", failed.stderr);
    let version = place.run(&["cc", "--version"]);
    assert!(version.code == 0 && version.stdout.contains("clang version"), "{}", version.stdout);
    assert_eq!(place.run(&["cc", "-E", "count.h"]).code, 0);
    // The native compiler is content and ours is not: the object says so.
    std::fs::write(
        place.path("only.c"),
        "#ifdef __SELVEDGE__\n#error not here\n#endif\nint other(void) { return 1; }\n",
    )
    .expect("a file");
    assert_eq!(place.run(&["cc", "-o", "program", "main.c", "count.c", "only.c"]).code, 0);
    let checked = place.run(&["check", "program"]);
    assert!(checked.code == 0 && checked.stderr.contains("has no bitcode of"), "{}", checked.stderr);
    let text = place.refused(&["check", "/bin/true"]);
    assert!(text.contains("`/bin/true` is a native program without bitcode. Build it with"), "{text}");
}

#[test]
fn cxx_has_its_library() {
    let program = "#include <cassert>\n#include <mutex>\n#include <thread>\n#include <vector>\n\
                   int main() {\n  std::mutex lock;\n  std::vector<int> seen;\n  auto put = [&](int one) {\n    std::lock_guard held(lock);\n\
                   seen.push_back(one);\n  };\n  std::thread other(put, 1);\n  put(2);\n  other.join();\n  assert(seen[0] == 2);\n}\n";
    let place = Place::new(&[("main.cpp", program)]);
    // Natively it needs headers that are not everywhere.
    if place.run(&["c++", "-std=c++17", "-fsyntax-only", "main.cpp"]).code != 0 {
        eprintln!("skipped: there is no native C++ library here");
        return;
    }
    let built = place.run(&["c++", "-std=c++17", "-pthread", "main.cpp", "-o", "program"]);
    assert_eq!((built.code, built.stderr.as_str()), (0, ""));
    let checked = place.run(&["check", "program"]);
    assert!(
        checked.code == 1 && checked.stdout.contains("main.cpp:15"),
        "{}{}",
        checked.stdout,
        checked.stderr
    );
}

#[test]
fn cmake_builds_with_it() {
    if Command::new("cmake").arg("--version").output().is_err() {
        eprintln!("skipped: cmake is not installed");
        return;
    }
    let lists = "cmake_minimum_required(VERSION 3.10)\nproject(count C)\nfind_package(Threads REQUIRED)\n\
                 add_library(count STATIC count.c)\nadd_executable(program main.c)\ntarget_link_libraries(program count Threads::Threads)\n";
    let place = Place::new(FILES);
    std::fs::write(place.path("CMakeLists.txt"), lists).expect("a file");
    for words in [&["-S", ".", "-B", "build"][..], &["--build", "build"]] {
        let mut command = Command::new("cmake");
        command.args(words).current_dir(place.folder.path());
        let output =
            command.env("CC", format!("{} cc", env!("CARGO_BIN_EXE_selvedge"))).output().expect("cmake");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(place.run(&["check", "build/program"]).code, 0);
}
