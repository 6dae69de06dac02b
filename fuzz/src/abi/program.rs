//! Programs of several cases: a function with random parameters and a random result is called in every way there is.

use super::types::{PRELUDE, SUPPORT, Type, Types, scalars};
use crate::random::Random;
use std::fmt::Write;

/// The language of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cxx,
}

impl Language {
    /// What its files end with.
    pub fn extension(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cxx => "cpp",
        }
    }
}

/// The text of a program, in two translation units with a common header.
#[derive(Debug, Default)]
pub struct Program {
    /// Types, and declarations of the functions.
    pub header: String,
    /// The functions that are called.
    pub callees: String,
    /// The calls.
    pub callers: String,
}

/// The program of these cases.
pub fn program(language: Language, cases: &[u64]) -> Program {
    let mut program = Program::default();
    let _ = write!(program.header, "#pragma once\n{PRELUDE}{}", scalars());
    if language == Language::Cxx {
        program.header.push_str("#include <functional>\n");
    }
    program.callees.push_str("#include \"program.h\"\n");
    program.callers.push_str("#include \"program.h\"\n");
    program.callers.push_str(SUPPORT);
    let mut main = String::new();
    for &number in cases {
        case(&mut program, &mut main, language, number);
    }
    let _ = write!(program.callers, "int main(void) {{\n{main}  return 0;\n}}\n");
    program
}

/// One function and its calls.
struct Case {
    tag: String,
    result: Type,
    parameters: Vec<Type>,
    variadic: Vec<Type>,
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

fn case(program: &mut Program, main: &mut String, language: Language, number: u64) {
    let mut random = Random::new(number);
    let tag = format!("{number}");
    let mut types = Types::new(&mut random, &tag);
    let result = types.any();
    let parameters = (0..1 + number as usize % 9).map(|_| types.any()).collect();
    let variadic = (0..1 + number as usize % 7).map(|_| types.any_variadic()).collect();
    program.header.push_str(&types.text);
    let case = Case { tag, result, parameters, variadic };
    case.declare(&mut program.header);
    case.define(&mut program.callees);
    let _ = write!(
        program.callers,
        "static void case_{number}(void) {{\n  puts(\"case {number}\"); seed({number});\n"
    );
    case.call(&mut program.callers);
    if language == Language::Cxx {
        case.declare_class(&mut program.header);
        case.define_class(&mut program.callees);
        case.call_class(&mut program.callers);
    }
    program.callers.push_str("}\n");
    let _ = writeln!(main, "  case_{number}();");
}

impl Case {
    /// The parameters with names, as in a declaration.
    fn signature(&self) -> String {
        list(self.parameters.iter().enumerate().map(|(i, ty)| format!("{} p{i}", ty.name)))
    }

    fn types(&self) -> String {
        list(self.parameters.iter().map(|ty| ty.name.clone()))
    }

    fn names(&self) -> String {
        list((0..self.parameters.len()).map(|i| format!("a{i}")))
    }

    fn print_parameters(&self) -> String {
        let calls = self.parameters.iter().enumerate().map(|(i, ty)| format!(" print_{}(p{i});", ty.name));
        calls.collect()
    }

    fn declare(&self, text: &mut String) {
        let (tag, result) = (&self.tag, &self.result.name);
        let (signature, types) = (self.signature(), self.types());
        let fixed = self.parameters.len().min(3);
        let some = list(self.parameters[..fixed].iter().map(|ty| ty.name.clone()));
        let _ = write!(
            text,
            "{result} f{tag}({signature});\n\
             typedef {result} (*pointer{tag})({types});\n\
             {result} apply{tag}(pointer{tag} f, {signature});\n\
             void take{tag}({some}, int n, ...);\n\
             extern pointer{tag} table{tag}[2];\n"
        );
    }

    fn define(&self, text: &mut String) {
        let (tag, result) = (&self.tag, &self.result.name);
        let signature = self.signature();
        let own = list((0..self.parameters.len()).map(|i| format!("p{i}")));
        let print = self.print_parameters();
        let fixed = self.parameters.len().min(3);
        let some =
            list(self.parameters[..fixed].iter().enumerate().map(|(i, ty)| format!("{} p{i}", ty.name)));
        let print_some: String = self.parameters[..fixed]
            .iter()
            .enumerate()
            .map(|(i, ty)| format!(" print_{}(p{i});", ty.name))
            .collect();
        let [mut rest, mut first] = [const { String::new() }; 2];
        for (index, ty) in self.variadic.iter().enumerate() {
            let take = format!("    {{ {0} v = va_arg(*list, {0}); print_{0}(v); }}\n", ty.name);
            if index == 0 { first.push_str(&take) } else { rest.push_str(&take) }
        }
        let _ = write!(
            text,
            "{result} f{tag}({signature}) {{\n  printf(\"f \");{print} puts(\"\");\n  return make_{result}();\n}}\n\
             {result} apply{tag}(pointer{tag} f, {signature}) {{ return f({own}); }}\n\
             pointer{tag} table{tag}[2] = {{ f{tag}, f{tag} }};\n\
             static void rest{tag}(va_list *list) {{\n{rest}}}\n\
             static void first{tag}(va_list *list) {{\n{first}}}\n\
             void take{tag}({some}, int n, ...) {{\n  va_list list, again;\n  va_start(list, n);\n  printf(\"take \");{print_some}\n\
             \x20 for (int i = 0; i < n; i++) {{\n    first{tag}(&list);\n    va_copy(again, list);\n    rest{tag}(&list);\n\
             \x20   rest{tag}(&again);\n    va_end(again);\n  }}\n  puts(\"\");\n  va_end(list);\n}}\n"
        );
    }

