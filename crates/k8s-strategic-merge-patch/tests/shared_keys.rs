//! Tests of lists in which elements share their merge key, such as the ports 53/UDP and 53/TCP of a
//! Service.

use std::collections::BTreeSet;

use k8s_strategic_merge_patch::{
    DiffError, OnConflict, Patch, PatchSchema, PatchWarning, PatchWarningKind,
};
use serde_json::{Map, Value, json};

/// Returns the schema of a Service, whose ports also have ports, and which has a set of scalars.
pub(crate) fn service() -> PatchSchema {
    let ports = |strategy: &str| {
        json!({
            "type": "array",
            "items": {"$ref": "#/definitions/Port"},
            "x-kubernetes-patch-strategy": strategy,
            "x-kubernetes-patch-merge-key": "port",
        })
    };
    let schema = json!({
        "$ref": "#/definitions/Port",
        "definitions": {"Port": {"properties": {
            "port": {"type": "integer"},
            "ports": ports("merge"),
            "retained": ports("merge,retainKeys"),
            "set": {"type": "array", "x-kubernetes-patch-strategy": "merge"},
            "union": {"$ref": "#/definitions/Port", "x-kubernetes-patch-strategy": "retainKeys"},
            "spec": {"$ref": "#/definitions/Port"},
        }}},
    });
    PatchSchema::compile(&schema).expect("the schema is well formed")
}

fn port(name: &str, protocol: &str) -> Value {
    json!({"name": name, "port": 53, "protocol": protocol})
}

/// Returns a port with one more field.
pub(crate) fn with_field(mut port: Value, field: &str, value: impl Into<Value>) -> Value {
    port[field] = value.into();
    port
}

pub(crate) fn udp() -> Value {
    port("udp", "UDP")
}

pub(crate) fn tcp() -> Value {
    port("tcp", "TCP")
}

pub(crate) fn metrics() -> Value {
    json!({"name": "metrics", "port": 9153, "protocol": "TCP"})
}

pub(crate) fn kinds(patch: &Patch) -> Vec<PatchWarningKind> {
    patch.warnings().iter().map(PatchWarning::kind).collect()
}

/// Returns the three-way patch of lists, and the list after the patch.
#[track_caller]
pub(crate) fn patch_and_result(
    original: &[Value],
    modified: &[Value],
    current: &[Value],
) -> (Patch, Value) {
    let [original, modified, current] =
        [original, modified, current].map(|ports| json!({"spec": {"ports": ports}}));
    let patch = service().three_way(&original, &modified, &current, OnConflict::Overwrite);
    let patch = patch.expect("a patch can be made");
    let mut result = service().apply(current, &patch).expect("the patch is good");
    let ports = result["spec"]["ports"].take();
    (patch, ports)
}

use PatchWarningKind::{AmbiguousElements, ListReplaced, OrderNotChanged};

/// A three-way patch of lists.
struct Case {
    name: &'static str,
    original: Vec<Value>,
    modified: Vec<Value>,
    current: Vec<Value>,
    /// The list after the patch.
    wanted: Vec<Value>,
    warnings: Vec<PatchWarningKind>,
}

fn udp_and_tcp() -> Vec<Value> {
    vec![udp(), tcp()]
}

fn with_target_port(port: Value) -> Value {
    with_field(port, "targetPort", "dns")
}

