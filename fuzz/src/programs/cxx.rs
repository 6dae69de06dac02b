//! Programs in C++20: its own threads, atomics, mutexes and the rest of its library.

use super::ast::*;
use super::c::{Purpose, carrier, owner, value_of, written};
use super::text::{Lines, masked, mentions};

const BEGINNING: &str = "#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>
";

/// Whether C++ has all that the program does.
pub fn fits(program: &Program) -> bool {
    let handled = |statement: &Statement| match statement {
        Statement::Load { place, .. } | Statement::Store { place, .. } | Statement::Update { place, .. } => {
            !matches!(place, Place::Part(..))
        }
        Statement::CompareExchange { success, failure, .. } => {
            *failure != Order::Release && *success >= Order::Relaxed
        }
        Statement::Barrier { register, .. } => register.is_none(),
        Statement::Count { .. } | Statement::SetKey(_) | Statement::GetKey(_) => false,
        Statement::End(end) => *end == End::Return,
        Statement::Section { guard: Guard::Mutex(_), how: How::Timed, .. } => false,
        _ => true,
    };
    // A thread that is neither joined nor detached ends the program when its handle does.
    let handles = (1..program.threads.len() as u8).all(|thread| {
        let released = program.has(|statement| match statement {
            Statement::Join { thread: of, .. } | Statement::Detach(of) => *of == thread,
            _ => false,
        });
        let created = program
            .has(|statement| matches!(statement, Statement::Create { thread: of, .. } if *of == thread));
        !created || released
    });
    let returns = program.threads[0].body.iter().any(|statement| matches!(statement, Statement::End(_)));
    let guarded_creation = program.threads.iter().any(|of| {
        of.body.iter().flat_map(Statement::bodies).any(|body| {
            let mut found = false;
            each(body, &mut |statement| {
                found |= matches!(statement, Statement::Create { .. } | Statement::Detach(_))
            });
            found
        })
    });
    handles && !returns && !guarded_creation && !program.has(|statement| !handled(statement))
}

/// The program as text.
pub fn to_cxx(program: &Program, purpose: Purpose) -> String {
    let writer = Writer { program, purpose };
    let mut lines = Lines::default();
    for (number, body) in program.once.iter().enumerate() {
        if program.has(|statement| *statement == Statement::Once(number as u8)) {
            lines.open(format!("static void once{number}() {{"));
            writer.locals(usize::MAX, body, &mut lines);
            writer.list(0, body, &mut lines);
            lines.close("}");
        }
    }
    for thread in 1..program.threads.len() {
        lines.add(format!("static void t{thread}(box *);"));
    }
    for (thread, of) in program.threads.iter().enumerate().skip(1) {
        if of.same_as.is_none() {
            writer.function(thread, &of.body, &mut lines);
        }
    }
    writer.main(&mut lines);
    let body = lines.text();
    let mut all = Lines::default();
    if purpose == Purpose::Native {
        all.add("extern \"C\" void selvedge_noise();\n#define D() selvedge_noise()");
    }
    declarations(program, &body, &mut all);
    includes(&(all.text() + &body))
}

/// What is needed, before the text.
fn includes(text: &str) -> String {
    let needed = |line: &&str| {
        let name = line.trim_start_matches("#include <").trim_end_matches('>');
        match name {
            "cassert" => text.contains("assert("),
            "chrono" => text.contains("chrono::"),
            "cstdio" => text.contains("printf("),
            "cstring" => ["strcmp(", "memcpy("].iter().any(|name| text.contains(name)),
            "barrier" | "semaphore" => text.contains(name),
            "condition_variable" => text.contains(name),
            "shared_mutex" => text.contains("std::shared_"),
            "mutex" => text.contains("mutex") || text.contains("once_flag"),
            _ => true,
        }
    };
    BEGINNING.lines().filter(needed).map(|line| format!("{line}\n")).collect::<String>() + text
}

