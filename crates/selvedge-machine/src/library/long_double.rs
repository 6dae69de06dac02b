//! math.h for `long double`, computed by the host's own library.

use super::host::{self, Extended, Function, Host, Others};
use crate::halt::Halt;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native};
use crate::traits::Reach;

/// The address of a function of the host's; `host::call` knows how to call it.
macro_rules! host {
    ($name:expr) => {{
        // SAFETY: a pointer to any function; only `host::call` uses it, which does not believe its type.
        static FUNCTION: Host<Function> = unsafe { Host::new($name) };
        FUNCTION.get()?
    }};
}

macro_rules! functions {
    ($table:ident, $count:literal, $($name:ident)+) => {
        /// Functions of this many arguments.
        pub static $table: &[Native] = &[$(Native::private(stringify!($name), |context| {
            plain(context, host!(stringify!($name)), $count)
        }),)+];
    };
}

functions! { UNARY, 1,
    acosl acoshl asinl asinhl atanl atanhl cbrtl ceill cosl coshl erfl erfcl expl exp2l exp10l expm1l fabsl floorl
    j0l j1l lgammal logl log10l log1pl log2l logbl nearbyintl rintl roundl roundevenl significandl sinl sinhl sqrtl
    tanl tanhl tgammal truncl y0l y1l
}
functions! { BINARY, 2,
    atan2l copysignl dreml fdiml fmaxl fminl fmodl hypotl nextafterl nexttowardl powl remainderl scalbl
}
functions! { TERNARY, 3, fmal }

macro_rules! integers {
    ($($name:ident)+) => {
        /// Functions that return an integer.
        pub static INTEGERS: &[Native] = &[$(Native::private(stringify!($name), |context| {
            to_integer(context, host!(stringify!($name)))
        }),)+];
    };
}

integers! {
    lroundl llroundl lrintl llrintl ilogbl __isnanl __isinfl __finitel __fpclassifyl __signbitl isnanl isinfl finitel
}

const fn model(name: &'static str, run: fn(&mut Context<'_>) -> Result<Flow, Halt>) -> Native {
    Native::if_shared(name, Reach::Anything, run)
}

pub static NATIVES: &[Native] = &[
    model("ldexpl", |context| scale(context, host!("ldexpl"))),
    model("scalbnl", |context| scale(context, host!("scalbnl"))),
    model("scalblnl", |context| scale(context, host!("scalblnl"))),
    model("frexpl", frexp),
    model("modfl", modf),
    model("remquol", remquo),
];

fn argument(context: &Context<'_>, index: usize) -> Result<Extended, Halt> {
    let (significand, rest) = context.long_double(index)?;
    Ok([significand, rest])
}

/// Calls a function that matches its arguments, and passes on its errno.
fn call(
    context: &mut Context<'_>,
    function: Function,
    arguments: &[Extended],
    others: Others,
    integer: bool,
) -> Result<host::Returned, Halt> {
    host::available()?;
    // SAFETY: the tables of this file name functions with just these arguments and results.
    let (returned, errno) = unsafe { host::call(function, arguments, others, integer) };
    if errno != 0 {
        context.set_errno(errno)?;
    }
    Ok(returned)
}

fn plain(context: &mut Context<'_>, function: Function, count: usize) -> Result<Flow, Halt> {
    let arguments = (0..count).map(|index| argument(context, index)).collect::<Result<Vec<_>, _>>()?;
    let result = call(context, function, &arguments, Others::default(), false)?;
    context.return_slots(&result.extended)
}

fn to_integer(context: &mut Context<'_>, function: Function) -> Result<Flow, Halt> {
    let arguments = [argument(context, 0)?];
    let result = call(context, function, &arguments, Others::default(), true)?;
    context.return_int(result.integer)
}

fn scale(context: &mut Context<'_>, function: Function) -> Result<Flow, Halt> {
    let (value, exponent) = (argument(context, 0)?, context.int(1)?);
    let others = Others { integers: [exponent, 0] };
    let result = call(context, function, &[value], others, false)?;
    context.return_slots(&result.extended)
}

