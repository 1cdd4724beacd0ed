//! The CRDs of a file. Each version is compiled when an object needs it.

use std::path::Path;

use k8s_crd_validation::{FieldValidation, ServerSettings, StructuralSchema};
use serde::Serialize;
use serde_json::Value;
use union_json::document::{Crd, CrdVersion};
use union_json::{SchemaSource, Unions};
use union_runtime::Report;

use crate::error::CommandError;
use crate::input::{Documents, InputReader, LocatedDuplicate, ObjectSource, crd, object};
use crate::judge::manifest;
use crate::judge::reply::unions_reply::{FieldError, field_errors};
use crate::judge::reply::unknown_field::{UnknownFieldReply, notes_on_unknown_fields};
use crate::judge::server_settings::CompilingServer;
use crate::output::table::pluralize;

/// The CRDs that describe the objects of a command.
pub(crate) struct Crds {
    pub(crate) file: String,
    /// The version that a flag sets for all objects.
    version: Option<String>,
    /// The settings of the API server.
    server: CompilingServer,
    field_validation: FieldValidation,
    list: Vec<CompiledCrd>,
    /// The number of errors in the compiled schemas. A server keeps using a stored CRD that has
    /// errors, so these schemas are compiled nevertheless.
    error_count: usize,
}

/// A CRD, with the schemas that have been compiled.
struct CompiledCrd {
    document: Value,
    source: Option<ObjectSource>,
    compiled: Vec<CompiledVersion>,
}

impl CompiledCrd {
    const fn declared(&self) -> Crd<'_> {
        Crd::new(&self.document)
    }
}

/// A compiled version of a CRD.
struct CompiledVersion {
    version: Option<String>,
    schema: StructuralSchema,
}

impl Crds {
    /// Reads the CRDs of a file, and ignores other objects.
    pub(crate) fn read_file(
        inputs: &mut InputReader,
        flag: &'static str,
        path: &Path,
        version: Option<String>,
    ) -> Result<Self, CommandError> {
        let documents = inputs.read_documents(flag, path)?;
        Self::require_crds(documents, flag, version)
    }

    /// Reads the CRDs of a file that a client sends. A duplicate key is not an error here, because
    /// `validate` reports it.
    pub(crate) fn read_file_with_sources(
        inputs: &mut InputReader,
        flag: &'static str,
        path: &Path,
        version: Option<String>,
    ) -> Result<Self, CommandError> {
        let documents = inputs.read_documents_with_sources(flag, path)?;
        Self::require_crds(documents, flag, version)
    }

    fn require_crds(
        documents: Documents,
        flag: &'static str,
        version: Option<String>,
    ) -> Result<Self, CommandError> {
        Self::from_documents(&documents, version).ok_or_else(|| {
            CommandError::new(
                documents.file,
                format!("no CustomResourceDefinition found; pass a file with one to {flag}"),
            )
        })
    }

    /// Returns the CRDs of documents; `None` if the documents do not contain a CRD.
    pub(crate) fn from_documents(documents: &Documents, version: Option<String>) -> Option<Self> {
        let list: Vec<CompiledCrd> = documents
            .located_objects()
            .filter(|located| crd::is_crd(located.object))
            .map(|located| CompiledCrd {
                document: located.object.clone(),
                source: documents.source_of(located),
                compiled: Vec::new(),
            })
            .collect();
        (!list.is_empty()).then(|| Self {
            file: documents.file.clone(),
            version,
            server: CompilingServer::default(),
            field_validation: FieldValidation::Warn,
            list,
            error_count: 0,
        })
    }

    /// Sets the server settings for compilation.
    pub(crate) fn with_server(mut self, server: CompilingServer) -> Self {
        self.server = server;
        self
    }

    /// Sets the server settings for compilation, and the treatment of unknown fields in the CRDs.
    pub(crate) fn with_settings(mut self, settings: &ServerSettings) -> Self {
        self.field_validation = settings.field_validation;
        self.with_server(CompilingServer::from_settings(settings))
    }

    /// Returns the only CRD, or an error if there are several.
    pub(crate) fn single_crd(&self) -> Result<&Value, CommandError> {
        match self.list.as_slice() {
            [one] => Ok(&one.document),
            crds => Err(CommandError::new(
                self.file.as_str(),
                format!(
                    "expected one CustomResourceDefinition, found {}",
                    crds.len()
                ),
            )),
        }
    }

    /// Returns the kinds of the CRDs, for messages.
    pub(crate) fn kinds(&self) -> String {
        let kinds = self.list.iter().map(CompiledCrd::declared);
        let kinds = kinds.map(crd::kind_and_group);
        kinds.collect::<Vec<_>>().join(", ")
    }

