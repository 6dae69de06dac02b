//! Random small multithreaded C programs that always terminate and that know what they must come to.
//!
//! All threads go through the same phases, each of which may end by waiting for the others. Locks are taken in one
//! order only, loops are bounded, and waits have predicates that other threads make true for sure. At the end the
//! program compares what locks and atomic operations protected with what was counted privately, and exits with 0 only
//! if they agree.

use crate::random::Random;
use std::fmt::Write;

/// The parts of every program.
const BEGINNING: &str = include_str!("beginning.c");

const ORDERS: [&str; 5] = [
    "memory_order_relaxed",
    "memory_order_acquire",
    "memory_order_release",
    "memory_order_acq_rel",
    "memory_order_seq_cst",
];
const LOAD_ORDERS: [&str; 3] = ["memory_order_relaxed", "memory_order_acquire", "memory_order_seq_cst"];
const STORE_ORDERS: [&str; 3] = ["memory_order_relaxed", "memory_order_release", "memory_order_seq_cst"];

/// How the threads meet at the end of a phase.
#[derive(Clone, Copy)]
enum Meeting {
    None,
    Barrier,
    Condition,
    Semaphore,
    Queue,
}

/// A program in the making.
struct Generator {
    random: Random,
    text: String,
    indent: usize,
    /// Statements that may still be written in this thread.
    budget: usize,
}

/// The text of a program.
pub fn generate(number: u64) -> String {
    let mut random = Random::new(number);
    let threads = 2 + random.below(3);
    let meetings: Vec<Meeting> = (0..1 + random.below(3))
        .map(|_| match random.below(6) {
            0 | 1 => Meeting::None,
            2 => Meeting::Barrier,
            3 => Meeting::Condition,
            4 => Meeting::Semaphore,
            _ => Meeting::Queue,
        })
        .collect();
    let mut text = format!("enum {{ THREADS = {threads} }};\n{BEGINNING}\n");
    let mut generator = Generator { random, text: String::new(), indent: 0, budget: 0 };
    for thread in 0..threads {
        generator.thread(thread, threads, &meetings);
    }
    text.push_str(&generator.text);
    let names: Vec<String> = (0..threads).map(|thread| format!("thread_{thread}")).collect();
    let barriers = meetings.iter().filter(|meeting| matches!(meeting, Meeting::Barrier)).count();
    let _ = write!(
        text,
        "int main(void) {{\n    static void *(*const bodies[THREADS])(void *) = {{{}}};\n    return run(bodies, {barriers});\n}}\n",
        names.join(", ")
    );
    text
}

