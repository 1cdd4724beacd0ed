//! Tests of whole CRDs: the errors of each part, and the errors that an update tolerates.

use k8s_crd_validation::{FieldValidation, KubeVersion, UnknownField, ViolationKind, crd};
use serde_json::{Value, json};

fn base() -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "docs.example.com", "resourceVersion": "7"},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Doc", "plural": "docs"},
            "scope": "Namespaced",
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object",
                "properties": {"spec": {"type": "object", "properties": {"text": {"type": "string"}}}},
            }}}],
        },
    })
}

/// The base with another value at a pointer whose parent is there.
fn with(pointer: &str, value: Value) -> Value {
    let mut crd = base();
    set(&mut crd, pointer, value);
    crd
}

fn set(crd: &mut Value, pointer: &str, value: Value) {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    crd.pointer_mut(parent).unwrap()[name] = value;
}

fn created(crd: &Value) -> Vec<String> {
    let report = crd::Review::new().create(crd);
    report.errors().iter().map(ToString::to_string).collect()
}

fn updated(new: &Value, old: &Value) -> Vec<String> {
    let report = crd::Review::new().update(new, old);
    report.errors().iter().map(ToString::to_string).collect()
}

#[test]
fn each_part_is_judged() {
    assert_eq!(created(&base()), [""; 0]);
    for (pointer, value, error) in [
        (
            "/spec/names/listKind",
            json!("Doc"),
            r#"spec.names.listKind: Invalid value: "Doc": kind and listKind may not be the same"#,
        ),
        ("/spec/scope", json!(""), "spec.scope: Required value"),
        (
            "/spec/conversion",
            json!({"strategy": "Best"}),
            r#"spec.conversion.strategy: Unsupported value: "Best": supported values: "None", "Webhook""#,
        ),
        (
            "/spec/conversion",
            json!({"strategy": "Webhook", "webhook": {
                "clientConfig": {"url": "https://a b"}, "conversionReviewVersions": ["v1"],
            }}),
            r#"spec.conversion.webhookClientConfig.url: Required value: url must be a valid URL: parse "https://a b": invalid character " " in host name; desired format: https://host[/path]"#,
        ),
    ] {
        assert_eq!(created(&with(pointer, value)), [error], "{pointer}");
    }
}

#[test]
fn each_part_of_a_version_is_judged() {
    for (part, value, error) in [
        (
            "additionalPrinterColumns",
            json!([{"name": "a", "type": "string", "jsonPath": "]["}]),
            r#"spec.additionalPrinterColumns[0].JSONPath: Invalid value: "][": must be a simple json path starting with ."#,
        ),
        (
            "selectableFields",
            json!([{"jsonPath": ".spec.text"}, {"jsonPath": ".spec.text"}]),
            r#"spec.selectableFields[1].jsonPath: Duplicate value: ".spec.text""#,
        ),
        (
            "subresources",
            json!({"scale": {"specReplicasPath": ".spec.a", "statusReplicasPath": ".spec.b"}}),
            r#"spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.b": should be a json path under .status"#,
        ),
        (
            "deprecationWarning",
            json!("a<b"),
            r#"spec.versions[0].deprecationWarning: Invalid value: "a\u003cb": can only be set for deprecated versions"#,
        ),
    ] {
        let crd = with(&format!("/spec/versions/0/{part}"), value);
        assert_eq!(created(&crd), [error], "{part}");
    }
}

/// If all versions have the same schema, its error is reported once, below `spec.validation`. If
/// the schemas differ, each error has the path of its version.
#[test]
fn a_schema_that_versions_share_has_one_path() {
    let mut crd = base();
    let mut second = crd["spec"]["versions"][0].clone();
    second["name"] = json!("v2");
    second["storage"] = json!(false);
    crd["spec"]["versions"] = json!([crd["spec"]["versions"][0], second]);
    for version in ["0", "1"] {
        let pointer = format!("/spec/versions/{version}/schema/openAPIV3Schema/nullable");
        set(&mut crd, &pointer, json!(true));
    }
    let nullable = "nullable: Forbidden: nullable cannot be true at the root";
    let common = format!("spec.validation.openAPIV3Schema.{nullable}");
    assert_eq!(created(&crd), [common]);
    set(
        &mut crd,
        "/spec/versions/1/schema/openAPIV3Schema/description",
        json!("Another one."),
    );
    let own = |i| format!("spec.versions[{i}].schema.openAPIV3Schema.{nullable}");
    assert_eq!(created(&crd), [own(0), own(1)]);
}

