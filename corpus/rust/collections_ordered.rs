// selvedge: run
// expect: exit 0
// native: same
// stdout: 40 Some((0, "v0")) Some((40, "v35"))
// stdout: [(10, "v19"), (11, "v25"), (12, "v31")]
// stdout: 30 + 10
// stdout: Some("v30!")
// stdout: Some((0, "v0"))
// stdout: {1: "v6", 2: "v12", 3: "v18"}
// stdout: deglsv
// stdout: [4, 5, 3, 1, 0, 2] Some(2)
// stdout: Some(4)
// stdout: [0, 1, 2, 3, 5]
// stdout: Some(9) [1, 3, 4, 7, 9]
// stdout: Some((2, "b"))
// stdout: ["a", "b", "c", "d"] true

//! B-trees, double-ended queues, heaps and linked lists.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, LinkedList, VecDeque};

fn main() {
    let mut map: BTreeMap<u32, String> = (0..40).map(|n| (n * 7 % 41, format!("v{n}"))).collect();
    println!("{} {:?} {:?}", map.len(), map.first_key_value(), map.last_key_value());
    println!("{:?}", map.range(10..13).collect::<Vec<_>>());
    let tail = map.split_off(&30);
    println!("{} + {}", map.len(), tail.len());
    map.entry(5).and_modify(|v| v.push('!')).or_default();
    println!("{:?}", map.get(&5));
    println!("{:?}", map.pop_first());
    while map.len() > 3 {
        map.pop_last();
    }
    println!("{map:?}");

    let set: BTreeSet<char> = "selvedge".chars().collect();
    println!("{}", set.iter().collect::<String>());

    let mut queue: VecDeque<i32> = VecDeque::with_capacity(4);
    for n in 0..6 {
        if n % 2 == 0 {
            queue.push_back(n)
        } else {
            queue.push_front(n)
        }
    }
    queue.rotate_right(1);
    println!("{queue:?} {:?}", queue.back());
    println!("{:?}", queue.pop_front());
    queue.make_contiguous().sort();
    println!("{queue:?}");

    let mut heap = BinaryHeap::from(vec![3, 9, 4, 1]);
    heap.push(7);
    println!("{:?} {:?}", heap.peek(), heap.clone().into_sorted_vec());
    let mut shortest = BinaryHeap::new();
    shortest.extend([Reverse((5, "e")), Reverse((2, "b")), Reverse((8, "h"))]);
    println!("{:?}", shortest.pop().map(|Reverse(entry)| entry));

    let mut list: LinkedList<&str> = ["b", "c"].into();
    list.push_front("a");
    let mut more = LinkedList::from(["d"]);
    list.append(&mut more);
    println!("{list:?} {}", more.is_empty());
}
