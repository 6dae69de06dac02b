// selvedge: check
// expect: verified
// slow: 6,880 graphs
// A question goes to a second thread through one channel, and the answer comes back through another.
use std::sync::mpsc;
use std::thread;

fn main() {
    let (ask, questions) = mpsc::channel();
    let (answer, answers) = mpsc::channel();
    let worker = thread::spawn(move || answer.send(questions.recv().unwrap() * 2).unwrap());
    ask.send(21).unwrap();
    assert_eq!(answers.recv().unwrap(), 42);
    worker.join().unwrap();
}
