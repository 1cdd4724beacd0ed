//! Tests of the advice on errors: changes that satisfy combinators, and the reasons why an update
//! does not tolerate an error.

use k8s_crd_validation::{
    KubeVersion, RatchetingPolicy, Request, ServerSettings, StatusHandling, StructuralSchema,
    Violation,
};
use serde_json::{Value, json};

use super::{resource, schema};

/// Returns the schema of a `spec` with three strings and these combinators.
fn spec_with(combinators: &Value) -> Value {
    let string = || json!({"type": "string", "nullable": true});
    let mut spec =
        json!({"type": "object", "properties": {"a": string(), "b": string(), "c": string()}});
    for (keyword, value) in combinators.as_object().into_iter().flatten() {
        spec[keyword] = value.clone();
    }
    spec
}

fn required(names: &[&str]) -> Value {
    json!({ "required": names })
}

/// Returns combinators that declare unions: exactly one, at least one, at most one and others.
fn combinators() -> Vec<Value> {
    let fields = [required(&["a"]), required(&["b"]), required(&["c"])];
    vec![
        json!({"oneOf": fields}),
        json!({"oneOf": [fields[0], fields[1]]}),
        json!({"anyOf": fields}),
        json!({"anyOf": [fields[0], fields[1]]}),
        json!({"not": pair("a", "b")}),
        json!({"not": {"anyOf": [pair("a", "b"), pair("a", "c"), pair("b", "c")]}}),
        json!({"not": {"anyOf": fields}}),
        json!({"allOf": [{"oneOf": [fields[0], fields[1]]}, {"anyOf": [fields[1], fields[2]]}]}),
        json!({"oneOf": [pair("a", "b"), fields[2]]}),
        json!({"oneOf": [fields[0], fields[1], {"not": {"anyOf": [fields[0], fields[1]]}}]}),
        json!({"anyOf": [{"not": fields[0]}, fields[1]]}),
        discriminated_union(),
    ]
}

fn pair(first: &str, second: &str) -> Value {
    required(&[first, second])
}

/// Returns a union of `b` and `c` with the discriminator `a`.
fn discriminated_union() -> Value {
    let branch = |value: &str, member: &str, other: &str| {
        json!({
            "properties": {"a": {"enum": [value]}},
            "required": ["a", member], "not": required(&[other]),
        })
    };
    json!({"oneOf": [branch("B", "b", "c"), branch("C", "c", "b")]})
}

/// Returns all objects in which each of the fields is absent, null, or one of two strings.
fn objects() -> Vec<Value> {
    let values = [None, Some(Value::Null), Some(json!("B")), Some(json!("C"))];
    let mut objects = vec![json!({})];
    for name in ["a", "b", "c"] {
        let with_field = |object: &Value| {
            let object = object.clone();
            values.clone().map(move |value| {
                let mut object = object.clone();
                if let Some(value) = value {
                    object[name] = value;
                }
                object
            })
        };
        objects = objects.iter().flat_map(with_field).collect();
    }
    objects
}

