//! A prompt in front of a [`Session`]: one command a line.

use super::breakpoints::Watch;
use super::frames::{self, Call};
use super::session::{Session, Step, Stop};
use super::variables::{Item, Viewer};
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};

/// Commands, with what they do, named as in gdb where that has them. The one list of them.
const COMMANDS: [(&str, &str, &str); 22] = [
    ("step", "s", "to the next line, into calls"),
    ("next", "n", "to the next line, over calls"),
    ("finish", "fin", "out of the function"),
    ("event", "e", "to the next step of the schedule, of whichever thread"),
    ("continue", "c", "to a breakpoint, or to the end"),
    ("reverse-step", "rs", "as step, backwards"),
    ("reverse-next", "rn", "as next, backwards"),
    ("reverse-event", "re", "as event, backwards"),
    ("reverse-continue", "rc", "back to a breakpoint, or to the beginning"),
    ("restart", "", "back to the beginning"),
    ("break", "b", "FILE:LINE or LINE: stop there; without one, list and number them"),
    ("watch", "", "NAME: stop when the value of this variable changes"),
    ("delete", "", "forget all breakpoints and watched variables"),
    ("threads", "t", "all threads, and where they are"),
    ("thread", "", "NAME: look at this thread"),
    ("backtrace", "bt", "the calls of the thread"),
    ("frame", "f", "NUMBER: look at this call"),
    ("locals", "l", "variables of the call"),
    ("globals", "g", "variables of the program"),
    ("print", "p", "NAME, a.b, a->b, a[3] or *a: a value"),
    ("help", "h", "this list"),
    ("quit", "q", "end"),
];

struct Prompt<W> {
    session: Session,
    output: W,
    /// The call that is looked at.
    frame: usize,
    breakpoints: Vec<(String, u32, u32)>,
    watched: Vec<(String, Item)>,
}

/// Serves a person until they have had enough.
pub fn serve(session: Session, input: &mut dyn BufRead, output: impl Write, prompts: bool) -> io::Result<()> {
    let mut prompt = Prompt { session, output, frame: 0, breakpoints: Vec::new(), watched: Vec::new() };
    prompt.tell(&Stop::Entry)?;
    let mut last = String::new();
    loop {
        if prompts {
            write!(prompt.output, "> ")?;
            prompt.output.flush()?;
        }
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        // An empty line does the same again.
        if !line.trim().is_empty() {
            last = line.trim().to_owned();
        }
        let (command, argument) = last.split_once(char::is_whitespace).unwrap_or((&last, ""));
        let (command, argument) = (command.to_owned(), argument.trim().to_owned());
        if !prompt.obey(&command, &argument)? {
            return Ok(());
        }
    }
}

impl<W: Write> Prompt<W> {
    /// Does what a line says. Whether to go on.
    fn obey(&mut self, command: &str, argument: &str) -> io::Result<bool> {
        let thread = self.session.thread;
        let known = COMMANDS.iter().find(|(name, short, _)| command == *name || command == *short);
        match known.map_or(command, |(name, ..)| name) {
            "" => {}
            "step" => self.go(|session| session.forwards(Step::Into(thread)))?,
            "next" => self.go(|session| session.forwards(Step::Over(thread)))?,
            "finish" => self.go(|session| session.forwards(Step::Out(thread)))?,
            "event" => self.go(|session| session.forwards(Step::Event))?,
            "continue" => self.go(|session| session.forwards(Step::Run))?,
            "reverse-step" => self.go(|session| session.backwards(Step::Into(thread)))?,
            "reverse-next" => self.go(|session| session.backwards(Step::Over(thread)))?,
            "reverse-event" => self.go(|session| session.backwards(Step::Event))?,
            "reverse-continue" => self.go(|session| session.backwards(Step::Run))?,
            "restart" => self.go(|session| {
                session.restart();
                Stop::Entry
            })?,
            "break" => self.set_breakpoint(argument)?,
            "watch" => self.watch(argument)?,
            "delete" => {
                let files: Vec<String> = self.breakpoints.drain(..).map(|(path, ..)| path).collect();
                files.iter().for_each(|path| self.apply(path));
                self.watched.clear();
                self.session.set_watches(Vec::new());
            }
            "threads" => self.threads()?,
            "thread" => {
                let machine = self.session.timeline.machine();
                match machine.threads().iter().position(|thread| thread.name.to_string() == argument) {
                    Some(index) => {
                        (self.session.thread, self.frame) = (index, 0);
                        self.here()?;
                    }
                    None => writeln!(self.output, "there is no thread `{argument}`; `threads` lists them")?,
                }
            }
            "backtrace" => self.stack()?,
            "frame" => match argument.parse::<usize>() {
                Ok(number) if number < self.calls().len() => {
                    self.frame = number;
                    self.here()?;
                }
                _ => writeln!(self.output, "`frame` takes a number that `backtrace` shows")?,
            },
            "locals" => {
                let items = match self.call() {
                    Some(call) => self.view(|viewer| viewer.locals(thread, &call)),
                    None => Vec::new(),
                };
                self.list(&items)?;
            }
            "globals" => {
                let items = self.view(|viewer| viewer.globals());
                self.list(&items)?;
            }
            "print" => {
                let call = self.call();
                match self.view(|viewer| viewer.evaluate(thread, call.as_ref(), argument)) {
                    Ok(item) => self.list(std::slice::from_ref(&item))?,
                    Err(why) => writeln!(self.output, "{why}")?,
                }
            }
            "quit" => return Ok(false),
            "help" => {
                writeln!(self.output, "commands (an empty line repeats the last one):")?;
                for (name, short, help) in COMMANDS {
                    writeln!(self.output, "  {name:<16} {short:<3} {help}")?;
                }
            }
            _ => writeln!(self.output, "there is no command `{command}`; `help` lists all")?,
        }
        Ok(true)
    }

