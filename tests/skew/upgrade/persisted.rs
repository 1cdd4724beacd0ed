//! Tests of a gate that is on, off, and on again, with invalid objects that were stored while it
//! was off (KEP-1027, "What happens if we reenable the feature if it was previously rolled back?").

use serde_json::{Value, json};
use union_runtime::Ratchet;

use crate::upgrade::gated::{
    Alone, Deduced, Grouped, Kindred, Listed, Ruled, Server, Sort, for_all_kinds, parse, write,
};

/// Returns the objects that are only stored while the gate is off.
fn invalid_objects<T: Kindred>() -> Vec<Value> {
    let choices = T::Sort::FAULTY.iter();
    choices.map(|choice| T::with(parse(choice))).collect()
}

fn valid<T: Kindred>() -> Value {
    T::with(parse(T::Sort::VALID))
}

/// Returns the object with another value in a field outside of the union.
fn edited(object: &Value) -> Value {
    let mut edited = object.clone();
    edited["note"] = json!(2);
    edited
}

/// Returns the object with another value in `alpha`, or `None` if `alpha` is not set.
fn edited_inside<T: Kindred>(object: &Value) -> Option<Value> {
    let mut edited = object.clone();
    let choice = edited.pointer_mut(T::AT).expect("a present value");
    *choice.get_mut("alpha")? = json!(9);
    Some(edited)
}

/// Returns a server with the gate on, which stored `invalid_object` while the gate was off.
fn on_again<T: Kindred>(invalid_object: &Value, ratchet: Ratchet) -> Server<T> {
    let mut server = Server::<T>::with_unions_off();
    server.settings = server.settings.ratchet(ratchet);
    server.gate(true);
    let report = server.put(invalid_object).expect_err("an error");
    assert_eq!(report.errors().len(), 1, "{report}");
    assert!(report.tolerated().is_empty(), "nothing was there before");
    let path = report.errors()[0].path();
    assert!(path.starts_with(&T::path()), "{path}");
    assert!(server.stored.is_none(), "what is refused is not stored");
    server.gate(false);
    assert!(
        server
            .put(invalid_object)
            .is_ok_and(|admitted| admitted.changes().is_empty())
    );
    server.gate(true);
    server
}

/// Runs a check for every invalid object, and returns the number of these objects.
fn for_each_invalid_object<T: Kindred>(check: impl Fn(&Value)) -> usize {
    let invalid_objects = invalid_objects::<T>();
    invalid_objects.iter().for_each(check);
    invalid_objects.len()
}

const FAULTS: [usize; 6] = [3, 2, 1, 3, 2, 1];

#[test]
fn rejected_objects_are_stored_with_the_gate_off_and_readable_when_it_is_on_again() {
    fn check<T: Kindred>() -> usize {
        for_each_invalid_object::<T>(|invalid_object| {
            let server = on_again::<T>(invalid_object, Ratchet::SameReason);
            assert_eq!(server.get(), *invalid_object);
        })
    }
    assert_eq!(for_all_kinds!(check), FAULTS);
}

#[test]
fn on_again_an_unrelated_update_is_tolerated_and_reported() {
    fn check<T: Kindred>() -> usize {
        for_each_invalid_object::<T>(|invalid_object| {
            for ratchet in [Ratchet::SameReason, Ratchet::Unchanged] {
                let mut server = on_again::<T>(invalid_object, ratchet);
                let admitted = server.put(&edited(invalid_object)).expect("it is not new");
                assert!(admitted.changes().is_empty(), "nothing is lost");
                let [tolerated] = admitted.tolerated() else {
                    panic!("{:?}", admitted.tolerated());
                };
                assert!(tolerated.path().starts_with(&T::path()), "{tolerated}");
                assert_eq!(server.get(), edited(invalid_object));
            }
        })
    }
    assert_eq!(for_all_kinds!(check), FAULTS);
}

#[test]
fn on_again_an_unrelated_update_is_rejected_without_ratcheting() {
    fn check<T: Kindred>() -> usize {
        for_each_invalid_object::<T>(|invalid_object| {
            let mut server = on_again::<T>(invalid_object, Ratchet::Off);
            for new in [invalid_object.clone(), edited(invalid_object)] {
                let report = server.put(&new).expect_err("nothing is tolerated");
                assert_eq!(
                    (report.errors().len(), report.tolerated().len()),
                    (1, 0),
                    "{report}"
                );
                assert_eq!(server.get(), *invalid_object);
            }
        })
    }
    assert_eq!(for_all_kinds!(check), FAULTS);
}

