//! Thin wrappers around the part of LLVM's C interface that the loader needs.
//!
//! The handles are plain pointers into a [`Context`]. They stay inside this crate and none of them outlives the
//! loader that owns the context: [`crate::load`] returns data that has no handle in it. Every call below relies
//! on that, and on modules having passed LLVM's verifier before anything looks at them.

use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
use std::ffi::{CStr, c_char, c_void};
use std::sync::Mutex;

pub use llvm_sys::debuginfo::LLVMMetadataKind as MetadataKind;
pub use llvm_sys::{
    LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMDbgRecordKind, LLVMInlineAsmDialect, LLVMIntPredicate,
    LLVMLinkage as Linkage, LLVMOpcode as Opcode, LLVMRealPredicate, LLVMTypeKind as TypeKind,
    LLVMValueKind as ValueKind,
};

/// Calls into LLVM.
macro_rules! llvm {
    ($($call:tt)*) => {{
        // SAFETY: the handles belong to a context that is alive (see the module's comment), they come from a
        // verified module, and the callers below ask each only what its kind can answer.
        #[allow(unused_unsafe)]
        unsafe { $($call)* }
    }};
}

/// A value: instruction, argument, constant, function, global.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value(LLVMValueRef);
/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Type(LLVMTypeRef);
/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block(LLVMBasicBlockRef);
/// A metadata node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Metadata(LLVMMetadataRef);
/// The sizes and offsets of types.
#[derive(Clone, Copy, Debug)]
pub struct DataLayout(LLVMTargetDataRef);

/// What a debug record says of a variable.
pub struct VariableRecord {
    /// The value that is the variable's address, if it has one.
    pub declared: Option<Value>,
    pub variable: Metadata,
    pub expression: Option<Metadata>,
    pub location: Option<Metadata>,
}

/// Owns everything that LLVM allocates while a program is loaded.
pub struct Context {
    raw: LLVMContextRef,
    modules: Vec<LLVMModuleRef>,
    messages: Box<Mutex<Vec<String>>>,
}

/// A module, an index into its context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Module(LLVMModuleRef);

extern "C" fn collect_message(info: LLVMDiagnosticInfoRef, sink: *mut c_void) {
    if !matches!(llvm!(LLVMGetDiagInfoSeverity(info)), llvm_sys::LLVMDiagnosticSeverity::LLVMDSError) {
        return;
    }
    let text = take_message(llvm!(LLVMGetDiagInfoDescription(info)));
    // SAFETY: the sink is the mutex that the context owns in a box for as long as the handler is installed.
    let sink = unsafe { &*sink.cast::<Mutex<Vec<String>>>() };
    if let Ok(mut messages) = sink.lock() {
        messages.push(text);
    }
}

fn take_message(raw: *mut c_char) -> String {
    if raw.is_null() {
        return String::new();
    }
    let text = llvm!(CStr::from_ptr(raw)).to_string_lossy().into_owned();
    llvm!(LLVMDisposeMessage(raw));
    text
}

fn text_of(start: *const c_char, length: usize) -> &'static str {
    if start.is_null() || length == 0 {
        return "";
    }
    let bytes = llvm!(std::slice::from_raw_parts(start.cast::<u8>(), length));
    std::str::from_utf8(bytes).unwrap_or("?")
}

/// Version of the LLVM library that is linked.
pub fn version() -> String {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    llvm!(LLVMGetVersion(&mut major, &mut minor, &mut patch));
    format!("{major}.{minor}.{patch}")
}

/// Number of an enumerated attribute, such as `byval`.
pub fn attribute_kind(name: &str) -> u32 {
    llvm!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()))
}

impl Context {
    /// A context without modules.
    pub fn new() -> Self {
        let raw = llvm!(LLVMContextCreate());
        let messages = Box::new(Mutex::new(Vec::new()));
        let sink = (&raw const *messages).cast_mut().cast();
        llvm!(LLVMContextSetDiagnosticHandler(raw, Some(collect_message), sink));
        Context { raw, modules: Vec::new(), messages }
    }

