//! Random C programs with weak atomics: two or three threads with messages, locks, retried updates and single accesses.
//!
//! A program is a list of motifs, each of which adds statements to the ends of one or two threads. A thread that waits
//! for something thus waits for what comes earlier in the list, so that most programs end. Statements are whole in
//! themselves: leaving some out leaves a program. In their text `$` stands for what tells the names of one program from
//! those of another.

use crate::random::Random;
use std::fmt::Write;

/// Locals that a thread has for what it reads.
const LOCALS: usize = 4;

const BEGINNING: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
";

/// What all accesses of a program have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strength {
    /// All are sequentially consistent.
    Sequential,
    /// Locks and messages synchronise, the rest is as it comes.
    Proper,
    /// As it comes.
    Any,
}

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// What the threads do.
    pub threads: Vec<Vec<String>>,
    /// What is said in the end.
    pub finale: Vec<String>,
    /// All its atomic accesses are sequentially consistent, and no thread tries to lock without waiting.
    pub sequential: bool,
    /// Assertions are only made in the end.
    pub asserts_last: bool,
}

/// The program with a number.
pub fn generate(number: u64) -> Program {
    Generator::new(Random::new(number)).program()
}

struct Generator {
    random: Random,
    strength: Strength,
    /// Whether what is plain and guarded by nothing is accessed too.
    careless: bool,
    threads: Vec<Vec<String>>,
    /// The next local of each thread.
    locals: Vec<usize>,
    variables: usize,
    asserts_last: bool,
    tries: bool,
}

impl Generator {
    fn new(mut random: Random) -> Self {
        let strength = match random.below(10) {
            0..2 => Strength::Sequential,
            2..7 => Strength::Proper,
            _ => Strength::Any,
        };
        let careless = random.once_in(6);
        let threads = if random.once_in(4) { 3 } else { 2 };
        let variables = 1 + random.below(3);
        Generator {
            random,
            strength,
            careless,
            threads: vec![Vec::new(); threads],
            locals: vec![0; threads],
            variables,
            asserts_last: true,
            tries: false,
        }
    }

    fn program(mut self) -> Program {
        let motifs =
            if self.threads.len() == 2 { 3 + self.random.below(4) } else { 3 + self.random.below(3) };
        // More threads that go round have more executions than can be compared.
        let mut heavy = if self.threads.len() == 2 { 4 } else { 2 };
        for _ in 0..motifs {
            match self.random.below(12) {
                0..2 if heavy > 0 => (heavy, _) = (heavy - 1, self.message()),
                2..4 if heavy > 0 => (heavy, _) = (heavy - 1, self.section()),
                4..6 if heavy > 0 => (heavy, _) = (heavy - 1, self.retried()),
                6 if heavy > 0 => (heavy, _) = (heavy - 1, self.wait()),
                7 if self.careless => self.plain(),
                8 if self.random.once_in(2) => self.asserted(),
                _ => self.single(),
            }
        }
        let finale = (0..1 + self.random.below(2)).map(|_| self.conjunction()).collect();
        Program {
            threads: self.threads,
            finale,
            sequential: self.strength == Strength::Sequential && !self.tries,
            asserts_last: self.asserts_last,
        }
    }

    fn thread(&mut self) -> usize {
        self.random.below(self.threads.len())
    }

