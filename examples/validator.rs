//! Ratcheting (KEP-4008) with the validator `validator`: a create with errors is rejected, and an
//! update may keep the errors of the stored object.
//!
//! `validator` reports errors as a tree with the names of Rust fields. A recursive function looks
//! up the names in the object, and turns the tree into field paths. The tree does not name the
//! entries of maps, so an error in an entry is an error of the whole map.

use std::collections::BTreeMap;

use heck::ToSnakeCase;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::comparator::Comparison;
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, Ratchet, Report, Violation};
use validator::{Validate, ValidationErrors, ValidationErrorsKind};

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema, Validate)]
#[serde(rename_all = "camelCase")]
struct FleetSpec {
    #[validate(range(max = 10))]
    max_surge: u32,
    #[validate(nested)]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"]))]
    ports: Vec<Port>,
    #[validate(nested)]
    node_pools: BTreeMap<String, Pool>,
    #[validate(required)]
    #[serde(skip_serializing_if = "Option::is_none")]
    owner_team: Option<String>,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema, Validate)]
#[serde(rename_all = "camelCase")]
struct Port {
    name: String,
    #[validate(range(min = 1024))]
    host_port: u16,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema, Validate)]
#[serde(rename_all = "camelCase")]
struct Pool {
    #[validate(range(min = 1))]
    node_count: u16,
}

/// Adds the errors of a value to `violations`. `value` is the value as JSON, if the object has it.
fn collect(
    errors: &ValidationErrors,
    path: &FieldPath,
    value: Option<&Value>,
    violations: &mut Vec<Violation>,
) {
    for (field, kind) in errors.errors() {
        let fields = value.and_then(Value::as_object);
        let entry = fields.and_then(|fields| {
            fields
                .iter()
                .find(|(name, _)| name.to_snake_case() == **field)
        });
        let path = path.clone().field(entry.map_or(field, |(name, _)| name));
        let value = entry.map(|(_, value)| value);
        let violation =
            |detail: String| Violation::invalid(path.clone(), BadValue::Omitted, detail);
        match kind {
            ValidationErrorsKind::Field(errors) => {
                violations.extend(errors.iter().map(|error| violation(error.code.to_string())));
            }
            ValidationErrorsKind::Struct(errors) => collect(errors, &path, value, violations),
            ValidationErrorsKind::List(elements) => {
                for (index, errors) in elements {
                    if let Some(Value::Array(list)) = value {
                        let path = path.clone().index(*index);
                        collect(errors, &path, list.get(*index), violations);
                    } else {
                        violations.push(violation(errors.to_string()));
                    }
                }
            }
        }
    }
}

/// Returns the path of an error, and the violated rule. The comparator pairs errors by both.
fn identity(error: &Violation) -> (FieldPath, String) {
    (error.path().clone(), error.rule().to_owned())
}

/// Validates a request. `old` is the stored object of an update, and `None` for a create.
fn admit(new: &Value, old: Option<&Value>) -> Result<Report, serde_json::Error> {
    let spec: FleetSpec = serde_json::from_value(new.clone())?;
    let mut violations = Vec::new();
    if let Err(errors) = spec.validate() {
        collect(&errors, &FieldPath::root(), Some(new), &mut violations);
    }
    // The errors in the tree have no fixed order.
    violations.sort_by_cached_key(identity);
    let Some(old) = old else {
        return Ok(violations.into_iter().collect());
    };
    let settings = SchemaSettings::openapi3().with(|settings| settings.inline_subschemas = true);
    let schema = settings
        .into_generator()
        .into_root_schema_for::<FleetSpec>();
    let comparison = Comparison::new(schema.as_value(), new, old);
    let split = comparison.split(violations, &[], Ratchet::Unchanged, identity);
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
    assert_eq!(
        paths(create.errors()),
        ["maxSurge", "nodePools", "owner_team", "ports[0].hostPort"]
    );

    // The new port comes first, and the old port is still correlated by its name.
    let mut new = old.clone();
    new["ports"] = json!([{"name": "api", "hostPort": 8080}, {"name": "web", "hostPort": 80}]);
    new["ownerTeam"] = json!("storage");
    let update = admit(&new, Some(&old))?;
    print("update of the ports", &update);
    assert!(update.is_accepted());
    assert_eq!(
        paths(update.tolerated()),
        ["maxSurge", "nodePools", "ports[1].hostPort"]
    );

    // One pool changes, so the map has changed, and the errors of all its entries are new.
    new["nodePools"]["eu"]["nodeCount"] = json!(4);
    let update = admit(&new, Some(&old))?;
    print("update of a pool", &update);
    assert_eq!(paths(update.errors()), ["nodePools"]);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_create_rejects_errors_that_an_update_tolerates() -> Result<(), serde_json::Error> {
        super::main()
    }
}
