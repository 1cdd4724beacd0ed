//! Tests that compare the schemas of the real types with recorded schemas. `UPDATE_SNAPSHOTS=1`
//! records the schemas again.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use union_runtime::schema_for;

use crate::unions::real_types::gateway::{HTTPPathModifier, HTTPRouteFilter};
use crate::unions::real_types::kep::{Absent, Lenient, Strict, Union2};
use crate::unions::real_types::metrics::{MetricSpec, MetricStatus};
use crate::unions::real_types::states::Sample;
use crate::unions::real_types::workloads::{DeploymentStrategy, LimitResponse, SeccompProfile};

fn assert_matches_snapshot<T: Sample>(name: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("rules/unions/real_types/snapshots")
        .join(name)
        .with_extension("json");
    let schema = schema_for::<T>();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
        fs::write(&file, text).expect("the snapshot can be written");
    }
    let recorded = fs::read_to_string(&file).unwrap_or_else(|_| "null".to_owned());
    let recorded: Value = serde_json::from_str(&recorded).expect("the snapshot is JSON");
    let file = file.display();
    let remedy = "record it with UPDATE_SNAPSHOTS=1, and read it";
    assert_eq!(schema.as_value(), &recorded, "{file} differs: {remedy}");
}

macro_rules! snapshots {
    ($($name:ident: $ty:ty;)*) => {$(
        #[test]
        fn $name() {
            assert_matches_snapshot::<$ty>(stringify!($name));
        }
    )*};
}

snapshots! {
    kep_union: Strict;
    kep_union_optional_member: Lenient;
    kep_union_optional_discriminator: Absent;
    kep_union2: Union2;
    deployment_strategy: DeploymentStrategy;
    seccomp_profile: SeccompProfile;
    limit_response: LimitResponse;
    metric_spec: MetricSpec;
    metric_status: MetricStatus;
    http_path_modifier: HTTPPathModifier;
    http_route_filter: HTTPRouteFilter;
}

/// Returns the extension `x-kubernetes-unions` of the discriminator's schema.
fn extension<T: Sample>() -> Value {
    let schema = schema_for::<T>();
    schema.as_value()["properties"][T::MODEL.discriminator]["x-kubernetes-unions"].clone()
}

#[test]
fn the_extension_of_the_keps_union_lists_all_five_values() {
    let members = |optional: bool| {
        json!({"fieldMembers": {
            "FieldA": {"name": "fieldA", "optional": false},
            "FieldB": {"name": "fieldB", "optional": optional},
            "FieldC": null,
            "FieldD": null,
            "": null,
        }})
    };
    assert_eq!(extension::<Strict>(), members(false));
    assert_eq!(extension::<Lenient>(), members(true));
    assert_eq!(extension::<Absent>(), members(true));
}

#[test]
fn the_extension_of_the_keps_union2_maps_values_to_other_names() {
    let members = json!({"fieldMembers": {
        "ALPHA": {"name": "alpha", "optional": false},
        "BETA": {"name": "beta", "optional": true},
    }});
    assert_eq!(extension::<Union2>(), members);
}

/// Checks that the schema of a type declares the same union as the oracle's hand-written model.
fn assert_schema_matches_model<T: Sample>() {
    let model = T::MODEL;
    let field_members: serde_json::Map<String, Value> = model
        .values
        .iter()
        .map(|value| {
            let member = model.members.iter().find(|member| member.value == *value);
            let member = member.map_or(
                Value::Null,
                |member| json!({"name": member.field, "optional": member.optional}),
            );
            ((*value).to_owned(), member)
        })
        .collect();
    assert_eq!(extension::<T>(), json!({"fieldMembers": field_members}));

    let schema = schema_for::<T>();
    let property = &schema.as_value()["properties"][model.discriminator];
    assert_eq!(property["type"], "string");
    assert_eq!(property["enum"], json!(model.values));
    let description = property["description"].as_str().expect("a present value");
    let (_, value_lines) = description
        .split_once("Possible enum values:\n")
        .expect("the description has the list");
    let listed_values = value_lines
        .lines()
        .map(|line| line.split('`').nth(1).expect("the value is in backticks"));
    let quoted_values = model.values.iter().map(|value| format!("\"{value}\""));
    assert!(listed_values.eq(quoted_values), "{description}");
    let rules = schema.as_value()["x-kubernetes-validations"]
        .as_array()
        .map(Vec::len);
    assert_eq!(rules, Some(model.members.len()), "one rule per member");
}

#[test]
fn every_schema_matches_the_model() {
    assert_schema_matches_model::<Strict>();
    assert_schema_matches_model::<Lenient>();
    assert_schema_matches_model::<Absent>();
    assert_schema_matches_model::<Union2>();
    assert_schema_matches_model::<DeploymentStrategy>();
    assert_schema_matches_model::<SeccompProfile>();
    assert_schema_matches_model::<LimitResponse>();
    assert_schema_matches_model::<MetricSpec>();
    assert_schema_matches_model::<MetricStatus>();
    assert_schema_matches_model::<HTTPPathModifier>();
    assert_schema_matches_model::<HTTPRouteFilter>();
}
