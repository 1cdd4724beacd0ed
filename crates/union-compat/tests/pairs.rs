//! Tests of changes that real APIs made, in reduced form: the findings, their smallest objects, and
//! the results of the union engine and of the validator for these objects.

use serde_json::{Value, json};
use union_compat::{
    ChangeCode, CompatReport, Decision, RequestOutcome, Severity, compare_crds, compare_versions,
};

use crate::oracle::{assert_decisions, crd, create, findings_of, is_refused, update};

/// A member of a union with a discriminator.
#[derive(Clone, Copy)]
struct Member<'n> {
    value: &'n str,
    field: &'n str,
    is_optional: bool,
}

/// Returns a member that is required with its value.
const fn required<'n>(value: &'n str, field: &'n str) -> Member<'n> {
    Member {
        value,
        field,
        is_optional: false,
    }
}

/// Returns the schema of a union with a discriminator, which CEL rules define.
fn by_type(values: &[&str], members: &[Member<'_>]) -> Value {
    let mut properties = json!({"type": {"type": "string", "enum": values}});
    let mut rules = Vec::new();
    for Member {
        value,
        field,
        is_optional,
    } in members
    {
        properties[*field] = json!({"type": "object", "properties": {"name": {"type": "string"}}});
        let set = if *is_optional {
            "true".to_owned()
        } else {
            format!("has(self.{field})")
        };
        rules.push(json!({"rule": format!("self.type == '{value}' ? {set} : !has(self.{field})")}));
    }
    json!({
        "type": "object",
        "required": ["type"],
        "properties": properties,
        "x-kubernetes-validations": rules,
    })
}

/// Compares two schemas of `spec`, and checks each finding with the union engine and the validator.
#[track_caller]
fn checked_comparison(old: &Value, new: &Value) -> CompatReport {
    let [old, new] = [old, new].map(|spec| crd(&[("v1", spec.clone())]));
    let mut reports = compare_crds(&old, &new).expect("they are CRDs");
    assert_eq!(reports.len(), 1);
    let comparison = reports.remove(0);
    assert_eq!(comparison.notes, [] as [&str; 0]);
    for finding in &comparison.findings {
        assert_eq!(finding.path, "spec", "{finding}");
        assert_decisions(&finding.before, &old, "v1", &finding.object);
        assert_decisions(&finding.after, &new, "v1", &finding.object);
        if let Some(request) = &finding.update_example {
            let is_accepted = update(&new, "v1", &request.old, &request.new);
            assert_eq!(is_accepted, !is_refused(&request.after.server), "{finding}");
        }
        if finding.stored_objects != RequestOutcome::Impossible {
            assert!(create(&old, "v1", &finding.object).is_ok(), "{finding}");
        }
    }
    comparison
}

/// Returns the only finding, and asserts its code and its object.
#[track_caller]
fn only_finding<'c>(
    comparison: &'c CompatReport,
    code: ChangeCode,
    object: &Value,
) -> &'c union_compat::Finding {
    let findings = findings_of(comparison);
    assert_eq!(findings.len(), 1, "{findings:?}");
    let finding = &comparison.findings[0];
    assert_eq!((finding.code, &finding.object), (code, object));
    finding
}