#[test]
fn on_again_a_change_inside_a_member_is_tolerated_for_the_same_reason_and_not_as_unchanged() {
    fn check<T: Kindred>() -> usize {
        let mut count = 0;
        for invalid_object in invalid_objects::<T>() {
            let Some(new) = edited_inside::<T>(&invalid_object) else {
                continue;
            };
            count += 1;
            let mut server = on_again::<T>(&invalid_object, Ratchet::SameReason);
            let admitted = server.put(&new).expect("the reason is the same");
            assert_eq!(
                (admitted.changes().len(), admitted.tolerated().len()),
                (0, 1)
            );
            assert_eq!(server.get(), new);
            for ratchet in [Ratchet::Unchanged, Ratchet::Off] {
                let mut server = on_again::<T>(&invalid_object, ratchet);
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
    fn check<T: Kindred>() -> usize {
        for_each_invalid_object::<T>(|invalid_object| {
            for ratchet in [Ratchet::SameReason, Ratchet::Unchanged, Ratchet::Off] {
                let mut server = on_again::<T>(invalid_object, ratchet);
                let admitted = server.put(&valid::<T>()).expect("a valid value");
                assert!(admitted.tolerated().is_empty());
                assert_eq!(server.get(), valid::<T>());
                let again = server.put(invalid_object);
                // The faulty object is now an update of a valid object. If it adds one member,
                // normalization makes it valid.
                match again {
                    Ok(admitted) => {
                        assert!(!admitted.changes().is_empty() && admitted.tolerated().is_empty());
                    }
                    Err(report) => assert!(report.tolerated().is_empty(), "{report}"),
                }
                assert_ne!(server.get(), *invalid_object);
            }
        })
    }
    assert_eq!(for_all_kinds!(check), FAULTS);
}

#[test]
fn on_again_a_create_with_the_same_error_is_rejected() {
    fn check<T: Kindred>() -> usize {
        for_each_invalid_object::<T>(|invalid_object| {
            let mut server = on_again::<T>(invalid_object, Ratchet::SameReason);
            server.stored = None;
            assert!(server.put(invalid_object).is_err(), "{invalid_object}");
        })
    }
    assert_eq!(for_all_kinds!(check), FAULTS);
}

/// Checks that a valid object is accepted while the gate is turned on and off repeatedly.
#[test]
fn on_off_and_on_again_a_valid_object_is_served_all_the_time() {
    fn check<T: Kindred>() -> usize {
        let mut server = Server::<T>::with_unions_off();
        let object = valid::<T>();
        let mut requests = 0;
        for on in [true, false, true, false, true] {
            server.gate(on);
            for new in [object.clone(), edited(&object), object.clone()] {
                let admitted = server.put(&new).expect("a valid value");
                assert!(admitted.changes().is_empty() && admitted.tolerated().is_empty());
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
fn switched<T: Kindred>() -> Value {
    let mut object = valid::<T>();
    let choice = object.pointer_mut(T::AT).expect("a present value");
    choice["beta"] = json!(2);
    if choice.get("kind").is_some() {
        choice["kind"] = json!("Beta");
    }
    object
}

#[test]
fn a_switch_with_the_gate_off_must_be_repeated_when_it_is_on_again() {
    fn check<T: Kindred>() -> String {
        let understood = {
            let mut server = Server::<T>::with_unions_off();
            server.gate(true);
            assert!(server.put(&valid::<T>()).is_ok(), "it is valid");
            let admitted = server.put(&switched::<T>()).expect("it is understood");
            assert_eq!(
                admitted.changes().to_string(),
                format!("{}.alpha: cleared", T::path())
            );
            server.get()
        };
        let mut server = Server::<T>::with_unions_off();
        assert!(server.put(&valid::<T>()).is_ok(), "nobody checks");
        assert!(server.put(&switched::<T>()).is_ok(), "nobody checks");
        assert_eq!(server.get(), switched::<T>(), "both are stored");
        server.gate(true);
        // The discriminator did not change and no member was added, so the server cannot tell which
        // member is meant.
        let admitted = server
            .put(&edited(&switched::<T>()))
            .expect("it is not new");
        assert_eq!(
            (admitted.changes().len(), admitted.tolerated().len()),
            (0, 1)
        );
        assert!(server.put(&edited(&understood)).is_ok(), "it is valid");
        assert_eq!(server.get(), edited(&understood));
        admitted.tolerated()[0].to_string()
    }
    let faults = for_all_kinds!(check);
    for (fault, path) in faults.iter().zip([
        "choice",
        "choice",
        "choice",
        "items[1].choice",
        "items[1].choice",
        "items[1].choice",
    ]) {
        assert!(fault.starts_with(path), "{fault}");
    }
}

#[test]
fn a_deduced_discriminator_that_went_stale_while_the_gate_was_off_is_put_right_by_the_next_write() {
    fn check<T: Kindred<Sort = Deduced>>() {
        let mut server = Server::<T>::with_unions_off();
        server.gate(true);
        assert!(server.put(&valid::<T>()).is_ok(), "it is valid");
        server.gate(false);
        // The client does not know the discriminator, and with the gate off the server does not set
        // it either.
        let stale = T::with(json!({"kind": "Alpha", "beta": 2}));
        assert!(server.put(&stale).is_ok(), "nobody checks");
        assert_eq!(server.get(), stale);
        server.gate(true);
        let admitted = server.put(&edited(&stale)).expect("it is understood");
        assert_eq!(
            admitted.changes().to_string(),
            format!("{}.kind: set", T::path())
        );
        assert!(admitted.tolerated().is_empty());
        let right = T::with(json!({"kind": "Beta", "beta": 2}));
        assert_eq!(write(&server.stored), edited(&right));
    }
    check::<Alone<Deduced>>();
    check::<Listed<Deduced>>();
}
