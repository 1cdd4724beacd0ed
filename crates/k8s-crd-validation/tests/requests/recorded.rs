//! Requests and CRDs with the answers of the API server's own code.

use crate::lines::replay_all;
use crate::replay;

#[test]
fn requests_have_the_recorded_answers() {
    let lines = include_str!("../cases/recorded_requests.jsonl");
    let (count, _) = replay_all(lines, replay::answer);
    assert!(count > 100);
}

#[test]
fn crds_have_the_recorded_answers() {
    let lines = include_str!("../cases/recorded_crds.jsonl");
    let (count, _) = replay_all(lines, replay::answer);
    assert!(count > 100);
}

#[test]
fn edges_of_requests_have_the_answers_of_a_server() {
    let lines = include_str!("../cases/edges.jsonl");
    let (count, name_count) = replay_all(lines, replay::answer);
    assert!(count > 40);
    assert_eq!(name_count, count);
}

#[test]
fn edges_of_crds_have_the_answers_of_a_server() {
    let lines = include_str!("../cases/crd_edges.jsonl");
    let (count, name_count) = replay_all(lines, replay::answer);
    assert!(count > 40);
    assert_eq!(name_count, count);
}
