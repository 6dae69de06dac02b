//! Source positions and names for people, from debug information.

use crate::described::Described;
use crate::llvm::{Context, Metadata, MetadataKind, Value};
use crate::shapes::ShapeId;
use crate::{FileKind, Position, SourceFile};
use rustc_hash::FxHashMap;
use std::path::{Component, Path, PathBuf};

/// Interned positions, files and function names.
pub struct Positions<'a> {
    user_root: Option<&'a Path>,
    pub positions: Vec<Position>,
    pub files: Vec<SourceFile>,
    pub function_names: Vec<Box<str>>,
    position_ids: FxHashMap<Position, u32>,
    file_ids: FxHashMap<Box<str>, u32>,
    name_ids: FxHashMap<Box<str>, u32>,
    by_location: FxHashMap<Metadata, u32>,
    by_scope: FxHashMap<Metadata, (u32, u32)>,
    by_file: FxHashMap<Metadata, u32>,
    pub described: Described,
}

/// How many scopes are followed outwards; malformed debug information may be cyclic.
const DEEPEST_SCOPE: usize = 200;

impl<'a> Positions<'a> {
    /// Nothing but the unknown position, file and name.
    pub fn new(user_root: Option<&'a Path>) -> Self {
        Positions {
            user_root,
            positions: vec![Position::default()],
            files: vec![SourceFile::default()],
            function_names: vec!["".into()],
            position_ids: FxHashMap::from_iter([(Position::default(), 0)]),
            file_ids: FxHashMap::default(),
            name_ids: FxHashMap::from_iter([("".into(), 0)]),
            by_location: FxHashMap::default(),
            by_scope: FxHashMap::default(),
            by_file: FxHashMap::default(),
            described: Described::default(),
        }
    }

    /// The position of an instruction.
    pub fn of_instruction(&mut self, context: &Context, instruction: Value) -> u32 {
        instruction.debug_location().map_or(0, |location| self.of_location(context, location, 0))
    }

    fn of_location(&mut self, context: &Context, location: Metadata, depth: usize) -> u32 {
        if let Some(&id) = self.by_location.get(&location) {
            return id;
        }
        let (line, column, scope, inlined) = location.location();
        let (file, function) = self.of_scope(context, scope);
        let inlined_at = match inlined {
            Some(outer) if depth < DEEPEST_SCOPE => self.of_location(context, outer, depth + 1),
            _ => 0,
        };
        let id = self.intern(Position { file, line, column, function, inlined_at });
        self.by_location.insert(location, id);
        id
    }

    /// File and function name of a scope.
    fn of_scope(&mut self, context: &Context, scope: Metadata) -> (u32, u32) {
        if let Some(&known) = self.by_scope.get(&scope) {
            return known;
        }
        let file = scope.scope_file().map_or(0, |file| self.of_file(file));
        let function = enclosing_subprogram(context, scope)
            .map_or(0, |subprogram| self.intern_name(&display_name(context, subprogram)));
        self.by_scope.insert(scope, (file, function));
        (file, function)
    }

    fn of_file(&mut self, file: Metadata) -> u32 {
        if let Some(&id) = self.by_file.get(&file) {
            return id;
        }
        let (directory, name) = file.file_path();
        let (path, kind) = classify(directory, name, self.user_root);
        let id = self.intern_file(path, kind);
        self.by_file.insert(file, id);
        id
    }

    fn intern_file(&mut self, path: String, kind: FileKind) -> u32 {
        if path.is_empty() {
            return 0;
        }
        if let Some(&id) = self.file_ids.get(path.as_str()) {
            return id;
        }
        let id = self.files.len() as u32;
        let path: Box<str> = path.into();
        self.files.push(SourceFile { path: path.clone(), kind });
        self.file_ids.insert(path, id);
        id
    }

    fn intern(&mut self, position: Position) -> u32 {
        let next = self.positions.len() as u32;
        *self.position_ids.entry(position.clone()).or_insert_with(|| {
            self.positions.push(position);
            next
        })
    }

    fn intern_name(&mut self, name: &str) -> u32 {
        if let Some(&id) = self.name_ids.get(name) {
            return id;
        }
        let id = self.function_names.len() as u32;
        self.function_names.push(name.into());
        self.name_ids.insert(name.into(), id);
        id
    }

    /// Name for people of a function.
    pub fn function_display(&self, context: &Context, function: Value) -> String {
        match function.subprogram() {
            Some(subprogram) => display_name(context, subprogram),
            None => function.name().to_owned(),
        }
    }

    /// Name for people, position and shape of a global variable.
    pub fn of_global(&mut self, context: &Context, global: Value) -> (String, u32, ShapeId) {
        let Some(variable) = global.global_debug_info() else {
            return (crate::symbols::readable(global.name()), 0, 0);
        };
        let operands = context.metadata_operands(variable);
        let name = operand_text(context, &operands, 1);
        let scope = operands.first().copied().flatten();
        let name = if name.is_empty() { global.name().to_owned() } else { qualified(context, scope, name) };
        let file = variable.variable_file().map_or(0, |file| self.of_file(file));
        let position =
            Position { file, line: variable.variable_line(), column: 0, function: 0, inlined_at: 0 };
        (name, self.intern(position), self.described.of_variable(context, variable))
    }