#[test]
fn an_update_keeps_what_cannot_change() {
    let mut old = base();
    let mut new = with("/spec/scope", json!("Cluster"));
    assert_eq!(updated(&new, &old), [""; 0]);
    old["status"] = json!({"conditions": [{"type": "Established", "status": "True"}]});
    let scope = r#"spec.scope: Invalid value: "Cluster": field is immutable"#;
    assert_eq!(updated(&new, &old), [scope]);
    new = with("/spec/versions/0/name", json!("v2"));
    let errors = updated(&new, &old);
    assert!(errors[0].starts_with(
        r#"status.storedVersions[0]: Invalid value: "v1": missing from spec.versions"#
    ));
    assert_eq!(errors.len(), 1);
}

/// A server reads limits of sizes as integers of 64 bits, and all other limits as floats.
#[test]
fn a_schema_is_printed_with_the_numbers_that_a_server_reads() {
    let largest = i64::MAX;
    let mut crd = with("/spec/versions/0/subresources", json!({"status": {}}));
    let schema = "/spec/versions/0/schema/openAPIV3Schema";
    set(&mut crd, &format!("{schema}/nullable"), json!(true));
    let text =
        json!({"type": "string", "maximum": largest, "multipleOf": 1e21, "maxLength": largest});
    set(
        &mut crd,
        &format!("{schema}/properties/spec/properties/text"),
        text,
    );
    let errors = created(&crd);
    let printed = errors
        .iter()
        .find(|error| error.contains("Invalid value: {"));
    let printed = printed.expect("the status allows no `nullable` at the root");
    for part in [
        r#""Maximum":9223372036854776000,"#,
        r#""MultipleOf":1e+21,"#,
        r#""MaxLength":9223372036854775807,"#,
    ] {
        assert!(printed.contains(part), "{part} is not in {printed}");
    }
}

/// A CRD with an invalid pattern is rejected without a look at its defaults and at the expressions
/// of its rules. Errors of structure and rules without an expression are reported together with the
/// pattern, as a real server does.
#[test]
fn beside_a_bad_pattern_no_default_and_no_rule_is_judged() {
    let place = "/spec/versions/0/schema/openAPIV3Schema/properties/broken";
    let bad = |pattern: &str| {
        json!({"type": "object", "properties": {
            "pattern": {"type": "string", "pattern": pattern},
            "text": {"type": "string", "default": 1},
            "ruled": {"type": "object", "x-kubernetes-validations": [{"rule": ""}]},
        }})
    };
    let says = |pattern: &str| -> Vec<bool> {
        let errors = created(&with(place, bad(pattern)));
        let has = |part: &str| errors.iter().any(|error| error.contains(part));
        let wanted = ["regular expression", "].default: ", "rule is not specified"];
        wanted.into_iter().map(has).collect()
    };
    assert_eq!(says("+"), [true, false, true]);
    assert_eq!(says("a"), [false, true, true]);

    let mut ruled =
        json!({"type": "object", "properties": {"text": {"type": "string", "pattern": "+"}}});
    ruled["properties"]["ruled"] =
        json!({"type": "object", "x-kubernetes-validations": [{"rule": "1"}]});
    assert_eq!(created(&with(place, ruled.clone())).len(), 1);
    ruled["properties"]["text"]["pattern"] = json!("a");
    let errors = created(&with(place, ruled));
    assert!(
        errors[0].ends_with("cel expression must evaluate to a bool"),
        "{errors:?}"
    );
}

