//! Tests of a gate that is on, off, and on again, with invalid objects that were stored while it
//! was off (KEP-1027, "What happens if we reenable the feature if it was previously rolled back?").

use serde_json::{Value, json};
use union_runtime::Ratchet;

use crate::upgrade::gated::{
    Deduced, Discriminated, Grouped, ObjectKind, Server, UnionKind, WithList, WithUnion,
    for_all_kinds, parse, serialize,
};

/// Returns the objects that are only stored while the gate is off.
fn invalid_objects<T: ObjectKind>() -> Vec<Value> {
    let invalid_values = T::UnionKind::INVALID.iter();
    invalid_values
        .map(|union_value| T::with_union(parse(union_value)))
        .collect()
}

fn valid_object<T: ObjectKind>() -> Value {
    T::with_union(parse(T::UnionKind::VALID))
}

/// Returns the object with another value in a field outside of the union.
fn with_other_note(object: &Value) -> Value {
    let mut object = object.clone();
    object["note"] = json!(2);
    object
}

/// Returns the object with another value in `alpha`, or `None` if `alpha` is not set.
fn with_other_alpha<T: ObjectKind>(object: &Value) -> Option<Value> {
    let mut object = object.clone();
    let union_value = object
        .pointer_mut(T::UNION_POINTER)
        .expect("a present value");
    *union_value.get_mut("alpha")? = json!(9);
    Some(object)
}

/// Returns a server with the gate on, which stored `invalid_object` while the gate was off.
fn reenabled_server<T: ObjectKind>(invalid_object: &Value, ratchet: Ratchet) -> Server<T> {
    let mut server = Server::<T>::with_unions_off();
    server.settings = server.settings.ratchet(ratchet);
    server.set_gate(true);
    let report = server.put(invalid_object).expect_err("an error");
    assert_eq!(report.errors().len(), 1, "{report}");
    assert!(report.tolerated().is_empty(), "there is no old object");
    let path = report.errors()[0].path();
    assert!(path.starts_with(&T::path()), "{path}");
    assert!(server.stored.is_none(), "a rejected object is not stored");
    server.set_gate(false);
    assert!(
        server
            .put(invalid_object)
            .is_ok_and(|report| report.changes().is_empty())
    );
    server.set_gate(true);
    server
}

/// Runs a check for every invalid object, and returns the number of these objects.
fn for_each_invalid_object<T: ObjectKind>(check: impl Fn(&Value)) -> usize {
    let invalid_objects = invalid_objects::<T>();
    invalid_objects.iter().for_each(check);
    invalid_objects.len()
}

const INVALID_COUNTS: [usize; 6] = [3, 2, 1, 3, 2, 1];

#[test]
fn rejected_objects_are_stored_with_the_gate_off_and_readable_when_it_is_on_again() {
    fn check<T: ObjectKind>() -> usize {
        for_each_invalid_object::<T>(|invalid_object| {
            let server = reenabled_server::<T>(invalid_object, Ratchet::SameReason);
            assert_eq!(server.get(), *invalid_object);
        })
    }
    assert_eq!(for_all_kinds!(check), INVALID_COUNTS);
}

#[test]
fn on_again_an_unrelated_update_is_tolerated_and_reported() {
    fn check<T: ObjectKind>() -> usize {
        for_each_invalid_object::<T>(|invalid_object| {
            for ratchet in [Ratchet::SameReason, Ratchet::Unchanged] {
                let mut server = reenabled_server::<T>(invalid_object, ratchet);
                let report = server
                    .put(&with_other_note(invalid_object))
                    .expect("the error is not new");
                assert!(report.changes().is_empty(), "no field is lost");
                let [error] = report.tolerated() else {
                    panic!("{:?}", report.tolerated());
                };
                assert!(error.path().starts_with(&T::path()), "{error}");
                assert_eq!(server.get(), with_other_note(invalid_object));
            }
        })
    }
    assert_eq!(for_all_kinds!(check), INVALID_COUNTS);
}

#[test]
fn on_again_an_unrelated_update_is_rejected_without_ratcheting() {
    fn check<T: ObjectKind>() -> usize {
        for_each_invalid_object::<T>(|invalid_object| {
            let mut server = reenabled_server::<T>(invalid_object, Ratchet::Off);
            for new in [invalid_object.clone(), with_other_note(invalid_object)] {
                let report = server.put(&new).expect_err("no error is tolerated");
                assert_eq!(
                    (report.errors().len(), report.tolerated().len()),
                    (1, 0),
                    "{report}"
                );
                assert_eq!(server.get(), *invalid_object);
            }
        })
    }
    assert_eq!(for_all_kinds!(check), INVALID_COUNTS);
}

#[test]
fn on_again_a_change_inside_a_member_is_tolerated_by_same_reason_and_not_by_unchanged() {
    fn check<T: ObjectKind>() -> usize {
        let mut count = 0;
        for invalid_object in invalid_objects::<T>() {
            let Some(new) = with_other_alpha::<T>(&invalid_object) else {
                continue;
            };
            count += 1;
            let mut server = reenabled_server::<T>(&invalid_object, Ratchet::SameReason);
            let report = server.put(&new).expect("the reason is the same");
            assert_eq!((report.changes().len(), report.tolerated().len()), (0, 1));
            assert_eq!(server.get(), new);
            for ratchet in [Ratchet::Unchanged, Ratchet::Off] {
                let mut server = reenabled_server::<T>(&invalid_object, ratchet);
                assert!(server.put(&new).is_err(), "{new}");
                assert_eq!(server.get(), invalid_object);
            }
        }
        count
    }
    assert_eq!(for_all_kinds!(check), [2, 2, 1, 2, 2, 1]);
}

