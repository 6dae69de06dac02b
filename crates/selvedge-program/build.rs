//! Links the few parts of LLVM that read bitcode into the program, so that it does not load all of LLVM whenever it starts.

use std::env;
use std::path::PathBuf;
use std::process::Command;

/// The release of LLVM that the whole project reads.
const MAJOR: &str = "22";

/// Where to look first, as for other crates that link this release of LLVM.
const PREFIX: &str = "LLVM_SYS_221_PREFIX";

/// What the calls in `src` are from.
const COMPONENTS: [&str; 4] = ["core", "irreader", "bitwriter", "target"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={PREFIX}");
    let config = find();
    let folder = ask(&config, &["--libdir"]).expect("llvm-config says where its libraries are");
    println!("cargo::rustc-link-search=native={}", folder.trim());
    let alone = ["--link-static", "--libs"].into_iter().chain(COMPONENTS);
    let archives = ask(&config, &alone.collect::<Vec<_>>());
    let system = ask(&config, &["--link-static", "--system-libs"]);
    let system = system.map(|flags| format!("{flags} -lstdc++")).filter(|flags| names(flags).all(is_there));
    match archives.zip(system) {
        Some((archives, system)) => {
            // They are looked up when a program is linked, instead of copied into this library.
            names(&archives).for_each(|name| println!("cargo::rustc-link-lib=static:-bundle={name}"));
            names(&system).for_each(|name| println!("cargo::rustc-link-lib=dylib={name}"));
        }
        // There are no archives, or not what they need: the shared library is linked as a whole.
        None => println!("cargo::rustc-link-lib=dylib=LLVM-{MAJOR}"),
    }
}

/// The names of libraries among flags: `-lz`, or the path of a file.
fn names(flags: &str) -> impl Iterator<Item = &str> {
    flags.split_whitespace().filter_map(|flag| match flag.strip_prefix("-l") {
        Some(name) => Some(name),
        None => flag.rsplit('/').next()?.strip_prefix("lib")?.split('.').next(),
    })
}

/// Whether the linker finds a library: a file that it does not find it names as it was asked for, without a folder.
fn is_there(name: &str) -> bool {
    ["so", "a"].iter().any(|ending| {
        let asked = Command::new("cc").arg(format!("-print-file-name=lib{name}.{ending}")).output();
        asked.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains('/'))
    })
}

/// `llvm-config` of the right major version.
fn find() -> PathBuf {
    let own = env::var_os(PREFIX).map(|prefix| PathBuf::from(prefix).join("bin/llvm-config"));
    let usual = [format!("llvm-config-{MAJOR}"), "llvm-config".to_owned()].map(PathBuf::from);
    let is_right = |path: &PathBuf| ask(path, &["--version"]).is_some_and(|text| text.starts_with(MAJOR));
    own.into_iter().chain(usual).find(is_right).unwrap_or_else(|| {
        panic!("llvm-config of LLVM {MAJOR} was not found: install llvm-{MAJOR}-dev and put it on PATH")
    })
}

/// What `llvm-config` says, if it does.
fn ask(config: &PathBuf, arguments: &[&str]) -> Option<String> {
    let output = Command::new(config).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
