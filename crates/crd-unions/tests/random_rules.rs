//! Random rules: a union accepts every object that the evaluator accepts. Unions that can replace
//! all rules reject every object that the evaluator rejects.

use union_random::Random;

use crate::evaluator::Evaluator;
use crate::server_comparison::compare_with_server;
use crate::server_comparison::rules::{random_schema, small_objects};
use crate::sound::object_count;

#[test]
fn unions_of_random_rules_are_sound() {
    let small_objects = small_objects();
    let mut random = Random::new(19);
    let (mut compared_count, mut union_count, mut exact_count) = (0, 0, 0);
    let max_objects = object_count(40_000);
    for _ in 0..100_000 {
        if compared_count >= max_objects {
            break;
        }
        let schema = random_schema(&mut random);
        let analysis = crd_unions::analyze_object(&schema);
        let sound_unions = || analysis.unions.iter().filter(|union| union.is_sound());
        if sound_unions().next().is_none() {
            continue;
        }
        union_count += sound_unions().count();
        exact_count += sound_unions().filter(|union| union.exact).count();
        let comparison =
            compare_with_server(&mut Evaluator, &schema, "", &analysis, &small_objects).unwrap();
        compared_count += comparison.object_count;
        assert_eq!(comparison.differences().next(), None);
    }
    println!("{compared_count} objects, {union_count} unions, {exact_count} of them exact");
    assert!(
        union_count > 10 && exact_count > 2,
        "{union_count} unions, {exact_count} exact"
    );
}
