//! Tests of switching a union of a JSON object.

use core::error::Error as _;

use k8s_strategic_merge_patch::{
    FieldOwner, MemberChoice, MemberSwitchError, PatchSchema, PatchWarning, PatchWarningKind,
    Switch, SwitchError,
};
use serde_json::{Value, json};
use union_json::{DeclaredUnion, SchemaSource, Unions};
use union_runtime::path::FieldPath;
use union_runtime::{Report, Violation};

/// A schema with one union, in fields with several strategies.
fn schema() -> Value {
    let target = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "type": {"type": "string", "enum": ["Off", "Git", "Bucket"]},
            "git": {"type": "object"},
            "bucket": {"type": "object"},
        },
    });
    let list = |strategy: &str| {
        json!({
            "type": "array",
            "items": {"$ref": "#/definitions/Target"},
            "x-kubernetes-patch-strategy": strategy,
            "x-kubernetes-patch-merge-key": "name",
        })
    };
    let mut keyed = list("merge,retainKeys");
    keyed["x-kubernetes-list-type"] = json!("map");
    keyed["x-kubernetes-list-map-keys"] = json!(["name"]);
    let field = json!({"$ref": "#/definitions/Target"});
    let retained =
        json!({"$ref": "#/definitions/Target", "x-kubernetes-patch-strategy": "retainKeys"});
    json!({
        "definitions": {"Target": target},
        "properties": {
            "plain": field,
            "retained": retained,
            "map": {"type": "object", "additionalProperties": field},
            "mixed": {
                "type": "object",
                "properties": {"note": {"type": "object"}},
                "additionalProperties": field,
            },
            "merged": list("merge"),
            "keyed": keyed,
            "atomic": list("atomic"),
        },
    })
}

fn switch(live: &Value, path: &str, member: &str, value: Option<Value>) -> Result<Switch, String> {
    let schema = schema();
    let target = DeclaredUnion::discriminated("type")
        .empty_member("Off")
        .optional_member("Git", "git")
        .member("Bucket", "bucket");
    let unions = Unions::compiler()
        .declared_union_at("#/definitions/Target", &target)
        .compile(SchemaSource::Schema(&schema))
        .expect("valid unions");
    let path = FieldPath::resolve_or_absent(path, live).expect("a path");
    let mut choice = MemberChoice::new(path, member);
    if let Some(value) = value {
        choice = choice.with_value(value);
    }
    let schema = PatchSchema::compile(&schema).expect("a valid schema");
    let validate = |object: &Value| unions.validate(object);
    let switch = schema.switch_member(std::slice::from_ref(&unions), live, &choice, validate);
    switch.map_err(|error: MemberSwitchError| error.to_string())
}

/// A live object, the path of the union, the member, its value, and the expected patch.
type Case = (Value, &'static str, &'static str, Option<Value>, Value);

/// Returns a value of the member `bucket`.
fn bucket() -> Value {
    json!({"id": "y"})
}

fn assert_strategic_patches(cases: impl IntoIterator<Item = Case>) {
    for (live, path, member, value, expected) in cases {
        let switch = switch(&live, path, member, value).expect("a switch");
        assert_eq!(switch.strategic_patch(), &expected, "{live}");
    }
}

