//! Programs in C: POSIX threads, futexes by system calls, clang's atomic functions.

use super::ast::*;
use super::text::{Lines, masked, mentions};

/// What a program is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be checked. Arguments say what of its outcomes is wrong: `is X`, or `among X Y ...` if it is none of these.
    Checked,
    /// To be run on the processor: with a hook for delays between statements, it prints its outcome.
    Native,
    /// To be read: outcomes do not matter.
    Shown,
}

const BEGINNING: &str = "#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
";

/// The program as text.
pub fn to_c(program: &Program, purpose: Purpose) -> String {
    let mut lines = Lines::default();
    let writer = Writer { program, purpose };
    for (number, body) in program.once.iter().enumerate() {
        if program.has(|statement| *statement == Statement::Once(number as u8)) {
            lines.open(format!("static void once{number}(void) {{"));
            writer.locals(usize::MAX, body, &mut lines);
            writer.list(0, body, &mut lines);
            lines.close("}");
        }
    }
    for thread in 1..program.threads.len() {
        lines.add(format!("static void *t{thread}(void *);"));
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
        all.add("void selvedge_noise(void);\n#define D() selvedge_noise()");
    }
    declarations(program, purpose, &body, &mut all);
    let text = all.text() + &body;
    includes(&text) + &text
}

/// Only what is needed, so that a small program is short.
fn includes(body: &str) -> String {
    let needed = |line: &&str| match *line {
        "#define _GNU_SOURCE" | "#include <pthread.h>" => true,
        "#include <assert.h>" => body.contains("assert("),
        "#include <linux/futex.h>" | "#include <sys/syscall.h>" | "#include <unistd.h>" => {
            body.contains("futex(")
        }
        "#include <sched.h>" => body.contains("sched_"),
        "#include <semaphore.h>" => body.contains("sem_"),
        "#include <stdio.h>" => body.contains("printf(") || body.contains("scanf("),
        "#include <string.h>" => ["memcpy(", "strcmp("].iter().any(|name| body.contains(name)),
        "#include <time.h>" => body.contains("soon()"),
        _ => true,
    };
    BEGINNING.lines().filter(needed).map(|line| format!("{line}\n")).collect()
}

/// What the functions mention.
fn declarations(program: &Program, purpose: Purpose, body: &str, lines: &mut Lines) {
    let mut declare = |name: &str, text: String| {
        if mentions(body, name) {
            lines.add(text);
        }
    };
    declare("soon", soon(purpose));
    declare(
        "futex",
        "static long futex(int *word, int what, int value) { return syscall(SYS_futex, word, what, value, 0, 0, 0); }"
            .to_owned(),
    );
    declare("box", "struct box { int a, d; };".to_owned());
    for (name, kind) in [("a0", "int"), ("a1", "int"), ("a2", "unsigned long"), ("a3", "unsigned char")] {
        declare(name, format!("{kind} {name};"));
    }
    for number in 0..4_u8 {
        declare(&format!("d{number}"), format!("int d{number};"));
        declare(&format!("f{number}"), format!("int f{number};"));
        if owner(program, number).is_none() {
            declare(&format!("h{number}"), format!("pthread_t h{number};"));
        }
        declare(&format!("c{number}"), format!("pthread_cond_t c{number} = PTHREAD_COND_INITIALIZER;"));
        declare(&format!("l{number}"), format!("pthread_rwlock_t l{number} = PTHREAD_RWLOCK_INITIALIZER;"));
        declare(&format!("z{number}"), format!("pthread_spinlock_t z{number};"));
        declare(&format!("s{number}"), format!("sem_t s{number};"));
        declare(&format!("b{number}"), format!("pthread_barrier_t b{number};"));
        declare(&format!("o{number}"), format!("pthread_once_t o{number} = PTHREAD_ONCE_INIT;"));
    }
    declare("array", "int array[4];".to_owned());
    declare(
        "w",
        "union { unsigned long u8; unsigned u4[2]; unsigned short u2[4]; unsigned char u1[8]; } w;"
            .to_owned(),
    );
    declare("own", "static _Thread_local int own;".to_owned());
    for (number, kind) in program.mutexes.iter().enumerate() {
        let initial = match kind {
            MutexKind::Normal => "PTHREAD_MUTEX_INITIALIZER",
            MutexKind::Recursive => "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
            MutexKind::Checked => "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP",
        };
        declare(&format!("m{number}"), format!("pthread_mutex_t m{number} = {initial};"));
    }
    for (number, &via) in program.carriers.iter().enumerate() {
        if mentions(body, &format!("put{number}")) || mentions(body, &format!("get{number}")) {
            lines.add(carrier(number, via));
        }
    }
    if mentions(body, "key") {
        lines.add("int ka;\nstatic pthread_key_t key;");
        lines.add("static void leave(void *v) { __atomic_fetch_add(&ka, (int)(long)v, __ATOMIC_RELAXED); }");
    }
}