/// Returns cases of elements that change.
fn change_cases() -> Vec<Case> {
    let with_node_port = |port, number: i64| with_field(port, "nodePort", number);
    let unnamed = |protocol: &str| json!({"port": 53, "protocol": protocol});
    vec![
        Case {
            name: "no change",
            original: udp_and_tcp(),
            modified: udp_and_tcp(),
            current: udp_and_tcp(),
            wanted: udp_and_tcp(),
            warnings: vec![],
        },
        Case {
            name: "the first changes",
            original: udp_and_tcp(),
            modified: vec![with_target_port(udp()), tcp()],
            current: vec![with_node_port(udp(), 1), with_node_port(tcp(), 2)],
            wanted: vec![
                with_target_port(with_node_port(udp(), 1)),
                with_node_port(tcp(), 2),
            ],
            warnings: vec![],
        },
        Case {
            name: "the second changes",
            original: udp_and_tcp(),
            modified: vec![udp(), with_target_port(tcp())],
            current: vec![
                with_node_port(udp(), 1),
                with_node_port(tcp(), 2),
                metrics(),
            ],
            wanted: vec![
                with_node_port(udp(), 1),
                with_target_port(with_node_port(tcp(), 2)),
                metrics(),
            ],
            warnings: vec![ListReplaced],
        },
        Case {
            name: "a server added the protocol",
            original: vec![json!({"port": 53}), unnamed("UDP")],
            modified: vec![json!({"port": 53}), with_target_port(unnamed("UDP"))],
            current: vec![unnamed("TCP"), unnamed("UDP")],
            wanted: vec![unnamed("TCP"), with_target_port(unnamed("UDP"))],
            warnings: vec![ListReplaced],
        },
        Case {
            name: "others changed an element so that it may be another",
            original: udp_and_tcp(),
            modified: udp_and_tcp(),
            current: vec![udp(), port("x", "SCTP")],
            wanted: vec![udp(), tcp(), port("x", "SCTP")],
            warnings: vec![AmbiguousElements, ListReplaced],
        },
    ]
}

/// Returns cases of elements that the author replaces by other elements.
fn replacement_cases() -> Vec<Case> {
    let live = |port, number: i64| with_field(port, "nodePort", number);
    let (x, y) = (|| port("x", "SCTP"), || port("y", "QUIC"));
    vec![
        Case {
            name: "all fields of the second change",
            original: udp_and_tcp(),
            modified: vec![udp(), x()],
            current: vec![live(udp(), 1), live(tcp(), 2)],
            wanted: vec![live(udp(), 1), live(x(), 2)],
            warnings: vec![ListReplaced],
        },
        Case {
            name: "all fields of both change",
            original: udp_and_tcp(),
            modified: vec![x(), y()],
            current: vec![live(udp(), 1), live(tcp(), 2)],
            wanted: vec![live(x(), 1), live(y(), 2)],
            warnings: vec![AmbiguousElements, ListReplaced],
        },
        Case {
            name: "two elements replace the second",
            original: udp_and_tcp(),
            modified: vec![udp(), x(), y()],
            current: vec![live(udp(), 1), live(tcp(), 2)],
            wanted: vec![live(udp(), 1), x(), y()],
            warnings: vec![AmbiguousElements, ListReplaced],
        },
        Case {
            name: "an element replaces both",
            original: udp_and_tcp(),
            modified: vec![x()],
            current: vec![live(udp(), 1), live(tcp(), 2)],
            wanted: vec![x()],
            warnings: vec![AmbiguousElements],
        },
        Case {
            name: "the second is replaced after others removed it",
            original: udp_and_tcp(),
            modified: vec![udp(), x()],
            current: vec![live(udp(), 1)],
            wanted: vec![live(udp(), 1), x()],
            warnings: vec![ListReplaced],
        },
    ]
}

/// Returns cases of elements that are removed.
fn deletion_cases() -> Vec<Case> {
    vec![
        Case {
            name: "the first is removed",
            original: udp_and_tcp(),
            modified: vec![tcp()],
            current: udp_and_tcp(),
            wanted: vec![tcp()],
            warnings: vec![ListReplaced],
        },
        Case {
            name: "both are removed",
            original: udp_and_tcp(),
            modified: vec![metrics()],
            current: udp_and_tcp(),
            wanted: vec![metrics()],
            warnings: vec![],
        },
        Case {
            name: "all are removed, and others added one",
            original: udp_and_tcp(),
            modified: vec![],
            current: vec![udp(), port("sctp", "SCTP"), tcp()],
            wanted: vec![port("sctp", "SCTP")],
            warnings: vec![ListReplaced],
        },
        Case {
            name: "others removed one",
            original: udp_and_tcp(),
            modified: vec![with_target_port(udp()), tcp()],
            current: vec![udp()],
            wanted: vec![with_target_port(udp()), tcp()],
            warnings: vec![ListReplaced],
        },
    ]
}