    /// Parses bitcode or textual IR and verifies it; on failure says what LLVM said.
    pub fn parse(&mut self, name: &str, bytes: &[u8]) -> Result<Module, String> {
        let name: String = name.replace('\0', "?") + "\0";
        let buffer = llvm!(LLVMCreateMemoryBufferWithMemoryRangeCopy(
            bytes.as_ptr().cast(),
            bytes.len(),
            name.as_ptr().cast()
        ));
        let mut raw = std::ptr::null_mut();
        let mut message = std::ptr::null_mut();
        let failed =
            llvm!(llvm_sys::ir_reader::LLVMParseIRInContext2(self.raw, buffer, &mut raw, &mut message)) != 0;
        llvm!(LLVMDisposeMemoryBuffer(buffer));
        let text = take_message(message);
        let mut said = self.messages.lock().map(|mut said| std::mem::take(&mut *said)).unwrap_or_default();
        if failed || raw.is_null() {
            said.push(text);
            return Err(said.join("; "));
        }
        self.modules.push(raw);
        let mut message = std::ptr::null_mut();
        let action = llvm_sys::analysis::LLVMVerifierFailureAction::LLVMReturnStatusAction;
        let broken = llvm!(llvm_sys::analysis::LLVMVerifyModule(raw, action, &mut message)) != 0;
        let text = take_message(message);
        if broken {
            return Err(format!("the module is malformed: {}", text.lines().next().unwrap_or("?")));
        }
        Ok(Module(raw))
    }

    /// The metadata node as a value, through which its operands can be read.
    fn metadata_value(&self, node: Metadata) -> Value {
        Value(llvm!(LLVMMetadataAsValue(self.raw, node.0)))
    }

    /// Operands of a metadata node (null operands are `None`).
    pub fn metadata_operands(&self, node: Metadata) -> Vec<Option<Metadata>> {
        let value = self.metadata_value(node);
        let count = llvm!(LLVMGetMDNodeNumOperands(value.0)) as usize;
        let mut operands = vec![std::ptr::null_mut(); count];
        llvm!(LLVMGetMDNodeOperands(value.0, operands.as_mut_ptr()));
        let wrap = |raw: LLVMValueRef| (!raw.is_null()).then(|| Metadata(llvm!(LLVMValueAsMetadata(raw))));
        operands.into_iter().map(wrap).collect()
    }

    /// An operand of a metadata node that is an integer.
    pub fn metadata_integer(&self, node: Metadata, index: usize) -> Option<i64> {
        let value = self.metadata_value(node);
        let count = llvm!(LLVMGetMDNodeNumOperands(value.0)) as usize;
        let mut operands = vec![std::ptr::null_mut(); count];
        llvm!(LLVMGetMDNodeOperands(value.0, operands.as_mut_ptr()));
        let raw = operands.get(index).copied().filter(|raw| !raw.is_null())?;
        let constant = llvm!(LLVMIsAConstantInt(raw));
        (!constant.is_null()).then(|| llvm!(LLVMConstIntGetSExtValue(constant)))
    }

    /// A metadata node as text.
    pub fn printed(&self, node: Metadata) -> String {
        take_message(llvm!(LLVMPrintValueToString(self.metadata_value(node).0)))
    }

    /// Text of a metadata string.
    pub fn metadata_string(&self, node: Metadata) -> &str {
        if !matches!(node.kind(), MetadataKind::LLVMMDStringMetadataKind) {
            return "";
        }
        let value = self.metadata_value(node);
        let mut length = 0;
        let start = llvm!(LLVMGetMDString(value.0, &mut length));
        text_of(start, length as usize)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        for &module in &self.modules {
            llvm!(LLVMDisposeModule(module));
        }
        llvm!(LLVMContextDispose(self.raw));
    }
}

/// Follows one of LLVM's intrusive lists.
macro_rules! list {
    ($self:ident, $first:ident, $next:ident, $wrap:ident) => {{
        let mut next = llvm!($first($self.0));
        std::iter::from_fn(move || {
            let current = next;
            if current.is_null() {
                return None;
            }
            next = llvm!($next(current));
            Some($wrap(current))
        })
    }};
}

impl Module {
    pub fn functions(self) -> impl Iterator<Item = Value> {
        list!(self, LLVMGetFirstFunction, LLVMGetNextFunction, Value)
    }

    pub fn globals(self) -> impl Iterator<Item = Value> {
        list!(self, LLVMGetFirstGlobal, LLVMGetNextGlobal, Value)
    }

    pub fn aliases(self) -> impl Iterator<Item = Value> {
        list!(self, LLVMGetFirstGlobalAlias, LLVMGetNextGlobalAlias, Value)
    }

