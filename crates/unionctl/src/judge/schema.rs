//! Loads a schema: a schema alone, a schema of an `OpenAPI` document, or a schema of a CRD.

use std::path::{Path, PathBuf};

use crd_unions::AnalyzedObject;
use k8s_crd_validation::StructuralSchema;
use k8s_crd_validation::crd::Review;
use k8s_strategic_merge_patch::{Compiler, PatchSchema};
use serde_json::Value;
use union_json::document::{Crd, CrdVersion};
use union_json::{ANNOTATION, SchemaError, SchemaSource as UnionSource, Unions};

use crate::cluster::{CLUSTER, Cluster, ClusterArgs, FileInputs, LiveSchema, Program};
use crate::error::CommandError;
use crate::input::{Documents, InputReader, crd, object, openapi};
use crate::judge::inferred_unions::InferredUnions;
use crate::judge::reply::unknown_field::notes_on_unknown_fields;

/// The flags that select a schema. `--schema` and `--crd` exclude each other.
#[derive(Debug, clap::Args)]
pub(crate) struct SchemaArgs {
    #[arg(long, value_name = "FILE", conflicts_with_all = ["crd", "version"])]
    #[arg(help = "A schema; or an OpenAPI document, v2 or v3, with --name")]
    schema: Option<PathBuf>,

    #[arg(long, value_name = "FILE")]
    #[arg(help = "A CustomResourceDefinition")]
    crd: Option<PathBuf>,

    /// The version of the CRD; by default the version of the object, or else the storage version.
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,

    #[arg(long)]
    #[arg(
        help = "The schema of the OpenAPI document, as io.k8s.api.apps.v1.Deployment; or one of several CRDs"
    )]
    name: Option<String>,

    #[command(flatten)]
    cluster: ClusterArgs,
}

/// A document, with the selector of a schema in it.
#[derive(Debug)]
pub(crate) struct LoadedSchema {
    file: String,
    document: Value,
    selector: SchemaSelector,
    pub(crate) notes: Vec<String>,
}

/// The part of the document that contains the schema.
#[derive(Debug)]
enum SchemaSelector {
    Document,
    OpenApiName(String),
    /// A version of the CRD; by default the stored version.
    Version(Option<String>),
}

