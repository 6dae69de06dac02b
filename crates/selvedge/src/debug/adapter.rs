//! The Debug Adapter Protocol in front of a [`Session`].

use super::breakpoints::Watch;
use super::frames::{self, Call};
use super::protocol::{Request, Writer, read};
use super::session::{Session, Step, Stop};
use super::variables::{Item, Viewer};
use serde_json::{Value, json};
use std::io::{self, BufReader, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};

/// What a client wants to debug.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// Words as on the command line of `selvedge debug`: files, options, the schedule. Empty: what the process was told.
    pub words: Vec<String>,
    /// The folder in which they mean something.
    pub folder: Option<String>,
}

/// Makes the session that a client asks for, or says in a sentence why there is none.
pub type Open<'a> = &'a mut dyn FnMut(&Launch) -> Result<Session, String>;

/// Serves one client until it is done.
pub fn serve(input: impl Read + Send + 'static, output: impl Write, open: Open<'_>) -> io::Result<()> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let requests = listen(input, interrupted.clone());
    let mut adapter = Adapter {
        writer: Writer::new(output),
        session: None,
        interrupted,
        frames: Vec::new(),
        nodes: Vec::new(),
        watchable: Vec::new(),
        stop_on_entry: false,
        first_line: 1,
        over: false,
    };
    while !adapter.over
        && let Ok(request) = requests.recv()
    {
        adapter.handle(&request, open)?;
    }
    Ok(())
}

/// Reads requests on a thread of its own: a client may ask for a pause while the session is busy.
fn listen(input: impl Read + Send + 'static, interrupted: Arc<AtomicBool>) -> mpsc::Receiver<Request> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut input = BufReader::new(input);
        while let Ok(Some(message)) = read(&mut input) {
            let Ok(request) = serde_json::from_value::<Request>(message) else { continue };
            if matches!(&*request.command, "pause" | "disconnect" | "terminate") {
                interrupted.store(true, Ordering::Relaxed);
            }
            if sender.send(request).is_err() {
                break;
            }
        }
        interrupted.store(true, Ordering::Relaxed);
    });
    receiver
}

/// Numbers of watched variables begin here, where no breakpoint at a line has its own.
const WATCHES: usize = 1 << 30;

/// What a reference to variables stands for.
#[derive(Clone)]
enum Node {
    Locals(usize),
    Globals,
    Schedule,
    Item(Item),
}

struct Adapter<W> {
    writer: Writer<W>,
    session: Option<Session>,
    interrupted: Arc<AtomicBool>,
    /// Calls that the client knows, until the execution goes on.
    frames: Vec<(usize, Call)>,
    /// References that the client knows, until the execution goes on.
    nodes: Vec<Node>,
    /// Variables that can be watched, by the numbers that the client has for them.
    watchable: Vec<(String, Item)>,
    stop_on_entry: bool,
    /// How the client counts lines.
    first_line: u64,
    over: bool,
}

type Answer = Result<Value, String>;

impl<W: Write> Adapter<W> {
    fn handle(&mut self, request: &Request, open: Open<'_>) -> io::Result<()> {
        let answer = match &*request.command {
            "initialize" => {
                self.first_line = u64::from(request.arguments.get("linesStartAt1") != Some(&json!(false)));
                Ok(capabilities())
            }
            "launch" => self.launch(request, open),
            "attach" => {
                Err("an execution is replayed, not attached to: use a launch configuration".to_owned())
            }
            "setBreakpoints" => self.set_breakpoints(request),
            "setDataBreakpoints" => self.set_data_breakpoints(request),
            "dataBreakpointInfo" => self.data_breakpoint_info(request),
            "breakpointLocations" => self.breakpoint_locations(request),
            "setExceptionBreakpoints" => Ok(json!({ "breakpoints": [] })),
            "threads" => self.threads(),
            "stackTrace" => self.stack_trace(request),
            "scopes" => self.scopes(request),
            "variables" => self.variables(request),
            "evaluate" => self.evaluate(request),
            "exceptionInfo" => self.exception_info(),
            "continue" => self.session().map(|_| json!({ "allThreadsContinued": true })),
            "configurationDone" | "next" | "stepIn" | "stepOut" | "stepBack" | "reverseContinue"
            | "restart" | "pause" => self.session().map(|_| json!({})),
            "disconnect" | "terminate" => Ok(json!({})),
            other => Err(format!("the request `{other}` is not supported")),
        };
        let succeeded = answer.is_ok();
        self.writer.respond(request, answer)?;
        match (&*request.command, succeeded) {
            ("launch", true) => self.writer.event("initialized", json!({})),
            ("launch", false) => self.writer.event("terminated", json!({})),
            ("disconnect", _) => {
                self.over = true;
                Ok(())
            }
            ("terminate", _) => self.writer.event("terminated", json!({})),
            ("pause", true) => {
                // It was not running: there is nothing to wait for.
                self.interrupted.store(false, Ordering::Relaxed);
                Ok(())
            }
            (command, true) => self.go(command, request),
            _ => Ok(()),
        }
    }

