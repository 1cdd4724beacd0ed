//! A version of an API: its schema, the unions in it, and what judges and reads its objects.

use k8s_crd_validation::StructuralSchema;
use k8s_json_internals::deep::is_deeper;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use union_json::document::{Crd, SchemaPath};
use union_json::find_annotation;
use union_runtime::schema_for;
use union_runtime::schema_keys::UNIONS;

use crate::bounds::LEVELS;
use crate::version::error::VersionError;
use crate::version::place::{Place, places};

/// A version of an API: the schema of a Rust type, of a version of a CRD, or one that is given.
///
/// ```
/// use serde_json::json;
/// use union_compat::Version;
///
/// let version = Version::of_schema("v1", &json!({"type": "object", "properties": {"a": {"type": "string"}}}))?;
/// assert_eq!(version.name(), "v1");
/// # Ok::<(), union_compat::VersionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Version {
    name: String,
    /// Of an object at the root; with the keys of unions in it.
    schema: Value,
    server: StructuralSchema,
    places: Vec<Place>,
    notes: Vec<String>,
    root: Root,
    reader: Option<Reader>,
}

/// What a client with the type keeps of an object: what it writes back when it has read it.
pub(crate) type Reader = fn(&Value) -> Result<Value, String>;

/// What the root of an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    /// A resource, which has metadata.
    Resource,
    /// Anything: it is put into an object of its own, so that something beside it can change.
    Part,
}

impl Version {
    /// The version whose objects a type is. Clients are taken to read and write by it.
    ///
    /// # Errors
    ///
    /// That an API server cannot read its schema.
    ///
    /// # Panics
    ///
    /// As [`add_enum`](union_runtime::add_enum).
    pub fn of<T: JsonSchema + Serialize + DeserializeOwned>() -> Result<Self, VersionError> {
        let schema = schema_for::<T>().to_value();
        let mut version = Self::new(T::schema_name().into_owned(), schema, Root::Part)?;
        version.reader = Some(round_trip::<T>);
        Ok(version)
    }

    /// The version with a schema. Clients are taken to keep the fields that it describes, and every text in them.
    ///
    /// # Errors
    ///
    /// That an API server cannot read it; that it is deeper than [`LEVELS`].
    pub fn of_schema(name: impl Into<String>, schema: &Value) -> Result<Self, VersionError> {
        let name = name.into();
        check_depth(&name, schema)?;
        Self::new(name, schema.clone(), Root::Part)
    }

    /// A version of a CRD, by default the one that is stored. Unions are those that it declares, by `x-kubernetes-unions` or the
    /// annotation [`union_json::ANNOTATION`], and where it declares none those that its rules say.
    ///
    /// # Errors
    ///
    /// That there is no such version; that an API server cannot read its schema.
    pub fn of_crd(crd: &Value, version: Option<&str>) -> Result<Self, VersionError> {
        let version = Crd::new(crd).find_version(version);
        let version = version.map_err(VersionError::NoSchema)?;
        let name = version.name().unwrap_or_default();
        let located = version.located_schema().map_err(VersionError::NoSchema)?;
        check_depth(name, located.schema)?;
        let mut schema = located.schema.clone();
        graft(crd, name, &mut schema);
        Self::new(name.to_owned(), schema, Root::Resource)
    }

    fn new(name: String, schema: Value, root: Root) -> Result<Self, VersionError> {
        // What the annotation added is in it.
        check_depth(&name, &schema)?;
        let server = match root {
            Root::Resource => StructuralSchema::compiler().stored().schema(&schema),
            Root::Part => StructuralSchema::compiler().stored().schema(&part(&schema)),
        };
        let server = match server {
            Ok(server) => server,
            Err(violations) => {
                return Err(VersionError::Unreadable {
                    version: name,
                    violations,
                });
            }
        };
        let (places, notes) = places(&schema);
        Ok(Self {
            name,
            schema,
            server,
            places,
            notes,
            root,
            reader: None,
        })
    }

    /// What it is called: the type, or the version of the CRD.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) const fn schema(&self) -> &Value {
        &self.schema
    }

    pub(crate) const fn server(&self) -> &StructuralSchema {
        &self.server
    }

    pub(crate) fn places(&self) -> &[Place] {
        &self.places
    }

    pub(crate) fn place(&self, path: &SchemaPath) -> Option<&Place> {
        self.places.iter().find(|place| place.path == *path)
    }

    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    pub(crate) const fn root(&self) -> Root {
        self.root
    }

    pub(crate) const fn reader(&self) -> Option<Reader> {
        self.reader
    }
}

/// What is deeper is not even copied.
fn check_depth(name: &str, schema: &Value) -> Result<(), VersionError> {
    // A field takes two levels of JSON: `properties`, and its schema.
    if is_deeper(schema, 2 * LEVELS) {
        return Err(VersionError::TooDeep {
            version: name.to_owned(),
        });
    }
    Ok(())
}

/// The schema of an object that holds a part, and something beside it.
pub(crate) fn part(schema: &Value) -> Value {
    json!({"type": "object", "properties": {
        BESIDE: {"type": "integer"},
        PART: schema,
    }})
}

/// The field of a part.
pub(crate) const PART: &str = "object";

/// The field beside it.
pub(crate) const BESIDE: &str = "beside";

fn round_trip<T: Serialize + DeserializeOwned>(object: &Value) -> Result<Value, String> {
    let typed = T::deserialize(object).map_err(|error| error.to_string())?;
    serde_json::to_value(&typed).map_err(|error| error.to_string())
}

/// Puts what the annotation says of a version into its schema. What it says of other places is said by `unionctl check`.
fn graft(crd: &Value, version: &str, schema: &mut Value) {
    let text = find_annotation(crd).and_then(|found| found.value.as_str());
    let said: Option<Value> = text.and_then(|text| serde_json::from_str(text).ok());
    let extensions = said
        .as_ref()
        .and_then(|said| said.get(version)?.as_object());
    for (pointer, extension) in extensions.into_iter().flatten() {
        if let Some(Value::Object(target)) = schema.pointer_mut(pointer) {
            target.entry(UNIONS).or_insert_with(|| extension.clone());
        }
    }
}
