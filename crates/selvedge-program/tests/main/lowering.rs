//! What instructions become.

use crate::{function, load_text, main_code};
use selvedge_program::code::*;

#[test]
fn operations_have_sixteen_bytes() {
    assert_eq!(size_of::<Op>(), 16);
}

#[test]
fn locals_become_slots() {
    let code = main_code(
        "define i32 @main() {\n\
         %x = alloca i32\nstore i32 1, ptr %x\n%a = load i32, ptr %x\n%b = add i32 %a, 5\nstore i32 %b, ptr %x\n\
         %c = load i32, ptr %x\nret i32 %c }",
    );
    assert_eq!(
        code,
        [
            Op::Const { dst: 0, value: 1 },
            Op::AddImm32 { dst: 0, a: 0, imm: 5 },
            Op::Return { src: 0, count: 1 }
        ]
    );
}

#[test]
fn a_local_that_may_be_unassigned_says_so() {
    let code = main_code(
        "define i32 @main(i32 %n) {\n%x = alloca i32\n%c = icmp eq i32 %n, 0\nbr i1 %c, label %a, label %b\n\
         a: store i32 1, ptr %x br label %b\nb: %v = load i32, ptr %x ret i32 %v }",
    );
    assert!(code.contains(&Op::Undefined { dst: 1, count: 1 }));
    let code = main_code(
        "define i32 @main(i32 %n) {\n%x = alloca i32\n%c = icmp eq i32 %n, 0\nbr i1 %c, label %a, label %b\n\
         a: store i32 1, ptr %x br label %d\nb: store i32 2, ptr %x br label %d\n\
         d: %v = load i32, ptr %x ret i32 %v }",
    );
    assert!(!code.iter().any(|op| matches!(op, Op::Undefined { .. })));
}

#[test]
fn escaping_locals_stay_in_memory() {
    let code = main_code(
        "declare void @use(ptr)\ndefine i32 @main() {\n%x = alloca i32\nstore i32 1, ptr %x\n\
         call void @use(ptr %x)\n%v = load i32, ptr %x\nret i32 %v }",
    );
    assert!(matches!(code[0], Op::Alloca { .. }));
    assert!(code.iter().any(|op| matches!(op, Op::Load { bytes: 4, .. })));
}

#[test]
fn volatile_and_atomic_locals_stay_in_memory() {
    let code = main_code(
        "define i32 @main() {\n%x = alloca i32\nstore volatile i32 1, ptr %x\n%v = load i32, ptr %x\nret i32 %v }",
    );
    assert!(matches!(code[0], Op::Alloca { .. }));
}

#[test]
fn a_split_struct_needs_no_memory() {
    let code = main_code(
        "define i32 @main() {\n%s = alloca { i32, ptr }\n%p = getelementptr { i32, ptr }, ptr %s, i32 0, i32 1\n\
         store i32 3, ptr %s\nstore ptr null, ptr %p\n%v = load i32, ptr %s\nret i32 %v }",
    );
    assert!(!code.iter().any(|op| matches!(op, Op::Alloca { .. } | Op::Store { .. } | Op::StorePtr { .. })));
}

#[test]
fn functions_that_call_setjmp_keep_their_locals_in_memory() {
    let program = load_text(
        "declare i32 @_setjmp(ptr) returns_twice\n@buf = global [200 x i8] zeroinitializer\n\
         define i32 @main() {\n%x = alloca i32\nstore i32 1, ptr %x\n%r = call i32 @_setjmp(ptr @buf) returns_twice\n\
         %v = load i32, ptr %x\nret i32 %v }",
    );
    let main = function(&program, "main");
    assert!(main.code.iter().any(|op| matches!(op, Op::Alloca { .. })));
    assert_eq!(main.intrinsics[0].kind, IntrinsicKind::SetJump);
    assert!(main.calls.is_empty());
}

#[test]
fn comparisons_are_fused_into_branches() {
    let code = main_code(
        "define i32 @main(i32 %n, ptr %v) {\n%c = icmp slt i32 %n, 10\nbr i1 %c, label %a, label %b\n\
         a: ret i32 1\nb: ret i32 2 }",
    );
    assert_eq!(
        code[0],
        Op::BranchCompareImm { kind: Comparison::Sge32, width: 32, a: 0, imm: 10, target: 3 }
    );
}