#[test]
fn http_route_filters_gain_cors() {
    let rules = |filters: Value| {
        json!({"type": "object", "properties": {"rules": {"type": "array", "maxItems": 16, "items": {
            "type": "object",
            "properties": {"filters": {"type": "array", "maxItems": 16, "items": filters}},
        }}}})
    };
    let mirror = required("RequestMirror", "requestMirror");
    let old = by_type(&["RequestMirror", "Other"], &[mirror]);
    let new = by_type(
        &["RequestMirror", "Other", "CORS"],
        &[mirror, required("CORS", "cors")],
    );
    let [old, new] = [old, new].map(|filter| crd(&[("v1", rules(filter))]));
    let reports = compare_crds(&old, &new).unwrap();
    let [comparison] = &*reports else {
        panic!("{reports:?}")
    };
    let [finding] = &*comparison.findings else {
        panic!("{comparison}")
    };
    assert_eq!(finding.code, ChangeCode::ValueAdded);
    assert_eq!(finding.subjects, ["CORS"]);
    assert_eq!(finding.path, "spec.rules[].filters[]");
    assert_eq!(finding.object, json!({"type": "CORS", "cors": {}}));
    // A client that keeps the value and drops the member is rejected, with a message.
    assert_eq!(finding.severity, Severity::Notice);
    assert!(
        matches!(&finding.old_clients, RequestOutcome::Refused(error) if error.contains("spec.rules[0].filters[0]"))
    );
    assert!(matches!(finding.new_clients, RequestOutcome::Refused(_)));
    let spec = json!({"rules": [{"filters": [finding.object]}]});
    assert!(create(&old, "v1", &spec).is_err());
    assert!(create(&new, "v1", &spec).is_ok());
}

#[test]
fn metric_specs_get_a_discriminator() {
    let metric = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    let old = json!({
        "type": "object",
        "properties": {"external": metric, "pods": metric, "resource": metric},
        "oneOf": [{"required": ["external"]}, {"required": ["pods"]}, {"required": ["resource"]}],
    });
    let members = [
        required("External", "external"),
        required("Pods", "pods"),
        required("Resource", "resource"),
    ];
    let new = by_type(&["External", "Pods", "Resource"], &members);
    let comparison = checked_comparison(&old, &new);
    let finding = only_finding(
        &comparison,
        ChangeCode::DiscriminatorAdded,
        &json!({"external": {}}),
    );
    assert_eq!(finding.subjects, ["type"]);
    assert_eq!(finding.severity, Severity::Breaking);
    // Ratcheting tolerates the stored object while the object with the union does not change.
    assert!(
        matches!(
            &finding.stored_objects,
            RequestOutcome::Tolerated(_) | RequestOutcome::Refused(_)
        ),
        "{finding}"
    );
    assert!(matches!(finding.old_clients, RequestOutcome::Refused(_)));
}

#[test]
fn a_rolling_update_becomes_required() {
    let strategy = |is_optional| {
        by_type(
            &["Recreate", "RollingUpdate"],
            &[Member {
                value: "RollingUpdate",
                field: "rollingUpdate",
                is_optional,
            }],
        )
    };
    let comparison = checked_comparison(&strategy(true), &strategy(false));
    let finding = only_finding(
        &comparison,
        ChangeCode::MemberRequired,
        &json!({"type": "RollingUpdate"}),
    );
    assert_eq!(finding.subjects, ["RollingUpdate", "rollingUpdate"]);
    assert!(
        matches!(finding.stored_objects, RequestOutcome::Tolerated(_)),
        "{finding}"
    );
    assert!(matches!(finding.old_clients, RequestOutcome::Refused(_)));

    let comparison = checked_comparison(&strategy(false), &strategy(true));
    let finding = only_finding(
        &comparison,
        ChangeCode::MemberOptional,
        &json!({"type": "RollingUpdate"}),
    );
    assert_eq!(finding.severity, Severity::Notice);
}

#[test]
fn git_repo_volumes_are_removed() {
    let empty_dir = required("EmptyDir", "emptyDir");
    let old = by_type(
        &["EmptyDir", "GitRepo"],
        &[empty_dir, required("GitRepo", "gitRepo")],
    );
    let new = by_type(&["EmptyDir"], &[empty_dir]);
    let comparison = checked_comparison(&old, &new);
    let finding = only_finding(
        &comparison,
        ChangeCode::ValueRemoved,
        &json!({"type": "GitRepo", "gitRepo": {}}),
    );
    assert_eq!(finding.subjects, ["GitRepo"]);
    // The member is dropped when the stored object is read, and the rest is unchanged and
    // tolerated.
    assert!(
        matches!(&finding.stored_objects, RequestOutcome::FieldsLost(fields) if fields == &["gitRepo"]),
        "{finding}"
    );
    assert!(matches!(finding.old_clients, RequestOutcome::Refused(_)));
}

