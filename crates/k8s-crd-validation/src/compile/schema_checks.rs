//! Construction of a compiled schema from its nodes, and the checks of a schema for
//! [`crd`](crate::crd).

use serde_json::Value;

use super::lint::validation_options::ValidationOptions;
use super::{lint, nodes};
use crate::schema::allowed_functions::AllowedFunctions;
use crate::schema::crd_path::CrdPath;
use crate::schema::scale::ScalePaths;
use crate::schema::structural::compiled_rules::CompiledRules;
use crate::schema::{Node, SchemaFacts, StructuralSchema};
use k8s_cel::KubeVersion;
use union_json::Unions;
use union_runtime::Violation;
use union_runtime::path::FieldPath;

/// The path of a schema without a CRD, or of a schema that all versions of a CRD share.
pub(crate) const SHARED_SCHEMA_PATH: [&str; 3] = ["spec", "validation", "openAPIV3Schema"];

/// Returns a compiled schema, with compiled rules but without the facts of a CRD.
pub(super) fn build_schema(
    nodes: Vec<Node>,
    allowed_functions: AllowedFunctions,
) -> StructuralSchema {
    let mut schema = StructuralSchema {
        nodes,
        status_subresource: false,
        scale: ScalePaths::default(),
        identity: None,
        facts: SchemaFacts::default(),
        compiled_rules: None,
        preserves_unknown: false,
        correlates: true,
        unions: Unions::default(),
        unions_error: None,
    };
    schema.facts.rule_count = schema.count_rules(StructuralSchema::ROOT);
    let root = StructuralSchema::ROOT;
    schema.facts.depends_on_generation = schema.has_enum(root)
        || !schema.node(root).rules.is_empty()
        || schema.restricts_generation(root);
    compile_rules(&mut schema, allowed_functions);
    schema
}

/// Compiles the rules of a schema, in place of rules that were compiled before.
pub(super) fn compile_rules(schema: &mut StructuralSchema, allowed_functions: AllowedFunctions) {
    if schema.facts.rule_count > 0 {
        let compiled_rules = CompiledRules::compile(schema, allowed_functions);
        schema.compiled_rules = Some(compiled_rules);
    }
}

/// Returns the errors for which an API server rejects a schema at `path`. Problems of unions are
/// not included.
pub(crate) fn lint_schema(
    schema: &Value,
    path: &FieldPath,
    has_status: bool,
    options: ValidationOptions,
    allowed_functions: &AllowedFunctions,
) -> Vec<Violation> {
    let lint_result = lint::lint(
        schema,
        path,
        has_status,
        options,
        allowed_functions.server(),
    );
    if !lint_result.is_structural {
        return lint_result.into_violations();
    }
    match nodes::build_nodes(schema, &CrdPath::root(path)) {
        Ok(nodes) => {
            let schema = build_schema(nodes, allowed_functions.clone());
            lint::lint_compiled(&schema, path, allowed_functions.server(), lint_result)
        }
        Err(violation) => vec![violation],
    }
}

/// Returns true if the schema is structural: every value has a type, combinators only validate, and
/// all patterns compile.
pub(crate) fn is_structural(schema: &Value, version: KubeVersion) -> bool {
    lint::lint(
        schema,
        &SHARED_SCHEMA_PATH.into(),
        false,
        ValidationOptions::ALL,
        version,
    )
    .is_structural
}

/// Returns true if a default contains fields that its schema does not describe.
pub(crate) fn has_unpruned_defaults(schema: &Value, version: KubeVersion) -> bool {
    let Ok(nodes) = nodes::build_nodes(schema, &CrdPath::root(&SHARED_SCHEMA_PATH.into())) else {
        return false;
    };
    let schema = build_schema(nodes, AllowedFunctions::for_stored(version));
    let root = schema.node(StructuralSchema::ROOT);
    let has_defaults = |id| schema.node(id).subtree.has_defaults;
    let items_have_defaults = root.items.is_some_and(has_defaults);
    let default = root.default.as_deref();
    // A server tests a default inside an object of the resource. If the default of the root is not
    // an object, or if `items` of the root has defaults, the test fails, and all defaults pass.
    if items_have_defaults || default.is_some_and(|default| !default.is_object()) {
        return false;
    }
    let mut ids = (StructuralSchema::ROOT..).take(schema.nodes.len());
    ids.any(|id| {
        let default = schema.node(id).default.as_deref();
        default.is_some_and(|default| !schema.is_pruned_at(id, default))
    })
}

/// Returns the path of the schema of one version.
pub(crate) fn version_schema_path(version_index: usize) -> FieldPath {
    let versions = FieldPath::from(["spec", "versions"]);
    versions
        .index(version_index)
        .field("schema")
        .field("openAPIV3Schema")
}
