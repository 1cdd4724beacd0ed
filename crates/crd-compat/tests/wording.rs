//! The texts of findings about rules, by the effect, the request and the relation of the versions.

use crd_compat::{Finding, Level, VersionReport, compare_crds, compare_served_versions};
use serde_json::{Value, json};

use crate::support::crd_with;

/// A rule that is added or removed, and the expected texts of the finding.
struct Row {
    rule: Value,
    is_added: bool,
    affected: &'static str,
    remedy: &'static str,
    /// The line about clients, if both versions are served.
    served_together: &'static str,
}

fn rows() -> [Row; 6] {
    let immutable = json!({"rule": "self == oldSelf"});
    let rising = json!({"rule": "self > oldSelf"});
    let below = json!({"rule": "self < 7"});
    let at_create = json!({"rule": "oldSelf.hasValue() || self < 7", "optionalOldSelf": true});
    [
        Row {
            rule: immutable.clone(),
            is_added: true,
            affected: "updates that change the stored value as shown; creates, and updates that keep the value, are not affected",
            remedy: "allow the change with a condition of the rule, or add the rule in a new version",
            served_together: "clients of v2, which cannot change the stored value as shown, as clients of v1 can",
        },
        Row {
            rule: rising,
            is_added: true,
            affected: "every update of such a stored object; creates are not affected",
            remedy: "allow the change with a condition of the rule, or add the rule in a new version",
            served_together: "clients of v2, which cannot change the stored value as shown, as clients of v1 can",
        },
        Row {
            rule: immutable,
            is_added: false,
            affected: "clients that rely on the rule, because an update may now change the stored value as shown; after a rollback, the old version refuses such an update",
            remedy: "update the clients that rely on the rule before a client changes the value",
            served_together: "clients of v1, which cannot change the stored value as shown, as clients of v2 can",
        },
        Row {
            rule: below.clone(),
            is_added: true,
            affected: "creates of such an object, and updates that set the value; updates of stored objects are tolerated while the value does not change",
            remedy: "let the rule compare with the old value (`optionalOldSelf: true`), so that only new values have to satisfy it, or add the rule in a new version",
            served_together: "clients of v2, which cannot create such an object, and can update the object after a client of v1 stored it only while the value does not change",
        },
        Row {
            rule: below,
            is_added: false,
            affected: "clients that rely on the old limit; after a rollback, the old version refuses the object",
            remedy: "update the clients that read the object before a client writes such a value",
            served_together: "clients of v1, which cannot create such an object, as clients of v2 can",
        },
        Row {
            rule: at_create,
            is_added: true,
            affected: "creates of such an object; updates are not affected",
            remedy: "allow the value with a condition of the rule, or add the rule in a new version",
            served_together: "clients of v2, which cannot create such an object, and can update the object after a client of v1 stored it only while the value does not change",
        },
    ]
}

/// Returns the old and the new CRD of a row.
fn crds(row: &Row) -> [Value; 2] {
    let crd = |has_rule: bool| {
        let mut field = json!({"type": "integer"});
        if has_rule {
            field["x-kubernetes-validations"] = json!([row.rule]);
        }
        let spec = json!({"type": "object", "properties": {"f": field}});
        let schema = json!({"type": "object", "properties": {"spec": spec}});
        crd_with(&schema, false)
    };
    [crd(!row.is_added), crd(row.is_added)]
}

#[track_caller]
fn single_finding(reports: &[VersionReport]) -> &Finding {
    let [report] = reports else {
        panic!("{reports:?}")
    };
    let [finding] = &*report.findings else {
        panic!("{report:?}")
    };
    finding
}

#[test]
fn a_finding_about_a_rule_tells_the_requests_that_it_affects() {
    for row in rows() {
        let [old, new] = crds(&row);
        let report = compare_crds(&old, &new).unwrap();
        let finding = single_finding(&report.versions);
        let texts = (&*finding.affected[0], &*finding.remedy);
        assert_eq!(texts, (row.affected, row.remedy), "{finding}");
    }
}

#[test]
fn a_finding_about_served_versions_tells_whose_clients_it_affects() {
    for row in rows() {
        let [mut crd, other] = crds(&row);
        let mut version = other["spec"]["versions"][0].clone();
        version["name"] = json!("v2");
        version["storage"] = json!(false);
        let versions = crd["spec"]["versions"].as_array_mut().unwrap();
        versions.push(version);
        let report = compare_served_versions(&crd).unwrap();
        let finding = single_finding(&report.versions);
        assert_eq!(finding.level, Level::Breaking);
        assert_eq!(finding.affected, [row.served_together], "{finding}");
        assert_eq!(
            finding.remedy,
            "give both versions the same schema at this place, or convert between the versions with a webhook"
        );
    }
}

/// The answer to an update that keeps the value tells whether the rule refuses each update.
#[test]
fn an_update_is_shown_with_the_answer_to_another_update() {
    for row in rows().iter().filter(|row| row.is_added) {
        let [old, new] = crds(row);
        let report = compare_crds(&old, &new).unwrap();
        let finding = single_finding(&report.versions);
        let proof = finding.proof.as_ref().unwrap();
        let is_refused = proof.unrelated_update.as_ref().unwrap().is_rejected();
        assert_eq!(
            is_refused,
            row.affected.starts_with("every update"),
            "{finding}"
        );
    }
}
