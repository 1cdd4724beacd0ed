//! The table itself.

use std::collections::BTreeSet;

use k8s_builtin_unions::{Arity, BuiltinMember, BuiltinUnion, find_kind, kinds, unions, versions};

#[test]
fn every_union_is_in_a_kind() {
    let all: BTreeSet<&str> = unions().map(BuiltinUnion::type_name).collect();
    let kinds: Vec<_> = kinds().collect();
    let reached: BTreeSet<&str> = kinds
        .iter()
        .flat_map(|kind| kind.unions())
        .map(|found| found.union.type_name())
        .collect();
    assert_eq!(all, reached);
    assert!(
        all.len() > 90 && kinds.len() > 60,
        "{} types, {} kinds",
        all.len(),
        kinds.len()
    );
    assert_eq!(versions(), 28..=37);
}

#[test]
fn rows_are_complete() {
    for union in unions() {
        let name = union.type_name();
        let has_discriminator = union.discriminator().is_some();
        assert_eq!(
            union.arity() == Arity::ByDiscriminator,
            has_discriminator,
            "{name}"
        );
        for member in union.members() {
            assert_eq!(
                member.value().is_some(),
                has_discriminator,
                "{name}.{}",
                member.field()
            );
        }
        if let Some(default) = union.default_member() {
            assert!(
                union.members().any(|member| member.field() == default),
                "{name}"
            );
        }
        if let Some(default) = union.default_value() {
            let values = union.members().filter_map(BuiltinMember::value);
            let mut values = values.chain(union.values_without_member());
            assert!(values.any(|value| value == default), "{name}");
        }
    }
}

#[test]
fn a_kind_is_found_by_its_api_version() {
    let kind = find_kind("flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema").expect("a kind");
    assert_eq!(kind.api_version(), "flowcontrol.apiserver.k8s.io/v1beta3");
    assert!(kind.exists_in(31) && !kind.exists_in(32));
    assert!(find_kind("apps/v1beta1", "Deployment").is_none());
    assert!(find_kind("v1", "Deployment").is_none());
}

#[test]
fn a_type_inside_itself_is_returned_once() {
    let workload = find_kind("scheduling.k8s.io/v1alpha3", "Workload").expect("a kind");
    let unions = workload.unions();
    let paths = unions.iter().map(|found| found.path.to_field_notation());
    let templates = paths.filter(|path| path.contains("compositePodGroupTemplates"));
    let templates: Vec<String> = templates.collect();
    assert!(!templates.is_empty());
    let inside_itself = "compositePodGroupTemplates[*].compositePodGroupTemplates";
    assert!(templates.iter().all(|path| !path.contains(inside_itself)));
    // The unions themselves are validated at every level.
    let compiled = workload.compiler().compile().expect("unions");
    let both = serde_json::json!({"basic": {}, "gang": {}});
    let template = serde_json::json!({"podGroupTemplates": [{"schedulingPolicy": both}]});
    let object = serde_json::json!({"spec": {"compositePodGroupTemplates": [
        {"compositePodGroupTemplates": [template]},
    ]}});
    let report = compiled.validate(&object);
    let report = report.to_string();
    assert!(
        report.contains("compositePodGroupTemplates[0].compositePodGroupTemplates[0]"),
        "{report}"
    );
}
