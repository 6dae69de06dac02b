//! math.h for `double` and `float`, computed by the host's own library, so that results are those of a native run
//! to the last bit.

use super::host::Host;
use crate::halt::Halt;
use crate::native::{Context, Flow, Native};
use crate::traits::Reach;

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
    Native::private(name, run)
}

const fn storing(name: &'static str, run: fn(&mut Context<'_>) -> Result<Flow, Halt>) -> Native {
    Native::if_shared(name, Reach::Anything, run)
}

// SAFETY of the calls in this file: the types are those of math.h; functions that take a pointer get one to a local
// variable.

/// A function of the host's with these parameters and this result.
macro_rules! host {
    ($name:expr, ($($parameter:ty),*) -> $result:ty) => {{
        // SAFETY: see above.
        static FUNCTION: Host<unsafe extern "C" fn($($parameter),*) -> $result> = unsafe { Host::new($name) };
        FUNCTION.get()?
    }};
}

macro_rules! unary {
    ($($double:ident $single:ident,)+) => {
        /// Functions of one number.
        pub static UNARY: &[Native] = &[$(
            pure(stringify!($double), |context| {
                let x = context.double(0)?;
                let function = host!(stringify!($double), (f64) -> f64);
                // SAFETY: see above.
                let value = compute(context, || unsafe { function(x) })?;
                context.return_double(value)
            }),
            pure(stringify!($single), |context| {
                let x = context.float(0)?;
                let function = host!(stringify!($single), (f32) -> f32);
                // SAFETY: see above.
                let value = compute(context, || unsafe { function(x) })?;
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
        /// Functions of two numbers.
        pub static BINARY: &[Native] = &[$(
            pure(stringify!($double), |context| {
                let (x, y) = (context.double(0)?, context.double(1)?);
                let function = host!(stringify!($double), (f64, f64) -> f64);
                // SAFETY: see above.
                let value = compute(context, || unsafe { function(x, y) })?;
                context.return_double(value)
            }),
            pure(stringify!($single), |context| {
                let (x, y) = (context.float(0)?, context.float(1)?);
                let function = host!(stringify!($single), (f32, f32) -> f32);
                // SAFETY: see above.
                let value = compute(context, || unsafe { function(x, y) })?;
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
        /// Functions from a number to an integer.
        pub static INTEGERS: &[Native] = &[$(
            pure(stringify!($double), |context| {
                let x = context.double(0)?;
                let function = host!(stringify!($double), (f64) -> $type);
                // SAFETY: see above.
                let value = compute(context, || unsafe { function(x) })?;
                context.return_int(value as u64)
            }),
            pure(stringify!($single), |context| {
                let x = context.float(0)?;
                let function = host!(stringify!($single), (f32) -> $type);
                // SAFETY: see above.
                let value = compute(context, || unsafe { function(x) })?;
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
        /// Functions of a number and an integer.
        pub static SCALING: &[Native] = &[$(
            pure(stringify!($double), |context| {
                let (x, n) = (context.double(0)?, context.int(1)? as $type);
                let function = host!(stringify!($double), (f64, $type) -> f64);
                // SAFETY: see above.
                let value = compute(context, || unsafe { function(x, n) })?;
                context.return_double(value)
            }),
            pure(stringify!($single), |context| {
                let (x, n) = (context.float(0)?, context.int(1)? as $type);
                let function = host!(stringify!($single), (f32, $type) -> f32);
                // SAFETY: see above.
                let value = compute(context, || unsafe { function(x, n) })?;
                return_float(context, value)
            }),
        )+];
    };
}

with_integer! { ldexp ldexpf i32, scalbn scalbnf i32, scalbln scalblnf i64, }

pub static NATIVES: &[Native] = &[
    pure("fma", |context| {
        let (x, y, z) = (context.double(0)?, context.double(1)?, context.double(2)?);
        let function = host!("fma", (f64, f64, f64) -> f64);
        // SAFETY: see above.
        let value = compute(context, || unsafe { function(x, y, z) })?;
        context.return_double(value)
    }),
    pure("fmaf", |context| {
        let (x, y, z) = (context.float(0)?, context.float(1)?, context.float(2)?);
        let function = host!("fmaf", (f32, f32, f32) -> f32);
        // SAFETY: see above.
        let value = compute(context, || unsafe { function(x, y, z) })?;
        return_float(context, value)
    }),
    storing("frexp", |context| {
        let (x, function) = (context.double(0)?, host!("frexp", (f64, *mut i32) -> f64));
        // SAFETY: see above.
        with_int_pointer(context, 1, |n| unsafe { function(x, n) })
    }),
    storing("frexpf", |context| {
        let (x, function) = (context.float(0)?, host!("frexpf", (f32, *mut i32) -> f32));
        // SAFETY: see above.
        with_int_pointer(context, 1, |n| f64::from(unsafe { function(x, n) }))
    }),
    storing("remquo", |context| {
        let (x, y) = (context.double(0)?, context.double(1)?);
        let function = host!("remquo", (f64, f64, *mut i32) -> f64);
        // SAFETY: see above.
        with_int_pointer(context, 2, |n| unsafe { function(x, y, n) })
    }),
    storing("remquof", |context| {
        let (x, y) = (context.float(0)?, context.float(1)?);
        let function = host!("remquof", (f32, f32, *mut i32) -> f32);
        // SAFETY: see above.
        with_int_pointer(context, 2, |n| f64::from(unsafe { function(x, y, n) }))
    }),
    storing("lgamma_r", |context| {
        let (x, function) = (context.double(0)?, host!("lgamma_r", (f64, *mut i32) -> f64));
        // SAFETY: see above.
        with_int_pointer(context, 1, |n| unsafe { function(x, n) })
    }),
    storing("lgammaf_r", |context| {
        let (x, function) = (context.float(0)?, host!("lgammaf_r", (f32, *mut i32) -> f32));
        // SAFETY: see above.
        with_int_pointer(context, 1, |n| f64::from(unsafe { function(x, n) }))
    }),
    storing("modf", |context| {
        let (x, into, mut whole) = (context.double(0)?, context.pointer(1)?, 0.0_f64);
        let function = host!("modf", (f64, *mut f64) -> f64);
        // SAFETY: see above.
        let value = compute(context, || unsafe { function(x, &mut whole) })?;
        context.write_int(into, 8, whole.to_bits())?;
        context.return_double(value)
    }),
    storing("modff", |context| {
        let (x, into, mut whole) = (context.float(0)?, context.pointer(1)?, 0.0_f32);
        let function = host!("modff", (f32, *mut f32) -> f32);
        // SAFETY: see above.
        let value = compute(context, || unsafe { function(x, &mut whole) })?;
        context.write_int(into, 4, u64::from(whole.to_bits()))?;
        return_float(context, value)
    }),
    storing("sincos", |context| {
        let (x, mut sine, mut cosine) = (context.double(0)?, 0.0_f64, 0.0_f64);
        let function = host!("sincos", (f64, *mut f64, *mut f64) -> ());
        // SAFETY: see above.
        compute(context, || unsafe { function(x, &mut sine, &mut cosine) })?;
        let (to_sine, to_cosine) = (context.pointer(1)?, context.pointer(2)?);
        context.write_int(to_sine, 8, sine.to_bits())?;
        context.write_int(to_cosine, 8, cosine.to_bits())?;
        Ok(Flow::Return)
    }),
    storing("sincosf", |context| {
        let (x, mut sine, mut cosine) = (context.float(0)?, 0.0_f32, 0.0_f32);
        let function = host!("sincosf", (f32, *mut f32, *mut f32) -> ());
        // SAFETY: see above.
        compute(context, || unsafe { function(x, &mut sine, &mut cosine) })?;
        let (to_sine, to_cosine) = (context.pointer(1)?, context.pointer(2)?);
        context.write_int(to_sine, 4, u64::from(sine.to_bits()))?;
        context.write_int(to_cosine, 4, u64::from(cosine.to_bits()))?;
        Ok(Flow::Return)
    }),
    pure("jn", |context| {
        let (n, x, function) = (context.int32(0)?, context.double(1)?, host!("jn", (i32, f64) -> f64));
        // SAFETY: see above.
        let value = compute(context, || unsafe { function(n, x) })?;
        context.return_double(value)
    }),
    pure("yn", |context| {
        let (n, x, function) = (context.int32(0)?, context.double(1)?, host!("yn", (i32, f64) -> f64));
        // SAFETY: see above.
        let value = compute(context, || unsafe { function(n, x) })?;
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
    call: impl FnOnce(*mut i32) -> f64,
) -> Result<Flow, Halt> {
    let (into, mut number) = (context.pointer(argument)?, 0);
    let value = compute(context, || call(&mut number))?;
    context.write_int(into, 4, number as u64)?;
    context.return_double(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rust brings functions of these names, too, which differ from the C library's in errno and in the last bit.
    #[test]
    fn functions_are_those_of_the_c_library() {
        let root = || Ok::<_, Halt>(host!("sqrt", (f64) -> f64));
        let root = root().expect("every C library has it");
        // SAFETY: errno is the calling thread's own variable; see above for the call.
        let (root, errno) = unsafe {
            *libc::__errno_location() = 0;
            (root(-1.0), *libc::__errno_location())
        };
        assert!(root.is_nan());
        assert_eq!(errno, libc::EDOM);
    }
}
