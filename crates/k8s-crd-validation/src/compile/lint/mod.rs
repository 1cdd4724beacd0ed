//! The errors of an API server for the schema of a CRD, with the same messages:
//! `pkg/apiserver/schema` and `pkg/apis/apiextensions/validation` of
//! `k8s.io/apiextensions-apiserver`.

mod compiled;
mod defaults;
pub(crate) mod demands;
mod errors;
mod expressions;
mod forgive;
mod keywords;
mod lists;
mod root;
mod rules;
mod structural;
mod walk;
mod written;

pub(super) use compiled::lint_compiled;
pub(crate) use walk::every_schema;
pub(super) use written::{Linted, is_served_structural, lint};