/// Returns cases of elements that are added.
fn addition_cases() -> Vec<Case> {
    vec![
        Case {
            name: "one is added",
            original: vec![udp()],
            modified: udp_and_tcp(),
            current: vec![udp()],
            wanted: udp_and_tcp(),
            warnings: vec![ListReplaced],
        },
        Case {
            name: "both are added to an empty list",
            original: vec![],
            modified: udp_and_tcp(),
            current: vec![],
            wanted: udp_and_tcp(),
            warnings: vec![ListReplaced],
        },
        Case {
            name: "others added one before",
            original: vec![udp()],
            modified: vec![with_target_port(udp())],
            current: vec![tcp(), udp()],
            wanted: vec![tcp(), with_target_port(udp())],
            warnings: vec![ListReplaced],
        },
    ]
}

/// Returns cases of elements that move.
fn move_cases() -> Vec<Case> {
    let moved = json!({"name": "udp", "port": 54, "protocol": "UDP"});
    vec![
        Case {
            name: "one moves to another port",
            original: udp_and_tcp(),
            modified: vec![moved.clone(), tcp()],
            current: udp_and_tcp(),
            wanted: vec![moved, tcp()],
            warnings: vec![ListReplaced],
        },
        Case {
            name: "only the order changes",
            original: udp_and_tcp(),
            modified: vec![tcp(), udp()],
            current: udp_and_tcp(),
            wanted: udp_and_tcp(),
            warnings: vec![OrderNotChanged],
        },
        Case {
            name: "the order changes, and others have another order",
            original: udp_and_tcp(),
            modified: vec![tcp(), with_target_port(udp())],
            current: udp_and_tcp(),
            wanted: vec![tcp(), with_target_port(udp())],
            warnings: vec![OrderNotChanged],
        },
    ]
}

#[test]
fn three_way_patches_change_exactly_what_the_author_changed() {
    let cases = [
        change_cases(),
        replacement_cases(),
        deletion_cases(),
        addition_cases(),
        move_cases(),
    ];
    for case in cases.into_iter().flatten() {
        let Case {
            name,
            original,
            modified,
            current,
            wanted,
            warnings,
        } = case;
        let (patch, mut result) = patch_and_result(&original, &modified, &current);
        assert_eq!(kinds(&patch), warnings, "{name}: {patch}");
        let mut wanted = Value::Array(wanted);
        if warnings.contains(&OrderNotChanged) {
            // The result has the order of the live list.
            for list in [&mut wanted, &mut result] {
                let list = list.as_array_mut().expect("a list");
                list.sort_by_key(ToString::to_string);
            }
        }
        assert_eq!(result, wanted, "{name}: {patch}");
    }
}

#[test]
fn unambiguous_changes_have_an_ordinary_patch() {
    let changed = with_field(udp(), "targetPort", "dns");
    let (patch, _) = patch_and_result(&[udp(), tcp()], &[changed, tcp()], &[udp(), tcp()]);
    assert_eq!(
        patch,
        json!({"spec": {
            "$setElementOrder/ports": [{"port": 53}, {"port": 53}],
            "ports": [{"port": 53, "targetPort": "dns"}],
        }})
    );
    let (patch, _) = patch_and_result(&[udp(), tcp()], &[], &[udp(), tcp()]);
    assert_eq!(
        patch,
        json!({"spec": {"ports": [{"$patch": "delete", "port": 53}]}})
    );
    let (patch, _) = patch_and_result(&[udp(), tcp()], &[udp(), tcp()], &[udp(), tcp()]);
    assert_eq!(patch, json!({}));
}

#[test]
fn warnings_name_the_list_and_the_elements() {
    let (patch, _) = patch_and_result(&[udp(), tcp()], &[udp()], &[udp(), tcp(), metrics()]);
    let [warning] = patch.warnings() else {
        panic!("{:?}", patch.warnings());
    };
    assert_eq!(warning.path(), "spec.ports");
    assert_eq!(warning.elements(), [udp(), tcp()]);
    assert_eq!(
        warning.to_string(),
        format!("spec.ports: {}", warning.message())
    );
    for (count, end) in [(2, ""), (4, ""), (5, " and 1 more"), (6, " and 2 more")] {
        let elements = (0..count).map(|i| with_field(udp(), "name", i.to_string()));
        let elements: Vec<Value> = elements.collect();
        let (patch, _) = patch_and_result(&elements, &elements[1..], &elements);
        let printed = elements.iter().take(4).map(ToString::to_string);
        let printed = printed.collect::<Vec<_>>().join(", ");
        let message = patch.warnings()[0].message();
        assert!(
            message.contains(&format!(": {printed}{end}; ")),
            "{message}"
        );
    }
    let long_element = with_field(udp(), "appProtocol", "ä".repeat(1_000));
    let many_elements: Vec<Value> = (0..6)
        .map(|i| with_field(long_element.clone(), "name", i.to_string()))
        .collect();
    let (patch, _) = patch_and_result(&many_elements, &many_elements[1..], &many_elements);
    let message = patch.warnings()[0].message();
    assert!(message.contains("... and 2 more; "), "{message}");
    assert!(message.chars().count() < 1_000, "{message}");
}