    fn session(&mut self) -> Result<&mut Session, String> {
        self.session.as_mut().ok_or_else(|| "nothing is being debugged: send `launch` first".to_owned())
    }

    fn launch(&mut self, request: &Request, open: Open<'_>) -> Answer {
        let mut words = Vec::new();
        match request.arguments.get("program") {
            Some(Value::String(program)) => words.push(program.clone()),
            Some(Value::Array(list)) => {
                words.extend(list.iter().filter_map(|word| word.as_str().map(str::to_owned)));
            }
            _ => {}
        }
        if let Some(schedule) = request.text("schedule") {
            if !words.is_empty() {
                words.push("--schedule".to_owned());
            }
            words.push(schedule.to_owned());
        }
        let launch = Launch { words, folder: request.text("cwd").map(str::to_owned) };
        let mut session = open(&launch)?;
        session.interrupted = self.interrupted.clone();
        self.session = Some(session);
        self.stop_on_entry = request.flag("stopOnEntry");
        Ok(json!({}))
    }

    /// Lets the execution go on, if that is what was asked for.
    fn go(&mut self, command: &str, request: &Request) -> io::Result<()> {
        let thread = request.number("threadId").map_or(0, |id| (id as usize).saturating_sub(1));
        let event = request.text("granularity") == Some("instruction");
        let step = |step: Step| if event { Step::Event } else { step };
        let stop_on_entry = self.stop_on_entry;
        let Some(session) = &mut self.session else { return Ok(()) };
        let at_end = session.timeline.is_over();
        let stop = match command {
            "configurationDone" if stop_on_entry => {
                session.restart();
                Stop::Entry
            }
            "restart" => {
                session.restart();
                Stop::Entry
            }
            "configurationDone" | "continue" => session.forwards(Step::Run),
            "next" => session.forwards(step(Step::Over(thread))),
            "stepIn" => session.forwards(step(Step::Into(thread))),
            "stepOut" => session.forwards(Step::Out(thread)),
            "stepBack" => session.backwards(step(Step::Over(thread))),
            "reverseContinue" => session.backwards(Step::Run),
            _ => return Ok(()),
        };
        self.interrupted.store(false, Ordering::Relaxed);
        self.frames.clear();
        self.nodes.clear();
        for (descriptor, bytes) in session.timeline.output() {
            let category = if descriptor == 2 { "stderr" } else { "stdout" };
            let output = String::from_utf8_lossy(&bytes);
            self.writer.event("output", json!({ "category": category, "output": output }))?;
        }
        if stop == Stop::End && at_end {
            // Going on from the end ends the session.
            let code = match &session.verdict {
                selvedge_report::Verdict::Ended(code) => *code,
                _ => 1,
            };
            self.writer.event("exited", json!({ "exitCode": code }))?;
            return self.writer.event("terminated", json!({}));
        }
        let body = stopped(session, &stop);
        self.writer.event("stopped", body)
    }