/// A moment that is near.
fn soon(purpose: Purpose) -> String {
    match purpose {
        Purpose::Native => "static struct timespec soon(void) { struct timespec t; \
            clock_gettime(CLOCK_REALTIME, &t); t.tv_nsec += 200000; \
            if (t.tv_nsec >= 1000000000) { t.tv_sec++; t.tv_nsec -= 1000000000; } return t; }"
            .to_owned(),
        _ => "static struct timespec soon(void) { struct timespec t = {1, 0}; return t; }".to_owned(),
    }
}

/// The functions through which a pointer travels. What is not one atomic word is announced by a flag.
pub fn carrier(number: usize, via: Via) -> String {
    let (holds, put, get) = match via {
        Via::Word => (String::new(), String::new(), String::new()),
        Via::Packed => (
            format!("static struct __attribute__((packed)) {{ char kind; struct box *p; }} k{number};"),
            format!("k{number}.kind = 1; k{number}.p = p;"),
            format!("return k{number}.p;"),
        ),
        Via::HeapPacked => (
            format!(
                "struct __attribute__((packed)) msg{number} {{ char kind; struct box *p; }}; static struct msg{number} *k{number};"
            ),
            format!("struct msg{number} *m = malloc(sizeof *m); m->kind = 1; m->p = p; k{number} = m;"),
            format!("return k{number}->p;"),
        ),
        Via::Unaligned => (
            format!("static char k{number}[16];"),
            format!("memcpy(k{number} + 3, &p, sizeof p);"),
            format!("struct box *p; memcpy(&p, k{number} + 3, sizeof p); return p;"),
        ),
        Via::Bytes => (
            format!("static char k{number}[8];"),
            format!("for (int i = 0; i < 8; i++) k{number}[i] = ((char *)&p)[i];"),
            format!("struct box *p; for (int i = 0; i < 8; i++) ((char *)&p)[i] = k{number}[i]; return p;"),
        ),
        Via::Tagged => (
            format!("static union {{ unsigned long v; unsigned short t[4]; }} k{number};"),
            format!("k{number}.v = (unsigned long)p; k{number}.t[3] = 7;"),
            format!("return (struct box *)(k{number}.v & 0xffffffffffffUL);"),
        ),
        Via::Integer => (
            format!("static unsigned long k{number};"),
            format!("k{number} = (unsigned long)p ^ 0x5a5aUL;"),
            format!("return (struct box *)(k{number} ^ 0x5a5aUL);"),
        ),
        Via::Printed => (
            format!("static char k{number}[32];"),
            format!("snprintf(k{number}, 32, \"%p\", (void *)p);"),
            format!("void *p; sscanf(k{number}, \"%p\", &p); return (struct box *)p;"),
        ),
        Via::Copied => (
            format!(
                "struct note{number} {{ int kind; struct box *p; int more; }}; static struct note{number} k{number};"
            ),
            format!("struct note{number} n = {{1, p, 2}}; k{number} = n;"),
            format!("struct note{number} n = k{number}; return n.p;"),
        ),
    };
    if via == Via::Word {
        return format!(
            "static struct box *k{number};\n\
             #define put{number}(p, order) __atomic_store_n(&k{number}, p, order)\n\
             #define get{number}(order) __atomic_load_n(&k{number}, order)"
        );
    }
    format!(
        "static int g{number}; {holds}\n\
         static void hold{number}(struct box *p) {{ {put} }}\n\
         static struct box *read{number}(void) {{ {get} }}\n\
         #define put{number}(p, order) (p ? (hold{number}(p), __atomic_store_n(&g{number}, 1, order)) \
         : __atomic_store_n(&g{number}, 0, order))\n\
         #define get{number}(order) (__atomic_load_n(&g{number}, order) ? read{number}() : 0)"
    )
}