#[test]
fn a_second_served_version_lacks_the_rule() {
    let with_rule = json!({
        "type": "object",
        "properties": {"percent": {"type": "integer"}, "fraction": {"type": "integer"}},
        "x-kubernetes-validations": [{"rule": "!(has(self.percent) && has(self.fraction))"}],
    });
    let mut without_rule = with_rule.clone();
    without_rule
        .as_object_mut()
        .unwrap()
        .remove("x-kubernetes-validations");
    let crd = crd(&[("v1", with_rule), ("v1beta1", without_rule)]);
    let reports = compare_versions(&crd).unwrap();
    let [comparison] = &*reports else {
        panic!("{reports:?}")
    };
    let [finding] = &*comparison.findings else {
        panic!("{comparison}")
    };
    let both = json!({"fraction": 1, "percent": 1});
    assert_eq!(
        (finding.code, &finding.object),
        (ChangeCode::RuleMissing, &both)
    );
    assert_eq!(finding.subjects, ["v1beta1", "v1"]);
    assert_eq!(finding.severity, Severity::Breaking);
    assert!(create(&crd, "v1", &both).is_err());
    assert!(create(&crd, "v1beta1", &both).is_ok());
    assert!(matches!(finding.new_clients, RequestOutcome::Refused(_)));
    // An upgrade to the same CRD does not change the difference.
    let again = compare_crds(&crd, &crd).unwrap();
    assert!(
        again
            .iter()
            .all(|comparison| comparison.findings.is_empty())
    );
    assert_eq!(again[2].known_findings, comparison.findings);
    let report = again[2].to_string();
    assert!(
        report
            .contains("as before: spec: v1beta1 does not have a rule that v1 has (rule-missing)\n"),
        "{report}"
    );

    // The difference is not known before if a version is new, if the old CRD does not serve it, or
    // if the old CRD converts objects by a webhook.
    let mut unserved = crd.clone();
    unserved["spec"]["versions"][1]["served"] = json!(false);
    let mut converted = crd.clone();
    converted["spec"]["conversion"] = json!({"strategy": "Webhook"});
    let mut one = crd.clone();
    one["spec"]["versions"].as_array_mut().unwrap().pop();
    for old in [unserved, converted, one] {
        let reports = compare_crds(&old, &crd).unwrap();
        let last = reports.last().unwrap();
        assert_eq!(
            (last.findings.len(), last.known_findings.len()),
            (1, 0),
            "{last}"
        );
    }
}

#[test]
fn the_default_of_session_persistence_changes() {
    let persistence = |default: &str| {
        json!({
            "type": "object",
            "properties": {
                "type": {"type": "string", "enum": ["Cookie", "Header"], "default": default},
                "cookie": {"type": "object"},
                "header": {"type": "object"},
            },
            "x-kubernetes-validations": [
                {"rule": "self.type == 'Cookie' ? true : !has(self.cookie)"},
                {"rule": "self.type == 'Header' ? true : !has(self.header)"},
            ],
        })
    };
    let comparison = checked_comparison(&persistence("Cookie"), &persistence("Header"));
    let finding = only_finding(
        &comparison,
        ChangeCode::DefaultChanged,
        &json!({"cookie": {}}),
    );
    assert_eq!(finding.subjects, ["type"]);
    assert_eq!(finding.severity, Severity::Breaking);
}

#[test]
fn a_volume_source_is_renamed() {
    let source = |field| by_type(&["Disk", "None"], &[required("Disk", field)]);
    let comparison = checked_comparison(&source("awsDisk"), &source("disk"));
    let finding = only_finding(
        &comparison,
        ChangeCode::MemberRenamed,
        &json!({"type": "Disk", "awsDisk": {}}),
    );
    assert_eq!(finding.subjects, ["awsDisk", "disk"]);

    let value = |value| by_type(&[value, "None"], &[required(value, "disk")]);
    let comparison = checked_comparison(&value("AWSDisk"), &value("Disk"));
    let finding = only_finding(
        &comparison,
        ChangeCode::ValueRenamed,
        &json!({"type": "AWSDisk", "disk": {}}),
    );
    assert_eq!(finding.subjects, ["AWSDisk", "Disk"]);
}

