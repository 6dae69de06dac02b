// selvedge: check
// expect: violation panic
//
// Of all numbers one is the wrong one.
fn clamp(value: i16) -> i16 {
    if value < -100 {
        -100
    } else if value > 100 {
        100
    } else {
        value
    }
}

fn main() {
    let value = selvedge::any::<i16>();
    selvedge::assume(value % 2 == 0);
    let clamped = clamp(value);
    assert!(clamped != 42 || selvedge::any::<bool>());
}
