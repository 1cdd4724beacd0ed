//! The tables of a schema, and the checks of a schema without a CRD.

use serde_json::Value;

use super::lint::demands::Demands;
use super::{lint, nodes};
use crate::schema::libraries::Libraries;
use crate::schema::place::Place;
use crate::schema::programs::Programs;
use crate::schema::scale::Scale;
use crate::schema::{Facts, Node, StructuralSchema};
use union_json::Unions;
use union_runtime::Violation;
use union_runtime::path::FieldPath;

/// The path of a schema without a CRD, or of a schema that all versions of a CRD share.
pub(crate) const BARE: [&str; 3] = ["spec", "validation", "openAPIV3Schema"];

/// Returns the tables of a schema without a CRD, with compiled rules.
pub(super) fn of_nodes(nodes: Vec<Node>, libraries: Libraries) -> StructuralSchema {
    let mut schema = StructuralSchema {
        nodes,
        status_subresource: false,
        scale: Scale::default(),
        identity: None,
        facts: Facts::default(),
        programs: None,
        preserves_unknown: false,
        correlates: true,
        unions: Unions::default(),
        unread_unions: None,
    };
    schema.facts.rules = schema.count_rules(StructuralSchema::ROOT);
    let root = StructuralSchema::ROOT;
    schema.facts.shows_generation = schema.has_values(root)
        || !schema.node(root).rules.is_empty()
        || schema.is_about_generation(root);
    if schema.facts.rules > 0 {
        let programs = Programs::compile(&schema, libraries);
        schema.programs = Some(programs);
    }
    schema
}

/// Returns the errors for which an API server rejects a schema at `path`. Problems of unions are
/// not included.
pub(crate) fn lint_schema(
    schema: &Value,
    path: &FieldPath,
    has_status: bool,
    demands: Demands,
    libraries: &Libraries,
) -> Vec<Violation> {
    let linted = lint::lint(schema, path, has_status, demands);
    match nodes::read(schema, &Place::root(path)) {
        Ok(nodes) if linted.is_readable => {
            lint::lint_compiled(&of_nodes(nodes, libraries.clone()), path, linted)
        }
        Err(violation) if linted.is_fine() => vec![violation],
        _ => linted.into_list(),
    }
}

/// Returns true if the schema is structural: every value has a type, and combinators only validate.
pub(crate) fn is_structural(schema: &Value) -> bool {
    lint::lint(schema, &BARE.into(), false, Demands::ALL).is_structural()
}

/// Returns true if a default contains fields that its schema does not describe.
pub(crate) fn has_unpruned_defaults(schema: &Value) -> bool {
    let Ok(nodes) = nodes::read(schema, &Place::root(&BARE.into())) else {
        return false;
    };
    let schema = of_nodes(nodes, Libraries::ALL);
    let mut ids = (StructuralSchema::ROOT..).take(schema.nodes.len());
    ids.any(|id| {
        let default = schema.node(id).default.as_deref();
        default.is_some_and(|default| !schema.is_pruned_at(id, default))
    })
}

/// Returns the path of the schema of one version.
pub(crate) fn of_version(number: usize) -> FieldPath {
    let versions = FieldPath::from(["spec", "versions"]);
    versions
        .index(number)
        .field("schema")
        .field("openAPIV3Schema")
}