#[test]
fn one_source_of_a_variable_becomes_required() {
    let source = |rule: &str| {
        json!({
            "type": "object",
            "properties": {"fieldRef": {"type": "object"}, "secretKeyRef": {"type": "object"}},
            "x-kubernetes-validations": [{"rule": rule}],
        })
    };
    let at_most = source("!(has(self.fieldRef) && has(self.secretKeyRef))");
    let exactly = source("has(self.fieldRef) != has(self.secretKeyRef)");
    let comparison = checked_comparison(&at_most, &exactly);
    only_finding(&comparison, ChangeCode::OneRequired, &json!({}));
    let comparison = checked_comparison(&exactly, &at_most);
    let finding = only_finding(&comparison, ChangeCode::NoneAllowed, &json!({}));
    assert_eq!(finding.severity, Severity::Notice);
}

#[test]
fn percent_and_fraction_stop_and_start_to_exclude_each_other() {
    let mirror = |rules: Value| {
        json!({
            "type": "object",
            "properties": {"percent": {"type": "integer"}, "fraction": {"type": "integer"}},
            "x-kubernetes-validations": rules,
        })
    };
    let with_rule = mirror(json!([{"rule": "!(has(self.percent) && has(self.fraction))"}]));
    let without_rule = mirror(json!([]));
    let both = json!({"fraction": 1, "percent": 1});
    let comparison = checked_comparison(&with_rule, &without_rule);
    let finding = only_finding(&comparison, ChangeCode::ExclusivityRemoved, &both);
    assert_eq!(finding.severity, Severity::Notice);
    let comparison = checked_comparison(&without_rule, &with_rule);
    let finding = only_finding(&comparison, ChangeCode::ExclusivityAdded, &both);
    assert_eq!(finding.severity, Severity::Breaking);
    // An update that changes another field of the object is rejected, though both fields are
    // stored.
    assert!(matches!(
        finding.stored_objects,
        RequestOutcome::Tolerated(_)
    ));
    let request = finding
        .update_example
        .as_ref()
        .expect("an update inside is refused");
    assert_eq!(request.old, both);
    assert!(matches!(request.before.server, Decision::Accepted));
    assert!(is_refused(&request.after.server), "{finding}");
}

#[test]
fn a_discriminator_becomes_required() {
    let source = |required: Value| {
        json!({
            "type": "object",
            "required": required,
            "properties": {
                "type": {"type": "string", "enum": ["Git", "Bucket"]},
                "git": {"type": "object"},
                "bucket": {"type": "object"},
            },
            "x-kubernetes-validations": [
                {"rule": "has(self.type) && self.type == 'Git' ? has(self.git) : !has(self.git)"},
                {"rule": "has(self.type) && self.type == 'Bucket' ? has(self.bucket) : !has(self.bucket)"},
            ],
        })
    };
    let comparison = checked_comparison(&source(json!([])), &source(json!(["type"])));
    only_finding(&comparison, ChangeCode::DiscriminatorRequired, &json!({}));
    let comparison = checked_comparison(&source(json!(["type"])), &source(json!([])));
    only_finding(&comparison, ChangeCode::DiscriminatorOptional, &json!({}));
}

#[test]
fn a_discriminator_is_renamed() {
    let old = by_type(&["Git", "None"], &[required("Git", "git")]);
    let schema = old
        .to_string()
        .replace("\"type\":{", "\"kind\":{")
        .replace("self.type", "self.kind");
    let schema = schema.replace("[\"type\"]", "[\"kind\"]");
    let new: Value = serde_json::from_str(&schema).unwrap();
    let comparison = checked_comparison(&old, &new);
    let codes: Vec<ChangeCode> = comparison
        .findings
        .iter()
        .map(|finding| finding.code)
        .collect();
    assert_eq!(codes, [ChangeCode::DiscriminatorRenamed], "{comparison}");
    assert_eq!(comparison.findings[0].object, json!({"type": "None"}));
}

