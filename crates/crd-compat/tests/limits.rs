//! The limits of a comparison hold, and the report names the places that they leave out.

use crd_compat::bounds::{LEVELS, OBJECTS_PER_DIFFERENCE};
use crd_compat::{ObjectLimit, Unproven, UnprovenReason, VersionReport, compare_crds};
use serde_json::{Value, json};

use crate::support::crd_with;

fn compare_fields(old: &Value, new: &Value) -> VersionReport {
    let crd = |field: &Value| {
        let spec = json!({"type": "object", "properties": {"f": field}});
        crd_with(
            &json!({"type": "object", "properties": {"spec": spec}}),
            false,
        )
    };
    let report = compare_crds(&crd(old), &crd(new)).unwrap();
    report.versions.into_iter().next().unwrap()
}

/// Returns an object with many fields, and a keyword.
fn wide_object(keyword: &str, value: Value) -> Value {
    let fields = (0..30).map(|number| {
        let values: Vec<String> = (0..30).map(|value| format!("{number}-{value}")).collect();
        (
            format!("f{number}"),
            json!({"type": "string", "enum": values}),
        )
    });
    let fields: serde_json::Map<String, Value> = fields.collect();
    let mut schema = json!({"type": "object", "properties": fields});
    schema[keyword] = value;
    schema
}

#[test]
fn the_number_of_objects_for_a_difference_is_limited() {
    for (keyword, old, new) in [
        // No object tells the rules apart, so all kinds of objects are tried.
        (
            "x-kubernetes-validations",
            json!([{"rule": "has(self.f1)"}]),
            json!([{"rule": "has(self.f1) && true"}]),
        ),
        // Updates are tried for rules about the old value.
        (
            "x-kubernetes-validations",
            json!([{"rule": "self == oldSelf || true"}]),
            json!([]),
        ),
        ("minProperties", json!(1), json!(0)),
    ] {
        let [old, new] = [old, new].map(|value| wide_object(keyword, value));
        let report = compare_fields(&old, &new);
        let most = OBJECTS_PER_DIFFERENCE * report.differences;
        assert!(report.differences > 0);
        assert!(report.objects <= most, "{} objects", report.objects);
        for unproven in &report.unproven {
            assert!(unproven.objects <= OBJECTS_PER_DIFFERENCE, "{unproven:?}");
        }
        let untried = report
            .untried
            .iter()
            .find(|it| it.limit == ObjectLimit::Objects);
        let untried = untried.unwrap_or_else(|| panic!("{keyword}: {:?}", report.untried));
        assert_eq!((&*untried.path, untried.keyword), ("spec.f", keyword));
        assert!(untried.values > 0);
        let notes = report.notes().join("\n");
        assert!(
            notes.contains(&format!("for `{keyword}` of spec.f")),
            "{notes}"
        );
    }
}

/// An object that is too large is not built.
#[test]
fn the_size_of_objects_is_limited() {
    let long = |length: u64| json!({"type": "string", "maxLength": length});
    let item = json!({"type": "string", "minLength": 9_000});
    let list = |length: u64| json!({"type": "array", "maxItems": length, "items": item});
    let map = |count: u64| json!({"type": "object", "maxProperties": count, "additionalProperties": item});
    for (old, new, keyword) in [
        (long(u64::from(u32::MAX)), long(1_000_000_000), "maxLength"),
        (list(900), list(800), "maxItems"),
        (map(200), map(100), "maxProperties"),
    ] {
        let report = compare_fields(&old, &new);
        let untried = report
            .untried
            .iter()
            .find(|it| it.limit == ObjectLimit::Bytes);
        let untried = untried.unwrap_or_else(|| panic!("{keyword}: {:?}", report.untried));
        assert_eq!((&*untried.path, untried.keyword), ("spec.f", keyword));
        let notes = report.notes().join("\n");
        assert!(notes.contains("in objects over 70000 bytes"), "{notes}");
    }
}

/// Each removed value of an enum is tried, although an enum has more values than objects are tried.
#[test]
fn a_removed_value_of_a_long_enum_is_found() {
    let values: Vec<String> = (0..1_000).map(|number| format!("value-{number}")).collect();
    let schema = |values: &[String]| json!({"type": "string", "enum": values});
    let report = compare_fields(&schema(&values), &schema(&values[..999]));
    let objects: Vec<&Value> = report
        .findings
        .iter()
        .map(|finding| &finding.proof.as_ref().unwrap().object["spec"]["f"])
        .collect();
    assert_eq!(objects, [&json!("value-999")], "{:?}", report.unproven);
}

#[test]
fn a_place_below_too_many_levels_is_named() {
    let nested = |keyword: &str| {
        let mut schema = json!({"type": "string", keyword: 1});
        for _ in 0..=LEVELS {
            schema = json!({"type": "array", "items": schema});
        }
        schema
    };
    let report = compare_fields(&nested("minLength"), &nested("maxLength"));
    let [Unproven { path, reason, .. }] = &*report.unproven else {
        panic!("{:?}", report.unproven)
    };
    assert_eq!(*reason, UnprovenReason::TooManyLevels);
    assert!(path.starts_with("spec.f[*][*]"), "{path}");
    let notes = report.notes().join("\n");
    assert!(
        notes.contains("more than 64 schemas contain the place"),
        "{notes}"
    );
}

#[test]
fn the_first_place_beyond_too_many_differences_is_named() {
    let schema = |bound: u64| {
        let fields = (0..2_100).map(|number| {
            (
                format!("f{number:04}"),
                json!({"type": "integer", "maximum": bound}),
            )
        });
        let fields: serde_json::Map<String, Value> = fields.collect();
        json!({"type": "object", "properties": fields})
    };
    let report = compare_fields(&schema(9), &schema(5));
    let unexamined = report
        .unproven
        .iter()
        .find(|unproven| unproven.objects == 0);
    let unexamined = unexamined.unwrap();
    assert_eq!(
        (&*unexamined.path, unexamined.reason),
        ("spec.f.f2048", UnprovenReason::TooManyDifferences(52))
    );
}

/// The searches for an accepted object end, and the differences after them are not called
/// ineffective.
#[test]
fn the_number_of_repaired_objects_is_limited() {
    let rare = |name: &str| json!({"rule": format!("!has(self.{name}) || self.{name} == 'A' || self.n * self.n == 5041")});
    let names: Vec<String> = (0..60).map(|number| format!("a{number:02}")).collect();
    let schema = |values: Value| {
        let field = json!({"type": "string", "enum": values});
        let fields = names.iter().map(|name| (name.clone(), field.clone()));
        let mut properties: serde_json::Map<String, Value> = fields.collect();
        properties.insert("z".to_owned(), field.clone());
        properties.insert("n".to_owned(), json!({"type": "integer"}));
        let mut rules: Vec<Value> = names.iter().map(|name| rare(name)).collect();
        rules.push(json!({"rule": "!has(self.z) || self.z == 'A' || has(self.n)"}));
        json!({"type": "object", "properties": properties, "x-kubernetes-validations": rules})
    };
    let report = compare_fields(&schema(json!(["A", "B"])), &schema(json!(["A"])));
    let is_undecided = |unproven: &&Unproven| unproven.reason == UnprovenReason::RejectedByBoth;
    let undecided = report.unproven.iter().filter(is_undecided);
    let paths: Vec<&str> = undecided.map(|unproven| &*unproven.path).collect();
    assert!(paths.contains(&"spec.f.z"), "{paths:?}");
}
