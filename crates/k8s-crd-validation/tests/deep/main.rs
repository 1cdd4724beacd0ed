//! Tests of custom resources with values that are nested deeper than the stack allows: every
//! request gets an answer, wherever in the object the value is. The tests run without optimization.

use k8s_crd_validation::comparator::Comparison;
use k8s_crd_validation::{ObjectRef, RatchetingPolicy, Report, ServerSettings, StructuralSchema};
use k8s_json_internals::deep::DeepValue;
use serde_json::{Value, json};
use union_runtime::Ratchet;
use union_runtime::path::{FieldPath, PathStep};

/// The levels of deep values. The stack of [`on_small_stack`] has 52 bytes for each level, which is
/// too little for a stack frame.
const LEVELS: usize = 10_000;

/// Runs a test on a thread with a stack of 512 KiB. A small stack overflows at fewer levels, so the
/// test needs less work.
fn on_small_stack(test: fn()) {
    let thread = std::thread::Builder::new()
        .stack_size(1 << 19)
        .spawn(test)
        .expect("a thread starts");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Returns a value wrapped `levels` times.
fn deep_value(levels: usize, inner: Value, wrap: impl Fn(Value) -> Value) -> DeepValue {
    DeepValue::new((0..levels).fold(inner, |inner, _| wrap(inner)))
}

fn deep_lists() -> DeepValue {
    deep_value(LEVELS, json!(1), |inner| Value::Array(vec![inner]))
}

fn deep_objects() -> DeepValue {
    deep_value(LEVELS, json!(1), |inner| object_of([("a", inner)]))
}

/// Returns an object with these fields. The macro `json!` would serialize the values recursively.
fn object_of<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let fields = fields.into_iter();
    fields
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// Sets the value at a pointer, and creates the missing objects above the value.
fn insert(object: &mut Value, pointer: &str, value: Value) {
    let mut target = object;
    for step in pointer.split('/').skip(1) {
        target = match target {
            Value::Array(elements) => &mut elements[step.parse::<usize>().unwrap()],
            object => &mut object[step],
        };
    }
    *target = value;
}

/// Returns a schema with a field of every kind.
fn schema() -> Value {
    let any = json!({"x-kubernetes-preserve-unknown-fields": true});
    json!({"type": "object", "properties": {
        "spec": {
            "type": "object",
            "x-kubernetes-validations": [{"rule": "self == oldSelf"}],
            "properties": {
                "any": any,
                "enum": {"x-kubernetes-preserve-unknown-fields": true, "enum": [1, [[1]], {"a": {"a": 1}}]},
                "text": {"type": "string", "maxLength": 5, "format": "date", "pattern": "^a"},
                "number": {"type": "number", "maximum": 5},
                "either": {"x-kubernetes-int-or-string": true},
                "object": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "maxProperties": 0,
                    "x-kubernetes-validations": [{"rule": "self == self"}]},
                "described": {"type": "object", "properties": {"a": {"type": "object", "properties": {"a": {"type": "string"}}}}},
                "map": {"type": "object", "additionalProperties": {"type": "array", "items": any}},
                "open": {"type": "object", "additionalProperties": true},
                "list": {"type": "array", "items": {"type": "array", "items": any}},
                "bare": {"type": "array", "x-kubernetes-preserve-unknown-fields": true, "items": {"type": "string"}},
                "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
                "keyed": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a", "b"],
                    "items": {"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "string"}, "b": {"type": "string"}, "any": any}}},
                "embedded": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true},
                "branches": {"type": "object", "x-kubernetes-preserve-unknown-fields": true,
                    "allOf": [{"required": ["a"]}], "anyOf": [{"required": ["a"]}, {"maxProperties": 1}],
                    "oneOf": [{"required": ["b"]}, {"required": ["a"]}], "not": {"required": ["c"]}},
            },
        },
        "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
    }})
}

fn resource() -> Value {
    json!({
        "apiVersion": "g.example.com/v1", "kind": "K",
        "metadata": {
            "name": "n", "namespace": "n", "resourceVersion": "1", "labels": {}, "annotations": {},
            "ownerReferences": [{"apiVersion": "v1", "kind": "K", "name": "n", "uid": "u"}],
            "managedFields": [{"manager": "m", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {}}],
        },
        "spec": {
            "map": {"a": [1]}, "list": [[1]], "set": ["a"], "bare": ["a"],
            "keyed": [{"a": "a", "b": "b", "any": 1}],
            "embedded": {"apiVersion": "v1", "kind": "K", "metadata": {"name": "n", "labels": {}}, "x": 1},
        },
        "status": {"a": 1},
    })
}