#[test]
fn a_member_moves_to_another_value() {
    let source = |value| {
        by_type(
            &["A", "B", "C"],
            &[required(value, "member"), required("C", "other")],
        )
    };
    let comparison = checked_comparison(&source("A"), &source("B"));
    let finding = only_finding(&comparison, ChangeCode::MemberMoved, &json!({"type": "B"}));
    assert_eq!(finding.subjects, ["member", "A", "B"]);
}

#[test]
fn unchanged_unions_have_no_findings() {
    let union = by_type(&["A", "B"], &[required("A", "a")]);
    let comparison = checked_comparison(&union, &union);
    assert!(comparison.findings.is_empty(), "{comparison}");
    assert!(comparison.is_compatible());
    assert_eq!(comparison.union_objects, 1);
    // The objects have an absent discriminator, A, B or an unknown value, each with `a` set and
    // unset.
    assert_eq!(comparison.objects, 8);
}

#[test]
fn a_rule_that_is_stricter_than_the_union() {
    let old = by_type(&["A", "B"], &[required("A", "a")]);
    let mut new = old.clone();
    let rules = new["x-kubernetes-validations"].as_array_mut().unwrap();
    rules.push(json!({"rule": "!has(self.a) || has(self.a.name)"}));
    let comparison = checked_comparison(&old, &new);
    let finding = only_finding(
        &comparison,
        ChangeCode::RuleAdded,
        &json!({"type": "A", "a": {}}),
    );
    assert!(matches!(finding.after.union, Decision::Accepted));
    let comparison = checked_comparison(&new, &old);
    only_finding(
        &comparison,
        ChangeCode::RuleRemoved,
        &json!({"type": "A", "a": {}}),
    );
}

#[test]
fn the_object_with_the_union_is_removed() {
    let union = by_type(&["A", "B"], &[required("A", "a")]);
    let old = json!({"type": "object", "properties": {"source": union, "n": {"type": "integer"}}});
    let new = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    let [old, new] = [old, new].map(|spec| crd(&[("v1", spec)]));
    let reports = compare_crds(&old, &new).unwrap();
    assert_eq!(reports[0].findings.len(), 1, "{}", reports[0]);
    assert_eq!(reports[0].findings[0].code, ChangeCode::ObjectRemoved);
    assert_eq!(
        create(
            &new,
            "v1",
            &json!({"source": reports[0].findings[0].object})
        ),
        Ok(json!({}))
    );
}

#[test]
fn a_value_that_is_not_a_crd_is_an_error() {
    let error = compare_versions(&json!({"kind": "Pod"})).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("/spec/versions: expected a list of versions"),
        "{error}"
    );
}

/// The comparison finds by trial a value that meets a rule of an inner object.
#[test]
fn an_inner_rule_requires_a_port() {
    let mut schemas = [&["Mirror", "None"][..], &["Mirror"]]
        .map(|values| by_type(values, &[required("Mirror", "mirror")]));
    for schema in &mut schemas {
        schema["properties"]["mirror"] = json!({
            "type": "object",
            "required": ["backendRef"],
            "properties": {"backendRef": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "kind": {"type": "string", "default": "Service"},
                    "name": {"type": "string", "pattern": "^[a-z]-[0-9]$"},
                    "port": {"type": "integer", "minimum": 1},
                },
                "x-kubernetes-validations": [{"rule": "self.kind != 'Service' || has(self.port)"}],
            }},
        });
    }
    let comparison = checked_comparison(&schemas[0], &schemas[1]);
    only_finding(
        &comparison,
        ChangeCode::ValueRemoved,
        &json!({"type": "None"}),
    );
}

/// The depth of schemas is limited, because CRDs come from anybody.
#[test]
fn deep_schemas_are_not_compared() {
    let mut deep = json!({"type": "object"});
    for _ in 0..200 {
        deep = json!({"type": "object", "properties": {"a": deep}});
    }
    let deep = crd(&[("v1", deep)]);
    let error = compare_crds(&deep, &deep).unwrap_err();
    assert_eq!(
        error.to_string(),
        "v1: the schema has more than 64 levels and cannot be compared"
    );
}

