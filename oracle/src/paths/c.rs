//! Programs with inputs as C, one function for each thread.

use crate::paths::small::{Condition, Expression, Program, Statement, Test};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const BEGINNING: &str = "#include <pthread.h>
#include <selvedge.h>
#include <semaphore.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static const struct timespec later;
";

/// A program as C; nothing if there is no word for something that it does.
pub fn to_c(program: &Program) -> Option<String> {
    let mut text = BEGINNING.to_owned();
    text.push_str(&Writer::new(program, "", String::new())?.everything("int main(void)"));
    Some(text)
}

/// Programs as one C program that runs the one whose number it is given. Those that C has no words for do nothing.
pub fn many_to_c(programs: &[Program]) -> String {
    let mut text = BEGINNING.to_owned();
    let mut cases = String::new();
    for (number, program) in programs.iter().enumerate() {
        let main = format!("static int p{number}_main(void)");
        let writer = Writer::new(program, "static ", format!("p{number}_"));
        if let Some(writer) = writer {
            text.push_str(&writer.everything(&main));
            let _ = writeln!(cases, "    case {number}: return p{number}_main();");
        }
    }
    let _ = writeln!(
        text,
        "\nint main(int count, char **arguments) {{\n    \
         switch (count > 1 ? atoi(arguments[1]) : -1) {{\n{cases}    default: return 2;\n    }}\n}}"
    );
    text
}

/// What a program uses.
#[derive(Default)]
struct Used {
    locals: BTreeSet<usize>,
    variables: usize,
    inputs: usize,
    locks: usize,
    /// Locks that threads share.
    shared: BTreeSet<usize>,
    /// Locks that a thread gives back while it waits in a queue.
    waited: BTreeMap<usize, usize>,
    queues: usize,
    semaphores: usize,
    joined: BTreeSet<usize>,
    /// There is no word for something.
    beyond: bool,
}

impl Used {
    fn block(&mut self, block: &[Statement]) {
        use Statement::*;
        for statement in block {
            match statement {
                Input { local, number } => {
                    self.locals.insert(*local);
                    self.inputs = self.inputs.max(number + 1);
                }
                Assign { local, value } => {
                    self.locals.insert(*local);
                    self.expression(value);
                }
                If { condition, then, otherwise } => {
                    self.condition(condition);
                    self.block(then);
                    self.block(otherwise);
                }
                While { condition, body } => {
                    self.condition(condition);
                    self.block(body);
                }
                Assert { condition } | Assume { condition } => self.condition(condition),
                Read { local, variable } | ReadHalf { local, variable, .. } => {
                    self.locals.insert(*local);
                    self.variable(*variable);
                }
                ReadAt { local, first, index } => {
                    self.locals.insert(*local);
                    self.place(*first, index);
                }
                Write { variable, value } | WriteHalf { variable, value, .. } => {
                    self.variable(*variable);
                    self.expression(value);
                }
                WriteAt { first, index, value } => {
                    self.place(*first, index);
                    self.expression(value);
                }
                FetchAdd { local, variable, value } => {
                    self.locals.insert(*local);
                    self.variable(*variable);
                    self.expression(value);
                }
                CompareExchange { local, variable, old, new } => {
                    self.locals.insert(*local);
                    self.variable(*variable);
                    self.expression(old);
                    self.expression(new);
                }
                Lock(lock) | Unlock(lock) => self.lock(*lock),
                LockShared(lock) | UnlockShared(lock) => {
                    self.lock(*lock);
                    self.shared.insert(*lock);
                }
                TryLock { local, lock } => {
                    self.lock(*lock);
                    self.locals.insert(*local);
                }
                Wait { queue, lock } => self.wait(*queue, *lock),
                Notify { queue, .. } => self.queues = self.queues.max(queue + 1),
                Post(semaphore) | Take(semaphore) => self.semaphores = self.semaphores.max(semaphore + 1),
                TryTake { local, semaphore } => {
                    self.locals.insert(*local);
                    self.semaphores = self.semaphores.max(semaphore + 1);
                }
                TimedWait { queue, lock, local } => {
                    self.wait(*queue, *lock);
                    self.locals.insert(*local);
                }
                Arrive { .. } => self.beyond = true,
                Fork(_) => {}
                Join(thread) => {
                    self.joined.insert(*thread);
                }
                Atomic(body) => self.block(body),
            }
        }
    }

    fn variable(&mut self, variable: usize) {
        self.variables = self.variables.max(variable + 1);
    }

    fn place(&mut self, first: usize, index: &Expression) {
        let Expression::Rem(of, by) = index else {
            self.beyond = true;
            return;
        };
        self.expression(of);
        self.variable(first + usize::from(*by) - 1);
    }

    fn lock(&mut self, lock: usize) {
        self.locks = self.locks.max(lock + 1);
    }

