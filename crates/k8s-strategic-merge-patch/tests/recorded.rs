//! Operations with the answers of Kubernetes' own code.

use crate::lines::replay_all;
use crate::replay;

#[test]
fn operations_have_the_recorded_answers() {
    let lines = include_str!("cases/recorded.jsonl");
    let (count, _) = replay_all(lines, replay::answer);
    assert!(count > 50);
}

#[test]
fn edges_have_the_answers_of_kubernetes() {
    let lines = include_str!("cases/edges.jsonl");
    let (count, name_count) = replay_all(lines, replay::answer);
    assert!(count > 100);
    assert_eq!(name_count, count);
}