#[test]
fn nested_lists_may_have_shared_keys() {
    let document_with_ports = |ports: Value| {
        json!({"spec": {"union": {"retained": [
            {"port": 1, "ports": ports, "name": "x"}, {"port": 2, "ports": [tcp()]},
        ]}}})
    };
    let [original, modified] = [json!([udp(), tcp()]), json!([udp()])].map(document_with_ports);
    let patch = service().diff(&original, &modified).expect("a patch");
    assert_eq!(
        patch,
        json!({"spec": {"union": {
            "$retainKeys": ["retained"],
            "$setElementOrder/retained": [{"port": 1}, {"port": 2}],
            "retained": [{
                "$retainKeys": ["name", "port", "ports"],
                "port": 1,
                "ports": [{"$patch": "replace"}, udp()],
            }],
        }}})
    );
    assert_eq!(patch.warnings()[0].path(), "spec.union.retained[1].ports");
    assert_eq!(
        service().apply(original.clone(), &patch),
        Ok(modified.clone())
    );
    let mut current = original.clone();
    current["spec"]["union"]["retained"][0]["ports"][0]["nodePort"] = json!(7);
    let patch = service().three_way(&original, &modified, &current, OnConflict::Fail);
    let result = service().apply(current, &patch.expect("no conflict"));
    let mut wanted = modified;
    wanted["spec"]["union"]["retained"][0]["ports"][0]["nodePort"] = json!(7);
    assert_eq!(result, Ok(wanted));
}

#[test]
fn elements_with_shared_keys_may_contain_such_elements() {
    let tcp_with_ports = |ports: &[Value]| with_field(tcp(), "ports", ports);
    let before = [
        with_field(udp(), "retained", [1].map(|_| udp())),
        tcp_with_ports(&[udp(), tcp()]),
    ];
    let after = [
        before[0].clone(),
        tcp_with_ports(&[udp(), with_field(tcp(), "targetPort", "x")]),
    ];
    let (patch, result) = patch_and_result(&before, &after, &before);
    assert_eq!(result, json!(after), "{patch}");
    let paths: Vec<&str> = patch
        .warnings()
        .iter()
        .map(|warning| warning.path().as_str())
        .collect();
    assert_eq!(paths, ["spec.ports[53].ports", "spec.ports"]);
}

#[test]
fn conflicts_compare_the_paired_elements() {
    let list = |ports: &[Value]| json!({"spec": {"ports": ports}});
    let with_target_port = |port, value: &str| with_field(port, "targetPort", value);
    let conflict_paths = |original: &[Value], modified: &[Value], current: &[Value]| {
        let patch = service().three_way(
            &list(original),
            &list(modified),
            &list(current),
            OnConflict::Fail,
        );
        match patch {
            Ok(_) => Vec::new(),
            Err(DiffError::Conflict(conflicts)) => {
                let paths = conflicts.iter().map(|conflict| conflict.path().to_string());
                paths.collect()
            }
            Err(error) => panic!("{error}"),
        }
    };
    let udp_and_tcp = [udp(), tcp()];
    // Each side changes another element.
    let paths_found = conflict_paths(
        &udp_and_tcp,
        &[with_target_port(udp(), "a"), tcp()],
        &[udp(), with_target_port(tcp(), "b")],
    );
    assert_eq!(paths_found, [""; 0]);
    let paths_found = conflict_paths(
        &udp_and_tcp,
        &[udp(), with_target_port(tcp(), "a")],
        &[udp(), with_target_port(tcp(), "b")],
    );
    assert_eq!(paths_found, ["spec.ports[53].targetPort"]);
    // One side removes an element that the other changes.
    let paths_found = conflict_paths(
        &udp_and_tcp,
        &[udp()],
        &[udp(), with_target_port(tcp(), "b")],
    );
    assert_eq!(paths_found, ["spec.ports[53]"]);
    assert_eq!(
        conflict_paths(&udp_and_tcp, &[udp()], &udp_and_tcp),
        [""; 0]
    );
}