/// The only thread that has to do with the handle of another.
pub fn owner(program: &Program, handle: u8) -> Option<usize> {
    let mut users = Vec::new();
    program.each(&mut |thread, statement| match statement {
        Statement::Create { thread: of, .. } | Statement::Join { thread: of, .. } | Statement::Detach(of)
            if *of == handle =>
        {
            users.push(thread);
        }
        _ => {}
    });
    users.dedup();
    if let [one] = users[..] { Some(one) } else { None }
}

struct Writer<'a> {
    program: &'a Program,
    purpose: Purpose,
}

impl Writer<'_> {
    /// Registers and pointers that are used.
    fn locals(&self, thread: usize, body: &[Statement], lines: &mut Lines) {
        let mut text = Lines::default();
        self.list(0, body, &mut text);
        let text = text.text();
        let used = |names: &mut dyn Iterator<Item = String>| -> Vec<String> {
            names.filter(|name| mentions(&text, name)).collect()
        };
        let registers = used(&mut (0..REGISTERS).map(|number| format!("r{number}")));
        let pointers = used(&mut (0..2).map(|number| format!("p{number}")));
        if !registers.is_empty() {
            lines.add(format!(
                "int {};",
                registers.iter().map(|r| format!("{r} = 0")).collect::<Vec<_>>().join(", ")
            ));
        }
        for pointer in pointers {
            lines.add(format!("struct box *{pointer} = 0;"));
        }
        for handle in 1..THREADS as u8 {
            if mentions(&text, &format!("h{handle}")) && owner(self.program, handle) == Some(thread) {
                lines.add(format!("pthread_t h{handle};"));
            }
        }
        if mentions(&text, "mine") {
            lines.add("struct box mine;");
        }
    }

    fn function(&self, thread: usize, body: &[Statement], lines: &mut Lines) {
        lines.open(format!("static void *t{thread}(void *argument) {{"));
        let mut inner = Lines::default();
        self.locals(thread, body, &mut inner);
        lines.append(inner);
        let passed = self.program.has(|statement| match statement {
            Statement::Create { thread: of, pointer: Some(_) } => self.function_of(*of) == thread,
            _ => false,
        });
        let mut text = Lines::default();
        self.list(thread, body, &mut text);
        let text = text.text();
        if passed && mentions(&text, "p0") {
            lines.add("p0 = argument;");
        }
        self.list(thread, body, lines);
        if !matches!(body.last(), Some(Statement::End(_))) {
            self.hook(lines);
            lines.add(format!("return {};", result(&text)));
        }
        lines.close("}");
    }

    /// The thread whose function this one runs.
    fn function_of(&self, thread: u8) -> usize {
        let of = self.program.threads.get(usize::from(thread)).and_then(|of| of.same_as);
        usize::from(of.unwrap_or(thread))
    }

    fn main(&self, lines: &mut Lines) {
        let body = &self.program.threads[0].body;
        let observed = self.purpose != Purpose::Shown;
        let head = if observed { "int main(int argc, char **argv) {" } else { "int main(void) {" };
        lines.open(head);
        let mut inner = Lines::default();
        self.locals(0, body, &mut inner);
        let mut text = Lines::default();
        self.list(0, body, &mut text);
        let text = text.text();
        lines.append(inner);
        if observed {
            lines.add("unsigned long outcome = 0;");
        }
        self.initialise(lines);
        self.list(0, body, lines);
        if observed && !matches!(body.last(), Some(Statement::End(_))) {
            let own = masked(&text);
            lines.add(format!("outcome |= {own};"));
            lines.add(judge(self.purpose));
        }
        if !matches!(body.last(), Some(Statement::End(_))) {
            lines.add("return 0;");
        }
        lines.close("}");
    }

    /// What has no static initial value.
    fn initialise(&self, lines: &mut Lines) {
        let program = self.program;
        for number in 0..2_u8 {
            let semaphore = |statement: &Statement| match statement {
                Statement::Post(of) => *of == number,
                Statement::Take { semaphore, .. } | Statement::Count { semaphore, .. } => {
                    *semaphore == number
                }
                _ => false,
            };
            if program.has(semaphore) {
                let initial = program.semaphores[usize::from(number)];
                lines.add(format!("sem_init(&s{number}, 0, {initial});"));
            }
            if program.has(
                |statement| matches!(statement, Statement::Barrier { barrier, .. } if *barrier == number),
            ) {
                let count = program.barriers[usize::from(number)];
                lines.add(format!("pthread_barrier_init(&b{number}, 0, {count});"));
            }
            let spins = |statement: &Statement| matches!(statement, Statement::Section { guard: Guard::Spin(of), .. } if *of == number);
            if program.has(spins) {
                lines.add(format!("pthread_spin_init(&z{number}, 0);"));
            }
        }
        if program.has(|statement| matches!(statement, Statement::SetKey(_) | Statement::GetKey(_))) {
            lines.add("pthread_key_create(&key, leave);");
        }
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

    fn block(&self, thread: usize, head: String, body: &[Statement], lines: &mut Lines) {
        lines.open(head);
        self.list(thread, body, lines);
    }

    fn statement(&self, thread: usize, statement: &Statement, lines: &mut Lines) {
        match statement {
            Statement::If { condition, then, otherwise } => {
                self.block(thread, format!("if ({}) {{", written(condition)), then, lines);
                self.otherwise(thread, otherwise, lines);
            }
            Statement::Loop { rounds, body } => {
                self.block(thread, format!("for (int i = 1; i <= {rounds}; i++) {{"), body, lines);
                lines.close("}");
            }
            Statement::Section { guard, how, body, otherwise } => {
                let (enter, leave) = section(*guard, *how);
                let how = match guard {
                    Guard::Spin(_) if *how == How::Timed => How::Wait,
                    _ => *how,
                };
                match how {
                    How::Wait => {
                        lines.open("{");
                        lines.add(format!("{enter};"));
                    }
                    How::Try => lines.open(format!("if (!{enter}) {{")),
                    How::Timed => {
                        lines.open("{");
                        lines.add("struct timespec limit = soon();");
                        lines.open(format!("if (!{enter}) {{"));
                    }
                }
                self.list(thread, body, lines);
                self.hook(lines);
                lines.add(format!("{leave};"));
                match how {
                    How::Wait => lines.close("}"),
                    How::Try => self.otherwise(thread, otherwise, lines),
                    How::Timed => {
                        self.otherwise(thread, otherwise, lines);
                        lines.close("}");
                    }
                }
            }
            Statement::Take { semaphore, how, then } => match how {
                How::Wait => {
                    lines.add(format!("sem_wait(&s{semaphore});"));
                    self.list(thread, then, lines);
                }
                How::Try => {
                    self.block(thread, format!("if (!sem_trywait(&s{semaphore})) {{"), then, lines);
                    lines.close("}");
                }
                How::Timed => {
                    lines.open("{");
                    lines.add("struct timespec limit = soon();");
                    self.block(thread, format!("if (!sem_timedwait(&s{semaphore}, &limit)) {{"), then, lines);
                    lines.close("}");
                    lines.close("}");
                }
            },
            Statement::End(end) => {
                let mut text = Lines::default();
                self.list(thread, &without_ends(&self.program.threads[thread].body), &mut text);
                let text = text.text();
                lines.add(match (end, thread) {
                    (End::Return, 0) => "return 0;".to_owned(),
                    (End::Return, _) => format!("return {};", result(&text)),
                    (End::Exit, 0) => "pthread_exit(0);".to_owned(),
                    (End::Exit, _) => format!("pthread_exit({});", result(&text)),
                    (End::Program, _) => "exit(0);".to_owned(),
                });
            }
            Statement::Join { thread: of, register } => {
                lines.open("{");
                lines.add("void *v;");
                lines.add(format!("pthread_join(h{of}, &v);"));
                if let Some(register) = register {
                    lines.add(format!("r{register} = (long)v & 15;"));
                }
                if thread == 0 && self.purpose != Purpose::Shown {
                    lines.add(format!("outcome |= ((unsigned long)v & 0xffff) << {};", 16 * of));
                }
                lines.close("}");
            }
            Statement::Create { thread: of, pointer } => {
                let argument = pointer.map_or("0".to_owned(), |pointer| format!("p{pointer}"));
                let function = self.function_of(*of);
                lines.add(format!("pthread_create(&h{of}, 0, t{function}, {argument});"));
            }
            simple => self.simple(simple, lines),
        }
    }

    fn otherwise(&self, thread: usize, otherwise: &[Statement], lines: &mut Lines) {
        if !otherwise.is_empty() {
            lines.close_open("} else {");
            self.list(thread, otherwise, lines);
        }
        lines.close("}");
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
            Statement::Store { place, value, order } => through(place, store(place, value_of(value), *order)),
            Statement::Update { register, update, place, value, order } => {
                let name = match update {
                    Update::Add => "fetch_add",
                    Update::Subtract => "fetch_sub",
                    Update::Or => "fetch_or",
                    Update::And => "fetch_and",
                    Update::Xor => "fetch_xor",
                    Update::Exchange => "exchange_n",
                };
                let into = register.map_or(String::new(), |register| format!("r{register} = "));
                let (address, value) = (address(place), value_of(value));
                through(place, format!("{into}__atomic_{name}({address}, {value}, {});", order_name(*order)));
            }
            Statement::CompareExchange { ok, seen, place, expected, desired, weak, success, failure } => {
                let (kind, address) = (type_of(place), address(place));
                let into = ok.map_or(String::new(), |register| format!("r{register} = "));
                let found = seen.map_or(String::new(), |register| format!(" r{register} = e;"));
                through(
                    place,
                    format!(
                        "{{ {kind} e = {}; {into}__atomic_compare_exchange_n({address}, &e, {}, {}, {}, {});{found} }}",
                        value_of(expected),
                        value_of(desired),
                        u8::from(*weak),
                        order_name(*success),
                        order_name(*failure),
                    ),
                );
            }
            Statement::Retry { place, add, order } => {
                let (kind, address) = (type_of(place), address(place));
                through(
                    place,
                    format!(
                        "{{ {kind} e = {}; while (!__atomic_compare_exchange_n({address}, &e, e + {add}, 1, {}, __ATOMIC_RELAXED)) ; }}",
                        load(place, Order::Relaxed),
                        order_name(*order),
                    ),
                );
            }
            Statement::Fence(order) => lines.add(format!("__atomic_thread_fence({});", order_name(*order))),
            Statement::Set { register, value } => lines.add(format!("r{register} = {};", value_of(value))),
            Statement::Await { place, value, order } => {
                through(place, format!("while ({} < {value}) ;", load(place, *order)));
            }
            Statement::Post(semaphore) => lines.add(format!("sem_post(&s{semaphore});")),
            Statement::Count { semaphore, register } => {
                lines.add(format!("sem_getvalue(&s{semaphore}, &r{register});"));
            }
            Statement::Barrier { barrier, register } => {
                let wait = format!("pthread_barrier_wait(&b{barrier})");
                lines.add(match register {
                    Some(register) => format!("r{register} = {wait} != 0;"),
                    None => format!("{wait};"),
                });
            }
            Statement::Once(number) => lines.add(format!("pthread_once(&o{number}, once{number});")),
            Statement::WaitFor { condition, mutex, plain, value, again, timed } => {
                let keyword = if *again { "while" } else { "if" };
                let test = format!("{keyword} (d{plain} < {value})");
                lines.add(match timed {
                    false => format!("{test} pthread_cond_wait(&c{condition}, &m{mutex});"),
                    true => format!(
                        "{{ struct timespec limit = soon(); if (d{plain} < {value}) pthread_cond_timedwait(&c{condition}, &m{mutex}, &limit); }}"
                    ),
                });
            }
            Statement::Signal { condition, all } => {
                let name = if *all { "broadcast" } else { "signal" };
                lines.add(format!("pthread_cond_{name}(&c{condition});"));
            }
            Statement::FutexWait { futex, value } => {
                lines.add(format!("futex(&f{futex}, FUTEX_WAIT_PRIVATE, {value});"));
            }
            Statement::FutexWake { futex, count } => {
                lines.add(format!("__atomic_fetch_add(&f{futex}, 1, __ATOMIC_SEQ_CST);"));
                lines.add(format!("futex(&f{futex}, FUTEX_WAKE_PRIVATE, {count});"));
            }
            Statement::Detach(thread) => lines.add(format!("pthread_detach(h{thread});")),
            Statement::Yield => lines.add("sched_yield();"),
            Statement::Allocate { pointer, value } => lines.add(format!(
                "p{pointer} = malloc(sizeof(struct box)); p{pointer}->a = {value}; p{pointer}->d = {value};"
            )),
            Statement::Address { pointer, value } => {
                lines.add(format!("p{pointer} = &mine; mine.a = {value}; mine.d = {value};"));
            }
            Statement::Publish { pointer, carrier, order } => {
                lines.add(format!("put{carrier}(p{pointer}, {});", order_name(*order)));
            }
            Statement::Retract { pointer, carrier, order } => lines.add(format!(
                "p{pointer} = get{carrier}({}); put{carrier}((struct box *)0, {});",
                order_name(order.of_load()),
                order_name(order.of_store())
            )),
            Statement::Fetch { pointer, carrier, order } => {
                lines.add(format!("p{pointer} = get{carrier}({});", order_name(*order)));
            }
            Statement::Same { register, one, other } => {
                lines.add(format!("r{register} = p{one} == p{other};"));
            }
            Statement::Has { register, pointer } => lines.add(format!("r{register} = p{pointer} != 0;")),
            Statement::Free(pointer) => lines.add(format!("free(p{pointer});")),
            Statement::SetKey(value) => {
                lines.add(format!("pthread_setspecific(key, (void *)(long)({}));", value_of(value)));
            }
            Statement::GetKey(register) => {
                lines.add(format!("r{register} = (int)(long)pthread_getspecific(key);"));
            }
            Statement::Assert(condition) => lines.add(format!("assert({});", written(condition))),
            _ => {}
        }
    }
}

