//! Expressions with the answers of the API server's own environment.

#[path = "../../../tests/reference/expression_cases/declared.rs"]
mod declared;
#[path = "../../../tests/reference/recorded/lines.rs"]
mod lines;
#[path = "support/replay.rs"]
mod replay;

use lines::replay_all;
use replay::Replay;

#[test]
fn expressions_have_the_recorded_answers() {
    let lines = include_str!("cases/recorded.jsonl");
    let mut replay = Replay::default();
    let answer = |definition: &_, question: &_| replay.answer(definition, question);
    let (count, _) = replay_all(lines, answer);
    assert!(count > 400);
}

#[test]
fn edges_have_the_answers_of_the_server() {
    let lines = include_str!("cases/edges.jsonl");
    let mut replay = Replay::default();
    let answer = |definition: &_, question: &_| replay.answer(definition, question);
    let (count, name_count) = replay_all(lines, answer);
    assert!(count > 50);
    assert_eq!(name_count, count);
}
