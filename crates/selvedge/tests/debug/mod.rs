//! The debugger: through its protocol, through a client library of that protocol, at a prompt, and as a session that must be
//! the recorded execution.

mod session;

use crate::cli::{Place, python};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

fn bank() -> Place {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let text = std::fs::read_to_string(examples.join("bank.c")).expect("the example");
    let place = Place::new(&[("bank.c", &text)]);
    assert_eq!(place.run(&["check", "bank.c", "--quiet"]).code, 1);
    place
}

/// A client that sends what it is told, and looks at the bare messages.
struct Client {
    adapter: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    seq: i64,
}

impl Client {
    fn start(place: &Place, words: &[&str]) -> Self {
        let mut adapter = place
            .command(&[&["debug"], words].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("selvedge");
        let input = adapter.stdin.take().expect("a pipe");
        let output = BufReader::new(adapter.stdout.take().expect("a pipe"));
        Client { adapter, input, output, seq: 0 }
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).expect("a line"), 0, "the adapter has gone");
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().expect("a number"),
                _ => break,
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).expect("a message");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    /// The response to a request; events before it are skipped.
    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        self.seq += 1;
        let text = json!({ "seq": self.seq, "type": "request", "command": command, "arguments": arguments })
            .to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("a pipe");
        loop {
            let message = self.receive();
            if message["type"] == "response" {
                assert_eq!(
                    (&message["request_seq"], &message["command"]),
                    (&json!(self.seq), &json!(command))
                );
                return message;
            }
        }
    }

    fn event(&mut self, name: &str) -> Value {
        loop {
            let message = self.receive();
            if message["event"] == name {
                return message["body"].clone();
            }
        }
    }
}