#[test]
fn the_discriminator_and_the_member_are_set_and_others_are_cleared() {
    let git = json!({"name": "a", "type": "Git", "git": {"url": "x"}});
    let cleared = json!({"type": "Bucket", "git": null, "bucket": {"id": "y"}});
    assert_strategic_patches([
        (
            json!({"plain": git}),
            "plain",
            "bucket",
            Some(bucket()),
            json!({"plain": cleared}),
        ),
        (
            json!({"plain": git}),
            "plain",
            "Bucket",
            Some(bucket()),
            json!({"plain": cleared}),
        ),
        (
            json!({"plain": git}),
            "plain",
            "Off",
            None,
            json!({"plain": {"type": "Off", "bucket": null, "git": null}}),
        ),
        (
            json!({"retained": git}),
            "retained",
            "Off",
            None,
            json!({"retained": {"$retainKeys": ["name", "type"], "type": "Off"}}),
        ),
        // The union is missing, or is null.
        (
            json!({}),
            "plain",
            "bucket",
            Some(bucket()),
            json!({"plain": cleared}),
        ),
        (
            json!({"plain": null}),
            "plain",
            "bucket",
            Some(bucket()),
            json!({"plain": cleared}),
        ),
        // An optional member needs no value, and a member may keep its value.
        (
            json!({}),
            "plain",
            "git",
            None,
            json!({"plain": {"type": "Git", "bucket": null}}),
        ),
        (
            json!({"plain": {"type": "Git", "git": {}, "bucket": {"id": "y"}}}),
            "plain",
            "bucket",
            None,
            json!({"plain": {"type": "Bucket", "git": null}}),
        ),
    ]);
}

#[test]
fn an_element_with_a_merge_key_is_patched_alone() {
    let git = json!({"name": "a", "type": "Git", "git": {"url": "x"}});
    assert_strategic_patches([
        (
            json!({"keyed": [{"name": "b"}, git]}),
            "keyed[1]",
            "bucket",
            Some(bucket()),
            json!({"keyed": [
                {"name": "a", "$retainKeys": ["bucket", "name", "type"], "type": "Bucket", "bucket": {"id": "y"}},
            ]}),
        ),
        (
            json!({"merged": [git, {"name": "b"}]}),
            "merged[0]",
            "Off",
            None,
            json!({"merged": [{"name": "a", "type": "Off", "bucket": null, "git": null}]}),
        ),
        // An element without the merge key cannot be patched alone.
        (
            json!({"atomic": [{"name": "b"}, git]}),
            "atomic[1]",
            "Off",
            None,
            json!({"atomic": [{"name": "b"}, {"name": "a", "type": "Off"}]}),
        ),
    ]);
}

#[test]
fn a_set_member_is_replaced() {
    let live = json!({"plain": {"type": "Git", "git": {"url": "x", "ref": "main"}}});
    let switch = switch(&live, "plain", "git", Some(json!({"url": "y"}))).expect("a switch");
    assert_eq!(
        switch.strategic_patch(),
        &json!({"plain": {"bucket": null, "git": {"$patch": "replace", "url": "y"}}}),
    );
    assert_eq!(
        switch.merge_patch(),
        &json!({"plain": {"bucket": null, "git": {"url": "y", "ref": null}}}),
    );
}

/// A list that is a member is replaced, too. Only a merged list needs a directive.
#[test]
fn a_set_list_is_replaced() {
    let element = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    let schema = json!({
        "definitions": {"Target": {"type": "object", "properties": {
            "type": {"type": "string", "enum": ["Merged", "Atomic"]},
            "merged": {
                "type": "array",
                "items": element,
                "x-kubernetes-patch-strategy": "merge",
                "x-kubernetes-patch-merge-key": "name",
            },
            "atomic": {"type": "array", "items": element},
        }}},
        "properties": {"target": {"$ref": "#/definitions/Target"}},
    });
    let target = DeclaredUnion::discriminated("type")
        .member("Merged", "merged")
        .member("Atomic", "atomic");
    let unions = Unions::compiler()
        .declared_union_at("#/definitions/Target", &target)
        .compile(SchemaSource::Schema(&schema))
        .expect("valid unions");
    let schema = PatchSchema::compile(&schema).expect("a valid schema");
    let [old, new] = ["a", "b"].map(|name| json!({ "name": name }));
    for (member, replacement) in [
        ("merged", json!([{"$patch": "replace"}, new])),
        ("atomic", json!([new])),
    ] {
        let live = json!({"target": {"type": "Merged", member: [old]}});
        let path = FieldPath::from(["target"]);
        let target = MemberChoice::new(path, member).with_value(json!([new]));
        let unions = std::slice::from_ref(&unions);
        let switch = schema.switch_member(unions, &live, &target, |_| Report::default());
        let switch = switch.expect("a switch");
        let result = &switch.strategic_patch()["target"][member];
        assert_eq!(result, &replacement, "{member}");
    }
}