    fn go(&mut self, go: impl FnOnce(&mut Session) -> Stop) -> io::Result<()> {
        let stop = go(&mut self.session);
        self.frame = 0;
        self.tell(&stop)
    }

    /// What the program has written, why it was stopped, and where.
    fn tell(&mut self, stop: &Stop) -> io::Result<()> {
        for (_, bytes) in self.session.timeline.output() {
            self.output.write_all(&bytes)?;
        }
        match stop {
            Stop::Breakpoint(_) => writeln!(self.output, "breakpoint")?,
            Stop::Changed(change) => {
                writeln!(self.output, "{}: {} -> {}", change.name, change.before, change.after)?;
            }
            Stop::Pause => writeln!(self.output, "interrupted")?,
            Stop::Beginning => writeln!(self.output, "the beginning of the execution")?,
            Stop::End => match self.session.failure() {
                Some((_, text)) => write!(self.output, "{text}")?,
                None => writeln!(self.output, "the end of the execution")?,
            },
            Stop::Entry | Stop::Step => {}
        }
        self.here()
    }

    fn calls(&self) -> Vec<Call> {
        frames::calls(self.session.timeline.machine(), self.session.thread)
    }

    /// The call that is looked at: the innermost one of the user's own code, unless another one was chosen.
    fn call(&self) -> Option<Call> {
        let calls = self.calls();
        let own = calls.iter().position(|call| !call.library).unwrap_or(0);
        calls.get(if self.frame == 0 { own } else { self.frame }).cloned()
    }

    /// Step, thread, place and the line itself.
    fn here(&mut self) -> io::Result<()> {
        let machine = self.session.timeline.machine();
        let mut line = format!("[{}/{}] ", self.session.timeline.now().step, self.session.timeline.steps());
        line.push_str(&frames::title(machine, self.session.thread));
        let program = machine.inspect().program();
        if let Some(call) = self.call() {
            let position = &program.positions[call.position as usize];
            let path = frames::path_of(program, position.file, &self.session.source_root);
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let _ = write!(line, " in {} at {name}:{}", call.function, position.line);
            let source = std::fs::read_to_string(&path).unwrap_or_default();
            if let Some(text) = source.lines().nth((position.line as usize).wrapping_sub(1)) {
                let _ = write!(line, "\n{:>5}  {}", position.line, text.trim_end());
            }
        }
        if let Some((thread, text)) = self.session.upcoming().filter(|_| !self.session.timeline.is_over()) {
            let name = self.session.table.threads.get(thread).cloned().unwrap_or_default();
            let _ = write!(line, "\n       next event: {name} {text}");
        }
        writeln!(self.output, "{line}")
    }

