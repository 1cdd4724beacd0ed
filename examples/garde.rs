//! Ratcheting (KEP-4008) with the validator `garde`: a create with errors is rejected, and an
//! update may keep the errors of the stored object.
//!
//! `garde` reports paths as strings, with the names of Rust fields. `FieldPath::resolve_with` finds
//! the field path of each string in the validated object, and the comparator splits the errors into
//! new and tolerated ones.

use std::collections::BTreeMap;

use garde::Validate;
use heck::ToSnakeCase;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::comparator::Comparison;
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, Ratchet, Report, Violation};

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema, Validate)]
#[serde(rename_all = "camelCase")]
struct FleetSpec {
    #[garde(range(max = 10))]
    max_surge: u32,
    #[garde(dive)]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"]))]
    ports: Vec<Port>,
    #[garde(dive)]
    node_pools: BTreeMap<String, Pool>,
    #[garde(required)]
    #[serde(skip_serializing_if = "Option::is_none")]
    owner_team: Option<String>,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema, Validate)]
#[serde(rename_all = "camelCase")]
struct Port {
    #[garde(skip)]
    name: String,
    #[garde(range(min = 1024))]
    host_port: u16,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema, Validate)]
#[serde(rename_all = "camelCase")]
struct Pool {
    #[garde(range(min = 1))]
    node_count: u16,
}

/// Validates a spec. `object` is the same spec as JSON.
fn validate(spec: &FleetSpec, object: &Value) -> Vec<Violation> {
    let Err(report) = spec.validate() else {
        return Vec::new();
    };
    let violation = |(path, error): &(garde::Path, garde::Error)| {
        let path = FieldPath::resolve_with(&path.to_string(), object, str::to_snake_case);
        // An ambiguous path becomes the path of the root, so that the error is tolerated only if
        // the whole object is unchanged.
        Violation::invalid(path.unwrap_or_default(), BadValue::Omitted, error.message())
    };
    report.iter().map(violation).collect()
}

/// Returns the path of an error, and the violated rule. The comparator pairs errors by both.
fn identity(error: &Violation) -> (FieldPath, String) {
    (error.path().clone(), error.rule().to_owned())
}

/// Validates a request, and splits its errors into new and tolerated ones. `old` is the stored
/// object of an update, and `None` for a create request.
fn admit(new: &Value, old: Option<&Value>) -> Result<Report, serde_json::Error> {
    let errors = validate(&serde_json::from_value(new.clone())?, new);
    let Some(old) = old else {
        return Ok(errors.into_iter().collect());
    };
    let settings = SchemaSettings::openapi3().with(|settings| settings.inline_subschemas = true);
    let schema = settings
        .into_generator()
        .into_root_schema_for::<FleetSpec>();
    let comparison = Comparison::new(schema.as_value(), new, old);
    let split = comparison.split(errors, &[], Ratchet::Unchanged, identity);
    Ok(split.into())
}

fn paths(errors: &[Violation]) -> Vec<&FieldPath> {
    errors.iter().map(Violation::path).collect()
}

fn main() -> Result<(), serde_json::Error> {
    // This object was stored before the validation rules existed.
    let old = json!({
        "maxSurge": 25,
        "ports": [{"name": "web", "hostPort": 80}, {"name": "dns", "hostPort": 5353}],
        "nodePools": {"eu.west": {"nodeCount": 0}, "eu": {"nodeCount": 3}},
    });
    let print = |request: &str, report: &Report| {
        let result = if report.is_accepted() {
            "accepted"
        } else {
            "rejected"
        };
        println!("{request}: {result}");
        for error in report.errors() {
            println!("  new: {}: {}", error.path(), error.detail());
        }
        for error in report.tolerated() {
            println!("  tolerated: {}: {}", error.path(), error.detail());
        }
    };

    let create = admit(&old, None)?;
    print("create", &create);
    let all = [
        "maxSurge",
        "nodePools.eu.west.nodeCount",
        "owner_team",
        "ports[0].hostPort",
    ];
    assert_eq!(paths(create.errors()), all);

    // The new port comes first, and the old port is still correlated by its name.
    let mut new = old.clone();
    new["ports"] = json!([{"name": "api", "hostPort": 8080}, {"name": "web", "hostPort": 80}]);
    new["ownerTeam"] = json!("storage");
    let update = admit(&new, Some(&old))?;
    print("update of the ports", &update);
    assert!(update.is_accepted());
    assert_eq!(
        paths(update.tolerated()),
        [
            "maxSurge",
            "nodePools.eu.west.nodeCount",
            "ports[1].hostPort"
        ]
    );

    new["maxSurge"] = json!(26);
    let update = admit(&new, Some(&old))?;
    print("update of the surge", &update);
    assert_eq!(paths(update.errors()), ["maxSurge"]);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_create_rejects_errors_that_an_update_tolerates() -> Result<(), serde_json::Error> {
        super::main()
    }
}