fn frexp(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (value, into) = (argument(context, 0)?, context.pointer(1)?);
    let mut exponent = 0_i32;
    let others = Others { integers: [(&raw mut exponent) as u64, 0] };
    let result = call(context, host!("frexpl"), &[value], others, false)?;
    context.write_int(into, 4, exponent as u64)?;
    context.return_slots(&result.extended)
}

fn modf(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (value, into) = (argument(context, 0)?, context.pointer(1)?);
    let mut whole: Extended = [0; 2];
    let others = Others { integers: [whole.as_mut_ptr() as u64, 0] };
    let result = call(context, host!("modfl"), &[value], others, false)?;
    store(context, into, whole)?;
    context.return_slots(&result.extended)
}

fn remquo(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (left, right, into) = (argument(context, 0)?, argument(context, 1)?, context.pointer(2)?);
    let mut quotient = 0_i32;
    let others = Others { integers: [(&raw mut quotient) as u64, 0] };
    let result = call(context, host!("remquol"), &[left, right], others, false)?;
    context.write_int(into, 4, quotient as u64)?;
    context.return_slots(&result.extended)
}

/// Writes the ten bytes of a `long double`.
fn store(context: &mut Context<'_>, into: Pointer, value: Extended) -> Result<(), Halt> {
    context.write_int(into, 8, value[0])?;
    context.write_int(into.offset(8), 2, value[1] & 0xffff)
}

/// Parses a number: the value, the characters used, errno.
pub fn parse(text: &[u8]) -> Result<(Extended, usize, i32), Halt> {
    host::available()?;
    let strtold = host!("strtold");
    let (value, used, errno) = super::numbers::convert(text, |start, end| {
        let others = Others { integers: [start as u64, end as u64] };
        // SAFETY: strtold takes a terminated string and a place for the end, which `convert` provides.
        unsafe { host::call(strtold, &[], others, false) }.0.extended
    });
    Ok((value, used, errno))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Extended {
        parse(text.as_bytes()).expect("the host has long double").0
    }

    fn function(name: &'static str) -> Function {
        // SAFETY: as for `host!`.
        unsafe { Host::new(name) }.get().expect("every C library has it")
    }

    fn apply(name: &'static str, arguments: &[&str]) -> Extended {
        let function = function(name);
        let arguments: Vec<_> = arguments.iter().map(|text| number(text)).collect();
        // SAFETY: the callers pass functions with as many arguments as they give.
        unsafe { host::call(function, &arguments, Others::default(), false) }.0.extended
    }

    #[test]
    fn one_has_its_bits() {
        assert_eq!(number("1"), [1 << 63, 0x3fff]);
        assert_eq!(number("-2.5"), [0xa000_0000_0000_0000, 0xc000]);
        assert_eq!(parse(b"  12xyz").expect("the host has long double").1, 4);
    }

    #[test]
    fn functions_of_one_two_and_three_arguments() {
        assert_eq!(apply("sqrtl", &["2.25"]), number("1.5"));
        assert_eq!(apply("floorl", &["-2.5"]), number("-3"));
        assert_eq!(apply("fmodl", &["7.5", "2"]), number("1.5"));
        assert_eq!(apply("powl", &["2", "70"]), number("1180591620717411303424"));
        assert_eq!(apply("fmal", &["2", "3", "4"]), number("10"));
    }

    #[test]
    fn integers_and_pointers() {
        // SAFETY: lroundl takes a long double and returns a long.
        let rounded =
            unsafe { host::call(function("lroundl"), &[number("-2.5")], Others::default(), true) }.0.integer;
        assert_eq!(rounded as i64, -3);
        let mut exponent = 0_i32;
        let others = Others { integers: [(&raw mut exponent) as u64, 0] };
        // SAFETY: frexpl takes a long double and a pointer to an int.
        let fraction = unsafe { host::call(function("frexpl"), &[number("48")], others, false) }.0.extended;
        assert_eq!((fraction, exponent), (number("0.75"), 6));
    }
}