impl Generator {
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn block(&mut self, head: &str, inside: impl FnOnce(&mut Self)) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
        inside(self);
        self.indent -= 1;
        self.line("}");
    }

    fn thread(&mut self, thread: usize, threads: usize, meetings: &[Meeting]) {
        self.block(&format!("static void *thread_{thread}(void *argument)"), |this| {
            let start = this.random.below(100);
            this.line(&format!("unsigned x = {start} + *(unsigned *)argument;"));
            this.line("struct counts counts = {0};");
            for (phase, meeting) in meetings.iter().enumerate() {
                this.budget = 3 + this.random.below(6);
                while this.budget > 0 {
                    this.statement(0, 0);
                }
                this.meeting(*meeting, phase, thread, threads);
            }
            this.line("finish(&counts);");
            this.line("return (void *)(uintptr_t)x;");
        });
    }

    fn meeting(&mut self, meeting: Meeting, phase: usize, thread: usize, threads: usize) {
        match meeting {
            Meeting::None => {}
            Meeting::Barrier => self.line("meet_at_barrier();"),
            Meeting::Condition => self.line(&format!("meet_at_condition({phase});")),
            Meeting::Semaphore if thread == 0 => {
                self.line(&format!("for (int i = 1; i < {threads}; i++) sem_post(&tokens[{phase}]);"));
            }
            Meeting::Semaphore => {
                self.line(&format!("while (sem_wait(&tokens[{phase}]) != 0) continue;"));
            }
            Meeting::Queue if thread == threads - 1 => {
                self.line(&format!("produce({phase}, {});", threads - 1))
            }
            Meeting::Queue => self.line(&format!("consume({phase});")),
        }
    }

    /// Some statements; `held`: locks with smaller numbers may be held.
    fn statements(&mut self, depth: usize, held: usize) {
        for _ in 0..1 + self.random.below(2) {
            self.statement(depth, held);
        }
    }

    fn statement(&mut self, depth: usize, held: usize) {
        self.budget = self.budget.saturating_sub(1);
        match self.random.below(if depth < 2 { 30 } else { 22 }) {
            0..3 => self.plain(),
            3..10 => self.atomic(),
            10 => self.mixed_sizes(),
            11 => {
                let order = ORDERS[self.random.below(5)];
                self.line(&format!("atomic_thread_fence({order});"));
            }
            12 => {
                let order = ORDERS[self.random.below(5)];
                self.line(&format!(
                    "x += atomic_fetch_add_explicit(&counted, 1, {order}), counts.counted++;"
                ));
            }
            13 => self.line("sched_yield();"),
            14 => self.memory(),
            15 => self.line("own += x; x ^= own;"),
            16 => self.line("pthread_once(&once, initialise); x += initialised;"),
            17 => self.sleep(),
            18 => self.line("if (sem_trywait(&permits) == 0) { x++; sem_post(&permits); }"),
            19 => {
                let call = self.random.one_of(&["signal", "broadcast"]);
                self.line(&format!("pthread_cond_{call}(&changed);"));
            }
            20 => self.line("printf(\"%u\\n\", x);"),
            21 => self.line("x = x * 1103515245u + 12345u;"),
            _ => self.compound(depth, held),
        }
    }

    fn plain(&mut self) {
        let [a, b] = [self.random.below(3), self.random.below(3)];
        let text = match self.random.below(6) {
            0 => format!("plain[{a}] = plain[{b}] + x;"),
            1 => format!("x += plain[{a}];"),
            2 => format!("plain[{a}]++;"),
            3 => format!("seen = plain[{a}]; x ^= seen;"),
            4 => format!("memcpy(&plain[{a}], &plain[{}], sizeof plain[0]);", (a + 1) % 3),
            _ => format!("memset(&plain[{a}], (int)(x & 3), sizeof plain[0]);"),
        };
        self.line(&text);
    }

    fn atomic(&mut self) {
        let place = self.random.one_of(&["atom[0]", "atom[1]", "atom[2]", "wide", "narrow"]);
        let order = ORDERS[self.random.below(5)];
        let text = match self.random.below(8) {
            0 => format!("x += atomic_load_explicit(&{place}, {});", LOAD_ORDERS[self.random.below(3)]),
            1 | 2 => format!("atomic_store_explicit(&{place}, x, {});", STORE_ORDERS[self.random.below(3)]),
            3 => format!("x ^= atomic_exchange_explicit(&{place}, x, {order});"),
            4 | 5 => {
                let operation = self.random.one_of(&["add", "sub", "and", "or", "xor"]);
                format!("x += atomic_fetch_{operation}_explicit(&{place}, x & 7, {order});")
            }
            6 => {
                "atomic_flag_test_and_set(&flag) ? x++ : x--; if (x & 1) atomic_flag_clear(&flag);".to_owned()
            }
            _ => {
                let strength = self.random.one_of(&["weak", "strong"]);
                let failure = LOAD_ORDERS[self.random.below(3)];
                let kind = match place {
                    "wide" => "long",
                    "narrow" => "unsigned char",
                    _ => "int",
                };
                format!(
                    "{{ {kind} old = atomic_load(&{place}); for (int i = 0; i < 3 && !atomic_compare_exchange_{strength}_explicit(&{place}, &old, old + 1, {order}, {failure}); i++) x++; }}"
                )
            }
        };
        self.line(&text);
    }

    fn mixed_sizes(&mut self) {
        let text = match self.random.below(6) {
            0 => "mixed.word = x;".to_owned(),
            1 => format!("mixed.bytes[{}] = (uint8_t)x;", self.random.below(8)),
            2 => format!("mixed.halves[{}] ^= (uint16_t)x;", self.random.below(4)),
            3 => "x += (unsigned)mixed.word;".to_owned(),
            4 => format!("x += mixed.bytes[{}];", self.random.below(8)),
            _ => format!("x += mixed.halves[{}];", self.random.below(4)),
        };
        self.line(&text);
    }

    fn memory(&mut self) {
        let text = match self.random.below(4) {
            0 => {
                "{ unsigned *p = malloc(2 * sizeof *p); p[0] = x; p[1] = plain[0]; x += p[0] ^ p[1]; free(p); }"
            }
            1 => {
                "{ unsigned *p = malloc(sizeof *p); *p = x; p = atomic_exchange(&box, p); if (p) { x += *p; *p = 1; free(p); } }"
            }
            2 => "{ unsigned local[4] = {x, x + 1}; mangle(local); x += local[3]; }",
            _ => "pthread_setspecific(key, &plain[x % 3]); x += *(int *)pthread_getspecific(key);",
        };
        self.line(text);
    }

    fn sleep(&mut self) {
        let text = match self.random.below(3) {
            0 => "usleep(1);",
            1 => "nanosleep(&(struct timespec){.tv_nsec = 1000}, 0);",
            _ => "{ struct timespec now; clock_gettime(CLOCK_MONOTONIC, &now); x += (unsigned)now.tv_nsec; }",
        };
        self.line(text);
    }

    fn compound(&mut self, depth: usize, held: usize) {
        let lock = self.random.below(2);
        match self.random.below(10) {
            0 => {
                let head =
                    format!("for (int i{depth} = 0; i{depth} < {}; i{depth}++)", 2 + self.random.below(2));
                self.block(&head, |this| this.statements(depth + 1, held));
            }
            1 => {
                self.block("if (x & 1)", |this| this.statements(depth + 1, held));
                self.block("else", |this| this.statements(depth + 1, held));
            }
            2 => {
                let place = self.random.below(3);
                let head = format!(
                    "for (int i{depth} = 0; i{depth} < 3 && !atomic_load(&atom[{place}]); i{depth}++)"
                );
                self.block(&head, |this| this.line("sched_yield();"));
            }
            3 | 4 if lock >= held => {
                self.line(&format!("pthread_mutex_lock(&locks[{lock}]);"));
                self.guarded(depth, lock);
                self.line(&format!("pthread_mutex_unlock(&locks[{lock}]);"));
            }
            5 if lock >= held => {
                let call =
                    self.random.one_of(&["pthread_mutex_trylock(&L)", "pthread_mutex_timedlock(&L, &soon)"]);
                let call = call.replace('L', &format!("locks[{lock}]"));
                self.block(&format!("if ({call} == 0)"), |this| {
                    this.guarded(depth, lock);
                    this.line(&format!("pthread_mutex_unlock(&locks[{lock}]);"));
                });
                self.block("else", |this| this.line("x++;"));
            }
            6 if held == 0 => {
                let kind = self.random.one_of(&["rdlock", "wrlock", "tryrdlock", "trywrlock"]);
                self.block(&format!("if (pthread_rwlock_{kind}(&shelf) == 0)"), |this| {
                    match kind.ends_with("wrlock") {
                        true => this.line("shelved++, counts.shelved++;"),
                        false => this.line("x += shelved;"),
                    }
                    this.line("pthread_rwlock_unlock(&shelf);");
                });
            }
            7 if held == 0 => {
                let wait = self.random.one_of(&["pthread_cond_timedwait(&changed, &gate, &soon)", "0"]);
                self.line("pthread_mutex_lock(&gate);");
                self.line(&format!("x += {wait};"));
                self.line("pthread_mutex_unlock(&gate);");
            }
            8 if held == 0 => {
                self.line("pthread_spin_lock(&spin);");
                self.line("spun++, counts.spun++;");
                self.line("pthread_spin_unlock(&spin);");
            }
            9 if depth == 0 => {
                self.line("x += in_child(x);");
            }
            _ => self.atomic(),
        }
    }

    /// What is done under a lock.
    fn guarded(&mut self, depth: usize, lock: usize) {
        self.line(&format!("guarded[{lock}]++, counts.guarded[{lock}]++;"));
        if self.random.once_in(2) {
            self.statements(depth + 1, lock + 1);
        }
    }
}
