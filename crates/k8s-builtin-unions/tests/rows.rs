//! Each row of the table: no member, each member alone, each pair, and the discriminator against
//! each member.

use k8s_builtin_unions::find_kind;
use serde_json::{Map, Value, json};
use union_random::Random;

use crate::definition::{UNKNOWN_FIELD, is_valid};
use crate::objects::{Place, places};

/// Compares the verdict on an object with the definition.
fn check(
    place: &Place,
    unions: &k8s_builtin_unions::KindUnions,
    object: &Map<String, Value>,
    is_strict: bool,
) -> bool {
    let expected = place
        .unions
        .iter()
        .all(|union| is_valid(*union, object, is_strict));
    let errors = place.errors(unions, object);
    let type_name = place.unions.first().map(|union| union.type_name());
    assert_eq!(
        errors.is_empty(),
        expected,
        "{type_name:?}, strict: {is_strict}, {object:?}: {errors:?}"
    );
    expected
}

#[test]
fn each_pair_of_fields_has_the_verdict_of_its_row() {
    let (mut accepted, mut rejected) = (0, 0);
    for place in places() {
        let fields = place.fields();
        for is_strict in [false, true] {
            let unions = place.compile(is_strict);
            for (i, first) in fields.iter().enumerate() {
                for second in fields.iter().skip(i) {
                    // Equal fields are a field alone.
                    for first_value in place.values(first) {
                        for second_value in place.values(second) {
                            let object = Map::from_iter([
                                ((*first).to_owned(), first_value.clone()),
                                ((*second).to_owned(), second_value),
                            ]);
                            let count = if check(&place, &unions, &object, is_strict) {
                                &mut accepted
                            } else {
                                &mut rejected
                            };
                            *count += 1;
                        }
                    }
                }
            }
            check(&place, &unions, &Map::new(), is_strict);
        }
    }
    assert!(
        accepted > 300 && rejected > 1_000,
        "{accepted} accepted, {rejected} rejected"
    );
}

#[test]
fn random_objects_have_the_verdicts_of_their_rows() {
    let mut random = Random::new(48);
    let empty_values = [json!(null), json!(""), json!([]), json!(0), json!(false)];
    for place in places() {
        let fields = place.fields();
        for is_strict in [false, true] {
            let unions = place.compile(is_strict);
            for _ in 0..40 {
                let mut object = Map::new();
                let percent = *random.pick(&[10, 30, 60]);
                for field in random.subset(&fields, percent) {
                    let is_discriminator = place
                        .unions
                        .iter()
                        .any(|union| union.discriminator() == Some(field));
                    let value = if !is_discriminator && random.chance(30) {
                        random.pick(&empty_values).clone()
                    } else {
                        random.pick(&place.values(field)).clone()
                    };
                    object.insert((*field).to_owned(), value);
                }
                if random.chance(20) {
                    object.insert(UNKNOWN_FIELD.to_owned(), json!({"a": 1}));
                }
                check(&place, &unions, &object, is_strict);
            }
        }
    }
}

#[test]
fn members_of_a_newer_version_are_ignored() {
    let place = places()
        .into_iter()
        .find(|place| {
            place
                .unions
                .iter()
                .any(|union| union.type_name().ends_with("v1.LifecycleHandler"))
        })
        .expect("the place of a handler");
    let object = json!({"exec": "x", "sleep": "x"});
    let object = object.as_object().expect("an object");
    for (minor, error_count) in [(28, 0), (29, 1)] {
        let unions = place
            .kind
            .compiler()
            .minor(minor)
            .compile()
            .expect("unions");
        assert_eq!(
            place.errors(&unions, object).len(),
            error_count,
            "1.{minor}"
        );
    }
}

#[test]
fn unions_of_a_newer_version_are_ignored() {
    let kind = find_kind("resource.k8s.io/v1", "ResourceSlice").expect("a built-in kind");
    let slice = json!({"spec": {"allNodes": true, "devices": ["x"], "sharedCounters": ["x"]}});
    for (minor, error_count) in [(34, 0), (35, 1)] {
        let unions = kind.compiler().minor(minor).compile().expect("unions");
        assert_eq!(
            unions.validate(&slice).errors().len(),
            error_count,
            "1.{minor}"
        );
    }
}

#[test]
fn unions_that_servers_do_not_enforce_are_validated_on_request() {
    let kind = find_kind("v1", "Pod").expect("a built-in kind");
    let state = json!({"running": {}, "waiting": {}});
    let pod = json!({"status": {"containerStatuses": [{"name": "app", "state": state}]}});
    let unions = kind.compiler().compile().expect("unions");
    assert!(unions.validate(&pod).is_accepted());
    let unions = kind.compiler().with_unenforced().compile();
    let report = unions.expect("unions").validate(&pod);
    assert_eq!(
        report.errors()[0].path(),
        "status.containerStatuses[0].state"
    );
}
