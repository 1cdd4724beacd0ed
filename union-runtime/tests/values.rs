//! Tests of the methods of values that users see: reports, violations, paths, lists of values,
//! comparisons, and unions in a box.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::comparator::{Comparison, RatchetedErrors};
use union_runtime::path::{FieldPath, Path};
use union_runtime::spec::{OwnedDiscriminator, OwnedUnionSpec, Selected, State, UnionType};
use union_runtime::{
    EnumType, ExtensionShape, Ratchet, RawUnion, Report, ReportParts, Settings, Union, UnionEnum,
    UnionModel, Violation, add_unions, is_union_message,
};

#[derive(Union, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Deduced {
    #[union(discriminator, deduce)]
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
    #[union(patch_strategy = "merge", patch_merge_key = "name")]
    volumes: Vec<Volume>,
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Volume {
    name: String,
}

#[derive(UnionEnum, Debug, PartialEq)]
#[union(discriminator = "type", schema = false)]
enum Target {
    Disk(String),
    #[union(other)]
    Other(RawUnion),
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[enum_type(schema = false)]
enum Level {
    Low,
    High,
    #[enum_type(other)]
    #[serde(untagged)]
    Other(String),
}

/// An element of a list, with a value of an enum type outside of its union.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = add_unions::<Element>)]
struct Element {
    #[union(key)]
    name: String,
    level: Level,
    #[union(member, group = choice, alone)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[union(schema = false)]
struct Parent {
    #[union(
        nested,
        list_map_keys("name"),
        patch_strategy = "merge",
        patch_merge_key = "name"
    )]
    keyed: Vec<Element>,
    #[union(patch_strategy = "merge")]
    set: Vec<String>,
}

fn invalid(field: &str) -> Violation {
    Violation::invalid([field], 1, "too small")
}

#[test]
fn a_report_has_the_parts_that_it_was_made_of() {
    let mut parts = ReportParts::default();
    parts.warnings = vec!["old".to_owned()];
    assert_eq!(Report::from(parts).warnings(), ["old"]);
    assert!(Report::default().warnings().is_empty());
    assert_eq!(Report::default(), Report::from(ReportParts::default()));

    let split = RatchetedErrors {
        new: vec![invalid("a")],
        tolerated: vec![invalid("b")],
    };
    let report = Report::from(split);
    assert_eq!(report.errors(), [invalid("a")]);
    assert_eq!(report.tolerated(), [invalid("b")]);
    assert!(!report.is_accepted());
}

#[test]
fn a_violation_has_its_rule() {
    assert_eq!(invalid("a").rule(), "too small");
    let detail = "status.a in body is too small";
    let violation = Violation::invalid(["a"], 1, detail).with_rule("is too small");
    assert_eq!(
        (violation.rule(), violation.detail()),
        ("is too small", detail)
    );
}

#[test]
fn a_rule_may_be_the_beginning_of_a_detail() {
    let violation = Violation::invalid(["a"], 1, "too small: a").with_rule("too small");
    assert_eq!(violation.rule(), "too small");
    assert_ne!(violation, invalid("a"));
}

#[test]
fn messages_of_unions_are_recognized() {
    for (message, is_of_union) in [
        ("may only be specified when `kind` is `A`", true),
        ("must specify at most one of: `a`, `b`", true),
        ("must specify exactly one of: `a`, `b`", true),
        ("must specify one of: `a`, `b`", false),
        ("", false),
    ] {
        assert_eq!(is_union_message(message), is_of_union, "{message}");
    }
}

#[test]
fn values_of_a_discriminator_are_compared_in_order() {
    let union = |values: &[&'static str]| {
        let discriminator = OwnedDiscriminator::from_values("kind", values.iter().copied(), true);
        let (model, shape) = (UnionModel::Discriminated, ExtensionShape::V2022);
        OwnedUnionSpec::new(Some(discriminator), Vec::new(), model, shape)
    };
    let union_of_two = union(&["A", "B"]);
    let spec = union_of_two.spec();
    let values = spec.discriminator().expect("a discriminator").values();
    for (others, is_equal) in [(["A", "B"], true), (["B", "A"], false), (["A", "C"], false)] {
        let union_of_others = union(&others);
        let spec = union_of_others.spec();
        let other_values = spec.discriminator().expect("a discriminator").values();
        assert_eq!(values == other_values, is_equal, "{others:?}");
        assert_eq!(values == others, is_equal, "{others:?}");
    }
    assert!(values != ["A"]);
}

#[test]
fn a_deduced_union_is_settled_if_the_discriminator_names_the_only_set_member() {
    let spec = Deduced::unions()[0];
    let state =
        |selected: usize, members: [bool; 2]| State::new(&spec, Selected::Known(selected), members);
    assert!(spec.is_settled(state(0, [true, false])));
    assert!(spec.is_settled(state(1, [false, true])));
    for (selected, members) in [(0, [false, true]), (1, [true, false]), (1, [true, true])] {
        assert!(!spec.is_settled(state(selected, members)));
    }
}

#[test]
fn raw_unions_are_equal_if_their_objects_are() {
    let read = |object: Value| -> Target { serde_json::from_value(object).expect("an object") };
    let tape = |drive: u8| read(json!({"type": "Tape", "tape": {"drive": drive}}));
    assert!(matches!(tape(1), Target::Other(_)));
    assert_eq!(tape(1), tape(1));
    assert_ne!(tape(1), tape(2));
}