#[test]
fn a_client_library_steps_through_an_execution() {
    // Without the library there is nothing to compare with: `make setup` installs it.
    if !python()
        .args(["-c", "import dap"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
    {
        return;
    }
    let place = bank();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/debug/client.py");
    let folder = place.folder.path().display().to_string();
    let words = [script.to_str().expect("text"), env!("CARGO_BIN_EXE_selvedge"), &folder];
    let ended = python().args(words).output().expect("python3");
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(String::from_utf8_lossy(&ended.stdout), "ok\n", "{stderr}");
}

#[test]
fn what_a_client_does_wrong_is_said() {
    let place = bank();
    let mut client = Client::start(&place, &[]);
    let capabilities = client.ask("initialize", json!({ "adapterID": "selvedge" }));
    for name in ["supportsStepBack", "supportsDataBreakpoints", "supportsExceptionInfoRequest"] {
        assert_eq!(capabilities["body"][name], true, "{name}");
    }
    let said = |answer: Value, part: &str| {
        assert_eq!(answer["success"], false, "{answer}");
        let message = answer["message"].as_str().expect("a message");
        assert!(message.contains(part), "{message}");
    };
    said(client.ask("threads", json!({})), "send `launch` first");
    said(client.ask("attach", json!({})), "launch configuration");
    said(client.ask("dance", json!({})), "`dance` is not supported");
    said(client.ask("launch", json!({ "schedule": "gone.json" })), "`gone.json` does not exist");
    said(client.ask("launch", json!({ "program": "bank.c" })), "a recorded schedule is needed");
    said(
        client.ask("launch", json!({ "program": ["bank.c", "--frob"], "schedule": "bank.schedule.json" })),
        "--frob",
    );
    said(
        client.ask("launch", json!({ "program": "gone.c", "schedule": "bank.schedule.json" })),
        "`gone.c` does not exist",
    );
    // The schedule says by itself what it was recorded with.
    let launched = client.ask("launch", json!({ "schedule": "bank.schedule.json", "stopOnEntry": true }));
    assert_eq!(launched["success"], true, "{launched}");
    client.event("initialized");
    said(client.ask("scopes", json!({ "frameId": 99 })), "earlier moment");
    said(client.ask("stackTrace", json!({ "threadId": 99 })), "no such thread");
    said(client.ask("exceptionInfo", json!({ "threadId": 1 })), "nothing has gone wrong at this moment");
    said(client.ask("evaluate", json!({ "expression": "savings.colour" })), "no member `colour`");
    let elsewhere = json!({ "source": { "path": "/x/other.c" }, "breakpoints": [{ "line": 3 }] });
    let set = client.ask("setBreakpoints", elsewhere);
    assert_eq!(set["body"]["breakpoints"][0]["verified"], false);
    client.ask("configurationDone", json!({}));
    assert_eq!(client.event("stopped")["reason"], "entry");
    client.ask("disconnect", json!({}));
    assert_eq!(client.adapter.wait().expect("an end").code(), Some(0));
}

#[test]
fn events_are_steps_of_the_schedule() {
    let place = bank();
    let mut client = Client::start(&place, &["bank.schedule.json"]);
    client.ask("initialize", json!({}));
    client.ask("launch", json!({ "stopOnEntry": true }));
    client.ask("configurationDone", json!({}));
    client.event("stopped");
    let mut threads = Vec::new();
    for _ in 0..80 {
        client.ask("next", json!({ "threadId": 1, "granularity": "instruction" }));
        let stopped = client.event("stopped");
        threads.push(stopped["threadId"].as_u64().expect("a thread"));
        if stopped["reason"] == "exception" {
            break;
        }
    }
    // Three steps of main, then those of the threads as the schedule has them.
    let mut runs = threads.clone();
    runs.dedup();
    assert_eq!(runs, [1, 2, 3, 2, 1], "{threads:?}");
    client.ask("stepBack", json!({ "threadId": 1, "granularity": "instruction" }));
    assert_eq!(client.event("stopped")["reason"], "step");
    let trace = client.ask("stackTrace", json!({ "threadId": 1 }));
    let source = trace["body"]["stackFrames"][0]["source"]["path"].as_str().expect("a path").to_owned();
    assert!(Path::new(&source).is_absolute() && Path::new(&source).exists(), "{source}");
}

#[test]
fn a_prompt_goes_forwards_and_backwards() {
    let place = bank();
    let script = "b 28\ncontinue\nlocals\nreverse-next\ncontinue\nbt\nwatch savings.balance\ndelete\nfinish\nprint nothing\n\
                  thread main.7\nfrob\nhelp\ncontinue\nquit\n";
    let mut prompt = place
        .command(&["debug", "bank.schedule.json", "--tty"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("selvedge");
    prompt.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("a pipe");
    let output = prompt.wait_with_output().expect("an end");
    let text = String::from_utf8(output.stdout).expect("text");
    let mut rest = &*text;
    for part in [
        "breakpoint at bank.c:28",
        "main.1 in set_balance at bank.c:28\n   28    account->balance = balance;",
        "next event: main.1 checking.balance = 70",
        "account: account * = &checking\nbalance: int = 70\n",
        "main.1 in set_balance at bank.c:27",
        "main.1 in set_balance at bank.c:28",
        "#1   transfer at bank.c:33",
        "watching savings.balance",
        "main.1 in transfer at bank.c:",
        "there is no variable `nothing` here",
        "there is no thread `main.7`",
        "there is no command `frob`; `help` lists all",
        "commands (an empty line repeats the last one):",
        "checking 90, savings 130",
        "violation: failed assertion",
        "main in main at bank.c:54",
    ] {
        let at = rest.find(part).unwrap_or_else(|| panic!("no {part:?} in {text}"));
        rest = &rest[at + part.len()..];
    }
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn what_is_no_schedule_is_refused() {
    let place = Place::new(&[("a.c", crate::cli::HELLO), ("a.json", "{}")]);
    assert!(place.refused(&["debug", "a.c", "--tty"]).contains("a recorded schedule is needed"));
    assert!(place.refused(&["debug", "a.json", "--tty"]).contains("is not a schedule"));
    assert!(place.refused(&["debug", "gone.json", "--tty"]).contains("does not exist"));
}