#[test]
fn on_again_a_correction_is_accepted_and_the_error_may_not_return() {
    fn check<T: ObjectKind>() -> usize {
        for_each_invalid_object::<T>(|invalid_object| {
            for ratchet in [Ratchet::SameReason, Ratchet::Unchanged, Ratchet::Off] {
                let mut server = reenabled_server::<T>(invalid_object, ratchet);
                let report = server.put(&valid_object::<T>()).expect("a valid value");
                assert!(report.tolerated().is_empty());
                assert_eq!(server.get(), valid_object::<T>());
                let second_result = server.put(invalid_object);
                // The invalid object is now an update of a valid object. If it adds one member,
                // normalization makes it valid.
                match second_result {
                    Ok(report) => {
                        assert!(!report.changes().is_empty() && report.tolerated().is_empty());
                    }
                    Err(report) => assert!(report.tolerated().is_empty(), "{report}"),
                }
                assert_ne!(server.get(), *invalid_object);
            }
        })
    }
    assert_eq!(for_all_kinds!(check), INVALID_COUNTS);
}

#[test]
fn after_the_gate_is_on_again_a_create_with_the_error_is_rejected() {
    fn check<T: ObjectKind>() -> usize {
        for_each_invalid_object::<T>(|invalid_object| {
            let mut server = reenabled_server::<T>(invalid_object, Ratchet::SameReason);
            server.stored = None;
            assert!(server.put(invalid_object).is_err(), "{invalid_object}");
        })
    }
    assert_eq!(for_all_kinds!(check), INVALID_COUNTS);
}

/// Checks that a valid object is accepted while the gate is turned on and off repeatedly.
#[test]
fn a_valid_object_is_accepted_with_every_change_of_the_gate() {
    fn check<T: ObjectKind>() -> usize {
        let mut server = Server::<T>::with_unions_off();
        let object = valid_object::<T>();
        let mut requests = 0;
        for is_on in [true, false, true, false, true] {
            server.set_gate(is_on);
            for new in [object.clone(), with_other_note(&object), object.clone()] {
                let report = server.put(&new).expect("a valid value");
                assert!(report.changes().is_empty() && report.tolerated().is_empty());
                assert_eq!(server.get(), new);
                requests += 1;
            }
        }
        requests
    }
    assert_eq!(for_all_kinds!(check), [15; 6]);
}

/// Returns the object of a client that does not know `alpha`: the client selects `beta`, and leaves
/// `alpha` as it is.
fn object_with_both_members<T: ObjectKind>() -> Value {
    let mut object = valid_object::<T>();
    let union_value = object
        .pointer_mut(T::UNION_POINTER)
        .expect("a present value");
    union_value["beta"] = json!(2);
    if union_value.get("kind").is_some() {
        union_value["kind"] = json!("Beta");
    }
    object
}

#[test]
fn a_switch_with_the_gate_off_must_be_repeated_when_it_is_on_again() {
    fn check<T: ObjectKind>() -> String {
        let switched_object = {
            let mut server = Server::<T>::with_unions_off();
            server.set_gate(true);
            assert!(
                server.put(&valid_object::<T>()).is_ok(),
                "the object is valid"
            );
            let report = server
                .put(&object_with_both_members::<T>())
                .expect("the intent is clear");
            assert_eq!(
                report.changes().to_string(),
                format!("{}.alpha: cleared", T::path())
            );
            server.get()
        };
        let mut server = Server::<T>::with_unions_off();
        assert!(server.put(&valid_object::<T>()).is_ok(), "nobody checks");
        assert!(
            server.put(&object_with_both_members::<T>()).is_ok(),
            "nobody checks"
        );
        assert_eq!(
            server.get(),
            object_with_both_members::<T>(),
            "both are stored"
        );
        server.set_gate(true);
        // The discriminator did not change and no member was added, so the server cannot tell which
        // member is intended.
        let report = server
            .put(&with_other_note(&object_with_both_members::<T>()))
            .expect("the error is not new");
        assert_eq!((report.changes().len(), report.tolerated().len()), (0, 1));
        assert!(
            server.put(&with_other_note(&switched_object)).is_ok(),
            "the object is valid"
        );
        assert_eq!(server.get(), with_other_note(&switched_object));
        report.tolerated()[0].to_string()
    }
    let tolerated_errors = for_all_kinds!(check);
    for (error, path) in tolerated_errors.iter().zip([
        "choice",
        "choice",
        "choice",
        "items[1].choice",
        "items[1].choice",
        "items[1].choice",
    ]) {
        assert!(error.starts_with(path), "{error}");
    }
}

#[test]
fn a_deduced_discriminator_that_became_stale_with_the_gate_off_is_set_by_the_next_write() {
    fn check<T: ObjectKind<UnionKind = Deduced>>() {
        let mut server = Server::<T>::with_unions_off();
        server.set_gate(true);
        assert!(
            server.put(&valid_object::<T>()).is_ok(),
            "the object is valid"
        );
        server.set_gate(false);
        // The client does not know the discriminator, and with the gate off the server does not set
        // it either.
        let stale_object = T::with_union(json!({"kind": "Alpha", "beta": 2}));
        assert!(server.put(&stale_object).is_ok(), "nobody checks");
        assert_eq!(server.get(), stale_object);
        server.set_gate(true);
        let report = server
            .put(&with_other_note(&stale_object))
            .expect("the intent is clear");
        assert_eq!(
            report.changes().to_string(),
            format!("{}.kind: set", T::path())
        );
        assert!(report.tolerated().is_empty());
        let normalized_object = T::with_union(json!({"kind": "Beta", "beta": 2}));
        assert_eq!(
            serialize(&server.stored),
            with_other_note(&normalized_object)
        );
    }
    check::<WithUnion<Deduced>>();
    check::<WithList<Deduced>>();
}
