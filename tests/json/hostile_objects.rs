//! Tests of objects that are deep, large, or of other types than their schema says: the engine
//! validates or rejects them, never panics, and does work that is at most linear in their size.

use allocation_counter::measure;
use serde_json::{Value, json};
use union_json::{Limits, SchemaSource, Unions};
use union_runtime::{Ratchet, Report, RestoreUnaware, Settings};

use crate::deep_value::{Deep, object};
use crate::read::choice;

/// Returns a recursive schema: objects in lists by name, in a map, and in a field.
fn tree() -> Value {
    let mut tree = choice();
    tree["properties"]["name"] = json!({});
    tree["properties"]["trees"] = json!({
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
        "items": {"$ref": "#"},
    });
    tree["properties"]["map"] = json!({"additionalProperties": {"$ref": "#"}});
    tree["properties"]["one"] = json!({"$ref": "#"});
    tree
}

fn unions(schema: &Value) -> Unions {
    Unions::compile(SchemaSource::Schema(schema)).unwrap_or_else(|error| panic!("{error}"))
}

fn lines(report: &Report) -> Vec<String> {
    report.errors().iter().map(ToString::to_string).collect()
}

/// Puts a request through every function of the engine, and returns the result of validation.
fn run_all_operations(unions: &Unions, new: &Value, old: &Value) -> Report {
    for ratchet in [Ratchet::SameReason, Ratchet::Unchanged, Ratchet::Off] {
        for restore in [RestoreUnaware::Off, RestoreUnaware::All] {
            let settings = Settings::default()
                .ratchet(ratchet)
                .restore_unaware(restore);
            let _ = unions.validate_update(new, old, &settings);
            let mut normalized = new.clone();
            let changes = unions.normalize(&mut normalized, Some(old), &settings);
            assert!(!changes.is_empty() || normalized == *new);
            let again = unions.normalize(&mut normalized.clone(), Some(old), &settings);
            assert!(again.is_empty(), "{again}: {new} over {old}");
            let mut admitted = new.clone();
            let _ = unions.admit(&mut admitted, Some(old), &settings);
            assert_eq!(admitted, normalized);
            let mut merged = new.clone();
            let applied = unions.normalize_apply(&mut merged, new, Some(old), &settings);
            assert!(applied.is_accepted() || merged == *new);
        }
    }
    unions.validate(new)
}

/// A function that wraps a value in another value.
type Wrap = fn(Value) -> Value;

#[test]
fn objects_are_validated_down_to_the_depth_limit() {
    let unions = unions(&tree());
    let leaf = || json!({"type": "B"});
    let wrappers: [(Wrap, usize, &str); 3] = [
        (
            |tree| object([("type", "B".into()), ("one", tree)]),
            1,
            "one",
        ),
        (
            |tree| object([("type", "B".into()), ("trees", Value::Array(vec![tree]))]),
            2,
            "trees[0]",
        ),
        (
            |tree| object([("type", "B".into()), ("map", object([("k", tree)]))]),
            2,
            "map[k]",
        ),
    ];
    for (wrap, levels, step) in wrappers {
        // The object itself is the first level.
        let within = Deep::new(127 / levels, leaf(), wrap);
        assert_eq!(unions.validate(&within), Report::default());
        for depth in [127 / levels + 1, 10_000] {
            let too_deep = Deep::new(depth, leaf(), wrap);
            let report = unions.validate(&too_deep);
            let path = vec![step; 128 / levels].join(".");
            assert_eq!(
                lines(&report),
                [format!(
                    "{path}: Invalid value: the object has more than 128 levels here; make it flatter, or raise `Limits::max_depth`"
                )]
            );
        }
    }
}

