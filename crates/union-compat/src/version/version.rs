//! A version of an API: its schema, the unions in it, and the validator and reader of its objects.

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
use crate::version::union_object::{UnionObject, union_objects};

/// A version of an API: the schema of a Rust type, the schema of a version of a CRD, or a given
/// schema.
///
/// ```
/// use serde_json::json;
/// use union_compat::ApiVersion;
///
/// let version = ApiVersion::from_schema(
///     "v1",
///     &json!({"type": "object", "properties": {"a": {"type": "string"}}}),
/// )?;
/// assert_eq!(version.name(), "v1");
/// # Ok::<(), union_compat::VersionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ApiVersion {
    name: String,
    /// The schema of the root object, with the extensions of its unions.
    schema: Value,
    server: StructuralSchema,
    union_objects: Vec<UnionObject>,
    notes: Vec<String>,
    root: Root,
    client_round_trip: Option<ClientRoundTrip>,
}

/// A function that returns an object as a client with the type writes it back after reading it.
pub(crate) type ClientRoundTrip = fn(&Value) -> Result<Value, String>;

/// The kind of the root object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    /// A resource, with metadata.
    Resource,
    /// Any other object. It is wrapped in an object with a second field, so that an update can
    /// change something outside of it.
    Embedded,
}

impl ApiVersion {
    /// Returns the version of a Rust type. Clients are assumed to read and write objects by the
    /// type.
    ///
    /// # Errors
    ///
    /// Returns an error if an API server cannot read the schema of the type, or if the schema has
    /// more than [`LEVELS`] levels.
    ///
    /// # Panics
    ///
    /// Panics in the cases of [`add_enum`](union_runtime::add_enum).
    pub fn from_type<T: JsonSchema + Serialize + DeserializeOwned>() -> Result<Self, VersionError> {
        let schema = schema_for::<T>().to_value();
        let mut version = Self::new(T::schema_name().into_owned(), schema, Root::Embedded)?;
        version.client_round_trip = Some(round_trip::<T>);
        Ok(version)
    }

    /// Returns the version with a schema. Clients are assumed to keep the fields that it describes,
    /// with any string as the value of an enum.
    ///
    /// # Errors
    ///
    /// Returns an error if an API server cannot read the schema, or if the schema has more than
    /// [`LEVELS`] levels.
    pub fn from_schema(name: impl Into<String>, schema: &Value) -> Result<Self, VersionError> {
        let name = name.into();
        check_depth(&name, schema)?;
        Self::new(name, schema.clone(), Root::Embedded)
    }

    /// Returns a version of a CRD, by default the stored one. The unions are the ones that the CRD
    /// declares by `x-kubernetes-unions` or by the annotation [`union_json::ANNOTATION`]. For an
    /// object without declared unions, they are read from its rules.
    ///
    /// # Errors
    ///
    /// Returns an error if the CRD does not have the version, if an API server cannot read the
    /// schema of the version, or if the schema has more than [`LEVELS`] levels.
    pub fn from_crd(crd: &Value, version: Option<&str>) -> Result<Self, VersionError> {
        let version = Crd::new(crd).find_version(version);
        let version = version.map_err(VersionError::NoSchema)?;
        let name = version.name().unwrap_or_default();
        let located = version.located_schema().map_err(VersionError::NoSchema)?;
        check_depth(name, located.schema)?;
        let mut schema = located.schema.clone();
        add_annotated_unions(crd, name, &mut schema);
        Self::new(name.to_owned(), schema, Root::Resource)
    }

    fn new(name: String, schema: Value, root: Root) -> Result<Self, VersionError> {
        // The schema now contains the extensions of the annotation too.
        check_depth(&name, &schema)?;
        let server = match root {
            Root::Resource => StructuralSchema::compiler().stored().schema(&schema),
            Root::Embedded => StructuralSchema::compiler()
                .stored()
                .schema(&embed_schema(&schema)),
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
        let (places, notes) = union_objects(&schema);
        Ok(Self {
            name,
            schema,
            server,
            union_objects: places,
            notes,
            root,
            client_round_trip: None,
        })
    }

    /// Returns the name of the version: the name of the type, or of the version of the CRD.
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

    pub(crate) fn union_objects(&self) -> &[UnionObject] {
        &self.union_objects
    }

    pub(crate) fn union_object(&self, path: &SchemaPath) -> Option<&UnionObject> {
        self.union_objects.iter().find(|place| place.path == *path)
    }

    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    pub(crate) const fn root(&self) -> Root {
        self.root
    }

    pub(crate) const fn client_round_trip(&self) -> Option<ClientRoundTrip> {
        self.client_round_trip
    }
}

/// Returns an error if a schema has too many levels. A given schema is checked before it is copied.
fn check_depth(name: &str, schema: &Value) -> Result<(), VersionError> {
    // Each field is two levels of JSON: `properties`, and its schema.
    if is_deeper(schema, 2 * LEVELS) {
        return Err(VersionError::TooDeep {
            version: name.to_owned(),
        });
    }
    Ok(())
}

/// Returns the schema of an object that holds a part, and a second field.
pub(crate) fn embed_schema(schema: &Value) -> Value {
    json!({"type": "object", "properties": {
        SIBLING_FIELD: {"type": "integer"},
        EMBEDDED_FIELD: schema,
    }})
}

/// The name of the field that holds a part.
pub(crate) const EMBEDDED_FIELD: &str = "object";

/// The name of the field beside the part.
pub(crate) const SIBLING_FIELD: &str = "beside";

fn round_trip<T: Serialize + DeserializeOwned>(object: &Value) -> Result<Value, String> {
    let typed = T::deserialize(object).map_err(|error| error.to_string())?;
    serde_json::to_value(&typed).map_err(|error| error.to_string())
}

/// Adds the unions of a version from the annotation to its schema. Pointers that the schema does
/// not have are ignored here; `unionctl check` reports them.
fn add_annotated_unions(crd: &Value, version: &str, schema: &mut Value) {
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
