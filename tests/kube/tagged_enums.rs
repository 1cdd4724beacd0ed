//! Tests of the CRDs that kube generates for serde enums (kube-rs/kube#1279), which are the reason
//! for the derives of unions. `docs/migration.md` has the results in a table.

use std::panic;

use kube::{CustomResource, CustomResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
struct Bucket {
    name: String,
}

/// Declares a kind whose spec has an enum of the given form.
macro_rules! kind {
    ($module:ident: $(#[$attribute:meta])* {$($variants:tt)*}) => {
        mod $module {
            use super::*;

            #[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
            $(#[$attribute])*
            #[serde(rename_all = "camelCase")]
            pub(super) enum Target { $($variants)* }

            #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
            #[kube(group = "example.com", version = "v1", kind = "Backup", namespaced)]
            pub(super) struct BackupSpec {
                target: Target,
            }
        }
    };
}

kind!(external: { S3(Bucket), Claim(String) });
kind!(external_with_a_unit: { S3(Bucket), Nothing });
kind!(adjacent: #[serde(tag = "type", content = "with")] { S3(Bucket), Claim(String) });
kind!(internal: #[serde(tag = "type")] { S3 { bucket: String }, Claim { claim: String } });
kind!(untagged: #[serde(untagged)] { S3 { bucket: String }, Claim { claim: String } });

/// Returns the schema of the enum in the CRD, or the panic message if kube cannot generate the CRD.
fn target_schema<K: CustomResourceExt>() -> Result<Value, String> {
    let crd = panic::catch_unwind(|| serde_json::to_value(K::crd()).expect("a CRD is JSON"));
    let crd = crd.map_err(|panic| *panic.downcast::<String>().unwrap_or_default())?;
    let pointer = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/target";
    Ok(crd.pointer(pointer).expect("the CRD has a target").clone())
}

#[test]
fn an_externally_tagged_enum_has_a_crd() {
    let target = target_schema::<external::Backup>().expect("the type has a CRD");
    assert_eq!(target["oneOf"][1]["required"][0], "claim");
}

#[test]
fn tagged_enums_and_enums_with_unit_variants_have_no_crd() {
    let results = [
        (
            target_schema::<external_with_a_unit::Backup>(),
            "must be equal",
        ),
        (target_schema::<adjacent::Backup>(), "must be identical"),
        (target_schema::<internal::Backup>(), "must be identical"),
    ];
    for (result, expected_message) in results {
        let message = result.expect_err("kube now builds a CRD of this type; update migration.md");
        assert!(message.contains(expected_message), "{message}");
    }
}

#[test]
fn an_untagged_enum_has_a_crd_that_accepts_several_members() {
    let target = target_schema::<untagged::Backup>().expect("the type has a CRD");
    assert_eq!(target["anyOf"].as_array().map(Vec::len), Some(2));
    assert!(target.get("oneOf").is_none());
}
