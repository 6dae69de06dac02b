//! Variables and their values: of frames, and of the whole program.

use super::frames::Call;
use crate::run::value::scalar;
use selvedge_machine::{Blocks, Machine};
use selvedge_program::code::Leaf;
use selvedge_program::shapes::{Encoding, Member, ShapeId, ShapeKind};
use selvedge_program::variables::{LocalVariable, Location, Piece};
use std::rc::Rc;

/// Said of what has no value any more, or never had one.
pub const OPTIMISED_OUT: &str = "<optimised out>";
/// Said of memory that was never written.
const UNINITIALISED: &str = "<uninitialised>";
/// More members and elements than this are not listed.
const MOST_CHILDREN: usize = 1_000;
/// So many members are shown in one line.
const IN_BRIEF: usize = 6;
/// Longer texts are cut.
const LONGEST_TEXT: usize = 200;

/// Where the bytes of a variable are.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    Memory(u64),
    /// In slots of a frame of a thread.
    Slots {
        thread: usize,
        frame: usize,
        pieces: Rc<[Piece]>,
    },
    Nowhere,
}

/// A variable or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub name: String,
    pub source: Source,
    /// Bytes from the beginning of the source.
    pub offset: u64,
    pub shape: ShapeId,
}

impl Item {
    /// The address, if it lies in memory.
    pub fn address(&self) -> Option<u64> {
        match self.source {
            Source::Memory(address) => Some(address.wrapping_add(self.offset)),
            Source::Slots { .. } | Source::Nowhere => None,
        }
    }
}

/// Looks at variables of a machine.
pub struct Viewer<'a> {
    pub machine: &'a Machine,
    /// What heap blocks are made of.
    pub blocks: &'a mut Blocks,
}

