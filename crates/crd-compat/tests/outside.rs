//! Changes outside of the schemas.
#![expect(clippy::too_many_lines, reason = "tables of changes")]

use crd_compat::{Finding, Level, compare_crds};
use serde_json::{Value, json};

use crate::support::crd_with;

/// A changed CRD, the expected code and level, and a part of the line about who is affected.
type Row = (Value, &'static str, Level, &'static str);

fn crd() -> Value {
    let spec = json!({"type": "object", "properties": {"f": {"type": "string"}}});
    crd_with(
        &json!({"type": "object", "properties": {"spec": spec}}),
        false,
    )
}

/// Returns a CRD with another value.
fn change(crd: &Value, pointer: &str, value: Value) -> Value {
    let mut changed = crd.clone();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    changed.pointer_mut(parent).unwrap()[name] = value;
    changed
}

#[track_caller]
fn check(old: &Value, rows: impl IntoIterator<Item = Row>) {
    for (new, code, level, affected) in rows {
        let report = compare_crds(old, &new).unwrap();
        let is_expected = |finding: &&Finding| {
            finding.code == code && finding.affected.iter().any(|line| line.contains(affected))
        };
        let finding = report.findings.iter().find(is_expected);
        let finding = finding.unwrap_or_else(|| panic!("{code}: {report}"));
        assert_eq!(finding.level, level, "{finding}");
        let lines = report
            .findings
            .iter()
            .filter(|other| other.code == code)
            .count();
        assert_eq!(lines, 1, "{report}");
        // The same change in another comparison is the same finding.
        let again = compare_crds(old, &new).unwrap();
        assert!(
            again
                .findings
                .iter()
                .any(|other| other.identity() == finding.identity())
        );
    }
}

#[test]
fn an_unchanged_crd_has_no_findings() {
    let report = compare_crds(&crd(), &crd()).unwrap();
    assert_eq!(report.all_findings().next(), None, "{report}");
}

#[test]
fn scope_group_and_preserve_unknown_fields() {
    let old = crd();
    check(
        &old,
        [
            (
                change(&old, "/spec/scope", json!("Cluster")),
                "scope-changed",
                Level::Breaking,
                "established",
            ),
            (
                change(&old, "/spec/group", json!("other.example.com")),
                "group-changed",
                Level::Breaking,
                "another CRD",
            ),
            (
                change(&old, "/spec/preserveUnknownFields", json!(true)),
                "preserve-unknown-fields-changed",
                Level::Breaking,
                "refuses to create a CRD with this value, and to set the value in an update",
            ),
        ],
    );
    let preserving = change(&old, "/spec/preserveUnknownFields", json!(true));
    check(
        &preserving,
        [(
            old.clone(),
            "preserve-unknown-fields-changed",
            Level::Breaking,
            "a server drops the fields when it reads the objects",
        )],
    );
    // False is the same as an absent value, and a stored CRD may keep true.
    let not_preserving = change(&old, "/spec/preserveUnknownFields", json!(false));
    for (old, new) in [(&old, &not_preserving), (&preserving, &preserving)] {
        let report = compare_crds(old, new).unwrap();
        assert_eq!(report.findings, [], "{report}");
    }
    // The refusal of the server is not repeated.
    let report = compare_crds(&old, &preserving).unwrap();
    assert_eq!(report.findings.len(), 1, "{report}");
}

#[test]
fn names() {
    let mut old = crd();
    old["spec"]["names"]["shortNames"] = json!(["th"]);
    old["spec"]["names"]["categories"] = json!(["all"]);
    let name = |field: &str, value: Value| change(&old, &format!("/spec/names/{field}"), value);
    check(
        &old,
        [
            (
                name("kind", json!("Other")),
                "kind-changed",
                Level::Breaking,
                "manifests",
            ),
            (
                name("plural", json!("others")),
                "plural-changed",
                Level::Breaking,
                "roles",
            ),
            (
                name("singular", json!("other")),
                "singular-changed",
                Level::Notice,
                "kubectl",
            ),
            (
                name("listKind", json!("Things")),
                "list-kind-changed",
                Level::Breaking,
                "clients that read lists",
            ),
            (
                name("shortNames", json!([])),
                "short-name-removed",
                Level::Notice,
                "kubectl",
            ),
            (
                name("shortNames", json!(["th", "t"])),
                "short-name-added",
                Level::Notice,
                "`NamesAccepted`",
            ),
            (
                name("categories", json!([])),
                "category-removed",
                Level::Notice,
                "kubectl",
            ),
            (
                name("categories", json!(["all", "x"])),
                "category-added",
                Level::Notice,
                "delete",
            ),
        ],
    );
    // A server derives the absent names from the kind.
    let mut derived = old.clone();
    for field in ["singular", "listKind"] {
        derived["spec"]["names"]
            .as_object_mut()
            .unwrap()
            .remove(field);
    }
    let report = compare_crds(&derived, &old).unwrap();
    assert_eq!(report.findings, [], "{report}");
}

