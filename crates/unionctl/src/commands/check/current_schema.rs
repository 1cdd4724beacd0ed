//! The schema for lines that do not have a schema.

use std::cell::OnceCell;
use std::rc::Rc;

use k8s_crd_validation::crd::Review;
use k8s_crd_validation::{KubeVersion, StatusHandling, StructuralSchema};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use union_runtime::Report;

use super::schema_only::{self, TypeMetaMode};
use crate::judge::schema_cache::CompiledSchema;
use crate::judge::unions_reply::{FieldError, field_errors};

/// The value of `use` on a line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UseLine<'l> {
    #[serde(borrow)]
    pub(super) crd: Option<&'l RawValue>,
    pub(super) version: Option<String>,
    #[serde(borrow)]
    pub(super) schema: Option<&'l RawValue>,
    pub(super) status_subresource: Option<bool>,
}

/// A schema for later lines.
pub(super) struct CurrentSchema {
    pub(super) schema: CompiledSchema<StructuralSchema>,
    /// The schema itself, if it is not part of a CRD.
    schema_only: Option<SchemaOnly>,
    /// The errors for which an API server would reject the schema.
    pub(super) errors: Vec<FieldError>,
}

/// A schema without a CRD.
struct SchemaOnly {
    schema: Value,
    has_status: bool,
    /// The compiled schema for objects that do not name their kind, once there is such an object.
    defaulted: OnceCell<CompiledSchema<StructuralSchema>>,
}

impl CurrentSchema {
    /// Returns the schema for an object, and true if it is not part of a CRD.
    pub(super) fn schema_for(&self, object: &Value) -> (CompiledSchema<StructuralSchema>, bool) {
        match &self.schema_only {
            Some(bare) if TypeMetaMode::for_object(object) == TypeMetaMode::Defaulted => {
                let compile = || {
                    Rc::new(compile_stored(
                        &bare.schema,
                        bare.has_status,
                        TypeMetaMode::Defaulted,
                    ))
                };
                (Rc::clone(bare.defaulted.get_or_init(compile)), true)
            }
            bare => (Rc::clone(&self.schema), bare.is_some()),
        }
    }

    /// Compiles a version of a CRD, by default the stored version.
    pub(super) fn from_crd(crd: &Value, version: Option<&str>, server: KubeVersion) -> Self {
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
                    stored.map_err(|errors| join_errors(&errors)),
                    field_errors(errors.errors()),
                )
            }
        };
        Self {
            schema: Rc::new(schema),
            schema_only: None,
            errors,
        }
    }

    pub(super) fn from_schema(schema: &Value, has_status: bool, server: KubeVersion) -> Self {
        Self {
            schema: Rc::new(compile_stored(schema, has_status, TypeMetaMode::FromObject)),
            schema_only: Some(SchemaOnly {
                schema: schema.clone(),
                has_status,
                defaulted: OnceCell::new(),
            }),
            errors: field_errors(
                Review::new()
                    .version(server)
                    .create(&schema_only::wrap_in_crd(schema, has_status))
                    .errors(),
            ),
        }
    }
}

/// Compiles a schema as a server compiles a stored one.
pub(super) fn compile_stored(
    schema: &Value,
    has_status: bool,
    kind: TypeMetaMode,
) -> Result<StructuralSchema, String> {
    let compiled = match kind {
        TypeMetaMode::FromObject => {
            let status = if has_status {
                StatusHandling::Subresource
            } else {
                StatusHandling::Field
            };
            StructuralSchema::compiler()
                .stored()
                .status(status)
                .schema(schema)
        }
        TypeMetaMode::Defaulted => StructuralSchema::compiler()
            .stored()
            .crd(&schema_only::wrap_in_crd(schema, has_status), None),
    };
    compiled.map_err(|errors| join_errors(&errors))
}

fn join_errors(report: &Report) -> String {
    let errors: Vec<String> = report.errors().iter().map(ToString::to_string).collect();
    errors.join("; ")
}