#[test]
fn an_object_beyond_a_limit_is_rejected_and_not_normalized() {
    let unions = unions(&tree());
    let wrap = |tree| object([("type", "B".into()), ("a", 1.into()), ("one", tree)]);
    let new = Deep::new(10_000, json!({"type": "B"}), wrap);
    let old = Deep::new(10_000, json!({"type": "A", "a": 1}), |tree| {
        object([("type", "A".into()), ("a", 1.into()), ("one", tree)])
    });
    let mut changed = Deep::new(10_000, json!({"type": "B"}), wrap);
    let settings = Settings::default();
    assert!(
        unions
            .normalize(&mut changed, Some(&old), &settings)
            .is_empty()
    );
    assert_eq!(changed["a"], 1, "the field is unchanged");
    let report = unions.admit(&mut changed, Some(&old), &settings);
    // There is an error for each level that was validated, and one error at the limit.
    assert_eq!(report.errors().len(), 129);
    assert_eq!(
        report
            .errors()
            .iter()
            .filter(|violation| violation.message().contains("128 levels"))
            .count(),
        1
    );
    assert!(
        !unions
            .normalize_apply(&mut changed, &new, Some(&old), &settings)
            .is_accepted()
    );
    for ratchet in [Ratchet::SameReason, Ratchet::Unchanged, Ratchet::Off] {
        // Errors in values that were not compared are not tolerated.
        let report = unions.validate_update(&new, &new, &settings.ratchet(ratchet));
        let is_limit = |line: &String| line.contains("more than 128 levels");
        assert_eq!(
            lines(&report).iter().filter(|line| is_limit(line)).count(),
            1
        );
        assert_eq!(report.tolerated().is_empty(), ratchet == Ratchet::Off);
    }
    // Disabled unions are not validated.
    let off = settings.unions(false);
    assert!(unions.admit(&mut changed, None, &off).is_accepted());
}

#[test]
fn objects_at_the_highest_depth_limit_fit_on_a_stack_of_one_mebibyte() {
    let thread_builder = std::thread::Builder::new().stack_size(1 << 20);
    let thread = thread_builder
        .spawn(the_deepest_allowed_object_is_validated)
        .expect("a thread");
    thread.join().expect("the stack is sufficient");
}

fn the_deepest_allowed_object_is_validated() {
    let deepest = Limits::default().max_depth(usize::MAX);
    let unions = Unions::compiler()
        .with_limits(deepest)
        .compile(SchemaSource::Schema(&tree()))
        .expect("a well-formed schema or document");
    let wrap = |tree| {
        let tree = Value::Array(vec![tree]);
        object([
            ("name", "x".into()),
            ("type", "B".into()),
            ("a", 1.into()),
            ("trees", tree),
        ])
    };
    let old = Deep::new(1_000, json!({}), wrap);
    let mut new = Deep::new(1_000, json!({}), wrap);
    let report = unions.admit(
        &mut new,
        Some(&old),
        &Settings::default().ratchet(Ratchet::Unchanged),
    );
    assert!(
        lines(&report)
            .iter()
            .any(|line| line.contains("more than 256 levels"))
    );
    let mut new = Deep::new(127, json!({"type": "B", "name": "x"}), wrap);
    let old = Deep::new(127, json!({"type": "A", "name": "x", "a": 1}), |tree| {
        let tree = Value::Array(vec![tree]);
        object([
            ("name", "x".into()),
            ("type", "A".into()),
            ("a", 1.into()),
            ("trees", tree),
        ])
    });
    let changes = unions.normalize(&mut new, Some(&old), &Settings::default());
    assert_eq!(changes.len(), 127);
    assert_eq!(unions.validate(&new), Report::default());
    let mut merged = Value::clone(&new);
    let applied = unions.normalize_apply(&mut merged, &new, Some(&old), &Settings::default());
    assert_eq!(applied, Report::default(), "no changes and no errors");
    for ratchet in [Ratchet::SameReason, Ratchet::Unchanged, Ratchet::Off] {
        let settings = Settings::default().ratchet(ratchet);
        assert!(unions.validate_update(&new, &old, &settings).is_accepted());
        assert!(unions.validate_update(&old, &old, &settings).is_accepted());
    }
}

