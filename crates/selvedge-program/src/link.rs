//! Links modules by symbol, as a linker does, and hands out identities and addresses.
//!
//! Nothing gets an identity before something reachable refers to it: what [`Linker::resolve`] is never asked for is not
//! part of the program.

use crate::archive::{Archives, MemberId};
use crate::code::{Callee, ExternalId, FunctionId, GlobalId};
use crate::constants::Scalar;
use crate::llvm::{Context, Linkage, Module, Value, ValueKind};
use crate::positions::Positions;
use crate::types::Types;
use crate::volatile::make_atomic;
use crate::{
    CODE_BASE, EXTERNAL_BASE, External, GLOBAL_BASE, LoadError, LoadRequest, ModuleBytes, PointerTarget,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// How much a definition insists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Strength {
    /// A copy for the optimiser: only if there is nothing else.
    Copy,
    Weak,
    Common,
    Strong,
}

#[derive(Clone, Copy)]
struct Symbol {
    value: Value,
    strength: Strength,
    module: usize,
}

/// A module that was read.
pub struct Loaded {
    name: String,
    pub module: Module,
    from_archive: bool,
}

/// A global that is part of the program.
pub struct LinkedGlobal {
    /// Its definition, or a declaration if there is none.
    pub value: Value,
    pub address: u64,
    pub size: u64,
    pub align: u32,
}

/// The state of linking.
pub struct Linker<'a> {
    pub context: Context,
    pub types: Types,
    pub positions: Positions<'a>,
    request: &'a LoadRequest<'a>,
    archives: &'a Archives<'a>,
    modules: Vec<Loaded>,
    symbols: FxHashMap<&'static str, Symbol>,
    pulled: FxHashSet<MemberId>,
    /// Definitions of the functions that are part of the program.
    pub functions: Vec<Value>,
    pub globals: Vec<LinkedGlobal>,
    pub externals: Vec<External>,
    external_ids: FxHashMap<Box<str>, ExternalId>,
    undefined_globals: FxHashMap<&'static str, GlobalId>,
    resolved: FxHashMap<Value, Scalar>,
    next_address: u64,
    /// The first failure while pulling members in; the place that needed the member cannot report it.
    pub failure: Option<LoadError>,
}

fn strength(value: Value) -> Option<Strength> {
    Some(match value.linkage() {
        Linkage::LLVMExternalLinkage | Linkage::LLVMDLLExportLinkage => Strength::Strong,
        Linkage::LLVMAvailableExternallyLinkage => Strength::Copy,
        Linkage::LLVMCommonLinkage => Strength::Common,
        Linkage::LLVMLinkOnceAnyLinkage
        | Linkage::LLVMLinkOnceODRLinkage
        | Linkage::LLVMLinkOnceODRAutoHideLinkage
        | Linkage::LLVMWeakAnyLinkage
        | Linkage::LLVMWeakODRLinkage => Strength::Weak,
        _ => return None,
    })
}

/// Is the symbol visible to its own module only?
pub fn is_local(value: Value) -> bool {
    matches!(
        value.linkage(),
        Linkage::LLVMInternalLinkage
            | Linkage::LLVMPrivateLinkage
            | Linkage::LLVMLinkerPrivateLinkage
            | Linkage::LLVMLinkerPrivateWeakLinkage
    )
}

/// The mangled name of a Rust function without the number that tells crates of the same name apart, which is another one
/// with every compiler, and without the crate for which the function was compiled, if that is not its own. `None` if it is
/// no such name.
pub fn without_crate_number(name: &str) -> Option<Cow<'_, str>> {
    if name.starts_with("_R") {
        let (before, (_, after)) =
            name.split_once("Cs").and_then(|(a, rest)| Some((a, rest.split_once('_')?)))?;
        let after = after.rsplit_once("Cs").filter(|(_, user)| is_crate(user)).map_or(after, |(own, _)| own);
        return Some(format!("{before}C{after}").into());
    }
    // The older mangling: a hash of 16 digits at the end.
    let all = name.strip_prefix("_ZN").and_then(|_| name.strip_suffix('E'))?;
    let (before, hash) = all.split_at_checked(all.len().checked_sub(19)?)?;
    let digits = hash.strip_prefix("17h")?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(before.into())
}

