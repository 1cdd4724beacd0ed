//! A table of patches of lists in which elements share their merge key: the pairs of elements that
//! a patch assumes, and the warnings about other possible pairs.

use k8s_strategic_merge_patch::{DiffError, OnConflict, PatchWarningKind};
use serde_json::{Value, json};

use crate::shared_keys::service;
use PatchWarningKind::{AmbiguousElements, ListReplaced};

/// Versions of the field `ports` of a Service, with the expected patch and its warnings.
struct Row {
    name: &'static str,
    original: Value,
    modified: Value,
    /// The live list; `None` for the difference of the original and the modified list.
    live: Option<Value>,
    patch: Value,
    /// The kinds of the warnings, and the elements that they name.
    warnings: Vec<(PatchWarningKind, Value)>,
    /// True if the elements are too many to be compared, and are paired in their order.
    is_paired_in_order: bool,
}

/// A row without warnings.
impl Default for Row {
    fn default() -> Self {
        Self {
            name: "",
            original: json!([]),
            modified: json!([]),
            live: Some(json!([])),
            patch: json!({}),
            warnings: Vec::new(),
            is_paired_in_order: false,
        }
    }
}

/// Returns ports with the same number and without other fields.
fn ports(number: u16, count: usize) -> Value {
    vec![json!({"port": number}); count].into()
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn rows() -> Vec<Row> {
    let order = json!([{"port": 53}]);
    vec![
        Row {
            name: "a new element precedes an old one",
            original: ports(53, 1),
            modified: json!([{"port": 53, "b": 1}, {"port": 53}]),
            live: None,
            patch: json!({"ports": [{"$patch": "replace"}, {"port": 53, "b": 1}, {"port": 53}]}),
            warnings: vec![(ListReplaced, json!([{"port": 53, "b": 1}, {"port": 53}]))],
            ..Row::default()
        },
        Row {
            name: "the changed element is the one with more equal fields",
            original: json!([{"port": 53, "c": 2}, {"port": 53, "a": 0, "b": 1, "c": 2}]),
            modified: json!([{"port": 53, "a": 0, "b": 0, "c": 1}]),
            live: None,
            patch: json!({
                "$setElementOrder/ports": order,
                "ports": [{"port": 53, "a": 0, "b": 0, "c": 1}, {"port": 53, "$patch": "delete"}],
            }),
            ..Row::default()
        },
        Row {
            name: "an element that others added precedes the replaced elements, as in the live list",
            modified: ports(53, 2),
            live: Some(json!([{"port": 54}, {"port": 53}])),
            patch: json!({"ports": [{"$patch": "replace"}, {"port": 54}, {"port": 53}, {"port": 53}]}),
            warnings: vec![(ListReplaced, ports(53, 2))],
            ..Row::default()
        },
        Row {
            name: "either of two equal elements is the live one",
            modified: ports(53, 2),
            live: Some(ports(53, 1)),
            patch: json!({"ports": [{"$patch": "replace"}, {"port": 53}, {"port": 53}]}),
            warnings: vec![(ListReplaced, ports(53, 2))],
            ..Row::default()
        },
        Row {
            name: "many elements that others added need no pairs",
            live: Some(ports(53, 9)),
            ..Row::default()
        },
        Row {
            name: "one element and more live elements than are compared",
            modified: json!([{"port": 53, "c": 0}]),
            live: Some(ports(53, 9)),
            patch: json!({"$setElementOrder/ports": order, "ports": [{"port": 53, "c": 0}]}),
            warnings: vec![(
                AmbiguousElements,
                json!([{"port": 53}, {"port": 53, "c": 0}]),
            )],
            is_paired_in_order: true,
            ..Row::default()
        },
        Row {
            name: "one live element and more elements than are compared",
            modified: ports(53, 9),
            live: Some(json!([{"port": 53, "c": 2}])),
            patch: json!({"ports": [
                {"$patch": "replace"},
                {"port": 53, "c": 2}, {"port": 53}, {"port": 53}, {"port": 53}, {"port": 53},
                {"port": 53}, {"port": 53}, {"port": 53}, {"port": 53},
            ]}),
            warnings: vec![
                (
                    AmbiguousElements,
                    json!([{"port": 53, "c": 2}, {"port": 53}]),
                ),
                (ListReplaced, ports(53, 9)),
            ],
            is_paired_in_order: true,
            ..Row::default()
        },
        Row {
            name: "others added a copy of the element that changes",
            original: json!([{"port": 53, "c": 1}]),
            modified: json!([{"port": 53, "c": 2}]),
            live: Some(json!([{"port": 53, "c": 1}, {"port": 53, "c": 1}])),
            patch: json!({"$setElementOrder/ports": order, "ports": [{"port": 53, "c": 2}]}),
            warnings: vec![(
                AmbiguousElements,
                json!([{"port": 53, "c": 1}, {"port": 53, "c": 2}]),
            )],
            ..Row::default()
        },
        Row {
            name: "all elements are removed, so their pairs do not matter",
            original: json!([{"port": 53, "b": 1}, {"port": 53}]),
            live: Some(ports(53, 2)),
            patch: json!({"ports": [{"port": 53, "$patch": "delete"}]}),
            ..Row::default()
        },
        Row {
            name: "others already removed one of two equal elements",
            original: ports(53, 2),
            modified: ports(53, 1),
            live: Some(ports(53, 1)),
            ..Row::default()
        },
        Row {
            name: "others already removed one of two equal elements; another element is new",
            original: ports(54, 2),
            modified: json!([{"port": 53}, {"port": 54}]),
            live: Some(ports(54, 1)),
            patch: json!({
                "$setElementOrder/ports": [{"port": 53}, {"port": 54}],
                "ports": [{"port": 53}],
            }),
            ..Row::default()
        },
    ]
}

#[test]
fn patches_have_the_expected_pairs_and_warnings() {
    for row in rows() {
        let document = |list: &Value| json!({ "ports": list });
        let [original, modified] = [&row.original, &row.modified].map(document);
        let patch = match &row.live {
            Some(live) => service()
                .three_way(&original, &modified, &document(live), OnConflict::Overwrite)
                .expect(row.name),
            None => service().diff(&original, &modified).expect(row.name),
        };
        assert_eq!(patch, row.patch, "{}", row.name);
        let messages = patch.warnings().iter().map(ToString::to_string);
        let is_paired_in_order = messages
            .collect::<String>()
            .contains("so the patch pairs them in their order");
        assert_eq!(is_paired_in_order, row.is_paired_in_order, "{}", row.name);
        let warnings = patch.warnings().iter();
        let warnings: Vec<_> = warnings
            .map(|warning| (warning.kind(), json!(warning.elements())))
            .collect();
        assert_eq!(warnings, row.warnings, "{}", row.name);
    }
}

/// The comparison of the sets is an error, because a set has elements of two types. Others removed
/// the only port, which is a conflict.
#[test]
fn a_conflict_precedes_an_error_of_another_list() {
    let result = service().three_way(
        &json!({"ports": ports(53, 1)}),
        &json!({"ports": ports(53, 2), "set": ["", 2]}),
        &json!({"ports": [], "set": []}),
        OnConflict::Fail,
    );
    let Err(DiffError::Conflict(conflicts)) = result else {
        panic!("{result:?}");
    };
    let paths = conflicts.iter().map(|conflict| conflict.path().to_string());
    assert_eq!(paths.collect::<Vec<_>>(), ["ports[53]"]);
}
