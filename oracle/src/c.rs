//! Programs of the small language as C with POSIX threads.

use crate::language::{Expression, Operator, Order, Place, Program, Statement, walk};
use std::fmt::Write;

const BEGINNING: &str = "#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

extern void __VERIFIER_assume(int);
";

/// The program as a file of its own.
pub fn to_c(program: &Program) -> String {
    let mut writer = Writer::new(program, String::new());
    writer.text = format!("// {}\n{BEGINNING}", program.name);
    writer.everything("int main(void)");
    writer.text
}

/// Many programs in one file: the first argument says which of them to run, counted from 0.
pub fn many_to_c(programs: &[Program]) -> String {
    let mut text = BEGINNING.to_owned();
    for (number, program) in programs.iter().enumerate() {
        let mut writer = Writer::new(program, format!("p{number}_"));
        writer.text = format!("\n// {}\n", program.name);
        writer.everything(&format!("static int p{number}_main(void)"));
        text.push_str(&writer.text);
    }
    text.push_str(
        "\nint main(int count, char **arguments) {\n    switch (count > 1 ? atoi(arguments[1]) : -1) {\n",
    );
    for number in 0..programs.len() {
        let _ = writeln!(text, "    case {number}: return p{number}_main();");
    }
    text.push_str("    default: return 2;\n    }\n}\n");
    text
}

struct Writer<'a> {
    program: &'a Program,
    prefix: String,
    /// Variables that some access takes for plain ones.
    plain: Vec<bool>,
    text: String,
    indent: usize,
    loops: usize,
    /// The thread in the making returns something.
    gives: bool,
}

impl<'a> Writer<'a> {
    fn new(program: &'a Program, prefix: String) -> Self {
        let mut plain = vec![false; program.variables.len()];
        for body in program.bodies() {
            walk(body, &mut |statement| {
                if let Some((place, Order::Plain)) = statement.place() {
                    plain[place.variable] = true;
                }
            });
        }
        Writer { program, prefix, plain, text: String::new(), indent: 0, loops: 0, gives: false }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", 4 * self.indent);
    }

    fn everything(&mut self, main: &str) {
        let prefix = self.prefix.clone();
        for (variable, plain) in self.program.variables.iter().zip(self.plain.clone()) {
            // What is copied is copied word by word.
            let kind = match (variable.initial.len(), plain) {
                (1, true) => "int",
                (1, false) => "atomic_int",
                (_, true) => "long",
                (_, false) => "atomic_long",
            };
            let values: Vec<String> = variable.initial.iter().map(i32::to_string).collect();
            let name = &variable.name;
            match &values[..] {
                [value] => self.line(&format!("static {kind} {prefix}{name} = {value};")),
                _ => self.line(&format!(
                    "static {kind} {prefix}{name}[{}] = {{{}}};",
                    values.len(),
                    values.join(", ")
                )),
            }
        }
        for mutex in 0..self.program.mutexes {
            self.line(&format!("static pthread_mutex_t {prefix}mutex{mutex} = PTHREAD_MUTEX_INITIALIZER;"));
        }
        for condition in 0..self.program.conditions.len() {
            self.line(&format!(
                "static pthread_cond_t {prefix}condition{condition} = PTHREAD_COND_INITIALIZER;"
            ));
        }
        for child in 0..self.program.threads.len() {
            if self.is_handle_shared(child) {
                self.line(&format!("static pthread_t {prefix}handle{child};"));
            }
        }
        // A thread that creates others comes after those that it creates.
        let creators = self.program.creators();
        let depth = |mut thread: usize| {
            let mut depth = 0;
            while let Some(creator) = creators[thread].filter(|&creator| creator < creators.len()) {
                (thread, depth) = (creator, depth + 1);
            }
            depth
        };
        let mut threads: Vec<usize> = (0..self.program.threads.len()).collect();
        threads.sort_by_key(|&thread| std::cmp::Reverse(depth(thread)));
        for thread in threads {
            self.line("");
            self.line(&format!("static void *{prefix}thread{thread}(void *argument) {{"));
            self.body(thread, &[]);
        }
        let first = if self.program.main_creates() { Vec::new() } else { self.program.started() };
        self.line("");
        self.line(&format!("{main} {{"));
        self.body(self.program.main_thread(), &first);
    }

    /// Whether a thread is joined by another one than its creator.
    fn is_handle_shared(&self, child: usize) -> bool {
        let creator = self.program.creators()[child];
        let mut shared = false;
        for (thread, body) in self.program.bodies().enumerate() {
            walk(body, &mut |statement| {
                shared |=
                    statement.awaited() == Some(child) && creator.is_some_and(|creator| creator != thread);
            });
        }
        shared
    }

    fn handle(&self, child: usize) -> String {
        match self.is_handle_shared(child) {
            true => format!("{}handle{child}", self.prefix),
            false => format!("handle{child}"),
        }
    }