    pub fn ifuncs(self) -> impl Iterator<Item = Value> {
        list!(self, LLVMGetFirstGlobalIFunc, LLVMGetNextGlobalIFunc, Value)
    }

    /// The module as bitcode.
    pub fn bitcode(self) -> Vec<u8> {
        let buffer = llvm!(llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer(self.0));
        let start = llvm!(LLVMGetBufferStart(buffer)).cast::<u8>();
        let bytes = llvm!(std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer))).to_vec();
        llvm!(LLVMDisposeMemoryBuffer(buffer));
        bytes
    }

    pub fn triple(self) -> String {
        llvm!(CStr::from_ptr(LLVMGetTarget(self.0))).to_string_lossy().into_owned()
    }

    pub fn data_layout(self) -> DataLayout {
        DataLayout(llvm!(LLVMGetModuleDataLayout(self.0)))
    }
}

impl DataLayout {
    pub fn little_endian(self) -> bool {
        llvm!(LLVMByteOrder(self.0)) == llvm_sys::target::LLVMByteOrdering::LLVMLittleEndian
    }

    pub fn pointer_bytes(self) -> u32 {
        llvm!(LLVMPointerSize(self.0))
    }

    /// Bytes from one array element to the next.
    pub fn size(self, ty: Type) -> u64 {
        llvm!(LLVMABISizeOfType(self.0, ty.0))
    }

    /// Bytes that a store writes.
    pub fn store_size(self, ty: Type) -> u64 {
        llvm!(LLVMStoreSizeOfType(self.0, ty.0))
    }

    pub fn bits(self, ty: Type) -> u64 {
        llvm!(LLVMSizeOfTypeInBits(self.0, ty.0))
    }

    pub fn align(self, ty: Type) -> u32 {
        llvm!(LLVMABIAlignmentOfType(self.0, ty.0))
    }

    /// Byte offset of a struct's member.
    pub fn offset(self, ty: Type, member: u32) -> u64 {
        llvm!(LLVMOffsetOfElement(self.0, ty.0, member))
    }
}

impl Type {
    pub fn kind(self) -> TypeKind {
        llvm!(LLVMGetTypeKind(self.0))
    }

    pub fn is_sized(self) -> bool {
        llvm!(LLVMTypeIsSized(self.0)) != 0
    }

    pub fn int_bits(self) -> u32 {
        llvm!(LLVMGetIntTypeWidth(self.0))
    }

    pub fn is_pointer(self) -> bool {
        self.kind() == TypeKind::LLVMPointerTypeKind
    }

    pub fn is_vector(self) -> bool {
        self.kind() == TypeKind::LLVMVectorTypeKind
    }

    /// An integer of exactly so many bits?
    pub fn is_int(self, bits: u32) -> bool {
        self.kind() == TypeKind::LLVMIntegerTypeKind && self.int_bits() == bits
    }

    /// Element type of an array or a vector.
    pub fn element(self) -> Type {
        Type(llvm!(LLVMGetElementType(self.0)))
    }

    pub fn array_length(self) -> u64 {
        llvm!(LLVMGetArrayLength2(self.0))
    }

    pub fn vector_length(self) -> u32 {
        llvm!(LLVMGetVectorSize(self.0))
    }

    pub fn member_count(self) -> u32 {
        llvm!(LLVMCountStructElementTypes(self.0))
    }

    pub fn member(self, index: u32) -> Type {
        Type(llvm!(LLVMStructGetTypeAtIndex(self.0, index)))
    }

    pub fn return_type(self) -> Type {
        Type(llvm!(LLVMGetReturnType(self.0)))
    }

    pub fn parameter_count(self) -> u32 {
        llvm!(LLVMCountParamTypes(self.0))
    }

    pub fn is_variadic(self) -> bool {
        llvm!(LLVMIsFunctionVarArg(self.0)) != 0
    }

    pub fn describe(self) -> String {
        take_message(llvm!(LLVMPrintTypeToString(self.0)))
    }
}

impl Block {
    pub fn instructions(self) -> impl Iterator<Item = Value> {
        list!(self, LLVMGetFirstInstruction, LLVMGetNextInstruction, Value)
    }

    pub fn terminator(self) -> Value {
        Value(llvm!(LLVMGetBasicBlockTerminator(self.0)))
    }