    /// Shape of a local variable; those of libraries are not asked for.
    pub fn shape_of(&mut self, context: &Context, variable: Metadata) -> ShapeId {
        let file = variable.variable_file().map_or(0, |file| self.of_file(file));
        let library = self.files[file as usize].kind == FileKind::Library;
        if library { 0 } else { self.described.of_variable(context, variable) }
    }
}

/// Name of a local variable.
pub fn variable_name(context: &Context, variable: Metadata) -> String {
    operand_text(context, &context.metadata_operands(variable), 1).to_owned()
}

fn operand_text<'c>(context: &'c Context, operands: &[Option<Metadata>], index: usize) -> &'c str {
    operands.get(index).copied().flatten().map_or("", |node| context.metadata_string(node))
}

fn enclosing_subprogram(context: &Context, mut scope: Metadata) -> Option<Metadata> {
    for _ in 0..DEEPEST_SCOPE {
        match scope.kind() {
            MetadataKind::LLVMDISubprogramMetadataKind => return Some(scope),
            MetadataKind::LLVMDILexicalBlockMetadataKind
            | MetadataKind::LLVMDILexicalBlockFileMetadataKind => {
                scope = context.metadata_operands(scope).get(1).copied().flatten()?;
            }
            _ => return None,
        }
    }
    None
}

/// Name of a subprogram with the namespaces and types around it.
fn display_name(context: &Context, subprogram: Metadata) -> String {
    // The operands of a DISubprogram begin with: file, scope, name, linkage name.
    let operands = context.metadata_operands(subprogram);
    let name = operand_text(context, &operands, 2);
    if name.is_empty() {
        return operand_text(context, &operands, 3).to_owned();
    }
    qualified(context, operands.get(1).copied().flatten(), name)
}

fn qualified(context: &Context, mut scope: Option<Metadata>, name: &str) -> String {
    let mut parts = vec![name];
    while let Some(current) = scope {
        let named = match current.kind() {
            // file, scope, name, ...
            MetadataKind::LLVMDINamespaceMetadataKind
            | MetadataKind::LLVMDICompositeTypeMetadataKind
            | MetadataKind::LLVMDISubprogramMetadataKind => true,
            MetadataKind::LLVMDILexicalBlockMetadataKind
            | MetadataKind::LLVMDILexicalBlockFileMetadataKind => false,
            _ => break,
        };
        let operands = context.metadata_operands(current);
        let part = operand_text(context, &operands, 2);
        if named && !part.is_empty() {
            parts.push(part);
        }
        if parts.len() > DEEPEST_SCOPE {
            break;
        }
        scope = operands.get(1).copied().flatten();
    }
    parts.reverse();
    parts.join("::")
}

/// Removes `.` and `..` without asking the file system.
fn normalise(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if clean.file_name().is_some() => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

/// Whether a file, given by directory and name, is a library's wherever the user's own files are.
pub fn is_library_file((directory, name): (&str, &str)) -> bool {
    !name.is_empty() && classify(directory, name, None).1 == FileKind::Library
}

/// The path to show, and whose file it is.
fn classify(directory: &str, name: &str, user_root: Option<&Path>) -> (String, FileKind) {
    if name.is_empty() {
        return (String::new(), FileKind::User);
    }
    let whole = normalise(&Path::new(directory).join(name));
    let text = whole.to_string_lossy();
    let below = user_root.and_then(|root| whole.strip_prefix(root).ok());
    let library = text.starts_with("/rustc/")
        || text.contains("/.cargo/registry/")
        || text.contains("/.cargo/git/")
        || text.contains("/rustlib/src/")
        || text.contains("/libcxx");
    let kind = match below {
        _ if library => FileKind::Library,
        Some(_) => FileKind::User,
        None if text.starts_with("/usr/") => FileKind::Library,
        None => FileKind::User,
    };
    let shown = match below {
        Some(relative) => relative.to_string_lossy().into_owned(),
        None if Path::new(name).is_relative() && kind == FileKind::User => {
            normalise(Path::new(name)).to_string_lossy().into_owned()
        }
        None => text.into_owned(),
    };
    (shown, kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_shown_relative_to_the_users_folder() {
        let root = Some(Path::new("/home/me/project"));
        let check = |directory, name, path: &str, kind| {
            assert_eq!(classify(directory, name, root), (path.to_owned(), kind));
        };
        check("/home/me/project", "src/main.rs", "src/main.rs", FileKind::User);
        check("/home/me/project/sub", "../bank.c", "bank.c", FileKind::User);
        check("/rustc/abc", "library/std/src/io.rs", "/rustc/abc/library/std/src/io.rs", FileKind::Library);
        check("/", "/usr/include/stdio.h", "/usr/include/stdio.h", FileKind::Library);
        check("/elsewhere", "bank.c", "bank.c", FileKind::User);
        check(
            "/home/me/.cargo/registry/src/x",
            "a.rs",
            "/home/me/.cargo/registry/src/x/a.rs",
            FileKind::Library,
        );
    }
}