/// Two forms of "integer or string" are the only branches that may have types.
#[test]
fn types_of_branches_are_free_for_integer_or_string() {
    let place = "/spec/versions/0/schema/openAPIV3Schema/properties/port";
    let structural = |mut schema: Value, keyword: &str, value: &Value| -> usize {
        schema[keyword] = value.clone();
        let errors = created(&with(place, schema));
        let is_structural = |error: &&String| error.ends_with("to be structural");
        errors.iter().filter(is_structural).count()
    };
    let bare = json!({"type": "string"});
    let marked = json!({"x-kubernetes-int-or-string": true});
    let form = json!([{"type": "integer"}, {"type": "string"}]);
    for schema in [&bare, &marked] {
        for (keyword, value, errors) in [
            ("anyOf", form.clone(), 0),
            ("allOf", json!([{"anyOf": form}]), 0),
            ("allOf", json!([{"anyOf": form}, {"maxLength": 3}]), 0),
            // The exception ends with the first branch, and holds for `anyOf` alone.
            ("allOf", json!([{"maxLength": 3}, {"anyOf": form}]), 2),
            ("allOf", json!([{"anyOf": form}, {"anyOf": form}]), 2),
            ("allOf", json!([{"anyOf": form, "title": "Either"}]), 1),
            ("allOf", json!([{"allOf": [{"anyOf": form}]}]), 2),
            ("anyOf", json!([{"anyOf": form}]), 2),
            ("oneOf", form.clone(), 2),
            ("not", json!({"anyOf": form}), 2),
            ("anyOf", json!([{"type": "string"}, {"type": "integer"}]), 2),
            ("anyOf", json!([{"type": "integer"}]), 1),
            (
                "anyOf",
                json!([{"type": "integer"}, {"type": "string"}, {}]),
                2,
            ),
        ] {
            let found = structural(schema.clone(), keyword, &value);
            assert_eq!(found, errors, "{schema} {keyword} {value}");
        }
    }
    // Another keyword ends the exception, unless a server does not keep its value.
    for (keyword, value, is_kept) in [
        ("enum", json!([]), false),
        ("oneOf", json!([]), false),
        ("description", json!(""), false),
        ("nullable", json!(false), false),
        ("default", json!(null), false),
        ("additionalProperties", json!(false), false),
        ("minLength", json!(0), true),
        ("required", json!([]), true),
        ("properties", json!({}), true),
        ("externalDocs", json!({}), true),
        ("x-kubernetes-validations", json!([]), true),
        ("x-kubernetes-list-map-keys", json!([]), true),
    ] {
        let either = json!([{"type": "integer"}, {"type": "string", keyword: value}]);
        let found = structural(bare.clone(), "anyOf", &either);
        assert_eq!(found, if is_kept { 2 } else { 0 }, "{either}");
    }
}

/// Most errors are reported only if the stored CRD does not have them; patterns and the cost of all
/// rules are checked again on every update.
#[test]
fn an_update_goes_on_with_what_it_had() {
    let place = "/spec/versions/0/schema/openAPIV3Schema/properties/broken";
    let dear = json!({
        "type": "array", "items": {"type": "array", "items": {"type": "string"}},
        "x-kubernetes-validations": [{"rule": "self.all(x, self.all(y, x == y))"}],
    });
    for (broken, left) in [
        (json!({"type": "text"}), 0),
        (json!({"type": "object", "default": {"a": 1}}), 0),
        (
            json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object"}}),
            0,
        ),
        (
            json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string", "nullable": true}}),
            0,
        ),
        (json!({"type": "string", "pattern": "+"}), 1),
        // The cost of all rules still counts.
        (dear, 2),
    ] {
        let had = with(place, broken.clone());
        let all = created(&had).len();
        assert!(all > 0 && all >= left, "{broken}");
        assert_eq!(updated(&had, &base()).len(), all, "{broken}");
        assert_eq!(updated(&had, &had).len(), left, "{broken}");
    }
}