impl Viewer<'_> {
    /// The variables of a call, those of inner blocks first; those that another one of the same name hides are left out.
    pub fn locals(&self, thread: usize, call: &Call) -> Vec<Item> {
        let program = self.machine.inspect().program();
        let Some(frame) = self.machine.threads()[thread].frames.get(call.frame) else { return Vec::new() };
        let function = &program.functions[frame.function as usize];
        let Some(known) = &function.variables else { return Vec::new() };
        let line = program.positions[call.position as usize].line;
        let mut items: Vec<Item> = Vec::new();
        for index in known.visible(frame.pc, call.inlined) {
            let variable = &known.variables[index];
            // A variable whose declaration is still to come holds what was there before.
            let declared = variable.parameter || variable.line <= line;
            if declared && items.iter().all(|item| item.name != *variable.name) {
                items.push(self.local((thread, call.frame), variable));
            }
        }
        items
    }

    fn local(&self, (thread, frame): (usize, usize), variable: &LocalVariable) -> Item {
        let register = |slot: u32| {
            let thread = &self.machine.threads()[thread];
            let base = thread.frames[frame].base;
            thread.registers.get((base + slot) as usize).copied().unwrap_or(0)
        };
        let source = match &variable.location {
            &Location::Memory { pointer, offset } => memory(register(pointer), offset),
            &Location::Behind { pointer, offset } => {
                let at = register(pointer).wrapping_add_signed(offset);
                self.word(at).map_or(Source::Nowhere, |address| memory(address, 0))
            }
            Location::Slots(pieces) => {
                Source::Slots { thread, frame, pieces: pieces.iter().copied().collect() }
            }
            Location::Nowhere => Source::Nowhere,
        };
        Item { name: variable.name.to_string(), source, offset: 0, shape: variable.shape }
    }

    /// The global variables of the user's own files.
    pub fn globals(&self) -> Vec<Item> {
        let program = self.machine.inspect().program();
        let users = |position: u32| {
            let position = &program.positions[position as usize];
            position.line != 0
                && program.files[position.file as usize].kind == selvedge_program::FileKind::User
        };
        let shown = program.globals.iter().filter(|global| {
            users(global.position)
                && global.shape != 0
                && !global.thread_local
                && !global.display.is_empty()
                && !global.display.starts_with(['.', '_'])
        });
        shown
            .map(|global| Item {
                name: global.display.to_string(),
                source: Source::Memory(global.address),
                offset: 0,
                shape: global.shape,
            })
            .collect()
    }

    /// A variable, or a part of one such as `*list->next` or `table[3].key`, as it is named in a call.
    pub fn evaluate(&self, thread: usize, call: Option<&Call>, expression: &str) -> Result<Item, String> {
        let text = expression.trim();
        if let Some(inner) = text.strip_prefix('*') {
            let pointer = self.evaluate(thread, call, inner)?;
            return self
                .behind(&pointer)
                .ok_or_else(|| format!("`{}` is no pointer to something", inner.trim()));
        }
        if let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            return self.evaluate(thread, call, inner);
        }
        let end = |character: char| !(character.is_alphanumeric() || "_:".contains(character));
        let split = text.find(end).unwrap_or(text.len());
        let (name, mut rest) = text.split_at(split);
        let mut item =
            self.named(thread, call, name).ok_or_else(|| format!("there is no variable `{name}` here"))?;
        while !rest.is_empty() {
            let wrong = || format!("`{text}` cannot be evaluated: names, members, elements and `*` can");
            if let Some(inner) = rest.strip_prefix("->") {
                item = self
                    .behind(&item)
                    .ok_or_else(|| format!("`{}` is no pointer to something", item.name))?;
                let split = inner.find(end).unwrap_or(inner.len());
                (item, rest) = (self.member(&item, &inner[..split])?, &inner[split..]);
            } else if let Some(inner) = rest.strip_prefix('.') {
                let split = inner.find(end).unwrap_or(inner.len());
                (item, rest) = (self.member(&item, &inner[..split])?, &inner[split..]);
            } else if let Some(inner) = rest.strip_prefix('[') {
                let (index, after) = inner.split_once(']').ok_or_else(wrong)?;
                let index: u64 = index.trim().parse().map_err(|_| wrong())?;
                (item, rest) = (self.element(&item, index)?, after);
            } else {
                return Err(wrong());
            }
        }
        Ok(Item { name: text.to_owned(), ..item })
    }

    fn named(&self, thread: usize, call: Option<&Call>, name: &str) -> Option<Item> {
        let local =
            call.and_then(|call| self.locals(thread, call).into_iter().find(|item| item.name == name));
        let is = |item: &Item| item.name == name || item.name.rsplit("::").next() == Some(name);
        local.or_else(|| self.globals().into_iter().find(is))
    }

    fn member(&self, item: &Item, name: &str) -> Result<Item, String> {
        let target = match self.kind(item.shape) {
            // As Rust has it, members of what a pointer leads to are named in the same way.
            ShapeKind::Pointer(_) => self.behind(item),
            _ => Some(item.clone()),
        };
        let children = target.map_or(Vec::new(), |target| self.children(&target));
        let found = children.into_iter().find(|child| child.name == name);
        found.ok_or_else(|| format!("`{}` has no member `{name}`", item.name))
    }

    fn element(&self, item: &Item, index: u64) -> Result<Item, String> {
        let (item, element, count) = match *self.kind(item.shape) {
            ShapeKind::Array { element, count } => (item.clone(), element, count),
            ShapeKind::Pointer(to) => {
                (self.behind(item).ok_or_else(|| format!("`{}` points to nothing", item.name))?, to, u64::MAX)
            }
            _ => return Err(format!("`{}` has no elements", item.name)),
        };
        if index >= count {
            return Err(format!("`{}` has {count} elements, counted from 0", item.name));
        }
        let offset = item.offset + index * self.size(element);
        Ok(Item { name: format!("[{index}]"), offset, shape: element, ..item })
    }

    /// What a pointer leads to.
    fn behind(&self, item: &Item) -> Option<Item> {
        let &ShapeKind::Pointer(to) = self.kind(item.shape) else { return None };
        let bytes: [u8; 8] = self.bytes(item, 8)?.try_into().ok()?;
        let address = u64::from_le_bytes(bytes);
        let sensible = to != 0 && self.size(to) > 0 && self.machine.inspect().bytes_at(address, 1).is_some();
        let source = Source::Memory(address);
        sensible.then(|| Item { name: format!("*{}", item.name), source, offset: 0, shape: to })
    }

    /// Members, elements, or what a pointer leads to.
    pub fn children(&self, item: &Item) -> Vec<Item> {
        let part = |name: String, offset: u64, shape: ShapeId| Item {
            name,
            source: item.source.clone(),
            offset: item.offset + offset,
            shape,
        };
        match self.kind(item.shape) {
            ShapeKind::Struct(members) | ShapeKind::Union(members) => {
                let mut children = Vec::new();
                for member in members.iter().take(MOST_CHILDREN) {
                    let child = part(member.name.to_string(), member.offset, member.shape);
                    match member.name.is_empty() {
                        // Members of base classes and of members without a name are the compound's own.
                        true => children.extend(self.children(&child)),
                        false => children.push(child),
                    }
                }
                children
            }
            &ShapeKind::Array { element, count } => {
                let size = self.size(element);
                let count = count.min(MOST_CHILDREN as u64);
                (0..count).map(|index| part(format!("[{index}]"), index * size, element)).collect()
            }
            ShapeKind::Variants(_) => self.variant(item).map_or(Vec::new(), |case| self.children(&case)),
            ShapeKind::Pointer(_) => self.behind(item).into_iter().collect(),
            ShapeKind::Opaque | ShapeKind::Number(_) | ShapeKind::Enum(_) => Vec::new(),
        }
    }

    /// The variant of an enum of Rust's that is there.
    fn variant(&self, item: &Item) -> Option<Item> {
        let ShapeKind::Variants(variants) = self.kind(item.shape) else { return None };
        let part = |member: &Member| Item {
            name: member.name.to_string(),
            offset: item.offset + member.offset,
            shape: member.shape,
            ..item.clone()
        };
        let size = self.size(variants.tag.shape);
        let bytes = self.bytes(&part(&variants.tag), size)?;
        let mut word = [0; 8];
        word.get_mut(..bytes.len())?.copy_from_slice(&bytes);
        variants.case(u64::from_le_bytes(word), size).map(part)
    }

    /// The value of an item in one line.
    pub fn text(&mut self, item: &Item) -> String {
        self.text_within(item, 2)
    }

    fn text_within(&mut self, item: &Item, depth: usize) -> String {
        if item.source == Source::Nowhere {
            return OPTIMISED_OUT.to_owned();
        }
        let size = self.size(item.shape);
        match self.kind(item.shape).clone() {
            ShapeKind::Struct(_) | ShapeKind::Union(_) if depth > 0 => {
                if let Some(text) = self.string(item) {
                    return text;
                }
                let children = self.children(item);
                let more = if children.len() > IN_BRIEF { ", .." } else { "" };
                let shown = children.iter().take(IN_BRIEF);
                let parts: Vec<String> = shown
                    .map(|child| format!("{}: {}", child.name, self.text_within(child, depth - 1)))
                    .collect();
                shortened_text(format!("{{{}{more}}}", parts.join(", ")))
            }
            ShapeKind::Array { element, count } if depth > 0 => {
                if let Some(text) = self.characters(item, element, count) {
                    return text;
                }
                let children = self.children(item);
                let more = if count > IN_BRIEF as u64 { ", .." } else { "" };
                let shown = children.iter().take(IN_BRIEF);
                let parts: Vec<String> = shown.map(|child| self.text_within(child, depth - 1)).collect();
                shortened_text(format!("[{}{more}]", parts.join(", ")))
            }
            ShapeKind::Variants(_) => match self.variant(item) {
                None => "<no variant>".to_owned(),
                Some(case) if depth == 0 || self.children(&case).is_empty() => case.name,
                Some(case) => format!("{} {}", case.name, self.text_within(&case, depth)),
            },
            ShapeKind::Struct(_) | ShapeKind::Union(_) => "{..}".to_owned(),
            ShapeKind::Array { .. } => "[..]".to_owned(),
            ShapeKind::Opaque if size == 0 => "{}".to_owned(),
            ShapeKind::Opaque if size > 16 => format!("({size} bytes)"),
            kind => {
                let missing = match item.source {
                    Source::Memory(_) => UNINITIALISED,
                    Source::Slots { .. } | Source::Nowhere => OPTIMISED_OUT,
                };
                let Some(bytes) = self.bytes(item, size) else { return missing.to_owned() };
                let text = scalar(self.machine, (item.shape, false), &bytes, self.blocks);
                match kind {
                    ShapeKind::Pointer(to) => match self.string_at(&bytes, to) {
                        Some(string) => format!("{text} {string}"),
                        None => text,
                    },
                    _ => text,
                }
            }
        }
    }

    /// The type of an item.
    pub fn type_name(&self, item: &Item) -> String {
        self.name_of(item.shape, 0)
    }

    fn name_of(&self, shape: ShapeId, depth: usize) -> String {
        let program = self.machine.inspect().program();
        let known = &program.shapes[shape as usize];
        match &known.kind {
            _ if !known.name.is_empty() => known.name.to_string(),
            ShapeKind::Pointer(0) => "void *".to_owned(),
            ShapeKind::Pointer(to) if depth < 4 => format!("{} *", self.name_of(*to, depth + 1)),
            ShapeKind::Array { element, count } if depth < 4 => {
                format!("{}[{count}]", self.name_of(*element, depth + 1))
            }
            _ => String::new(),
        }
    }

    /// The bytes of an item; nothing unless all of them are known.
    pub fn bytes(&self, item: &Item, len: u64) -> Option<Vec<u8>> {
        match &item.source {
            Source::Memory(address) => {
                self.machine.inspect().bytes_at(address.wrapping_add(item.offset), usize::try_from(len).ok()?)
            }
            Source::Slots { thread, frame, pieces } => {
                self.slots((*thread, *frame), pieces, (item.offset, len))
            }
            Source::Nowhere => None,
        }
    }

    /// Bytes out of slots.
    fn slots(
        &self,
        (thread, frame): (usize, usize),
        pieces: &[Piece],
        (from, len): (u64, u64),
    ) -> Option<Vec<u8>> {
        const LARGEST: u64 = 1 << 16;
        let thread = self.machine.threads().get(thread)?;
        let frame = thread.frames.get(frame)?;
        let mut found = vec![None; usize::try_from(len.min(LARGEST)).ok()?];
        for piece in pieces {
            let mut bytes = Vec::new();
            let slots = if piece.leaf == Leaf::Ptr { 1 } else { piece.leaf.slots() };
            for slot in piece.slot..piece.slot + slots {
                let undefined = frame.undefined.as_ref().and_then(|undefined| undefined.get(&slot)).copied();
                let word = thread.registers.get((frame.base + slot) as usize)?.to_le_bytes();
                let mask = undefined.unwrap_or(0).to_le_bytes();
                bytes.extend(word.into_iter().zip(mask).map(|(byte, mask)| (mask == 0).then_some(byte)));
            }
            for (index, byte) in bytes.into_iter().take(piece.leaf.bytes() as usize).enumerate() {
                let at = (piece.offset + index as u64).checked_sub(from);
                if let Some(place) = at.and_then(|at| found.get_mut(at as usize)) {
                    *place = byte;
                }
            }
        }
        found.into_iter().collect()
    }

    fn kind(&self, shape: ShapeId) -> &ShapeKind {
        &self.machine.inspect().program().shapes[shape as usize].kind
    }

    fn size(&self, shape: ShapeId) -> u64 {
        self.machine.inspect().program().shapes[shape as usize].size
    }

    fn word(&self, address: u64) -> Option<u64> {
        Some(u64::from_le_bytes(self.machine.inspect().bytes_at(address, 8)?.try_into().ok()?))
    }

    fn is_character(&self, shape: ShapeId) -> bool {
        self.size(shape) == 1 && matches!(self.kind(shape), ShapeKind::Number(Encoding::Character))
    }

    /// An array of characters as text.
    fn characters(&self, item: &Item, element: ShapeId, count: u64) -> Option<String> {
        let bytes = self.is_character(element).then(|| self.bytes(item, count)).flatten()?;
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        Some(quoted(&bytes[..end]))
    }

    /// The text that a pointer to characters leads to.
    fn string_at(&self, pointer: &[u8], to: ShapeId) -> Option<String> {
        let address = u64::from_le_bytes(pointer.try_into().ok()?);
        self.is_character(to).then_some(())?;
        let byte = |at: u64| Some(self.machine.inspect().bytes_at(address.wrapping_add(at), 1)?[0]);
        let mut bytes = Vec::new();
        while bytes.len() < LONGEST_TEXT {
            match byte(bytes.len() as u64)? {
                0 => return Some(quoted(&bytes)),
                byte => bytes.push(byte),
            }
        }
        Some(format!("{}..", quoted(&bytes)))
    }

    /// Strings of Rust and C++ as text.
    fn string(&self, item: &Item) -> Option<String> {
        let program = self.machine.inspect().program();
        let known = &program.shapes[item.shape as usize];
        let (pointer, length) = match &*known.name {
            "&str" | "String" => {
                let (mut pointer, mut length) = (None, None);
                self.find_text(item, &mut pointer, &mut length, 0);
                (pointer?, length?)
            }
            // libc++ keeps short strings in the object itself.
            name if (name == "string" || name.starts_with("basic_string<char,")) && known.size == 24 => {
                let bytes = self.bytes(item, 1)?;
                let word = |at: u64| {
                    let part = Item { offset: item.offset + at, ..item.clone() };
                    Some(u64::from_le_bytes(self.bytes(&part, 8)?.try_into().ok()?))
                };
                match bytes[0] & 1 {
                    0 => (item.address()? + 1, u64::from(bytes[0] >> 1)),
                    _ => (word(16)?, word(8)?),
                }
            }
            _ => return None,
        };
        let shown = length.min(LONGEST_TEXT as u64);
        let bytes = self.machine.inspect().bytes_at(pointer, shown as usize)?;
        Some(quoted(&bytes) + if shown < length { ".." } else { "" })
    }

    /// Where the bytes of a string of Rust's are, and how many.
    fn find_text(&self, item: &Item, pointer: &mut Option<u64>, length: &mut Option<u64>, depth: usize) {
        for child in self.children(item) {
            let word = || Some(u64::from_le_bytes(self.bytes(&child, 8)?.try_into().ok()?));
            match (child.name.as_str(), self.kind(child.shape)) {
                ("len" | "length", _) => *length = word(),
                (_, ShapeKind::Pointer(_)) => *pointer = pointer.or_else(word),
                (_, ShapeKind::Struct(_)) if depth < 6 => self.find_text(&child, pointer, length, depth + 1),
                _ => {}
            }
        }
    }
}

fn memory(address: u64, offset: i64) -> Source {
    Source::Memory(address.wrapping_add_signed(offset))
}

fn quoted(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => format!("{text:?}"),
        Err(_) => format!("\"{}\"", bytes.escape_ascii()),
    }
}

fn shortened_text(text: String) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((at, _)) => format!("{}..", &text[..at]),
        None => text,
    }
}