#[test]
fn phis_that_swap_go_through_a_temporary() {
    let code = main_code(
        "define i32 @main(i32 %n) {\nentry: br label %loop\n\
         loop: %a = phi i32 [ 1, %entry ], [ %b, %loop ]\n%b = phi i32 [ 2, %entry ], [ %a, %loop ]\n\
         %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n%j = add i32 %i, 1\n%c = icmp eq i32 %j, %n\n\
         br i1 %c, label %end, label %loop\nend: ret i32 %a }",
    );
    // Execute the moves of the back edge: a and b must have changed places.
    let start = code.iter().position(|op| matches!(op, Op::BranchCompare { .. })).expect("a branch");
    let mut slots: Vec<u64> = (100..200).collect();
    let before = slots.clone();
    for op in &code[start + 1..] {
        match *op {
            Op::Move { dst, src } => slots[dst as usize] = slots[src as usize],
            _ => break,
        }
    }
    let consts: Vec<u32> = code
        .iter()
        .filter_map(|op| if let Op::Const { dst, value: 1 | 2 } = *op { Some(dst) } else { None })
        .collect();
    let (a, b) = (consts[0] as usize, consts[1] as usize);
    assert_eq!((slots[a], slots[b]), (before[b], before[a]));
}

#[test]
fn constant_offsets_go_into_accesses() {
    let code = main_code(
        "define i32 @main(i64 %i, ptr %p) {\n%a = getelementptr { i32, [4 x i32] }, ptr %p, i64 0, i32 1, i64 %i\n\
         %v = load i32, ptr %a\n%b = getelementptr i8, ptr %p, i64 12\nstore i32 %v, ptr %b\nret i32 %v }",
    );
    assert_eq!(code[0], Op::PtrIndex { scale: 4, dst: 3, base: 1, a: 0 });
    assert!(matches!(code[1], Op::Load { bytes: 4, ptr: 3, offset: 4, .. }));
    assert!(matches!(code[2], Op::Store { bytes: 4, ptr: 1, offset: 12, .. }));
}

#[test]
fn integers_that_carry_pointers_have_two_slots() {
    let program = load_text(
        "@g = global ptr null\n@h = global ptr null\ndefine i32 @main() {\n\
         %v = load atomic i64, ptr @g acquire, align 8\nstore atomic i64 %v, ptr @h release, align 8\n\
         %w = load i64, ptr @g\n%x = add i64 %w, 1\n%y = trunc i64 %x to i32\nret i32 %y }",
    );
    let main = function(&program, "main");
    assert!(main.atomics.iter().all(|atomic| atomic.pointer));
    assert!(main.code.iter().any(|op| matches!(op, Op::Load { bytes: 8, .. })));
}

#[test]
fn converting_an_address_for_comparison_does_not_expose_it() {
    let code = main_code(
        "define i32 @main(i32 %n, ptr %p) {\n%i = ptrtoint ptr %p to i64\n%a = and i64 %i, 7\n\
         %c = icmp eq i64 %a, 0\n%r = zext i1 %c to i32\nret i32 %r }",
    );
    assert!(!code.iter().any(|op| matches!(op, Op::PtrToInt { .. })));
    let code = main_code(
        "declare void @use(i64)\ndefine i32 @main(i32 %n, ptr %p) {\n%i = ptrtoint ptr %p to i64\n\
         call void @use(i64 %i)\nret i32 0 }",
    );
    assert!(matches!(code[0], Op::PtrToInt { expose: true, .. }));
}

#[test]
fn unsupported_instructions_stop_only_a_run_that_gets_there() {
    let program = load_text(
        "define i32 @main(i32 %n) {\n%c = icmp eq i32 %n, 0\nbr i1 %c, label %a, label %b\n\
         a: call void asm sideeffect \"hlt\", \"\"() br label %b\nb: ret i32 0 }",
    );
    let main = function(&program, "main");
    assert_eq!(&*main.unsupported[0], "inline assembly \"hlt\"");
}

#[test]
fn invokes_name_their_landing_pads() {
    let program = load_text(
        "@info = external constant ptr\ndeclare void @may_throw()\ndeclare i32 @__gxx_personality_v0(...)\n\
         define i32 @main() personality ptr @__gxx_personality_v0 {\n\
         invoke void @may_throw() to label %ok unwind label %bad\nok: ret i32 0\n\
         bad: %e = landingpad { ptr, i32 } cleanup catch ptr @info catch ptr null\n\
         %s = extractvalue { ptr, i32 } %e, 1\nret i32 %s }",
    );
    let main = function(&program, "main");
    let unwind = main.calls[0].unwind.expect("an invoke") as usize;
    assert_eq!(main.code[unwind], Op::LandingPad { index: 0 });
    let pad = &main.landing_pads[0];
    assert!(pad.cleanup);
    assert_eq!(&*pad.clauses, [Clause::Catch(Some(0)), Clause::Catch(None)]);
    assert!(!program.externals.iter().any(|external| &*external.name == "__gxx_personality_v0"));
}

