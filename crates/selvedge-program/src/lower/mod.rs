//! Lowers one function to register code.
//!
//! First the function is looked at as a whole (`body`, `carriers`, `plan`), then each block is emitted in turn.
//! What cannot be lowered becomes [`Op::Unsupported`] in its place: only a run that gets there is stopped.

mod arithmetic;
mod assembly;
pub mod body;
mod calls;
mod carriers;
mod control;
mod emit;
mod intervals;
mod intrinsics;
mod memory;
mod operands;
mod pairs;
mod parking;
mod plan;
mod variables;
mod vectors;

pub use parking::PARK;

use crate::code::*;
use crate::link::Linker;
use crate::llvm::{Opcode, Value};
use crate::outline::unique_name;
use crate::promote::{Promotion, Role, promote};
use crate::types::Layout;
use body::{Body, ValueId};
use emit::{Code, Label};
use intervals::{Holder, Interval};
use plan::{Form, Plan};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Why an instruction has no lowering.
type Lowered = Result<(), String>;

const NOWHERE: Slot = Slot::MAX;

/// The lowering of one function.
struct Lowering<'l, 'a> {
    linker: &'l mut Linker<'a>,
    function: Value,
    id: FunctionId,
    body: Body,
    promotion: Promotion,
    plan: Plan,
    code: Code,
    /// First slot of each value.
    places: Vec<Slot>,
    /// What has to be added to a pointer's slots.
    offsets: FxHashMap<ValueId, i32>,
    /// First slot of each promoted local.
    local_places: Vec<Slot>,
    /// Constants and other helpers that the block at hand has in slots already.
    constants: FxHashMap<Value, Slot>,
    adjusted: FxHashMap<ValueId, Slot>,
    /// Constants that were put into slots when the function began.
    hoisted: FxHashMap<Value, Slot>,
    /// The block at hand is part of a loop.
    in_loop: bool,
    /// Slots to be given back at the end of the instruction and of the block.
    temporaries: Vec<(Slot, u32)>,
    block_temporaries: Vec<(Slot, u32)>,
    block_labels: Vec<Label>,
    /// Landing pads that can be entered without moving values.
    landing_labels: FxHashMap<u32, Label>,
    /// Entries of landing pads that the invoke at hand still has to emit.
    pending_landings: Vec<(u32, Label)>,
    names: FxHashMap<Value, (String, crate::shapes::ShapeId)>,
}

/// Intervals by their starts and by their ends.
struct Events {
    starts: Vec<(u32, Holder)>,
    ends: Vec<(u32, Holder)>,
    next_start: usize,
    next_end: usize,
}

impl Events {
    /// With `keep_all`, no slots are used twice: after a longjmp, what was live at the setjmp is needed again.
    fn new(intervals: &[Interval], keep_all: bool) -> Self {
        let mut starts: Vec<_> = intervals.iter().map(|interval| (interval.start, interval.holder)).collect();
        let mut ends: Vec<_> = intervals.iter().map(|interval| (interval.end, interval.holder)).collect();
        if keep_all {
            ends.clear();
        }
        starts.sort_by_key(|&(at, _)| at);
        ends.sort_by_key(|&(at, _)| at);
        Events { starts, ends, next_start: 0, next_end: 0 }
    }

    fn begun(&mut self, at: u32) -> Option<Holder> {
        let &(start, holder) = self.starts.get(self.next_start)?;
        (start <= at).then(|| {
            self.next_start += 1;
            holder
        })
    }

    fn ended(&mut self, at: u32) -> Option<Holder> {
        let &(end, holder) = self.ends.get(self.next_end)?;
        (end <= at).then(|| {
            self.next_end += 1;
            holder
        })
    }
}

