//! The schema for lines that contain no schema: an earlier line with `use`, or the flag `--crd`,
//! sets it.

use std::cell::RefCell;
use std::rc::Rc;

use k8s_crd_validation::{
    DuplicateKey, FieldValidation, ServerSettings, StatusHandling, StructuralSchema, ViolationKind,
};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use union_runtime::Report;

use super::schema_only::{self, TypeMetaMode};
use crate::judge::reply::unions_reply::{FieldError, field_errors};
use crate::judge::reply::unknown_field::UnknownFieldReply;
use crate::judge::schema_cache::CompiledSchema;
use crate::judge::server_settings::CompilingServer;

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

/// The schema for later lines without a schema.
pub(super) struct CurrentSchema {
    source: CurrentSource,
    /// The errors for which an API server would reject the schema.
    pub(super) errors: Vec<FieldError>,
    /// The compiled schemas, by the settings of their compilation.
    compiled_schemas: RefCell<Vec<(CompileSettings, CompiledSchema<LineSchema>)>>,
}

/// The compiled schema of a line.
pub(super) struct LineSchema {
    pub(super) schema: StructuralSchema,
    /// The unknown fields of the schema, if the schema is on the line itself. The reply to `use`
    /// contains the unknown fields of a schema that `use` sets.
    pub(super) unknown_fields: Vec<UnknownFieldReply>,
}

impl From<StructuralSchema> for LineSchema {
    fn from(schema: StructuralSchema) -> Self {
        Self {
            schema,
            unknown_fields: Vec::new(),
        }
    }
}

/// The unknown fields and the duplicate keys of a CRD that a client sends.
#[derive(Default)]
pub(super) struct StrictDiagnostics {
    /// The error of strict validation, which a server reports instead of other errors.
    pub(super) errors: Vec<FieldError>,
    pub(super) warnings: Vec<String>,
    pub(super) unknown_fields: Vec<UnknownFieldReply>,
}

