//! Where to stop: lines, and variables whose value changes.

use super::variables::{Item, Source, Viewer};
use selvedge_machine::{Blocks, Machine};
use selvedge_program::{FileKind, Program};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// Lines with code, and where they begin.
pub struct Lines {
    /// By file, line: operations with which the line begins.
    starts: BTreeMap<(u32, u32), Vec<(u32, u32)>>,
}

impl Lines {
    /// The lines of the user's own files. A line begins once in each function, and in each place where it was inlined.
    pub fn new(program: &Program) -> Self {
        let mut starts: BTreeMap<(u32, u32), Vec<(u32, u32)>> = BTreeMap::new();
        for (id, function) in (0..).zip(&program.functions) {
            let mut seen = HashSet::new();
            for (operation, &at) in (0..).zip(function.positions.iter()) {
                let position = &program.positions[at as usize];
                let users = program.files[position.file as usize].kind == FileKind::User;
                if position.line == 0 || !users {
                    continue;
                }
                if seen.insert((position.file, position.line, position.inlined_at)) {
                    starts.entry((position.file, position.line)).or_default().push((id, operation));
                }
            }
        }
        Lines { starts }
    }

    /// The file that is meant by a path: the one whose own path ends like it in as many parts as possible.
    pub fn file(&self, program: &Program, path: &str) -> Option<u32> {
        let wanted: Vec<_> = Path::new(path).components().rev().collect();
        let same = |file: u32| {
            let own = Path::new(&*program.files[file as usize].path);
            let own: Vec<_> = own.components().rev().collect();
            let alike = own.iter().zip(&wanted).take_while(|(one, other)| one == other).count();
            // What is relative must agree in all of its parts.
            (alike > 0 && (alike == own.len() || alike == wanted.len() || alike > 1)).then_some(alike)
        };
        let mut files: Vec<u32> = self.starts.keys().map(|(file, _)| *file).collect();
        files.dedup();
        files
            .into_iter()
            .filter_map(|file| Some((same(file)?, file)))
            .max_by_key(|(alike, _)| *alike)
            .map(|(_, file)| file)
    }

    /// The line with code at a line of a file or next behind it, and the operations with which it begins.
    pub fn find(&self, file: u32, line: u32) -> Option<(u32, &[(u32, u32)])> {
        let (&(_, line), starts) = self.starts.range((file, line)..=(file, u32::MAX)).next()?;
        Some((line, starts))
    }

    /// All lines with code of a file, between two lines.
    pub fn between(&self, file: u32, from: u32, to: u32) -> Vec<u32> {
        self.starts.range((file, from)..=(file, to.max(from))).map(|(&(_, line), _)| line).collect()
    }
}

/// A variable that is watched.
pub struct Watch {
    /// How the user calls it.
    pub name: String,
    pub item: Item,
    pub size: u64,
    /// The function in whose frame it is, if it is in one.
    function: Option<u32>,
    /// What it was when it was looked at last; nothing while the call is not running.
    value: Option<Option<Vec<u8>>>,
}

/// A watched variable has another value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub name: String,
    pub before: String,
    pub after: String,
}

impl Watch {
    pub fn new(machine: &Machine, name: String, item: Item) -> Self {
        let size = machine.inspect().program().shapes[item.shape as usize].size.max(1);
        let function = running(machine, &item);
        let mut watch = Watch { name, item, size, function, value: None };
        watch.look(machine);
        watch
    }

    /// Whether it can be watched: it has a place, and that is not too large.
    pub fn is_possible(machine: &Machine, item: &Item) -> bool {
        const LARGEST: u64 = 1 << 12;
        let size = machine.inspect().program().shapes[item.shape as usize].size;
        item.source != Source::Nowhere && (1..=LARGEST).contains(&size)
    }

    /// Takes note of its value.
    pub fn look(&mut self, machine: &Machine) {
        let there = running(machine, &self.item) == self.function;
        self.value =
            there.then(|| Viewer { machine, blocks: &mut Blocks::default() }.bytes(&self.item, self.size));
    }

    /// Takes note of its value; how it has changed, if it has.
    pub fn change(&mut self, machine: &Machine) -> Option<Change> {
        let before = self.value.take();
        self.look(machine);
        // A variable of a call that begins or ends has not changed.
        let (Some(before), Some(after)) = (before, &self.value) else { return None };
        if before == *after {
            return None;
        }
        let mut blocks = Blocks::default();
        let mut words = |value: &Option<Vec<u8>>| match value {
            Some(bytes) => crate::run::value::scalar(machine, (self.item.shape, false), bytes, &mut blocks),
            None => "nothing".to_owned(),
        };
        Some(Change { name: self.name.clone(), before: words(&before), after: words(after) })
    }
}

/// The function in whose frame an item is now.
fn running(machine: &Machine, item: &Item) -> Option<u32> {
    match &item.source {
        Source::Slots { thread, frame, .. } => {
            machine.threads().get(*thread)?.frames.get(*frame).map(|frame| frame.function)
        }
        Source::Memory(_) | Source::Nowhere => None,
    }
}
