//! The errors of an API server for the schema of a CRD, with the same messages:
//! `pkg/apiserver/schema` and `pkg/apis/apiextensions/validation` of
//! `k8s.io/apiextensions-apiserver`.

mod compiled_schema;
mod defaults;
mod errors;
mod exemptions;
mod expressions;
mod keywords;
mod lists;
mod raw_schema;
mod root;
mod rules;
mod structural;
pub(crate) mod validation_options;
mod walk;

pub(super) use compiled_schema::lint_compiled;
pub(super) use raw_schema::{LintResult, is_served_structural, lint};
pub(crate) use walk::for_each_schema;