    fn set_breakpoints(&mut self, request: &Request) -> Answer {
        let first_line = self.first_line;
        let session = self.session()?;
        let source = request.arguments.get("source").cloned().unwrap_or_default();
        let path = source.get("path").or_else(|| source.get("name")).and_then(Value::as_str).unwrap_or("");
        let wanted =
            request.arguments.get("breakpoints").and_then(Value::as_array).cloned().unwrap_or_default();
        let lines: Vec<u32> = wanted
            .iter()
            .filter_map(|one| one.get("line")?.as_u64())
            .map(|line| (line + 1 - first_line) as u32)
            .collect();
        let program = session.timeline.machine().inspect().program().clone();
        let file = session.lines.file(&program, path);
        let set = session.set_breakpoints(file, &lines);
        let told = set.into_iter().zip(&lines).map(|(breakpoint, line)| match breakpoint.line {
            Some(found) => {
                json!({ "id": breakpoint.id, "verified": true, "line": u64::from(found) + first_line - 1 })
            }
            None => {
                let message = match file {
                    Some(_) => format!("no code comes from line {line} or after it"),
                    None => "no code of this file is part of the program".to_owned(),
                };
                json!({ "id": breakpoint.id, "verified": false, "message": message })
            }
        });
        Ok(json!({ "breakpoints": told.collect::<Vec<_>>() }))
    }

    fn breakpoint_locations(&mut self, request: &Request) -> Answer {
        let first_line = self.first_line;
        let session = self.session()?;
        let path = request.arguments.pointer("/source/path").and_then(Value::as_str).unwrap_or("");
        let from = request.number("line").unwrap_or(1) + 1 - first_line;
        let to = request.number("endLine").map_or(from, |line| line + 1 - first_line);
        let program = session.timeline.machine().inspect().program().clone();
        let lines = session
            .lines
            .file(&program, path)
            .map_or(Vec::new(), |file| session.lines.between(file, from as u32, to as u32));
        let told = lines.into_iter().map(|line| json!({ "line": u64::from(line) + first_line - 1 }));
        Ok(json!({ "breakpoints": told.collect::<Vec<_>>() }))
    }

    fn data_breakpoint_info(&mut self, request: &Request) -> Answer {
        let name = request.text("name").unwrap_or("").to_owned();
        let node = request.number("variablesReference").filter(|&reference| reference > 0);
        let frame = request.number("frameId");
        let item = match node {
            Some(reference) => {
                let children = self.children(reference)?;
                let found = children.into_iter().find(|child| child.name == name);
                found.ok_or_else(|| format!("there is no variable `{name}` there"))
            }
            None => self.item(frame, &name),
        };
        let nothing = |why: String| json!({ "dataId": null, "description": why });
        let item = match item {
            Ok(item) => item,
            Err(why) => return Ok(nothing(why)),
        };
        if !Watch::is_possible(self.session()?.timeline.machine(), &item) {
            return Ok(nothing(format!("`{name}` has no place of its own to be watched")));
        }
        self.watchable.push((name.clone(), item));
        Ok(json!({
            "dataId": (self.watchable.len() - 1).to_string(),
            "description": format!("{name} (when its value changes)"),
            "accessTypes": ["write"],
            "canPersist": false,
        }))
    }

    fn set_data_breakpoints(&mut self, request: &Request) -> Answer {
        let wanted =
            request.arguments.get("breakpoints").and_then(Value::as_array).cloned().unwrap_or_default();
        let known = std::mem::take(&mut self.watchable);
        let session = self.session()?;
        let mut watches = Vec::new();
        let told: Vec<Value> = wanted
            .iter()
            .map(|one| {
                let number =
                    one.get("dataId").and_then(Value::as_str).and_then(|id| id.parse::<usize>().ok());
                let found = number.and_then(|number| known.get(number));
                if let Some((name, item)) = found {
                    watches.push(Watch::new(session.timeline.machine(), name.clone(), item.clone()));
                }
                json!({ "id": WATCHES + number.unwrap_or_default(), "verified": found.is_some() })
            })
            .collect();
        session.set_watches(watches);
        self.watchable = known;
        Ok(json!({ "breakpoints": told }))
    }

    fn threads(&mut self) -> Answer {
        let session = self.session()?;
        let machine = session.timeline.machine();
        let shown = |index: &usize| !machine.threads()[*index].is_finished() || *index == session.thread;
        let threads = (0..machine.threads().len()).filter(shown);
        let told = threads.map(|index| json!({ "id": index + 1, "name": frames::title(machine, index) }));
        Ok(json!({ "threads": told.collect::<Vec<_>>() }))
    }

