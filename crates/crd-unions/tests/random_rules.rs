//! Random rules: a union accepts every object that the evaluator accepts. Unions that can replace
//! all rules reject every object that the evaluator rejects.

use union_random::Random;

use crate::evaluator::Evaluator;
use crate::judged::judge;
use crate::judged::rules::{schema, small};
use crate::sound::object_count;

#[test]
fn unions_of_random_rules_are_sound() {
    let small_objects = small();
    let mut random = Random::new(19);
    let (mut compared, mut unions, mut exact) = (0, 0, 0);
    let max_objects = object_count(40_000);
    for _ in 0..100_000 {
        if compared >= max_objects {
            break;
        }
        let schema = schema(&mut random);
        let analysis = crd_unions::analyze_object(&schema);
        let sound = || analysis.unions.iter().filter(|union| union.is_sound());
        if sound().next().is_none() {
            continue;
        }
        unions += sound().count();
        exact += sound().filter(|union| union.exact).count();
        let judged = judge(&mut Evaluator, &schema, "", &analysis, &small_objects).unwrap();
        compared += judged.objects;
        assert_eq!(judged.wrong().next(), None);
    }
    println!("{compared} objects, {unions} unions, {exact} of them exact");
    assert!(unions > 10 && exact > 2, "{unions} unions, {exact} exact");
}