    fn wait(&mut self, queue: usize, lock: usize) {
        self.lock(lock);
        // Waiting with two mutexes on one condition variable is not allowed.
        self.beyond |= *self.waited.entry(queue).or_insert(lock) != lock;
        self.queues = self.queues.max(queue + 1);
    }

    fn condition(&mut self, condition: &Condition) {
        self.expression(&condition.left);
        self.expression(&condition.right);
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Number(_) => {}
            Expression::Local(local) => {
                self.locals.insert(*local);
            }
            Expression::Add(left, right) | Expression::Sub(left, right) => {
                self.expression(left);
                self.expression(right);
            }
            Expression::Rem(of, _) => self.expression(of),
        }
    }
}

struct Writer<'a> {
    program: &'a Program,
    used: Used,
    /// What comes before the names of a program among others.
    prefix: String,
    /// Whether names are for this file only.
    linkage: &'static str,
    text: String,
    indent: usize,
}

impl<'a> Writer<'a> {
    fn new(program: &'a Program, linkage: &'static str, prefix: String) -> Option<Self> {
        let mut used = Used::default();
        program.threads.iter().for_each(|thread| used.block(thread));
        let both = used.waited.values().any(|lock| used.shared.contains(lock));
        let foreign = used.joined.iter().any(|thread| !program.forked.contains(thread));
        if used.beyond || both || foreign {
            return None;
        }
        Some(Writer { program, used, prefix, linkage, text: String::new(), indent: 0 })
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", 4 * self.indent);
    }

    fn everything(mut self, main: &str) -> String {
        let (prefix, linkage) = (self.prefix.clone(), self.linkage);
        let initial = self.program.initial.iter().map(i16::to_string).collect::<Vec<_>>().join(", ");
        let variables = self.used.variables.max(self.program.initial.len()).max(1);
        self.line("");
        self.line(&format!("{linkage}short {prefix}v[{variables}] = {{{initial}}};"));
        self.line(&format!("{linkage}unsigned char {prefix}in[{}];", self.used.inputs.max(1)));
        for lock in 0..self.used.locks {
            let kind = if self.used.shared.contains(&lock) { "rwlock" } else { "mutex" };
            let begin = kind.to_uppercase();
            self.line(&format!("{linkage}pthread_{kind}_t {prefix}m{lock} = PTHREAD_{begin}_INITIALIZER;"));
        }
        for queue in 0..self.used.queues {
            self.line(&format!("{linkage}pthread_cond_t {prefix}q{queue} = PTHREAD_COND_INITIALIZER;"));
        }
        for semaphore in 0..self.used.semaphores {
            self.line(&format!("{linkage}sem_t {prefix}s{semaphore};"));
        }
        for thread in self.program.forked.clone() {
            self.line(&format!("{linkage}pthread_t {prefix}t{thread};"));
        }
        // A thread that starts another one comes after it here.
        let (forked, others): (Vec<usize>, Vec<usize>) =
            (0..self.program.threads.len()).partition(|thread| self.program.forked.contains(thread));
        for &thread in forked.iter().chain(&others) {
            self.thread(thread);
        }
        self.main(main, &forked, &others);
        self.text
    }

    fn thread(&mut self, thread: usize) {
        let (prefix, linkage) = (self.prefix.clone(), self.linkage);
        self.line("");
        self.line(&format!("{linkage}void *{prefix}f{thread}(void *unused) {{"));
        self.indent += 1;
        let locals: Vec<String> = self.used.locals.iter().map(|local| format!("l{local} = 0")).collect();
        if !locals.is_empty() {
            self.line(&format!("short {};", locals.join(", ")));
        }
        let block = &self.program.threads[thread];
        self.block(block);
        self.line("return unused;");
        self.indent -= 1;
        self.line("}");
    }

    fn main(&mut self, main: &str, forked: &[usize], others: &[usize]) {
        let prefix = self.prefix.clone();
        self.line("");
        self.line(&format!("{main} {{"));
        self.indent += 1;
        let names: Vec<String> = others.iter().map(|thread| format!("t{thread}")).collect();
        self.line(&format!("pthread_t {};", names.join(", ")));
        for input in 0..self.used.inputs {
            self.line(&format!("{prefix}in[{input}] = selvedge_any_uchar() & 3;"));
        }
        for semaphore in 0..self.used.semaphores {
            self.line(&format!("sem_init(&{prefix}s{semaphore}, 0, 0);"));
        }
        for thread in others {
            self.line(&format!("pthread_create(&t{thread}, 0, {prefix}f{thread}, 0);"));
        }
        for thread in others {
            self.line(&format!("pthread_join(t{thread}, 0);"));
        }
        let left = forked.iter().filter(|thread| !self.used.joined.contains(thread));
        for thread in left.collect::<Vec<_>>() {
            self.line(&format!("pthread_join({prefix}t{thread}, 0);"));
        }
        self.line("return 0;");
        self.indent -= 1;
        self.line("}");
    }