    /// Validates the CRDs. With `old`, each CRD is an update of the stored CRD with the same name.
    pub(crate) fn validate(&self, old: Option<&Self>) -> Result<Vec<CrdDiagnostics>, CommandError> {
        let list = self.list.iter();
        list.map(|crd| self.validate_crd(crd, old)).collect()
    }

    fn validate_crd(
        &self,
        crd: &CompiledCrd,
        old: Option<&Self>,
    ) -> Result<CrdDiagnostics, CommandError> {
        let mut diagnostics = CrdDiagnostics {
            title: object::display_name(&crd.document),
            ..CrdDiagnostics::default()
        };
        self.add_unknown(crd, &mut diagnostics);
        let duplicates = diagnostics.duplicate_keys.iter();
        let keys: Vec<_> = duplicates.map(|duplicate| duplicate.key.clone()).collect();
        let review = self
            .server
            .review()
            .field_validation(self.field_validation)
            .duplicate_keys(&keys);
        let outcome = match old.and_then(|old| self.stored(crd, old)) {
            None => review.create(&crd.document),
            Some(stored) => {
                let (mut new, mut stored) = (crd.document.clone(), stored.clone());
                manifest::complete_stored_crd(&mut stored);
                manifest::complete(&mut new, Some(&stored), false);
                review.update(&new, &stored)
            }
        };
        diagnostics.errors = field_errors(outcome.errors());
        diagnostics.warnings = outcome.warnings().to_vec();
        self.add_union_problems(crd, &mut diagnostics.notes)?;
        Ok(diagnostics)
    }

    /// Returns notes on unknown fields in stored CRDs, such as misspelled keywords, which a server
    /// has dropped.
    pub(crate) fn notes_on_unknown_fields(&self) -> Vec<String> {
        let review = self.server.review().field_validation(self.field_validation);
        let notes_on = |crd: &CompiledCrd| {
            let source = match self.list.len() {
                1 => self.file.clone(),
                _ => format!("{}: {}", self.file, object::display_name(&crd.document)),
            };
            notes_on_unknown_fields(review, &crd.document, &source)
        };
        self.list.iter().flat_map(notes_on).collect()
    }

    /// Adds the unknown fields and the duplicate keys of a CRD to the diagnostics.
    fn add_unknown(&self, crd: &CompiledCrd, diagnostics: &mut CrdDiagnostics) {
        if self.field_validation == FieldValidation::Ignore {
            return;
        }
        let source = crd.source.as_ref();
        let fields = self.server.review().unknown_fields(&crd.document);
        diagnostics.unknown_fields = UnknownFieldReply::all(&fields, source);
        diagnostics.duplicate_keys = source.map(ObjectSource::duplicates).unwrap_or_default();
    }

