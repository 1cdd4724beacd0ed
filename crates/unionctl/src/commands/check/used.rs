//! The schema for lines that do not have a schema.

use std::cell::OnceCell;
use std::rc::Rc;

use k8s_crd_validation::crd::Review;
use k8s_crd_validation::{Status, StructuralSchema, Version};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use union_runtime::Report;

use super::bare::{self, Kind};
use crate::judge::answer::{Finding, findings};
use crate::judge::cache::Compiled;

/// The value of `use` on a line.
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

/// A schema for later lines.
pub(super) struct Used {
    pub(super) schema: Compiled<StructuralSchema>,
    /// The schema itself, if it is not part of a CRD.
    bare: Option<Bare>,
    /// The errors for which an API server would reject the schema.
    pub(super) errors: Vec<Finding>,
}

/// A schema without a CRD.
struct Bare {
    schema: Value,
    has_status: bool,
    /// The compiled schema for objects that do not name their kind, once there is such an object.
    filled: OnceCell<Compiled<StructuralSchema>>,
}

impl Used {
    /// Returns the schema for an object, and true if it is not part of a CRD.
    pub(super) fn schema(&self, object: &Value) -> (Compiled<StructuralSchema>, bool) {
        match &self.bare {
            Some(bare) if Kind::of(object) == Kind::Filled => {
                let compile = || Rc::new(stored(&bare.schema, bare.has_status, Kind::Filled));
                (Rc::clone(bare.filled.get_or_init(compile)), true)
            }
            bare => (Rc::clone(&self.schema), bare.is_some()),
        }
    }

    /// Compiles a version of a CRD, by default the stored version.
    pub(super) fn of_crd(crd: &Value, version: Option<&str>, server: Version) -> Self {
        // The rest of the CRD is not checked here.
        let (schema, errors) = match StructuralSchema::compiler()
            .version(server)
            .crd(crd, version)
        {
            Ok(schema) => (Ok(schema), Vec::new()),
            // A server keeps using a CRD that it has stored.
            Err(errors) => {
                let stored = StructuralSchema::compiler().stored().crd(crd, version);
                (
                    stored.map_err(|errors| joined(&errors)),
                    findings(errors.errors()),
                )
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
                Review::new()
                    .version(server)
                    .create(&bare::crd_of(schema, has_status))
                    .errors(),
            ),
        }
    }
}

/// Compiles a schema as a server compiles a stored one.
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

fn joined(report: &Report) -> String {
    let errors: Vec<String> = report.errors().iter().map(ToString::to_string).collect();
    errors.join("; ")
}
