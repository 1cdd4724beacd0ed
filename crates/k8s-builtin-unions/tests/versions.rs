//! Versions of Kubernetes: of kinds, members and values, and as an argument.

use k8s_builtin_unions::{BuiltinUnion, MemberRule, find_kind, kinds, unions, versions};
use serde_json::{Value, json};

#[test]
fn a_version_outside_of_the_table_is_an_error() {
    let pod = find_kind("v1", "Pod").expect("a built-in kind");
    for minor in 0..100 {
        let is_known = versions().contains(&minor);
        assert_eq!(pod.exists_in(minor), is_known, "1.{minor}");
        let result = pod.compiler().minor(minor).compile();
        assert_eq!(result.is_ok(), is_known, "1.{minor}");
        if let Err(error) = result {
            assert_eq!(
                error.message(),
                format!(
                    "the table does not cover Kubernetes 1.{minor}; use a version from 1.28 to 1.37"
                )
            );
        }
    }
}

#[test]
fn every_part_of_the_table_exists_in_a_version() {
    let check = |name: &str, since: Option<u32>, until: Option<u32>| {
        let (first, last) = (since.unwrap_or(28), until.unwrap_or(37));
        assert!(
            first <= last && versions().contains(&first) && versions().contains(&last),
            "{name}"
        );
    };
    for kind in kinds() {
        let found = versions().filter(|minor| kind.exists_in(*minor));
        assert!(found.count() > 0, "{} {}", kind.api_version(), kind.name());
    }
    for union in unions() {
        let name = union.type_name();
        for member in union.members() {
            check(name, member.since(), member.until());
            assert!(
                member
                    .until()
                    .is_none_or(|until| union.since() <= Some(until)),
                "{name}"
            );
        }
        for value in union.memberless_values() {
            check(name, value.since(), value.until());
        }
    }
}

#[test]
fn kinds_that_no_server_serves_are_not_in_the_table() {
    for (api_version, kind) in [
        ("rbac.authorization.k8s.io/v1alpha1", "Role"),
        ("rbac.authorization.k8s.io/v1beta1", "Role"),
        ("storage.k8s.io/v1beta1", "VolumeAttachment"),
    ] {
        assert!(
            find_kind(api_version, kind).is_none(),
            "{api_version} {kind}"
        );
    }
    let claim = find_kind("resource.k8s.io/v1alpha3", "ResourceClaim").expect("a built-in kind");
    assert!(claim.exists_in(33) && !claim.exists_in(34));
}

#[test]
fn a_value_of_a_newer_version_is_unknown() {
    let kind = find_kind("apps/v1", "StatefulSet").expect("a built-in kind");
    let set = json!({"spec": {"updateStrategy": {"type": "Recreate"}}});
    for (minor, is_valid) in [(36, false), (37, true)] {
        let unions = kind.compiler().minor(minor).strict().compile();
        let report = unions.expect("unions").validate(&set);
        assert_eq!(report.is_accepted(), is_valid, "1.{minor}: {report}");
    }
}

fn union_of(type_name: &str) -> BuiltinUnion {
    let mut unions = unions();
    unions
        .find(|union| union.type_name().ends_with(type_name))
        .expect("a built-in union")
}

/// By default, exactly the rules apply that API servers enforce.
#[test]
fn rules_that_servers_do_not_enforce_are_validated_on_request() {
    let constraint = union_of("resource.v1.DeviceConstraint");
    assert!(!constraint.is_enforced());
    assert!(constraint.enforces(MemberRule::Required));
    assert!(!constraint.enforces(MemberRule::AtMostOne));
    assert!(!constraint.enforces(MemberRule::OnlySelected));
    let kind = find_kind("resource.k8s.io/v1", "ResourceClaim").expect("a built-in kind");
    let constraint = json!({"matchAttribute": "a/b", "distinctAttribute": "a/c"});
    let claim = json!({"spec": {"devices": {"constraints": [constraint]}}});
    let compiler = kind.compiler();
    assert!(
        compiler
            .compile()
            .expect("unions")
            .validate(&claim)
            .is_accepted()
    );
    let unions = compiler.with_unenforced().compile().expect("unions");
    assert_eq!(
        unions.validate(&claim).errors()[0].path(),
        "spec.devices.constraints[0]"
    );
}

#[test]
fn the_targets_of_a_metric_depend_on_the_metric() {
    let kind = find_kind("autoscaling/v2", "HorizontalPodAutoscaler").expect("a built-in kind");
    let unions = kind.compiler().compile().expect("unions");
    let errors = |kind: &str, field: &str, target: Value| {
        let metric = json!({"type": kind, field: {"target": target}});
        let report = unions.validate(&json!({"spec": {"metrics": [metric]}}));
        report.errors().len()
    };
    let value = json!({"type": "Value", "value": 1, "averageValue": 1});
    let utilization = json!({"type": "Utilization", "averageUtilization": 1, "averageValue": 1});
    for (kind, field, value_errors, utilization_errors) in [
        ("ContainerResource", "containerResource", 0, 1),
        ("External", "external", 1, 0),
        ("Object", "object", 0, 0),
        ("Pods", "pods", 0, 0),
        ("Resource", "resource", 0, 1),
    ] {
        assert_eq!(errors(kind, field, value.clone()), value_errors, "{kind}");
        assert_eq!(
            errors(kind, field, utilization.clone()),
            utilization_errors,
            "{kind}"
        );
    }
}