    fn stack_trace(&mut self, request: &Request) -> Answer {
        let first_line = self.first_line;
        let known = self.frames.len();
        let session = self.session()?;
        let machine = session.timeline.machine();
        let thread = request.number("threadId").map_or(usize::MAX, |id| (id as usize).wrapping_sub(1));
        if thread >= machine.threads().len() {
            return Err("there is no such thread".to_owned());
        }
        let calls = frames::calls(machine, thread);
        let total = calls.len();
        let start = request.number("startFrame").unwrap_or(0) as usize;
        let levels = request.number("levels").filter(|&levels| levels > 0).unwrap_or(u64::MAX);
        let shown: Vec<Call> =
            calls.into_iter().skip(start).take(usize::try_from(levels).unwrap_or(usize::MAX)).collect();
        let program = machine.inspect().program();
        let told = shown.iter().enumerate().map(|(index, call)| {
            let position = &program.positions[call.position as usize];
            let mut frame = json!({
                "id": known + index + 1,
                "name": call.function,
                "line": (u64::from(position.line) + first_line).saturating_sub(1),
                "column": position.column,
            });
            if call.library {
                frame["presentationHint"] = json!("subtle");
            }
            if position.line != 0 {
                let path = frames::path_of(program, position.file, &session.source_root);
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
                frame["source"] = json!({ "name": name, "path": path });
                if call.library {
                    frame["source"]["presentationHint"] = json!("deemphasize");
                }
            }
            frame
        });
        let told: Vec<Value> = told.collect();
        self.frames.extend(shown.into_iter().map(|call| (thread, call)));
        Ok(json!({ "stackFrames": told, "totalFrames": total }))
    }

    fn frame(&self, id: u64) -> Option<(usize, Call)> {
        self.frames.get((id as usize).checked_sub(1)?).cloned()
    }

    fn reference(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len()
    }

    fn scopes(&mut self, request: &Request) -> Answer {
        let id = request.number("frameId").unwrap_or(0);
        self.frame(id).ok_or("this frame belongs to an earlier moment")?;
        let locals = self.reference(Node::Locals(id as usize));
        let globals = self.reference(Node::Globals);
        let schedule = self.reference(Node::Schedule);
        Ok(json!({ "scopes": [
            { "name": "Locals", "presentationHint": "locals", "variablesReference": locals, "expensive": false },
            { "name": "Globals", "presentationHint": "globals", "variablesReference": globals, "expensive": false },
            { "name": "Schedule", "variablesReference": schedule, "expensive": false },
        ] }))
    }

    fn children(&mut self, reference: u64) -> Result<Vec<Item>, String> {
        let node = (reference as usize).checked_sub(1).and_then(|index| self.nodes.get(index)).cloned();
        let node = node.ok_or("this variable belongs to an earlier moment")?;
        let frame = match node {
            Node::Locals(id) => self.frame(id as u64),
            _ => None,
        };
        let session = self.session()?;
        let viewer = Viewer { machine: session.timeline.machine(), blocks: &mut session.blocks };
        Ok(match (node, frame) {
            (Node::Locals(_), Some((thread, call))) => viewer.locals(thread, &call),
            (Node::Globals, _) => viewer.globals(),
            (Node::Item(item), _) => viewer.children(&item),
            (Node::Locals(_) | Node::Schedule, _) => Vec::new(),
        })
    }

    fn variables(&mut self, request: &Request) -> Answer {
        let reference = request.number("variablesReference").unwrap_or(0);
        if let Some(Node::Schedule) = (reference as usize).checked_sub(1).and_then(|at| self.nodes.get(at)) {
            return self.schedule();
        }
        let children = self.children(reference)?;
        let start = request.number("start").unwrap_or(0) as usize;
        let count = request.number("count").filter(|&count| count > 0).unwrap_or(u64::MAX);
        let shown = children.into_iter().skip(start).take(usize::try_from(count).unwrap_or(usize::MAX));
        let mut told = Vec::new();
        for item in shown {
            let (value, kind, reference) = self.value(&item)?;
            let mut variable = json!({
                "name": item.name,
                "value": value,
                "type": kind,
                "variablesReference": reference,
                "evaluateName": item.name,
            });
            if let Some(address) = item.address() {
                variable["memoryReference"] = json!(format!("{address:#x}"));
            }
            told.push(variable);
        }
        Ok(json!({ "variables": told }))
    }

