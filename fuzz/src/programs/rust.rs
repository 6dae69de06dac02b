//! Programs in Rust: the threads, atomics and locks of its standard library.

use super::ast::*;
use super::c::{Purpose, owner, value_of, written};
use super::text::{Lines, masked, mentions};

/// Whether Rust has all that the program does.
pub fn fits(program: &Program) -> bool {
    let handled = |statement: &Statement| match statement {
        Statement::Load { place, .. } | Statement::Store { place, .. } | Statement::Update { place, .. } => {
            !matches!(place, Place::Part(..))
        }
        Statement::CompareExchange { failure, .. } => *failure != Order::Release,
        Statement::Section { guard: Guard::Spin(_), .. }
        | Statement::Section { how: How::Timed, .. }
        | Statement::Post(_)
        | Statement::Take { .. }
        | Statement::Count { .. }
        | Statement::FutexWait { .. }
        | Statement::FutexWake { .. }
        | Statement::SetKey(_)
        | Statement::GetKey(_) => false,
        Statement::End(end) => *end != End::Exit,
        Statement::Section { guard, body, .. } => {
            // Whether a lock may be taken twice by one thread is not said.
            let mut nested = false;
            each(body, &mut |inner| {
                nested |= matches!((inner, guard), (Statement::Section { guard: Guard::Mutex(one), .. }, Guard::Mutex(other)) if one == other);
                nested |= matches!(
                    (inner, guard),
                    (
                        Statement::Section { guard: Guard::Reading(_) | Guard::Writing(_), .. },
                        Guard::Reading(_) | Guard::Writing(_)
                    )
                );
            });
            !nested
        }
        _ => true,
    };
    let owned = (1..program.threads.len() as u8).all(|thread| owner(program, thread).is_some());
    let plain = program.carriers.iter().all(|via| *via == Via::Word)
        || !program.has(|statement| {
            matches!(
                statement,
                Statement::Publish { .. } | Statement::Fetch { .. } | Statement::Retract { .. }
            )
        });
    owned && plain && !program.has(|statement| !handled(statement))
}

/// The program as text.
pub fn to_rust(program: &Program, purpose: Purpose) -> String {
    let writer = Writer { program, purpose };
    let mut lines = Lines::default();
    for (number, body) in program.once.iter().enumerate() {
        if program.has(|statement| *statement == Statement::Once(number as u8)) {
            lines.open(format!("fn once{number}() {{"));
            writer.locals(usize::MAX, body, &mut lines);
            writer.list(0, body, &mut lines);
            lines.close("}");
        }
    }
    for (thread, of) in program.threads.iter().enumerate().skip(1) {
        if of.same_as.is_none() {
            writer.function(thread, &of.body, &mut lines);
        }
    }
    writer.main(&mut lines);
    let body = lines.text();
    let mut all = Lines::default();
    all.add("#![allow(unused, static_mut_refs)]");
    all.add("use std::sync::atomic::{Ordering::*, *};\nuse std::sync::*;\nuse std::thread;");
    if purpose == Purpose::Native {
        all.add("unsafe extern \"C\" { fn selvedge_noise(); }");
    }
    declarations(program, &body, &mut all);
    all.text() + &body
}

