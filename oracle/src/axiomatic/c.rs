//! Litmus tests as C programs.

use super::{Shape, Statement, Term, Test};
use selvedge_relations::Next;
use selvedge_trace::MemoryOrder;
use std::fmt::Write;

const HEADERS: &str = "#include <pthread.h>\n#include <stdatomic.h>\nvoid __VERIFIER_assume(int);\n";

fn order(order: MemoryOrder) -> &'static str {
    match order {
        MemoryOrder::NotAtomic | MemoryOrder::Relaxed => "memory_order_relaxed",
        MemoryOrder::Acquire => "memory_order_acquire",
        MemoryOrder::Release => "memory_order_release",
        MemoryOrder::AcqRel => "memory_order_acq_rel",
        MemoryOrder::SeqCst => "memory_order_seq_cst",
    }
}

fn term(term: Term) -> String {
    match term.register {
        None => term.constant.to_string(),
        Some(register) => format!("(r{register} + {})", term.constant),
    }
}

/// The address of a location, which may depend on a register though its value does not matter.
fn address(location: u32, depends: Option<usize>) -> String {
    match depends {
        None => format!("&x{location}"),
        Some(register) => format!("&x{location} + (r{register} ^ r{register})"),
    }
}

fn statement(statement: &Statement) -> String {
    match statement {
        Statement::Store { location, order: MemoryOrder::NotAtomic, value, depends } => {
            format!("*(int *)({}) = {};", address(*location, *depends), term(*value))
        }
        Statement::Load { register, location, order: MemoryOrder::NotAtomic, depends } => {
            format!("r{register} = *(int *)({});", address(*location, *depends))
        }
        Statement::Store { location, order: by, value, depends } => {
            let address = address(*location, *depends);
            format!("atomic_store_explicit({address}, {}, {});", term(*value), order(*by))
        }
        Statement::Load { register, location, order: by, depends } => {
            let address = address(*location, *depends);
            format!("r{register} = atomic_load_explicit({address}, {});", order(*by))
        }
        Statement::Add { register, location, order: by, operand } => {
            let operand = term(*operand);
            format!("r{register} = atomic_fetch_add_explicit(&x{location}, {operand}, {});", order(*by))
        }
        Statement::Exchange { register, location, order: by, operand } => {
            let operand = term(*operand);
            format!("r{register} = atomic_exchange_explicit(&x{location}, {operand}, {});", order(*by))
        }
        Statement::CompareExchange { register, location, orders, expected, desired } => {
            let [success, failure] = orders.map(order);
            let (expected, desired) = (term(*expected), term(*desired));
            format!(
                "{{ int e = {expected}; atomic_compare_exchange_strong_explicit(&x{location}, &e, {desired}, \
                 {success}, {failure}); r{register} = e; }}"
            )
        }
        Statement::Fence { order: by } => format!("atomic_thread_fence({});", order(*by)),
        Statement::If { register, equal, value, then } => {
            let comparison = if *equal { "==" } else { "!=" };
            let then: Vec<String> = then.iter().map(self::statement).collect();
            format!("if (r{register} {comparison} {value}) {{ {} }}", then.join(" "))
        }
        Statement::Assume { register, value } => format!("__VERIFIER_assume(r{register} == {value});"),
        Statement::Lock { mutex } => format!("pthread_mutex_lock(&m{mutex});"),
        Statement::Unlock { mutex } => format!("pthread_mutex_unlock(&m{mutex});"),
    }
}

/// Of every register and location, in this order, the value at the end of an execution; none where any will do.
type Ending = Vec<Option<u64>>;

impl Test {
    /// The test as a C program, in which `main` starts the threads and waits for them.
    pub fn to_c(&self) -> String {
        let mut text = String::from(HEADERS);
        self.write_threads(&mut text, false);
        text.push_str("int main(void) {\n");
        self.write_run(&mut text);
        text.push_str("}\n");
        text
    }

    fn write_threads(&self, text: &mut String, keep: bool) {
        for number in 0..self.locations.len() {
            let _ = writeln!(
                text,
                "atomic_int x{number}; pthread_mutex_t m{number} = PTHREAD_MUTEX_INITIALIZER;"
            );
        }
        let registers = 0..self.registers.len();
        if keep {
            registers.clone().for_each(|register| _ = writeln!(text, "int kept{register};"));
        }
        for (number, statements) in self.threads.iter().enumerate() {
            let _ = writeln!(text, "void *t{number}(void *p) {{");
            for register in registers.clone() {
                let _ = writeln!(text, "  int r{register} = 0;");
            }
            for one in statements {
                let _ = writeln!(text, "  {}", statement(one));
            }
            for register in registers.clone().filter(|&register| keep && sets(statements, register)) {
                let _ = writeln!(text, "  kept{register} = r{register};");
            }
            text.push_str("  return p;\n}\n");
        }
    }

    fn write_run(&self, text: &mut String) {
        let count = self.threads.len();
        let _ = writeln!(text, "  pthread_t t[{count}];");
        for number in 0..count {
            let _ = writeln!(text, "  pthread_create(&t[{number}], 0, t{number}, 0);");
        }
        for number in 0..count {
            let _ = writeln!(text, "  pthread_join(t[{number}], 0);");
        }
    }

