//! The sources of a schema: a schema alone, a schema of an `OpenAPI` document, or a CRD.

use std::path::{Path, PathBuf};

use k8s_strategic_merge_patch::{Compiler, PatchSchema};
use serde_json::Value;
use union_json::document::{Crd, CrdVersion};
use union_json::{ANNOTATION, SchemaError, Source as UnionSource, Unions};

use crate::input::{Documents, Inputs, crd, object, openapi};
use crate::judge::foreign::Foreign;
use crate::problem::Problem;

/// The flags; at most one of `--schema` and `--crd`.
#[derive(Debug, clap::Args)]
pub(crate) struct SchemaArgs {
    #[arg(long, value_name = "FILE", conflicts_with_all = ["crd", "version"])]
    #[arg(help = "A schema; or an OpenAPI document, v2 or v3, with --name")]
    schema: Option<PathBuf>,

    #[arg(long, value_name = "FILE")]
    #[arg(help = "A CustomResourceDefinition")]
    crd: Option<PathBuf>,

    /// The version of the CRD; by default that of the object, or else the stored one.
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,

    #[arg(long)]
    #[arg(
        help = "The schema of the OpenAPI document, as io.k8s.api.apps.v1.Deployment; or one of several CRDs"
    )]
    name: Option<String>,
}

/// A schema and its document.
#[derive(Debug)]
pub(crate) struct Source {
    file: String,
    document: Value,
    part: Part,
    pub(crate) notes: Vec<String>,
}

/// The part of the document that is the schema.
#[derive(Debug)]
enum Part {
    All,
    Named(String),
    /// A version of the CRD; by default the stored version.
    Version(Option<String>),
}

/// The path of the schema or of the CRD, as the flags have it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Given<'a> {
    Schema(&'a Path),
    Crd(&'a Path),
}

impl SchemaArgs {
    /// Returns the path of the schema or of the CRD, for callers that use the whole document.
    pub(crate) fn given(&self) -> Result<Given<'_>, Problem> {
        match (&self.schema, &self.crd) {
            (Some(path), _) => Ok(Given::Schema(path)),
            (None, Some(path)) => Ok(Given::Crd(path)),
            (None, None) => Err(nothing_given()),
        }
    }

    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub(crate) fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    pub(crate) fn is_given(&self) -> bool {
        self.schema.is_some() || self.crd.is_some()
    }

    /// Reads the schema; `object` is an object that it describes.
    pub(crate) fn read(
        &self,
        inputs: &mut Inputs,
        object: Option<&Value>,
    ) -> Result<Source, Problem> {
        match self.given()? {
            Given::Schema(path) => self.of_schema(&inputs.read("--schema", path)?),
            Given::Crd(path) => self.of_crd(&inputs.read("--crd", path)?, object),
        }
    }

    fn of_schema(&self, documents: &Documents) -> Result<Source, Problem> {
        let document = documents.one("a schema", |_| false)?;
        let problem = |text| Problem::new(documents.file.as_str(), text);
        let part =
            if let (Kind::OpenApi | Kind::Schema, Some(name)) = (Kind::of(document), &self.name) {
                openapi::find(document, name).map_err(problem)?;
                Part::Named(name.clone())
            } else {
                refuse_other_documents(document).map_err(problem)?;
                Part::All
            };
        Ok(Source {
            file: documents.file.clone(),
            document: document.clone(),
            part,
            notes: Vec::new(),
        })
    }

    fn of_crd(&self, documents: &Documents, object: Option<&Value>) -> Result<Source, Problem> {
        let file = documents.file.as_str();
        let wanted_type = object.and_then(object::type_of);
        let is_it = |document: &Value| {
            Kind::of(document) == Kind::Crd
                && match (&self.name, wanted_type) {
                    (Some(name), _) => crd::is_called(Crd::new(document), name),
                    (None, Some(of)) => crd::describes(Crd::new(document), of),
                    (None, None) => true,
                }
        };
        let wanted = "the CustomResourceDefinition (or select it with --name)";
        let found = documents.one(wanted, is_it)?;
        if Kind::of(found) != Kind::Crd {
            let found = object::name_of(found);
            return Err(Problem::new(
                file,
                format!(
                    "expected a CustomResourceDefinition, found {found}; pass a schema to --schema"
                ),
            ));
        }
        let declared = Crd::new(found);
        if let Some(name) = self
            .name
            .as_ref()
            .filter(|name| !crd::is_called(declared, name))
        {
            let found = object::name_of(found);
            return Err(Problem::new(
                file,
                format!("expected {name:?} (--name), found {found}"),
            ));
        }
        let mut notes: Vec<String> = documents.note_on_choice(found).into_iter().collect();
        let own = wanted_type.filter(|_| self.version.is_none());
        let own = own
            .map(|of| of.version)
            .filter(|own| declared.version(own).is_some());
        let stored = declared.stored_version().and_then(CrdVersion::name);
        if let Some(own) = own.filter(|own| stored != Some(own)) {
            notes.push(format!(
                "{file}: using version {own} of the object; the storage version may have other unions"
            ));
        }
        Ok(Source {
            file: documents.file.clone(),
            document: found.clone(),
            part: Part::Version(self.version.clone().or(own.map(str::to_owned))),
            notes,
        })
    }
}

fn nothing_given() -> Problem {
    Problem::new("the command line", "missing --schema or --crd")
}