#[test]
fn warnings_are_about_new_formats() {
    let place = "/spec/versions/0/schema/openAPIV3Schema/properties/when";
    let when = with(place, json!({"type": "string", "format": "some\"time"}));
    assert_eq!(
        crd::Review::new().create(&when).warnings(),
        [r#"unrecognized format "some\"time""#]
    );
    assert_eq!(crd::Review::new().update(&when, &when).warnings(), [""; 0]);
    // A rejected CRD has no warnings.
    let mut refused = when;
    refused["spec"]["scope"] = json!("Galaxy");
    assert_eq!(crd::Review::new().create(&refused).warnings(), [""; 0]);
}

#[test]
fn what_cannot_be_read_is_a_bad_request() {
    let mut deep = json!({});
    for _ in 0..600 {
        deep = json!([deep]);
    }
    for crd in [
        with("/spec/versions/0/served", json!("yes")),
        with("/spec/names/shortNames", json!("d")),
        with("/spec/conversion", json!([])),
        with("/kind", json!("Deployment")),
        with("/spec/versions/0/schema/openAPIV3Schema/example", deep),
        json!([]),
        json!(null),
    ] {
        let outcome = crd::Review::new().create(&crd);
        assert_eq!(outcome.errors().len(), 1, "{crd}");
        assert_eq!(outcome.errors()[0].kind(), ViolationKind::BadRequest);
    }
    let served = crd::Review::new().create(&with("/spec/versions/0/served", json!("yes")));
    assert!(served.errors()[0].to_string().ends_with(
        "json: cannot unmarshal string into Go struct field CustomResourceDefinitionVersion.spec.versions.served of type bool"
    ));
}

/// A struct whose rule forgives what the old one had.
fn forgiving(rule: &str) -> Value {
    json!({
        "type": "object",
        "required": ["k"],
        "properties": {"k": {"type": "string", "maxLength": 9}, "a": {"type": "integer"}},
        "x-kubernetes-validations": [{"rule": rule, "optionalOldSelf": true}],
    })
}

fn list(of: &str, items: &Value) -> Value {
    let mut list =
        json!({"type": "array", "maxItems": 9, "x-kubernetes-list-type": of, "items": items});
    if of == "map" {
        list["x-kubernetes-list-map-keys"] = json!(["k"]);
    }
    list
}

const FORGIVING: &str =
    "(has(self.a) ? true : self.k == 'x') || oldSelf.hasValue() && !has(oldSelf.value().a) && true";

#[test]
fn rules_are_plain_where_there_is_no_old_object_and_nowhere_else() {
    let one = forgiving(FORGIVING);
    let in_map = json!({"type": "object", "maxProperties": 9, "additionalProperties": one});
    let below = json!({"type": "object", "properties": {"one": one, "all": list("map", &one)}});
    let mut crd = with(
        "/spec/versions/0/schema/openAPIV3Schema/properties/spec",
        json!({"type": "object", "properties": {
            "one": one,
            "by/key~": list("map", &one),
            "named": in_map,
            "atomic": list("atomic", &one),
            "below": list("atomic", &below),
        }}),
    );
    assert_eq!(created(&crd).len(), 3, "{:#?}", created(&crd));
    let spec = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";
    let rule = "x-kubernetes-validations/0";
    let placed = crd::place_rules(&mut crd);
    let wanted = [
        format!("{spec}/atomic/items/{rule}"),
        format!("{spec}/below/items/properties/all/items/{rule}"),
        format!("{spec}/below/items/properties/one/{rule}"),
    ];
    assert_eq!(placed, wanted);
    for place in &placed {
        let plain = json!({"rule": "has(self.a) ? true : self.k == 'x'"});
        assert_eq!(crd.pointer(place), Some(&plain));
    }
    for kept in ["one", "by~1key~0/items", "named/additionalProperties"] {
        let kept = crd.pointer(&format!("{spec}/{kept}/{rule}"));
        assert_eq!(kept, Some(&one["x-kubernetes-validations"][0]), "{kept:?}");
    }
    assert_eq!(created(&crd), [""; 0]);
    assert_eq!(crd::place_rules(&mut crd), [""; 0]);
}

#[test]
fn a_rule_of_another_form_stays_for_the_server_to_speak_of() {
    let placed = |rule: &str| {
        let mut crd = with(
            "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties",
            json!({"l": list("atomic", &forgiving(rule))}),
        );
        let placed = crd::place_rules(&mut crd);
        let rule = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/l/items/x-kubernetes-validations/0";
        (placed.len(), crd.pointer(rule).unwrap()["rule"].clone())
    };
    for rule in [
        "oldSelf.hasValue()",
        "oldSelf.hasValue() && true || has(self.a)",
        "has(self.a) || (oldSelf.hasValue() && true)",
        "has(self.a) || !oldSelf.hasValue()",
        "has(self.a) || oldSelf.hasValue() || oldSelf.hasValue() && true",
        "has(self.a) ? true : has(self.a) || oldSelf.hasValue() && true",
        "has(self.a) && oldSelf.hasValue()",
        "has(self.a) || oldSelf.hasValue() &&",
        "",
    ] {
        assert_eq!(placed(rule), (0, rule.into()));
    }
    // The content of a string literal is not part of the expression.
    for (rule, plain) in [
        (
            "self.k == ' || oldSelf.hasValue() && (' || oldSelf.hasValue() && true",
            "self.k == ' || oldSelf.hasValue() && ('",
        ),
        (
            "(self.k == 'oldSelf') || (has(self.a)) || oldSelf.hasValue()",
            "(self.k == 'oldSelf') || (has(self.a))",
        ),
        (
            "self.k == 'größe' ||oldSelf.hasValue()",
            "self.k == 'größe'",
        ),
    ] {
        assert_eq!(placed(rule), (1, plain.into()));
    }
}

/// Returns a CRD with a rule, an external document and a schema in every keyword that has schemas.
fn crd_with_all_keywords() -> Value {
    let text = || json!({"type": "string"});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "docs.example.com"},
        "spec": {
            "group": "example.com", "scope": "Cluster",
            "names": {"kind": "Doc", "plural": "docs"},
            "conversion": {"strategy": "Webhook", "webhook": {
                "conversionReviewVersions": ["v1"],
                "clientConfig": {"service": {"name": "s", "namespace": "n"}},
            }},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.r", "statusReplicasPath": ".status.r"}},
                "additionalPrinterColumns": [{"name": "n", "type": "string", "jsonPath": ".a"}],
                "selectableFields": [{"jsonPath": ".a"}],
                "schema": {"openAPIV3Schema": {
                    "type": "object", "externalDocs": {"url": "u"}, "default": {}, "example": {}, "enum": [{}],
                    "x-kubernetes-validations": [{"rule": "true"}],
                    "properties": {"a": text()}, "patternProperties": {"a": text()},
                    "definitions": {"a": text()}, "dependencies": {"a": text(), "b": ["c"]},
                    "allOf": [text()], "anyOf": [text()], "oneOf": [text()], "not": text(),
                    "items": text(), "additionalProperties": text(), "additionalItems": text(),
                }},
            }],
        },
        "status": {
            "acceptedNames": {"kind": "Doc", "plural": "docs"}, "storedVersions": ["v1"], "observedGeneration": 1,
            "conditions": [{"type": "Established", "status": "True"}],
        },
    })
}

