//! Tests of conflicts about elements that share their merge key, and of the order of errors.

use k8s_strategic_merge_patch::{
    DiffError, OnConflict, ThreeWayOptions, check_preconditions, require_key_unchanged,
};
use serde_json::{Value, json};

use crate::shared_keys::{kinds, metrics, service, tcp, udp, with_field};

fn document_with_ports(ports: &[Value]) -> Value {
    json!({"spec": {"ports": ports}})
}

/// Returns the conflicts of lists: the paths, the values of the patch, and the changes of others.
fn conflicts(
    original: &[Value],
    modified: &[Value],
    current: &[Value],
) -> Vec<(String, Value, Value)> {
    let [original, modified, current] = [original, modified, current].map(document_with_ports);
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
    let deletion = json!({"port": 53, "$patch": "delete"});
    let conflict = |wanted: Value| vec![("spec.ports[53]".to_owned(), wanted, deletion.clone())];
    let udp_and_tcp = [udp(), tcp()];
    let changed_ports = [with_target_port(udp()), tcp()];
    assert_eq!(
        conflicts(&udp_and_tcp, &changed_ports, &[tcp()]),
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
    let conflicts_of_empty_list = conflicts(&udp_and_tcp, &changed_ports, &[]);
    assert_eq!(
        conflicts_of_empty_list.len(),
        2,
        "{conflicts_of_empty_list:?}"
    );
    // Both sides removed the element, or the author adds a new one.
    assert_eq!(conflicts(&udp_and_tcp, &[tcp()], &[tcp()]), []);
    assert_eq!(conflicts(&[tcp()], &udp_and_tcp, &[tcp()]), []);
    assert_eq!(conflicts(&[], &udp_and_tcp, &[]), []);
}

/// The same conflict without elements that share a key.
#[test]
fn a_deleted_element_with_a_unique_key_is_the_same_conflict() {
    let original = [udp(), metrics()];
    let actual_conflicts = conflicts(&original, &original, &[metrics()]);
    let deletion = json!({"port": 53, "$patch": "delete"});
    assert_eq!(
        actual_conflicts,
        [("spec.ports[53]".to_owned(), udp(), deletion)]
    );
}

#[test]
fn conflicts_have_the_patch_with_its_warnings() {
    let udp_and_tcp = [udp(), tcp()];
    let changed =
        |value: &str| document_with_ports(&[udp(), with_field(tcp(), "targetPort", value)]);
    let [original, modified, current] = [
        document_with_ports(&udp_and_tcp),
        changed("a"),
        changed("b"),
    ];
    let overwriting_patch =
        service().three_way(&original, &modified, &current, OnConflict::Overwrite);
    let overwriting_patch = overwriting_patch.expect("a patch");
    assert!(!kinds(&overwriting_patch).is_empty());
    match service().three_way(&original, &modified, &current, OnConflict::Fail) {
        Err(DiffError::Conflict(conflicts)) => {
            assert_eq!(*conflicts.patch(), overwriting_patch);
            assert_eq!(
                *conflicts.live(),
                json!({"spec": {"ports": [{"port": 53, "targetPort": "b"}]}})
            );
        }
        result => panic!("{result:?}"),
    }
}

#[test]
fn check_preconditions_borrows_the_patch() {
    let udp_and_tcp = json!({"ports": [udp(), tcp()]});
    let patch = service().diff(&udp_and_tcp, &json!({"ports": [tcp()]}));
    let patch = patch.expect("a patch");
    assert_eq!(check_preconditions(&patch, &[&|_| true]), Ok(()));
    let result = check_preconditions(&patch, &[&require_key_unchanged("ports")]);
    assert_eq!(result.expect_err("a conflict").patch(), &*patch);
    assert_eq!(patch.warnings().len(), 1);
}

/// The preconditions are checked before the search for conflicts, which may fail: here at a field
/// that the schema does not have, and that the author removes.
#[test]
fn errors_of_the_search_for_conflicts_follow_the_preconditions() {
    let unknown_field = |value: i64| json!({"unknown": {"a": value}});
    let with_fields = |object: Value, fields: Value| {
        let mut merged = object;
        let fields = fields.as_object().expect("an object").clone();
        merged.as_object_mut().expect("an object").extend(fields);
        merged
    };
    let changed_port = with_field(tcp(), "targetPort", "x");
    // The field is in the document, in an element that changes, and in an element that is removed.
    let cases = [
        (
            with_fields(document_with_ports(&[udp(), tcp()]), unknown_field(1)),
            document_with_ports(&[udp(), changed_port.clone()]),
            with_fields(document_with_ports(&[udp(), tcp()]), unknown_field(2)),
        ),
        (
            document_with_ports(&[udp(), with_fields(tcp(), unknown_field(1))]),
            document_with_ports(&[udp(), changed_port]),
            document_with_ports(&[udp(), with_fields(tcp(), unknown_field(2))]),
        ),
        (
            document_with_ports(&[udp(), with_fields(tcp(), unknown_field(1))]),
            document_with_ports(&[udp()]),
            document_with_ports(&[udp(), with_fields(tcp(), unknown_field(2))]),
        ),
    ];
    for (original, modified, current) in cases {
        let preconditions = [&require_key_unchanged("spec") as _];
        let options = ThreeWayOptions::new(OnConflict::Fail);
        let three_way = |options| service().three_way(&original, &modified, &current, options);
        let result = three_way(options.preconditions(&preconditions));
        assert!(
            matches!(result, Err(DiffError::Precondition(_))),
            "{result:?}"
        );
        let result = three_way(options);
        assert!(matches!(result, Err(DiffError::Invalid(_))), "{result:?}");
        let patch = service().three_way(&original, &modified, &current, OnConflict::Overwrite);
        assert!(patch.is_ok(), "{patch:?}");
    }
}