/// The JSON pointers at which tests insert a deep value: fields of the object, and fields that the
/// object does not have.
const POINTERS: [&str; 51] = [
    "/apiVersion",
    "/kind",
    "/metadata",
    "/metadata/name",
    "/metadata/namespace",
    "/metadata/generateName",
    "/metadata/generation",
    "/metadata/creationTimestamp",
    "/metadata/deletionTimestamp",
    "/metadata/resourceVersion",
    "/metadata/uid",
    "/metadata/finalizers",
    "/metadata/labels",
    "/metadata/labels/a",
    "/metadata/annotations",
    "/metadata/annotations/a",
    "/metadata/ownerReferences",
    "/metadata/ownerReferences/0",
    "/metadata/ownerReferences/0/name",
    "/metadata/managedFields",
    "/metadata/managedFields/0",
    "/metadata/managedFields/0/fieldsV1",
    "/metadata/nobody",
    "/spec",
    "/spec/any",
    "/spec/enum",
    "/spec/text",
    "/spec/number",
    "/spec/either",
    "/spec/object",
    "/spec/object/a",
    "/spec/described",
    "/spec/map",
    "/spec/map/a",
    "/spec/open",
    "/spec/list",
    "/spec/list/0",
    "/spec/list/0/0",
    "/spec/bare",
    "/spec/bare/0",
    "/spec/set",
    "/spec/set/0",
    "/spec/keyed",
    "/spec/keyed/0",
    "/spec/keyed/0/a",
    "/spec/keyed/0/any",
    "/spec/embedded",
    "/spec/embedded/x",
    "/spec/embedded/metadata/labels",
    "/spec/branches",
    "/nobody",
];

fn compile_schema() -> StructuralSchema {
    let crd = json!({"spec": {"group": "g.example.com", "scope": "Namespaced", "names": {"kind": "K", "plural": "ks"}, "versions": [
        {"name": "v1", "served": true, "storage": true, "subresources": {"status": {}}, "schema": {"openAPIV3Schema": schema()}},
    ]}});
    StructuralSchema::compiler()
        .crd(&crd, Some("v1"))
        .expect("a schema")
}

/// Returns the object with a deep value at a pointer.
fn resource_with(pointer: &str, mut deep_value: DeepValue) -> DeepValue {
    let mut object = resource();
    insert(&mut object, pointer, deep_value.take());
    DeepValue::new(object)
}

fn shallow_resource() -> DeepValue {
    DeepValue::new(resource())
}

/// Asserts that a report can be printed and serialized.
fn assert_printable(pointer: &str, report: &Report) {
    for error in report.errors() {
        assert!(!error.to_string().is_empty(), "{pointer}");
    }
    let _ = json!(report);
    let object = ObjectRef {
        group: "g.example.com",
        kind: "ks",
        name: "n",
    };
    let status = report.status(&object);
    assert_eq!(status.is_none(), report.is_accepted(), "{pointer}");
}

/// Returns deep lists for the policy of API servers, and deep objects for the policy of KEP-4008.
fn deep_values_and_settings() -> [(fn() -> DeepValue, ServerSettings); 2] {
    let settings = |policy| ServerSettings::default().policy(policy);
    [
        (deep_lists, settings(RatchetingPolicy::ApiServer)),
        (deep_objects, settings(RatchetingPolicy::Kep4008)),
    ]
}