    /// A function's body; `first` are the threads that it creates and joins before everything else.
    fn body(&mut self, thread: usize, first: &[usize]) {
        let program = self.program;
        let statements = program.body(thread);
        self.indent += 1;
        for &child in first.iter().chain(&program.children(thread)) {
            if !self.is_handle_shared(child) {
                self.line(&format!("pthread_t handle{child};"));
            }
        }
        for local in 0..Program::locals(statements) {
            self.line(&format!("int r{local} = 0;"));
        }
        let (mut returns, mut gives) = (false, false);
        walk(statements, &mut |statement| {
            if let Statement::Return(value) = statement {
                returns = true;
                gives |= thread < program.threads.len() && *value != Expression::Number(0);
            }
        });
        if gives {
            self.line("void *result = 0;");
        }
        first.iter().for_each(|&child| self.statement(&Statement::Create(child)));
        first.iter().for_each(|&child| self.statement(&Statement::Join { child, into: None }));
        self.gives = gives;
        statements.iter().for_each(|statement| self.statement(statement));
        if returns {
            self.indent -= 1;
            self.line("end:;");
            self.indent += 1;
        }
        let joins = program.missing_joins(thread);
        joins.into_iter().for_each(|child| self.statement(&Statement::Join { child, into: None }));
        self.line(if gives { "return result;" } else { "return 0;" });
        self.indent -= 1;
        self.line("}");
    }