impl StrictDiagnostics {
    /// Finds the unknown fields of a CRD. The settings decide if unknown fields and duplicate keys
    /// are errors or warnings, or are ignored.
    pub(super) fn for_crd(
        crd: &Value,
        duplicate_keys: &[DuplicateKey],
        settings: &ServerSettings,
    ) -> Self {
        let review = CompilingServer::from_settings(settings)
            .review()
            .field_validation(settings.field_validation)
            .duplicate_keys(duplicate_keys);
        let unknown_fields = review.unknown_fields(crd);
        let is_ignored = settings.field_validation == FieldValidation::Ignore;
        if is_ignored || (unknown_fields.is_empty() && duplicate_keys.is_empty()) {
            return Self::default();
        }
        let report = review.create(crd);
        let is_strict = settings.field_validation == FieldValidation::Strict;
        let errors = report.errors().iter();
        let errors = errors.filter(|error| is_strict && error.kind() == ViolationKind::BadRequest);
        Self {
            errors: field_errors(errors),
            warnings: report.warnings().to_vec(),
            unknown_fields: UnknownFieldReply::from_fields(&unknown_fields, None),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct CompileSettings {
    type_meta: TypeMetaMode,
    server: CompilingServer,
}

/// The compiled schema for an object.
pub(super) struct SchemaForObject {
    pub(super) schema: CompiledSchema<LineSchema>,
    /// True if the schema is part of a CRD.
    pub(super) has_crd: bool,
}

enum CurrentSource {
    /// A version of a CRD, by default the stored version.
    Crd { crd: Value, version: Option<String> },
    /// A schema that is not part of a CRD.
    Schema { schema: Value, has_status: bool },
}

impl CurrentSource {
    fn compile(&self, settings: CompileSettings) -> Result<LineSchema, String> {
        let CompileSettings { type_meta, server } = settings;
        let schema = match self {
            Self::Crd { crd, version } => compile_crd(crd, version.as_deref(), server).0,
            Self::Schema { schema, has_status } => {
                compile_stored(schema, *has_status, type_meta, server)
            }
        };
        schema.map(LineSchema::from)
    }
}

impl CurrentSchema {
    const fn new(source: CurrentSource, errors: Vec<FieldError>) -> Self {
        Self {
            source,
            errors,
            compiled_schemas: RefCell::new(Vec::new()),
        }
    }

    /// Returns the compiled schema for an object and a server.
    pub(super) fn schema_for(&self, object: &Value, server: CompilingServer) -> SchemaForObject {
        let (type_meta, has_crd) = match self.source {
            CurrentSource::Crd { .. } => (TypeMetaMode::FromObject, true),
            CurrentSource::Schema { .. } => (TypeMetaMode::for_object(object), false),
        };
        SchemaForObject {
            schema: self.compiled_schema(CompileSettings { type_meta, server }),
            has_crd,
        }
    }

    /// Returns the error that prevents a server from compiling the schema.
    pub(super) fn compile_error(&self, server: CompilingServer) -> Option<String> {
        let type_meta = TypeMetaMode::FromObject;
        let schema = self.compiled_schema(CompileSettings { type_meta, server });
        schema.as_ref().as_ref().err().cloned()
    }

    /// Returns the compiled schema. The first call with these settings compiles the schema.
    fn compiled_schema(&self, settings: CompileSettings) -> CompiledSchema<LineSchema> {
        let mut compiled_schemas = self.compiled_schemas.borrow_mut();
        if let Some((_, schema)) = compiled_schemas
            .iter()
            .find(|(schema_settings, _)| *schema_settings == settings)
        {
            return Rc::clone(schema);
        }
        let schema = Rc::new(self.source.compile(settings));
        compiled_schemas.push((settings, Rc::clone(&schema)));
        schema
    }

    /// Creates the schema from a version of a CRD, by default the stored version. Other parts of
    /// the CRD are not checked.
    pub(super) fn from_crd(crd: &Value, version: Option<&str>, server: CompilingServer) -> Self {
        let (schema, errors) = compile_crd(crd, version, server);
        let (crd, version) = (crd.clone(), version.map(str::to_owned));
        let current_schema = Self::new(CurrentSource::Crd { crd, version }, errors);
        let type_meta = TypeMetaMode::FromObject;
        current_schema.compiled_schemas.borrow_mut().push((
            CompileSettings { type_meta, server },
            Rc::new(schema.map(LineSchema::from)),
        ));
        current_schema
    }

    pub(super) fn from_schema(schema: &Value, has_status: bool, server: CompilingServer) -> Self {
        let crd = schema_only::wrap_in_crd(schema, has_status);
        let report = server.review().create(&crd);
        let schema = schema.clone();
        Self::new(
            CurrentSource::Schema { schema, has_status },
            field_errors(report.errors()),
        )
    }
}

/// Compiles the schema of a version of a stored CRD. Also returns the errors for which an API
/// server would reject the same schema in a new CRD.
fn compile_crd(
    crd: &Value,
    version: Option<&str>,
    server: CompilingServer,
) -> (Result<StructuralSchema, String>, Vec<FieldError>) {
    let compiler = server.compiler();
    match compiler.crd(crd, version) {
        Ok(schema) => (Ok(schema), Vec::new()),
        // A server keeps using a stored CRD, even if it would reject the same CRD today.
        Err(errors) => {
            let stored_schema = compiler.stored().crd(crd, version);
            let stored_schema = stored_schema.map_err(|errors| join_errors(&errors));
            (stored_schema, field_errors(errors.errors()))
        }
    }
}

/// Compiles a stored schema, to which a server applies fewer rules than to a new schema.
pub(super) fn compile_stored(
    schema: &Value,
    has_status: bool,
    type_meta: TypeMetaMode,
    server: CompilingServer,
) -> Result<StructuralSchema, String> {
    let compiler = server.compiler().stored();
    let result = match type_meta {
        TypeMetaMode::FromObject => {
            let status = if has_status {
                StatusHandling::Subresource
            } else {
                StatusHandling::Field
            };
            compiler.status(status).schema(schema)
        }
        TypeMetaMode::Defaulted => {
            compiler.crd(&schema_only::wrap_in_crd(schema, has_status), None)
        }
    };
    result.map_err(|errors| join_errors(&errors))
}

fn join_errors(report: &Report) -> String {
    let errors: Vec<String> = report.errors().iter().map(ToString::to_string).collect();
    errors.join("; ")
}