/// Lowers a defined function.
pub fn lower(linker: &mut Linker, function: Value, id: FunctionId) -> Function {
    let body = Body::new(function);
    // What a debugger shows must not be overwritten by what comes later.
    let keep_all = linker.keeps_variables();
    let returns_twice = calls_setjmp(&body);
    let mut promotion = match returns_twice {
        true => Promotion { locals: Vec::new(), roles: vec![Role::Plain; body.insts.len()] },
        false => promote(linker, &body),
    };
    let carries = carriers::find(&body, &mut promotion);
    let plan = plan::plan(linker, &body, &promotion, carries);
    let places = vec![NOWHERE; body.value_count()];
    let mut lowering = Lowering {
        linker,
        function,
        id,
        body,
        promotion,
        plan,
        code: Code::default(),
        places,
        offsets: FxHashMap::default(),
        local_places: Vec::new(),
        constants: FxHashMap::default(),
        adjusted: FxHashMap::default(),
        hoisted: FxHashMap::default(),
        in_loop: false,
        temporaries: Vec::new(),
        block_temporaries: Vec::new(),
        block_labels: Vec::new(),
        landing_labels: FxHashMap::default(),
        pending_landings: Vec::new(),
        names: FxHashMap::default(),
    };
    let mut function = lowering.run(returns_twice || keep_all);
    if keep_all {
        function.variables = Some(Box::new(lowering.variables(&function.sites)));
    }
    function
}

/// Functions that return twice; the machine must see them as operations.
pub fn is_setjmp(name: &str) -> bool {
    matches!(name, "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" | "__setjmp")
}

/// By convention of the verification competition, what functions with these names do is one step to all others.
fn is_atomic(name: &str) -> bool {
    let section = ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"].contains(&name);
    name.starts_with("__VERIFIER_atomic_") && !section
}

/// By convention of the verification competition, functions with these names assume what they are given; their own
/// code, which ends the program otherwise, is for native runs.
fn is_assumption(name: &str) -> bool {
    matches!(name, "__VERIFIER_assume" | "assume_abort_if_not")
}

fn calls_setjmp(body: &Body) -> bool {
    body.insts.iter().any(|inst| {
        matches!(inst.opcode, Opcode::LLVMCall | Opcode::LLVMInvoke)
            && is_setjmp(inst.value.called_value().name())
    })
}

impl Lowering<'_, '_> {
    fn run(&mut self, keep_all: bool) -> Function {
        let mut parameters = Vec::new();
        for (index, parameter) in self.function.parameters().enumerate() {
            let layout = self.layout(parameter);
            self.places[index] = self.code.frame.take(layout.slots);
            parameters.extend(layout.leaves.iter().map(|leaf| leaf.leaf));
        }
        let parameter_slots = self.code.frame.size;
        self.local_places = vec![NOWHERE; self.promotion.locals.len()];
        for _ in 0..self.body.blocks.len() {
            let label = self.code.label();
            self.block_labels.push(label);
        }
        self.collect_names();
        let mut events = Events::new(&self.plan.intervals, keep_all);
        let loops = self.body.loops();
        if is_atomic(self.function.name()) {
            self.call_library("__VERIFIER_atomic_begin", &[]);
        }
        if self.function.name() == "reach_error" {
            self.call_library("__selvedge_reach_error", &[]);
        }
        if let (true, Some(&leaf)) = (is_assumption(self.function.name()), parameters.first()) {
            self.call_library("selvedge_assume", &[(self.places[0], leaf)]);
        }
        for (block, in_loop) in loops.into_iter().enumerate() {
            self.in_loop = in_loop;
            self.lower_block(block as u32, &mut events);
        }
        self.take_block_addresses();
        let mut function = std::mem::take(&mut self.code).finish();
        let ty = self.function.value_type();
        function.name = self.function.name().into();
        function.unique = unique_name(self.function).into();
        function.display = self.linker.positions.function_display(&self.linker.context, self.function).into();
        function.address = crate::CODE_BASE + u64::from(self.id) * 16;
        function.parameter_slots = parameter_slots;
        function.parameters = parameters.into();
        function.result_slots = self.linker.types.slots(ty.return_type());
        let results = self.linker.types.layout(ty.return_type());
        function.results = results.leaves.iter().map(|leaf| leaf.leaf).collect();
        function.variadic = ty.is_variadic().then(|| self.taken_by_parameters());
        function
    }

