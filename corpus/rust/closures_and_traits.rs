// selvedge: run
// expect: exit 0
// native: same
// stdout: shape of 4.00
// stdout: circle of 6.75
// stdout: Vector([21, 42, 63]) Vector([-21, -42, -63]) 42
// stdout: <42>
// stdout: 10
// stdout: 5
// stdout: sqrt 4
// stdout: neg -16
// stdout: i32 5 String s something else
// stdout: Some(9.0) None

//! Closures of all three kinds, boxed and generic; trait objects, default methods, operators, downcasting.

use std::any::Any;
use std::fmt::Debug;
use std::ops::{Add, Index, Mul, Neg};

trait Shape {
    fn area(&self) -> f64;
    fn name(&self) -> String {
        String::from("shape")
    }
}

trait Labelled: Shape {
    fn label(&self) -> String {
        format!("{} of {:.2}", self.name(), self.area())
    }
}

struct Square(f64);
struct Circle {
    radius: f64,
}

impl Shape for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}

impl Shape for Circle {
    fn area(&self) -> f64 {
        3.0 * self.radius * self.radius
    }
    fn name(&self) -> String {
        String::from("circle")
    }
}

impl<T: Shape> Labelled for T {}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Vector<T, const N: usize>([T; N]);

impl<T: Add<Output = T> + Copy, const N: usize> Add for Vector<T, N> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Vector(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl<T: Mul<Output = T> + Copy, const N: usize> Mul<T> for Vector<T, N> {
    type Output = Self;
    fn mul(self, factor: T) -> Self {
        Vector(self.0.map(|x| x * factor))
    }
}

impl<T: Neg<Output = T> + Copy, const N: usize> Neg for Vector<T, N> {
    type Output = Self;
    fn neg(self) -> Self {
        Vector(self.0.map(|x| -x))
    }
}

impl<T, const N: usize> Index<usize> for Vector<T, N> {
    type Output = T;
    fn index(&self, i: usize) -> &T {
        &self.0[i]
    }
}

fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
    move |x| g(f(x))
}

fn describe(value: &dyn Any) -> String {
    match (value.downcast_ref::<i32>(), value.downcast_ref::<String>()) {
        (Some(number), _) => format!("i32 {number}"),
        (_, Some(text)) => format!("String {text}"),
        _ => String::from("something else"),
    }
}

fn largest<T: PartialOrd + Debug>(items: &[T]) -> Option<&T> {
    items.iter().reduce(|a, b| if b > a { b } else { a })
}

fn main() {
    let shapes: Vec<Box<dyn Labelled>> = vec![Box::new(Square(2.0)), Box::new(Circle { radius: 1.5 })];
    for shape in &shapes {
        println!("{}", shape.label());
    }
    let sum = Vector([1, 2, 3]) + Vector([10, 20, 30]) * 2;
    println!("{sum:?} {:?} {}", -sum, sum[1]);
    println!("{}", compose(|x: i32| x + 1, |x| format!("<{x}>"))(41));
    let mut count = 0;
    let mut increment = || {
        count += 5;
        count
    };
    increment();
    println!("{}", increment());
    let text = String::from("moved");
    let consume: Box<dyn FnOnce() -> usize> = Box::new(move || text.len());
    println!("{}", consume());
    let table: [(&str, fn(f64) -> f64); 2] = [("sqrt", f64::sqrt), ("neg", |x| -x)];
    for (name, function) in table {
        println!("{name} {}", function(16.0));
    }
    println!("{} {} {}", describe(&5i32), describe(&String::from("s")), describe(&'c'));
    println!("{:?} {:?}", largest(&[2.5, 9.0, 1.0]), largest::<u8>(&[]));
}
