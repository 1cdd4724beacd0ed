//! Tests of changes that real APIs made, in reduced form: the findings, their smallest objects, and
//! the results of the union engine and of the validator for these objects.

use serde_json::{Value, json};
use union_compat::{
    ApiVersion, ChangeCode, CompatReport, Decision, RequestOutcome, Severity, compare,
    compare_crds, compare_versions,
};

use crate::oracle::{assert_decisions, crd, create, findings_of, is_rejected, update};

/// A member of a union with a discriminator.
#[derive(Clone, Copy)]
struct Member<'n> {
    value: &'n str,
    field: &'n str,
    is_optional: bool,
}

/// Returns a member that is required with its value.
const fn required_member<'n>(value: &'n str, field: &'n str) -> Member<'n> {
    Member {
        value,
        field,
        is_optional: false,
    }
}

/// Returns the schema of a union with a discriminator, which CEL rules define.
fn schema_by_type(values: &[&str], members: &[Member<'_>]) -> Value {
    let mut properties = json!({"type": {"type": "string", "enum": values}});
    let mut rules = Vec::new();
    for Member {
        value,
        field,
        is_optional,
    } in members
    {
        properties[*field] = json!({"type": "object", "properties": {"name": {"type": "string"}}});
        let condition_if_selected = if *is_optional {
            "true".to_owned()
        } else {
            format!("has(self.{field})")
        };
        rules.push(json!({"rule": format!("self.type == '{value}' ? {condition_if_selected} : !has(self.{field})")}));
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
        if let Some(update_example) = &finding.update_example {
            let is_accepted = update(&new, "v1", &update_example.old, &update_example.new);
            assert_eq!(
                is_accepted,
                !is_rejected(&update_example.after.server),
                "{finding}"
            );
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
fn an_added_value_of_http_route_filters_is_a_notice() {
    let rules = |filters: Value| {
        json!({"type": "object", "properties": {"rules": {"type": "array", "maxItems": 16, "items": {
            "type": "object",
            "properties": {"filters": {"type": "array", "maxItems": 16, "items": filters}},
        }}}})
    };
    let mirror = required_member("RequestMirror", "requestMirror");
    let old = schema_by_type(&["RequestMirror", "Other"], &[mirror]);
    let new = schema_by_type(
        &["RequestMirror", "Other", "CORS"],
        &[mirror, required_member("CORS", "cors")],
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
    assert_eq!(finding.path, "spec.rules[*].filters[*]");
    assert_eq!(finding.object, json!({"type": "CORS", "cors": {}}));
    // A client that keeps the value and drops the member is rejected, with a message.
    assert_eq!(finding.severity, Severity::Notice);
    assert!(
        matches!(&finding.old_clients, RequestOutcome::Rejected(error) if error.contains("spec.rules[0].filters[0]"))
    );
    assert!(matches!(finding.new_clients, RequestOutcome::Rejected(_)));
    let spec = json!({"rules": [{"filters": [finding.object]}]});
    assert!(create(&old, "v1", &spec).is_err());
    assert!(create(&new, "v1", &spec).is_ok());
}

#[test]
fn an_added_discriminator_of_metric_specs_is_breaking() {
    let metric = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    let old = json!({
        "type": "object",
        "properties": {"external": metric, "pods": metric, "resource": metric},
        "oneOf": [{"required": ["external"]}, {"required": ["pods"]}, {"required": ["resource"]}],
    });
    let members = [
        required_member("External", "external"),
        required_member("Pods", "pods"),
        required_member("Resource", "resource"),
    ];
    let new = schema_by_type(&["External", "Pods", "Resource"], &members);
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
            RequestOutcome::Tolerated(_) | RequestOutcome::Rejected(_)
        ),
        "{finding}"
    );
    assert!(matches!(finding.old_clients, RequestOutcome::Rejected(_)));
}

#[test]
fn a_newly_required_member_is_breaking_and_a_newly_optional_member_a_notice() {
    let strategy = |is_optional| {
        schema_by_type(
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
    assert!(matches!(finding.old_clients, RequestOutcome::Rejected(_)));

    let comparison = checked_comparison(&strategy(false), &strategy(true));
    let finding = only_finding(
        &comparison,
        ChangeCode::MemberOptional,
        &json!({"type": "RollingUpdate"}),
    );
    assert_eq!(finding.severity, Severity::Notice);
}

#[test]
fn a_removed_value_loses_the_member_of_stored_objects() {
    let empty_dir = required_member("EmptyDir", "emptyDir");
    let old = schema_by_type(
        &["EmptyDir", "GitRepo"],
        &[empty_dir, required_member("GitRepo", "gitRepo")],
    );
    let new = schema_by_type(&["EmptyDir"], &[empty_dir]);
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
    assert!(matches!(finding.old_clients, RequestOutcome::Rejected(_)));
}

#[test]
fn a_rule_that_a_served_version_lacks_is_breaking() {
    let with_rule = json!({
        "type": "object",
        "properties": {"percent": {"type": "integer"}, "fraction": {"type": "integer"}},
        "x-kubernetes-validations": [{"rule": "!(has(self.percent) && has(self.fraction))"}],
    });
    let without_rule = json!({"type": "object", "properties": with_rule["properties"]});
    let crd = crd(&[("v1", with_rule), ("v1beta1", without_rule)]);
    let reports = compare_versions(&crd).unwrap();
    let [comparison] = &*reports else {
        panic!("{reports:?}")
    };
    let [finding] = &*comparison.findings else {
        panic!("{comparison}")
    };
    let object_with_both = json!({"fraction": 1, "percent": 1});
    assert_eq!(
        (finding.code, &finding.object),
        (ChangeCode::RuleMissing, &object_with_both)
    );
    assert_eq!(finding.subjects, ["v1beta1", "v1"]);
    assert_eq!(finding.severity, Severity::Breaking);
    assert!(create(&crd, "v1", &object_with_both).is_err());
    assert!(create(&crd, "v1beta1", &object_with_both).is_ok());
    assert!(matches!(finding.new_clients, RequestOutcome::Rejected(_)));
    // An upgrade to the same CRD does not change the difference.
    let reports_of_same_crd = compare_crds(&crd, &crd).unwrap();
    assert!(
        reports_of_same_crd
            .iter()
            .all(|comparison| comparison.findings.is_empty())
    );
    assert_eq!(reports_of_same_crd[2].known_findings, comparison.findings);
    let report = reports_of_same_crd[2].to_string();
    assert!(
        report
            .contains("as before: spec: v1beta1 does not have a rule that v1 has (rule-missing)\n"),
        "{report}"
    );

    // The difference is not known before if a version is new, if the old CRD does not serve it, or
    // if the old CRD converts objects by a webhook.
    let mut crd_with_unserved_version = crd.clone();
    crd_with_unserved_version["spec"]["versions"][1]["served"] = json!(false);
    let mut crd_with_webhook = crd.clone();
    crd_with_webhook["spec"]["conversion"] = json!({"strategy": "Webhook"});
    let mut crd_with_one_version = crd.clone();
    crd_with_one_version["spec"]["versions"]
        .as_array_mut()
        .unwrap()
        .pop();
    for old in [
        crd_with_unserved_version,
        crd_with_webhook,
        crd_with_one_version,
    ] {
        let reports = compare_crds(&old, &crd).unwrap();
        let last_report = reports.last().unwrap();
        assert_eq!(
            (last_report.findings.len(), last_report.known_findings.len()),
            (1, 0),
            "{last_report}"
        );
    }
}

#[test]
fn a_changed_default_of_a_discriminator_is_breaking() {
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
fn renamed_members_and_values_are_findings() {
    let source = |field| schema_by_type(&["Disk", "None"], &[required_member("Disk", field)]);
    let comparison = checked_comparison(&source("awsDisk"), &source("disk"));
    let finding = only_finding(
        &comparison,
        ChangeCode::MemberRenamed,
        &json!({"type": "Disk", "awsDisk": {}}),
    );
    assert_eq!(finding.subjects, ["awsDisk", "disk"]);

    let value = |value| schema_by_type(&[value, "None"], &[required_member(value, "disk")]);
    let comparison = checked_comparison(&value("AWSDisk"), &value("Disk"));
    let finding = only_finding(
        &comparison,
        ChangeCode::ValueRenamed,
        &json!({"type": "AWSDisk", "disk": {}}),
    );
    assert_eq!(finding.subjects, ["AWSDisk", "Disk"]);
}

#[test]
fn a_newly_required_union_is_a_finding_and_a_newly_optional_union_a_notice() {
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
fn added_exclusivity_is_breaking_and_removed_exclusivity_a_notice() {
    let mirror = |rules: Value| {
        json!({
            "type": "object",
            "properties": {"percent": {"type": "integer"}, "fraction": {"type": "integer"}},
            "x-kubernetes-validations": rules,
        })
    };
    let with_rule = mirror(json!([{"rule": "!(has(self.percent) && has(self.fraction))"}]));
    let without_rule = mirror(json!([]));
    let object_with_both = json!({"fraction": 1, "percent": 1});
    let comparison = checked_comparison(&with_rule, &without_rule);
    let finding = only_finding(
        &comparison,
        ChangeCode::ExclusivityRemoved,
        &object_with_both,
    );
    assert_eq!(finding.severity, Severity::Notice);
    let comparison = checked_comparison(&without_rule, &with_rule);
    let finding = only_finding(&comparison, ChangeCode::ExclusivityAdded, &object_with_both);
    assert_eq!(finding.severity, Severity::Breaking);
    // An update that changes another field of the object is rejected, though both fields are
    // stored.
    assert!(matches!(
        finding.stored_objects,
        RequestOutcome::Tolerated(_)
    ));
    let update_example = finding
        .update_example
        .as_ref()
        .expect("an update inside is rejected");
    assert_eq!(update_example.old, object_with_both);
    assert!(matches!(update_example.before.server, Decision::Accepted));
    assert!(is_rejected(&update_example.after.server), "{finding}");
}

#[test]
fn newly_required_and_newly_optional_discriminators_are_findings() {
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
fn a_renamed_discriminator_is_one_finding() {
    let old = schema_by_type(&["Git", "None"], &[required_member("Git", "git")]);
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
fn a_member_that_moves_to_another_value_is_a_finding() {
    let source = |value| {
        schema_by_type(
            &["A", "B", "C"],
            &[
                required_member(value, "member"),
                required_member("C", "other"),
            ],
        )
    };
    let comparison = checked_comparison(&source("A"), &source("B"));
    let finding = only_finding(&comparison, ChangeCode::MemberMoved, &json!({"type": "B"}));
    assert_eq!(finding.subjects, ["member", "A", "B"]);
}

#[test]
fn unchanged_unions_have_no_findings() {
    let union = schema_by_type(&["A", "B"], &[required_member("A", "a")]);
    let comparison = checked_comparison(&union, &union);
    assert!(comparison.findings.is_empty(), "{comparison}");
    assert!(comparison.is_compatible());
    assert_eq!(comparison.union_objects, 1);
    // The objects have an absent discriminator, A, B or an unknown value, each with `a` set and
    // unset.
    assert_eq!(comparison.objects, 8);
}

#[test]
fn added_and_removed_rules_outside_the_union_are_findings() {
    let old = schema_by_type(&["A", "B"], &[required_member("A", "a")]);
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
fn a_removed_object_with_a_union_is_a_finding() {
    let union = schema_by_type(&["A", "B"], &[required_member("A", "a")]);
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
fn generated_values_satisfy_rules_of_inner_objects() {
    let mut schemas = [&["Mirror", "None"][..], &["Mirror"]]
        .map(|values| schema_by_type(values, &[required_member("Mirror", "mirror")]));
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
    let mut deep_schema = json!({"type": "object"});
    for _ in 0..200 {
        deep_schema = json!({"type": "object", "properties": {"a": deep_schema}});
    }
    let deep_crd = crd(&[("v1", deep_schema)]);
    let error = compare_crds(&deep_crd, &deep_crd).unwrap_err();
    assert_eq!(
        error.to_string(),
        "v1: the schema has more than 64 levels and cannot be compared"
    );
}

/// In a union with many members, only objects with few set members are compared, and a note says
/// that others are left out.
#[test]
fn a_large_union_is_partly_compared_with_a_note() {
    let names: Vec<(String, String)> = (0..12)
        .map(|i| (format!("Value{i}"), format!("value{i}")))
        .collect();
    let values: Vec<&str> = names.iter().map(|(value, _)| &**value).collect();
    let members: Vec<Member<'_>> = names
        .iter()
        .map(|(value, field)| required_member(value, field))
        .collect();
    let old = schema_by_type(&values, &members);
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
fn an_object_that_a_served_version_lacks_is_breaking() {
    let union = schema_by_type(&["A", "B"], &[required_member("A", "a")]);
    let with_object =
        json!({"type": "object", "properties": {"source": union, "n": {"type": "integer"}}});
    let without_object = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    for (index, specs) in [
        [with_object.clone(), without_object.clone()],
        [without_object, with_object],
    ]
    .into_iter()
    .enumerate()
    {
        let [v1, v2] = specs;
        let crd_with_two_versions = crd(&[("v1", v1), ("v2", v2)]);
        let reports = compare_versions(&crd_with_two_versions).unwrap();
        let [finding] = &*reports[0].findings else {
            panic!("{}", reports[0])
        };
        assert_eq!(
            (finding.code, finding.severity),
            (ChangeCode::ObjectRemoved, Severity::Breaking)
        );
        let version_without_object = ["v2", "v1"][index];
        assert!(
            finding.description.starts_with(version_without_object),
            "{finding}"
        );
        assert_eq!(
            create(
                &crd_with_two_versions,
                version_without_object,
                &json!({"source": finding.object})
            ),
            Ok(json!({}))
        );

        let mut crd_with_webhook = crd_with_two_versions.clone();
        crd_with_webhook["spec"]["conversion"] = json!({"strategy": "Webhook"});
        let reports = compare_versions(&crd_with_webhook).unwrap();
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
fn closed_values_are_breaking_and_opened_values_a_notice() {
    let closed_union = schema_by_type(
        &["A", "B"],
        &[required_member("A", "a"), required_member("B", "b")],
    );
    let mut open_union = closed_union.clone();
    open_union["properties"]["type"]
        .as_object_mut()
        .unwrap()
        .remove("enum");
    let comparison = checked_comparison(&open_union, &closed_union);
    let object_with_unknown_value = json!({"type": "Unknown"});
    let finding = only_finding(
        &comparison,
        ChangeCode::ValuesClosed,
        &object_with_unknown_value,
    );
    assert_eq!(finding.severity, Severity::Breaking);
    let comparison = checked_comparison(&closed_union, &open_union);
    let finding = only_finding(
        &comparison,
        ChangeCode::ValuesOpened,
        &object_with_unknown_value,
    );
    assert_eq!(finding.severity, Severity::Notice);
}

#[test]
fn a_removed_discriminator_is_lost_in_stored_objects() {
    let old = schema_by_type(
        &["A", "B"],
        &[required_member("A", "a"), required_member("B", "b")],
    );
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
fn a_rule_at_the_root_rejects_updates_of_stored_objects() {
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
        matches!(finding.stored_objects, RequestOutcome::Rejected(_)),
        "{finding}"
    );
}

/// A union is inside a member of another union, whose discriminator selects the member.
#[test]
fn a_union_in_a_member_of_another_union_is_compared() {
    let route = |rules: Value| {
        let mut filter = schema_by_type(
            &["Other", "Mirror"],
            &[
                required_member("Mirror", "mirror"),
                required_member("Other", "other"),
            ],
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
    let mirror_finding = reports[0]
        .findings
        .iter()
        .find(|finding| finding.path == "spec.filters[*].mirror");
    let mirror_finding = mirror_finding.unwrap_or_else(|| panic!("{}", reports[0]));
    assert_eq!(
        (mirror_finding.code, &mirror_finding.object),
        (ChangeCode::OneRequired, &json!({}))
    );
    let spec = json!({"filters": [{"type": "Mirror", "mirror": mirror_finding.object}]});
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
        &json!({"a": "e", "b": "e"}),
    );
    let update_example = finding
        .update_example
        .as_ref()
        .expect("an update of a member is rejected");
    assert_eq!(update_example.new, json!({"a": "a", "b": "e"}));
}

/// Returns the schema of `spec` with two members, which have values that a search must find.
fn two_members(keywords: &Value) -> Value {
    let mut spec = json!({
        "type": "object",
        "required": ["url"],
        "properties": {
            "url": {"type": "string", "x-kubernetes-validations": [{"rule": "isURL(self)"}]},
            "selector": {"type": "object", "properties": {"labels": {"type": "object"}}},
            "target": {
                "type": "object",
                "required": ["kind"],
                "properties": {
                    "kind": {"type": "string", "pattern": "^[A-Z][a-z]{3}$"},
                    "count": {"type": "integer", "minimum": 7},
                },
                "x-kubernetes-validations": [{"rule": "has(self.count) && self.count > 11"}],
            },
        },
    });
    for (keyword, value) in keywords.as_object().unwrap() {
        spec[keyword] = value.clone();
    }
    spec
}

/// Only one version has the union, and both versions have the members.
#[test]
fn a_union_of_only_one_version_is_compared_with_the_members_of_both() {
    let unions = [
        json!({"x-kubernetes-validations": [
            {"rule": "(has(self.selector) ? 1 : 0) + (has(self.target) ? 1 : 0) <= 1"},
        ]}),
        json!({"not": {"required": ["selector", "target"]}}),
        json!({"oneOf": [{"required": ["selector"]}, {"required": ["target"]}]}),
        json!({"maxProperties": 2, "x-kubernetes-validations": [
            {"rule": "!(has(self.selector) && has(self.target))"},
        ]}),
        json!({"x-kubernetes-unions": [
            {"fields-to-discriminateBy": {"selector": "Selector", "target": "Target"}},
        ]}),
    ];
    for union in unions {
        let [with, without] = [union.clone(), json!({})].map(|keywords| two_members(&keywords));
        // The same with a member that only the new version has.
        let mut with_third = with.clone();
        with_third["properties"]["third"] = json!({"type": "object"});
        for (old, new, code) in [
            (&without, &with, ChangeCode::ExclusivityAdded),
            (&without, &with_third, ChangeCode::ExclusivityAdded),
            (&with, &without, ChangeCode::ExclusivityRemoved),
        ] {
            let [old, new] = [old, new].map(|spec| crd(&[("v1", spec.clone())]));
            let report = &compare_crds(&old, &new).unwrap()[0];
            let finding = report.findings.iter().find(|finding| finding.code == code);
            let finding = finding.unwrap_or_else(|| panic!("{union}: {report}"));
            let has = |name: &str| finding.object.get(name).is_some();
            assert!(has("selector") && has("target"), "{finding}");
            let [accepting, rejecting] = match code {
                ChangeCode::ExclusivityAdded => [&finding.before, &finding.after],
                _ => [&finding.after, &finding.before],
            };
            assert!(
                !accepting.is_rejected() && rejecting.is_rejected(),
                "{finding}"
            );
            assert_eq!(report.notes, [] as [&str; 0], "{report}");
        }
    }
}

/// The messages have the paths of the whole object, because a search finds an object that both
/// versions accept around the union.
#[test]
fn a_union_is_compared_in_a_whole_object() {
    let source = |required: bool| {
        let mut source = two_members(&json!({}));
        source["required"] = json!([]);
        if required {
            source["oneOf"] = json!([{"required": ["selector"]}, {"required": ["target"]}]);
        }
        source
    };
    let spec = |required: bool| {
        json!({
            "type": "object",
            "required": ["source", "reference"],
            "properties": {
                "source": source(required),
                "reference": {
                    "type": "object",
                    "properties": {"name": {"type": "string"}, "port": {"type": "integer"}},
                    "x-kubernetes-validations": [
                        {"rule": "has(self.name) && has(self.port) && self.port > 4000"},
                    ],
                },
            },
        })
    };
    let [old, new] = [true, false].map(|required| crd(&[("v1", spec(required))]));
    let report = &compare_crds(&old, &new).unwrap()[0];
    assert_eq!(report.notes, [] as [&str; 0], "{report}");
    let finding = report
        .findings
        .iter()
        .find(|finding| finding.code == ChangeCode::NoneAllowed);
    let Decision::Rejected(messages) = &finding.unwrap().before.server else {
        panic!("{report}")
    };
    assert_eq!(messages[0], "spec.source.selector: Required value");
}

/// The parents satisfy the unions that they declare, although a server does not check them, and the
/// rules that read the name.
#[test]
fn the_parents_of_a_union_are_valid() {
    let spec = |rules: Value| {
        let union = json!({
            "type": "object",
            "properties": {"a": {"type": "object"}, "b": {"type": "object"}},
            "x-kubernetes-validations": rules,
        });
        json!({
            "type": "object",
            "required": ["first"],
            "properties": {"first": {"type": "object"}, "second": union},
            "x-kubernetes-unions": [
                {"fields-to-discriminateBy": {"first": "First", "second": "Second"}},
            ],
        })
    };
    let rules = json!([{"rule": "!has(self.a) || !has(self.b)"}]);
    let [old, new] = [json!([]), rules].map(|rules| crd(&[("v1", spec(rules))]));
    let report = &compare_crds(&old, &new).unwrap()[0];
    let path = "spec.second: compared by its own schema only, because no whole object was found that both versions accept";
    // The declared union contradicts `required`, so no whole object is valid.
    assert_eq!(report.notes, [path], "{report}");
    assert_eq!(report.findings[0].code, ChangeCode::ExclusivityAdded);

    let [old, new] = [json!([]), json!([{"rule": "!has(self.a) || !has(self.b)"}])].map(|rules| {
        let mut crd = crd(&[("v1", spec(rules)["properties"]["second"].clone())]);
        let schema = crd
            .pointer_mut("/spec/versions/0/schema/openAPIV3Schema")
            .unwrap();
        schema["x-kubernetes-validations"] = json!([{"rule": "self.metadata.name.size() > 3"}]);
        crd
    });
    let report = &compare_crds(&old, &new).unwrap()[0];
    assert_eq!(report.notes, [] as [&str; 0], "{report}");
}

/// A declaration takes precedence over the rules only if it is valid.
#[test]
fn an_invalid_declaration_does_not_hide_the_union_of_the_rules() {
    let schema = |has_rule: bool, declaration: &Value| {
        let mut schema = json!({"type": "object", "properties": {
            "a": {"type": "string"}, "b": {"type": "string"},
        }});
        if has_rule {
            schema["oneOf"] = json!([{"required": ["a"]}, {"required": ["b"]}]);
        }
        if !declaration.is_null() {
            schema["x-kubernetes-unions"] = declaration.clone();
        }
        schema
    };
    let misspelled = json!([{"fields-to-discriminateBy": {"a": "A", "bb": "B"}}]);
    for (declaration, note_count) in [(json!(null), 0), (misspelled, 1), (json!(5), 1)] {
        let version = |name, has_rule| {
            let schema = schema(has_rule, &declaration);
            ApiVersion::from_schema(name, &schema).expect("a version")
        };
        let report = compare(&version("old", false), &version("new", true));
        assert!(!report.is_compatible(), "{declaration}: {report:?}");
        let notes = report.notes.iter();
        let notes = notes.filter(|note| {
            note.starts_with("the object: the declaration of unions is invalid, and is ignored: ")
        });
        assert_eq!(
            notes.count(),
            note_count,
            "{declaration}: {:?}",
            report.notes
        );
    }
}