#[test]
fn members_may_be_deeper_than_the_stack() {
    let unions = unions(&choice());
    let deep = || {
        let deep = Deep::new(100_000, json!(1), |value| Value::Array(vec![value]));
        deep.within(|deep| object([("type", "B".into()), ("a", deep)]))
    };
    let (new, old) = (deep(), deep());
    for ratchet in [Ratchet::SameReason, Ratchet::Unchanged] {
        let report = unions.validate_update(&new, &old, &Settings::default().ratchet(ratchet));
        assert!(report.is_accepted(), "no change");
        assert_eq!(report.tolerated().len(), 1);
    }
    let object_with_deep_discriminator =
        Deep::new(100_000, json!(1), |value| Value::Array(vec![value]));
    let object_with_deep_discriminator =
        object_with_deep_discriminator.within(|deep| object([("type", deep)]));
    let report = unions.validate(&object_with_deep_discriminator);
    let start = "type: Invalid value: \"array\": type in body must be of type string: \"array\": ";
    assert!(report.to_string().starts_with(start), "{report}");
    assert!(
        unions
            .validate_update(
                &object_with_deep_discriminator,
                &object_with_deep_discriminator,
                &Settings::default()
            )
            .is_accepted()
    );
}

#[test]
fn a_million_elements_are_validated_and_one_more_is_rejected() {
    let unions = unions(&json!({"properties": {"list": {"items": choice()}}}));
    // The object and the list count as two visited nodes.
    let object = |count: usize| json!({"list": vec![5; count - 2]});
    assert_eq!(unions.validate(&object(1_000_000)), Report::default());
    let mut too_large = object(1_000_001);
    let report = unions.admit(&mut too_large, None, &Settings::default());
    assert_eq!(
        lines(&report),
        [
            "list[999998]: Invalid value: the object has more than 1000000 places that may contain unions; make it smaller, or raise `Limits::max_nodes`"
        ]
    );
    let limits = Limits::default().max_nodes(1_000_001);
    let unions = Unions::compiler()
        .with_limits(limits)
        .compile(SchemaSource::Schema(
            &json!({"properties": {"list": {"items": choice()}}}),
        ));
    assert_eq!(
        unions
            .expect("a well-formed schema or document")
            .validate(&too_large),
        Report::default()
    );
}

#[test]
fn a_hundred_thousand_invalid_unions_are_all_reported() {
    let unions = unions(
        &json!({"properties": {"list": {"items": choice()}, "map": {"additionalProperties": choice()}}}),
    );
    let map: Value = (0..50_000)
        .map(|i| (format!("k{i:05}"), json!({})))
        .collect();
    let object = json!({"list": vec![json!({}); 50_000], "map": map});
    let report = unions.validate(&object);
    assert_eq!(report.errors().len(), 100_000, "no member is selected");
    assert_eq!(report.errors()[99_999].path(), "map[k49999].type");
    let report = unions.validate_update(&object, &object, &Settings::default());
    assert!(report.is_accepted(), "the list is what it was");
    assert_eq!(report.tolerated().len(), 100_000);
    let mut longer = object.clone();
    longer["list"]
        .as_array_mut()
        .expect("a list")
        .push(json!({}));
    let report = unions.validate_update(&longer, &object, &Settings::default());
    assert_eq!(
        [report.errors().len(), report.tolerated().len()],
        [50_001, 50_000],
        "elements of a list without keys are new"
    );
}

/// Asserts that an object of twice the size takes at most about twice the allocations.
#[track_caller]
fn assert_linear(unions: &Unions, make_objects: impl Fn(usize) -> [Value; 2], size: usize) {
    for ratchet in [Ratchet::SameReason, Ratchet::Unchanged] {
        let settings = Settings::default().ratchet(ratchet);
        let [once, twice] = [size, 2 * size].map(|size| {
            let [mut new, old] = make_objects(size);
            measure(|| drop(unions.admit(&mut new, Some(&old), &settings))).count_total
        });
        assert!(
            once > size as u64 / 2,
            "only {once} allocations: nothing was looked at"
        );
        assert!(2 * twice < 5 * once, "{once} allocations, then {twice}");
    }
}