/// Returns the names in backticks.
fn names(text: &str) -> Vec<String> {
    text.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

/// Returns the objects that the advice describes.
#[expect(clippy::too_many_lines, reason = "each branch is a form of advice")]
fn changed_objects(advice: &str, object: &Value) -> Vec<Value> {
    let (_, changes) = advice
        .split_once(": ")
        .expect("advice has a state and changes");
    let mut results = Vec::new();
    let without = |object: &Value, removed: &[String]| {
        let mut object = object.clone();
        object
            .as_object_mut()
            .unwrap()
            .retain(|name, _| !removed.contains(name));
        object
    };
    for change in changes.split(", or ") {
        if let Some((before, value)) = change.split_once(" to ") {
            let (before, name) = before.rsplit_once("set ").unwrap();
            let is_addition = before.starts_with("set ");
            let (removed, added) = match before.split_once(" and set ") {
                Some(parts) => parts,
                None if is_addition => ("", before),
                None => (before, ""),
            };
            let mut object = without(object, &names(removed));
            for name in &names(added) {
                object[name] = json!("x");
            }
            object[&names(name)[0]] = value.parse().unwrap();
            results.push(object);
        } else if change.starts_with("remove all but") {
            let present: Vec<String> = object.as_object().unwrap().keys().cloned().collect();
            let kept = Some(names(change)).filter(|kept| !kept.is_empty());
            for kept in kept.unwrap_or_else(|| present.clone()) {
                let removed: Vec<String> = present
                    .iter()
                    .filter(|name| **name != kept)
                    .cloned()
                    .collect();
                results.push(without(object, &removed));
            }
        } else if change.contains(" or ") || names(change).len() == 1 {
            for name in names(change) {
                results.push(if change.starts_with("remove") {
                    without(object, &[name])
                } else {
                    let mut object = object.clone();
                    object[&name] = json!("x");
                    object
                });
            }
        } else if change.contains(" and ") {
            let (removed, added) = match change.split_once(" and set ") {
                Some((removed, added)) => (removed, added),
                None if change.starts_with("set") => ("", change),
                None => (change, ""),
            };
            let mut object = without(object, &names(removed));
            for name in names(added) {
                object[&name] = json!("x");
            }
            results.push(object);
        } else {
            panic!("{change} is not a change");
        }
    }
    results
}

#[test]
fn changes_satisfy_all_combinators() {
    let settings = ServerSettings::default();
    let (mut with_advice, mut without_advice) = (0, 0);
    for combinators in combinators() {
        let schema = schema(spec_with(&combinators));
        let is_accepted = |spec: &Value| {
            let mut object = json!({"spec": spec});
            schema.create(&mut object, &settings).is_accepted()
        };
        for spec in objects() {
            let mut request = Request::new(&schema, &settings).with_advice();
            let report = request.create(&mut json!({"spec": spec}));
            if report.is_accepted() {
                assert!(request.advice().is_empty(), "{combinators} {spec}");
                continue;
            }
            for advice in request.advice() {
                with_advice += 1;
                let changed = changed_objects(&advice.text, &spec);
                assert!(!changed.is_empty(), "{advice}");
                for changed in &changed {
                    assert!(
                        is_accepted(changed),
                        "{combinators} {spec}: {advice}: {changed}"
                    );
                }
            }
            without_advice += usize::from(request.advice().is_empty());
        }
    }
    assert!(with_advice > 300, "{with_advice}");
    assert_eq!(without_advice, 0);
}

#[test]
#[expect(clippy::too_many_lines, reason = "it is a table")]
fn advice_states_the_fields_that_are_set() {
    let exactly_one = spec_with(&json!({"oneOf": [required(&["a"]), required(&["b"])]}));
    let one_of_three = json!({"oneOf": [required(&["a"]), required(&["b"]), required(&["c"])]});
    let cases = [
        (
            exactly_one.clone(),
            json!({"a": "", "b": ""}),
            "`a` and `b` are both set: remove `a` or `b`",
        ),
        (
            exactly_one.clone(),
            json!({}),
            "none of `a`, `b` is set: set `a` or `b`",
        ),
        (
            exactly_one,
            json!({"a": "", "b": null}),
            "`a` and `b` are both set (a null counts as set): remove `b`, which is null",
        ),
        (
            spec_with(&one_of_three),
            json!({"a": "", "b": "", "c": ""}),
            "`a`, `b` and `c` are set: remove all but one",
        ),
        (
            spec_with(&json!({"not": required(&["a", "b"])})),
            json!({"a": "", "b": ""}),
            "`a` and `b` are both set: remove `a` or `b`",
        ),
        (
            spec_with(&json!({"anyOf": [required(&["a"]), required(&["b"])]})),
            json!({"c": ""}),
            "none of `a`, `b` is set: set `a` or `b`",
        ),
        (
            spec_with(&json!({"anyOf": [{"not": required(&["a"])}, required(&["b"])]})),
            json!({"a": ""}),
            "`a` is set: remove `a`, or set `b`",
        ),
        (
            spec_with(&combinators()[11]),
            json!({"a": "B", "c": ""}),
            "`a` is \"B\", `c` is set: set `a` to \"C\"",
        ),
    ];
    let settings = ServerSettings::default();
    for (spec_schema, spec, expected) in cases {
        // The same object at every place: in a field, a list and a map.
        for (place, object) in [
            (spec_schema.clone(), spec.clone()),
            (
                json!({"type": "array", "items": spec_schema}),
                json!([spec]),
            ),
            (
                json!({"type": "object", "additionalProperties": spec_schema}),
                json!({"k": spec}),
            ),
        ] {
            let schema = schema(place);
            let mut request = Request::new(&schema, &settings).with_advice();
            let report = request.create(&mut json!({"spec": object}));
            let advice: Vec<String> = request.advice().iter().map(ToString::to_string).collect();
            assert_eq!(advice, [expected], "{report}");
            assert!(report.errors().contains(&request.advice()[0].error));
        }
    }
}

/// Returns the advice on the errors of a create.
fn create_advice(schema: &StructuralSchema, spec: &Value) -> Vec<String> {
    let settings = ServerSettings::default();
    let mut request = Request::new(schema, &settings).with_advice();
    let report = request.create(&mut json!({"spec": spec}));
    assert!(!report.is_accepted(), "{spec}");
    let advice = request.advice().iter();
    advice.map(ToString::to_string).collect()
}

#[test]
fn advice_names_only_changes_that_are_needed() {
    let values_of_a = |value: &str| json!({"a": {"enum": [value]}});
    let is_empty = json!({"properties": {"b": {"maxLength": 0}}});
    for (combinators, spec, expected) in [
        (
            json!({"oneOf": [pair("a", "b"), pair("c", "d")]}),
            json!({}),
            "none of `a`, `b`, `c`, `d` is set: set `a` and `b`",
        ),
        (
            json!({"not": required(&["a", "b", "c"])}),
            json!({"a": "", "b": "", "c": ""}),
            "`a`, `b` and `c` are set: remove `a`, `b` or `c`",
        ),
        (
            json!({"anyOf": [{"properties": {"a": {"maxLength": 1}}}]}),
            json!({"a": "xx"}),
            "`a` is set: remove `a`",
        ),
        (
            json!({"anyOf": [{"required": ["b"], "not": is_empty}]}),
            json!({}),
            "`b` is not set: set `b`",
        ),
        (
            json!({"anyOf": [{"properties": values_of_a("B")}]}),
            json!({"a": "X"}),
            "`a` is \"X\": remove `a`, or set `a` to \"B\"",
        ),
        (
            json!({"oneOf": [
                {"properties": values_of_a("B"), "required": ["b"]},
                {"properties": values_of_a("C"), "required": ["c"]},
            ]}),
            json!({"a": "X", "b": ""}),
            "`a` is \"X\", `b` is set: remove `a`, or set `a` to \"B\"",
        ),
        (
            discriminated_union(),
            json!({"c": ""}),
            "`c` is set: set `a` to \"C\"",
        ),
        (
            discriminated_union(),
            json!({}),
            "none of `b`, `c` is set: set `b` and set `a` to \"B\"",
        ),
    ] {
        let advice = create_advice(&schema(spec_with(&combinators)), &spec);
        assert_eq!(advice, [expected], "{combinators} {spec}");
    }
}

#[test]
fn advice_is_not_given_with_nine_levels_or_24_fields() {
    let nested =
        |levels: usize| (0..levels).fold(required(&["a"]), |inner, _| json!({"anyOf": [inner]}));
    let expected = ["`a` is not set: set `a`"];
    assert_eq!(
        create_advice(&schema(spec_with(&nested(8))), &json!({})),
        expected
    );
    assert_eq!(
        create_advice(&schema(spec_with(&nested(9))), &json!({})),
        [""; 0]
    );

    let has_advice = |count: usize| {
        let names: Vec<String> = (0..count).map(|i| format!("f{i}")).collect();
        let mut spec_schema = json!({"type": "object", "anyOf": [{
            "required": names, "anyOf": [{"properties": {"f0": {"enum": ["B"]}}}],
        }]});
        let mut spec = json!({});
        for name in names {
            spec_schema["properties"][&name] = json!({"type": "string"});
            spec[&name] = json!("");
        }
        !create_advice(&schema(spec_schema), &spec).is_empty()
    };
    // With the maximum number of fields, the branch inside the branch is not read.
    assert!(has_advice(23));
    assert!(!has_advice(24));
}

/// Returns the advice on the errors of an update.
fn update_advice(
    schema: &StructuralSchema,
    old: &Value,
    new: &Value,
    settings: &ServerSettings,
) -> Vec<(String, String)> {
    let mut request = Request::new(schema, settings).with_advice();
    let report = request.update(&mut new.clone(), old);
    assert!(!report.is_accepted(), "{new}");
    let advice = request.advice().iter();
    let advice = advice.map(|advice| (advice.error.path().to_string(), advice.text.clone()));
    // The report does not depend on the advice.
    assert_eq!(report, schema.update(&mut new.clone(), old, settings));
    advice.collect()
}

const SAME_ERROR: &str = "the stored object has this error too, but";

#[test]
#[expect(clippy::too_many_lines, reason = "it is a table")]
fn reasons_name_the_value_that_must_be_unchanged() {
    let long = json!({"type": "string", "maxLength": 1});
    let object = |properties: Value| json!({"type": "object", "properties": properties});
    let rule = |rule: &str| json!([{ "rule": rule }]);
    let mut size_rule =
        object(json!({"n": {"type": "string", "maxLength": 9}, "m": {"type": "integer"}}));
    size_rule["x-kubernetes-validations"] = rule("size(self.n) < 2");
    let mut old_self = json!({"type": "string", "maxLength": 9});
    old_self["x-kubernetes-validations"] = rule("size(self) < 2 || oldSelf == 'y'");
    let with_size_rule = |items: &Value| {
        let mut items = items.clone();
        items["x-kubernetes-validations"] = rule("size(self.n) < 2");
        items
    };
    let item = object(json!({"n": {"type": "string", "maxLength": 9}}));
    let cases = [
        (
            "elements of a list without keys",
            object(json!({"l": {"type": "array", "items": long}})),
            json!({"l": ["xx"]}),
            json!({"l": ["xx", "y"]}),
            "the elements of `spec.l`, a list without keys, have no old values: it is tolerated \
             only if the whole list is unchanged",
        ),
        (
            "an element that has moved",
            object(json!({"l": {"type": "array", "items": object(json!({"n": long}))}})),
            json!({"l": [{"n": "xx"}]}),
            json!({"l": [{}, {"n": "xx"}]}),
            "the elements of `spec.l`, a list without keys, have no old values: it is tolerated \
             only if the whole list is unchanged",
        ),
        (
            "an element after a value with a combinator",
            object(json!({
                "a": {"type": "string", "allOf": [{"maxLength": 1}]},
                "l": {"type": "array", "items": long},
            })),
            json!({"a": "x", "l": ["xx"]}),
            json!({"a": "x", "l": ["xx", "y"]}),
            "the elements of `spec.l`, a list without keys, have no old values: it is tolerated \
             only if the whole list is unchanged",
        ),
        (
            "a field in a branch",
            json!({"type": "object", "properties": {"n": {"type": "string"}, "m": {"type": "integer"}},
                "allOf": [{"properties": {"n": {"maxLength": 1}}}]}),
            json!({"n": "xx", "m": 1}),
            json!({"n": "xx", "m": 2}),
            "a combinator (allOf, anyOf, oneOf, not) checks the whole of `spec`: it is tolerated \
             only if `spec` is unchanged",
        ),
        (
            "a union",
            json!({"type": "object", "properties": {"a": long, "b": long, "m": {"type": "integer"}},
                "oneOf": [required(&["a"]), required(&["b"])]}),
            json!({"a": "", "b": "", "m": 1}),
            json!({"a": "", "b": "", "m": 2}),
            "a combinator (allOf, anyOf, oneOf, not) checks the whole of `spec`: it is tolerated \
             only if `spec` is unchanged",
        ),
        (
            "a required field",
            json!({"type": "object", "properties": {"n": long, "m": {"type": "integer"}}, "required": ["n"]}),
            json!({"m": 1}),
            json!({"m": 2}),
            "it belongs to the whole of `spec`: it is tolerated only if `spec` is unchanged",
        ),
        (
            "a rule of a changed object",
            size_rule,
            json!({"n": "xx", "m": 1}),
            json!({"n": "xx", "m": 2}),
            "it belongs to the whole of `spec`: it is tolerated only if `spec` is unchanged",
        ),
        (
            "a rule of an element",
            object(json!({"l": {"type": "array", "maxItems": 3, "items": with_size_rule(&item)}})),
            json!({"l": [{"n": "xx"}]}),
            json!({"l": [{"n": "xx"}, {"n": "y"}]}),
            "the elements of `spec.l`, a list without keys, have no old values: it is tolerated \
             only if the whole list is unchanged",
        ),
    ];
    for (name, spec_schema, old, new, expected) in cases {
        let schema = schema(spec_schema);
        let old = resource(&json!({"spec": old}));
        let new = resource(&json!({"spec": new}));
        let advice = update_advice(&schema, &old, &new, &ServerSettings::default());
        let reasons = advice
            .iter()
            .filter(|(_, text)| text.starts_with(SAME_ERROR));
        let reasons: Vec<&str> = reasons.map(|(_, text)| text.as_str()).collect();
        assert!(!reasons.is_empty(), "{name}");
        for reason in reasons {
            assert_eq!(reason, format!("{SAME_ERROR} {expected}"), "{name}");
        }
        // The unchanged object is accepted, so the reason is true.
        let report = schema.update(&mut old.clone(), &old, &ServerSettings::default());
        assert!(report.is_accepted(), "{name}: {report}");
        // An error that is new has no reason.
        let empty = resource(&json!({"spec": {}}));
        if name != "a required field" {
            let advice = update_advice(&schema, &empty, &new, &ServerSettings::default());
            assert!(
                advice.iter().all(|(_, text)| !text.starts_with(SAME_ERROR)),
                "{name}: {advice:?}"
            );
        }
    }
    let schema = schema(object(json!({"n": old_self, "m": {"type": "integer"}})));
    let old = resource(&json!({"spec": {"n": "xx", "m": 1}}));
    let new = resource(&json!({"spec": {"n": "xx", "m": 2}}));
    let advice = update_advice(&schema, &old, &new, &ServerSettings::default());
    let expected = "the value is unchanged, but the rule reads `oldSelf`: an error of such a rule \
                    is never tolerated";
    assert_eq!(advice, [("spec.n".to_owned(), expected.to_owned())]);
}

#[test]
fn an_element_without_a_key_of_its_own_is_not_compared_with_its_old_value() {
    let item = json!({
        "type": "object", "required": ["n"],
        "properties": {"n": {"type": "string"}, "m": {"type": "string", "maxLength": 1}},
    });
    let list = json!({
        "type": "array", "items": item,
        "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n"],
    });
    let schema =
        schema(json!({"type": "object", "properties": {"l": list, "m": {"type": "integer"}}}));
    // The key of the second element is also that of the third.
    let elements =
        json!([{"m": "xx"}, {"n": "a", "m": "xx"}, {"n": "a", "m": "yy"}, {"n": "b", "m": "xx"}]);
    let [old, new] = [1, 2].map(|m| resource(&json!({"spec": {"l": elements, "m": m}})));
    let advice = update_advice(&schema, &old, &new, &ServerSettings::default());
    let reason = |path: &str| {
        let found = advice.iter().find(|(field, _)| field == path);
        found.map(|(_, text)| text.strip_prefix(SAME_ERROR).unwrap())
    };
    for (field, path) in [
        ("spec.l[0].n", "spec.l[0]"),
        ("spec.l[0].m", "spec.l[0].m"),
        ("spec.l[2].m", "spec.l[2].m"),
    ] {
        let expected = format!(
            " `{path}` is not compared with its old value, because the key of its list element is \
             missing or occurs several times: set a key that only this element has"
        );
        assert_eq!(reason(field), Some(&*expected));
    }
    assert!(
        advice
            .iter()
            .all(|(field, _)| !field.starts_with("spec.l[3]")),
        "{advice:?}"
    );
}