#[test]
fn computed_gotos_have_tables() {
    let program = load_text(
        "@table = constant [2 x ptr] [ptr blockaddress(@main, %a), ptr blockaddress(@main, %b)]\n\
         define i32 @main(i32 %n) {\n%p = getelementptr [2 x ptr], ptr @table, i64 0, i32 %n\n\
         %t = load ptr, ptr %p\nindirectbr ptr %t, [label %a, label %b]\na: ret i32 1\nb: ret i32 2 }",
    );
    let main = function(&program, "main");
    assert_eq!(main.blocks_taken.len(), 2);
    let table = &program.globals[0];
    let word = |at: usize| u64::from_le_bytes(table.bytes[at..at + 8].try_into().expect("eight bytes"));
    assert_eq!((word(0), word(8)), (selvedge_program::BLOCK_BASE, selvedge_program::BLOCK_BASE + 16));
}

#[test]
fn wide_and_extended_numbers_have_tables_of_their_own() {
    let program = load_text(
        "define i32 @main(i128 %a, x86_fp80 %f) {\n%b = mul i128 %a, -340282366920938463463374607431768211455\n\
         %c = trunc i128 %b to i32\n%g = fadd x86_fp80 %f, 0xK3FFF8000000000000000\n\
         %h = fptosi x86_fp80 %g to i32\n%r = add i32 %c, %h\nret i32 %r }",
    );
    let main = function(&program, "main");
    assert_eq!(main.wides.len(), 1);
    assert_eq!(main.extended_floats.len(), 2);
    assert!(main.code.contains(&Op::Const { dst: 4, value: 1 }));
    assert!(main.code.iter().any(|op| matches!(op, Op::Const { value: 0x8000_0000_0000_0000, .. })));
}

#[test]
fn vectors_of_bits_are_packed() {
    let program = load_text(
        "@g = global i8 bitcast (<8 x i1> <i1 1, i1 0, i1 1, i1 1, i1 0, i1 0, i1 1, i1 0> to i8)\n\
         @v = global <4 x i1> <i1 1, i1 0, i1 0, i1 1>\n\
         define i32 @main() {\n%a = load i8, ptr @g\n%b = load <4 x i1>, ptr @v\n\
         %c = extractelement <4 x i1> %b, i32 3\n%r = zext i1 %c to i32\nret i32 %r }",
    );
    assert_eq!(&*program.globals[0].bytes, [0b0100_1101]);
    assert_eq!(&*program.globals[1].bytes, [0b1001]);
    let main = function(&program, "main");
    assert_eq!(main.repacks[0].dst.len(), 4);
}

#[test]
fn aggregates_are_built_in_place() {
    let program = load_text(
        "define { ptr, i64 } @pair(ptr %p, i64 %n) {\n%a = insertvalue { ptr, i64 } poison, ptr %p, 0\n\
         %b = insertvalue { ptr, i64 } %a, i64 %n, 1\nret { ptr, i64 } %b }\n\
         define i32 @main(i32 %n, ptr %v) {\n%r = call { ptr, i64 } @pair(ptr %v, i64 3)\n\
         %h = insertvalue { i32, i32 } poison, i32 %n, 0\n%w = extractvalue { i32, i32 } %h, 0\nret i32 %w }",
    );
    assert_eq!(
        *function(&program, "pair").code,
        [
            Op::MoveMany { dst: 3, src: 0, count: 2 },
            Op::Move { dst: 5, src: 2 },
            Op::Return { src: 3, count: 3 }
        ]
    );
    assert!(function(&program, "main").code.iter().any(|op| matches!(op, Op::Undefined { count: 2, .. })));
}

#[test]
fn loops_test_at_their_end_and_compute_constants_once() {
    let code = main_code(
        "@g = global i32 0\ndefine i32 @main(i32 %n) {\nentry: br label %head\n\
         head: %i = phi i32 [ 0, %entry ], [ %j, %body ]\n%c = icmp slt i32 %i, %n\n\
         br i1 %c, label %body, label %end\n\
         body: %v = load i32, ptr @g\n%w = or i32 %v, 12\nstore i32 %w, ptr @g\n%j = add i32 %i, 1\n\
         br label %head\nend: ret i32 %i }",
    );
    let branches = code.iter().filter(|op| matches!(op, Op::BranchCompare { .. })).count();
    assert_eq!((branches, code.iter().any(|op| matches!(op, Op::Jump { .. }))), (2, false));
    assert!(matches!(code[..2], [Op::GlobalAddress { .. }, Op::Const { value: 12, .. }]));
}

#[test]
fn parameters_stay_where_they_are() {
    let code = main_code(
        "define i32 @main(i32 %n, ptr %v) {\n%a = alloca i32\n%b = alloca ptr\nstore i32 %n, ptr %a\n\
         store ptr %v, ptr %b\n%x = load i32, ptr %a\n%y = add i32 %x, 1\nstore i32 %y, ptr %a\n\
         %z = load i32, ptr %a\nret i32 %z }",
    );
    assert_eq!(code, [Op::AddImm32 { dst: 0, a: 0, imm: 1 }, Op::Return { src: 0, count: 1 }]);
}
