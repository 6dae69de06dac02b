//! crate: rayon-core
fn main() {
    let pool = rayon_core::ThreadPoolBuilder::new().num_threads(1).build();
    let Ok(pool) = pool else { panic!("there is a pool") };
    assert_eq!(pool.install(|| rayon_core::join(|| 1, || 2)), (1, 2));
}