fn declarations(program: &Program, body: &str, lines: &mut Lines) {
    lines.add("struct box { std::atomic<int> a; int d; };");
    let mut declare = |name: &str, text: String| {
        if mentions(body, name) {
            lines.add(text);
        }
    };
    for (name, kind) in [("a0", "int"), ("a1", "int"), ("a2", "unsigned long"), ("a3", "unsigned char")] {
        declare(name, format!("std::atomic<{kind}> {name}{{0}};"));
    }
    for number in 0..4_u8 {
        declare(&format!("d{number}"), format!("int d{number};"));
        declare(&format!("f{number}"), format!("std::atomic<int> f{number}{{0}};"));
        if owner(program, number).is_none() {
            declare(&format!("h{number}"), format!("std::thread h{number};"));
        }
        declare(&format!("c{number}"), format!("std::condition_variable_any c{number};"));
        declare(&format!("l{number}"), format!("std::shared_timed_mutex l{number};"));
        declare(&format!("z{number}"), format!("std::atomic_flag z{number};"));
        declare(&format!("o{number}"), format!("std::once_flag o{number};"));
        declare(&format!("v{number}"), format!("unsigned long v{number};"));
    }
    for number in 0..2 {
        let (initial, count) = (program.semaphores[number], program.barriers[number]);
        declare(&format!("s{number}"), format!("std::counting_semaphore<8> s{number}{{{initial}}};"));
        declare(&format!("b{number}"), format!("std::barrier<> b{number}{{{count}}};"));
        let kind = match program.mutexes[number] {
            MutexKind::Recursive => "recursive_mutex",
            _ => "mutex",
        };
        declare(&format!("m{number}"), format!("std::{kind} m{number};"));
    }
    declare("array", "std::atomic<int> array[4];".to_owned());
    declare("own", "static thread_local int own;".to_owned());
    for (number, &via) in program.carriers.iter().enumerate() {
        if mentions(body, &format!("put{number}")) || mentions(body, &format!("get{number}")) {
            let text = carrier(number, via);
            lines.add(text.replace("= malloc(", &format!("= (struct msg{number} *)malloc(")));
        }
    }
}

struct Writer<'a> {
    program: &'a Program,
    purpose: Purpose,
}

