//! The schema of a line: the schema that stands on the line, or the schema that `use` or a flag set
//! before.

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

/// The schema for later lines that have no schema.
pub(super) struct CurrentSchema {
    source: CurrentSource,
    /// The errors for which an API server would reject the schema.
    pub(super) errors: Vec<FieldError>,
    /// The compiled schemas, by object kind and server.
    compiled: RefCell<Vec<(CompiledFor, CompiledSchema<LineSchema>)>>,
}

/// The compiled schema of a line.
pub(super) struct LineSchema {
    pub(super) schema: StructuralSchema,
    /// The unknown fields of a schema that stands on the line. The unknown fields of the schema of
    /// `use` are in the reply to `use`.
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
    /// Finds the unknown fields of a CRD, and reports them with its duplicate keys as the settings
    /// say.
    pub(super) fn of_crd(crd: &Value, keys: &[DuplicateKey], settings: &ServerSettings) -> Self {
        let review = CompilingServer::from_settings(settings)
            .review()
            .field_validation(settings.field_validation)
            .duplicate_keys(keys);
        let unknown_fields = review.unknown_fields(crd);
        let is_ignored = settings.field_validation == FieldValidation::Ignore;
        if is_ignored || (unknown_fields.is_empty() && keys.is_empty()) {
            return Self::default();
        }
        let report = review.create(crd);
        let is_strict = settings.field_validation == FieldValidation::Strict;
        let errors = report.errors().iter();
        let errors = errors.filter(|error| is_strict && error.kind() == ViolationKind::BadRequest);
        Self {
            errors: field_errors(errors),
            warnings: report.warnings().to_vec(),
            unknown_fields: UnknownFieldReply::all(&unknown_fields, None),
        }
    }
}

/// The settings of a compilation: the kind of the objects, and the server.
type CompiledFor = (TypeMetaMode, CompilingServer);

enum CurrentSource {
    /// A version of a CRD, by default the stored version.
    Crd { crd: Value, version: Option<String> },
    /// A schema that is not part of a CRD.
    Schema { schema: Value, has_status: bool },
}

impl CurrentSource {
    fn compile(&self, (kind, server): CompiledFor) -> Result<LineSchema, String> {
        let schema = match self {
            Self::Crd { crd, version } => compile_crd(crd, version.as_deref(), server).0,
            Self::Schema { schema, has_status } => {
                compile_stored(schema, *has_status, kind, server)
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
            compiled: RefCell::new(Vec::new()),
        }
    }

    /// Returns the compiled schema for an object and a server, and true if the schema is not part
    /// of a CRD.
    pub(super) fn schema_for(
        &self,
        object: &Value,
        server: CompilingServer,
    ) -> (CompiledSchema<LineSchema>, bool) {
        match self.source {
            CurrentSource::Crd { .. } => (self.compiled((TypeMetaMode::FromObject, server)), false),
            CurrentSource::Schema { .. } => (
                self.compiled((TypeMetaMode::for_object(object), server)),
                true,
            ),
        }
    }

    /// Returns the error that prevents a server from compiling the schema.
    pub(super) fn problem(&self, server: CompilingServer) -> Option<String> {
        let compiled = self.compiled((TypeMetaMode::FromObject, server));
        compiled.as_ref().as_ref().err().cloned()
    }

    fn compiled(&self, settings: CompiledFor) -> CompiledSchema<LineSchema> {
        let mut compiled = self.compiled.borrow_mut();
        if let Some((_, schema)) = compiled
            .iter()
            .find(|(compiled_for, _)| *compiled_for == settings)
        {
            return Rc::clone(schema);
        }
        let schema = Rc::new(self.source.compile(settings));
        compiled.push((settings, Rc::clone(&schema)));
        schema
    }

    /// Creates the schema from a version of a CRD, by default the stored version. Other parts of
    /// the CRD are not checked.
    pub(super) fn from_crd(crd: &Value, version: Option<&str>, server: CompilingServer) -> Self {
        let (schema, errors) = compile_crd(crd, version, server);
        let (crd, version) = (crd.clone(), version.map(str::to_owned));
        let current = Self::new(CurrentSource::Crd { crd, version }, errors);
        let compiled_for = (TypeMetaMode::FromObject, server);
        current
            .compiled
            .borrow_mut()
            .push((compiled_for, Rc::new(schema.map(LineSchema::from))));
        current
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

/// Compiles the schema of a version of a CRD as stored, and returns the errors for which an API
/// server would reject the schema in a new CRD.
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
            let stored = compiler.stored().crd(crd, version);
            let stored = stored.map_err(|errors| join_errors(&errors));
            (stored, field_errors(errors.errors()))
        }
    }
}

/// Compiles a schema with the laxer rules that a server applies to stored schemas.
pub(super) fn compile_stored(
    schema: &Value,
    has_status: bool,
    kind: TypeMetaMode,
    server: CompilingServer,
) -> Result<StructuralSchema, String> {
    let stored = server.compiler().stored();
    let compiled = match kind {
        TypeMetaMode::FromObject => {
            let status = if has_status {
                StatusHandling::Subresource
            } else {
                StatusHandling::Field
            };
            stored.status(status).schema(schema)
        }
        TypeMetaMode::Defaulted => stored.crd(&schema_only::wrap_in_crd(schema, has_status), None),
    };
    compiled.map_err(|errors| join_errors(&errors))
}

fn join_errors(report: &Report) -> String {
    let errors: Vec<String> = report.errors().iter().map(ToString::to_string).collect();
    errors.join("; ")
}
