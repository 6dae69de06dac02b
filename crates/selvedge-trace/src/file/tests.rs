use super::*;
use crate::AllocationSite;
use expect_test::{Expect, expect};
use proptest::prelude::*;

fn example() -> Schedule {
    let child = ThreadName::main().child(1);
    let mut choices = Choices::new();
    choices.push_repeated(Choice::Step { thread: ThreadName::main(), alternative: 0 }, 12);
    choices.push(Choice::Step { thread: child.clone(), alternative: 0 });
    choices.push_repeated(Choice::Step { thread: child.clone(), alternative: 2 }, 3);
    choices.push(Choice::Step { thread: child.clone(), alternative: TIMEOUT });
    choices.push(Choice::Commit { thread: child, address: 0x1_0000_0040 });
    let inputs = Inputs { arguments: vec!["-n".into()], stdin: b"one\ntwo\n".to_vec(), ..Inputs::default() };
    Schedule {
        program: "bank".into(),
        fingerprint: 0xabc,
        model: Model::Tso,
        inputs,
        births: Births::default(),
        choices,
        digest: u64::MAX,
        claim: None,
        property: None,
        steps: vec!["Yield @ main bank.c:49".parse().expect("a note"); 2],
        made_from: vec!["bank.c".into()],
    }
}

#[test]
fn a_file_reads_like_what_happened() {
    expect![[r#"
        {
          "schema": 2,
          "program": "bank",
          "fingerprint": "0000000000000abc",
          "model": "tso",
          "inputs": {
            "arguments": [
              "-n"
            ],
            "environment": [],
            "stdin": "one\ntwo\n",
            "clock": 1704067200000000000,
            "random": 0
          },
          "made_from": [
            "bank.c"
          ],
          "choices": [
            "main x12",
            "main.1",
            "main.1 alternative 2 x3",
            "main.1 timeout",
            "commit main.1 0x100000040"
          ],
          "steps": [
            "Yield @ main bank.c:49 x2"
          ],
          "digest": "ffffffffffffffff"
        }
    "#]]
    .assert_eq(std::str::from_utf8(&print(&example())).expect("text"));
}

#[test]
fn a_file_says_what_is_seen_at_its_end() {
    let main = ThreadName::main();
    let race = Schedule { claim: Some(Claim::DataRace([main.child(1), main.child(2)])), ..example() };
    let text = String::from_utf8(print(&race)).expect("text");
    let claim = &text[text.find("\"finding\"").expect("the claim")..];
    expect![[r#"
        "finding": {
            "kind": "data-race",
            "threads": [
              "main.1",
              "main.2"
            ]
          }
        }
    "#]]
    .assert_eq(claim);
    assert_eq!(parse(text.as_bytes()).expect("our own file"), race);
    let wrong = parse(text.replace("data-race", "mishap").as_bytes());
    assert!(matches!(wrong, Err(FileProblem::Malformed(text)) if text.contains("mishap")));
}

/// The message for the example's file after replacing `from` by `to`.
fn check(from: &str, to: &str, expected: Expect) {
    let text = String::from_utf8(print(&example())).expect("text");
    assert!(text.contains(from), "the example has no {from}");
    let problem = parse(text.replace(from, to).as_bytes()).map(|_| ()).expect_err("an error");
    expected.assert_eq(&error(Path::new("s.json"), problem).to_string());
}

#[test]
fn errors_say_what_is_wrong_and_what_to_do() {
    check(
        "\"schema\": 2",
        "\"schema\": 7",
        expect![
            "schedule file `s.json` has format 7, and this Selvedge reads the formats 1 to 2. Record it again, or use the Selvedge that wrote it"
        ],
    );
    check(
        "{",
        "[",
        expect![[
            r#"schedule file `s.json` is not a schedule: invalid type: string "schema", expected u64 at line 2 column 10. Name a file that --save-schedule wrote, or record it again"#
        ]],
    );
    check(
        "tso",
        "arm",
        expect![
            "schedule file `s.json` is not a schedule: unknown variant `arm`, expected one of `sc`, `tso`, `pso`, `rc11`, `mca` at line 5 column 16. Name a file that --save-schedule wrote, or record it again"
        ],
    );
    check(
        "abc\"",
        "xyz\"",
        expect![[
            r#"schedule file `s.json` is not a schedule: `fingerprint` is "0000000000000xyz", not a hexadecimal number of 64 bits. Name a file that --save-schedule wrote, or record it again"#
        ]],
    );
    check(
        "main x12",
        "main x0",
        expect![[
            r#"schedule file `s.json` is not a schedule: choice 1 is "main x0", and `x0` is not a number of repetitions. Name a file that --save-schedule wrote, or record it again"#
        ]],
    );
    check(
        "main x12",
        "mein x12",
        expect![[
            r#"schedule file `s.json` is not a schedule: choice 1 is "mein x12", and `mein` is not the name of a thread (they look like `main` or `main.1`). Name a file that --save-schedule wrote, or record it again"#
        ]],
    );
    check(
        "main.1 timeout",
        "",
        expect![[
            r#"schedule file `s.json` is not a schedule: choice 4 is "", and choices look like `main`, `main.1 x12`, `main alternative 2`, `main timeout` or `commit main 0x100000040`. Name a file that --save-schedule wrote, or record it again"#
        ]],
    );
    check(
        "commit main.1 0x100000040",
        "commit main.1 64",
        expect![[
            r#"schedule file `s.json` is not a schedule: choice 5 is "commit main.1 64", and the address to commit is not a hexadecimal number. Name a file that --save-schedule wrote, or record it again"#
        ]],
    );
    check(
        "\"choices\": [",
        "\"shared_at_birth\": [\"none\"], \"choices\": [",
        expect![[
            r#"schedule file `s.json` is not a schedule: `shared_at_birth` has "none", which is neither `all` nor 16 hexadecimal digits. Name a file that --save-schedule wrote, or record it again"#
        ]],
    );
    check(
        "\"stdin\": \"one\\ntwo\\n\"",
        "\"stdin_hex\": \"0g\"",
        expect![
            "schedule file `s.json` is not a schedule: `stdin_hex` is not a sequence of hexadecimal bytes. Name a file that --save-schedule wrote, or record it again"
        ],
    );
}

#[test]
fn files_on_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.json");
    assert!(matches!(read_schedule(&path), Err(ScheduleFileError { problem: FileProblem::Missing, .. })));
    write_schedule(&path, &example()).expect("written");
    write_schedule(&path, &example()).expect("replaced");
    assert_eq!(read_schedule(&path).expect("read"), example());
    assert!(matches!(
        read_schedule(folder.path()),
        Err(ScheduleFileError { problem: FileProblem::Unreadable(_), .. })
    ));
    let nowhere = folder.path().join("none/s.json");
    let failed = write_schedule(&nowhere, &example());
    assert!(matches!(failed, Err(ScheduleFileError { problem: FileProblem::Unwritable(_), .. })));
    let left = std::fs::read_dir(folder.path()).expect("readable").count();
    assert_eq!(left, 1, "nothing but the schedule is left behind");
}

fn thread() -> impl Strategy<Value = ThreadName> {
    proptest::collection::vec(1..9_u32, 0..4)
        .prop_map(|path| path.into_iter().fold(ThreadName::main(), |name, n| name.child(n)))
}

fn choice() -> impl Strategy<Value = Choice> {
    let alternative = prop_oneof![Just(0), Just(1), Just(TIMEOUT), any::<u32>()];
    prop_oneof![
        (thread(), alternative).prop_map(|(thread, alternative)| Choice::Step { thread, alternative }),
        (thread(), any::<u64>()).prop_map(|(thread, address)| Choice::Commit { thread, address }),
    ]
}

fn schedule() -> impl Strategy<Value = Schedule> {
    let model = prop_oneof![Just(Model::Sc), Just(Model::Tso), Just(Model::Pso)];
    let texts = || proptest::collection::vec(".*", 0..3);
    let bytes = || proptest::collection::vec(any::<u8>(), 0..20);
    let name = (thread(), any::<u32>()).prop_map(|(thread, occurrence)| InputName { thread, occurrence });
    let values = proptest::collection::btree_map(name, any::<u64>(), 0..3);
    let files = proptest::collection::btree_map(".*", bytes(), 0..2);
    let inputs = (texts(), texts(), bytes(), any::<u64>(), any::<u64>(), values, files).prop_map(
        |(arguments, environment, stdin, clock, random, values, files)| Inputs {
            arguments,
            environment,
            stdin,
            clock,
            random,
            values,
            files,
        },
    );
    let choices = proptest::collection::vec((choice(), 1..1000_u64), 0..20).prop_map(|runs| {
        let mut choices = Choices::new();
        runs.into_iter().for_each(|(choice, count)| choices.push_repeated(choice, count));
        choices
    });
    let claim = prop_oneof![
        Just(None),
        (thread(), thread()).prop_map(|(one, other)| Some(Claim::DataRace([one, other]))),
        (proptest::collection::vec(thread(), 0..3), proptest::collection::vec(choice(), 0..5)).prop_map(
            |(threads, cycle)| Some(Claim::Termination { threads, cycle: cycle.into_iter().collect() })
        ),
    ];
    let sites = proptest::collection::btree_set(any::<u64>().prop_map(AllocationSite), 0..3);
    let births = (any::<bool>(), sites).prop_map(|(all, sites)| Births { all, sites });
    (".*", any::<u64>(), model, inputs, births, choices, any::<u64>(), claim).prop_map(
        |(program, fingerprint, model, inputs, births, choices, digest, claim)| Schedule {
            program,
            fingerprint,
            model,
            inputs,
            births,
            choices,
            digest,
            claim,
            property: None,
            steps: Vec::new(),
            made_from: Vec::new(),
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(schedule in schedule()) {
        prop_assert_eq!(parse(&print(&schedule)).expect("our own file"), schedule);
    }

    #[test]
    fn damaged_files_never_crash(schedule in schedule(), edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..8)) {
        let mut bytes = print(&schedule);
        for (at, byte, how) in edits {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => bytes.truncate(at),
            }
        }
        let _ = parse(&bytes);
    }

    #[test]
    fn any_bytes_never_crash(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&bytes);
    }

    #[test]
    fn any_choice_never_crashes(text in ".*") {
        let _ = parse_run(&text);
    }
}
