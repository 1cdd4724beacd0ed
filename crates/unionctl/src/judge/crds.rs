//! The CRDs of a file, each compiled once for each version that is needed.

use std::path::Path;

use k8s_crd_validation::{FieldValidation, ServerSettings, StructuralSchema};
use serde_json::Value;
use union_json::document::{Crd, CrdVersion};
use union_json::{SchemaSource, Unions};
use union_runtime::Report;

use crate::error::CommandError;
use crate::input::{Documents, InputReader, LocatedDuplicate, ObjectSource, crd, object};
use crate::judge::manifest;
use crate::judge::server_settings::CompilingServer;
use crate::judge::unions_reply::{FieldError, field_errors};
use crate::judge::unknown_field::{UnknownFieldReply, duplicate_line};
use crate::output::table::pluralize;

/// The CRDs that objects are judged by.
pub(crate) struct Crds {
    pub(crate) file: String,
    /// The version that a flag sets for all objects.
    version: Option<String>,
    /// The API server.
    server: CompilingServer,
    field_validation: FieldValidation,
    list: Vec<CompiledCrd>,
    /// The number of errors in the schemas that objects were judged by. A server keeps using a CRD
    /// that it has stored, so such schemas are compiled nevertheless.
    error_count: usize,
}

/// A CRD, with its compiled schemas.
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
    /// Reads the CRDs of a file; other objects in it are ignored.
    pub(crate) fn read_file(
        inputs: &mut InputReader,
        flag: &'static str,
        path: &Path,
        version: Option<String>,
    ) -> Result<Self, CommandError> {
        let documents = inputs.read_documents(flag, path)?;
        Self::require_crds(documents, flag, version)
    }

    /// Reads the CRDs of a file that a client sends. Their duplicate keys are not an error here.
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

    /// Sets the API server.
    pub(crate) fn with_server(mut self, server: CompilingServer) -> Self {
        self.server = server;
        self
    }

    /// Sets the API server, and its treatment of unknown fields in the CRDs.
    pub(crate) fn with_settings(mut self, settings: &ServerSettings) -> Self {
        self.field_validation = settings.field_validation;
        self.with_server(CompilingServer::from_settings(settings))
    }

    /// Returns the CRD, or a problem if there are several.
    pub(crate) fn single_crd(&self) -> Result<&Value, CommandError> {
        match self.list.as_slice() {
            [one] => Ok(&one.document),
            several => Err(CommandError::new(
                self.file.as_str(),
                format!(
                    "expected one CustomResourceDefinition, found {}",
                    several.len()
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

    /// Returns the verdict of an API server on the CRDs: on new CRDs, or on CRDs that replace the
    /// stored CRDs of the same name.
    pub(crate) fn validate(&self, old: Option<&Self>) -> Result<CrdDiagnostics, CommandError> {
        let mut said = CrdDiagnostics::default();
        for crd in &self.list {
            let duplicates = self.add_unknown(crd, &mut said);
            let keys: Vec<_> = duplicates.iter().map(|found| found.key.clone()).collect();
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
            said.errors.extend(field_errors(outcome.errors()));
            said.warnings.extend_from_slice(outcome.warnings());
            self.add_union_problems(crd, &mut said.notes)?;
        }
        Ok(said)
    }

    /// Adds the unknown fields and the duplicate keys of a CRD to the diagnostics, and returns the
    /// duplicate keys.
    fn add_unknown(&self, crd: &CompiledCrd, said: &mut CrdDiagnostics) -> Vec<LocatedDuplicate> {
        if self.field_validation == FieldValidation::Ignore {
            return Vec::new();
        }
        let source = crd.source.as_ref();
        let fields = self.server.review().unknown_fields(&crd.document);
        let fields = UnknownFieldReply::all(&fields, source);
        let lines = fields.iter().map(|field| field.line(&self.file));
        said.unknown_lines.extend(lines);
        said.unknown_fields.extend(fields);
        let duplicates = source.map(ObjectSource::duplicates).unwrap_or_default();
        let lines = duplicates
            .iter()
            .map(|found| duplicate_line(found, &self.file));
        said.duplicate_lines.extend(lines);
        duplicates
    }

    /// Returns the CRDs, each with the stored CRD that it replaces.
    pub(crate) fn with_stored_crds<'c>(
        &'c self,
        old: &'c Self,
    ) -> impl Iterator<Item = (&'c Value, Option<&'c Value>)> {
        let list = self.list.iter();
        list.map(|crd| (&crd.document, self.stored(crd, old)))
    }

    /// Returns the stored CRD that another CRD replaces: the CRD of the same name, or the only one.
    fn stored<'o>(&self, crd: &CompiledCrd, old: &'o Self) -> Option<&'o Value> {
        if let ([_], [only]) = (&*self.list, &*old.list) {
            return Some(&only.document);
        }
        let name = crd.declared().name();
        let is_it = |other: &&CompiledCrd| other.declared().name() == name;
        old.list.iter().find(is_it).map(|other| &other.document)
    }

    /// Adds the errors in declarations of unions, which a server does not check.
    fn add_union_problems(
        &self,
        crd: &CompiledCrd,
        notes: &mut Vec<String>,
    ) -> Result<(), CommandError> {
        let wanted = self.version.as_deref();
        let declared = crd.declared();
        if let Some(version) = wanted.filter(|version| declared.version(version).is_none()) {
            let problem = format!("the CRD has no version {version:?}; remove --version");
            return Err(CommandError::new(self.file.as_str(), problem));
        }
        let versions = declared.versions().filter_map(CrdVersion::name);
        for version in versions.filter(|version| wanted.is_none_or(|wanted| wanted == *version)) {
            let source = SchemaSource::Crd(&crd.document, Some(version));
            // A version without a schema has an error of the server.
            let unions = Unions::compiler().lenient().compile(source);
            for problem in unions.unwrap_or_default().errors() {
                let note = format!("{}: unions: {problem}", self.file);
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
        }
        Ok(())
    }

    /// Returns the CRD for an object. If there is only one CRD, an object without a type belongs to
    /// it.
    pub(crate) fn find(&self, object: &Value) -> Option<CrdId> {
        let found = match object::group_version_kind(object) {
            Some(of) => {
                let is_it = |crd: &CompiledCrd| crd::is_for_type(crd.declared(), of);
                self.list.iter().position(is_it)
            }
            None => (self.list.len() == 1).then_some(0),
        };
        found.map(CrdId)
    }

    /// Returns the CRD with this id.
    pub(crate) fn document(&self, id: CrdId) -> &Value {
        &self.list[id.0].document
    }

    /// Returns true if the objects of a CRD are namespaced.
    pub(crate) fn is_namespaced(&self, id: CrdId) -> bool {
        self.list[id.0].declared().is_namespaced()
    }

    /// Returns true if the status of an object is a subresource.
    pub(crate) fn has_status_subresource(&self, id: CrdId, object: &Value) -> bool {
        let crd = self.list[id.0].declared();
        let version = match self.version_for(id, object) {
            Some(name) => crd.version(name),
            None => crd.stored_version(),
        };
        version.is_some_and(CrdVersion::has_status_subresource)
    }

    /// Returns the version that a flag sets, or the object's own version; `None` is the stored
    /// version.
    pub(crate) fn version_for<'v>(&'v self, id: CrdId, object: &'v Value) -> Option<&'v str> {
        let own = object::group_version_kind(object).map(|of| of.version);
        let crd = self.list[id.0].declared();
        let own = own.filter(|own| crd.version(own).is_some());
        self.version.as_deref().or(own)
    }

    /// Returns the schema for an object: of the version that a flag sets, of the object's own
    /// version, or of the stored version.
    pub(crate) fn schema(
        &mut self,
        id: CrdId,
        object: &Value,
    ) -> Result<&StructuralSchema, CommandError> {
        let version = self.version_for(id, object).map(str::to_owned);
        let crd = &mut self.list[id.0];
        let is_it = |compiled: &CompiledVersion| compiled.version == version;
        let at = if let Some(at) = crd.compiled.iter().position(is_it) {
            at
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
        Ok(&crd.compiled[at].schema)
    }
}

impl Crds {
    /// Returns a note on schemas that an API server would reject today.
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

/// The verdict of an API server on CRDs, with notes on their unions.
#[derive(Debug, Default)]
pub(crate) struct CrdDiagnostics {
    pub(crate) errors: Vec<FieldError>,
    pub(crate) warnings: Vec<String>,
    pub(crate) unknown_fields: Vec<UnknownFieldReply>,
    /// The lines about unknown fields, for users.
    pub(crate) unknown_lines: Vec<String>,
    /// The lines about duplicate keys, for users.
    pub(crate) duplicate_lines: Vec<String>,
    pub(crate) notes: Vec<String>,
}

/// The index of a CRD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CrdId(usize);

fn unreadable(file: &str, report: &Report) -> CommandError {
    let errors: Vec<String> = report.errors().iter().map(ToString::to_string).collect();
    CommandError::new(file, errors.join("; "))
}