/// Whether this is the number and the name of a crate and nothing more.
fn is_crate(mangled: &str) -> bool {
    let Some((number, name)) = mangled.split_once('_') else { return false };
    let digits = name.len() - name.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let length = name[..digits].parse::<usize>();
    number.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && length.is_ok_and(|length| name[digits..].trim_start_matches('_').len() == length)
}

/// Space between two globals, so that running over the end of one never meets another.
const GAP: u64 = 16;
/// Room for an undefined global whose size the program does not say.
const UNKNOWN_SIZE: u64 = 256;

impl<'a> Linker<'a> {
    /// Whether the variables of functions are to be kept.
    pub fn keeps_variables(&self) -> bool {
        self.request.keep_variables
    }

    /// Loads the modules that are always part of the program.
    pub fn new(request: &'a LoadRequest<'a>, archives: &'a Archives<'a>) -> Result<Self, LoadError> {
        let mut context = Context::new();
        let mut modules = Vec::new();
        for bytes in &request.modules {
            modules.push(parse(&mut context, bytes, false)?);
        }
        if let Some(order) = request.volatile {
            modules.iter().for_each(|linked| make_atomic(linked.module, order));
        }
        let Some(first) = modules.first() else {
            return Err(LoadError::NoMain);
        };
        let mut linker = Linker {
            types: Types::new(first.module.data_layout()),
            positions: Positions::new(request.user_root),
            context,
            request,
            archives,
            modules,
            symbols: FxHashMap::default(),
            pulled: FxHashSet::default(),
            functions: Vec::new(),
            globals: Vec::new(),
            externals: Vec::new(),
            external_ids: FxHashMap::default(),
            undefined_globals: FxHashMap::default(),
            resolved: FxHashMap::default(),
            next_address: GLOBAL_BASE,
            failure: None,
        };
        for index in 0..linker.modules.len() {
            linker.add_symbols(index)?;
        }
        Ok(linker)
    }

    /// Number of modules so far; pulling members in makes it grow.
    pub fn module_count(&self) -> usize {
        self.modules.len()
    }

    /// A module.
    pub fn module(&self, index: usize) -> Module {
        self.modules[index].module
    }

    fn add_symbols(&mut self, index: usize) -> Result<(), LoadError> {
        let module = self.modules[index].module;
        let from_archive = self.modules[index].from_archive;
        let definitions = module
            .functions()
            .chain(module.globals())
            .filter(|value| !value.is_declaration())
            .chain(module.aliases())
            .chain(module.ifuncs());
        for value in definitions {
            let Some(strength) = strength(value) else { continue };
            let name = value.name();
            if name.starts_with("llvm.") || from_archive && (self.request.modelled)(name) {
                continue;
            }
            let symbol = Symbol { value, strength, module: index };
            match self.symbols.get_mut(name) {
                None => {
                    self.symbols.insert(name, symbol);
                }
                Some(old) if old.strength == Strength::Strong && strength == Strength::Strong => {
                    if from_archive {
                        continue;
                    }
                    return Err(LoadError::DuplicateSymbol {
                        symbol: name.to_owned(),
                        first: self.modules[old.module].name.clone(),
                        second: self.modules[index].name.clone(),
                    });
                }
                Some(old) if old.strength == Strength::Common && strength == Strength::Common => {
                    let size = |value: Value| self.types.data().size(value.value_type());
                    if size(value) > size(old.value) {
                        *old = symbol;
                    }
                }
                Some(old) if old.strength < strength => *old = symbol,
                Some(_) => {}
            }
        }
        Ok(())
    }

    fn pull(&mut self, member: MemberId) -> Result<(), LoadError> {
        if !self.pulled.insert(member) {
            return Ok(());
        }
        let (name, bytes) = self.archives.read(member)?;
        let loaded = parse(&mut self.context, &ModuleBytes { name: &name, bytes }, true)?;
        self.modules.push(loaded);
        self.add_symbols(self.modules.len() - 1)
    }

    /// The definition of a symbol, after pulling in the member that has it if need be.
    fn definition(&mut self, name: &str) -> Option<Value> {
        let modelled = (self.request.modelled)(name);
        // A program may have its own `malloc`, but not its own copy of Rust's library: it was only compiled with it.
        if let Some(symbol) = self.symbols.get(name)
            && symbol.strength > Strength::Copy
            && !(modelled && without_crate_number(name).is_some())
        {
            return Some(symbol.value);
        }
        if modelled {
            return None;
        }
        if let Some(member) = self.archives.find(name)
            && !self.pulled.contains(&member)
            && let Err(error) = self.pull(member)
        {
            self.failure.get_or_insert(error);
        }
        self.symbols.get(name).map(|symbol| symbol.value).or_else(|| self.rust_function(name))
    }

