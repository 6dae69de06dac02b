//! Build systems with `selvedge cc` as the compiler, and the lists of commands that they write: each builds the same program
//! of two files, one of them in a shared library and in an archive. Where a build system is not installed its test does nothing.

use crate::cli::Place;
use std::process::Command;

const FILES: &[(&str, &str)] = &[
    (
        "main.c",
        "#include <assert.h>\n#include <pthread.h>\n#include \"count.h\"\n\
         static void *work(void *unused) { count(); return unused; }\n\
         int main(void) {\n  pthread_t one, two;\n  pthread_create(&one, 0, work, 0);\n  pthread_create(&two, 0, work, 0);\n\
         pthread_join(one, 0);\n  pthread_join(two, 0);\n  assert(counted() == 2);\n  return 0;\n}\n",
    ),
    ("count.h", "#include <pthread.h>\nvoid count(void);\nint counted(void);\n"),
    (
        "count.c",
        "#include \"count.h\"\nstatic pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\nstatic int number;\n\
         void count(void) {\n  pthread_mutex_lock(&lock);\n  number++;\n  pthread_mutex_unlock(&lock);\n}\n\
         int counted(void) { return number; }\n",
    ),
    (
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(count C)\nset(CMAKE_EXPORT_COMPILE_COMMANDS ON)\nfind_package(Threads REQUIRED)\n\
         add_library(count SHARED count.c)\nadd_executable(program main.c)\n\
         target_link_libraries(program count Threads::Threads)\nadd_library(counts STATIC count.c)\n\
         add_executable(fixed main.c)\ntarget_link_libraries(fixed counts Threads::Threads)\n\
         target_precompile_headers(fixed PRIVATE count.h)\n",
    ),
    (
        "meson.build",
        "project('count', 'c')\nt = dependency('threads')\nl = shared_library('count', 'count.c', dependencies: t)\n\
         executable('program', 'main.c', link_with: l, dependencies: t)\ns = static_library('counts', 'count.c', dependencies: t)\n\
         executable('fixed', 'main.c', link_with: s, dependencies: t)\n",
    ),
    (
        "configure.ac",
        "AC_INIT([count],[1])\nAM_INIT_AUTOMAKE([foreign subdir-objects])\nAC_PROG_CC\nAM_PROG_AR\nLT_INIT\n\
         AC_CHECK_HEADERS([pthread.h])\nAC_CHECK_LIB([pthread],[pthread_create])\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n",
    ),
    (
        "Makefile.am",
        "lib_LTLIBRARIES = libcount.la\nlibcount_la_SOURCES = count.c count.h\nbin_PROGRAMS = program\n\
         program_SOURCES = main.c\nprogram_LDADD = libcount.la\n",
    ),
];

/// Whether all of these can be started.
fn there_are(programs: &[&str]) -> bool {
    let missing = programs.iter().find(|name| Command::new(name).arg("--version").output().is_err());
    if let Some(name) = missing {
        eprintln!("skipped: {name} is not installed");
    }
    missing.is_none()
}

/// Runs a line of a shell in the folder, with our compiler where a build system looks for one.
fn build(place: &Place, line: &str) {
    let mut command = Command::new("sh");
    command.args(["-e", "-c", line]).current_dir(place.folder.path());
    let selvedge = env!("CARGO_BIN_EXE_selvedge");
    command.env("SELVEDGE", selvedge).env("CC", format!("{selvedge} cc"));
    let output = command.output().expect("a shell");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{line}\n{}{}", text(&output.stdout), text(&output.stderr));
}

#[track_caller]
fn verified(place: &Place, words: &[&str]) {
    let words = [&["check", "--no-second-opinion"], words].concat();
    let ended = place.run(&words);
    assert!(
        ended.code == 0 && ended.stdout.starts_with("verified"),
        "{words:?}: {}{}",
        ended.stdout,
        ended.stderr
    );
}

#[test]
fn cmake_with_shared_libraries_and_precompiled_headers() {
    if there_are(&["cmake"]) {
        let place = Place::new(FILES);
        build(&place, "cmake -B build && cmake --build build");
        verified(&place, &["build/program"]);
        verified(&place, &["build/fixed"]);
        verified(&place, &["build", "--target", "program"]);
        verified(&place, &["build", "--target", "fixed"]);
    }
}

#[test]
fn meson_with_shared_libraries() {
    if there_are(&["meson", "ninja"]) {
        let place = Place::new(FILES);
        build(&place, "meson setup build && ninja -C build");
        verified(&place, &["build/program"]);
        verified(&place, &["build/fixed"]);
        verified(&place, &["build", "--target", "program"]);
    }
}

#[test]
fn autotools_with_libtool() {
    if there_are(&["autoreconf", "automake", "libtoolize"]) {
        let place = Place::new(FILES);
        build(&place, "autoreconf -fi && ./configure && make");
        // It is a script, and the program behind it finds its library only with its help.
        verified(&place, &["program"]);
    }
}

#[test]
fn bear_lists_several_sources_of_one_call() {
    if there_are(&["bear"]) {
        let place = Place::new(FILES);
        build(
            &place,
            "bear -- clang-22 -pthread main.c count.c -o program || bear clang-22 -pthread main.c count.c -o program",
        );
        verified(&place, &["compile_commands.json"]);
    }
}

#[test]
fn compilers_in_several_words_and_as_one() {
    let place = Place::new(FILES);
    // Libraries are found by the paths in the program, wherever the command is given.
    build(
        &place,
        "mkdir lib && $CC -shared -fPIC -o lib/libcount.so count.c && $CC main.c -Llib -lcount -Wl,-rpath,'$ORIGIN/lib' -o program",
    );
    verified(&place, &["program"]);
    verified(&place, &["program", "lib/libcount.so"]);
    // Response files, options for link-time optimisation, assembler sources beside others, a linker that makes one object.
    build(
        &place,
        "echo '-c main.c -flto=auto -ffat-lto-objects -fwhole-program-vtables' > words && $CC @words -o one.o",
    );
    build(&place, "echo 'nothing: ret' > more.s && $CC -c count.c more.s && ld -r one.o count.o -o both.o");
    verified(&place, &["one.o", "count.o"]);
    verified(&place, &["both.o"]);
    build(
        &place,
        "ln -s $SELVEDGE selvedge-cc && ./selvedge-cc -MMD -MF d/main.d -c main.c -o d/main.o || { mkdir d; ./selvedge-cc -MMD -MF d/main.d -c main.c -o d/main.o; }",
    );
    build(
        &place,
        "grep -q main.o: d/main.d && ar rc d/lib.a count.o && ranlib d/lib.a && ./selvedge-cc d/main.o d/lib.a -o d/program",
    );
    verified(&place, &["d/program"]);
    if there_are(&["ccache"]) {
        build(
            &place,
            "export CCACHE_DIR=$PWD/cache; for i in 1 2; do ccache ./selvedge-cc -c main.c -o cached$i.o; done",
        );
        verified(&place, &["cached2.o", "count.o"]);
    }
}
