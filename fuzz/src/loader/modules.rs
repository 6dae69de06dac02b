//! The modules that get damaged: small programs in every language, at several optimisation levels.

use crate::mutate;
use crate::native::output;
use crate::random::Random;
use std::path::Path;
use std::process::Command;

const SOURCES: [(&str, &str); 3] = [
    ("example.c", include_str!("example.c")),
    ("example.cpp", include_str!("example.cpp")),
    ("example.rs", include_str!("example.rs")),
];

/// What is made of the sources: name, compiler, flags. Nothing of the place where it is compiled enters.
const BUILDS: [(&str, &str, &str); 8] = [
    ("c0.bc", "clang-22", "-O0 -c -emit-llvm example.c"),
    ("c0g.bc", "clang-22", "-O0 -g -fdebug-compilation-dir=. -c -emit-llvm example.c"),
    ("c2.bc", "clang-22", "-O2 -c -emit-llvm example.c"),
    ("c3g.bc", "clang-22", "-O3 -g -fdebug-compilation-dir=. -c -emit-llvm example.c"),
    ("cpp1.bc", "clang-22", "-O1 -c -emit-llvm example.cpp"),
    (
        "rs.bc",
        "rustc",
        "--edition 2024 --crate-type lib --emit=llvm-bc -C opt-level=1 -C panic=abort example.rs",
    ),
    ("c0.ll", "clang-22", "-O0 -fno-discard-value-names -S -emit-llvm example.c"),
    ("cpp1.ll", "clang-22", "-O1 -fno-discard-value-names -S -emit-llvm example.cpp"),
];

/// Undamaged modules.
pub struct Modules {
    modules: Vec<(&'static str, Vec<u8>)>,
}

impl Modules {
    /// Compiles the modules into a folder.
    pub fn compile(folder: &Path) -> Result<(), String> {
        for (name, text) in SOURCES {
            std::fs::write(folder.join(name), text).map_err(|error| error.to_string())?;
        }
        for (name, compiler, flags) in BUILDS {
            let mut command = Command::new(compiler);
            command.args(flags.split(' ')).args(["-o", name]).current_dir(folder);
            let compiled = output(&mut command)?;
            if !compiled.status.success() {
                return Err(format!("{name}: {}", String::from_utf8_lossy(&compiled.stderr)));
            }
        }
        Ok(())
    }

    /// Reads the modules from the folder they were compiled into.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let read = |(name, ..): &(&'static str, _, _)| {
            let path = folder.join(name);
            let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            Ok((*name, bytes))
        };
        Ok(Modules { modules: BUILDS.iter().map(read).collect::<Result<_, String>>()? })
    }

    /// The bytes of a case.
    pub fn damaged(&self, number: u64) -> Vec<u8> {
        let mut random = Random::new(number);
        // Most damaged bitcode is refused at once; damaged text more often is another program.
        let texts = random.once_in(2);
        let (name, module) = loop {
            let chosen = &self.modules[random.below(self.modules.len())];
            if chosen.0.ends_with(".ll") == texts {
                break chosen;
            }
        };
        let (_, other) = &self.modules[random.below(self.modules.len())];
        match (name.ends_with(".ll"), std::str::from_utf8(module), std::str::from_utf8(other)) {
            (true, Ok(text), Ok(other)) => mutate::text(&mut random, text, other).into_bytes(),
            (true, Ok(text), Err(_)) => mutate::text(&mut random, text, "").into_bytes(),
            _ => mutate::bytes(&mut random, module, other),
        }
    }
}