/// A thread's result, of the registers that it uses.
fn result(text: &str) -> String {
    match masked(text).as_str() {
        "0" => "0".to_owned(),
        value => format!("(void *)(long)({value})"),
    }
}

/// What main does with the outcome, in C and C++.
pub fn judge(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Native => "printf(\"outcome %lx\\n\", outcome); fflush(stdout);",
        _ => {
            "if (argc > 1 && !strcmp(argv[1], \"is\")) assert(outcome != strtoul(argv[2], 0, 16));\n  \
             if (argc > 1 && !strcmp(argv[1], \"among\")) {\n    int known = 0;\n    \
             for (int i = 2; i < argc; i++) known |= outcome == strtoul(argv[i], 0, 16);\n    \
             if (!known) { printf(\"outcome %lx\\n\", outcome); assert(known); }\n  }"
        }
    }
}

/// How a section is entered and left.
fn section(guard: Guard, how: How) -> (String, String) {
    let call = |kind: &str, lock: &str, name: String| {
        let enter = match how {
            How::Wait => format!("pthread_{kind}_{lock}(&{name})"),
            How::Try => format!("pthread_{kind}_try{lock}(&{name})"),
            How::Timed => format!("pthread_{kind}_timed{lock}(&{name}, &limit)"),
        };
        (enter, format!("pthread_{kind}_unlock(&{name})"))
    };
    match guard {
        Guard::Mutex(number) => call("mutex", "lock", format!("m{number}")),
        Guard::Reading(number) => call("rwlock", "rdlock", format!("l{number}")),
        Guard::Writing(number) => call("rwlock", "wrlock", format!("l{number}")),
        Guard::Spin(number) => {
            let lock = if how == How::Try { "trylock" } else { "lock" };
            (format!("pthread_spin_{lock}(&z{number})"), format!("pthread_spin_unlock(&z{number})"))
        }
    }
}

