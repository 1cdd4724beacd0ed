//! Tests of unknown fields: the paths that a server reports, and the treatment by the settings.

use k8s_crd_validation::{
    DuplicateKey, FieldValidation, Request, ServerSettings, StatusHandling, StructuralSchema,
    UnknownField, ViolationKind,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use union_runtime::path::FieldPath;

/// A CRD with a field of every kind.
fn crd() -> Value {
    let level = json!({"type": "object", "properties": {"level": {"type": "integer"}}});
    json!({"spec": {
        "group": "reading.example.com",
        "names": {"kind": "Library", "plural": "libraries"},
        "scope": "Namespaced",
        "versions": [{
            "name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                "spec": {"type": "object", "properties": {
                    "replicas": {"type": "integer", "minimum": 1},
                    "shelves": {"type": "array", "items": level},
                    "grid": {"type": "array", "items": {"type": "array", "items": level}},
                    "rooms": {"type": "object", "additionalProperties": level},
                    "": level,
                    "template": {"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"spec": level}},
                    "templates": {"type": "object", "additionalProperties": {
                        "type": "object", "x-kubernetes-embedded-resource": true, "properties": {"spec": level},
                    }},
                    "extra": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"known": level}},
                    "extras": {"type": "array", "x-kubernetes-preserve-unknown-fields": true, "items": level},
                    "free": {"type": "object", "additionalProperties": true},
                    "filled": {"type": "object", "default": {"level": 3}, "properties": {"level": {"type": "integer"}}},
                }},
                "status": level,
            }}},
        }],
    }})
}

fn compile_crd() -> StructuralSchema {
    StructuralSchema::compiler()
        .crd(&crd(), Some("v1"))
        .expect("a schema")
}

/// An object with a value for every field, and no unknown field.
fn object() -> Value {
    let resource = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}});
    let mut template = resource.clone();
    template["spec"] = json!({"level": 1});
    json!({
        "apiVersion": "reading.example.com/v1",
        "kind": "Library",
        "metadata": {
            "name": "one", "namespace": "default", "resourceVersion": "1",
            "labels": {"a": "b"},
            "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}],
            "managedFields": [{
                "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {}},
                "manager": "m", "operation": "Update",
            }],
        },
        "spec": {
            "replicas": 1, "shelves": [{"level": 1}, {}], "grid": [[], [{"level": 1}]],
            "rooms": {"north": {}, "a.b": {}, "x[0]": {}}, "": {},
            "template": template, "templates": {"t.u": resource},
            "extra": {"anything": {"deep": 1}, "known": {"level": 1}}, "extras": [{"any": 1}],
            "free": {"list": [[{}]], "object": {}}, "filled": {"level": 2},
        },
        "status": {"level": 1},
    })
}

/// The JSON pointers of objects, and the path of an unknown field `zzz` in each.
const POINTERS: &[(&str, &str)] = &[
    ("", "zzz"),
    ("/metadata", "metadata.zzz"),
    (
        "/metadata/ownerReferences/0",
        "metadata.ownerReferences[0].zzz",
    ),
    ("/metadata/managedFields/0", "metadata.managedFields[0].zzz"),
    ("/spec", "spec.zzz"),
    ("/spec/shelves/1", "spec.shelves[1].zzz"),
    ("/spec/grid/1/0", "spec.grid[1][0].zzz"),
    ("/spec/rooms/north", "spec.rooms.north.zzz"),
    ("/spec/rooms/a.b", "spec.rooms.a.b.zzz"),
    ("/spec/rooms/x[0]", "spec.rooms.x[0].zzz"),
    ("/spec/", "spec..zzz"),
    ("/spec/template", "spec.template.zzz"),
    ("/spec/template/metadata", "spec.template.metadata.zzz"),
    ("/spec/template/spec", "spec.template.spec.zzz"),
    // Paths of embedded metadata begin like the paths of other errors.
    (
        "/spec/templates/t.u/metadata",
        "spec.templates[t.u].metadata.zzz",
    ),
    ("/spec/templates/t.u", "spec.templates.t.u.zzz"),
    ("/spec/extra/known", "spec.extra.known.zzz"),
    ("/spec/free/object", "spec.free.object.zzz"),
    ("/spec/free/list/0/0", "spec.free.list[0][0].zzz"),
    ("/spec/filled", "spec.filled.zzz"),
    ("/status", "status.zzz"),
];