/// In a union with many members, only objects with few set members are compared, and a note says
/// that others are left out.
#[test]
fn a_large_union_is_partly_compared() {
    let names: Vec<(String, String)> = (0..12)
        .map(|i| (format!("Value{i}"), format!("value{i}")))
        .collect();
    let values: Vec<&str> = names.iter().map(|(value, _)| &**value).collect();
    let members: Vec<Member<'_>> = names
        .iter()
        .map(|(value, field)| required(value, field))
        .collect();
    let old = by_type(&values, &members);
    let mut new = old.clone();
    new["properties"]["type"]["enum"]
        .as_array_mut()
        .unwrap()
        .pop();
    let [old, new] = [old, new].map(|spec| crd(&[("v1", spec)]));
    let reports = compare_crds(&old, &new).unwrap();
    assert_eq!(reports[0].objects, union_compat::bounds::OBJECTS);
    assert!(
        reports[0]
            .notes
            .iter()
            .any(|note| note.contains("the smallest")),
        "{}",
        reports[0]
    );
    let codes: Vec<(ChangeCode, &[String])> = reports[0]
        .findings
        .iter()
        .map(|finding| (finding.code, &*finding.subjects))
        .collect();
    assert_eq!(
        codes,
        [(ChangeCode::ValueRemoved, &["Value11".to_owned()][..])],
        "{}",
        reports[0]
    );
}

/// Two versions are served together, and one of them does not have the object with the union:
/// objects that are written through this version lose the object.
#[test]
fn only_one_served_version_has_the_object() {
    let union = by_type(&["A", "B"], &[required("A", "a")]);
    let with_rule =
        json!({"type": "object", "properties": {"source": union, "n": {"type": "integer"}}});
    let without_rule = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    for (i, specs) in [
        [with_rule.clone(), without_rule.clone()],
        [without_rule, with_rule],
    ]
    .into_iter()
    .enumerate()
    {
        let [v1, v2] = specs;
        let two = crd(&[("v1", v1), ("v2", v2)]);
        let reports = compare_versions(&two).unwrap();
        let [finding] = &*reports[0].findings else {
            panic!("{}", reports[0])
        };
        assert_eq!(
            (finding.code, finding.severity),
            (ChangeCode::ObjectRemoved, Severity::Breaking)
        );
        let lacks = ["v2", "v1"][i];
        assert!(finding.description.starts_with(lacks), "{finding}");
        assert_eq!(
            create(&two, lacks, &json!({"source": finding.object})),
            Ok(json!({}))
        );

        let mut converted = two.clone();
        converted["spec"]["conversion"] = json!({"strategy": "Webhook"});
        let reports = compare_versions(&converted).unwrap();
        assert_eq!(
            (reports[0].findings.len(), &*reports[0].notes),
            (
                0,
                &["not compared, because a webhook converts them".to_owned()][..]
            )
        );
    }
}

#[test]
fn values_are_closed_and_opened() {
    let closed = by_type(&["A", "B"], &[required("A", "a"), required("B", "b")]);
    let mut open = closed.clone();
    open["properties"]["type"]
        .as_object_mut()
        .unwrap()
        .remove("enum");
    let comparison = checked_comparison(&open, &closed);
    let unknown = json!({"type": "Unknown"});
    let finding = only_finding(&comparison, ChangeCode::ValuesClosed, &unknown);
    assert_eq!(finding.severity, Severity::Breaking);
    let comparison = checked_comparison(&closed, &open);
    let finding = only_finding(&comparison, ChangeCode::ValuesOpened, &unknown);
    assert_eq!(finding.severity, Severity::Notice);
}

