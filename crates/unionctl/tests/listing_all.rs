//! Tests of `unionctl unions --list --all`, which also lists rules that form no union.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::process::{run, write_file};

fn object_schema(properties: &Value, rules: &[&str]) -> Value {
    let rules: Vec<Value> = rules.iter().map(|rule| json!({"rule": rule})).collect();
    json!({"type": "object", "properties": properties, "x-kubernetes-validations": rules})
}

/// Lists the unions of a schema. In the output, `FILE` stands for the path of the schema.
fn list(name: &str, schema: &Value, flags: &[&str]) -> String {
    let schema_file = write_file(name, schema.to_string());
    let output = run(["unions", "--schema", &schema_file, "--list"]
        .iter()
        .chain(flags));
    assert_eq!((output.code, &*output.stderr), (0, ""));
    output.stdout.replace(&schema_file, "FILE")
}

fn fields() -> Value {
    let field = json!({"type": "object"});
    json!({"a": field, "b": field, "c": field, "d": field})
}

#[test]
fn exclusions_that_form_no_union_are_listed() {
    let overlapping_schema = object_schema(
        &fields(),
        &[
            "!has(self.a) || !has(self.b)",
            "!has(self.a) || !has(self.c)",
        ],
    );
    let printed = list("all_overlap.json", &overlapping_schema, &["--all"]);
    assert_eq!(
        printed,
        "FILE\n  the object: no union\n    not part of a union: overlapping-exclusions\n    `a` and `b` exclude each other\n    \
         `a` and `c` exclude each other\nno strong finding\n"
    );
    let json: Value = serde_json::from_str(&list(
        "all_overlap.json",
        &overlapping_schema,
        &["-o", "json"],
    ))
    .unwrap();
    let listed_object = &json["kinds"][0]["versions"][0]["places"][0];
    assert_eq!(listed_object["exclusions"], json!([["a", "b"], ["a", "c"]]));

    let exactly_one_rule =
        "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) + (has(self.c) ? 1 : 0) == 1";
    let schema_with_field_sets =
        object_schema(&fields(), &[exactly_one_rule, "has(self.c) == has(self.d)"]);
    assert_eq!(
        list("all_bundle.json", &schema_with_field_sets, &["--all"]),
        "FILE\n  the object: no union\n    not part of a union: overlapping-exclusions\n    \
         exactly one of `a` | `b` | `c` with `d`: a union member cannot have several fields; sound without these: at most one of `a`, `b`\n\
         no strong finding\n"
    );
    let json: Value = serde_json::from_str(&list(
        "all_bundle.json",
        &schema_with_field_sets,
        &["-o", "json"],
    ))
    .unwrap();
    let listed_object = &json["kinds"][0]["versions"][0]["places"][0];
    assert_eq!(
        listed_object["bundles"],
        json!([{"alternatives": [["a"], ["b"], ["c", "d"]], "required": true}])
    );
    // Without `--all`, these rules are not listed.
    for (name, schema) in [
        ("all_overlap.json", &overlapping_schema),
        ("all_bundle.json", &schema_with_field_sets),
    ] {
        assert_eq!(
            list(name, schema, &[]),
            "FILE\n  no unions\nno strong finding\n"
        );
    }
}

#[test]
fn a_union_without_discriminator_has_a_naming_hint() {
    let mut properties = fields();
    properties["kind"] = json!({"type": "string", "enum": ["A", "B"]});
    let schema = object_schema(&properties, &["!(has(self.a) && has(self.b))"]);
    let union_line = "  the object: at most one of `a`, `b`; exact, from 1 rule\n";
    assert_eq!(
        list("all_hint.json", &schema, &["--all"]),
        format!(
            "FILE\n{union_line}    not part of a union: convention\n    values of `kind` have the names of `a`, `b`, but no rule relates them; \
             --by-convention lists this union\nno strong finding\n"
        )
    );
    let printed = list("all_hint.json", &schema, &["--by-convention"]);
    let convention_line = "  the object: by `kind`, by convention: no rule checks this union\n";
    assert!(
        printed.starts_with(&format!("FILE\n{union_line}{convention_line}")),
        "{printed}"
    );
}

/// Returns a schema with a list of filters, which has these rules.
fn filters(rules: &[&str]) -> Value {
    let items = json!({
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"type": "string", "enum": ["Redirect", "Rewrite", "Mirror"]}},
    });
    let rules: Vec<Value> = rules.iter().map(|rule| json!({"rule": rule})).collect();
    let filters = json!({"type": "array", "items": items, "x-kubernetes-validations": rules});
    json!({"type": "object", "properties": {"filters": filters}})
}