/// The JSON pointers of objects in which no field is unknown.
const OPEN_POINTERS: &[&str] = &[
    "/metadata/labels",
    "/metadata/managedFields/0/fieldsV1",
    "/spec/rooms",
    "/spec/extra",
    "/spec/extra/anything",
    "/spec/extras/0",
    "/spec/free",
];

fn settings(validation: FieldValidation) -> ServerSettings {
    ServerSettings::default().field_validation(validation)
}

/// Returns the paths of the unknown fields. Asserts that a create, an update and a status update
/// report the same paths.
#[track_caller]
fn unknown_field_paths(object: &Value) -> Vec<String> {
    let schema = compile_crd();
    let settings = settings(FieldValidation::Warn);
    let old = self::object();
    let mut request = Request::new(&schema, &settings);
    let mut paths = Vec::new();
    for request_kind in 0..3 {
        let mut new = object.clone();
        let report = match request_kind {
            0 => request.create(&mut new),
            1 => request.update(&mut new, &old),
            _ => request.update_status(&mut new, &old),
        };
        let fields = request.unknown_fields().iter();
        let actual_paths: Vec<String> = fields.map(|field| field.path().to_string()).collect();
        let texts = request.unknown_fields().iter().map(ToString::to_string);
        assert_eq!(report.warnings(), texts.collect::<Vec<_>>(), "{object}");
        assert!(
            request_kind == 0 || actual_paths == paths,
            "{actual_paths:?} {paths:?}"
        );
        paths = actual_paths;
        // The request has removed the unknown fields from `new`, so another request finds none.
        let _ = request.create(&mut new);
        assert_eq!(request.unknown_fields().len(), 0, "{new}");
    }
    paths
}

fn insert(object: &mut Value, pointer: &str, name: &str) {
    object.pointer_mut(pointer).expect("an object")[name] = json!("x");
}