/// The pointers at which a deep value is accepted, for each element of
/// [`deep_values_and_settings`].
type AcceptedPointers = [Vec<&'static str>; 2];

fn joined_pointers(accepted: &AcceptedPointers) -> [String; 2] {
    accepted.each_ref().map(|pointers| pointers.join(" "))
}

#[test]
fn creating_deep_objects_does_not_overflow_the_stack() {
    on_small_stack(create_deep_objects);
}

fn create_deep_objects() {
    let schema = compile_schema();
    let mut accepted: AcceptedPointers = Default::default();
    for pointer in POINTERS {
        for (index, (build_deep_value, settings)) in
            deep_values_and_settings().into_iter().enumerate()
        {
            let mut new = resource_with(pointer, build_deep_value());
            let report = schema.create(&mut new, &settings);
            assert_printable(pointer, &report);
            accepted[index].extend(report.is_accepted().then_some(pointer));
        }
    }
    let expected = [
        "/metadata/managedFields/0/fieldsV1 /metadata/nobody /spec/any /spec/text /spec/map/a /spec/list \
         /spec/list/0 /spec/list/0/0 /spec/keyed/0/any /spec/embedded/x /nobody",
        "/metadata/managedFields/0/fieldsV1 /metadata/nobody /spec /spec/any /spec/open /spec/list/0/0 \
         /spec/keyed/0/any /spec/embedded/x /spec/branches /nobody",
    ];
    assert_eq!(joined_pointers(&accepted), expected);
}

/// A request that updates an object: `update` or `update_status`.
type Update = fn(&StructuralSchema, &mut Value, &Value, &ServerSettings) -> Report;

/// Returns the pointers at which three updates are accepted: an update that keeps the deep value,
/// an update that removes the deep value, and an update that adds the deep value.
fn updates(pointers: &[&'static str], update: Update) -> [AcceptedPointers; 3] {
    let schema = compile_schema();
    let mut accepted: [AcceptedPointers; 3] = Default::default();
    for pointer in pointers {
        for (index, (build_deep_value, settings)) in
            deep_values_and_settings().into_iter().enumerate()
        {
            let old = resource_with(pointer, build_deep_value());
            let pairs = [
                (resource_with(pointer, build_deep_value()), &*old),
                (shallow_resource(), &*old),
                (
                    resource_with(pointer, build_deep_value()),
                    &*shallow_resource(),
                ),
            ];
            for ((mut new, old), accepted_pointers) in pairs.into_iter().zip(&mut accepted) {
                let report = update(&schema, &mut new, old, &settings);
                assert_printable(pointer, &report);
                accepted_pointers[index].extend(report.is_accepted().then_some(*pointer));
            }
        }
    }
    accepted
}

#[test]
fn updating_deep_objects_does_not_overflow_the_stack() {
    on_small_stack(update_deep_objects);
}

fn update_deep_objects() {
    let [kept, removed, added] = updates(&POINTERS, |schema, new, old, settings| {
        schema.update(new, old, settings)
    });
    let expected = [
        "/metadata/managedFields/0/fieldsV1 /metadata/nobody /spec/any /spec/enum /spec/map/a /spec/list \
         /spec/list/0 /spec/list/0/0 /spec/keyed/0/any /spec/embedded/x /nobody",
        "/metadata /metadata/ownerReferences/0 /metadata/managedFields/0 /metadata/managedFields/0/fieldsV1 \
         /metadata/nobody /spec /spec/any /spec/enum /spec/object /spec/object/a /spec/open /spec/list/0/0 \
         /spec/keyed/0/any /spec/embedded /spec/embedded/x /spec/branches /nobody",
    ];
    assert_eq!(joined_pointers(&kept), expected, "kept");
    let expected = [
        "/apiVersion /kind /metadata/generateName /metadata/generation /metadata/creationTimestamp \
         /metadata/deletionTimestamp /metadata/resourceVersion /metadata/uid /metadata/finalizers \
         /metadata/labels /metadata/labels/a /metadata/annotations /metadata/annotations/a \
         /metadata/ownerReferences /metadata/ownerReferences/0 /metadata/ownerReferences/0/name \
         /metadata/managedFields /metadata/managedFields/0 /metadata/managedFields/0/fieldsV1 \
         /metadata/nobody /spec/embedded/metadata/labels /nobody",
        "/apiVersion /kind /metadata/generateName /metadata/generation /metadata/creationTimestamp \
         /metadata/deletionTimestamp /metadata/resourceVersion /metadata/uid /metadata/finalizers \
         /metadata/labels /metadata/labels/a /metadata/annotations /metadata/annotations/a \
         /metadata/ownerReferences /metadata/ownerReferences/0 /metadata/ownerReferences/0/name \
         /metadata/managedFields /metadata/managedFields/0 /metadata/managedFields/0/fieldsV1 \
         /metadata/nobody /spec/embedded/metadata/labels /nobody",
    ];
    assert_eq!(joined_pointers(&removed), expected, "removed");
    let expected = [
        "/metadata/managedFields/0/fieldsV1 /metadata/nobody /nobody",
        "/metadata/managedFields/0/fieldsV1 /metadata/nobody /nobody",
    ];
    assert_eq!(joined_pointers(&added), expected, "added");
}

#[test]
fn updating_the_status_of_deep_objects_does_not_overflow_the_stack() {
    on_small_stack(update_status_of_deep_objects);
}

fn update_status_of_deep_objects() {
    let pointers: Vec<&str> = POINTERS
        .into_iter()
        .chain(["/status", "/status/a"])
        .collect();
    let [kept, removed, added] = updates(&pointers, |schema, new, old, settings| {
        schema.update_status(new, old, settings)
    });
    let expected = [
        "/metadata/managedFields/0/fieldsV1 /metadata/nobody /spec/any /spec/enum /spec/object/a /spec/map/a \
         /spec/list /spec/list/0 /spec/list/0/0 /spec/keyed/0/any /spec/embedded/x /nobody /status /status/a",
        "/metadata /metadata/ownerReferences/0 /metadata/managedFields/0 /metadata/managedFields/0/fieldsV1 \
         /metadata/nobody /spec /spec/any /spec/enum /spec/object /spec/object/a /spec/open /spec/list/0/0 \
         /spec/keyed/0/any /spec/embedded /spec/embedded/x /spec/branches /nobody /status /status/a",
    ];
    assert_eq!(joined_pointers(&kept), expected, "kept");
    let expected = [
        "/metadata/namespace /metadata/generateName /metadata/generation \
         /metadata/creationTimestamp /metadata/deletionTimestamp /metadata/uid /metadata/finalizers \
         /metadata/labels /metadata/labels/a /metadata/annotations /metadata/annotations/a \
         /metadata/ownerReferences /metadata/ownerReferences/0 /metadata/ownerReferences/0/name \
         /metadata/managedFields /metadata/managedFields/0 /metadata/managedFields/0/fieldsV1 \
         /metadata/nobody /spec/any /spec/enum /spec/object/a /spec/map/a /spec/list /spec/list/0 \
         /spec/list/0/0 /spec/keyed/0/any /spec/embedded/x /spec/embedded/metadata/labels /nobody /status \
         /status/a",
        "/metadata/name /metadata/namespace /metadata/generateName /metadata/generation \
         /metadata/creationTimestamp /metadata/deletionTimestamp /metadata/resourceVersion /metadata/uid \
         /metadata/finalizers /metadata/labels /metadata/labels/a /metadata/annotations \
         /metadata/annotations/a /metadata/ownerReferences /metadata/ownerReferences/0 \
         /metadata/ownerReferences/0/name /metadata/managedFields /metadata/managedFields/0 \
         /metadata/managedFields/0/fieldsV1 /metadata/nobody /spec /spec/any /spec/enum /spec/object \
         /spec/object/a /spec/open /spec/list/0/0 /spec/keyed/0/any /spec/embedded /spec/embedded/x \
         /spec/embedded/metadata/labels /spec/branches /nobody /status /status/a",
    ];
    assert_eq!(joined_pointers(&removed), expected, "removed");
    let expected = [
        "/apiVersion /kind /metadata/managedFields/0/fieldsV1 /metadata/nobody /spec /spec/any /spec/enum \
         /spec/text /spec/number /spec/either /spec/object /spec/object/a /spec/described /spec/map \
         /spec/map/a /spec/open /spec/list /spec/list/0 /spec/list/0/0 /spec/bare /spec/bare/0 /spec/set \
         /spec/set/0 /spec/keyed /spec/keyed/0 /spec/keyed/0/a /spec/keyed/0/any /spec/embedded \
         /spec/embedded/x /spec/branches /nobody /status/a",
        "/apiVersion /kind /metadata /metadata/ownerReferences/0 /metadata/managedFields/0/fieldsV1 \
         /metadata/nobody /spec /spec/any /spec/enum /spec/text /spec/number /spec/either /spec/object \
         /spec/object/a /spec/described /spec/map /spec/map/a /spec/open /spec/list /spec/list/0 \
         /spec/list/0/0 /spec/bare /spec/bare/0 /spec/set /spec/set/0 /spec/keyed /spec/keyed/0 \
         /spec/keyed/0/a /spec/keyed/0/any /spec/embedded /spec/embedded/x /spec/branches /nobody /status \
         /status/a",
    ];
    assert_eq!(joined_pointers(&added), expected, "added");
}

#[test]
fn deep_objects_are_compared_without_a_stack_overflow() {
    on_small_stack(compare_deep_objects);
}

fn compare_deep_objects() {
    let schema = compile_schema();
    for pointer in POINTERS {
        for (build_deep_value, settings) in deep_values_and_settings() {
            let (new, old) = (
                resource_with(pointer, build_deep_value()),
                resource_with(pointer, build_deep_value()),
            );
            let mut comparison = Comparison::new(schema.root(), &new, &old);
            if settings.policy == RatchetingPolicy::Kep4008 {
                comparison = comparison.with_deep_equality();
            }
            let is_unchanged = comparison.root().is_unchanged();
            assert!(
                is_unchanged || settings.policy != RatchetingPolicy::Kep4008,
                "{pointer}"
            );
            let path: FieldPath = core::iter::repeat_n(PathStep::Index(0), 1_000).collect();
            let split = comparison.split([path], &[], Ratchet::Unchanged, |path| {
                (path.clone(), "rule")
            });
            assert_eq!(split.tolerated.is_empty(), !is_unchanged, "{pointer}");
        }
    }
}

/// Validates an object whose schema is close to the limit of 200 levels, with a rule at each level
/// that compares the whole value.
#[test]
fn the_deepest_allowed_schema_does_not_overflow_the_stack() {
    let levels = 199;
    let any = json!({"x-kubernetes-preserve-unknown-fields": true, "type": "object"});
    let schema = (1..levels).fold(any, |inner, _| {
        json!({"type": "object", "properties": {"a": inner}, "x-kubernetes-validations": [{"rule": "self == oldSelf"}]})
    });
    let schema = StructuralSchema::compile(&schema).expect("the schema is not too deep");
    let nested_object = |last: Value| (1..levels).fold(last, |inner, _| json!({"a": inner}));
    for (old_number, new_number) in [(1, 1), (1, 2)] {
        let old = nested_object(json!({"b": old_number}));
        let mut new = nested_object(json!({"b": new_number}));
        for policy in [RatchetingPolicy::ApiServer, RatchetingPolicy::Kep4008] {
            let settings = ServerSettings::default().policy(policy);
            assert_printable("", &schema.update(&mut new, &old, &settings));
            assert_printable("", &schema.create(&mut new, &settings));
        }
    }
}

/// Returns a schema with one property and a default.
fn schema_with_property(name: &str, inner: Value) -> Value {
    let properties = object_of([(name, inner)]);
    object_of([
        ("type", "object".into()),
        ("default", json!({})),
        ("properties", properties),
    ])
}

/// Returns a schema of `levels` levels. The innermost schema has the deepest allowed default.
fn schema_with_deepest_default(levels: usize) -> Value {
    let mut default = deep_value(200, json!(1), |inner| object_of([("a", inner)]));
    let any = object_of([
        ("type", "object".into()),
        ("x-kubernetes-preserve-unknown-fields", true.into()),
        ("default", default.take()),
    ]);
    (1..levels).fold(any, |inner, _| schema_with_property("a", inner))
}

/// The check of a default in metadata builds a resource around the default.
#[test]
fn the_deepest_allowed_default_is_applied() {
    let root = |inner| {
        let mut schema = schema_with_property("a", inner);
        schema.as_object_mut().unwrap().remove("default");
        schema
    };
    let schema = root(schema_with_deepest_default(198));
    let schema = StructuralSchema::compile(&schema).expect("the schema is not too deep");
    let [mut created, mut unchanged] = [json!({}), json!({})];
    let settings = ServerSettings::default();
    assert!(schema.create(&mut created, &settings).is_accepted());
    // 198 levels of the schema, and all levels of the default but the last.
    let bottom = "/a".repeat(198 + 199);
    assert_eq!(created.pointer(&bottom), Some(&json!({"a": 1})));
    assert_printable("", &schema.update(&mut unchanged, &created, &settings));
    assert_printable("", &schema.update(&mut created, &json!({}), &settings));

    let mut embedded = schema_with_property(
        "metadata",
        schema_with_property("name", schema_with_deepest_default(190)),
    );
    embedded["x-kubernetes-embedded-resource"] = true.into();
    let schema = root(embedded);
    let rejection = StructuralSchema::compile(&schema).map(|_| ()).unwrap_err();
    assert!(!rejection.to_string().is_empty());
}

#[test]
fn a_default_with_more_than_200_levels_is_rejected() {
    for (levels, is_rejected) in [(150, false), (201, true), (100_000, true)] {
        let mut default = deep_value(levels, json!(1), |inner| object_of([("a", inner)]));
        let any = [
            ("type", "object".into()),
            ("x-kubernetes-preserve-unknown-fields", true.into()),
            ("default", default.take()),
        ];
        let schema = DeepValue::new(object_of([
            ("type", "object".into()),
            ("properties", object_of([("a", object_of(any))])),
        ]));
        match StructuralSchema::compile(&schema) {
            Ok(schema) => {
                assert!(!is_rejected, "{levels}");
                let mut created = DeepValue::new(json!({}));
                assert!(
                    schema
                        .create(&mut created, &ServerSettings::default())
                        .is_accepted()
                );
                assert!(created["a"]["a"].is_object());
            }
            Err(rejection) => {
                assert!(is_rejected, "{levels}");
                let text = "spec.validation.openAPIV3Schema.properties[a].default: Invalid value: \
                    the value has more than 200 levels; make it flatter";
                assert_eq!(rejection.to_string(), text);
            }
        }
    }
}