#[test]
fn a_boxed_struct_has_the_unions_of_the_struct() {
    let new = Deduced {
        kind: None,
        alpha: Some(1),
        beta: None,
        volumes: Vec::new(),
    };
    let mut boxed = Box::new(new);
    let changes = boxed.normalize_unions(None, &Settings::default());
    assert_eq!(changes.to_string(), "kind: set");
    assert_eq!(boxed.kind.as_deref(), Some("Alpha"));
    assert_eq!(Deduced::patch_fields(), [("volumes", "merge", "name")]);
    assert_eq!(Box::<Deduced>::patch_fields(), Deduced::patch_fields());
    assert!(Target::patch_fields().is_empty());
}

#[test]
fn a_boxed_struct_validates_values_outside_of_unions() {
    let element = |level: &str| Element {
        name: "a".to_owned(),
        level: Level::Other(level.to_owned()),
        alpha: Some(1),
    };
    let boxed = Box::new(element("Mid"));
    let report = boxed.validate_unions();
    let [error] = report.errors() else {
        panic!("{report}");
    };
    assert!(
        error
            .to_string()
            .starts_with("level: Unsupported value: \"Mid\""),
        "{error}"
    );
    let report = boxed.validate_unions_update(&Box::new(element("Mid")), &Settings::default());
    assert!(
        report.is_accepted() && report.tolerated().len() == 1,
        "{report}"
    );
}

/// The schema of a boxed struct has the same keywords.
#[test]
fn the_schema_of_lists_has_their_keys_and_patch_keywords() {
    for add_unions in [add_unions::<Parent>, add_unions::<Box<Parent>>] {
        let mut schema = schemars::schema_for!(Parent);
        add_unions(&mut schema);
        let properties = &schema.as_value()["properties"];
        let keywords = |field: &str| {
            let property = properties[field].as_object().expect("a schema");
            let keywords = property.iter().filter(|(name, _)| name.starts_with("x-"));
            keywords
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect::<Value>()
        };
        assert_eq!(
            keywords("keyed"),
            json!({
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["name"],
                "x-kubernetes-patch-strategy": "merge",
                "x-kubernetes-patch-merge-key": "name",
            })
        );
        assert_eq!(
            keywords("set"),
            json!({"x-kubernetes-patch-strategy": "merge"})
        );
    }
}

#[test]
fn paths_are_printed_and_resolved() {
    let spec = Path::ROOT.field("spec");
    assert_eq!(spec.field("size").to_string(), "spec.size");
    let path = FieldPath::from(["spec", "size"]);
    assert_eq!(FieldPath::from(&path), path);
    assert!(path == "spec.size" && path != "spec" && path != *"spec");
    let object = json!({"spec": {"size": 1}});
    assert_eq!(path.find(&object), Some(&json!(1)));
    assert_eq!(path.find(&json!({"spec": {}})), None);
    // A missing field needs one possible parent: with two, there is no path.
    let object = json!({"a": {"b": {}}, "a.b": {}});
    assert_eq!(FieldPath::resolve_or_absent("a.b.c", &object), None);
    let object = json!({"a": {"b": {}}});
    let resolved = FieldPath::resolve_or_absent("a.b.c", &object).expect("a path");
    assert_eq!(resolved, FieldPath::from(["a", "b", "c"]));
}

/// Two elements share a key, so the second is compared with the first. With deep equality, the
/// error of an element is tolerated if the whole list is unchanged.
#[test]
fn errors_are_split_by_ratcheting_and_equality() {
    let item = json!({"type": "object", "properties": {"v": {"type": "integer"}}});
    let schema = json!({"properties": {
        "size": {"type": "integer"},
        "list": {
            "type": "array",
            "items": item,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["k"],
        },
    }});
    let list = |last: u8| json!([{"k": "a", "v": 1}, {"k": "a", "v": last}]);
    let old = json!({"size": 1, "list": list(2), "note": 1});
    let new = json!({"size": 1, "list": list(2), "note": 2});
    let changed = json!({"size": 1, "list": list(3)});
    let element = FieldPath::from(["list"]).index(1).field("v");
    let errors = [FieldPath::from(["size"]), element];
    let tolerated = |ratchet: Ratchet, is_deep: bool, new: &Value| {
        let mut comparison = Comparison::new(&schema, new, &old);
        if is_deep {
            comparison = comparison.with_deep_equality();
        }
        let locate = |path: &FieldPath| (path.clone(), ());
        let split = comparison.split(errors.clone(), &errors, ratchet, locate);
        let tolerated = split.tolerated.iter().map(ToString::to_string);
        tolerated.collect::<Vec<_>>()
    };
    for is_deep in [false, true] {
        assert!(tolerated(Ratchet::Off, is_deep, &new).is_empty());
    }
    assert_eq!(tolerated(Ratchet::Unchanged, false, &new), ["size"]);
    assert_eq!(
        tolerated(Ratchet::Unchanged, true, &new),
        ["size", "list[1].v"]
    );
    assert_eq!(tolerated(Ratchet::Unchanged, true, &changed), ["size"]);
    let comparison = Comparison::new(&schema, &changed, &old);
    let is_unchanged = |field: &str| {
        let value = comparison.find(&FieldPath::from([field])).expect("a value");
        value.is_unchanged()
    };
    assert!(is_unchanged("size") && !is_unchanged("list"));
}