    fn call(&self, text: &mut String) {
        let (tag, result, names) = (&self.tag, &self.result.name, self.names());
        for (index, ty) in self.parameters.iter().enumerate() {
            let _ = writeln!(text, "  {0} a{index} = make_{0}();", ty.name);
        }
        for (index, ty) in self.variadic.iter().enumerate() {
            let _ = writeln!(text, "  {0} b{index} = make_{0}();", ty.name);
        }
        let rest = list((0..self.variadic.len()).map(|i| format!("b{i}")));
        let some = list((0..self.parameters.len().min(3)).map(|i| format!("a{i}")));
        for call in [
            format!("f{tag}({names})"),
            format!("table{tag}[draw() & 1]({names})"),
            format!("apply{tag}(f{tag}, {names})"),
        ] {
            let _ = writeln!(text, "  {{ {result} r = {call}; print_{result}(r); puts(\"\"); }}");
        }
        let _ = writeln!(text, "  take{tag}({some}, 1, {rest});");
        let _ = writeln!(text, "  take{tag}({some}, 3, {rest}, {rest}, {rest});");
    }

    /// Two bases with the function, and a class in which one implementation stands for both: calls through the second
    /// go through a thunk. The result of `self` is a class that is derived, so that its thunk adjusts that too.
    fn declare_class(&self, text: &mut String) {
        let (tag, result, signature) = (&self.tag, &self.result.name, self.signature());
        let _ = write!(
            text,
            "struct left{tag} {{ long l = 1; virtual ~left{tag}() {{}} virtual {result} one({signature}) = 0; }};\n\
             struct right{tag} {{ long r = 2; virtual ~right{tag}() {{}} virtual {result} two({signature}) = 0; virtual right{tag} *self() {{ return this; }} }};\n\
             struct both{tag} : left{tag}, right{tag} {{\n  long own = 3;\n  {result} one({signature}) override;\n  {result} two({signature}) override;\n\
             \x20 both{tag} *self() override {{ return this; }}\n}};\n\
             struct thrown{tag} {{ {result} v; }};\n\
             struct copied{tag} {{ {result} v; copied{tag}({result} v) : v(v) {{}} copied{tag}(const copied{tag} &o) : v(o.v) {{ printf(\"copy \"); }} ~copied{tag}() {{ printf(\"gone \"); }} }};\n\
             copied{tag} pass{tag}(copied{tag} c, {signature});\n"
        );
    }

    fn define_class(&self, text: &mut String) {
        let (tag, result, signature) = (&self.tag, &self.result.name, self.signature());
        let print = self.print_parameters();
        let _ = write!(
            text,
            "{result} both{tag}::one({signature}) {{ printf(\"one %ld %ld %ld \", l, r, own);{print} puts(\"\"); return make_{result}(); }}\n\
             {result} both{tag}::two({signature}) {{ printf(\"two %ld %ld %ld \", l, r, own);{print} puts(\"\"); throw thrown{tag}{{make_{result}()}}; }}\n\
             copied{tag} pass{tag}(copied{tag} c, {signature}) {{ print_{result}(c.v);{print} puts(\"\"); return c; }}\n"
        );
    }

    fn call_class(&self, text: &mut String) {
        let (tag, result, names, types) = (&self.tag, &self.result.name, self.names(), self.types());
        let _ = write!(
            text,
            "  both{tag} object;\n  left{tag} *left = &object;\n  right{tag} *right = &object;\n\
             \x20 {{ {result} r = left->one({names}); print_{result}(r); puts(\"\"); }}\n\
             \x20 {result} (left{tag}::*member)({types}) = &left{tag}::one;\n\
             \x20 {{ {result} r = (left->*member)({names}); print_{result}(r); puts(\"\"); }}\n\
             \x20 try {{ right->self()->two({names}); }} catch (thrown{tag} &r) {{ print_{result}(r.v); puts(\"caught\"); }}\n\
             \x20 std::function<{result}({types})> function = [=]({signature}) {{ {print} return f{tag}({own}); }};\n\
             \x20 {{ {result} r = function({names}); print_{result}(r); puts(\"\"); }}\n\
             \x20 {{ copied{tag} c = pass{tag}(copied{tag}(make_{result}()), {names}); print_{result}(c.v); puts(\"\"); }}\n",
            signature = self.signature(),
            own = list((0..self.parameters.len()).map(|i| format!("p{i}"))),
            print = self.print_parameters(),
        );
    }
}