#[test]
fn documents_may_look_like_patches_or_be_invalid() {
    let marked = with_field(udp(), "$patch", "delete");
    let list = |ports: &[Value]| json!({"ports": ports, "$setElementOrder/ports": 1});
    let found = service().diff(&list(&[marked, tcp()]), &list(&[tcp()]));
    drop(found);
    let bad =
        |ports: Value| service().diff(&json!({"ports": [udp(), tcp()]}), &json!({"ports": ports}));
    for ports in [
        json!([udp(), udp(), 1]),
        json!([udp(), udp(), {}]),
        json!([{"port": []}]),
    ] {
        assert!(bad(ports.clone()).is_err(), "{ports}");
    }
}

/// A comparison of each element with each other would take minutes.
#[test]
fn many_elements_may_share_one_key() {
    let many_elements: Vec<Value> = (0..5_000)
        .map(|i| json!({"port": 53, "name": i.to_string()}))
        .collect();
    let mut fewer_elements = many_elements.clone();
    fewer_elements.remove(7);
    let (patch, result) = patch_and_result(&many_elements, &fewer_elements, &many_elements);
    assert!(!patch.warnings().is_empty());
    assert_eq!(result.as_array().map(Vec::len), Some(fewer_elements.len()));
    let pairs: Vec<Value> = (0..10_000)
        .map(|i| json!({"port": i / 2, "name": (i % 2).to_string()}))
        .collect();
    let mut changed_pairs = pairs.clone();
    changed_pairs[1]["x"] = json!(1);
    let (_, result) = patch_and_result(&pairs, &changed_pairs, &pairs);
    assert_eq!(result, json!(changed_pairs));
}

/// Returns all lists of at most `limit` of these elements.
pub(crate) fn lists(elements: &[Value], limit: usize) -> Vec<Vec<Value>> {
    let mut lists = vec![Vec::new()];
    let mut longest = vec![Vec::new()];
    for _ in 0..limit {
        let longer = longest.iter().flat_map(|list: &Vec<Value>| {
            elements.iter().map(move |element| {
                let mut list = list.clone();
                list.push(element.clone());
                list
            })
        });
        longest = longer.collect();
        lists.extend(longest.iter().cloned());
    }
    lists
}

fn elements() -> Vec<Value> {
    vec![
        json!({"port": 53, "protocol": "UDP"}),
        json!({"port": 53, "protocol": "TCP"}),
        json!({"port": 53, "protocol": "UDP", "targetPort": 1}),
        json!({"port": 54, "protocol": "UDP"}),
    ]
}

/// Returns the elements as JSON, in an order that depends neither on the order of the list nor on
/// the order of keys.
pub(crate) fn sorted(list: &[Value]) -> Vec<String> {
    let print = |element: &Value| {
        let mut element = element.clone();
        element.sort_all_objects();
        element.to_string()
    };
    let mut elements: Vec<String> = list.iter().map(print).collect();
    elements.sort_unstable();
    elements
}

/// Returns true if the patch may change other elements than the author wants.
fn is_uncertain(patch: &Patch) -> bool {
    let mut warnings = patch.warnings().iter();
    warnings.any(|warning| !matches!(warning.kind(), ListReplaced | OrderNotChanged))
}

pub(crate) fn apply(schema: &PatchSchema, current: &Value, patch: &Patch) -> Vec<Value> {
    let result = schema
        .apply(current.clone(), patch)
        .expect("the patch is good");
    assert!(!result.to_string().contains('$'), "{result}");
    result["ports"].as_array().expect("a list").clone()
}

