//! math.h for `double` and `float`, computed by the host's own library, so that results are those of a native run
//! to the last bit.

use crate::halt::Halt;
use crate::native::{Context, Flow, Native, Visibility};

/// Computes, and passes on the errno that the library leaves.
fn compute<T>(context: &mut Context<'_>, call: impl FnOnce() -> T) -> Result<T, Halt> {
    // SAFETY: errno is the calling thread's own variable.
    unsafe { *libc::__errno_location() = 0 };
    let value = call();
    // SAFETY: as above.
    match unsafe { *libc::__errno_location() } {
        0 => {}
        errno => context.set_errno(errno)?,
    }
    Ok(value)
}

fn return_float(context: &mut Context<'_>, value: f32) -> Result<Flow, Halt> {
    context.return_slots(&[u64::from(value.to_bits())])
}

const fn pure(name: &'static str, run: fn(&mut Context<'_>) -> Result<Flow, Halt>) -> Native {
    Native { name, visibility: Visibility::Private, run }
}

const fn storing(name: &'static str, run: fn(&mut Context<'_>) -> Result<Flow, Halt>) -> Native {
    Native { name, visibility: Visibility::IfShared, run }
}

// SAFETY of the calls in this file: mathematical functions take numbers and return one; those that also take a
// pointer get one to a local variable.

macro_rules! unary {
    ($($double:ident $single:ident,)+) => {
        unsafe extern "C" { $(fn $double(x: f64) -> f64; fn $single(x: f32) -> f32;)+ }
        /// Functions of one number.
        pub static UNARY: &[Native] = &[$(
            pure(stringify!($double), |context| {
                let x = context.double(0)?;
                // SAFETY: see above.
                let value = compute(context, || unsafe { $double(x) })?;
                context.return_double(value)
            }),
            pure(stringify!($single), |context| {
                let x = context.float(0)?;
                // SAFETY: see above.
                let value = compute(context, || unsafe { $single(x) })?;
                return_float(context, value)
            }),
        )+];
    };
}

unary! {
    acos acosf, acosh acoshf, asin asinf, asinh asinhf, atan atanf, atanh atanhf, cbrt cbrtf, ceil ceilf, cos cosf,
    cosh coshf, erf erff, erfc erfcf, exp expf, exp2 exp2f, exp10 exp10f, expm1 expm1f, fabs fabsf, floor floorf,
    j0 j0f, j1 j1f, lgamma lgammaf, log logf, log10 log10f, log1p log1pf, log2 log2f, logb logbf,
    nearbyint nearbyintf, rint rintf, round roundf, roundeven roundevenf, significand significandf, sin sinf,
    sinh sinhf, sqrt sqrtf, tan tanf, tanh tanhf, tgamma tgammaf, trunc truncf, y0 y0f, y1 y1f,
}

macro_rules! binary {
    ($($double:ident $single:ident,)+) => {
        unsafe extern "C" { $(fn $double(x: f64, y: f64) -> f64; fn $single(x: f32, y: f32) -> f32;)+ }
        /// Functions of two numbers.
        pub static BINARY: &[Native] = &[$(
            pure(stringify!($double), |context| {
                let (x, y) = (context.double(0)?, context.double(1)?);
                // SAFETY: see above.
                let value = compute(context, || unsafe { $double(x, y) })?;
                context.return_double(value)
            }),
            pure(stringify!($single), |context| {
                let (x, y) = (context.float(0)?, context.float(1)?);
                // SAFETY: see above.
                let value = compute(context, || unsafe { $single(x, y) })?;
                return_float(context, value)
            }),
        )+];
    };
}

binary! {
    atan2 atan2f, copysign copysignf, drem dremf, fdim fdimf, fmax fmaxf, fmin fminf, fmod fmodf, hypot hypotf,
    nextafter nextafterf, pow powf, remainder remainderf, scalb scalbf,
}

macro_rules! to_integer {
    ($($double:ident $single:ident $type:ty,)+) => {
        unsafe extern "C" { $(fn $double(x: f64) -> $type; fn $single(x: f32) -> $type;)+ }
        /// Functions from a number to an integer.
        pub static INTEGERS: &[Native] = &[$(
            pure(stringify!($double), |context| {
                let x = context.double(0)?;
                // SAFETY: see above.
                let value = compute(context, || unsafe { $double(x) })?;
                context.return_int(value as u64)
            }),
            pure(stringify!($single), |context| {
                let x = context.float(0)?;
                // SAFETY: see above.
                let value = compute(context, || unsafe { $single(x) })?;
                context.return_int(value as u64)
            }),
        )+];
    };
}

to_integer! {
    ilogb ilogbf i32, lround lroundf i64, llround llroundf i64, lrint lrintf i64, llrint llrintf i64,
    finite finitef i32, isnan isnanf i32, isinf isinff i32, __finite __finitef i32, __isnan __isnanf i32,
    __isinf __isinff i32, __fpclassify __fpclassifyf i32, __signbit __signbitf i32,
}

macro_rules! with_integer {
    ($($double:ident $single:ident $type:ty,)+) => {
        unsafe extern "C" { $(fn $double(x: f64, n: $type) -> f64; fn $single(x: f32, n: $type) -> f32;)+ }
        /// Functions of a number and an integer.
        pub static SCALING: &[Native] = &[$(
            pure(stringify!($double), |context| {
                let (x, n) = (context.double(0)?, context.int(1)? as $type);
                // SAFETY: see above.
                let value = compute(context, || unsafe { $double(x, n) })?;
                context.return_double(value)
            }),
            pure(stringify!($single), |context| {
                let (x, n) = (context.float(0)?, context.int(1)? as $type);
                // SAFETY: see above.
                let value = compute(context, || unsafe { $single(x, n) })?;
                return_float(context, value)
            }),
        )+];
    };
}