    /// Value, type and reference of an item.
    fn value(&mut self, item: &Item) -> Result<(String, String, usize), String> {
        let session = self.session()?;
        let mut viewer = Viewer { machine: session.timeline.machine(), blocks: &mut session.blocks };
        let (value, kind) = (viewer.text(item), viewer.type_name(item));
        let compound = value != super::variables::OPTIMISED_OUT && !viewer.children(item).is_empty();
        let reference = if compound { self.reference(Node::Item(item.clone())) } else { 0 };
        Ok((value, kind, reference))
    }

    /// Where in the schedule the execution is.
    fn schedule(&mut self) -> Answer {
        let session = self.session()?;
        let now = session.timeline.now();
        let mut told = vec![
            json!({ "name": "step", "value": format!("{} of {}", now.step, session.timeline.steps()), "variablesReference": 0 }),
        ];
        if let Some((thread, text)) = session.upcoming() {
            let name = session.table.threads.get(thread).cloned().unwrap_or_default();
            told.push(json!({ "name": "next", "value": format!("{name}: {text}"), "variablesReference": 0 }));
        }
        Ok(json!({ "variables": told }))
    }

    fn item(&mut self, frame: Option<u64>, expression: &str) -> Result<Item, String> {
        let frame = frame.and_then(|id| self.frame(id));
        let session = self.session()?;
        let viewer = Viewer { machine: session.timeline.machine(), blocks: &mut session.blocks };
        let thread = frame.as_ref().map_or(session.thread, |(thread, _)| *thread);
        viewer.evaluate(thread, frame.as_ref().map(|(_, call)| call), expression)
    }

    fn evaluate(&mut self, request: &Request) -> Answer {
        let expression = request.text("expression").unwrap_or("").to_owned();
        let item = self.item(request.number("frameId"), &expression)?;
        let (value, kind, reference) = self.value(&item)?;
        Ok(json!({ "result": value, "type": kind, "variablesReference": reference }))
    }

    fn exception_info(&mut self) -> Answer {
        let session = self.session()?;
        let over = session.timeline.is_over();
        let (title, text) =
            session.failure().filter(|_| over).ok_or("nothing has gone wrong at this moment")?;
        Ok(json!({
            "exceptionId": title,
            "description": text,
            "breakMode": "always",
            "details": { "message": text },
        }))
    }
}

/// What a client is told about a stop.
fn stopped(session: &Session, stop: &Stop) -> Value {
    let mut body = json!({ "threadId": session.thread + 1, "allThreadsStopped": true });
    let failure = session.failure();
    let (reason, description) = match (stop, &failure) {
        (Stop::Entry, _) => ("entry", None),
        (Stop::Step, _) => ("step", None),
        (Stop::Breakpoint(ids), _) => {
            body["hitBreakpointIds"] = json!(ids);
            ("breakpoint", None)
        }
        (Stop::Changed(change), _) => {
            let text = format!("{}: {} -> {}", change.name, change.before, change.after);
            ("data breakpoint", Some(text))
        }
        (Stop::Pause, _) => ("pause", None),
        (Stop::Beginning, _) => ("entry", Some("The beginning of the recorded execution".to_owned())),
        (Stop::End, Some((title, text))) => {
            body["text"] = json!(text);
            ("exception", Some(title.clone()))
        }
        (Stop::End, None) => ("pause", Some("The end of the recorded execution".to_owned())),
    };
    body["reason"] = json!(reason);
    if let Some(description) = description {
        body["description"] = json!(description);
    }
    body
}

fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsStepBack": true,
        "supportsSteppingGranularity": true,
        "supportsDataBreakpoints": true,
        "supportsExceptionInfoRequest": true,
        "supportsEvaluateForHovers": true,
        "supportsBreakpointLocationsRequest": true,
        "supportsRestartRequest": true,
        "supportsTerminateRequest": true,
        "supportsDelayedStackTraceLoading": true,
    })
}