/// An apply body has only the changed element of a list of type map, and all elements of another
/// list.
#[test]
fn apply_sends_the_element_of_a_list_of_type_map() {
    let git = json!({"name": "a", "type": "Git", "git": {}});
    for (list, body) in [
        ("keyed", json!([{"name": "a", "type": "Off"}])),
        (
            "merged",
            json!([{"name": "b"}, {"name": "a", "type": "Off"}]),
        ),
    ] {
        let live = json!({list: [{"name": "b"}, git]});
        let switch = switch(&live, &format!("{list}[1]"), "Off", None).expect("a switch");
        assert_eq!(switch.apply_body(&live)[list], body);
    }
}

#[test]
fn replaced_lists_are_named() {
    let element = |name: &str| json!({"name": name, "type": "Off"});
    let live = json!({
        "atomic": [element("a"), element("b")],
        "merged": [element("a"), element("b"), element("b")],
        "plain": element("a"),
    });
    let atomic = FieldPath::from(["atomic"]);
    let merged = FieldPath::from(["merged"]);
    for (path, in_merge_patch, in_strategic_patch, warning) in [
        ("plain", None, None, None),
        ("atomic[1]", Some(&atomic), Some(&atomic), None),
        ("merged[0]", Some(&merged), None, None),
        ("merged[1]", Some(&merged), None, None),
        (
            "merged[2]",
            Some(&merged),
            Some(&merged),
            Some(PatchWarningKind::ListReplaced),
        ),
    ] {
        let switch = switch(&live, path, "git", Some(json!({"url": "x"}))).expect("a switch");
        assert_eq!(
            switch.list_in_merge_patch().as_ref(),
            in_merge_patch,
            "{path}"
        );
        assert_eq!(
            switch.list_in_strategic_patch().as_ref(),
            in_strategic_patch,
            "{path}"
        );
        let kinds = switch.warnings().iter().map(PatchWarning::kind);
        assert_eq!(kinds.collect::<Vec<_>>(), Vec::from_iter(warning), "{path}");
    }
}

#[test]
fn the_owner_of_a_list_without_keys_owns_its_elements() {
    let entry = |fields: Value| json!({"manager": "m", "operation": "Update", "fieldsV1": fields});
    let live = json!({
        "metadata": {"managedFields": [entry(json!({"f:atomic": {}}))]},
        "atomic": [{"type": "Git", "git": {"url": "x"}}],
    });
    let switch = switch(&live, "atomic[0]", "Off", None).expect("a switch");
    let owners = switch.field_owners(&live, "me");
    let owners = owners.iter().map(
        |FieldOwner {
             manager, fields, ..
         }| (manager.as_str(), fields.clone()),
    );
    assert_eq!(owners.collect::<Vec<_>>(), [("m", vec!["git".to_owned()])]);
}

#[test]
fn errors_name_the_path_and_the_remedy() {
    let live = json!({"plain": {"type": "Off"}, "map": {"k": {"type": "Off"}}, "atomic": ["x"]});
    for (path, member, value, expected) in [
        (
            "missing",
            "git",
            None,
            "missing: no union has this path; the unions of the object are at map.k, plain",
        ),
        (
            "atomic[0]",
            "git",
            None,
            "atomic[0]: no union has this path; the unions of the object are at map.k, plain",
        ),
        (
            "plain",
            "svn",
            None,
            "plain: unknown member \"svn\"; use one of: git, bucket, Off",
        ),
        (
            "plain",
            "bucket",
            None,
            "plain.bucket: the live object has no value; pass the value of the member",
        ),
        (
            "plain",
            "bucket",
            Some(Value::Null),
            "plain.bucket: the live object has no value; pass the value of the member",
        ),
        (
            "plain",
            "Off",
            Some(json!({})),
            "plain: \"Off\" has no member; remove the value",
        ),
        (
            "map.k",
            "Git",
            None,
            "map.k: unable to find api field \"k\"; correct the name, or add the field to the schema; objects and lists \
             without a schema cannot be merged",
        ),
    ] {
        assert_eq!(
            switch(&live, path, member, value).expect_err("an error"),
            expected
        );
    }
}