    /// A function that the program has from a Rust library, by its name without the crate's number. Linking has made
    /// it local.
    fn rust_function(&self, name: &str) -> Option<Value> {
        let functions =
            self.modules.iter().filter(|_| name.starts_with("_R")).flat_map(|m| m.module.functions());
        functions.into_iter().find(|function| {
            let found = !function.is_declaration() && is_local(*function);
            found && without_crate_number(function.name()).is_some_and(|own| own == name)
        })
    }

    /// Is it a definition that lost against one in another module?
    pub fn is_superseded(&self, value: Value) -> bool {
        let global =
            matches!(value.kind(), ValueKind::LLVMGlobalVariableValueKind | ValueKind::LLVMFunctionValueKind);
        global
            && self.symbols.get(value.name()).is_some_and(|symbol| !is_local(value) && symbol.value != value)
    }

    /// A function that the program defines, by name.
    pub fn function_named(&mut self, name: &str) -> Option<FunctionId> {
        let value = self.definition(name)?;
        match self.resolve(value) {
            Scalar::Pointer { target: Some(PointerTarget::Function(id)), .. } => Some(id),
            _ => None,
        }
    }

    /// Whether the machine models a function itself.
    pub fn models(&self, name: &str) -> bool {
        (self.request.modelled)(name)
    }

    /// A function of the C library that no module mentions: the program's own, or an external one.
    pub fn library_function(&mut self, name: &str) -> Callee {
        if let Some(id) = self.function_named(name) {
            return Callee::Function(id);
        }
        let known = self.external_ids.get(name).copied();
        Callee::External(known.unwrap_or_else(|| self.add_external(name, false)))
    }

    fn add_external(&mut self, name: &str, weak: bool) -> ExternalId {
        let id = self.externals.len() as ExternalId;
        let address = EXTERNAL_BASE + u64::from(id) * 16;
        self.externals.push(External { name: name.into(), address, weak });
        self.external_ids.insert(name.into(), id);
        id
    }

    /// What a function, global, alias or ifunc stands for.
    pub fn resolve(&mut self, value: Value) -> Scalar {
        if let Some(scalar) = self.resolved.get(&value) {
            return scalar.clone();
        }
        // What a Rust library needs only itself is local to one of its modules.
        let definition = if is_local(value) {
            let modelled =
                (self.request.modelled)(value.name()) && without_crate_number(value.name()).is_some();
            Some(value).filter(|_| !modelled)
        } else {
            // Weak references pull members in too: the archives stand for what would be shared libraries.
            self.definition(value.name())
        };
        let scalar = match definition {
            Some(definition) if definition != value => self.resolve(definition),
            Some(definition) => self.define(definition),
            None => self.undefined(value),
        };
        self.resolved.insert(value, scalar.clone());
        scalar
    }

    fn define(&mut self, value: Value) -> Scalar {
        match value.kind() {
            ValueKind::LLVMFunctionValueKind => {
                let id = self.functions.len() as FunctionId;
                self.functions.push(value);
                Scalar::pointer(PointerTarget::Function(id), CODE_BASE + u64::from(id) * 16)
            }
            ValueKind::LLVMGlobalAliasValueKind => {
                // An alias cannot be cyclic: the verifier saw to that.
                self.evaluate(value.aliasee()).unwrap_or(Scalar::Undefined)
            }
            ValueKind::LLVMGlobalVariableValueKind => self.add_global(value),
            _ => self.undefined(value),
        }
    }