#[test]
fn errors_in_metadata_are_never_tolerated() {
    let schema = schema(json!({"type": "object", "properties": {"m": {"type": "integer"}}}));
    let object = |m: i64| {
        let mut object = resource(&json!({"spec": {"m": m}}));
        object["metadata"]["labels"] = json!({"a": "-"});
        object
    };
    let advice = update_advice(&schema, &object(1), &object(2), &ServerSettings::default());
    let text = format!("{SAME_ERROR} errors in metadata are never tolerated");
    assert_eq!(advice, [("metadata.labels".to_owned(), text.clone())]);
    // Each error gets its own advice.
    let with_annotation = |m: i64| {
        let mut object = object(m);
        object["metadata"]["annotations"] = json!({"a b": "c"});
        object
    };
    let settings = ServerSettings::default();
    let advice = update_advice(&schema, &with_annotation(1), &with_annotation(2), &settings);
    let expected = ["metadata.labels", "metadata.annotations"];
    assert_eq!(advice, expected.map(|path| (path.to_owned(), text.clone())));
}

#[test]
fn versions_before_the_gate_are_named() {
    let rules = json!([{"rule": "size(self) < 2"}]);
    let fields = [
        json!({"type": "string", "maxLength": 1}),
        json!({"type": "string", "maxLength": 9, "x-kubernetes-validations": rules}),
    ];
    let version = |version: &str| {
        let version: KubeVersion = version.parse().unwrap();
        ServerSettings::default().version(version)
    };
    for field in fields {
        let part = json!({"type": "object", "properties": {"n": field, "m": {"type": "integer"}}});
        let whole = json!({"type": "object", "properties": {"spec": part, "status": part}});
        let compiler = StructuralSchema::compiler().status(StatusHandling::Subresource);
        let schema = compiler.schema(&whole).unwrap();
        let object = |m: i64| {
            let part = json!({"n": "xx", "m": m});
            resource(&json!({"spec": part, "status": part}))
        };
        let update = |settings: &ServerSettings| {
            let advice = update_advice(&schema, &object(1), &object(2), settings);
            advice
                .into_iter()
                .find(|(path, _)| path == "spec.n")
                .map(|(_, text)| text)
        };
        let since_1_30 = format!("{SAME_ERROR} updates tolerate such errors only from 1.30 on");
        assert_eq!(update(&version("1.29")), Some(since_1_30));
        let off = ServerSettings::default().ratchet(false);
        let is_off = format!("{SAME_ERROR} ratcheting is turned off for this request");
        assert_eq!(update(&off), Some(is_off));
        let status_update = |settings: &ServerSettings| {
            let mut request = Request::new(&schema, settings).with_advice();
            let report = request.update_status(&mut object(2), &object(1));
            let is_status = |violation: &Violation| violation.path().as_str().ends_with('n');
            assert!(report.errors().iter().any(is_status), "{report}");
            let mut advice = request.advice().iter();
            advice
                .find(|advice| is_status(&advice.error))
                .map(ToString::to_string)
        };
        let since_1_33 =
            format!("{SAME_ERROR} updates of the status tolerate such errors only from 1.33 on");
        assert_eq!(status_update(&version("1.32")), Some(since_1_33.clone()));
        assert_eq!(status_update(&version("1.29")), Some(since_1_33));
    }
}

