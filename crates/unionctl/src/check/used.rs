//! What lines without a schema are judged by.

use std::rc::Rc;

use k8s_crd_validation::StructuralSchema;
use k8s_crd_validation::crd::create;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use union_runtime::Violations;

use super::bare;
use crate::answer::{Finding, findings};
use crate::cache::Compiled;

/// What a line says of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Use<'l> {
    #[serde(borrow)]
    pub(super) crd: Option<&'l RawValue>,
    pub(super) version: Option<String>,
    #[serde(borrow)]
    pub(super) schema: Option<&'l RawValue>,
    pub(super) status_subresource: Option<bool>,
}

/// A schema for the lines to come.
pub(super) struct Used {
    pub(super) schema: Compiled<StructuralSchema>,
    /// Whether it came without a CRD.
    pub(super) is_bare: bool,
    /// What an API server would refuse it for.
    pub(super) errors: Vec<Finding>,
}

impl Used {
    /// A version of a CRD, by default the one that is stored.
    pub(super) fn of_crd(crd: &Value, version: Option<&str>) -> Self {
        // The rest of the CRD does not matter here.
        let (schema, errors) = match StructuralSchema::compile_crd(crd, version) {
            Ok(schema) => (Ok(schema), Vec::new()),
            // A server goes on with what it has stored.
            Err(errors) => {
                let stored = StructuralSchema::compile_stored(crd, version);
                (stored.map_err(|errors| joined(&errors)), findings(&errors))
            }
        };
        Self {
            schema: Rc::new(schema),
            is_bare: false,
            errors,
        }
    }

    pub(super) fn of_schema(schema: &Value, has_status: bool) -> Self {
        Self {
            schema: Rc::new(stored(schema, has_status)),
            is_bare: true,
            errors: findings(&create(&bare::crd_of(schema, has_status)).errors),
        }
    }
}

/// A schema as a server has it stored.
pub(super) fn stored(schema: &Value, has_status: bool) -> Result<StructuralSchema, String> {
    let compiled = StructuralSchema::compile_stored_schema(schema, has_status);
    compiled.map_err(|errors| joined(&errors))
}

fn joined(errors: &Violations) -> String {
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    errors.join("; ")
}