#[test]
fn the_error_of_a_path_without_a_union_names_the_paths_with_unions() {
    for (live, path, expected) in [
        (json!({"plain": {}}), "plain.x", "plain"),
        // The values of an enum are not a union.
        (json!({"plain": {}}), "plain.type", "plain"),
        // A property does not have the schema of the other keys.
        (
            json!({"mixed": {"note": {}, "k": {}}}),
            "mixed.note",
            "mixed.k",
        ),
        // The unions of elements are listed, too.
        (
            json!({"merged": [{"name": "a"}, {"name": "b"}]}),
            "merged[0].x",
            "merged[0], merged[1]",
        ),
    ] {
        let error = switch(&live, path, "git", None).expect_err("an error");
        let expected =
            format!("{path}: no union has this path; the unions of the object are at {expected}");
        assert_eq!(error, expected);
    }
}

/// Switches to the member `git` with the given validation, and returns the result.
fn switch_with(
    live: &Value,
    path: FieldPath,
    validate: impl Fn(&Value) -> Report,
) -> Result<Switch, MemberSwitchError> {
    let schema = schema();
    let target = DeclaredUnion::discriminated("type").member("Git", "git");
    let unions = Unions::compiler()
        .declared_union_at("#/definitions/Target", &target)
        .compile(SchemaSource::Schema(&schema))
        .expect("valid unions");
    let schema = PatchSchema::compile(&schema).expect("a valid schema");
    let choice = MemberChoice::new(path, "git").with_value(json!({}));
    schema.switch_member(&[unions], live, &choice, validate)
}

/// The parent of a missing field must exist, and an index needs a list.
#[test]
fn a_path_without_its_parent_is_an_error() {
    let missing_parent = FieldPath::from(["map"]).key("k");
    let index_of_object = FieldPath::from(["plain"]).index(0);
    for path in [missing_parent, index_of_object] {
        let result = switch_with(&json!({"plain": {}}), path.clone(), |_| Report::default());
        let error = result.expect_err("an error");
        assert!(
            matches!(error, MemberSwitchError::NoUnion { .. }),
            "{path}: {error}"
        );
    }
}

#[test]
fn an_invalid_result_has_all_errors_of_the_union() {
    let validate = |_: &Value| {
        let invalid = |field: &str| Violation::invalid([field], 1, "too small");
        Report::from_iter(["plain", "other", "plain"].map(invalid))
    };
    let result = switch_with(&json!({"plain": {}}), FieldPath::from(["plain"]), validate);
    assert_eq!(
        result.expect_err("an error").to_string(),
        "the union is invalid after the switch: plain: Invalid value: 1: too small; \
         plain: Invalid value: 1: too small",
    );
}

#[test]
fn an_error_of_a_patch_is_the_source_of_the_error_of_a_switch() {
    let schema = PatchSchema::compile(&json!({})).expect("a valid schema");
    let error = schema.apply(json!(1), &json!({})).expect_err("an error");
    let sources = [
        MemberSwitchError::Patch(error.clone())
            .source()
            .map(ToString::to_string),
        SwitchError::Patch(error.clone())
            .source()
            .map(ToString::to_string),
    ];
    assert_eq!(sources, [(); 2].map(|()| Some(error.to_string())));
    assert!(SwitchError::SerializesAsNull.source().is_none());
    assert_eq!(
        SwitchError::SerializesAsNull.to_string(),
        "the union does not serialize as a JSON object: it serializes as null; use a struct that does",
    );
}

#[test]
fn deep_values_are_rejected_without_recursion() {
    let deep = |depth: usize| (0..depth).fold(json!(1), |inner, _| json!({ "a": inner }));
    let live = json!({"plain": {"type": "Off"}});
    let error = switch(&live, "plain", "git", Some(deep(200))).expect_err("an error");
    assert!(error.contains("exceeded max depth"), "{error}");
}
