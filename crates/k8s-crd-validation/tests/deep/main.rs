//! Tests of custom resources with values that are nested deeper than the stack allows: every
//! request gets an answer, wherever in the object the value is. The tests run on threads of 2 MiB
//! without optimization.

use k8s_crd_validation::comparator::Comparison;
use k8s_crd_validation::{ObjectRef, RatchetingPolicy, Report, ServerSettings, StructuralSchema};
use k8s_json_internals::deep::DeepValue;
use serde_json::{Value, json};
use union_runtime::Ratchet;
use union_runtime::path::{FieldPath, PathStep};

/// The levels of deep values. The stack of a thread has 52 bytes for each level, which is too
/// little for a stack frame.
const LEVELS: usize = 40_000;

/// Returns a value wrapped `levels` times.
fn deep(levels: usize, inner: Value, wrap: impl Fn(Value) -> Value) -> DeepValue {
    DeepValue::new((0..levels).fold(inner, |inner, _| wrap(inner)))
}

fn lists() -> DeepValue {
    deep(LEVELS, json!(1), |inner| Value::Array(vec![inner]))
}

fn objects() -> DeepValue {
    deep(LEVELS, json!(1), |inner| object([("a", inner)]))
}

/// `json!` writes out what it is given; this moves it.
fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let fields = fields.into_iter();
    fields
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// Sets the value at a pointer, and creates the missing objects above the value.
fn put(object: &mut Value, pointer: &str, value: Value) {
    let mut at = object;
    for step in pointer.split('/').skip(1) {
        at = match at {
            Value::Array(elements) => &mut elements[step.parse::<usize>().unwrap()],
            other => &mut other[step],
        };
    }
    *at = value;
}