#[test]
fn differences_of_small_lists_result_in_the_modified_list() {
    let schema = service();
    let lists = lists(&elements(), 3);
    let documents: Vec<Value> = lists.iter().map(|ports| json!({"ports": ports})).collect();
    for (old, before) in documents.iter().zip(&lists) {
        for (new, after) in documents.iter().zip(&lists) {
            let patch = schema.diff(old, new).expect("a patch");
            let result = apply(&schema, old, &patch);
            assert_eq!(sorted(&result), sorted(after), "{old} {new} {patch}");
            assert!(before != after || patch == json!({}), "{old} {patch}");
            // The live object did not change since it was applied.
            let three_way = schema.three_way(old, new, old, OnConflict::Fail);
            let three_way = three_way.expect("no conflict");
            let result = apply(&schema, old, &three_way);
            assert_eq!(sorted(&result), sorted(after), "{old} {new} {three_way}");
        }
    }
}

/// Returns the elements of a list by port and protocol; `None` if two elements share both.
fn by_port_and_protocol(list: &[Value]) -> Option<Map<String, Value>> {
    let mut elements_by_name = Map::new();
    for element in list {
        let name = format!("{}/{}", element["port"], element["protocol"]);
        if elements_by_name.insert(name, element.clone()).is_some() {
            return None;
        }
    }
    Some(elements_by_name)
}

/// Returns true if a result is correct. Port and protocol identify a port of a Service.
fn is_correct(original: &[Value], modified: &[Value], current: &[Value], result: &[Value]) -> bool {
    let has_shared_key = |list: &[Value]| {
        let ports: BTreeSet<String> = list.iter().map(|port| port["port"].to_string()).collect();
        ports.len() < list.len()
    };
    // Without shared keys, the key alone identifies an element.
    if ![original, modified, current]
        .into_iter()
        .any(has_shared_key)
    {
        return true;
    }
    let Some([original, modified, current, result]) = [original, modified, current, result]
        .map(by_port_and_protocol)
        .into_iter()
        .collect::<Option<Vec<_>>>()
        .and_then(|maps| <[_; 4]>::try_from(maps).ok())
    else {
        return true;
    };
    let has_all = |wanted: &Value, found: &Value| {
        let mut fields = wanted.as_object().expect("an object").iter();
        fields.all(|(name, value)| found.get(name) == Some(value))
    };
    let has_changes = modified
        .iter()
        .all(|(name, wanted)| result.get(name).is_some_and(|found| has_all(wanted, found)));
    let names_of_others = current
        .iter()
        .filter(|(name, _)| !original.contains_key(*name) && !modified.contains_key(*name));
    let names_of_others: Vec<&String> = names_of_others.map(|(name, _)| name).collect();
    let has_other_elements = names_of_others
        .iter()
        .all(|name| result.get(*name) == current.get(*name));
    // The list has no other elements.
    has_changes && has_other_elements && result.len() == modified.len() + names_of_others.len()
}

#[test]
fn three_way_patches_of_small_lists_are_correct_unless_uncertain() {
    let schema = service();
    let lists = lists(&elements(), 3);
    let documents: Vec<Value> = lists.iter().map(|ports| json!({"ports": ports})).collect();
    let count = lists.len();
    let (mut certain_count, mut uncertain_count) = (0, 0);
    // The step has no common factor with the number of lists, so that all pairs of lists are met.
    for case in (0..count.pow(3)).step_by(61) {
        let [o, m, c] = [case % count, case / count % count, case / count / count];
        let [original, modified, current] = [o, m, c].map(|i| &documents[i]);
        let patch = schema.three_way(original, modified, current, OnConflict::Overwrite);
        let patch = patch.expect("a patch");
        let result = apply(&schema, current, &patch);
        if is_uncertain(&patch) {
            uncertain_count += 1;
            continue;
        }
        certain_count += 1;
        assert!(
            is_correct(&lists[o], &lists[m], &lists[c], &result),
            "{original} {modified} {current}: {patch} gives {result:?}"
        );
        match schema.three_way(original, modified, current, OnConflict::Fail) {
            Ok(checked) => assert_eq!(checked, patch),
            Err(DiffError::Conflict(conflicts)) => assert_eq!(*conflicts.patch(), *patch),
            Err(error) => panic!("{error}"),
        }
    }
    assert!(
        certain_count > uncertain_count,
        "{certain_count} {uncertain_count}"
    );
}