/// As clang's atomic functions have it.
pub fn order_name(order: Order) -> &'static str {
    match order {
        Order::Relaxed => "__ATOMIC_RELAXED",
        Order::Acquire => "__ATOMIC_ACQUIRE",
        Order::Release => "__ATOMIC_RELEASE",
        Order::AcquireRelease => "__ATOMIC_ACQ_REL",
        Order::Sequential => "__ATOMIC_SEQ_CST",
    }
}

/// The name of a place.
fn name(place: &Place) -> String {
    match place {
        Place::Atomic(number) => format!("a{number}"),
        Place::Plain(number) => format!("d{number}"),
        Place::Part(8, _) => "w.u8".to_owned(),
        Place::Part(size, index) => format!("w.u{size}[{index}]"),
        Place::Element(register) => format!("array[r{register} & 3]"),
        Place::Field(pointer) => format!("p{pointer}->a"),
        Place::PlainField(pointer) => format!("p{pointer}->d"),
        Place::Own => "own".to_owned(),
    }
}

fn address(place: &Place) -> String {
    format!("&{}", name(place))
}

fn type_of(place: &Place) -> &'static str {
    match place {
        Place::Atomic(2) | Place::Part(8, _) => "unsigned long",
        Place::Atomic(3) | Place::Part(1, _) => "unsigned char",
        Place::Part(2, _) => "unsigned short",
        Place::Part(_, _) => "unsigned",
        _ => "int",
    }
}

fn load(place: &Place, order: Order) -> String {
    match place.is_atomic() {
        true => format!("__atomic_load_n({}, {})", address(place), order_name(order)),
        false => name(place),
    }
}

fn store(place: &Place, value: String, order: Order) -> String {
    match place.is_atomic() {
        true => format!("__atomic_store_n({}, {value}, {});", address(place), order_name(order)),
        false => format!("{} = {value};", name(place)),
    }
}

/// As all three languages write it.
pub fn value_of(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Register(register, 0) => format!("r{register}"),
        Value::Register(register, added) => format!("r{register} + {added}"),
        Value::Round => "i".to_owned(),
    }
}

/// As all three languages write it.
pub fn written(condition: &Condition) -> String {
    let term = |(register, is, value): &(u8, Is, u8)| {
        let sign = match is {
            Is::Equal => "==",
            Is::Other => "!=",
            Is::AtLeast => ">=",
        };
        format!("r{register} {sign} {value}")
    };
    let terms = condition.terms.iter().map(term).collect::<Vec<_>>().join(" && ");
    match condition.negated {
        true => format!("!({terms})"),
        false => terms,
    }
}
