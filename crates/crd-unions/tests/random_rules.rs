//! Random rules: a union accepts every object that the evaluator accepts. Unions that can replace
//! all rules reject every object that the evaluator rejects.

use union_random::Random;

use crate::evaluator::Evaluator;
use crate::judged::judge;
use crate::judged::rules::{schema, small};
use crate::sound::objects;

#[test]
fn no_union_of_random_rules_refuses_what_they_accept() {
    let small = small();
    let mut random = Random::new(19);
    let (mut objects_judged, mut unions, mut exact) = (0, 0, 0);
    let wanted = objects(40_000);
    for _ in 0..100_000 {
        if objects_judged >= wanted {
            break;
        }
        let schema = schema(&mut random);
        let reading = crd_unions::analyze_object(&schema);
        let sound = || reading.unions.iter().filter(|union| union.is_sound());
        if sound().next().is_none() {
            continue;
        }
        unions += sound().count();
        exact += sound().filter(|union| union.exact).count();
        let judged = judge(&mut Evaluator, &schema, "", &reading, &small).unwrap();
        objects_judged += judged.objects;
        assert_eq!(judged.wrong().next(), None);
    }
    println!("{objects_judged} objects, {unions} unions, {exact} of them exact");
    assert!(unions > 10 && exact > 2, "{unions} unions, {exact} exact");
}