#[test]
fn a_discriminator_is_removed() {
    let old = by_type(&["A", "B"], &[required("A", "a"), required("B", "b")]);
    let new = json!({
        "type": "object",
        "properties": {"a": {"type": "object"}, "b": {"type": "object"}},
        "x-kubernetes-validations": [{"rule": "has(self.a) != has(self.b)"}],
    });
    let comparison = checked_comparison(&old, &new);
    let object = json!({"type": "A", "a": {}});
    let finding = only_finding(&comparison, ChangeCode::DiscriminatorRemoved, &object);
    assert!(
        matches!(&finding.stored_objects, RequestOutcome::FieldsLost(fields) if fields == &["type"]),
        "{finding}"
    );
}

/// A rule at the root is evaluated again if anything in the whole object changes, even an
/// annotation.
#[test]
fn a_rule_at_the_root_tolerates_nothing() {
    let spec =
        json!({"type": "object", "properties": {"a": {"type": "object"}, "b": {"type": "object"}}});
    let old = crd(&[("v1", spec)]);
    let mut new = old.clone();
    let schema = new
        .pointer_mut("/spec/versions/0/schema/openAPIV3Schema")
        .unwrap();
    schema["x-kubernetes-validations"] =
        json!([{"rule": "!has(self.spec) || !(has(self.spec.a) && has(self.spec.b))"}]);
    let reports = compare_crds(&old, &new).unwrap();
    let [finding] = &*reports[0].findings else {
        panic!("{}", reports[0])
    };
    assert_eq!(
        (finding.code, &finding.object),
        (ChangeCode::ExclusivityAdded, &json!({"a": {}, "b": {}}))
    );
    assert!(
        matches!(finding.stored_objects, RequestOutcome::Refused(_)),
        "{finding}"
    );
}

/// A union is inside a member of another union, whose discriminator selects the member.
#[test]
fn a_union_in_a_member_of_another() {
    let route = |rules: Value| {
        let mut filter = by_type(
            &["Other", "Mirror"],
            &[required("Mirror", "mirror"), required("Other", "other")],
        );
        filter["properties"]["mirror"] = json!({
            "type": "object",
            "properties": {"fraction": {"type": "integer"}, "percent": {"type": "integer"}},
            "x-kubernetes-validations": rules,
        });
        let filters = json!({"type": "array", "maxItems": 4, "items": filter});
        crd(&[(
            "v1",
            json!({"type": "object", "required": ["filters"], "properties": {"filters": filters}}),
        )])
    };
    let old = route(json!([{"rule": "!(has(self.percent) && has(self.fraction))"}]));
    let new = route(json!([{"rule": "has(self.percent) != has(self.fraction)"}]));
    let reports = compare_crds(&old, &new).unwrap();
    assert_eq!(reports[0].notes, [] as [&str; 0]);
    let mirror = reports[0]
        .findings
        .iter()
        .find(|finding| finding.path == "spec.filters[].mirror");
    let mirror = mirror.unwrap_or_else(|| panic!("{}", reports[0]));
    assert_eq!(
        (mirror.code, &mirror.object),
        (ChangeCode::OneRequired, &json!({}))
    );
    let spec = json!({"filters": [{"type": "Mirror", "mirror": mirror.object}]});
    assert!(create(&old, "v1", &spec).is_ok());
    assert!(create(&new, "v1", &spec).is_err());
}

/// An update in a finding only sets values that the schema accepts.
#[test]
fn an_update_example_has_accepted_values() {
    let schema_with = |rules: Value| {
        json!({
            "type": "object",
            "properties": {
                "a": {"type": "string", "maxLength": 1},
                "b": {"type": "string", "maxLength": 1},
            },
            "x-kubernetes-validations": rules,
        })
    };
    let comparison = checked_comparison(
        &schema_with(json!([])),
        &schema_with(json!([{"rule": "!(has(self.a) && has(self.b))"}])),
    );
    let finding = only_finding(
        &comparison,
        ChangeCode::ExclusivityAdded,
        &json!({"a": "x", "b": "x"}),
    );
    let request = finding
        .update_example
        .as_ref()
        .expect("an update of a member is refused");
    assert_eq!(request.new, json!({"a": "a", "b": "x"}));
}