impl Writer<'_> {
    fn locals(&self, thread: usize, body: &[Statement], lines: &mut Lines) {
        let mut text = Lines::default();
        self.list(0, body, &mut text);
        let text = text.text();
        for name in (0..REGISTERS).map(|number| format!("r{number}")).filter(|name| mentions(&text, name)) {
            lines.add(format!("int {name} = 0;"));
        }
        let passed = |name: &String| mentions(&text, name) && (thread == 0 || name != "p0");
        for name in (0..2).map(|number| format!("p{number}")).filter(passed) {
            lines.add(format!("box *{name} = nullptr;"));
        }
        for handle in 1..THREADS as u8 {
            if mentions(&text, &format!("h{handle}")) && owner(self.program, handle) == Some(thread) {
                lines.add(format!("std::thread h{handle};"));
            }
        }
        if mentions(&text, "mine") {
            lines.add("box mine;");
        }
    }

    fn function(&self, thread: usize, body: &[Statement], lines: &mut Lines) {
        lines.open(format!("static void t{thread}(box *p0) {{"));
        let mut inner = Lines::default();
        self.locals(thread, body, &mut inner);
        lines.append(inner);
        self.list(thread, body, lines);
        if !matches!(body.last(), Some(Statement::End(_))) {
            self.hook(lines);
            self.result(thread, lines);
        }
        lines.close("}");
    }

    /// The result of a thread. Threads that run the same function have none: they would all write it.
    fn result(&self, thread: usize, lines: &mut Lines) {
        let shared = self.program.threads.iter().any(|of| of.same_as == Some(thread as u8));
        let mut text = Lines::default();
        self.list(thread, &without_ends(&self.program.threads[thread].body), &mut text);
        if !shared {
            lines.add(format!("v{thread} = {};", masked(&text.text())));
        }
    }

    fn main(&self, lines: &mut Lines) {
        let body = &self.program.threads[0].body;
        let observed = self.purpose != Purpose::Shown;
        lines.open(if observed { "int main(int argc, char **argv) {" } else { "int main() {" });
        let mut inner = Lines::default();
        self.locals(0, body, &mut inner);
        let mut text = Lines::default();
        self.list(0, body, &mut text);
        lines.append(inner);
        if observed {
            lines.add("unsigned long outcome = 0;");
        }
        self.list(0, body, lines);
        if observed {
            lines.add(format!("outcome |= {};", masked(&text.text())));
            lines.add(super::c::judge(self.purpose));
        }
        lines.close("}");
    }

    fn hook(&self, lines: &mut Lines) {
        if self.purpose == Purpose::Native {
            lines.add("D();");
        }
    }

    fn list(&self, thread: usize, list: &[Statement], lines: &mut Lines) {
        for statement in list {
            self.hook(lines);
            self.statement(thread, statement, lines);
        }
    }

    fn otherwise(&self, thread: usize, otherwise: &[Statement], lines: &mut Lines) {
        if !otherwise.is_empty() {
            lines.close_open("} else {");
            self.list(thread, otherwise, lines);
        }
        lines.close("}");
    }

    fn section(&self, guard: Guard, how: How) -> (String, String) {
        let lock = |kind: &str, name: String, lock: String| match how {
            How::Wait => (format!("{kind} {lock}({name});"), String::new()),
            How::Try => (format!("{kind} {lock}({name}, std::try_to_lock);"), format!("if ({lock}) {{")),
            How::Timed => {
                (format!("{kind} {lock}({name}, std::chrono::microseconds(200));"), format!("if ({lock}) {{"))
            }
        };
        match guard {
            Guard::Mutex(number) => lock("std::unique_lock", format!("m{number}"), format!("lock{number}")),
            Guard::Writing(number) => lock("std::unique_lock", format!("l{number}"), "writing".to_owned()),
            Guard::Reading(number) => lock("std::shared_lock", format!("l{number}"), "reading".to_owned()),
            Guard::Spin(number) => {
                let taken = format!("z{number}.test_and_set(std::memory_order_acquire)");
                match how {
                    How::Try => (String::new(), format!("if (!{taken}) {{")),
                    _ => (format!("while ({taken}) ;"), String::new()),
                }
            }
        }
    }

    fn statement(&self, thread: usize, statement: &Statement, lines: &mut Lines) {
        match statement {
            Statement::If { condition, then, otherwise } => {
                lines.open(format!("if ({}) {{", written(condition)));
                self.list(thread, then, lines);
                self.otherwise(thread, otherwise, lines);
            }
            Statement::Loop { rounds, body } => {
                lines.open(format!("for (int i = 1; i <= {rounds}; i++) {{"));
                self.list(thread, body, lines);
                lines.close("}");
            }
            Statement::Section { guard, how, body, otherwise } => {
                let (enter, condition) = self.section(*guard, *how);
                lines.open("{");
                if !enter.is_empty() {
                    lines.add(enter);
                }
                if !condition.is_empty() {
                    lines.open(&condition);
                }
                self.list(thread, body, lines);
                self.hook(lines);
                if let Guard::Spin(number) = guard {
                    lines.add(format!("z{number}.clear(std::memory_order_release);"));
                }
                if !condition.is_empty() {
                    self.otherwise(thread, otherwise, lines);
                }
                lines.close("}");
            }
            Statement::Take { semaphore, how, then } => {
                match how {
                    How::Wait => lines.open(format!("s{semaphore}.acquire(); {{")),
                    How::Try => lines.open(format!("if (s{semaphore}.try_acquire()) {{")),
                    How::Timed => lines.open(format!(
                        "if (s{semaphore}.try_acquire_for(std::chrono::microseconds(200))) {{"
                    )),
                }
                self.list(thread, then, lines);
                lines.close("}");
            }
            Statement::End(_) => {
                if thread > 0 {
                    self.result(thread, lines);
                }
                lines.add("return;");
            }
            Statement::Join { thread: of, register } => {
                lines.add(format!("h{of}.join();"));
                let shared = self.program.threads[usize::from(*of)].same_as.is_some()
                    || self.program.threads.iter().any(|other| other.same_as == Some(*of));
                if let (Some(register), false) = (register, shared) {
                    lines.add(format!("r{register} = v{of} & 15;"));
                }
                if thread == 0 && self.purpose != Purpose::Shown && !shared {
                    lines.add(format!("outcome |= (v{of} & 0xffff) << {};", 16 * of));
                }
            }
            Statement::Create { thread: of, pointer } => {
                let argument = pointer.map_or("nullptr".to_owned(), |pointer| format!("p{pointer}"));
                let function = self.program.threads[usize::from(*of)].same_as.unwrap_or(*of);
                let argument = if argument == "nullptr" { "(box *)nullptr".to_owned() } else { argument };
                lines.add(format!("h{of} = std::thread(t{function}, {argument});"));
            }
            simple => self.simple(simple, lines),
        }
    }

    fn simple(&self, statement: &Statement, lines: &mut Lines) {
        let mut through = |place: &Place, text: String| match place.pointer() {
            Some(pointer) => lines.add(format!("if (p{pointer}) {text}")),
            None => lines.add(text),
        };
        match statement {
            Statement::Load { register, place, order } => {
                through(place, format!("r{register} = {};", load(place, *order)));
            }
            Statement::Store { place, value, order } => {
                let (name, value) = (name(place), value_of(value));
                through(
                    place,
                    match place.is_atomic() {
                        true => format!("{name}.store({value}, {});", order_name(*order)),
                        false => format!("{name} = {value};"),
                    },
                );
            }
            Statement::Update { register, update, place, value, order } => {
                let function = match update {
                    Update::Add => "fetch_add",
                    Update::Subtract => "fetch_sub",
                    Update::Or => "fetch_or",
                    Update::And => "fetch_and",
                    Update::Xor => "fetch_xor",
                    Update::Exchange => "exchange",
                };
                let into = register.map_or(String::new(), |register| format!("r{register} = "));
                let (name, value, order) = (name(place), value_of(value), order_name(*order));
                through(place, format!("{into}{name}.{function}({value}, {order});"));
            }
            Statement::CompareExchange { ok, seen, place, expected, desired, weak, success, failure } => {
                let into = ok.map_or(String::new(), |register| format!("r{register} = "));
                let found = seen.map_or(String::new(), |register| format!(" r{register} = e;"));
                let (kind, name) = (type_of(place), name(place));
                let which = if *weak { "weak" } else { "strong" };
                through(
                    place,
                    format!(
                        "{{ {kind} e = {}; {into}{name}.compare_exchange_{which}(e, {}, {}, {});{found} }}",
                        value_of(expected),
                        value_of(desired),
                        order_name(*success),
                        order_name(*failure),
                    ),
                );
            }
            Statement::Retry { place, add, order } => {
                let (kind, name) = (type_of(place), name(place));
                through(
                    place,
                    format!(
                        "{{ {kind} e = {}; while (!{name}.compare_exchange_weak(e, e + {add}, {}, std::memory_order_relaxed)) ; }}",
                        load(place, Order::Relaxed),
                        order_name(*order),
                    ),
                );
            }
            Statement::Fence(order) => {
                lines.add(format!("std::atomic_thread_fence({});", order_name(*order)));
            }
            Statement::Set { register, value } => lines.add(format!("r{register} = {};", value_of(value))),
            Statement::Await { place, value, order } => {
                through(place, format!("while ({} < {value}) ;", load(place, *order)));
            }
            Statement::Post(semaphore) => lines.add(format!("s{semaphore}.release();")),
            Statement::Barrier { barrier, .. } => lines.add(format!("b{barrier}.arrive_and_wait();")),
            Statement::Once(number) => lines.add(format!("std::call_once(o{number}, once{number});")),
            Statement::WaitFor { condition, mutex, plain, value, again, timed } => {
                let keyword = if *again && !*timed { "while" } else { "if" };
                let wait = match timed {
                    true => format!("wait_for(lock{mutex}, std::chrono::microseconds(200))"),
                    false => format!("wait(lock{mutex})"),
                };
                lines.add(format!("{keyword} (d{plain} < {value}) c{condition}.{wait};"));
            }
            Statement::Signal { condition, all } => {
                let name = if *all { "notify_all" } else { "notify_one" };
                lines.add(format!("c{condition}.{name}();"));
            }
            Statement::FutexWait { futex, value } => lines.add(format!("f{futex}.wait({value});")),
            Statement::FutexWake { futex, count } => {
                let name = if *count > 1 { "notify_all" } else { "notify_one" };
                lines.add(format!("f{futex}.fetch_add(1); f{futex}.{name}();"));
            }
            Statement::Detach(thread) => lines.add(format!("h{thread}.detach();")),
            Statement::Yield => lines.add("std::this_thread::yield();"),
            Statement::Allocate { pointer, value } => {
                lines.add(format!("p{pointer} = new box{{{{{value}}}, {value}}};"));
            }
            Statement::Address { pointer, value } => {
                lines.add(format!("p{pointer} = &mine; mine.a.store({value}); mine.d = {value};"));
            }
            Statement::Publish { pointer, carrier, order } => {
                lines.add(format!("put{carrier}(p{pointer}, {});", builtin(*order)));
            }
            Statement::Retract { pointer, carrier, order } => lines.add(format!(
                "p{pointer} = get{carrier}({}); put{carrier}((box *)0, {});",
                builtin(order.of_load()),
                builtin(order.of_store())
            )),
            Statement::Fetch { pointer, carrier, order } => {
                lines.add(format!("p{pointer} = get{carrier}({});", builtin(*order)));
            }
            Statement::Same { register, one, other } => {
                lines.add(format!("r{register} = p{one} == p{other};"));
            }
            Statement::Has { register, pointer } => {
                lines.add(format!("r{register} = p{pointer} != nullptr;"))
            }
            Statement::Free(pointer) => lines.add(format!("delete p{pointer};")),
            Statement::Assert(condition) => lines.add(format!("assert({});", written(condition))),
            _ => {}
        }
    }
}

fn builtin(order: Order) -> &'static str {
    super::c::order_name(order)
}

fn order_name(order: Order) -> &'static str {
    match order {
        Order::Relaxed => "std::memory_order_relaxed",
        Order::Acquire => "std::memory_order_acquire",
        Order::Release => "std::memory_order_release",
        Order::AcquireRelease => "std::memory_order_acq_rel",
        Order::Sequential => "std::memory_order_seq_cst",
    }
}

fn name(place: &Place) -> String {
    match place {
        Place::Atomic(number) => format!("a{number}"),
        Place::Plain(number) => format!("d{number}"),
        Place::Part(..) => "a2".to_owned(),
        Place::Element(register) => format!("array[r{register} & 3]"),
        Place::Field(pointer) => format!("p{pointer}->a"),
        Place::PlainField(pointer) => format!("p{pointer}->d"),
        Place::Own => "own".to_owned(),
    }
}

fn type_of(place: &Place) -> &'static str {
    match place {
        Place::Atomic(2) => "unsigned long",
        Place::Atomic(3) => "unsigned char",
        _ => "int",
    }
}

fn load(place: &Place, order: Order) -> String {
    match place.is_atomic() {
        true => format!("{}.load({})", name(place), order_name(order)),
        false => name(place),
    }
}