    fn undefined(&mut self, value: Value) -> Scalar {
        let name = value.name();
        let weak = value.linkage() == Linkage::LLVMExternalWeakLinkage;
        match value.kind() {
            ValueKind::LLVMGlobalVariableValueKind if weak => Scalar::Int(0),
            ValueKind::LLVMGlobalVariableValueKind => {
                if let Some(&id) = self.undefined_globals.get(name) {
                    let address = self.globals[id as usize].address;
                    return Scalar::pointer(PointerTarget::Global(id), address);
                }
                let id = self.globals.len() as GlobalId;
                self.undefined_globals.insert(name, id);
                self.add_global(value)
            }
            _ => {
                let id = match self.external_ids.get(name) {
                    Some(&id) => id,
                    None => self.add_external(name, weak),
                };
                // One strong reference is enough to make it strong.
                self.externals[id as usize].weak &= weak;
                Scalar::pointer(PointerTarget::External(id), EXTERNAL_BASE + u64::from(id) * 16)
            }
        }
    }

    fn add_global(&mut self, value: Value) -> Scalar {
        let ty = value.value_type();
        let data = self.types.data();
        let (size, align) = match ty.is_sized() {
            true => (data.size(ty), value.align().max(data.align(ty)).max(1)),
            false => (0, 16),
        };
        let step = u64::from(align.max(16));
        let address = self.next_address.next_multiple_of(step);
        let room = if value.is_declaration() { size.max(UNKNOWN_SIZE) } else { size.max(1) };
        self.next_address = address + room + GAP;
        let id = self.globals.len() as GlobalId;
        self.globals.push(LinkedGlobal { value, address, size, align });
        Scalar::pointer(PointerTarget::Global(id), address)
    }
}

/// Reads a module and writes it anew.
pub fn rewrite(bytes: &ModuleBytes) -> Result<Vec<u8>, LoadError> {
    let mut context = Context::new();
    parse(&mut context, bytes, false).map(|loaded| loaded.module.bitcode())
}

pub fn parse(context: &mut Context, bytes: &ModuleBytes, from_archive: bool) -> Result<Loaded, LoadError> {
    let name = bytes.name.to_owned();
    let module = match context.parse(bytes.name, bytes.bytes) {
        Ok(module) => module,
        Err(detail) => return Err(explain(name, bytes.bytes, detail)),
    };
    let data = module.data_layout();
    let triple = module.triple();
    // A module without a triple (hand-written IR) is taken at its data layout's word.
    let fits = triple.is_empty() || triple.starts_with("x86_64");
    if !fits || !data.little_endian() || data.pointer_bytes() != 8 {
        let target = if triple.is_empty() { "an unknown target".to_owned() } else { triple };
        return Err(LoadError::WrongTarget { name, target });
    }
    Ok(Loaded { name, module, from_archive })
}

/// Turns LLVM's complaint into one of ours.
fn explain(name: String, bytes: &[u8], detail: String) -> LoadError {
    let bitcode = bytes.starts_with(b"BC\xC0\xDE") || bytes.starts_with(&[0xDE, 0xC0, 0x17, 0x0B]);
    if !bitcode {
        let detail = detail.lines().next().unwrap_or("empty").trim_start_matches("; ").to_owned();
        return LoadError::NotBitcode { name, detail };
    }
    let reader = crate::llvm::version();
    let producer = detail.split("Producer: '").nth(1).and_then(|rest| rest.split('\'').next());
    let major = |text: &str| -> u32 {
        let digits = text.trim_start_matches("LLVM").trim_start();
        digits.split('.').next().and_then(|number| number.parse().ok()).unwrap_or(0)
    };
    match producer {
        Some(producer) if major(producer) > major(&reader) => {
            LoadError::NewerLlvm { name, producer: producer.to_owned(), reader }
        }
        _ => LoadError::Damaged { name, detail: detail.lines().next().unwrap_or("?").to_owned() },
    }
}

#[cfg(test)]
mod tests {
    use super::without_crate_number;

    #[test]
    fn rust_names_lose_what_differs_between_compilers() {
        let plain = |name| without_crate_number(name).map(|name| name.into_owned());
        assert_eq!(plain("_RNvCs1a_3std5leave").as_deref(), Some("_RNvC3std5leave"));
        assert_eq!(plain("_RNvCs1a_3std5leaveCs5awbPcLx1tp_5chan1").as_deref(), Some("_RNvC3std5leave"));
        assert_eq!(plain("_ZN3std5leave17h0f9c2937664d629fE").as_deref(), Some("_ZN3std5leave"));
        for other in
            ["_ZNE", "_ZN3foo3barEv", "_ZN4name3getE", "_R", "main", "_ZN3std5leave17h0f9c2937664d62-fE"]
        {
            assert_eq!(plain(other), None, "{other}");
        }
    }
}