    fn variable(&mut self) -> &'static str {
        ["$x", "$y", "$z"][self.random.below(self.variables)]
    }

    fn value(&mut self) -> usize {
        1 + self.random.below(4) / 3
    }

    /// A local of a thread for what it reads next.
    fn local(&mut self, thread: usize) -> String {
        let local = self.locals[thread] % LOCALS;
        self.locals[thread] += 1;
        format!("r{local}")
    }

    fn add(&mut self, thread: usize, statement: String) {
        self.threads[thread].push(statement);
    }

    /// One of several orders; `proper` is the one that is needed to synchronise, where something is to.
    fn order(&mut self, proper: Option<&'static str>, others: &[&'static str]) -> String {
        let order = match (self.strength, proper) {
            (Strength::Sequential, _) => "seq_cst",
            (Strength::Proper, Some(proper)) => proper,
            // Fewer of those that are dearer to explore.
            _ if self.random.once_in(8) => "seq_cst",
            _ => others[self.random.below(others.len())],
        };
        format!("memory_order_{order}")
    }

    fn loads(&mut self, proper: Option<&'static str>) -> String {
        self.order(proper, &["relaxed", "acquire"])
    }

    fn stores(&mut self, proper: Option<&'static str>) -> String {
        self.order(proper, &["relaxed", "release"])
    }

    fn updates(&mut self, proper: Option<&'static str>) -> String {
        self.order(proper, &["relaxed", "acquire", "release", "acq_rel"])
    }

    /// Something on which a statement may depend.
    fn condition(&mut self, thread: usize) -> String {
        if self.locals[thread] == 0 || !self.random.once_in(4) {
            return String::new();
        }
        let local = self.random.below(self.locals[thread].min(LOCALS));
        let (is, value) = (self.random.one_of(&["==", "!="]), self.random.below(2));
        format!("if (r{local} {is} {value}) ")
    }

    /// One thread says that something is there, another waits for that.
    fn message(&mut self) {
        let from = self.thread();
        let to = (from + 1 + self.random.below(self.threads.len() - 1)) % self.threads.len();
        let (flag, value) = (self.variable(), self.value());
        let data = self.random.below(2);
        let (fenced_from, fenced_to) = (self.random.once_in(5), self.random.once_in(5));
        let carries = self.random.below(3) > 0;
        if carries {
            self.add(from, format!("$data{data} = {value};"));
        }
        if fenced_from {
            let order = self.order(Some("release"), &["release", "acq_rel", "acquire"]);
            self.add(from, format!("atomic_thread_fence({order});"));
        }
        let order = self.stores((!fenced_from).then_some("release"));
        match self.random.below(3) {
            0 => self.add(from, format!("atomic_fetch_add_explicit(&{flag}, {value}, {order});")),
            _ => self.add(from, format!("atomic_store_explicit(&{flag}, {value}, {order});")),
        }
        let order = self.loads((!fenced_to).then_some("acquire"));
        let wanted = match self.random.below(4) {
            0 => format!(" != {value}"),
            _ => " == 0".to_owned(),
        };
        match self.random.below(4) {
            0 => {
                let local = self.local(to);
                self.add(to, format!("{local} = atomic_load_explicit(&{flag}, {order});"));
                if carries && !fenced_to {
                    let read = self.local(to);
                    self.add(to, format!("if ({local} == {value}) {read} = $data{data};"));
                }
                return;
            }
            1 => {
                let (local, other, relaxed) = (self.local(to), self.variable(), self.loads(None));
                self.add(
                    to,
                    format!("for (;;) {{ {local} = atomic_load_explicit(&{flag}, {order}); if ({local}) break; if (atomic_load_explicit(&{other}, {relaxed}) == 2) {{ {local} = 7; break; }} }}"),
                );
            }
            _ => self.add(to, format!("while (atomic_load_explicit(&{flag}, {order}){wanted});")),
        }
        if fenced_to {
            let order = self.order(Some("acquire"), &["acquire", "acq_rel", "release"]);
            self.add(to, format!("atomic_thread_fence({order});"));
        }
        if carries {
            let local = self.local(to);
            self.add(to, format!("{local} = $data{data};"));
        }
    }

    /// Something is done with a lock held, by one or two threads.
    fn section(&mut self) {
        let kind = self.random.below(5);
        for _ in 0..1 + self.random.below(2) {
            let thread = self.thread();
            let local = self.local(thread);
            let inside = match self.random.below(3) {
                0 => format!("{local} = $guarded;"),
                _ => format!("$guarded++; {local} = $guarded;"),
            };
            let release = self.stores(Some("release"));
            let acquire = self.order(Some("acquire"), &["acquire", "acquire", "relaxed"]);
            let relaxed = self.loads(None);
            let own = format!("atomic_store_explicit(&$lock, 0, {release});");
            let statement = match kind {
                0 | 1 => {
                    format!(
                        "pthread_mutex_lock(&$mutex); {} pthread_mutex_unlock(&$mutex);",
                        inside.replace("guarded", "kept")
                    )
                }
                2 if self.random.once_in(2) => {
                    self.tries = true;
                    let inside = inside.replace("guarded", "kept");
                    format!(
                        "if (pthread_mutex_trylock(&$mutex) == 0) {{ {inside} pthread_mutex_unlock(&$mutex); }}"
                    )
                }
                3 => format!("while (atomic_exchange_explicit(&$lock, 1, {acquire})); {inside} {own}"),
                _ => {
                    let weak = self.random.one_of(&["weak", "strong"]);
                    let meanwhile = match self.random.below(2) {
                        0 => format!("while (atomic_load_explicit(&$lock, {relaxed})); "),
                        _ => String::new(),
                    };
                    format!(
                        "for (;;) {{ int e = 0; if (atomic_compare_exchange_{weak}_explicit(&$lock, &e, 1, {acquire}, {relaxed})) break; {meanwhile}}} {inside} {own}"
                    )
                }
            };
            self.add(thread, statement);
        }
    }

    /// An update that is tried until it succeeds.
    fn retried(&mut self) {
        let thread = self.thread();
        let (at, value, condition) = (self.variable(), self.value(), self.condition(thread));
        let (first, order, failed) = (self.loads(None), self.updates(None), self.loads(None));
        let weak = self.random.one_of(&["weak", "strong"]);
        let exchange =
            format!("atomic_compare_exchange_{weak}_explicit(&{at}, &o, o + {value}, {order}, {failed})");
        let local = self.local(thread);
        let statement = match self.random.below(4) {
            0 => format!(
                "{condition}{{ int o = atomic_load_explicit(&{at}, {first}); while (!{exchange}); {local} = o; }}"
            ),
            1 => {
                let body = match self.random.below(3) {
                    0 => format!(" $own{thread} = o;"),
                    1 => " if (o > 2) break;".to_owned(),
                    _ => String::new(),
                };
                format!(
                    "{condition}{{ int o; do {{ o = atomic_load_explicit(&{at}, {first});{body} }} while (!{exchange}); {local} = o; }}"
                )
            }
            2 => format!(
                "{condition}{{ int o = 0; while (!{exchange}) {{ if (o > 1) break; }} {local} = o; }}"
            ),
            _ => {
                let other = self.variable();
                format!(
                    "{condition}{{ int a, b; do {{ a = atomic_load_explicit(&{at}, {first}); b = atomic_load_explicit(&{other}, {failed}); }} while (a != b); {local} = a; }}"
                )
            }
        };
        self.add(thread, statement);
    }

    /// Waits for something that may never come.
    fn wait(&mut self) {
        let thread = self.thread();
        let (at, order, value, condition) =
            (self.variable(), self.loads(None), self.random.below(3), self.condition(thread));
        let is = self.random.one_of(&["!=", "==", "=="]);
        // Something plain may be looked at in each round.
        let body = match self.careless && self.random.once_in(2) {
            true => format!(" {{ {} = $bare; }}", self.local(thread)),
            false => ";".to_owned(),
        };
        let value = if is == "==" { 0 } else { value };
        self.add(
            thread,
            format!("{condition}while (atomic_load_explicit(&{at}, {order}) {is} {value}){body}"),
        );
    }

    /// An access that nothing guards, unless it does by chance.
    fn plain(&mut self) {
        let thread = self.thread();
        let condition = self.condition(thread);
        let statement = match self.random.below(2) {
            0 => format!("{condition}$bare = 1;"),
            _ => format!("{condition}{} = $bare;", self.local(thread)),
        };
        self.add(thread, statement);
    }

    /// A single atomic access, or a fence.
    fn single(&mut self) {
        let thread = self.thread();
        let (at, value, condition) = (self.variable(), self.value(), self.condition(thread));
        let statement = match self.random.below(10) {
            0..3 => format!("{condition}atomic_store_explicit(&{at}, {value}, {});", self.stores(None)),
            3..6 => format!(
                "{condition}{} = atomic_load_explicit(&{at}, {});",
                self.local(thread),
                self.loads(None)
            ),
            6 => {
                let (local, order) = (self.local(thread), self.updates(None));
                format!("{condition}{local} = atomic_fetch_add_explicit(&{at}, {value}, {order});")
            }
            7 => {
                let (local, order) = (self.local(thread), self.updates(None));
                format!("{condition}{local} = atomic_exchange_explicit(&{at}, {value}, {order});")
            }
            8 => {
                let (local, order, failed) = (self.local(thread), self.updates(None), self.loads(None));
                let (expected, weak) = (self.random.below(2), self.random.one_of(&["weak", "strong"]));
                format!(
                    "{condition}{{ int e = {expected}; {local} = atomic_compare_exchange_{weak}_explicit(&{at}, &e, {value}, {order}, {failed}); }}"
                )
            }
            _ => {
                let order = self.order(None, &["acquire", "release", "acq_rel", "seq_cst"]);
                format!("atomic_thread_fence({order});")
            }
        };
        self.add(thread, statement);
    }

    /// Something is said about what a thread has read.
    fn asserted(&mut self) {
        let thread = self.thread();
        let known = self.locals[thread].min(LOCALS);
        if known == 0 {
            return self.single();
        }
        self.asserts_last = false;
        let terms: Vec<String> = (0..1 + self.random.below(2))
            .map(|_| format!("r{} == {}", self.random.below(known), self.random.below(3)))
            .collect();
        self.add(thread, format!("assert(!({}));", terms.join(" && ")));
    }

    /// Something about what was read and what is there in the end.
    fn conjunction(&mut self) -> String {
        let terms: Vec<String> = (0..1 + self.random.below(3))
            .map(|_| match self.random.below(3) {
                0 => format!("{} == {}", self.variable(), 1 + self.random.below(3)),
                _ => {
                    let thread = self.thread();
                    let local = self.random.below(self.locals[thread].clamp(1, LOCALS));
                    format!("$out{thread}_{local} == {}", self.random.below(3))
                }
            })
            .collect();
        format!("assert(!({}));", terms.join(" && "))
    }
}