#[test]
fn the_combinators_of_a_value_get_one_piece_of_advice() {
    let both = [required(&["a"]), required(&["b"])];
    let schema = schema(spec_with(&json!({"oneOf": both, "anyOf": both})));
    let expected = ["none of `a`, `b` is set: set `a` or `b`"];
    assert_eq!(create_advice(&schema, &json!({})), expected);
}

#[test]
fn changes_are_tried_for_the_first_20_combinators() {
    let union = spec_with(&json!({"oneOf": [required(&["a"]), required(&["b"])]}));
    let schema = schema(json!({"type": "object", "properties": {
        // Errors of the patterns are not errors of combinators.
        "a": {"type": "array", "items": {"type": "string", "pattern": "(not)"}},
        "b": {"type": "array", "items": union},
    }}));
    for (count, expected) in [(19, 19), (20, 20), (21, 20)] {
        let spec = json!({"a": vec!["x"; 30], "b": vec![json!({}); count]});
        assert_eq!(create_advice(&schema, &spec).len(), expected);
    }
}

#[test]
fn at_most_100_errors_get_advice() {
    let items = json!({"type": "string", "maxLength": 1});
    let schema = schema(json!({"type": "array", "items": items}));
    for (count, expected) in [(99, 99), (100, 100), (101, 100)] {
        let old = vec!["xx"; count];
        let mut new = old.clone();
        new.push("y");
        let [old, new] = [old, new].map(|spec| resource(&json!({"spec": spec})));
        let advice = update_advice(&schema, &old, &new, &ServerSettings::default());
        assert_eq!(advice.len(), expected);
    }
}

