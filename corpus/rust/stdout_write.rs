// selvedge: run
// expect: exit 0
// seeds: 3
// native: same

//! Standard output through `write!`, locks, `print!` without newline and an explicit flush.

use std::io::{self, BufWriter, Cursor, Seek, SeekFrom, Write};
use std::thread;

fn main() -> io::Result<()> {
    print!("no newline yet");
    io::stdout().flush()?;
    println!(", now");
    let mut locked = io::stdout().lock();
    writeln!(locked, "{:>6}|{:<6}|{:^6}", "right", "left", "mid")?;
    locked.write_all(b"raw bytes\n")?;
    drop(locked);
    thread::spawn(|| println!("from another thread")).join().unwrap();
    eprintln!("this goes to standard error");

    let mut buffered = BufWriter::with_capacity(8, io::stdout());
    for n in 0..5 {
        write!(buffered, "{n},")?;
    }
    writeln!(buffered)?;
    buffered.flush()?;

    let mut memory = Cursor::new(Vec::new());
    memory.write_all(b"woven")?;
    memory.seek(SeekFrom::Start(1))?;
    memory.write_all(b"ea")?;
    println!("{}", String::from_utf8_lossy(memory.get_ref()));
    Ok(())
}
