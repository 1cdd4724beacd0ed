//! What lines without a schema are judged by.

use std::cell::OnceCell;
use std::rc::Rc;

use k8s_crd_validation::crd::Review;
use k8s_crd_validation::{Status, StructuralSchema, Version};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use union_runtime::Violations;

use super::bare::{self, Kind};
use crate::judge::answer::{Finding, findings};
use crate::judge::cache::Compiled;

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
    /// Where it came without a CRD: the schema itself.
    bare: Option<Bare>,
    /// What an API server would refuse it for.
    pub(super) errors: Vec<Finding>,
}

/// A schema without a CRD.
struct Bare {
    schema: Value,
    has_status: bool,
    /// For objects that do not name their kind, once there is one.
    filled: OnceCell<Compiled<StructuralSchema>>,
}

impl Used {
    /// What an object is judged by, and whether that came without a CRD.
    pub(super) fn schema(&self, object: &Value) -> (Compiled<StructuralSchema>, bool) {
        match &self.bare {
            Some(bare) if Kind::of(object) == Kind::Filled => {
                let compile = || Rc::new(stored(&bare.schema, bare.has_status, Kind::Filled));
                (Rc::clone(bare.filled.get_or_init(compile)), true)
            }
            bare => (Rc::clone(&self.schema), bare.is_some()),
        }
    }

    /// A version of a CRD, by default the one that is stored.
    pub(super) fn of_crd(crd: &Value, version: Option<&str>, server: Version) -> Self {
        // The rest of the CRD does not matter here.
        let (schema, errors) = match StructuralSchema::compiler()
            .version(server)
            .crd(crd, version)
        {
            Ok(schema) => (Ok(schema), Vec::new()),
            // A server goes on with what it has stored.
            Err(errors) => {
                let stored = StructuralSchema::compiler().stored().crd(crd, version);
                (stored.map_err(|errors| joined(&errors)), findings(&errors))
            }
        };
        Self {
            schema: Rc::new(schema),
            bare: None,
            errors,
        }
    }

    pub(super) fn of_schema(schema: &Value, has_status: bool, server: Version) -> Self {
        Self {
            schema: Rc::new(stored(schema, has_status, Kind::Named)),
            bare: Some(Bare {
                schema: schema.clone(),
                has_status,
                filled: OnceCell::new(),
            }),
            errors: findings(
                &Review::new()
                    .version(server)
                    .create(&bare::crd_of(schema, has_status))
                    .errors,
            ),
        }
    }
}

/// A schema as a server has it stored.
pub(super) fn stored(
    schema: &Value,
    has_status: bool,
    kind: Kind,
) -> Result<StructuralSchema, String> {
    let compiled = match kind {
        Kind::Named => {
            let status = if has_status {
                Status::Subresource
            } else {
                Status::Field
            };
            StructuralSchema::compiler()
                .stored()
                .status(status)
                .schema(schema)
        }
        Kind::Filled => StructuralSchema::compiler()
            .stored()
            .crd(&bare::crd_of(schema, has_status), None),
    };
    compiled.map_err(|errors| joined(&errors))
}

fn joined(errors: &Violations) -> String {
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    errors.join("; ")
}