/// The cluster tells in the status of the old CRD in which versions objects are stored. The status
/// of a new CRD is a file's, which a server ignores.
#[test]
fn stored_versions_come_from_the_old_crd() {
    let old = crd();
    let mut next_version = old["spec"]["versions"][0].clone();
    next_version["name"] = json!("v2");
    let versions = |versions: Value| change(&old, "/spec/versions", versions);
    let new = versions(json!([next_version]));
    check(
        &old,
        [
            (new.clone(), "version-removed", Level::Breaking, "clients"),
            (
                new.clone(),
                "stored-version-removed",
                Level::Breaking,
                "`status.storedVersions`",
            ),
        ],
    );
    // An earlier version, which the old CRD has only in its status.
    let mut migrating = old.clone();
    migrating["status"] = json!({"storedVersions": ["v1alpha1", "v1"]});
    check(
        &migrating,
        [(
            old.clone(),
            "stored-version-removed",
            Level::Breaking,
            "refuses the update",
        )],
    );
    let report = compare_crds(&migrating, &new).unwrap();
    let removed: Vec<&str> = report
        .findings
        .iter()
        .filter(|finding| finding.code == "stored-version-removed")
        .map(|finding| &*finding.description)
        .collect();
    assert_eq!(removed.len(), 2, "{report}");
    assert!(
        report
            .findings
            .iter()
            .all(|finding| finding.code != "crd-refused"),
        "{report}"
    );
    // The version was migrated, and was not served: nobody notices its removal.
    let mut unserved = old["spec"]["versions"][0].clone();
    unserved["name"] = json!("v1beta1");
    unserved["served"] = json!(false);
    unserved["storage"] = json!(false);
    let mut migrated = versions(json!([old["spec"]["versions"][0], unserved]));
    migrated["status"] = json!({"storedVersions": ["v1"]});
    let mut misleading = old.clone();
    misleading["status"] = json!({"storedVersions": ["v1beta1", "v1"]});
    check(
        &migrated,
        [(misleading, "version-removed", Level::Notice, "not served")],
    );
    let mut not_stored = old["spec"]["versions"][0].clone();
    not_stored["storage"] = json!(false);
    let mut not_served = old["spec"]["versions"][0].clone();
    not_served["served"] = json!(false);
    check(
        &old,
        [
            (
                versions(json!([not_stored, next_version])),
                "storage-version-changed",
                Level::Notice,
                "until they are written",
            ),
            (
                versions(json!([not_served])),
                "version-not-served",
                Level::Breaking,
                "clients",
            ),
        ],
    );
}

#[test]
fn parts_of_versions() {
    let old = crd();
    let part = |crd: &Value, name: &str, value: Value| {
        change(crd, &format!("/spec/versions/0/{name}"), value)
    };
    let field = |name: &str| json!({"jsonPath": format!(".spec.{name}")});
    let scale = |path: &str| json!({"scale": {"specReplicasPath": path, "statusReplicasPath": ".status.replicas"}});
    let status = part(&old, "subresources", json!({"status": {}}));
    let scaled = part(&old, "subresources", scale(".spec.replicas"));
    let selectable = part(&old, "selectableFields", json!([field("f"), field("g")]));
    check(
        &old,
        [
            (
                status.clone(),
                "status-subresource-added",
                Level::Breaking,
                "drops the status of a create, and keeps the stored status in an update",
            ),
            (
                status.clone(),
                "status-subresource-added",
                Level::Breaking,
                "`metadata.generation`",
            ),
            (
                scaled.clone(),
                "scale-subresource-added",
                Level::Notice,
                "invalid number",
            ),
            (
                selectable.clone(),
                "selectable-field-added",
                Level::Notice,
                "no client",
            ),
            (
                part(
                    &old,
                    "additionalPrinterColumns",
                    json!([{"name": "F", "type": "string", "jsonPath": ".spec.f"}]),
                ),
                "printer-columns-changed",
                Level::Notice,
                "scripts",
            ),
        ],
    );
    check(
        &status,
        [(
            old.clone(),
            "status-subresource-removed",
            Level::Breaking,
            "404",
        )],
    );
    check(
        &scaled,
        [
            (
                old.clone(),
                "scale-subresource-removed",
                Level::Breaking,
                "404",
            ),
            (
                part(&old, "subresources", scale(".spec.count")),
                "scale-subresource-changed",
                Level::Breaking,
                "other fields",
            ),
        ],
    );
    check(
        &selectable,
        [(
            part(&old, "selectableFields", json!([field("g")])),
            "selectable-field-removed",
            Level::Breaking,
            "refused",
        )],
    );
    // The order of selectable fields does not matter.
    let reordered = part(&old, "selectableFields", json!([field("g"), field("f")]));
    let report = compare_crds(&selectable, &reordered).unwrap();
    assert!(
        report
            .findings
            .iter()
            .all(|finding| !finding.code.starts_with("selectable")),
        "{report}"
    );
}