impl Source {
    /// Returns the sound unions of the schema, and notes on the errors in its other unions.
    pub(crate) fn unions(&self) -> Result<(Unions, Vec<String>), Problem> {
        let unions = Unions::compiler().lenient().compile(self.source());
        let unions = unions.map_err(|error| self.problem(&error))?;
        let notes = not_judged(&self.file, unions.problems());
        Ok((unions, notes))
    }

    /// Returns the schema as a source of unions.
    fn source(&self) -> UnionSource<'_> {
        let document = &self.document;
        match &self.part {
            Part::All => UnionSource::Schema(document),
            Part::Named(name) => UnionSource::OpenApi(document, name),
            Part::Version(version) => UnionSource::Crd(document, version.as_deref()),
        }
    }

    fn problem(&self, error: &SchemaError) -> Problem {
        Problem::new(place_in(&self.file, error), error.problem())
    }

    /// Returns the unions that the rules of the schema declare, for a schema that does not declare
    /// unions in our form.
    pub(crate) fn foreign(&self) -> Result<Option<Foreign>, Problem> {
        let places = match &self.part {
            Part::All => crd_unions::read_schema(&self.document),
            Part::Named(name) => openapi::find(&self.document, name)
                .map(|(_, schema)| crd_unions::read_schema(schema))
                .unwrap_or_default(),
            Part::Version(version) => {
                let found = Crd::new(&self.document).find_version(version.as_deref());
                let located = found.and_then(CrdVersion::located_schema);
                let located = located.map_err(|error| self.problem(&error))?;
                crd_unions::read_schema(located.schema)
            }
        };
        let foreign = Foreign::of(&self.file, &places, self.source());
        foreign.map_err(|error| self.problem(&error))
    }

    /// Returns the directives for patches in the schema.
    pub(crate) fn patches(&self, compiler: &Compiler) -> Result<PatchSchema, Problem> {
        let schema = match &self.part {
            Part::All => compiler.schema(&self.document),
            Part::Named(name) => compiler.openapi(&self.document, name),
            Part::Version(version) => compiler.crd(&self.document, version.as_deref()),
        };
        schema.map_err(|error| self.problem(&error))
    }

    /// Returns the note on a schema that does not declare unions.
    pub(crate) fn note_on_none(&self) -> String {
        let file = &self.file;
        let unset = match &self.part {
            Part::Version(_) => {
                format!("neither `x-kubernetes-unions` nor the annotation {ANNOTATION} is set")
            }
            Part::All | Part::Named(_) => "`x-kubernetes-unions` is not set".to_owned(),
        };
        format!("{file}: no unions found: {unset}")
    }

    /// Returns true if the schema describes the type of an object, or if either does not have a
    /// type.
    pub(crate) fn is_for(&self, object: &Value) -> bool {
        match (&self.part, object::type_of(object)) {
            (Part::Version(_), Some(of)) => crd::describes(Crd::new(&self.document), of),
            _ => true,
        }
    }

    /// Returns an error for an object of another type: no unions would be found in it, and it would
    /// be accepted.
    pub(crate) fn check_type(&self, file: &str, object: &Value) -> Result<(), Problem> {
        if self.is_for(object) {
            return Ok(());
        }
        let found = object::name_of(object);
        let version = object.get("apiVersion").and_then(Value::as_str);
        let version = version.unwrap_or_default();
        let wanted = crd::kind_and_group(Crd::new(&self.document));
        let of = &self.file;
        Err(Problem::new(
            file,
            format!("{of} does not define {found} of {version}; it defines {wanted}"),
        ))
    }
}

impl Source {
    /// Returns the source for a version of a CRD, by default the stored version.
    pub(crate) fn of_version(file: &str, crd: &Value, version: Option<String>) -> Self {
        Self {
            file: file.to_owned(),
            document: crd.clone(),
            part: Part::Version(version),
            notes: Vec::new(),
        }
    }
}

/// Returns the place of an error, seen from the file that has the schema.
pub(crate) fn place_in(file: &str, error: &SchemaError) -> String {
    match error.place() {
        "" => file.to_owned(),
        place => format!("{file}: {place}"),
    }
}

/// Returns notes on the declared unions that are invalid.
pub(crate) fn not_judged(file: &str, problems: &[SchemaError]) -> Vec<String> {
    let note = |error: &SchemaError| {
        let place = place_in(file, error);
        format!("{place}: {} (unions here are skipped)", error.problem())
    };
    problems.iter().map(note).collect()
}

/// Returns an error for a document that contains schemas and is not a schema: no unions would be
/// found in it, and every object would be accepted.
pub(crate) fn refuse_other_documents(document: &Value) -> Result<(), String> {
    match Kind::of(document) {
        Kind::Crd => Err(CRD_AS_SCHEMA.to_owned()),
        Kind::OpenApi => Err(OPENAPI_AS_SCHEMA.to_owned()),
        Kind::Schema => Ok(()),
    }
}

const CRD_AS_SCHEMA: &str = "expected a schema, found a CustomResourceDefinition; pass it to --crd";
const OPENAPI_AS_SCHEMA: &str = "expected a schema, found an OpenAPI document; \
     select a schema with --name, such as --name io.k8s.api.apps.v1.Deployment";

/// The type of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Schema,
    OpenApi,
    Crd,
}

impl Kind {
    fn of(document: &Value) -> Self {
        let is = |key: &str| document.get(key).is_some_and(Value::is_string);
        if crd::is_crd(document) {
            Self::Crd
        } else if is("openapi") || is("swagger") {
            Self::OpenApi
        } else {
            Self::Schema
        }
    }
}