with_integer! { ldexp ldexpf i32, scalbn scalbnf i32, scalbln scalblnf i64, }

unsafe extern "C" {
    fn fma(x: f64, y: f64, z: f64) -> f64;
    fn fmaf(x: f32, y: f32, z: f32) -> f32;
    fn frexp(x: f64, exponent: *mut i32) -> f64;
    fn frexpf(x: f32, exponent: *mut i32) -> f32;
    fn modf(x: f64, whole: *mut f64) -> f64;
    fn modff(x: f32, whole: *mut f32) -> f32;
    fn remquo(x: f64, y: f64, quotient: *mut i32) -> f64;
    fn remquof(x: f32, y: f32, quotient: *mut i32) -> f32;
    fn lgamma_r(x: f64, sign: *mut i32) -> f64;
    fn lgammaf_r(x: f32, sign: *mut i32) -> f32;
    fn jn(n: i32, x: f64) -> f64;
    fn yn(n: i32, x: f64) -> f64;
}

/// The others.
pub static NATIVES: &[Native] = &[
    pure("fma", |context| {
        let (x, y, z) = (context.double(0)?, context.double(1)?, context.double(2)?);
        // SAFETY: see above.
        let value = compute(context, || unsafe { fma(x, y, z) })?;
        context.return_double(value)
    }),
    pure("fmaf", |context| {
        let (x, y, z) = (context.float(0)?, context.float(1)?, context.float(2)?);
        // SAFETY: see above.
        let value = compute(context, || unsafe { fmaf(x, y, z) })?;
        return_float(context, value)
    }),
    storing("frexp", |context| {
        // SAFETY: see above.
        with_int_pointer(context, 1, |context, n| Ok(unsafe { frexp(context.double(0)?, n) }))
    }),
    storing("frexpf", |context| {
        // SAFETY: see above.
        with_int_pointer(context, 1, |context, n| Ok(f64::from(unsafe { frexpf(context.float(0)?, n) })))
    }),
    storing("remquo", |context| {
        // SAFETY: see above.
        with_int_pointer(context, 2, |context, n| {
            Ok(unsafe { remquo(context.double(0)?, context.double(1)?, n) })
        })
    }),
    storing("remquof", |context| {
        with_int_pointer(context, 2, |context, n| {
            // SAFETY: see above.
            Ok(f64::from(unsafe { remquof(context.float(0)?, context.float(1)?, n) }))
        })
    }),
    storing("lgamma_r", |context| {
        // SAFETY: see above.
        with_int_pointer(context, 1, |context, n| Ok(unsafe { lgamma_r(context.double(0)?, n) }))
    }),
    storing("lgammaf_r", |context| {
        // SAFETY: see above.
        with_int_pointer(context, 1, |context, n| Ok(f64::from(unsafe { lgammaf_r(context.float(0)?, n) })))
    }),
    storing("modf", |context| {
        let (x, into, mut whole) = (context.double(0)?, context.pointer(1)?, 0.0);
        // SAFETY: see above.
        let value = compute(context, || unsafe { modf(x, &mut whole) })?;
        context.write_int(into, 8, whole.to_bits())?;
        context.return_double(value)
    }),
    storing("modff", |context| {
        let (x, into, mut whole) = (context.float(0)?, context.pointer(1)?, 0.0);
        // SAFETY: see above.
        let value = compute(context, || unsafe { modff(x, &mut whole) })?;
        context.write_int(into, 4, u64::from(whole.to_bits()))?;
        return_float(context, value)
    }),
    storing("sincos", |context| {
        let (x, sine, cosine) = (context.double(0)?, context.pointer(1)?, context.pointer(2)?);
        // SAFETY: see above.
        let (a, b) = compute(context, || unsafe { (sin(x), cos(x)) })?;
        context.write_int(sine, 8, a.to_bits())?;
        context.write_int(cosine, 8, b.to_bits())?;
        Ok(Flow::Return)
    }),
    storing("sincosf", |context| {
        let (x, sine, cosine) = (context.float(0)?, context.pointer(1)?, context.pointer(2)?);
        // SAFETY: see above.
        let (a, b) = compute(context, || unsafe { (sinf(x), cosf(x)) })?;
        context.write_int(sine, 4, u64::from(a.to_bits()))?;
        context.write_int(cosine, 4, u64::from(b.to_bits()))?;
        Ok(Flow::Return)
    }),
    pure("jn", |context| {
        let (n, x) = (context.int32(0)?, context.double(1)?);
        // SAFETY: see above.
        let value = compute(context, || unsafe { jn(n, x) })?;
        context.return_double(value)
    }),
    pure("yn", |context| {
        let (n, x) = (context.int32(0)?, context.double(1)?);
        // SAFETY: see above.
        let value = compute(context, || unsafe { yn(n, x) })?;
        context.return_double(value)
    }),
    storing("nan", |context| context.return_double(f64::NAN)),
    storing("nanf", |context| return_float(context, f32::NAN)),
    pure("fegetround", |context| context.return_int(0)),
    pure("fesetround", |context| match context.int(0)? {
        0 => context.return_int(0),
        _ => Err(Halt::unsupported("rounding mode other than to nearest (fesetround)")),
    }),
    pure("feclearexcept", |context| context.return_int(0)),
];

/// A function that stores an `int` where an argument points to.
fn with_int_pointer(
    context: &mut Context<'_>,
    argument: usize,
    call: impl FnOnce(&Context<'_>, *mut i32) -> Result<f64, Halt>,
) -> Result<Flow, Halt> {
    let into = context.pointer(argument)?;
    let mut number = 0;
    let value = call(context, &mut number)?;
    context.write_int(into, 4, number as u64)?;
    context.return_double(value)
}