/// The flag that selects the schema, with its path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SchemaFlag<'a> {
    Schema(&'a Path),
    Crd(&'a Path),
}

impl SchemaArgs {
    /// Returns the flag that selects the schema, for callers that read the whole document.
    pub(crate) fn schema_flag(&self) -> Result<SchemaFlag<'_>, CommandError> {
        match (&self.schema, &self.crd) {
            (Some(path), _) => Ok(SchemaFlag::Schema(path)),
            (None, Some(path)) => Ok(SchemaFlag::Crd(path)),
            (None, None) => Err(missing_flag_error()),
        }
    }

    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub(crate) fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// Returns the flags that select a schema, and true for each that is given.
    pub(crate) const fn given_flags(&self) -> [(&'static str, bool); 4] {
        [
            ("--schema", self.schema.is_some()),
            ("--crd", self.crd.is_some()),
            ("--version", self.version.is_some()),
            ("--name", self.name.is_some()),
        ]
    }

    pub(crate) const fn cluster_args(&self) -> &ClusterArgs {
        &self.cluster
    }

    pub(crate) fn is_given(&self) -> bool {
        self.schema.is_some() || self.crd.is_some()
    }

    /// Returns the cluster that supplies the schema and the stored object; `None` if all inputs are
    /// files.
    pub(crate) fn cluster(&self, program: Program) -> Result<Option<Cluster>, CommandError> {
        self.cluster_for(program, FileInputs::new(self.is_given()))
    }

    /// Returns the cluster for a command whose inputs may be complete without a schema; `None` if
    /// the command does not read from a cluster.
    pub(crate) fn cluster_for(
        &self,
        program: Program,
        inputs: FileInputs,
    ) -> Result<Option<Cluster>, CommandError> {
        self.cluster.cluster(program, inputs)
    }

    /// Reads the schema. `object` selects the CRD and its version if there are several. Without a
    /// file, the cluster supplies the schema of the object.
    pub(crate) fn load(
        &self,
        inputs: &mut InputReader,
        object: Option<&Value>,
        cluster: Option<&mut Cluster>,
    ) -> Result<LoadedSchema, CommandError> {
        if let Some(cluster) = cluster
            && !self.is_given()
        {
            return self.load_from_cluster(cluster, object);
        }
        match self.schema_flag()? {
            SchemaFlag::Schema(path) => self.load_schema(&inputs.read_documents("--schema", path)?),
            SchemaFlag::Crd(path) => {
                self.load_crd(&inputs.read_file_or_folder("--crd", path)?, object)
            }
        }
    }

    fn load_from_cluster(
        &self,
        cluster: &mut Cluster,
        object: Option<&Value>,
    ) -> Result<LoadedSchema, CommandError> {
        let object_type = object.and_then(object::group_version_kind);
        let Some(object_type) = object_type else {
            let message = "the schema is that of one object with apiVersion and kind; pass one object, or --schema or --crd";
            return Err(CommandError::new("the command line", message));
        };
        match cluster.schema(object_type)? {
            Some(LiveSchema::Crd(crd)) => {
                self.load_crd(&Documents::from_values(CLUSTER, vec![crd]), object)
            }
            Some(LiveSchema::OpenApi(document, name)) => Ok(LoadedSchema {
                file: CLUSTER.to_owned(),
                document,
                selector: SchemaSelector::OpenApiName(name),
                notes: Vec::new(),
            }),
            None => {
                let kind = object_type.kind;
                let message = format!(
                    "no schema of {kind}; see the warning above, or pass --schema or --crd"
                );
                Err(CommandError::new(CLUSTER, message))
            }
        }
    }

    fn load_schema(&self, documents: &Documents) -> Result<LoadedSchema, CommandError> {
        let document = documents.select_object("a schema", |_| false)?;
        let schema_error = |message| CommandError::new(documents.file.as_str(), message);
        let selector = if let (DocumentType::OpenApi | DocumentType::Schema, Some(name)) =
            (DocumentType::detect(document), &self.name)
        {
            openapi::find_schema(document, name).map_err(schema_error)?;
            SchemaSelector::OpenApiName(name.clone())
        } else {
            require_schema(document).map_err(schema_error)?;
            SchemaSelector::Document
        };
        Ok(LoadedSchema {
            file: documents.file.clone(),
            document: document.clone(),
            selector,
            notes: Vec::new(),
        })
    }

    fn load_crd(
        &self,
        documents: &Documents,
        object: Option<&Value>,
    ) -> Result<LoadedSchema, CommandError> {
        let file = documents.file.as_str();
        crd::require_distinct_in(documents)?;
        let object_type = object.and_then(object::group_version_kind);
        let is_selected = |document: &Value| {
            DocumentType::detect(document) == DocumentType::Crd
                && match (&self.name, object_type) {
                    (Some(name), _) => crd::has_name(Crd::new(document), name),
                    (None, Some(object_type)) => crd::is_for_type(Crd::new(document), object_type),
                    (None, None) => true,
                }
        };
        let description = "the CustomResourceDefinition (or select it with --name)";
        let document = documents.select_object(description, is_selected)?;
        if DocumentType::detect(document) != DocumentType::Crd {
            let object_name = object::display_name(document);
            return Err(CommandError::new(
                file,
                format!(
                    "expected a CustomResourceDefinition, found {object_name}; pass a schema to --schema"
                ),
            ));
        }
        let parsed_crd = Crd::new(document);
        if let Some(name) = self
            .name
            .as_ref()
            .filter(|name| !crd::has_name(parsed_crd, name))
        {
            let crd_name = object::display_name(document);
            return Err(CommandError::new(
                file,
                format!("expected {name:?} (--name), found {crd_name}"),
            ));
        }
        let mut notes: Vec<String> = documents.note_on_selection(document).into_iter().collect();
        notes.extend(notes_on_unknown_fields(Review::new(), document, file));
        let object_version = object_type.filter(|_| self.version.is_none());
        let object_version = object_version
            .map(|object_type| object_type.version)
            .filter(|object_version| parsed_crd.version(object_version).is_some());
        let stored_version = parsed_crd.stored_version().and_then(CrdVersion::name);
        if let Some(object_version) =
            object_version.filter(|object_version| stored_version != Some(object_version))
        {
            notes.push(format!(
                "{file}: using version {object_version} of the object; the storage version may have other unions"
            ));
        }
        Ok(LoadedSchema {
            file: documents.file.clone(),
            document: document.clone(),
            selector: SchemaSelector::Version(
                self.version.clone().or(object_version.map(str::to_owned)),
            ),
            notes,
        })
    }
}

fn missing_flag_error() -> CommandError {
    CommandError::new("the command line", "missing --schema or --crd")
}

impl LoadedSchema {
    /// Returns true if the schema is that of a CRD.
    pub(crate) const fn is_crd(&self) -> bool {
        matches!(self.selector, SchemaSelector::Version(_))
    }

    /// Returns the valid unions of the schema, and notes on the errors in the other unions.
    pub(crate) fn unions(&self) -> Result<(Unions, Vec<String>), CommandError> {
        let unions = Unions::compiler().lenient().compile(self.union_source());
        let unions = unions.map_err(|error| self.command_error(&error))?;
        let notes = notes_on_invalid_unions(&self.file, unions.errors());
        Ok((unions, notes))
    }

    /// Returns the schema as a source of unions.
    fn union_source(&self) -> UnionSource<'_> {
        let document = &self.document;
        match &self.selector {
            SchemaSelector::Document => UnionSource::Schema(document),
            SchemaSelector::OpenApiName(name) => UnionSource::OpenApi(document, name),
            SchemaSelector::Version(version) => UnionSource::Crd(document, version.as_deref()),
        }
    }

    fn command_error(&self, error: &SchemaError) -> CommandError {
        CommandError::new(error_location(&self.file, error), error.message())
    }

    /// Returns the unions that are inferred from the rules of the schema. The schema must not
    /// declare unions.
    pub(crate) fn inferred_unions(&self) -> Result<Option<InferredUnions>, CommandError> {
        let objects = self.analyzed_objects()?;
        let inferred = InferredUnions::compile(&self.file, &objects, self.union_source());
        inferred.map_err(|error| self.command_error(&error))
    }

    /// Returns the objects of the schema, with the unions that their rules declare.
    pub(crate) fn analyzed_objects(&self) -> Result<Vec<AnalyzedObject>, CommandError> {
        Ok(match &self.selector {
            SchemaSelector::Document => crd_unions::analyze_schema(&self.document),
            SchemaSelector::OpenApiName(name) => openapi::find_schema(&self.document, name)
                .map(|(_, schema)| crd_unions::analyze_schema(schema))
                .unwrap_or_default(),
            SchemaSelector::Version(version) => {
                let crd_version = Crd::new(&self.document).find_version(version.as_deref());
                let schema_in_document = crd_version.and_then(CrdVersion::located_schema);
                let schema_in_document =
                    schema_in_document.map_err(|error| self.command_error(&error))?;
                crd_unions::analyze_schema(schema_in_document.schema)
            }
        })
    }

    /// Compiles the schema as an API server does; `None` if the schema is not a schema of a CRD.
    pub(crate) fn structural_schema(&self) -> Option<StructuralSchema> {
        let compiler = StructuralSchema::compiler().stored();
        let schema = match &self.selector {
            SchemaSelector::Document => compiler.schema(&self.document),
            SchemaSelector::OpenApiName(_) => return None,
            SchemaSelector::Version(version) => compiler.crd(&self.document, version.as_deref()),
        };
        schema.ok()
    }

    /// Compiles the patch directives of the schema.
    pub(crate) fn patch_schema(&self, compiler: &Compiler) -> Result<PatchSchema, CommandError> {
        let schema = match &self.selector {
            SchemaSelector::Document => compiler.schema(&self.document),
            SchemaSelector::OpenApiName(name) => compiler.openapi(&self.document, name),
            SchemaSelector::Version(version) => compiler.crd(&self.document, version.as_deref()),
        };
        schema.map_err(|error| self.command_error(&error))
    }

    /// Returns the note on a schema that does not declare unions.
    pub(crate) fn note_on_missing_unions(&self) -> String {
        let file = &self.file;
        let reason = match &self.selector {
            SchemaSelector::Version(_) => {
                format!(
                    "neither `x-kubernetes-unions` nor the annotation {ANNOTATION} declares unions of this version"
                )
            }
            SchemaSelector::Document | SchemaSelector::OpenApiName(_) => {
                "`x-kubernetes-unions` is not set".to_owned()
            }
        };
        format!("{file}: no unions found: {reason}")
    }

    /// Returns true if the schema describes the type of an object, or if the type of the schema or
    /// of the object is unknown.
    pub(crate) fn is_for(&self, object: &Value) -> bool {
        match (&self.selector, object::group_version_kind(object)) {
            (SchemaSelector::Version(_), Some(object_type)) => {
                crd::is_for_type(Crd::new(&self.document), object_type)
            }
            _ => true,
        }
    }

    /// Returns an error if the schema does not describe the type of an object. Without this check,
    /// the object would be accepted, because the schema has no unions for it.
    pub(crate) fn check_type(&self, file: &str, object: &Value) -> Result<(), CommandError> {
        if self.is_for(object) {
            return Ok(());
        }
        let object_name = object::display_name(object);
        let version = object.get("apiVersion").and_then(Value::as_str);
        let version = version.unwrap_or_default();
        let crd_types = crd::kind_and_group(Crd::new(&self.document));
        let crd_file = &self.file;
        Err(CommandError::new(
            file,
            format!(
                "{crd_file} does not define {object_name} of {version}; it defines {crd_types}"
            ),
        ))
    }

    /// Creates the schema of a version of a CRD, by default the stored version.
    pub(crate) fn for_crd_version(file: &str, crd: &Value, version: Option<String>) -> Self {
        Self {
            file: file.to_owned(),
            document: crd.clone(),
            selector: SchemaSelector::Version(version),
            notes: Vec::new(),
        }
    }
}