fn declarations(program: &Program, body: &str, lines: &mut Lines) {
    lines.add(
        "struct Node { a: AtomicI32, d: i32 }\nstruct Passed(*mut Node);\nunsafe impl Send for Passed {}",
    );
    let mut declare = |name: &str, text: String| {
        if mentions(body, name) {
            lines.add(text);
        }
    };
    for (name, kind) in [("A0", "AtomicI32"), ("A1", "AtomicI32"), ("A2", "AtomicU64"), ("A3", "AtomicU8")] {
        declare(name, format!("static {name}: {kind} = {kind}::new(0);"));
    }
    for number in 0..4_u8 {
        declare(&format!("D{number}"), format!("static mut D{number}: i32 = 0;"));
        declare(&format!("C{number}"), format!("static C{number}: Condvar = Condvar::new();"));
        declare(&format!("L{number}"), format!("static L{number}: RwLock<()> = RwLock::new(());"));
        declare(&format!("O{number}"), format!("static O{number}: Once = Once::new();"));
        declare(&format!("M{number}"), format!("static M{number}: Mutex<()> = Mutex::new(());"));
        declare(
            &format!("K{number}"),
            format!("static K{number}: AtomicPtr<Node> = AtomicPtr::new(std::ptr::null_mut());"),
        );
    }
    for number in 0..2 {
        let count = program.barriers[number];
        declare(&format!("B{number}"), format!("static B{number}: Barrier = Barrier::new({count});"));
    }
    declare("ARRAY", "static ARRAY: [AtomicI32; 4] = [const { AtomicI32::new(0) }; 4];".to_owned());
    declare(
        "OWN",
        "thread_local! { static OWN: std::cell::Cell<i32> = const { std::cell::Cell::new(0) }; }".to_owned(),
    );
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
            lines.add(format!("let mut {name}: i32 = 0;"));
        }
        let used = |name: &String| mentions(&text, name) && (thread == 0 || name != "p0");
        for name in (0..2).map(|number| format!("p{number}")).filter(used) {
            lines.add(format!("let mut {name}: *mut Node = std::ptr::null_mut();"));
        }
        if thread != 0 && thread != usize::MAX && mentions(&text, "p0") {
            lines.add("let mut p0 = argument.0;");
        }
        for handle in 1..THREADS as u8 {
            if mentions(&text, &format!("h{handle}")) {
                lines.add(format!("let mut h{handle}: Option<thread::JoinHandle<u64>> = None;"));
            }
        }
        if mentions(&text, "mine") {
            lines.add("let mut mine = Node { a: AtomicI32::new(0), d: 0 };");
        }
    }

    fn function(&self, thread: usize, body: &[Statement], lines: &mut Lines) {
        lines.open(format!("fn t{thread}(argument: Passed) -> u64 {{"));
        let mut inner = Lines::default();
        self.locals(thread, body, &mut inner);
        lines.append(inner);
        self.list(thread, body, lines);
        if !matches!(body.last(), Some(Statement::End(_))) {
            self.hook(lines);
            lines.add(format!("({}) as u64", self.result(thread)));
        }
        lines.close("}");
    }

    fn result(&self, thread: usize) -> String {
        let mut text = Lines::default();
        self.list(thread, &without_ends(&self.program.threads[thread].body), &mut text);
        masked(&text.text())
    }

    fn main(&self, lines: &mut Lines) {
        let body = &self.program.threads[0].body;
        let observed = self.purpose != Purpose::Shown;
        lines.open("fn main() {");
        let mut inner = Lines::default();
        self.locals(0, body, &mut inner);
        lines.append(inner);
        if observed {
            lines.add("let mut outcome: u64 = 0;");
        }
        self.list(0, body, lines);
        if observed && !matches!(body.last(), Some(Statement::End(_))) {
            lines.add(format!("outcome |= ({}) as u64;", self.result(0)));
            lines.add(match self.purpose {
                Purpose::Native => "println!(\"outcome {outcome:x}\");",
                _ => {
                    "let given: Vec<String> = std::env::args().skip(1).collect();\n  \
                     let hex = |text: &String| u64::from_str_radix(text, 16).unwrap();\n  \
                     match given.first().map(String::as_str) {\n    \
                     Some(\"is\") => assert!(outcome != hex(&given[1])),\n    \
                     Some(_) if !given[1..].iter().any(|known| hex(known) == outcome) => {\n      \
                     println!(\"outcome {outcome:x}\");\n      panic!();\n    }\n    _ => {}\n  }"
                }
            });
        }
        lines.close("}");
    }

    fn hook(&self, lines: &mut Lines) {
        if self.purpose == Purpose::Native {
            lines.add("unsafe { selvedge_noise() };");
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

    fn statement(&self, thread: usize, statement: &Statement, lines: &mut Lines) {
        match statement {
            Statement::If { condition, then, otherwise } => {
                lines.open(format!("if {} {{", written(condition)));
                self.list(thread, then, lines);
                self.otherwise(thread, otherwise, lines);
            }
            Statement::Loop { rounds, body } => {
                lines.open(format!("for i in 1..={rounds} {{"));
                self.list(thread, body, lines);
                lines.close("}");
            }
            Statement::Section { guard, how, body, otherwise } => {
                let (variable, call) = match guard {
                    Guard::Mutex(number) => (format!("g{number}"), format!("M{number}.lock")),
                    Guard::Reading(number) => ("reading".to_owned(), format!("L{number}.read")),
                    Guard::Writing(number) | Guard::Spin(number) => {
                        ("writing".to_owned(), format!("L{number}.write"))
                    }
                };
                let (lock, name) = call.split_once('.').unwrap_or_default();
                match how {
                    How::Try => lines.open(format!("if let Ok(mut {variable}) = {lock}.try_{name}() {{")),
                    _ => {
                        lines.open("{");
                        lines.add(format!("let mut {variable} = {call}().unwrap();"));
                    }
                }
                self.list(thread, body, lines);
                self.hook(lines);
                match how {
                    How::Try => self.otherwise(thread, otherwise, lines),
                    _ => lines.close("}"),
                }
            }
            Statement::End(end) => lines.add(match (end, thread) {
                (End::Program, _) => "std::process::exit(0);".to_owned(),
                (_, 0) => "return;".to_owned(),
                _ => format!("return ({}) as u64;", self.result(thread)),
            }),
            Statement::Join { thread: of, register } => {
                lines.open("{");
                lines.add(format!("let v = h{of}.take().unwrap().join().unwrap();"));
                if let Some(register) = register {
                    lines.add(format!("r{register} = (v & 15) as i32;"));
                }
                if thread == 0 && self.purpose != Purpose::Shown {
                    lines.add(format!("outcome |= (v & 0xffff) << {};", 16 * of));
                }
                lines.close("}");
            }
            Statement::Create { thread: of, pointer } => {
                let argument =
                    pointer.map_or("std::ptr::null_mut()".to_owned(), |pointer| format!("p{pointer}"));
                let function = self.program.threads[usize::from(*of)].same_as.unwrap_or(*of);
                lines.add(format!(
                    "h{of} = {{ let passed = Passed({argument}); Some(thread::spawn(move || t{function}(passed))) }};"
                ));
            }
            simple => self.simple(simple, lines),
        }
    }

    fn simple(&self, statement: &Statement, lines: &mut Lines) {
        let mut through = |place: &Place, text: String| match place.pointer() {
            Some(pointer) => lines.add(format!("if !p{pointer}.is_null() {{ {text} }}")),
            None => lines.add(text),
        };
        match statement {
            Statement::Load { register, place, order } => {
                through(place, format!("r{register} = {} as i32;", load(place, *order)));
            }
            Statement::Store { place, value, order } => {
                through(place, store(place, &value_of(value), *order));
            }
            Statement::Update { register, update, place, value, order } => {
                let function = match update {
                    Update::Add => "fetch_add",
                    Update::Subtract => "fetch_sub",
                    Update::Or => "fetch_or",
                    Update::And => "fetch_and",
                    Update::Xor => "fetch_xor",
                    Update::Exchange => "swap",
                };
                let into = register.map_or("let _".to_owned(), |register| format!("r{register}"));
                let (name, value) = (name(place), value_of(value));
                through(
                    place,
                    format!(
                        "{into} = {name}.{function}(({value}) as _, {order:?}) as i32;",
                        order = Written(*order)
                    ),
                );
            }
            Statement::CompareExchange { ok, seen, place, expected, desired, weak, success, failure } => {
                let which = if *weak { "compare_exchange_weak" } else { "compare_exchange" };
                let into = ok.map_or(String::new(), |register| format!(" r{register} = x.is_ok() as i32;"));
                let found = seen.map_or(String::new(), |register| {
                    format!(" r{register} = x.unwrap_or_else(|e| e) as i32;")
                });
                through(
                    place,
                    format!(
                        "{{ let x = {}.{which}(({}) as _, ({}) as _, {:?}, {:?});{into}{found} }}",
                        name(place),
                        value_of(expected),
                        value_of(desired),
                        Written(*success),
                        Written(*failure),
                    ),
                );
            }
            Statement::Retry { place, add, order } => {
                let name = name(place);
                through(
                    place,
                    format!(
                        "{{ let mut e = {name}.load(Relaxed); while let Err(seen) = {name}.compare_exchange_weak(e, e + {add}, {:?}, Relaxed) {{ e = seen; }} }}",
                        Written(*order),
                    ),
                );
            }
            Statement::Fence(order) => lines.add(format!("fence({:?});", Written(*order))),
            Statement::Set { register, value } => lines.add(format!("r{register} = {};", value_of(value))),
            Statement::Await { place, value, order } => {
                through(
                    place,
                    format!("while ({} as i32) < {value} {{ std::hint::spin_loop(); }}", load(place, *order)),
                );
            }
            Statement::Barrier { barrier, register } => lines.add(match register {
                Some(register) => format!("r{register} = B{barrier}.wait().is_leader() as i32;"),
                None => format!("B{barrier}.wait();"),
            }),
            Statement::Once(number) => lines.add(format!("O{number}.call_once(once{number});")),
            Statement::WaitFor { condition, mutex, plain, value, again, timed } => {
                let keyword = if *again && !*timed { "while" } else { "if" };
                let wait = match timed {
                    true => {
                        format!("wait_timeout(g{mutex}, std::time::Duration::from_micros(200)).unwrap().0")
                    }
                    false => format!("wait(g{mutex}).unwrap()"),
                };
                lines.add(format!(
                    "{keyword} unsafe {{ D{plain} }} < {value} {{ g{mutex} = C{condition}.{wait}; }}"
                ));
            }
            Statement::Signal { condition, all } => {
                let name = if *all { "notify_all" } else { "notify_one" };
                lines.add(format!("C{condition}.{name}();"));
            }
            Statement::Detach(thread) => lines.add(format!("drop(h{thread}.take());")),
            Statement::Yield => lines.add("thread::yield_now();"),
            Statement::Allocate { pointer, value } => lines.add(format!(
                "p{pointer} = Box::into_raw(Box::new(Node {{ a: AtomicI32::new({value}), d: {value} }}));"
            )),
            Statement::Address { pointer, value } => lines.add(format!(
                "mine = Node {{ a: AtomicI32::new({value}), d: {value} }}; p{pointer} = &raw mut mine;"
            )),
            Statement::Publish { pointer, carrier, order } => {
                lines.add(format!("K{carrier}.store(p{pointer}, {:?});", Written(*order)));
            }
            Statement::Retract { pointer, carrier, order } => lines
                .add(format!("p{pointer} = K{carrier}.swap(std::ptr::null_mut(), {:?});", Written(*order))),
            Statement::Fetch { pointer, carrier, order } => {
                lines.add(format!("p{pointer} = K{carrier}.load({:?});", Written(*order)));
            }
            Statement::Same { register, one, other } => {
                lines.add(format!("r{register} = (p{one} == p{other}) as i32;"));
            }
            Statement::Has { register, pointer } => {
                lines.add(format!("r{register} = !p{pointer}.is_null() as i32;"));
            }
            Statement::Free(pointer) => {
                lines.add(format!(
                    "if !p{pointer}.is_null() {{ unsafe {{ drop(Box::from_raw(p{pointer})) }} }}"
                ));
            }
            Statement::Assert(condition) => lines.add(format!("assert!({});", written(condition))),
            _ => {}
        }
    }
}

/// An order as Rust writes it.
struct Written(Order);

impl std::fmt::Debug for Written {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self.0 {
            Order::Relaxed => "Relaxed",
            Order::Acquire => "Acquire",
            Order::Release => "Release",
            Order::AcquireRelease => "AcqRel",
            Order::Sequential => "SeqCst",
        })
    }
}

fn name(place: &Place) -> String {
    match place {
        Place::Atomic(number) => format!("A{number}"),
        Place::Plain(number) => format!("D{number}"),
        Place::Part(..) => "A2".to_owned(),
        Place::Element(register) => format!("ARRAY[(r{register} & 3) as usize]"),
        Place::Field(pointer) => format!("unsafe {{ &(*p{pointer}).a }}"),
        Place::PlainField(pointer) => format!("(*p{pointer}).d"),
        Place::Own => "OWN".to_owned(),
    }
}

fn load(place: &Place, order: Order) -> String {
    match place {
        Place::Own => "OWN.get()".to_owned(),
        Place::Plain(_) | Place::PlainField(_) => format!("unsafe {{ (&raw const {}).read() }}", name(place)),
        _ => format!("{}.load({:?})", name(place), Written(order)),
    }
}

fn store(place: &Place, value: &str, order: Order) -> String {
    match place {
        Place::Own => format!("OWN.set({value});"),
        Place::Plain(_) | Place::PlainField(_) => {
            format!("unsafe {{ (&raw mut {}).write({value}) }};", name(place))
        }
        _ => format!("{}.store(({value}) as _, {:?});", name(place), Written(order)),
    }
}