/// A field of every kind.
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
const PLACES: [&str; 51] = [
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

fn compiled() -> StructuralSchema {
    let crd = json!({"spec": {"group": "g.example.com", "scope": "Namespaced", "names": {"kind": "K", "plural": "ks"}, "versions": [
        {"name": "v1", "served": true, "storage": true, "subresources": {"status": {}}, "schema": {"openAPIV3Schema": schema()}},
    ]}});
    StructuralSchema::compiler()
        .crd(&crd, Some("v1"))
        .expect("a schema")
}

/// Returns the object with a deep value at a pointer.
fn with(place: &str, mut deep: DeepValue) -> DeepValue {
    let mut object = resource();
    put(&mut object, place, deep.take());
    DeepValue::new(object)
}

fn shallow() -> DeepValue {
    DeepValue::new(resource())
}

/// Asserts that an answer can be printed and serialized.
fn is_said(place: &str, outcome: &Report) {
    for error in outcome.errors() {
        assert!(!error.to_string().is_empty(), "{place}");
    }
    let _ = json!(outcome);
    let object = ObjectRef {
        group: "g.example.com",
        kind: "ks",
        name: "n",
    };
    let status = outcome.status(&object);
    assert_eq!(status.is_none(), outcome.is_accepted(), "{place}");
}

/// Returns deep lists for the policy of API servers, and deep objects for the policy of KEP-4008.
fn makers() -> [(fn() -> DeepValue, ServerSettings); 2] {
    let settings = |policy| ServerSettings::default().policy(policy);
    [
        (lists, settings(RatchetingPolicy::ApiServer)),
        (objects, settings(RatchetingPolicy::Kep4008)),
    ]
}

/// The pointers at which a deep value is accepted, for each element of [`makers`]: deep lists with
/// the policy of API servers, and deep objects with the policy of KEP-4008.
type Taken = [Vec<&'static str>; 2];

fn said(taken: &Taken) -> [String; 2] {
    taken.each_ref().map(|places| places.join(" "))
}

#[test]
fn creating_them_takes_no_stack() {
    let schema = compiled();
    let mut taken: Taken = Default::default();
    for place in PLACES {
        for (at, (make, settings)) in makers().into_iter().enumerate() {
            let mut new = with(place, make());
            let outcome = schema.create(&mut new, &settings);
            is_said(place, &outcome);
            taken[at].extend(outcome.is_accepted().then_some(place));
        }
    }
    let places = [
        "/metadata/managedFields/0/fieldsV1 /metadata/nobody /spec/any /spec/text /spec/map/a /spec/list \
         /spec/list/0 /spec/list/0/0 /spec/keyed/0/any /spec/embedded/x /nobody",
        "/metadata/managedFields/0/fieldsV1 /metadata/nobody /spec /spec/any /spec/open /spec/list/0/0 \
         /spec/keyed/0/any /spec/embedded/x /spec/branches /nobody",
    ];
    assert_eq!(said(&taken), places);
}

/// A request that updates an object: `update` or `update_status`.
type Update = fn(&StructuralSchema, &mut Value, &Value, &ServerSettings) -> Report;

/// Returns the pointers at which three updates are accepted: an update that keeps the deep value,
/// an update that removes the deep value, and an update that adds the deep value.
fn updates(places: &[&'static str], update: Update) -> [Taken; 3] {
    let schema = compiled();
    let mut taken: [Taken; 3] = Default::default();
    for place in places {
        for (at, (make, settings)) in makers().into_iter().enumerate() {
            let old = with(place, make());
            let pairs = [
                (with(place, make()), &*old),
                (shallow(), &*old),
                (with(place, make()), &*shallow()),
            ];
            for ((mut new, old), taken) in pairs.into_iter().zip(&mut taken) {
                let outcome = update(&schema, &mut new, old, &settings);
                is_said(place, &outcome);
                taken[at].extend(outcome.is_accepted().then_some(*place));
            }
        }
    }
    taken
}

#[test]
fn updating_them_takes_no_stack() {
    let [same, gone, come] = updates(&PLACES, |schema, new, old, settings| {
        schema.update(new, old, settings)
    });
    let places = [
        "/metadata/managedFields/0/fieldsV1 /metadata/nobody /spec/any /spec/enum /spec/map/a /spec/list \
         /spec/list/0 /spec/list/0/0 /spec/keyed/0/any /spec/embedded/x /nobody",
        "/metadata /metadata/ownerReferences/0 /metadata/managedFields/0 /metadata/managedFields/0/fieldsV1 \
         /metadata/nobody /spec /spec/any /spec/enum /spec/object /spec/object/a /spec/open /spec/list/0/0 \
         /spec/keyed/0/any /spec/embedded /spec/embedded/x /spec/branches /nobody",
    ];
    assert_eq!(said(&same), places, "same");
    let places = [
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
    assert_eq!(said(&gone), places, "gone");
    let places = [
        "/metadata/managedFields/0/fieldsV1 /metadata/nobody /nobody",
        "/metadata/managedFields/0/fieldsV1 /metadata/nobody /nobody",
    ];
    assert_eq!(said(&come), places, "come");
}

#[test]
fn updating_their_status_takes_no_stack() {
    let places: Vec<&str> = PLACES.into_iter().chain(["/status", "/status/a"]).collect();
    let [same, gone, come] = updates(&places, |schema, new, old, settings| {
        schema.update_status(new, old, settings)
    });
    let places = [
        "/metadata/managedFields/0/fieldsV1 /metadata/nobody /spec/any /spec/enum /spec/object/a /spec/map/a \
         /spec/list /spec/list/0 /spec/list/0/0 /spec/keyed/0/any /spec/embedded/x /nobody /status /status/a",
        "/metadata /metadata/ownerReferences/0 /metadata/managedFields/0 /metadata/managedFields/0/fieldsV1 \
         /metadata/nobody /spec /spec/any /spec/enum /spec/object /spec/object/a /spec/open /spec/list/0/0 \
         /spec/keyed/0/any /spec/embedded /spec/embedded/x /spec/branches /nobody /status /status/a",
    ];
    assert_eq!(said(&same), places, "same");
    let places = [
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
    assert_eq!(said(&gone), places, "gone");
    let places = [
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
    assert_eq!(said(&come), places, "come");
}

#[test]
fn they_are_compared() {
    let schema = compiled();
    for place in PLACES {
        for (make, settings) in makers() {
            let (new, old) = (with(place, make()), with(place, make()));
            let mut comparison = Comparison::new(schema.root(), &new, &old);
            if settings.policy == RatchetingPolicy::Kep4008 {
                comparison = comparison.with_deep_equality();
            }
            let is_unchanged = comparison.root().is_unchanged();
            assert!(
                is_unchanged || settings.policy != RatchetingPolicy::Kep4008,
                "{place}"
            );
            let path: FieldPath = core::iter::repeat_n(PathStep::Index(0), 1_000).collect();
            let split = comparison.split([path], &[], Ratchet::Unchanged, |path| {
                (path.clone(), "rule")
            });
            assert_eq!(split.tolerated.is_empty(), !is_unchanged, "{place}");
        }
    }
}

/// Validates an object with the deepest schema that is allowed, the deepest default in it, and a
/// rule at each level that compares the whole value.
#[test]
fn judging_what_is_as_deep_as_allowed_takes_little_stack() {
    let levels = 199;
    let any = json!({"x-kubernetes-preserve-unknown-fields": true, "type": "object"});
    let schema = (1..levels).fold(any, |inner, _| {
        json!({"type": "object", "properties": {"a": inner}, "x-kubernetes-validations": [{"rule": "self == oldSelf"}]})
    });
    let schema = StructuralSchema::compile(&schema).expect("it is not too deep");
    let object = |last: Value| (1..levels).fold(last, |inner, _| json!({"a": inner}));
    for (was, is) in [(1, 1), (1, 2)] {
        let (old, mut new) = (object(json!({"b": was})), object(json!({"b": is})));
        for policy in [RatchetingPolicy::ApiServer, RatchetingPolicy::Kep4008] {
            let settings = ServerSettings::default().policy(policy);
            is_said("", &schema.update(&mut new, &old, &settings));
            is_said("", &schema.create(&mut new, &settings));
        }
    }
}

/// A schema with a property.
fn holding(name: &str, inner: Value) -> Value {
    let properties = object([(name, inner)]);
    object([
        ("type", "object".into()),
        ("default", json!({})),
        ("properties", properties),
    ])
}

/// The deepest default in schemas so deep.
fn deepest(levels: usize) -> Value {
    let mut default = deep(200, json!(1), |inner| object([("a", inner)]));
    let any = object([
        ("type", "object".into()),
        ("x-kubernetes-preserve-unknown-fields", true.into()),
        ("default", default.take()),
    ]);
    (1..levels).fold(any, |inner, _| holding("a", inner))
}

/// In metadata a whole resource is made around it.
#[test]
fn the_deepest_default_is_filled_in() {
    let root = |inner| {
        let mut schema = holding("a", inner);
        schema.as_object_mut().unwrap().remove("default");
        schema
    };
    let schema = root(deepest(198));
    let schema = StructuralSchema::compile(&schema).expect("it is not too deep");
    let [mut made, mut again] = [json!({}), json!({})];
    let settings = ServerSettings::default();
    assert!(schema.create(&mut made, &settings).is_accepted());
    let bottom = "/a".repeat(198 + 199);
    assert_eq!(made.pointer(&bottom), Some(&json!({"a": 1})));
    is_said("", &schema.update(&mut again, &made, &settings));
    is_said("", &schema.update(&mut made, &json!({}), &settings));

    let mut embedded = holding("metadata", holding("name", deepest(190)));
    embedded["x-kubernetes-embedded-resource"] = true.into();
    let schema = root(embedded);
    let refused = StructuralSchema::compile(&schema).map(|_| ()).unwrap_err();
    assert!(!refused.to_string().is_empty());
}

#[test]
fn defaults_are_as_deep_as_allowed_or_refused() {
    for (levels, is_refused) in [(150, false), (201, true), (100_000, true)] {
        let mut default = deep(levels, json!(1), |inner| object([("a", inner)]));
        let any = [
            ("type", "object".into()),
            ("x-kubernetes-preserve-unknown-fields", true.into()),
            ("default", default.take()),
        ];
        let schema = DeepValue::new(object([
            ("type", "object".into()),
            ("properties", object([("a", object(any))])),
        ]));
        match StructuralSchema::compile(&schema) {
            Ok(schema) => {
                assert!(!is_refused, "{levels}");
                let mut made = DeepValue::new(json!({}));
                assert!(
                    schema
                        .create(&mut made, &ServerSettings::default())
                        .is_accepted()
                );
                assert!(made["a"]["a"].is_object());
            }
            Err(refused) => {
                assert!(is_refused, "{levels}");
                let text = "spec.validation.openAPIV3Schema.properties[a].default: Invalid value: \
                    the value has more than 200 levels; make it flatter";
                assert_eq!(refused.to_string(), text);
            }
        }
    }
}