    fn block(&mut self, block: &[Statement]) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn nested(&mut self, block: &[Statement]) {
        self.indent += 1;
        self.block(block);
        self.indent -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        use Statement::*;
        let p = self.prefix.clone();
        let half = |variable: &usize, upper: &bool| {
            format!("((unsigned char *)&{p}v[{variable}])[{}]", u8::from(*upper))
        };
        let call = |used: &Used, lock: usize, exclusive: &str, shared: &str| {
            let (kind, what) =
                if used.shared.contains(&lock) { ("rwlock", shared) } else { ("mutex", exclusive) };
            format!("pthread_{kind}_{what}(&{p}m{lock})")
        };
        let line = match statement {
            Input { local, number } => format!("l{local} = {p}in[{number}];"),
            Assign { local, value: of } => format!("l{local} = {};", value(of)),
            If { condition, then, otherwise } => {
                self.line(&format!("if ({}) {{", test(condition)));
                self.nested(then);
                if !otherwise.is_empty() {
                    self.line("} else {");
                    self.nested(otherwise);
                }
                "}".to_owned()
            }
            While { condition, body } => {
                self.line(&format!("while ({}) {{", test(condition)));
                self.nested(body);
                "}".to_owned()
            }
            Assert { condition } => format!("selvedge_assert({});", test(condition)),
            Assume { condition } => format!("selvedge_assume({});", test(condition)),
            Read { local, variable } => format!("l{local} = {p}v[{variable}];"),
            ReadAt { local, first, index } => format!("l{local} = {p}v[{first} + {}];", value(index)),
            Write { variable, value: of } => format!("{p}v[{variable}] = {};", value(of)),
            WriteAt { first, index, value: of } => {
                format!("{p}v[{first} + {}] = {};", value(index), value(of))
            }
            ReadHalf { local, variable, upper } => format!("l{local} = {};", half(variable, upper)),
            WriteHalf { variable, upper, value: of } => format!("{} = {};", half(variable, upper), value(of)),
            FetchAdd { local, variable, value: of } => {
                format!("l{local} = __sync_fetch_and_add(&{p}v[{variable}], {});", value(of))
            }
            // This one does not branch by itself.
            CompareExchange { local, variable, old, new } => format!(
                "l{local} = __sync_bool_compare_and_swap(&{p}v[{variable}], {}, {});",
                value(old),
                value(new)
            ),
            Lock(lock) => format!("{};", call(&self.used, *lock, "lock", "wrlock")),
            Unlock(lock) => format!("{};", call(&self.used, *lock, "unlock", "unlock")),
            LockShared(lock) => format!("{};", call(&self.used, *lock, "lock", "rdlock")),
            UnlockShared(lock) => format!("{};", call(&self.used, *lock, "unlock", "unlock")),
            TryLock { local, lock } => {
                format!("l{local} = {} == 0;", call(&self.used, *lock, "trylock", "trywrlock"))
            }
            Wait { queue, lock } => format!("pthread_cond_wait(&{p}q{queue}, &{p}m{lock});"),
            TimedWait { queue, lock, local } => {
                format!("l{local} = pthread_cond_timedwait(&{p}q{queue}, &{p}m{lock}, &later) != 0;")
            }
            Notify { queue, all } => {
                let how = if *all { "broadcast" } else { "signal" };
                format!("pthread_cond_{how}(&{p}q{queue});")
            }
            Post(semaphore) => format!("sem_post(&{p}s{semaphore});"),
            Take(semaphore) => format!("sem_wait(&{p}s{semaphore});"),
            TryTake { local, semaphore } => format!("l{local} = sem_trywait(&{p}s{semaphore}) == 0;"),
            Arrive { .. } => unreachable!("there is no word for it"),
            Fork(thread) => format!("pthread_create(&{p}t{thread}, 0, {p}f{thread}, 0);"),
            Join(thread) => format!("pthread_join({p}t{thread}, 0);"),
            Atomic(body) => {
                self.line("__VERIFIER_atomic_begin();");
                self.block(body);
                "__VERIFIER_atomic_end();".to_owned()
            }
        };
        self.line(&line);
    }
}

fn value(of: &Expression) -> String {
    match of {
        Expression::Number(number) => number.to_string(),
        Expression::Local(local) => format!("l{local}"),
        Expression::Add(left, right) => format!("(short)({} + {})", value(left), value(right)),
        Expression::Sub(left, right) => format!("(short)({} - {})", value(left), value(right)),
        Expression::Rem(of, by) => format!("((unsigned short){} % {by})", value(of)),
    }
}

fn test(condition: &Condition) -> String {
    let how = match condition.test {
        Test::Equal => "==",
        Test::NotEqual => "!=",
        Test::Greater => ">",
    };
    format!("{} {how} {}", value(&condition.left), value(&condition.right))
}