    /// Returns the CRDs, each with the stored CRD that it updates.
    pub(crate) fn with_stored_crds<'c>(
        &'c self,
        old: &'c Self,
    ) -> impl Iterator<Item = (&'c Value, Option<&'c Value>)> {
        let list = self.list.iter();
        list.map(|crd| (&crd.document, self.stored(crd, old)))
    }

    /// Returns the stored CRD that a CRD updates: the CRD with the same name, or the only CRD if
    /// both files have one.
    fn stored<'o>(&self, crd: &CompiledCrd, old: &'o Self) -> Option<&'o Value> {
        if let ([_], [only]) = (&*self.list, &*old.list) {
            return Some(&only.document);
        }
        let name = crd.declared().name();
        let is_match = |other: &&CompiledCrd| other.declared().name() == name;
        old.list.iter().find(is_match).map(|other| &other.document)
    }

    /// Adds the errors in declarations of unions as notes, because a server does not check these
    /// declarations.
    fn add_union_problems(
        &self,
        crd: &CompiledCrd,
        notes: &mut Vec<String>,
    ) -> Result<(), CommandError> {
        let requested = self.version.as_deref();
        let declared = crd.declared();
        if let Some(version) = requested.filter(|version| declared.version(version).is_none()) {
            let message = format!("the CRD has no version {version:?}; remove --version");
            return Err(CommandError::new(self.file.as_str(), message));
        }
        let versions = declared.versions().filter_map(CrdVersion::name);
        for version in
            versions.filter(|version| requested.is_none_or(|requested| requested == *version))
        {
            let source = SchemaSource::Crd(&crd.document, Some(version));
            // A server reports a version without a schema.
            let unions = Unions::compiler().lenient().compile(source);
            for error in unions.unwrap_or_default().errors() {
                let note = format!("{}: unions: {error}", self.file);
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
        }
        Ok(())
    }

    /// Returns the CRD that describes an object. An object without a type matches only if there is
    /// a single CRD.
    pub(crate) fn find(&self, object: &Value) -> Option<CrdId> {
        let index = match object::group_version_kind(object) {
            Some(object_type) => {
                let is_match = |crd: &CompiledCrd| crd::is_for_type(crd.declared(), object_type);
                self.list.iter().position(is_match)
            }
            None => (self.list.len() == 1).then_some(0),
        };
        index.map(CrdId)
    }

    /// Returns the source of a CRD.
    pub(crate) fn document(&self, id: CrdId) -> &Value {
        &self.list[id.0].document
    }

    /// Returns true if the objects of a CRD are namespaced.
    pub(crate) fn is_namespaced(&self, id: CrdId) -> bool {
        self.list[id.0].declared().is_namespaced()
    }

    /// Returns true if the version for an object has the status subresource.
    pub(crate) fn has_status_subresource(&self, id: CrdId, object: &Value) -> bool {
        let crd = self.list[id.0].declared();
        let version = match self.version_for(id, object) {
            Some(name) => crd.version(name),
            None => crd.stored_version(),
        };
        version.is_some_and(CrdVersion::has_status_subresource)
    }

    /// Returns the version that a flag sets, or else the version of the object; `None` is the
    /// stored version.
    pub(crate) fn version_for<'v>(&'v self, id: CrdId, object: &'v Value) -> Option<&'v str> {
        let object_version =
            object::group_version_kind(object).map(|object_type| object_type.version);
        let crd = self.list[id.0].declared();
        let object_version =
            object_version.filter(|object_version| crd.version(object_version).is_some());
        self.version.as_deref().or(object_version)
    }

    /// Returns the schema for an object, and compiles it on the first call. The version is chosen
    /// as by [`version_for`](Self::version_for).
    pub(crate) fn schema(
        &mut self,
        id: CrdId,
        object: &Value,
    ) -> Result<&StructuralSchema, CommandError> {
        let version = self.version_for(id, object).map(str::to_owned);
        let crd = &mut self.list[id.0];
        let is_match = |compiled: &CompiledVersion| compiled.version == version;
        let index = if let Some(index) = crd.compiled.iter().position(is_match) {
            index
        } else {
            let name = version.as_deref();
            let compiler = self.server.compiler();
            let schema = match compiler.crd(&crd.document, name) {
                Ok(schema) => schema,
                Err(errors) => {
                    let stored = compiler.stored().crd(&crd.document, name);
                    let schema = stored.map_err(|errors| unreadable(&self.file, &errors))?;
                    self.error_count += errors.errors().len();
                    schema
                }
            };
            crd.compiled.push(CompiledVersion { version, schema });
            crd.compiled.len() - 1
        };
        Ok(&crd.compiled[index].schema)
    }
}

impl Crds {
    /// Returns a note if a server would reject a compiled schema in a new CRD.
    pub(crate) fn note_on_errors(&self) -> Option<String> {
        let file = &self.file;
        let errors = pluralize(self.error_count, "error");
        (self.error_count > 0).then(|| {
            format!(
                "{file}: an API server would reject this CRD ({errors}); `unionctl check --crd {file}` lists the errors"
            )
        })
    }
}

/// The result of validating a CRD, with notes on its unions.
#[derive(Debug, Default, Serialize)]
pub(crate) struct CrdDiagnostics {
    /// The kind and the name of the CRD, for messages.
    #[serde(rename = "crd")]
    pub(crate) title: String,
    pub(crate) errors: Vec<FieldError>,
    pub(crate) warnings: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) unknown_fields: Vec<UnknownFieldReply>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) duplicate_keys: Vec<LocatedDuplicate>,
    #[serde(skip)]
    pub(crate) notes: Vec<String>,
}

impl CrdDiagnostics {
    /// Returns the diagnostics of several CRDs as one. The title is empty.
    pub(crate) fn merge(list: Vec<Self>) -> Self {
        let mut merged = Self::default();
        for mut diagnostics in list {
            merged.errors.append(&mut diagnostics.errors);
            merged.warnings.append(&mut diagnostics.warnings);
            merged
                .unknown_fields
                .append(&mut diagnostics.unknown_fields);
            merged
                .duplicate_keys
                .append(&mut diagnostics.duplicate_keys);
            merged.notes.append(&mut diagnostics.notes);
        }
        merged
    }
}

/// The index of a CRD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CrdId(usize);

fn unreadable(file: &str, report: &Report) -> CommandError {
    let errors: Vec<String> = report.errors().iter().map(ToString::to_string).collect();
    CommandError::new(file, errors.join("; "))
}