/// Returns the location of an error for messages: the file, and the JSON pointer in its document.
pub(crate) fn error_location(file: &str, error: &SchemaError) -> String {
    match error.pointer() {
        "" => file.to_owned(),
        pointer => format!("{file}: {pointer}"),
    }
}

/// Returns notes on invalid declarations of unions.
pub(crate) fn notes_on_invalid_unions(file: &str, errors: &[SchemaError]) -> Vec<String> {
    let to_note = |error: &SchemaError| {
        let location = error_location(file, error);
        format!("{location}: {} (unions here are skipped)", error.message())
    };
    errors.iter().map(to_note).collect()
}

/// Returns the errors in the declarations of unions of a schema. API servers do not check these
/// declarations.
pub(crate) fn declaration_errors(source: UnionSource<'_>) -> Vec<SchemaError> {
    // A server reports a version without a schema.
    let unions = Unions::compiler().lenient().compile(source);
    let unions = unions.unwrap_or_default();
    // The server's error about a reference has a hint.
    let errors = unions.errors().iter();
    let errors = errors.filter(|error| !error.pointer().ends_with("/$ref"));
    errors.cloned().collect()
}

/// Returns notes on the errors in the declarations of unions of a CRD that `is_wanted` accepts,
/// each once. `version` selects a version.
pub(crate) fn notes_on_declarations(
    file: &str,
    crd: &Value,
    version: Option<&str>,
    is_wanted: impl Fn(&SchemaError) -> bool,
) -> Vec<String> {
    let names = Crd::new(crd).versions().filter_map(CrdVersion::name);
    let names = names.filter(|name| version.is_none_or(|version| version == *name));
    let mut notes = Vec::new();
    for error in names
        .flat_map(|name| declaration_errors(UnionSource::Crd(crd, Some(name))))
        .filter(is_wanted)
    {
        let note = format!("{file}: unions: {error}");
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
}

/// Returns an error if a document is a CRD, an `OpenAPI` document or another object with a kind.
/// Without this check, every object would be accepted, because such a document has no unions at its
/// root.
pub(crate) fn require_schema(document: &Value) -> Result<(), String> {
    match DocumentType::detect(document) {
        DocumentType::Object => {
            let title = object::display_name(document);
            Err(format!(
                "expected a schema, found {title}; pass the schema of its kind"
            ))
        }
        DocumentType::Crd => Err(CRD_AS_SCHEMA_MESSAGE.to_owned()),
        DocumentType::OpenApi => Err(OPENAPI_AS_SCHEMA_MESSAGE.to_owned()),
        DocumentType::Schema => Ok(()),
    }
}

const CRD_AS_SCHEMA_MESSAGE: &str =
    "expected a schema, found a CustomResourceDefinition; pass it to --crd";
const OPENAPI_AS_SCHEMA_MESSAGE: &str = "expected a schema, found an OpenAPI document; \
     select a schema with --name, such as --name io.k8s.api.apps.v1.Deployment";

/// The type of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentType {
    Schema,
    OpenApi,
    Crd,
    /// Another object with `apiVersion` and `kind`.
    Object,
}

impl DocumentType {
    pub(crate) fn detect(document: &Value) -> Self {
        let has_string = |key: &str| document.get(key).is_some_and(Value::is_string);
        if crd::is_crd(document) {
            Self::Crd
        } else if has_string("openapi") || has_string("swagger") {
            Self::OpenApi
        } else if object::group_version_kind(document).is_some() {
            Self::Object
        } else {
            Self::Schema
        }
    }
}