/// The list has changed, so the reason is obvious.
#[test]
fn an_error_of_a_changed_list_itself_has_no_reason() {
    let items = json!({"type": "integer"});
    let schema = schema(json!({"type": "array", "maxItems": 1, "items": items}));
    let [old, new] = [1, 2].map(|m| resource(&json!({"spec": [0, m]})));
    let advice = update_advice(&schema, &old, &new, &ServerSettings::default());
    assert_eq!(advice, []);
}

#[test]
fn the_kep_tolerates_no_error_of_a_combinator() {
    let both = json!({"oneOf": [required(&["a"]), required(&["b"])], "required": ["c"]});
    let schema = schema(spec_with(&both));
    let [old, new] = ["x", "y"].map(|a| resource(&json!({"spec": {"a": a, "b": "x"}})));
    let settings = ServerSettings::default().policy(RatchetingPolicy::Kep4008);
    let advice = update_advice(&schema, &old, &new, &settings);
    let expected = [
        (
            "",
            "KEP-4008 tolerates no error of allOf, anyOf, oneOf and not",
        ),
        (
            "spec.c",
            "it belongs to the whole of `spec`: it is tolerated only if `spec` is unchanged",
        ),
    ];
    let expected = expected.map(|(path, text)| (path.to_owned(), format!("{SAME_ERROR} {text}")));
    assert_eq!(advice, expected);
}