/// The JSON pointers in a schema, below which a server knows the fields, and those below which it
/// does not look.
const KNOWN: &[&str] = &[
    "",
    "/metadata",
    "/spec",
    "/spec/names",
    "/spec/conversion",
    "/spec/conversion/webhook",
    "/spec/conversion/webhook/clientConfig",
    "/spec/conversion/webhook/clientConfig/service",
    "/spec/versions/0",
    "/spec/versions/0/subresources",
    "/spec/versions/0/subresources/status",
    "/spec/versions/0/subresources/scale",
    "/spec/versions/0/additionalPrinterColumns/0",
    "/spec/versions/0/selectableFields/0",
    "/spec/versions/0/schema",
    "/status",
    "/status/acceptedNames",
    "/status/conditions/0",
];
const KNOWN_IN_SCHEMA: &[&str] = &[
    "",
    "/externalDocs",
    "/x-kubernetes-validations/0",
    "/properties/a",
    "/patternProperties/a",
    "/definitions/a",
    "/allOf/0",
    "/anyOf/0",
    "/oneOf/0",
    "/not",
];
const OPEN_IN_SCHEMA: &[&str] = &[
    "/default",
    "/example",
    "/enum/0",
    "/items",
    "/additionalProperties",
    "/additionalItems",
    "/dependencies/a",
];
const SCHEMA: &str = "/spec/versions/0/schema/openAPIV3Schema";

