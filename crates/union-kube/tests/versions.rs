//! Tests of CRDs with several versions, and of CRDs that cannot be created.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::core::ApiResource;
use kube::{CustomResource, CustomResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_json::{ANNOTATION, SchemaSource, Unions};
use union_kube::Crd;
use union_runtime::add_unions;
use union_runtime::{EnumType, Union};

use crate::golden::{Application, assert_golden};
use crate::outputs::{crd, schema_of};

/// Declares a version of a kind, with the values and members of its union.
macro_rules! version {
    ($module:ident, $version:literal, [$($kube:tt)*], [$($value:ident $member:ident),*]) => {
        mod $module {
            use super::*;

            #[derive(EnumType, Serialize, Deserialize, Clone, Debug, JsonSchema)]
            pub(super) enum Kind { $($value),* }

            #[derive(Union, CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
            #[kube(group = "example.com", version = $version, $($kube)*)]
            #[schemars(transform = add_unions::<JobSpec>)]
            pub(super) struct JobSpec {
                #[union(discriminator)]
                r#type: Kind,
                $(
                    #[union(member)]
                    #[serde(skip_serializing_if = "Option::is_none")]
                    $member: Option<String>,
                )*
            }
        }
    };
}

version!(v1beta1, "v1beta1", [kind = "Job", namespaced, annotation("a", "1"), deprecated = "use v1"], [Alpha alpha]);
version!(v1, "v1", [kind = "Job", namespaced, label("b", "2")], [Alpha alpha, Beta beta]);
version!(cluster_wide, "v2", [kind = "Job"], [Alpha alpha]);
version!(other_kind, "v2", [kind = "Task", namespaced], [Alpha alpha]);
version!(other_annotation, "v2", [kind = "Job", namespaced, annotation("a", "2")], [Alpha alpha]);

fn merge_jobs() -> Crd {
    let versions = [crd::<v1beta1::Job>(), crd::<v1::Job>()];
    Crd::merge(versions, "v1").unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn versions_keep_their_order_and_one_is_stored() {
    let merged = merge_jobs();
    for crd in [merged.for_cluster(), merged.with_extensions()] {
        let versions = &crd["spec"]["versions"];
        assert_eq!(versions.as_array().map(Vec::len), Some(2));
        assert_eq!(
            (&versions[0]["name"], &versions[0]["storage"]),
            (&json!("v1beta1"), &json!(false))
        );
        assert_eq!(
            (&versions[1]["name"], &versions[1]["storage"]),
            (&json!("v1"), &json!(true))
        );
        assert_eq!(versions[0]["deprecated"], true);
        assert_eq!(versions[0]["deprecationWarning"], "use v1");
        assert_eq!(crd["metadata"]["annotations"]["a"], "1");
        assert_eq!(crd["metadata"]["labels"]["b"], "2");
    }
    assert_eq!(merged.name(), "jobs.example.com");
    assert_eq!(merged.lint().errors(), []);
}

#[test]
fn a_merged_crd_equals_the_files() {
    assert_golden("job_crd.json", merge_jobs().for_cluster());
    assert_golden("job_full.json", merge_jobs().with_extensions());
}

#[test]
fn the_annotation_has_the_unions_of_each_version() {
    let merged = merge_jobs();
    let annotation = merged.for_cluster()["metadata"]["annotations"][ANNOTATION].as_str();
    let annotation: Value =
        serde_json::from_str(annotation.unwrap_or_default()).unwrap_or_default();
    for (version, values) in [("v1beta1", 1), ("v1", 2)] {
        let union = &annotation[version]["/properties/spec/properties/type"]["fieldMembers"];
        assert_eq!(
            union.as_object().map(serde_json::Map::len),
            Some(values),
            "{annotation:#}"
        );
        assert!(Unions::compile(SchemaSource::Crd(merged.for_cluster(), Some(version))).is_ok());
    }
}

#[test]
fn versions_of_different_kinds_are_rejected() {
    let merge = |crds: Vec<Crd>, stored: &str| {
        let result = Crd::merge(crds, stored);
        result
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    assert_eq!(
        merge(vec![], "v1"),
        "spec.versions: no versions; expected at least one"
    );
    assert_eq!(
        merge(vec![crd::<v1::Job>(), crd::<v1::Job>()], "v1"),
        "spec.versions: duplicate version \"v1\"; remove one"
    );
    assert_eq!(
        merge(vec![crd::<v1::Job>(), crd::<v1beta1::Job>()], "v3"),
        "spec.versions: unknown storage version \"v3\"; use one of: v1, v1beta1"
    );
    assert_eq!(
        merge(vec![crd::<v1::Job>(), crd::<cluster_wide::Job>()], "v1"),
        "spec.scope: all versions of a kind must have the same value, but one has \"Namespaced\" and \
         another has \"Cluster\""
    );
    let other_kind_error = merge(vec![crd::<v1::Job>(), crd::<other_kind::Task>()], "v1");
    assert!(
        other_kind_error.starts_with("metadata.name: all versions of a kind"),
        "{other_kind_error}"
    );
    assert_eq!(
        merge(
            vec![crd::<v1beta1::Job>(), crd::<other_annotation::Job>()],
            "v2"
        ),
        "metadata.annotations: all versions must have the same value for \"a\""
    );
}

/// Declares a kind with the schema of `Application` and a changed CRD.
macro_rules! application_with_changed_crd {
    ($name:ident, $change:expr) => {
        #[derive(JsonSchema)]
        #[schemars(transparent)]
        #[expect(dead_code, reason = "only the schema of the type is used")]
        struct $name(Application);

        impl CustomResourceExt for $name {
            fn crd() -> CustomResourceDefinition {
                let change: fn(&mut CustomResourceDefinition) = $change;
                let mut crd = Application::crd();
                change(&mut crd);
                crd
            }
            fn crd_name() -> &'static str {
                Application::crd_name()
            }
            fn api_resource() -> ApiResource {
                Application::api_resource()
            }
            fn shortnames() -> &'static [&'static str] {
                &[]
            }
        }
    };
}

application_with_changed_crd!(WithoutStatus, |crd| {
    let schema = crd.spec.versions[0].schema.as_mut();
    let schema = schema.and_then(|schema| schema.open_api_v3_schema.as_mut());
    if let Some(properties) = schema.and_then(|schema| schema.properties.as_mut()) {
        properties.remove("status");
    }
});
application_with_changed_crd!(WithoutSchema, |crd| crd.spec.versions[0].schema = None);
application_with_changed_crd!(ManyVersions, |crd| {
    let version = crd.spec.versions[0].clone();
    crd.spec.versions = (0..1000)
        .map(|number| {
            let mut version = version.clone();
            version.name = format!("v{number}");
            version
        })
        .collect();
});
application_with_changed_crd!(Costly, |crd| {
    let schema = crd.spec.versions[0].schema.as_mut();
    let schema = schema.and_then(|schema| schema.open_api_v3_schema.as_mut());
    if let Some(schema) = schema {
        schema.x_kubernetes_validations = Some(vec![
            k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::ValidationRule {
                rule: "self.spec.steps.all(a, self.spec.steps.all(b, a == b))".to_owned(),
                ..Default::default()
            },
        ]);
    }
});

#[test]
fn a_union_that_kubes_crd_lacks_is_an_error() {
    let error = Crd::from_type::<WithoutStatus>()
        .err()
        .map(|error| error.to_string());
    let error = error.unwrap_or_default();
    assert!(
        error.starts_with("applications.example.com.status: the schema of the type has a union here, but kube's CRD does not have this field;"),
        "{error}"
    );
}

#[test]
fn a_crd_without_a_schema_has_no_schema() {
    let crd = crd::<WithoutSchema>();
    assert!(schema_of(crd.for_cluster()).is_null());
    assert_eq!(crd.for_cluster(), crd.with_extensions());
}

#[test]
fn unions_that_do_not_fit_into_annotations_are_rejected() {
    let error = Crd::from_type::<ManyVersions>()
        .err()
        .map(|error| error.to_string())
        .unwrap_or_default();
    assert!(error.starts_with("metadata.annotations: "), "{error}");
    assert!(error.contains("exceed the limit of 262144"), "{error}");
}

#[test]
fn the_lint_reports_the_errors_of_a_server() {
    let errors = crd::<Costly>().lint().to_string();
    assert!(
        errors.contains("exceeds budget by factor of more than 100x"),
        "{errors}"
    );
    assert!(
        errors.contains("openAPIV3Schema.x-kubernetes-validations[0].rule: Forbidden"),
        "{errors}"
    );
}
