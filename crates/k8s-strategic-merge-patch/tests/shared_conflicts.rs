//! Tests of conflicts about elements that share their merge key, and of the order of errors.

use k8s_strategic_merge_patch::{
    DiffError, OnConflict, ThreeWayOptions, check_preconditions, require_key_unchanged,
};
use serde_json::{Value, json};

use crate::shared_keys::{kinds, metrics, service, tcp, udp, with_field};

fn list(ports: &[Value]) -> Value {
    json!({"spec": {"ports": ports}})
}

/// Returns the conflicts of lists: the paths, the values of the patch, and the changes of others.
fn conflicts(
    original: &[Value],
    modified: &[Value],
    current: &[Value],
) -> Vec<(String, Value, Value)> {
    let [original, modified, current] = [original, modified, current].map(list);
    match service().three_way(&original, &modified, &current, OnConflict::Fail) {
        Ok(_) => Vec::new(),
        Err(DiffError::Conflict(conflicts)) => {
            let conflicts = conflicts.iter().map(|conflict| {
                let path = conflict.path().to_string();
                (path, conflict.patch().clone(), conflict.live().clone())
            });
            conflicts.collect()
        }
        Err(error) => panic!("{error}"),
    }
}

/// The patch would add the deleted element again, as for elements with unique keys.
#[test]
fn a_deleted_element_that_the_author_keeps_is_a_conflict() {
    let with_target_port = |port: Value| with_field(port, "targetPort", "dns");
    let deleted = json!({"port": 53, "$patch": "delete"});
    let conflict = |wanted: Value| vec![("spec.ports[53]".to_owned(), wanted, deleted.clone())];
    let udp_and_tcp = [udp(), tcp()];
    let changed = [with_target_port(udp()), tcp()];
    assert_eq!(
        conflicts(&udp_and_tcp, &changed, &[tcp()]),
        conflict(with_target_port(udp()))
    );
    assert_eq!(
        conflicts(&udp_and_tcp, &udp_and_tcp, &[tcp()]),
        conflict(udp())
    );
    assert_eq!(
        conflicts(&udp_and_tcp, &udp_and_tcp, &[tcp(), metrics()]),
        conflict(udp())
    );
    let found = conflicts(&udp_and_tcp, &changed, &[]);
    assert_eq!(found.len(), 2, "{found:?}");
    // Both sides removed the element, or the author adds a new one.
    assert_eq!(conflicts(&udp_and_tcp, &[tcp()], &[tcp()]), []);
    assert_eq!(conflicts(&[tcp()], &udp_and_tcp, &[tcp()]), []);
    assert_eq!(conflicts(&[], &udp_and_tcp, &[]), []);
}

/// The same conflict without elements that share a key.
#[test]
fn a_deleted_element_with_a_unique_key_is_the_same_conflict() {
    let original = [udp(), metrics()];
    let found = conflicts(&original, &original, &[metrics()]);
    let deleted = json!({"port": 53, "$patch": "delete"});
    assert_eq!(found, [("spec.ports[53]".to_owned(), udp(), deleted)]);
}

#[test]
fn conflicts_have_the_patch_with_its_warnings() {
    let udp_and_tcp = [udp(), tcp()];
    let changed = |value: &str| list(&[udp(), with_field(tcp(), "targetPort", value)]);
    let [original, modified, current] = [list(&udp_and_tcp), changed("a"), changed("b")];
    let wanted = service().three_way(&original, &modified, &current, OnConflict::Overwrite);
    let wanted = wanted.expect("a patch");
    assert!(!kinds(&wanted).is_empty());
    match service().three_way(&original, &modified, &current, OnConflict::Fail) {
        Err(DiffError::Conflict(conflicts)) => assert_eq!(*conflicts.patch(), wanted),
        other => panic!("{other:?}"),
    }
}

#[test]
fn check_preconditions_borrows_the_patch() {
    let udp_and_tcp = json!({"ports": [udp(), tcp()]});
    let patch = service().diff(&udp_and_tcp, &json!({"ports": [tcp()]}));
    let patch = patch.expect("a patch");
    assert_eq!(check_preconditions(&patch, &[&|_| true]), Ok(()));
    let failed = check_preconditions(&patch, &[&require_key_unchanged("ports")]);
    assert_eq!(failed.expect_err("it changes").patch(), &*patch);
    assert_eq!(patch.warnings().len(), 1);
}

/// The preconditions are checked before the search for conflicts, which may fail: here at a field
/// that the schema does not have, and that the author removes.
#[test]
fn errors_of_the_search_for_conflicts_follow_the_preconditions() {
    let unknown = |value: i64| json!({"unknown": {"a": value}});
    let with_fields = |one: Value, other: Value| {
        let mut merged = one;
        let fields = other.as_object().expect("an object").clone();
        merged.as_object_mut().expect("an object").extend(fields);
        merged
    };
    let changed = with_field(tcp(), "targetPort", "x");
    // The field is in the document, in an element that changes, and in an element that is removed.
    let cases = [
        (
            with_fields(list(&[udp(), tcp()]), unknown(1)),
            list(&[udp(), changed.clone()]),
            with_fields(list(&[udp(), tcp()]), unknown(2)),
        ),
        (
            list(&[udp(), with_fields(tcp(), unknown(1))]),
            list(&[udp(), changed]),
            list(&[udp(), with_fields(tcp(), unknown(2))]),
        ),
        (
            list(&[udp(), with_fields(tcp(), unknown(1))]),
            list(&[udp()]),
            list(&[udp(), with_fields(tcp(), unknown(2))]),
        ),
    ];
    for (original, modified, current) in cases {
        let unchanged = [&require_key_unchanged("spec") as _];
        let options = ThreeWayOptions::new(OnConflict::Fail);
        let three_way = |options| service().three_way(&original, &modified, &current, options);
        let failed = three_way(options.preconditions(&unchanged));
        assert!(
            matches!(failed, Err(DiffError::Precondition(_))),
            "{failed:?}"
        );
        let failed = three_way(options);
        assert!(matches!(failed, Err(DiffError::Invalid(_))), "{failed:?}");
        let patch = service().three_way(&original, &modified, &current, OnConflict::Overwrite);
        assert!(patch.is_ok(), "{patch:?}");
    }
}