const EXCLUSION: &str =
    "!(self.exists(f, f.type == 'Redirect') && self.exists(f, f.type == 'Rewrite'))";

#[test]
fn rules_of_lists_are_listed() {
    let other_rule = "self.exists(f, f.type == 'Mirror') ? size(self) < 3 : true";
    let schema = filters(&[EXCLUSION, other_rule]);
    let printed = list("all_lists.json", &schema, &["--all"]);
    assert_eq!(
        printed,
        "FILE\n  filters: no union; relations between its items:\n    \
         cannot occur together: `type` Redirect | `type` Rewrite\nno strong finding\n"
    );
    let json: Value =
        serde_json::from_str(&list("all_lists.json", &schema, &["-o", "json"])).unwrap();
    let version = &json["kinds"][0]["versions"][0];
    let item_class = |value: &str| json!({"ways": [{"type": [value]}], "others": false});
    assert_eq!(
        version["lists"],
        json!([{
            "pointer": "/properties/filters",
            "path": "filters",
            "by": ["type"],
            "says": [{"says": "apart", "sorts": [item_class("Redirect"), item_class("Rewrite")]}],
            "exact": true,
            "rule": EXCLUSION,
        }])
    );
    // Without `--all`, rules of lists are not listed. Rules of lists are never findings.
    let empty_listing = "FILE\n  no unions\nno strong finding\n";
    assert_eq!(
        list("all_lists.json", &schema, &["--strict"]),
        empty_listing
    );
    let sarif: Value =
        serde_json::from_str(&list("all_lists.json", &schema, &["--all", "-o", "sarif"])).unwrap();
    assert_eq!(sarif["runs"][0]["results"], json!([]));
}

#[test]
fn a_rule_that_checks_more_is_shown() {
    let rule = "!(self.exists(f, f.type == 'Redirect') && self.exists(f, f.type == 'Rewrite')) && \
                (size(self) != 2 || self.exists(f, f.type == 'Mirror'))";
    let printed = list("all_more.json", &filters(&[rule]), &["--all"]);
    let line = format!("      the rule may check more: `{rule}`\n");
    assert!(printed.contains(&line), "{printed}");
}

#[test]
fn the_number_of_printed_relations_is_limited() {
    let letters = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let at_most_once_rules =
        letters.map(|letter| format!("self.filter(x, x == '{letter}').size() <= 1"));
    let exclusion_rules = letters.windows(2).map(|pair| {
        let [first, second] = pair else {
            unreachable!()
        };
        format!("!(self.exists(x, x == '{first}') && self.exists(x, x == '{second}'))")
    });
    let rules: Vec<String> = at_most_once_rules
        .into_iter()
        .chain(exclusion_rules)
        .collect();
    let schema = json!({
        "type": "array",
        "items": {"type": "string"},
        "x-kubernetes-validations": [{"rule": rules.join(" && ")}],
    });
    let printed = list("all_many.json", &schema, &["--all"]);
    assert_eq!(printed.lines().count(), 2 + 12 + 2, "{printed}");
    assert!(printed.contains("    at most once: a\n"), "{printed}");
    assert!(
        printed.contains("\n    3 more; -o json lists all\n"),
        "{printed}"
    );
}

#[test]
fn versions_with_different_rules_of_lists_are_separate() {
    let version = |name: &str, schema: &Value| json!({"name": name, "served": true, "storage": name == "v1", "schema": {"openAPIV3Schema": schema}});
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "ones.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": "One", "plural": "ones"},
            "versions": [version("v1", &filters(&[EXCLUSION])), version("v1beta1", &filters(&[]))],
        },
    });
    let crd = write_file("all_versions.json", crd.to_string());
    let output = run(["unions", "--crd", &crd, "--list", "--all"]);
    assert_eq!(
        output.stdout,
        "One v1\n  filters: no union; relations between its items:\n    \
         cannot occur together: `type` Redirect | `type` Rewrite\n\
         One v1beta1\n  no unions\n  differs from v1: filters\nno strong finding\n"
    );
    // Without `--all`, rules of lists do not distinguish versions.
    let output = run(["unions", "--crd", &crd, "--list"]);
    assert_eq!(
        output.stdout,
        "One v1, v1beta1\n  no unions\nno strong finding\n"
    );
}

