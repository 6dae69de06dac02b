//! Float intrinsics on `float` and `double`, through the host's instructions and its mathematical library.

use selvedge_program::code::IntrinsicKind;

/// The arguments of an intrinsic on floats; those that it does not have are anything.
#[derive(Clone, Copy)]
pub(super) struct Arguments<T> {
    pub a: T,
    pub b: T,
    pub c: T,
    /// The exponent of `powi`.
    pub exponent: i32,
}

macro_rules! native {
    ($name:ident, $float:ty) => {
        /// The result, or `None` for a kind that is not computed here.
        #[inline]
        pub(super) fn $name(kind: IntrinsicKind, arguments: Arguments<$float>) -> Option<$float> {
            use IntrinsicKind as Kind;
            let Arguments { a, b, c, exponent } = arguments;
            Some(match kind {
                Kind::Sqrt => a.sqrt(),
                Kind::Fma => a.mul_add(b, c),
                Kind::Floor => a.floor(),
                Kind::Ceil => a.ceil(),
                Kind::Trunc => a.trunc(),
                // The rounding mode is always the default.
                Kind::Rint | Kind::NearbyInt | Kind::RoundEven => a.round_ties_even(),
                Kind::Round => a.round(),
                Kind::Sin => a.sin(),
                Kind::Cos => a.cos(),
                Kind::Tan => a.tan(),
                Kind::Exp => a.exp(),
                Kind::Exp2 => a.exp2(),
                Kind::Log => a.ln(),
                Kind::Log2 => a.log2(),
                Kind::Log10 => a.log10(),
                Kind::Pow => a.powf(b),
                Kind::PowI => {
                    // As the compiler's runtime does it, so that every rounding is the same.
                    let (mut base, mut left, mut result) = (a, exponent, 1.0);
                    loop {
                        if left & 1 != 0 {
                            result *= base;
                        }
                        left /= 2;
                        if left == 0 {
                            break;
                        }
                        base *= base;
                    }
                    if exponent < 0 { 1.0 / result } else { result }
                }
                _ => return None,
            })
        }
    };
}

native!(single, f32);
native!(double, f64);