    /// Names and shapes of the variables that debug records declare.
    fn collect_names(&mut self) {
        for inst in &self.body.insts {
            let (names, context) = (&mut self.names, &self.linker.context);
            let positions = &mut self.linker.positions;
            inst.value.declared_variables(|value, variable| {
                names.entry(value).or_insert_with(|| {
                    let name = crate::positions::variable_name(context, variable);
                    (name, positions.shape_of(context, variable))
                });
            });
        }
    }

    /// Gives slots to what is written before its own instruction is reached: locals, phis, landing pads.
    fn begin(&mut self, holder: Holder) {
        match holder {
            Holder::Local(local) => {
                let slots = self.promotion.locals[local as usize].slots();
                self.local_places[local as usize] = match self.plan.adopted[local as usize] {
                    Some(parameter) => self.places[parameter as usize],
                    None => self.code.frame.take(slots),
                };
            }
            Holder::Value(id) => {
                let Some(index) = self.body.inst_of(id) else { return };
                let inst = self.body.insts[index as usize];
                if matches!(inst.opcode, Opcode::LLVMPHI | Opcode::LLVMLandingPad) {
                    let slots = self.slots_of(inst.value);
                    self.places[id as usize] = self.code.frame.take(slots);
                }
            }
        }
    }

    /// Takes slots back.
    fn end(&mut self, holder: Holder) {
        let (place, slots) = match holder {
            Holder::Local(local) if self.plan.adopted[local as usize].is_some() => return,
            Holder::Local(local) => {
                (self.local_places[local as usize], self.promotion.locals[local as usize].slots())
            }
            Holder::Value(id) => {
                let Some(index) = self.body.inst_of(id) else { return };
                (self.places[id as usize], self.slots_of(self.body.insts[index as usize].value))
            }
        };
        if place != NOWHERE {
            self.code.frame.give(place, slots);
        }
    }

    fn lower_block(&mut self, block: u32, events: &mut Events) {
        self.code.place(self.block_labels[block as usize]);
        let (first, end) = (self.body.blocks[block as usize].first, self.body.blocks[block as usize].end);
        for index in first..end {
            while let Some(holder) = events.begun(index) {
                self.begin(holder);
            }
            let inst = self.body.insts[index as usize];
            self.code.position = self.linker.positions.of_instruction(&self.linker.context, inst.value);
            self.code.site = inst.site;
            if let Err(what) = self.lower_instruction(index) {
                self.code.unsupported(what);
                self.give_up(index);
            }
            for (slot, count) in std::mem::take(&mut self.temporaries) {
                self.code.frame.give(slot, count);
            }
            while let Some(holder) = events.ended(index) {
                self.end(holder);
            }
        }
        self.constants.clear();
        self.adjusted.clear();
        for (slot, count) in std::mem::take(&mut self.block_temporaries) {
            self.code.frame.give(slot, count);
        }
    }

    /// The result of an unsupported instruction still needs slots: what follows refers to them.
    fn give_up(&mut self, index: u32) {
        let id = self.body.value_id(index) as usize;
        if self.places[id] == NOWHERE {
            let slots = self.slots_of(self.body.insts[index as usize].value);
            self.places[id] = self.code.frame.take(slots);
        }
        self.offsets.remove(&(id as ValueId));
    }

    fn layout(&self, value: Value) -> Rc<Layout> {
        self.linker.types.layout(value.ty())
    }

    fn carries(&self, value: Value) -> bool {
        self.body.id(value).is_some_and(|id| self.plan.carries[id as usize])
    }