    /// Is there a `blockaddress` of it?
    pub fn address_taken(self) -> bool {
        let value = Value(llvm!(LLVMBasicBlockAsValue(self.0)));
        value.users().any(|user| user.kind() == ValueKind::LLVMBlockAddressValueKind)
    }
}

impl Value {
    pub fn kind(self) -> ValueKind {
        llvm!(LLVMGetValueKind(self.0))
    }

    pub fn ty(self) -> Type {
        Type(llvm!(LLVMTypeOf(self.0)))
    }

    pub fn name(self) -> &'static str {
        let mut length = 0;
        let start = llvm!(LLVMGetValueName2(self.0, &mut length));
        text_of(start, length)
    }

    pub fn print(self) -> String {
        take_message(llvm!(LLVMPrintValueToString(self.0)))
    }

    pub fn operand_count(self) -> u32 {
        llvm!(LLVMGetNumOperands(self.0)) as u32
    }

    pub fn operand(self, index: u32) -> Value {
        Value(llvm!(LLVMGetOperand(self.0, index)))
    }

    pub fn operands(self) -> impl Iterator<Item = Value> {
        (0..self.operand_count()).map(move |index| self.operand(index))
    }

    pub fn users(self) -> impl Iterator<Item = Value> {
        list!(self, LLVMGetFirstUse, LLVMGetNextUse, UseOf).map(|used| used.user())
    }

    // --- constants ---

    pub fn int(self) -> u64 {
        llvm!(LLVMConstIntGetZExtValue(self.0))
    }

    pub fn double(self) -> f64 {
        let mut loses = 0;
        llvm!(LLVMConstRealGetDouble(self.0, &mut loses))
    }

    pub fn constant_opcode(self) -> Opcode {
        llvm!(LLVMGetConstOpcode(self.0))
    }

    /// Element of a constant aggregate or vector, whatever its form.
    pub fn aggregate_element(self, index: u32) -> Option<Value> {
        let raw = llvm!(LLVMGetAggregateElement(self.0, index));
        (!raw.is_null()).then_some(Value(raw))
    }

    /// Bytes of a constant data array or vector.
    pub fn raw_data(self) -> &'static [u8] {
        let mut length = 0_usize;
        // The binding declares the pointer to the length as a number.
        let start = llvm!(LLVMGetRawDataValues(self.0, (&raw mut length).expose_provenance()));
        llvm!(std::slice::from_raw_parts(start.cast::<u8>(), length))
    }

    pub fn block_address(self) -> (Value, Block) {
        let function = Value(llvm!(LLVMGetBlockAddressFunction(self.0)));
        (function, Block(llvm!(LLVMGetBlockAddressBasicBlock(self.0))))
    }

    // --- globals and functions ---

    pub fn linkage(self) -> Linkage {
        llvm!(LLVMGetLinkage(self.0))
    }

    pub fn is_declaration(self) -> bool {
        llvm!(LLVMIsDeclaration(self.0)) != 0
    }

    pub fn section(self) -> &'static str {
        let raw = llvm!(LLVMGetSection(self.0));
        if raw.is_null() { "" } else { llvm!(CStr::from_ptr(raw)).to_str().unwrap_or("") }
    }

    pub fn value_type(self) -> Type {
        Type(llvm!(LLVMGlobalGetValueType(self.0)))
    }

    pub fn initializer(self) -> Option<Value> {
        let raw = llvm!(LLVMGetInitializer(self.0));
        (!raw.is_null()).then_some(Value(raw))
    }

    pub fn is_thread_local(self) -> bool {
        llvm!(LLVMIsThreadLocal(self.0)) != 0
    }

    pub fn is_constant_global(self) -> bool {
        llvm!(LLVMIsGlobalConstant(self.0)) != 0
    }

    /// Alignment of a global, an alloca or a memory access; 0 if none is given.
    pub fn align(self) -> u32 {
        llvm!(LLVMGetAlignment(self.0))
    }

    pub fn aliasee(self) -> Value {
        Value(llvm!(LLVMAliasGetAliasee(self.0)))
    }

    /// Name of the source file of the module that a function or global variable is in.
    pub fn source_file(self) -> &'static str {
        let mut length = 0;
        let module = llvm!(LLVMGetGlobalParent(self.0));
        let start = llvm!(LLVMGetSourceFileName(module, &raw mut length));
        text_of(start, length)
    }

    pub fn blocks(self) -> impl Iterator<Item = Block> {
        list!(self, LLVMGetFirstBasicBlock, LLVMGetNextBasicBlock, Block)
    }

    pub fn parameters(self) -> impl Iterator<Item = Value> {
        let count = llvm!(LLVMCountParams(self.0));
        (0..count).map(move |index| Value(llvm!(LLVMGetParam(self.0, index))))
    }

    pub fn is_intrinsic(self) -> bool {
        llvm!(LLVMGetIntrinsicID(self.0)) != 0
    }

    pub fn subprogram(self) -> Option<Metadata> {
        let raw = llvm!(LLVMGetSubprogram(self.0));
        (!raw.is_null()).then_some(Metadata(raw))
    }

    /// The debug information attached to a global variable.
    pub fn global_debug_info(self) -> Option<Metadata> {
        let mut count = 0;
        let entries = llvm!(LLVMGlobalCopyAllMetadata(self.0, &mut count));
        let mut found = None;
        for index in 0..count as u32 {
            let node = Metadata(llvm!(LLVMValueMetadataEntriesGetMetadata(entries, index)));
            if matches!(node.kind(), MetadataKind::LLVMDIGlobalVariableExpressionMetadataKind) {
                found = Some(Metadata(llvm!(LLVMDIGlobalVariableExpressionGetVariable(node.0))));
                break;
            }
        }
        llvm!(LLVMDisposeValueMetadataEntries(entries));
        found
    }

    // --- instructions ---

    pub fn opcode(self) -> Opcode {
        llvm!(LLVMGetInstructionOpcode(self.0))
    }

    pub fn debug_location(self) -> Option<Metadata> {
        let raw = llvm!(LLVMInstructionGetDebugLoc(self.0));
        (!raw.is_null()).then_some(Metadata(raw))
    }

    /// (described value, variable) of the debug records in front of the instruction that declare a variable.
    pub fn declared_variables(self, mut each: impl FnMut(Value, Metadata)) {
        let mut record = llvm!(LLVMGetFirstDbgRecord(self.0));
        while !record.is_null() {
            if llvm!(LLVMDbgRecordGetKind(record)) == LLVMDbgRecordKind::LLVMDbgRecordDeclare {
                let value = llvm!(LLVMDbgVariableRecordGetValue(record, 0));
                let variable = llvm!(LLVMDbgVariableRecordGetVariable(record));
                if !value.is_null() && !variable.is_null() {
                    each(Value(value), Metadata(variable));
                }
            }
            record = llvm!(LLVMGetNextDbgRecord(record));
        }
    }

    /// What debug records in front of the instruction say of variables.
    pub fn variable_records(self, mut each: impl FnMut(VariableRecord)) {
        let mut record = llvm!(LLVMGetFirstDbgRecord(self.0));
        while !record.is_null() {
            let kind = llvm!(LLVMDbgRecordGetKind(record));
            if kind != LLVMDbgRecordKind::LLVMDbgRecordLabel {
                let declares = kind == LLVMDbgRecordKind::LLVMDbgRecordDeclare;
                let value = declares.then(|| llvm!(LLVMDbgVariableRecordGetValue(record, 0)));
                let node = |raw: LLVMMetadataRef| (!raw.is_null()).then_some(Metadata(raw));
                let expression = node(llvm!(LLVMDbgVariableRecordGetExpression(record)));
                let location = node(llvm!(LLVMDbgRecordGetDebugLoc(record)));
                if let Some(variable) = node(llvm!(LLVMDbgVariableRecordGetVariable(record))) {
                    let declared = value.filter(|value| !value.is_null()).map(Value);
                    each(VariableRecord { declared, variable, expression, location });
                }
            }
            record = llvm!(LLVMGetNextDbgRecord(record));
        }
    }

    pub fn successor_count(self) -> u32 {
        llvm!(LLVMGetNumSuccessors(self.0))
    }

    pub fn successor(self, index: u32) -> Block {
        Block(llvm!(LLVMGetSuccessor(self.0, index)))
    }

    /// Value of a switch's case; the index counts successors, so it starts at 1.
    pub fn switch_case(self, successor: u32) -> Value {
        Value(llvm!(LLVMGetSwitchCaseValue(self.0, successor)))
    }

    pub fn incoming(self) -> impl Iterator<Item = (Value, Block)> {
        let count = llvm!(LLVMCountIncoming(self.0));
        (0..count).map(move |index| {
            let value = Value(llvm!(LLVMGetIncomingValue(self.0, index)));
            (value, Block(llvm!(LLVMGetIncomingBlock(self.0, index))))
        })
    }

    pub fn allocated_type(self) -> Type {
        Type(llvm!(LLVMGetAllocatedType(self.0)))
    }

    pub fn is_volatile(self) -> bool {
        llvm!(LLVMGetVolatile(self.0)) != 0
    }

    /// Order of a load, store, fence or read-modify-write.
    pub fn ordering(self) -> LLVMAtomicOrdering {
        llvm!(LLVMGetOrdering(self.0))
    }

    /// Makes a load or store atomic.
    pub fn set_ordering(self, ordering: LLVMAtomicOrdering) {
        llvm!(LLVMSetOrdering(self.0, ordering));
    }

    pub fn success_ordering(self) -> LLVMAtomicOrdering {
        llvm!(LLVMGetCmpXchgSuccessOrdering(self.0))
    }

    pub fn failure_ordering(self) -> LLVMAtomicOrdering {
        llvm!(LLVMGetCmpXchgFailureOrdering(self.0))
    }

    pub fn is_weak(self) -> bool {
        llvm!(LLVMGetWeak(self.0)) != 0
    }

    pub fn is_single_thread(self) -> bool {
        llvm!(LLVMIsAtomicSingleThread(self.0)) != 0
    }

    pub fn rmw_operation(self) -> LLVMAtomicRMWBinOp {
        llvm!(LLVMGetAtomicRMWBinOp(self.0))
    }

    pub fn int_predicate(self) -> LLVMIntPredicate {
        llvm!(LLVMGetICmpPredicate(self.0))
    }

    pub fn float_predicate(self) -> LLVMRealPredicate {
        llvm!(LLVMGetFCmpPredicate(self.0))
    }

    /// Indices of extractvalue and insertvalue.
    pub fn indices(self) -> &'static [u32] {
        let count = llvm!(LLVMGetNumIndices(self.0)) as usize;
        llvm!(std::slice::from_raw_parts(LLVMGetIndices(self.0), count))
    }

    /// Mask of a shufflevector; negative is undefined.
    pub fn shuffle_mask(self) -> Vec<i32> {
        let count = llvm!(LLVMGetNumMaskElements(self.0));
        (0..count).map(|index| llvm!(LLVMGetMaskValue(self.0, index))).collect()
    }

    pub fn gep_source_type(self) -> Type {
        Type(llvm!(LLVMGetGEPSourceElementType(self.0)))
    }

    pub fn called_value(self) -> Value {
        Value(llvm!(LLVMGetCalledValue(self.0)))
    }

    pub fn called_type(self) -> Type {
        Type(llvm!(LLVMGetCalledFunctionType(self.0)))
    }

    /// A call that must not leave a frame behind.
    pub fn is_must_tail(self) -> bool {
        matches!(llvm!(LLVMGetTailCallKind(self.0)), llvm_sys::LLVMTailCallKind::LLVMTailCallKindMustTail)
    }

    pub fn argument_count(self) -> u32 {
        llvm!(LLVMGetNumArgOperands(self.0))
    }

    /// An enumerated attribute of a call (index 0 is the result, -1 the function, n the n-th argument).
    pub fn call_attribute(self, index: u32, kind: u32) -> Option<Attribute> {
        let raw = llvm!(LLVMGetCallSiteEnumAttribute(self.0, index, kind));
        (!raw.is_null()).then_some(Attribute(raw))
    }

    /// An enumerated attribute of a function (indices as those of [`Value::call_attribute`]).
    pub fn function_attribute(self, index: u32, kind: u32) -> Option<Attribute> {
        let raw = llvm!(LLVMGetEnumAttributeAtIndex(self.0, index, kind));
        (!raw.is_null()).then_some(Attribute(raw))
    }

    pub fn asm_text(self) -> &'static str {
        let mut length = 0;
        let start = llvm!(LLVMGetInlineAsmAsmString(self.0, &mut length));
        text_of(start, length)
    }

    /// Whether inline assembly is written in Intel's syntax.
    pub fn asm_is_intel(self) -> bool {
        let dialect = llvm!(LLVMGetInlineAsmDialect(self.0));
        matches!(dialect, LLVMInlineAsmDialect::LLVMInlineAsmDialectIntel)
    }

    pub fn asm_constraints(self) -> &'static str {
        let mut length = 0;
        let start = llvm!(LLVMGetInlineAsmConstraintString(self.0, &mut length));
        text_of(start, length)
    }

    pub fn normal_destination(self) -> Block {
        Block(llvm!(LLVMGetNormalDest(self.0)))
    }

    pub fn unwind_destination(self) -> Block {
        Block(llvm!(LLVMGetUnwindDest(self.0)))
    }

    pub fn clauses(self) -> impl Iterator<Item = Value> {
        let count = llvm!(LLVMGetNumClauses(self.0));
        (0..count).map(move |index| Value(llvm!(LLVMGetClause(self.0, index))))
    }

    pub fn is_cleanup(self) -> bool {
        llvm!(LLVMIsCleanup(self.0)) != 0
    }
}