/// Lists the CRDs of the Gateway API, if a folder with third-party CRDs exists.
#[test]
fn filters_of_the_gateway_api() {
    let default_folder = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases");
    let folder = std::env::var_os("SHARED_CASES").map_or_else(default_folder, PathBuf::from);
    let crds = folder.join("gateway/crds/standard-install.yaml");
    if !crds.exists() {
        println!("shared cases: not there, nothing to list");
        return;
    }
    let crds = crds.to_str().unwrap();
    let output = run([
        "unions",
        "--crd",
        crds,
        "--name",
        "HTTPRoute",
        "--version",
        "v1",
        "--list",
        "--all",
    ]);
    let expected = "  spec.rules[*].filters: no union; relations between its items:\n    \
         cannot occur together: `type` RequestRedirect | `type` URLRewrite\n    \
         at most once: `type` RequestHeaderModifier\n    at most once: `type` ResponseHeaderModifier\n    \
         at most once: `type` RequestRedirect\n    at most once: `type` URLRewrite\n";
    assert!(output.stdout.contains(expected), "{}", output.stdout);
}

/// A description without a rule is a weak finding, with the rule as CEL and as attributes.
#[test]
fn described_exclusions_are_listed() {
    let mut schema = object_schema(&fields(), &[]);
    schema["description"] = "Only one of `a` and `b` may be set.".into();
    let printed = list("all_described.json", &schema, &["--all"]);
    assert_eq!(
        printed,
        "FILE\n  the object: no union\n  hint: `a`, `b`: the description states \"Only one of\", but no rule enforces it \
         (described-not-enforced): {\"a\": {}, \"b\": {}} is accepted; remedy:\n    !has(self.a) || !has(self.b)\n    \
         or, in Rust: #[union(member, group = choice)] on `a`, `b`\nno strong finding\n"
    );
    let printed = list("all_described.json", &schema, &[]);
    assert!(
        printed.contains("1 weak finding not shown; use --all"),
        "{printed}"
    );
}

/// A finding about immutability has both updates, which the server accepts.
#[test]
fn evaded_immutability_is_listed() {
    let immutable = json!({
        "type": "string",
        "x-kubernetes-validations": [{"rule": "self == oldSelf"}],
    });
    let schema = object_schema(&json!({"soil": immutable}), &[]);
    let printed = list("all_immutable.json", &schema, &[]);
    assert_eq!(
        printed,
        "FILE\n  the object: no union\n  missing rule: `soil` can be removed and set anew, although a rule keeps the value unchanged \
         (immutability-evaded): {\"soil\": \"x\"}, then {}, then {\"soil\": \"y\"} are accepted; remedy:\n    \
         !has(oldSelf.soil) || has(self.soil)\n1 strong finding\n"
    );
    let entries = json!({"type": "object", "additionalProperties": immutable});
    let mut schema = object_schema(&json!({"plots": entries}), &[]);
    schema["required"] = json!(["plots"]);
    let printed = list("all_immutable_entries.json", &schema, &["--all"]);
    let line = "hint: entries of `plots` can be removed and added anew, although a rule keeps the value unchanged";
    assert!(printed.contains(line), "{printed}");
    assert!(
        printed.contains("\n    oldSelf.all(key, key in self)\n"),
        "{printed}"
    );
}

/// A `oneOf` about a nested object in a branch is a strong finding at the nested object.
#[test]
fn nested_alternatives_are_listed() {
    let one_of = json!([{"required": ["header"]}, {"required": ["cookie"]}]);
    let mut schema = object_schema(
        &json!({
            "simple": {"type": "string"},
            "hash": object_schema(&json!({"header": {"type": "string"}, "cookie": {"type": "string"}}), &[]),
        }),
        &[],
    );
    schema["oneOf"] = json!([
        {"required": ["simple"]},
        {"required": ["hash"], "properties": {"hash": {"oneOf": one_of}}},
    ]);
    let printed = list("all_nested.json", &schema, &[]);
    let line = "missing rule: `hash.header`, `hash.cookie`: the alternatives of a nested object can be set together";
    assert!(printed.contains(line), "{printed}");
    let example =
        "{\"hash\": {\"cookie\": \"x\", \"header\": \"x\"}, \"simple\": \"x\"} is accepted";
    assert!(printed.contains(example), "{printed}");
    let json: Value =
        serde_json::from_str(&list("all_nested.json", &schema, &["-o", "json"])).unwrap();
    let finding = &json["kinds"][0]["versions"][0]["places"][0]["findings"][0];
    assert_eq!(finding["pointer"], "/properties/hash");
}