impl Program {
    /// The program as a file of its own.
    pub fn to_c(&self) -> String {
        format!("{BEGINNING}{}", self.text("", "int main(void)"))
    }

    /// Programs that lack one statement of this one each.
    pub fn smaller(&self) -> Vec<Program> {
        let mut all = Vec::new();
        for thread in 0..self.threads.len() {
            for at in 0..self.threads[thread].len() {
                let mut smaller = self.clone();
                smaller.threads[thread].remove(at);
                all.push(smaller);
            }
        }
        for at in 0..self.finale.len() {
            let mut smaller = self.clone();
            smaller.finale.remove(at);
            all.push(smaller);
        }
        all
    }

    fn text(&self, prefix: &str, main: &str) -> String {
        let mut text = "\nstatic atomic_int $x, $y, $z, $lock;\nstatic int $data0, $data1, $guarded, $kept, $bare;\nstatic pthread_mutex_t $mutex = PTHREAD_MUTEX_INITIALIZER;\n".to_owned();
        let (mut created, mut joined) = (String::new(), String::new());
        for (thread, statements) in self.threads.iter().enumerate() {
            let names =
                |before: &str| (0..LOCALS).map(|local| format!("{before}{local}")).collect::<Vec<_>>();
            let outs = names(&format!("$out{thread}_"));
            let zero: Vec<String> = names("r").iter().map(|name| format!("{name} = 0")).collect();
            let _ = writeln!(text, "static int $own{thread}, {};", outs.join(", "));
            let _ = writeln!(
                text,
                "static void *$thread{thread}(void *argument) {{\n    int {};",
                zero.join(", ")
            );
            statements.iter().for_each(|statement| text.push_str(&format!("    {statement}\n")));
            for (out, local) in outs.iter().zip(names("r")) {
                let _ = writeln!(text, "    {out} = {local};");
            }
            text.push_str("    return 0;\n}\n");
            let _ = writeln!(created, "    pthread_create(&handle{thread}, 0, $thread{thread}, 0);");
            let _ = writeln!(joined, "    pthread_join(handle{thread}, 0);");
        }
        let handles: Vec<String> = (0..self.threads.len()).map(|thread| format!("handle{thread}")).collect();
        let finale: String = self.finale.iter().map(|statement| format!("    {statement}\n")).collect();
        let handles = handles.join(", ");
        let _ =
            writeln!(text, "{main} {{\n    pthread_t {handles};\n{created}{joined}{finale}    return 0;\n}}");
        text.replace('$', prefix)
    }
}

/// Many programs in one file: the first argument says which of them to run, counted from 0.
pub fn many_to_c(programs: &[Program]) -> String {
    let mut text = BEGINNING.to_owned();
    let mut cases = String::new();
    for (number, program) in programs.iter().enumerate() {
        text.push_str(&program.text(&format!("p{number}_"), &format!("static int p{number}_main(void)")));
        let _ = writeln!(cases, "    case {number}: return p{number}_main();");
    }
    let _ = writeln!(
        text,
        "\nint main(int count, char **arguments) {{\n    switch (count > 1 ? atoi(arguments[1]) : -1) {{\n{cases}    default: return 2;\n    }}\n}}"
    );
    text
}