/// An attribute of a function or a call.
#[derive(Clone, Copy)]
pub struct Attribute(LLVMAttributeRef);

impl Attribute {
    pub fn type_value(self) -> Type {
        Type(llvm!(LLVMGetTypeAttributeValue(self.0)))
    }

    pub fn int_value(self) -> u64 {
        llvm!(LLVMGetEnumAttributeValue(self.0))
    }
}

struct UseOf(LLVMUseRef);

impl UseOf {
    fn user(&self) -> Value {
        Value(llvm!(LLVMGetUser(self.0)))
    }
}

impl Metadata {
    pub fn kind(self) -> MetadataKind {
        llvm!(LLVMGetMetadataKind(self.0))
    }

    /// Line, column, scope and place of inlining of a location.
    pub fn location(self) -> (u32, u32, Metadata, Option<Metadata>) {
        let inlined = llvm!(LLVMDILocationGetInlinedAt(self.0));
        (
            llvm!(LLVMDILocationGetLine(self.0)),
            llvm!(LLVMDILocationGetColumn(self.0)),
            Metadata(llvm!(LLVMDILocationGetScope(self.0))),
            (!inlined.is_null()).then_some(Metadata(inlined)),
        )
    }

    /// What stands where a file should; the verifier does not look whether it is one.
    fn file(raw: LLVMMetadataRef) -> Option<Metadata> {
        let file = (!raw.is_null()).then_some(Metadata(raw))?;
        matches!(file.kind(), MetadataKind::LLVMDIFileMetadataKind).then_some(file)
    }