/// Returns the path of a JSON pointer as a server prints it.
fn printed(pointer: &str, field: &str) -> String {
    let steps = pointer.split('/').skip(1).chain([field]);
    let printed = steps.map(|step| match step.parse::<usize>() {
        Ok(index) => format!("[{index}]"),
        Err(_) => format!(".{step}"),
    });
    let path: String = printed.collect();
    path.trim_start_matches('.').to_owned()
}

#[test]
fn unknown_fields_of_crds_are_reported_at_every_place() {
    let base = crd_with_all_keywords();
    assert_eq!(crd::Review::new().unknown_fields(&base).len(), 0);
    let in_schema = |pointers: &[&str]| -> Vec<String> {
        let pointers = pointers.iter();
        pointers
            .map(|pointer| format!("{SCHEMA}{pointer}"))
            .collect()
    };
    let known = KNOWN.iter().map(|pointer| (*pointer).to_owned());
    for pointer in known.chain(in_schema(KNOWN_IN_SCHEMA)) {
        let mut crd = base.clone();
        crd.pointer_mut(&pointer).expect("an object")["zzz"] = json!(1);
        let path = printed(&pointer, "zzz");
        let [found] = &crd::Review::new().unknown_fields(&crd)[..] else {
            panic!("{pointer}");
        };
        assert_eq!(found.path(), &path.as_str());
        assert_eq!(found.to_string(), format!("unknown field \"{path}\""));
    }
    for pointer in in_schema(OPEN_IN_SCHEMA) {
        let mut crd = base.clone();
        crd.pointer_mut(&pointer).expect("an object")["zzz"] = json!(1);
        assert_eq!(
            crd::Review::new().unknown_fields(&crd).len(),
            0,
            "{pointer}"
        );
    }
}

fn minor(minor: u16) -> KubeVersion {
    KubeVersion::from_minor(minor).expect("a known version")
}

#[test]
fn fields_of_crds_that_are_newer_than_the_server_are_unknown() {
    let mut crd = crd_with_all_keywords();
    let version = "/spec/versions/0";
    crd.pointer_mut(version).expect("a version")["selectableFields"] = json!([]);
    let schema = crd.pointer_mut(SCHEMA).expect("a schema");
    schema["x-kubernetes-validations"] = json!([{
        "rule": "true", "messageExpression": "'a'", "reason": "FieldValueInvalid",
        "fieldPath": ".a", "optionalOldSelf": false,
    }]);
    for (name, introduced) in [
        ("messageExpression", 27),
        ("reason", 28),
        ("fieldPath", 28),
        ("optionalOldSelf", 29),
        ("selectableFields", 30),
    ] {
        let is_unknown = |version| {
            let unknown = crd::Review::new().version(version).unknown_fields(&crd);
            unknown.iter().any(|field| {
                assert_eq!(field.near_name(), None);
                field.path().as_str().ends_with(&format!(".{name}"))
            })
        };
        assert!(is_unknown(minor(introduced - 1)), "{name}");
        assert!(!is_unknown(minor(introduced)), "{name}");
    }
}

/// An older server does not decode a newer keyword, so the value of the keyword has no wrong type.
#[test]
fn a_newer_keyword_of_a_wrong_type_is_unknown_to_an_older_server() {
    for (rule, introduced) in [
        (json!({"rule": "true", "messageExpression": 5}), 27),
        (json!({"rule": "true", "fieldPath": ["a"]}), 28),
        (json!({"rule": "true", "optionalOldSelf": "yes"}), 29),
    ] {
        let mut crd = crd_with_all_keywords();
        let schema = crd.pointer_mut(SCHEMA).expect("a schema");
        schema["x-kubernetes-validations"] = json!([rule]);
        let review = |version| crd::Review::new().version(minor(version));
        let found = review(introduced - 1).unknown_fields(&crd);
        assert!(
            found.iter().any(|field| field
                .path()
                .as_str()
                .contains("x-kubernetes-validations[0]")),
            "{rule}"
        );
        assert_eq!(review(introduced).unknown_fields(&crd).len(), 0, "{rule}");
    }
}