    /// Slots of a value, with the one that a pointer in an integer needs.
    fn slots_of(&self, value: Value) -> u32 {
        self.linker.types.slots(value.ty()) + u32::from(self.carries(value))
    }

    fn lower_instruction(&mut self, index: u32) -> Lowered {
        let inst = self.body.insts[index as usize];
        let id = self.body.value_id(index);
        match self.promotion.roles[index as usize] {
            Role::Plain => {}
            Role::Gone => return Ok(()),
            Role::Load(local) => return self.load_local(index, local),
            Role::Store(local) => return self.store_local(index, local),
            Role::Birth(first, last) => {
                self.undefine_locals(first, last);
                return Ok(());
            }
        }
        match self.plan.forms[index as usize] {
            Form::Fused => return Ok(()),
            Form::Alias { of, slot } => {
                let base = self.place(of)?;
                self.places[id as usize] = base + slot;
                self.expose_carrier(index);
                return Ok(());
            }
            Form::Offset { of, bytes } => {
                let base = self.places[of as usize];
                if base == NOWHERE {
                    return Err("a value that is not computed yet".into());
                }
                let sum = self.offsets.get(&of).copied().unwrap_or(0).checked_add(bytes);
                self.places[id as usize] = base;
                match sum {
                    Some(0) => {}
                    Some(sum) => {
                        self.offsets.insert(id, sum);
                    }
                    None => return Err("an offset of more than 2 GiB".into()),
                }
                return Ok(());
            }
            Form::Update { of } => {
                let place = self.place(of)?;
                self.places[id as usize] = place;
                let (_, slot) = self.linker.types.member(inst.value.ty(), inst.value.indices());
                return self.value_into(inst.value.operand(1), place + slot);
            }
            Form::Own | Form::Local(_) | Form::Into(_) => {}
        }
        use Opcode::*;
        match inst.opcode {
            LLVMAlloca => self.alloca(index)?,
            LLVMLoad => self.load(index)?,
            LLVMStore => self.store(index)?,
            LLVMGetElementPtr => self.gep(index)?,
            LLVMFence | LLVMAtomicCmpXchg | LLVMAtomicRMW => self.atomic(index)?,
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr
            | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor | LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv
            | LLVMFRem | LLVMFNeg => self.arithmetic(index)?,
            LLVMICmp | LLVMFCmp => self.comparison(index)?,
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP
            | LLVMFPTrunc | LLVMFPExt | LLVMPtrToInt | LLVMPtrToAddr | LLVMIntToPtr | LLVMBitCast
            | LLVMAddrSpaceCast => self.cast(index)?,
            LLVMPHI | LLVMLandingPad => {}
            LLVMSelect => self.select(index)?,
            LLVMFreeze => self.freeze(index)?,
            LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector | LLVMExtractValue
            | LLVMInsertValue => {
                self.aggregate(index)?;
            }
            LLVMCall | LLVMInvoke => self.call(index)?,
            LLVMRet | LLVMBr | LLVMSwitch | LLVMIndirectBr | LLVMUnreachable | LLVMResume => {
                return self.terminator(index);
            }
            other => {
                let name = format!("{other:?}");
                return Err(format!("instruction {}", name.trim_start_matches("LLVM").to_lowercase()));
            }
        }
        self.expose_carrier(index);
        Ok(())
    }

    /// A carrier that is also used as a number lets its object escape, once.
    fn expose_carrier(&mut self, index: u32) {
        let inst = self.body.insts[index as usize];
        let id = self.body.value_id(index);
        if self.plan.carries[id as usize]
            && inst.value.ty().is_int(64)
            && inst.opcode != Opcode::LLVMPHI
            && carriers::used_as_number(inst.value)
        {
            let src = self.places[id as usize];
            let dst = self.temporary(1);
            self.code.emit(Op::PtrToInt { expose: true, dst, src });
        }
    }
}