    fn block(&mut self, head: &str, statements: &[Statement]) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
        statements.iter().for_each(|statement| self.statement(statement));
        self.indent -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        let prefix = self.prefix.clone();
        match statement {
            Statement::Load { into, from, order: Order::Plain } => {
                self.line(&format!("r{into} = {};", self.place(from)));
            }
            Statement::Load { into, from, order } => {
                let (at, order) = (self.atomic(from), word(*order));
                self.line(&format!("r{into} = atomic_load_explicit({at}, {order});"));
            }
            Statement::Store { to, value, order: Order::Plain } => {
                self.line(&format!("{} = {};", self.place(to), text(value)));
            }
            Statement::Store { to, value, order } => {
                let (at, order) = (self.atomic(to), word(*order));
                self.line(&format!("atomic_store_explicit({at}, {}, {order});", text(value)));
            }
            Statement::FetchAdd { into, place, value, order } => {
                let (at, order) = (self.atomic(place), word(*order));
                self.line(&format!("r{into} = atomic_fetch_add_explicit({at}, {}, {order});", text(value)));
            }
            Statement::Exchange { into, place, value, order } => {
                let (at, order) = (self.atomic(place), word(*order));
                self.line(&format!("r{into} = atomic_exchange_explicit({at}, {}, {order});", text(value)));
            }
            Statement::CompareExchange { into, place, expected, new, order } => {
                let failure = match order {
                    Order::Acquire | Order::AcqRel => Order::Acquire,
                    Order::SeqCst => Order::SeqCst,
                    Order::Plain | Order::Relaxed | Order::Release => Order::Relaxed,
                };
                let (at, orders) = (self.atomic(place), format!("{}, {}", word(*order), word(failure)));
                let new = text(new);
                self.line("{");
                let kind = match self.program.variables[place.variable].initial.len() {
                    1 => "int",
                    _ => "long",
                };
                self.line(&format!("    {kind} old = {};", text(expected)));
                self.line(&format!(
                    "    atomic_compare_exchange_strong_explicit({at}, &old, {new}, {orders});"
                ));
                self.line(&format!("    r{into} = old;"));
                self.line("}");
            }
            Statement::Fence(order) => self.line(&format!("atomic_thread_fence({});", word(*order))),
            Statement::Copy { from, to, called } => {
                let (from, to) = (self.array(*from), self.array(*to));
                let function = if *called { "mempcpy" } else { "memcpy" };
                self.line(&format!("{function}((void *){to}, (void *){from}, sizeof {to});"));
            }
            Statement::Clear(array) => {
                let array = self.array(*array);
                self.line(&format!("memset((void *){array}, 0, sizeof {array});"));
            }
            Statement::Same { into, left, right } => {
                let (left, right) = (self.array(*left), self.array(*right));
                self.line(&format!("r{into} = !memcmp((void *){left}, (void *){right}, sizeof {left});"));
            }
            Statement::Length { into, of } => {
                let array = self.array(*of);
                self.line(&format!("r{into} = (int)strlen((char *){array});"));
            }
            Statement::Lock(mutex) => self.line(&format!("pthread_mutex_lock(&{prefix}mutex{mutex});")),
            Statement::Unlock(mutex) => self.line(&format!("pthread_mutex_unlock(&{prefix}mutex{mutex});")),
            Statement::TryLock { into, mutex } => {
                self.line(&format!("r{into} = pthread_mutex_trylock(&{prefix}mutex{mutex}) == 0;"));
            }
            Statement::Wait(condition) => {
                let mutex = self.program.conditions[*condition];
                self.line(&format!(
                    "pthread_cond_wait(&{prefix}condition{condition}, &{prefix}mutex{mutex});"
                ));
            }
            Statement::Signal(condition) => {
                self.line(&format!("pthread_cond_signal(&{prefix}condition{condition});"));
            }
            Statement::Broadcast(condition) => {
                self.line(&format!("pthread_cond_broadcast(&{prefix}condition{condition});"));
            }
            Statement::Create(child) => {
                let handle = self.handle(*child);
                self.line(&format!("pthread_create(&{handle}, 0, {prefix}thread{child}, 0);"));
            }
            Statement::Join { child, into: None } => {
                self.line(&format!("pthread_join({}, 0);", self.handle(*child)));
            }
            Statement::Join { child, into: Some(into) } => {
                self.line("{");
                self.line("    void *value = 0;");
                self.line(&format!("    pthread_join({}, &value);", self.handle(*child)));
                self.line(&format!("    r{into} = (int)(long)value;"));
                self.line("}");
            }
            Statement::TryJoin { into, child } => {
                self.line(&format!("r{into} = pthread_tryjoin_np({}, 0) == 0;", self.handle(*child)));
            }
            Statement::Detach(child) => self.line(&format!("pthread_detach({});", self.handle(*child))),
            Statement::Set(into, value) => self.line(&format!("r{into} = {};", text(value))),
            Statement::Assume(condition) => self.line(&format!("__VERIFIER_assume({});", text(condition))),
            Statement::Assert(condition) => self.line(&format!("assert({});", text(condition))),
            Statement::If(condition, then, otherwise) => {
                self.block(&format!("if ({})", text(condition)), then);
                if !otherwise.is_empty() {
                    self.block("} else", otherwise);
                }
                self.line("}");
            }
            Statement::Repeat(count, body) => {
                self.loops += 1;
                let i = format!("i{}", self.loops);
                self.block(&format!("for (int {i} = 0; {i} < {count}; {i}++)"), body);
                self.line("}");
                self.loops -= 1;
            }
            Statement::Loop(body) => {
                self.block("for (;;)", body);
                self.line("}");
            }
            Statement::Break => self.line("break;"),
            Statement::Continue => self.line("continue;"),
            Statement::Return(value) => {
                if self.gives {
                    self.line(&format!("result = (void *)(long)({});", text(value)));
                }
                self.line("goto end;");
            }
            Statement::Leave(value) => self.line(&format!("pthread_exit((void *)(long)({}));", text(value))),
            Statement::Exit => self.line("exit(0);"),
        }
    }

    fn array(&self, variable: usize) -> String {
        format!("{}{}", self.prefix, self.program.variables[variable].name)
    }

    fn place(&self, place: &Place) -> String {
        let variable = &self.program.variables[place.variable];
        match variable.initial.len() {
            1 => format!("{}{}", self.prefix, variable.name),
            _ => format!("{}{}[{}]", self.prefix, variable.name, text(&place.index)),
        }
    }

    /// The address for an atomic access.
    fn atomic(&self, place: &Place) -> String {
        let cast = match (self.plain[place.variable], self.program.variables[place.variable].initial.len()) {
            (true, 1) => "(atomic_int *)",
            (true, _) => "(atomic_long *)",
            (false, _) => "",
        };
        format!("{cast}&{}", self.place(place))
    }
}

fn word(order: Order) -> &'static str {
    match order {
        Order::Plain | Order::Relaxed => "memory_order_relaxed",
        Order::Acquire => "memory_order_acquire",
        Order::Release => "memory_order_release",
        Order::AcqRel => "memory_order_acq_rel",
        Order::SeqCst => "memory_order_seq_cst",
    }
}

/// An expression, in parentheses where it needs some.
fn text(expression: &Expression) -> String {
    let operand = |inner: &Expression| match inner {
        Expression::Number(_) | Expression::Local(_) | Expression::Not(_) => text(inner),
        Expression::Binary(..) => format!("({})", text(inner)),
    };
    match expression {
        Expression::Number(number) => number.to_string(),
        Expression::Local(local) => format!("r{local}"),
        Expression::Not(inner) => format!("!{}", operand(inner)),
        Expression::Binary(operator, left, right) => {
            let sign = match operator {
                Operator::Add => "+",
                Operator::Subtract => "-",
                Operator::Multiply => "*",
                Operator::Equal => "==",
                Operator::NotEqual => "!=",
                Operator::Less => "<",
                Operator::LessOrEqual => "<=",
                Operator::Greater => ">",
                Operator::GreaterOrEqual => ">=",
                Operator::And => "&&",
                Operator::Or => "||",
            };
            format!("{} {sign} {}", operand(left), operand(right))
        }
    }
}