    /// The test as a C program whose first argument says how it must not end: as the ending with that number does, or, after the
    /// last number, as none of them does.
    pub fn to_c_with_endings(&self, endings: &[Ending]) -> String {
        let mut text = String::from(HEADERS);
        text.push_str("#include <assert.h>\n#include <stdlib.h>\n");
        self.write_threads(&mut text, true);
        text.push_str("int main(int count, char **arguments) {\n  int which = atoi(arguments[1]);\n");
        self.write_run(&mut text);
        let registers = (0..self.registers.len()).map(|register| format!("kept{register}"));
        let names: Vec<String> =
            registers.chain((0..self.locations.len()).map(|location| format!("x{location}"))).collect();
        text.push_str("  int seen = 0;\n");
        for (number, ending) in endings.iter().enumerate() {
            let holds = names.iter().zip(ending);
            let holds: Vec<String> =
                holds.filter_map(|(name, value)| Some(format!(" && {name} == {}", (*value)?))).collect();
            let _ = writeln!(text, "  if (1{}) {{ seen = 1; assert(which != {number}); }}", holds.concat());
        }
        let _ = writeln!(text, "  assert(seen || which != {});\n}}", endings.len());
        text
    }

    /// How an execution of a test ends in which every thread does; of mutexes nothing is said.
    pub fn ending(&self, shape: &Shape) -> Option<Ending> {
        let ended = |(thread, events): (usize, &Vec<(u64, _)>)| {
            let values: Vec<u64> = events.iter().map(|(value, _)| *value).collect();
            matches!(self.after(thread, &values).0, Next::Ended)
        };
        if !shape.threads.iter().enumerate().all(ended) {
            return None;
        }
        let locked = |location: usize| {
            let at = location as u32;
            self.threads.iter().flatten().any(
                |one| matches!(one, Statement::Lock { mutex } | Statement::Unlock { mutex } if *mutex == at),
            )
        };
        let values = shape.outcome(self).into_iter().map(|(_, value)| value).enumerate();
        let is_mutex = |place: usize| place.checked_sub(self.registers.len()).is_some_and(locked);
        Some(values.map(|(place, value)| (!is_mutex(place)).then_some(value)).collect())
    }
}

/// Of every location the value at the end of an execution, and a sum over what the threads have read.
type SumEnding = (Vec<u64>, u32);

impl Test {
    /// The test as a C program in which equal threads execute the same function. Its first argument says how it must not
    /// end, as for [`Test::to_c_with_endings`].
    pub fn to_c_with_sums(&self, endings: &[SumEnding]) -> String {
        let mut text = String::from(HEADERS);
        text.push_str("#include <assert.h>\n#include <stdlib.h>\natomic_uint sum;\n");
        for number in 0..self.locations.len() {
            let _ = writeln!(text, "atomic_int x{number};");
        }
        let same = |thread: &Vec<Statement>| self.threads.iter().position(|one| one == thread).unwrap_or(0);
        for (number, statements) in self.threads.iter().enumerate().filter(|(at, one)| same(one) == *at) {
            let _ = writeln!(text, "void *t{number}(void *p) {{\n  unsigned own = 1;");
            (0..self.registers.len()).for_each(|register| _ = writeln!(text, "  int r{register} = 0;"));
            statements.iter().for_each(|one| _ = writeln!(text, "  {}", statement(one)));
            (0..self.registers.len())
                .for_each(|register| _ = writeln!(text, "  own = own * 7 + (unsigned)r{register};"));
            text.push_str("  atomic_fetch_add_explicit(&sum, own, memory_order_relaxed);\n  return p;\n}\n");
        }
        text.push_str("int main(int count, char **arguments) {\n  int which = atoi(arguments[1]);\n");
        let _ = writeln!(text, "  pthread_t t[{}];", self.threads.len());
        for (number, one) in self.threads.iter().enumerate() {
            let _ = writeln!(text, "  pthread_create(&t[{number}], 0, t{}, 0);", same(one));
        }
        for number in 0..self.threads.len() {
            let _ = writeln!(text, "  pthread_join(t[{number}], 0);");
        }
        text.push_str("  int seen = 0;\n");
        for (number, (values, sum)) in endings.iter().enumerate() {
            let holds = values.iter().enumerate().map(|(place, value)| format!(" && x{place} == {value}"));
            let holds = holds.collect::<String>();
            let _ = writeln!(text, "  if (sum == {sum}u{holds}) {{ seen = 1; assert(which != {number}); }}");
        }
        let _ = writeln!(text, "  assert(seen || which != {});\n}}", endings.len());
        text
    }

    /// How an execution ends in the program that [`Test::to_c_with_sums`] makes, if every thread does.
    pub fn sum_ending(&self, shape: &Shape) -> Option<SumEnding> {
        self.ending(shape)?;
        let mut sum = 0_u32;
        for (thread, events) in shape.threads.iter().enumerate() {
            let values: Vec<u64> = events.iter().map(|(value, _)| *value).collect();
            let held = self.after(thread, &values).1;
            let own = held.iter().fold(1_u32, |own, held| own.wrapping_mul(7).wrapping_add(*held as u32));
            sum = sum.wrapping_add(own);
        }
        let outcome = shape.outcome(self).into_iter().map(|(_, value)| value);
        Some((outcome.skip(self.registers.len()).collect(), sum))
    }
}

/// Whether statements set a register.
fn sets(statements: &[Statement], wanted: usize) -> bool {
    statements.iter().any(|one| match one {
        Statement::Load { register, .. }
        | Statement::Add { register, .. }
        | Statement::Exchange { register, .. }
        | Statement::CompareExchange { register, .. } => *register == wanted,
        Statement::If { then, .. } => sets(then, wanted),
        _ => false,
    })
}