    fn set_breakpoint(&mut self, argument: &str) -> io::Result<()> {
        if argument.is_empty() {
            for (path, _, line) in &self.breakpoints {
                writeln!(self.output, "{path}:{line}")?;
            }
            for (name, _) in &self.watched {
                writeln!(self.output, "watch {name}")?;
            }
            return Ok(());
        }
        let machine = self.session.timeline.machine();
        let program = machine.inspect().program().clone();
        let here = self.call().map(|call| program.positions[call.position as usize].file);
        let (path, line) = match argument.rsplit_once(':') {
            Some((path, line)) => (path.to_owned(), line),
            None => {
                let file = here.map(|file| program.files[file as usize].path.to_string());
                (file.unwrap_or_default(), argument)
            }
        };
        let Ok(line) = line.parse::<u32>() else {
            return writeln!(self.output, "`break` takes FILE:LINE or LINE, such as bank.c:20");
        };
        let found = self
            .session
            .lines
            .file(&program, &path)
            .and_then(|file| Some((file, self.session.lines.find(file, line)?.0)));
        match found {
            Some((file, line)) => {
                let path = program.files[file as usize].path.to_string();
                writeln!(self.output, "breakpoint at {path}:{line}")?;
                self.breakpoints.push((path.clone(), file, line));
                self.apply(&path);
            }
            None => writeln!(self.output, "no code comes from line {line} of `{path}` or after it")?,
        }
        Ok(())
    }

    /// Tells the session about the breakpoints of a file.
    fn apply(&mut self, path: &str) {
        let program = self.session.timeline.machine().inspect().program().clone();
        let file = self.session.lines.file(&program, path);
        let own = self.breakpoints.iter().filter(|(_, other, _)| Some(*other) == file);
        let lines: Vec<u32> = own.map(|(.., line)| *line).collect();
        self.session.set_breakpoints(file, &lines);
    }

    fn watch(&mut self, argument: &str) -> io::Result<()> {
        let (thread, call) = (self.session.thread, self.call());
        let item = self.view(|viewer| viewer.evaluate(thread, call.as_ref(), argument));
        let item = match item {
            Ok(item) if Watch::is_possible(self.session.timeline.machine(), &item) => item,
            Ok(_) => return writeln!(self.output, "`{argument}` has no place of its own to be watched"),
            Err(why) => return writeln!(self.output, "{why}"),
        };
        self.watched.push((argument.to_owned(), item));
        let machine = self.session.timeline.machine();
        let watch = |(name, item): &(String, Item)| Watch::new(machine, name.clone(), item.clone());
        let watches = self.watched.iter().map(watch).collect();
        self.session.set_watches(watches);
        writeln!(self.output, "watching {argument}")
    }

    fn threads(&mut self) -> io::Result<()> {
        for index in 0..self.session.timeline.machine().threads().len() {
            let machine = self.session.timeline.machine();
            let calls = frames::calls(machine, index);
            let call = calls.iter().find(|call| !call.library).or(calls.first());
            let program = machine.inspect().program();
            let place = call.map(|call| {
                let position = &program.positions[call.position as usize];
                format!(
                    " in {} at {}:{}",
                    call.function, program.files[position.file as usize].path, position.line
                )
            });
            let mark = if index == self.session.thread { "*" } else { " " };
            writeln!(self.output, "{mark} {}{}", frames::title(machine, index), place.unwrap_or_default())?;
        }
        Ok(())
    }

    fn stack(&mut self) -> io::Result<()> {
        let calls = self.calls();
        for (number, call) in calls.iter().enumerate() {
            let program = self.session.timeline.machine().inspect().program();
            let position = &program.positions[call.position as usize];
            let file = &program.files[position.file as usize].path;
            let library = if call.library { " (library)" } else { "" };
            writeln!(self.output, "#{number:<3} {} at {file}:{}{library}", call.function, position.line)?;
        }
        Ok(())
    }

    fn view<R>(&mut self, look: impl FnOnce(&Viewer<'_>) -> R) -> R {
        look(&Viewer { machine: self.session.timeline.machine(), blocks: &mut self.session.blocks })
    }

    fn list(&mut self, items: &[Item]) -> io::Result<()> {
        for item in items {
            let mut viewer =
                Viewer { machine: self.session.timeline.machine(), blocks: &mut self.session.blocks };
            let (text, kind) = (viewer.text(item), viewer.type_name(item));
            let kind = if kind.is_empty() { kind } else { format!(": {kind}") };
            writeln!(self.output, "{}{kind} = {text}", item.name)?;
        }
        Ok(())
    }
}