#[test]
fn ignored_unknown_fields_of_crds_are_not_listed() {
    let mut crd = crd_with_all_keywords();
    crd.pointer_mut(SCHEMA).expect("a schema")["maxLenght"] = json!(1);
    for (validation, count) in [
        (FieldValidation::Ignore, 0),
        (FieldValidation::Warn, 1),
        (FieldValidation::Strict, 1),
    ] {
        let review = crd::Review::new().field_validation(validation);
        assert_eq!(review.unknown_fields(&crd).len(), count, "{validation:?}");
    }
}

#[test]
fn unknown_fields_of_crds_are_warnings_or_an_error() {
    let mut crd = crd_with_all_keywords();
    let schema = crd.pointer_mut(SCHEMA).expect("a schema");
    schema["maxLenght"] = json!(1);
    schema["properties"]["a\"b"] = json!({"Type": "string"});
    let path = "spec.versions[0].schema.openAPIV3Schema";
    let unknown = [
        format!("unknown field \"{path}.maxLenght\""),
        // A server escapes the paths of CRDs.
        format!("unknown field \"{path}.properties.a\\\"b.Type\""),
    ];
    let near = crd::Review::new().unknown_fields(&crd);
    let near: Vec<_> = near.iter().map(UnknownField::near_name).collect();
    assert_eq!(near, [Some("maxLength"), Some("type")]);
    let review = crd::Review::new();
    assert_eq!(review.create(&crd).warnings(), unknown);
    let strict = review
        .field_validation(FieldValidation::Strict)
        .create(&crd);
    assert_eq!(
        strict.to_string(),
        format!(
            "CustomResourceDefinition in version \"v1\" cannot be handled as a CustomResourceDefinition: \
             strict decoding error: {}",
            unknown.join(", ")
        )
    );
    let ignored = review
        .field_validation(FieldValidation::Ignore)
        .create(&crd);
    assert_eq!(ignored.warnings(), [""; 0]);
    let old = crd_with_all_keywords();
    let update = review.field_validation(FieldValidation::Strict);
    assert_eq!(update.update(&crd, &old), strict);
    // The stored CRD is not decoded strictly.
    assert_ne!(update.update(&old, &crd).to_string(), strict.to_string());
}

#[test]
fn a_keyword_of_a_wrong_type_comes_before_unknown_fields() {
    for (pointer, wrong) in [
        ("/maxLength", json!("five")),
        ("/items/maxLength", json!("five")),
        ("/definitions/a/enum", json!({})),
        ("/x-kubernetes-validations/0/rule", json!(1)),
    ] {
        let mut crd = crd_with_all_keywords();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let schema = crd.pointer_mut(SCHEMA).expect("a schema");
        schema["zzz"] = json!(1);
        schema.pointer_mut(parent).expect("an object")[name] = wrong;
        assert_eq!(
            crd::Review::new().unknown_fields(&crd).len(),
            0,
            "{pointer}"
        );
        let strict = crd::Review::new().field_validation(FieldValidation::Strict);
        let report = strict.create(&crd);
        assert!(!report.to_string().contains("zzz"), "{report}");
    }
}

#[test]
fn a_crd_reports_at_most_a_hundred_unknown_fields() {
    let mut crd = crd_with_all_keywords();
    for number in 0..120 {
        crd[format!("z{number:03}")] = json!(1);
    }
    assert_eq!(crd::Review::new().unknown_fields(&crd).len(), 100);
}

#[test]
fn the_type_of_a_crd_is_read_first() {
    for field in ["apiVersion", "kind", "Kind"] {
        let mut crd = crd_with_all_keywords();
        crd[field] = json!(5);
        let name = if field == "Kind" { "kind" } else { field };
        assert_eq!(
            crd::Review::new().create(&crd).to_string(),
            format!(
                "couldn't get version/kind; json parse error: json: cannot unmarshal number into \
                 Go struct field .{name} of type string"
            )
        );
    }
}