#[test]
fn an_unknown_field_is_reported_unless_its_object_is_open() {
    assert_eq!(unknown_field_paths(&object()), [""; 0]);
    for (pointer, expected_path) in POINTERS {
        let mut object = object();
        insert(&mut object, pointer, "zzz");
        assert_eq!(unknown_field_paths(&object), [*expected_path], "{pointer}");
    }
    for pointer in OPEN_POINTERS {
        let mut object = object();
        insert(&mut object, pointer, "zzz");
        assert_eq!(unknown_field_paths(&object), [""; 0], "{pointer}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Names may contain the characters that separate names in paths.
    #[test]
    fn any_unknown_name_is_reported_once(
        name in "[A-Za-z.\\[\\]\"'\\\\ é-]{0,4}Z", pointer_index in 0..POINTERS.len(),
    ) {
        let (pointer, path) = POINTERS[pointer_index];
        let mut object = object();
        insert(&mut object, pointer, &name);
        let expected = format!("{}{name}", path.strip_suffix("zzz").unwrap());
        prop_assert_eq!(unknown_field_paths(&object), [expected]);
    }
}

#[test]
fn unknown_fields_are_reported_in_the_order_of_a_server() {
    let mut object = object();
    for (pointer, _) in POINTERS {
        insert(&mut object, pointer, "zzz");
    }
    // Fields of the metadata are first, and fields of embedded metadata last.
    let expected = [
        "metadata.managedFields[0].zzz",
        "metadata.ownerReferences[0].zzz",
        "metadata.zzz",
        "spec..zzz",
        "spec.extra.known.zzz",
        "spec.filled.zzz",
        "spec.free.list[0][0].zzz",
        "spec.free.object.zzz",
        "spec.grid[1][0].zzz",
        "spec.rooms.a.b.zzz",
        "spec.rooms.north.zzz",
        "spec.rooms.x[0].zzz",
        "spec.shelves[1].zzz",
        "spec.template.spec.zzz",
        "spec.template.zzz",
        "spec.templates.t.u.zzz",
        "spec.zzz",
        "status.zzz",
        "zzz",
        "spec.template.metadata.zzz",
        "spec.templates[t.u].metadata.zzz",
    ];
    assert_eq!(unknown_field_paths(&object), expected);
}

#[test]
fn metadata_has_at_most_a_hundred_unknown_fields() {
    let mut object = object();
    for number in 0..120 {
        insert(&mut object, "/metadata", &format!("z{number:03}"));
        insert(&mut object, "/spec", &format!("z{number:03}"));
    }
    let actual_paths = unknown_field_paths(&object);
    assert_eq!(actual_paths.len(), 220);
    assert_eq!(actual_paths[99], "metadata.z099");
    assert_eq!(actual_paths[219], "spec.z119");
}

#[test]
fn unknown_fields_beyond_4_mib_of_paths_are_only_counted() {
    // A key of 1 MiB is a part of the path of each field below.
    let key = "k".repeat(1 << 20);
    let fields: Value = (0..10).map(|i| (format!("z{i}"), json!(1))).collect();
    let mut object = object();
    object["spec"]["rooms"] = json!({key: fields});
    let schema = compile_crd();
    let settings = settings(FieldValidation::Warn);
    let report = schema.create(&mut object, &settings);
    assert_eq!(report.warnings().len(), 5);
    assert_eq!(report.warnings()[4], "6 more unknown fields");
}

#[test]
fn field_validation_selects_warnings_or_an_error() {
    let schema = compile_crd();
    let mut invalid_object = object();
    invalid_object["spec"]["replcas"] = json!(0);
    invalid_object["spec"]["replicas"] = json!(0);
    let invalid = "spec.replicas: Invalid value: 0: spec.replicas in body should be greater than or equal to 1";
    let unknown = r#"unknown field "spec.replcas""#;
    for (validation, error, warnings) in [
        (FieldValidation::Ignore, invalid, &[][..]),
        (FieldValidation::Warn, invalid, &[unknown][..]),
        (
            FieldValidation::Strict,
            "Library in version \"v1\" cannot be handled as a Library: strict decoding error: unknown field \"spec.replcas\"",
            &[][..],
        ),
    ] {
        let report = schema.create(&mut invalid_object.clone(), &settings(validation));
        let errors: Vec<String> = report.errors().iter().map(ToString::to_string).collect();
        assert_eq!(errors, [error]);
        assert_eq!(report.warnings(), warnings);
    }
}

#[test]
fn a_strict_error_has_code_400() {
    let schema = compile_crd();
    let mut invalid_object = object();
    invalid_object["spce"] = json!({});
    let report = schema.update(
        &mut invalid_object,
        &object(),
        &settings(FieldValidation::Strict),
    );
    assert_eq!(report.errors()[0].kind(), ViolationKind::BadRequest);
    let object_ref = k8s_crd_validation::ObjectRef {
        group: "reading.example.com",
        kind: "Library",
        name: "one",
    };
    let status = report.status(&object_ref).expect("a status");
    assert_eq!(status["code"], 400);
    assert_eq!(
        status["message"],
        "Library in version \"v1\" cannot be handled as a Library: strict decoding error: unknown field \"spce\""
    );
}

#[test]
fn only_the_sent_object_is_decoded_strictly() {
    let mut old = object();
    old["spec"]["stale"] = json!(1);
    let report = compile_crd().update(&mut object(), &old, &settings(FieldValidation::Strict));
    assert!(report.is_accepted(), "{report}");
}

#[test]
fn unknown_fields_are_not_reported_if_a_field_has_a_wrong_type() {
    let mut invalid_object = object();
    invalid_object["metadata"]["name"] = json!(5);
    invalid_object["metadata"]["lables"] = json!({});
    for validation in [FieldValidation::Warn, FieldValidation::Strict] {
        let report = compile_crd().create(&mut invalid_object.clone(), &settings(validation));
        assert_eq!(report.warnings(), [""; 0]);
        let [error] = report.errors() else {
            panic!("{report}");
        };
        assert_eq!(
            error.to_string(),
            "Library in version \"v1\" cannot be handled as a Library: json: cannot unmarshal number \
             into Go struct field ObjectMeta.name of type string"
        );
    }
}

#[test]
fn duplicate_keys_are_reported_before_unknown_fields() {
    let yaml = |line, key: &str| DuplicateKey::Yaml {
        line,
        key: key.to_owned(),
    };
    let json_key = || DuplicateKey::Json(FieldPath::from(["spec", "replicas"]));
    let yaml_keys = [yaml(7, "\"replicas\""), yaml(9, "1")];
    let json_keys = [json_key(), json_key()];
    for (keys, error, warnings) in [
        (
            &yaml_keys,
            "yaml: unmarshal errors:\n  line 7: key \"replicas\" already set in map\n  line 9: key 1 already set in map",
            &[
                "line 7: key \"replicas\" already set in map",
                "line 9: key 1 already set in map",
            ][..],
        ),
        (
            &json_keys,
            "duplicate field \"spec.replicas\"",
            &["duplicate field \"spec.replicas\""][..],
        ),
    ] {
        let schema = compile_crd();
        let mut invalid_object = object();
        invalid_object["spec"]["replcas"] = json!(0);
        let strict = settings(FieldValidation::Strict);
        let report = Request::new(&schema, &strict)
            .duplicate_keys(keys)
            .create(&mut invalid_object.clone());
        assert_eq!(
            report.errors()[0].detail(),
            format!(
                "Library in version \"v1\" cannot be handled as a Library: strict decoding error: {error}, unknown field \"spec.replcas\""
            ),
        );
        let warn = settings(FieldValidation::Warn);
        let report = Request::new(&schema, &warn)
            .duplicate_keys(keys)
            .create(&mut invalid_object.clone());
        let unknown = "unknown field \"spec.replcas\"";
        assert_eq!(report.warnings(), [warnings, &[unknown]].concat());
        let ignore = settings(FieldValidation::Ignore);
        let report = Request::new(&schema, &ignore)
            .duplicate_keys(keys)
            .create(&mut invalid_object);
        assert!(report.is_accepted() && report.warnings().is_empty());
    }
}

#[test]
fn near_names_are_names_of_the_same_object() {
    let mut invalid_object = object();
    for (pointer, name) in [
        ("", "sepc"),
        ("/metadata", "lables"),
        ("/metadata/ownerReferences/0", "controler"),
        ("/spec", "replcas"),
        ("/spec/rooms/north", "leevl"),
        ("/spec/template", "metdata"),
        ("/spec/template/metadata", "anotations"),
        ("/spec/free/object", "level"),
    ] {
        insert(&mut invalid_object, pointer, name);
    }
    let schema = compile_crd();
    let settings = settings(FieldValidation::Warn);
    let mut request = Request::new(&schema, &settings);
    let _ = request.create(&mut invalid_object);
    let near_names = request.unknown_fields().iter().map(UnknownField::near_name);
    let expected = [
        Some("labels"),
        Some("controller"),
        Some("spec"),
        None,
        Some("replicas"),
        Some("level"),
        Some("metadata"),
        Some("annotations"),
    ];
    assert_eq!(near_names.collect::<Vec<_>>(), expected);
}

/// A client cannot set the status. A server decodes the sent status, and then drops it.
#[test]
fn the_status_is_decoded_before_it_is_dropped() {
    let level = json!({"type": "object", "properties": {"level": {"type": "integer"}}});
    let open = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    for (properties, status, expected) in [
        (
            json!({"status": level}),
            json!({"zzz": 1}),
            &["unknown field \"status.zzz\""][..],
        ),
        (json!({"status": level}), json!({"level": 1}), &[]),
        (json!({"status": open}), json!({"zzz": 1}), &[]),
        (
            json!({"spec": level}),
            json!({}),
            &["unknown field \"status\""],
        ),
    ] {
        let schema = json!({"type": "object", "properties": properties});
        let schema = StructuralSchema::compiler()
            .status(StatusHandling::Subresource)
            .schema(&schema)
            .expect("a schema");
        let settings = settings(FieldValidation::Warn);
        let new = json!({"status": status});
        let created = schema.create(&mut new.clone(), &settings);
        assert_eq!(created.warnings(), expected, "{new}");
        let updated = schema.update(&mut new.clone(), &json!({}), &settings);
        assert_eq!(updated.warnings(), expected, "{new}");
    }
}

#[test]
fn a_request_that_cannot_be_decoded_has_no_unknown_fields() {
    let schema = compile_crd();
    let settings = settings(FieldValidation::Warn);
    let mut request = k8s_crd_validation::Request::new(&schema, &settings);
    let mut new = object();
    new["spec"]["replcas"] = json!(0);
    let _ = request.create(&mut new.clone());
    assert_eq!(request.unknown_fields().len(), 1);
    new["metadata"] = json!(1);
    assert!(!request.create(&mut new).is_accepted());
    assert!(request.unknown_fields().is_empty());
}