    /// Whether it is a type of debug information.
    pub fn is_type(self) -> bool {
        matches!(
            self.kind(),
            MetadataKind::LLVMDIBasicTypeMetadataKind
                | MetadataKind::LLVMDIDerivedTypeMetadataKind
                | MetadataKind::LLVMDICompositeTypeMetadataKind
                | MetadataKind::LLVMDISubroutineTypeMetadataKind
        )
    }

    /// The tag of a node of debug information.
    pub fn tag(self) -> u16 {
        llvm!(LLVMGetDINodeTag(self.0))
    }

    /// Size of a type.
    pub fn type_bits(self) -> u64 {
        llvm!(LLVMDITypeGetSizeInBits(self.0))
    }

    /// Where a member lies.
    pub fn offset_bits(self) -> u64 {
        llvm!(LLVMDITypeGetOffsetInBits(self.0))
    }

    /// Whether a member lies in no object.
    pub fn is_static_member(self) -> bool {
        const STATIC: i32 = 1 << 12;
        llvm!(LLVMDITypeGetFlags(self.0)) & STATIC != 0
    }

    /// The node, if it is a file.
    pub fn as_file(self) -> Option<Metadata> {
        Metadata::file(self.0)
    }

    /// File of a scope.
    pub fn scope_file(self) -> Option<Metadata> {
        Metadata::file(llvm!(LLVMDIScopeGetFile(self.0)))
    }

    /// File of a variable.
    pub fn variable_file(self) -> Option<Metadata> {
        Metadata::file(llvm!(LLVMDIVariableGetFile(self.0)))
    }

    pub fn variable_line(self) -> u32 {
        llvm!(LLVMDIVariableGetLine(self.0))
    }

    /// Directory and name of a file.
    pub fn file_path(self) -> (&'static str, &'static str) {
        let (mut first, mut second) = (0, 0);
        let directory = llvm!(LLVMDIFileGetDirectory(self.0, &mut first));
        let name = llvm!(LLVMDIFileGetFilename(self.0, &mut second));
        (text_of(directory, first as usize), text_of(name, second as usize))
    }
}
