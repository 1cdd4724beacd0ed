//! Compilation of the schema of a CRD into a table of nodes.

pub(crate) mod compiler;
pub(crate) mod cost;
mod defaults;
pub(crate) mod lint;
mod nodes;
mod schema_checks;

pub(crate) use self::schema_checks::{
    SHARED_SCHEMA_PATH, has_unpruned_defaults, is_structural, lint_schema, version_schema_path,
};