#[test]
fn the_work_is_linear_in_the_size_of_the_object() {
    let unions = unions(&tree());
    let list = |count: usize, r#type: &str| -> Vec<Value> {
        (0..count)
            .map(|i| json!({"name": i, "type": r#type, "a": 1}))
            .collect()
    };
    assert_linear(
        &unions,
        |count| {
            let new = json!({"type": "B", "trees": list(count, "B")});
            [new, json!({"type": "B", "trees": list(count, "A")})]
        },
        1_000,
    );
    // All new and old elements have the same key.
    assert_linear(
        &unions,
        |count| {
            let element = json!({"name": "x", "type": "B", "a": 1});
            let same = json!({"type": "B", "trees": vec![element; count]});
            [same.clone(), same]
        },
        1_000,
    );
    // All elements have the same key, so all are compared with one old element, and each searches
    // the list in it.
    assert_linear(
        &unions,
        |count| {
            let element =
                json!({"name": "x", "type": "B", "trees": [{"name": "y", "type": "B", "a": 1}]});
            let old = json!({"name": "x", "type": "B", "trees": list(count, "B")});
            [
                json!({"type": "B", "trees": vec![element; count]}),
                json!({"type": "B", "trees": [old]}),
            ]
        },
        200,
    );
    // Maps must be linear too.
    let map = |count: usize, r#type: &str| -> Value {
        let entry = |i| (format!("k{i}"), json!({"type": r#type, "a": 1}));
        (0..count).map(entry).collect()
    };
    assert_linear(
        &unions,
        |count| {
            [
                json!({"type": "B", "map": map(count, "B")}),
                json!({"type": "B", "map": map(count, "A")}),
            ]
        },
        1_000,
    );
    // The keys are fields that the schema does not describe.
    assert_linear(
        &unions,
        |count| {
            let mut new = map(count, "B");
            new["type"] = "B".into();
            new["k0x"] = 1.into();
            let mut old = new.clone();
            old["type"] = "k0X".into();
            new["trees"] = list(count, "B").into();
            [new, old]
        },
        1_000,
    );
}

/// Returns a value of every JSON type.
fn values_of_every_type() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(5),
        json!(-1.5),
        json!(u64::MAX),
        json!(""),
        json!("A"),
        json!("nobody knows it"),
        json!([]),
        json!([null, 5, [], {}, [[{}]]]),
        json!({}),
        json!({"type": 5, "a": null, "name": [], "trees": {}, "map": [], "one": "x"}),
        json!({"type": "B", "a": {}, "name": null, "trees": [5, {}], "map": {"": null}, "one": []}),
    ]
}

/// Returns the JSON pointers of all values in an object.
fn pointers(value: &Value) -> Vec<String> {
    let child_values: Vec<(String, &Value)> = match value {
        Value::Array(values) => values
            .iter()
            .enumerate()
            .map(|(i, value)| (i.to_string(), value))
            .collect(),
        Value::Object(values) => values
            .iter()
            .map(|(name, value)| (name.clone(), value))
            .collect(),
        _ => Vec::new(),
    };
    let child_values = child_values.iter().flat_map(|(step, value)| {
        pointers(value)
            .into_iter()
            .map(move |place| format!("/{step}{place}"))
    });
    [String::new()].into_iter().chain(child_values).collect()
}

#[test]
fn values_of_any_type_are_handled_at_every_path() {
    let mut schema = tree();
    schema["properties"]["left"] = json!({});
    schema["properties"]["right"] = json!({});
    schema["x-kubernetes-unions"] =
        json!([{"fields-to-discriminateBy": {"left": "L", "right": "R"}}]);
    let unions = unions(&schema);
    let inner = json!({"type": "A", "a": 1, "name": "x", "left": 1});
    let object =
        json!({"type": "B", "left": 1, "trees": [inner, inner], "map": {"m": inner}, "one": inner});
    let mut invalid_objects = vec![object.clone()];
    for pointer in pointers(&object) {
        for value in values_of_every_type() {
            let mut changed_object = object.clone();
            *changed_object
                .pointer_mut(&pointer)
                .expect("a present value") = value;
            invalid_objects.push(changed_object);
        }
    }
    assert!(invalid_objects.len() > 300);
    for (i, new) in invalid_objects.iter().enumerate() {
        let _ = run_all_operations(&unions, new, &object);
        let _ = run_all_operations(&unions, &object, new);
        let _ = run_all_operations(
            &unions,
            new,
            &invalid_objects[(i + 7) % invalid_objects.len()],
        );
    }
}

#[test]
fn a_discriminator_that_is_not_a_string_is_reported_with_its_type() {
    let unions = unions(&json!({"properties": {"spec": choice()}}));
    for (value, kind) in [
        (json!(true), "boolean"),
        (json!(5), "integer"),
        // An API server reads it as a float.
        (json!(u64::MAX), "number"),
        (json!(5.0), "number"),
        (json!([]), "array"),
        (json!({"a": 1}), "object"),
    ] {
        let object = json!({"spec": {"type": value, "a": 1}});
        let lines = lines(&unions.validate(&object));
        let start = format!(
            "spec.type: Invalid value: \"{kind}\": spec.type in body must be of type string: \"{kind}\": "
        );
        assert_eq!(lines.len(), 1);
        assert!(lines[0].starts_with(&start), "{lines:?}");
        assert!(
            unions
                .validate_update(&object, &object, &Settings::default())
                .is_accepted()
        );
        // A value of the same type with other content is another reason.
        let object_with_list = json!({"spec": {"type": [value], "a": 1}});
        assert!(
            !unions
                .validate_update(&object, &object_with_list, &Settings::default())
                .is_accepted()
        );
        // A value that is not a string selects nothing, so normalization clears nothing. A change
        // from it to any string is a change of the discriminator.
        let mut new = object.clone();
        let old = json!({"spec": {"type": "A", "a": 1}});
        assert!(
            unions
                .normalize(&mut new, Some(&old), &Settings::default())
                .is_empty()
        );
        let mut new = json!({"spec": {"type": "B", "a": 1}});
        let changes = unions.normalize(&mut new, Some(&object), &Settings::default());
        assert_eq!(changes.to_string(), "spec.a: cleared");
    }
    // A null is equal to an absent value.
    let lines = lines(&unions.validate(&json!({"spec": {"type": null}})));
    assert_eq!(lines.len(), 1);
    assert!(
        lines[0].starts_with("spec.type: Required value: "),
        "{lines:?}"
    );
}

#[test]
fn values_that_are_not_objects_have_no_unions() {
    let unions = unions(&tree());
    for value in values_of_every_type()
        .into_iter()
        .filter(|value| !value.is_object() && !value.is_array())
    {
        assert_eq!(
            run_all_operations(&unions, &value, &json!({"type": "A"})),
            Report::default(),
            "{value}"
        );
        let object = json!({"type": "B", "trees": value, "map": value, "one": value});
        assert_eq!(
            run_all_operations(&unions, &object, &json!({})),
            Report::default(),
            "{value}"
        );
    }
    // The schema does not describe the elements of a list that replaces an object, so they have
    // no unions.
    let object =
        json!({"type": "B", "one": [{"a": 1}], "map": [{"a": 1}], "trees": {"a": {"a": 1}}});
    assert_eq!(
        run_all_operations(&unions, &object, &json!({})),
        Report::default()
    );
}
