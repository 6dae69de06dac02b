//! Litmus tests as C programs.

use super::{Statement, Term, Test};
use selvedge_trace::MemoryOrder;
use std::fmt::Write;

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

impl Test {
    /// The test as a C program, in which `main` starts the threads and waits for them.
    pub fn to_c(&self) -> String {
        let mut text =
            String::from("#include <pthread.h>\n#include <stdatomic.h>\nvoid __VERIFIER_assume(int);\n");
        for number in 0..self.locations.len() {
            let _ = writeln!(
                text,
                "atomic_int x{number}; pthread_mutex_t m{number} = PTHREAD_MUTEX_INITIALIZER;"
            );
        }
        for (number, statements) in self.threads.iter().enumerate() {
            let _ = writeln!(text, "void *t{number}(void *p) {{");
            for register in 0..self.registers.len() {
                let _ = writeln!(text, "  int r{register} = 0;");
            }
            for one in statements {
                let _ = writeln!(text, "  {}", statement(one));
            }
            text.push_str("  return p;\n}\n");
        }
        let count = self.threads.len();
        let _ = writeln!(text, "int main(void) {{\n  pthread_t t[{count}];");
        for number in 0..count {
            let _ = writeln!(text, "  pthread_create(&t[{number}], 0, t{number}, 0);");
        }
        for number in 0..count {
            let _ = writeln!(text, "  pthread_join(t[{number}], 0);");
        }
        text.push_str("}\n");
        text
    }
}
