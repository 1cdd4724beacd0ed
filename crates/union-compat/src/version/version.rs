//! A version of an API: the schema with its unions, the validator, and the client's type.

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

/// A version of an API, which is the schema of a Rust type, of a version of a CRD, or any other
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
    /// The schema of the root object, including the union extensions.
    schema: Value,
    server: StructuralSchema,
    union_objects: Vec<UnionObject>,
    notes: Vec<String>,
    root: Root,
    client_round_trip: Option<ClientRoundTrip>,
}

/// A function that deserializes an object as a client's type, and serializes it again.
pub(crate) type ClientRoundTrip = fn(&Value) -> Result<Value, String>;

/// The kind of the root object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    /// A resource with metadata.
    Resource,
    /// Any other object. An enclosing object with a sibling field contains the object, so that an
    /// update can change a field outside of it.
    Embedded,
}

impl ApiVersion {
    /// Returns a version with the schema of a Rust type. Clients are assumed to read and write
    /// objects with this type.
    ///
    /// # Errors
    ///
    /// Returns an error if an API server rejects the schema of the type, or if the schema has more
    /// than [`LEVELS`] levels.
    ///
    /// # Panics
    ///
    /// Panics if [`add_enum`](union_runtime::add_enum) does.
    pub fn from_type<T: JsonSchema + Serialize + DeserializeOwned>() -> Result<Self, VersionError> {
        let schema = schema_for::<T>().to_value();
        let mut version = Self::new(T::schema_name().into_owned(), schema, Root::Embedded)?;
        version.client_round_trip = Some(deserialize_and_serialize::<T>);
        Ok(version)
    }

    /// Returns a version with a schema. Clients are assumed to keep the fields that the schema
    /// specifies, and any string as the value of an enum.
    ///
    /// # Errors
    ///
    /// Returns an error if an API server rejects the schema, or if the schema has more than
    /// [`LEVELS`] levels.
    pub fn from_schema(name: impl Into<String>, schema: &Value) -> Result<Self, VersionError> {
        let name = name.into();
        check_depth(&name, schema)?;
        Self::new(name, schema.clone(), Root::Embedded)
    }

    /// Returns a version of a CRD, by default the stored version. The CRD declares its unions with
    /// `x-kubernetes-unions` or with the annotation [`union_json::ANNOTATION`]. The unions of an
    /// object without declared unions are inferred from its rules.
    ///
    /// # Errors
    ///
    /// Returns an error if the CRD does not have the version, if an API server rejects the schema
    /// of the version, or if the schema has more than [`LEVELS`] levels.
    pub fn from_crd(crd: &Value, version: Option<&str>) -> Result<Self, VersionError> {
        let version = Crd::new(crd).find_version(version);
        let version = version.map_err(VersionError::NoSchema)?;
        let name = version.name().unwrap_or_default();
        let located_schema = version.located_schema().map_err(VersionError::NoSchema)?;
        check_depth(name, located_schema.schema)?;
        let mut schema = located_schema.schema.clone();
        add_annotated_unions(crd, name, &mut schema);
        Self::new(name.to_owned(), schema, Root::Resource)
    }

    fn new(name: String, schema: Value, root: Root) -> Result<Self, VersionError> {
        // The schema of a CRD now includes the extensions of the annotation.
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
        let (union_objects, notes) = union_objects(&schema);
        Ok(Self {
            name,
            schema,
            server,
            union_objects,
            notes,
            root,
            client_round_trip: None,
        })
    }

    /// Returns the name of the type or of the version of the CRD, or the given name.
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
        self.union_objects
            .iter()
            .find(|union_object| union_object.path == *path)
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

/// Returns an error if a schema has too many levels. A given schema is checked before it is copied,
/// which is recursive.
fn check_depth(name: &str, schema: &Value) -> Result<(), VersionError> {
    // Each field adds two levels of JSON: `properties`, and the schema of the field.
    if is_deeper(schema, 2 * LEVELS) {
        return Err(VersionError::TooDeep {
            version: name.to_owned(),
        });
    }
    Ok(())
}

/// Returns the schema of an enclosing object, with an embedded object and a sibling field.
pub(crate) fn embed_schema(schema: &Value) -> Value {
    json!({"type": "object", "properties": {
        SIBLING_FIELD: {"type": "integer"},
        EMBEDDED_FIELD: schema,
    }})
}

/// The name of the field that contains the embedded object.
pub(crate) const EMBEDDED_FIELD: &str = "object";

/// The name of the sibling field.
pub(crate) const SIBLING_FIELD: &str = "beside";

fn deserialize_and_serialize<T: Serialize + DeserializeOwned>(
    object: &Value,
) -> Result<Value, String> {
    let value = T::deserialize(object).map_err(|error| error.to_string())?;
    serde_json::to_value(&value).map_err(|error| error.to_string())
}

/// Adds the unions of a version from the annotation to its schema. Pointers that do not resolve are
/// ignored; `unionctl check` reports them.
fn add_annotated_unions(crd: &Value, version: &str, schema: &mut Value) {
    let annotation = find_annotation(crd).and_then(|annotation| annotation.value.as_str());
    let versions: Option<Value> =
        annotation.and_then(|annotation| serde_json::from_str(annotation).ok());
    let extensions = versions
        .as_ref()
        .and_then(|versions| versions.get(version)?.as_object());
    for (pointer, extension) in extensions.into_iter().flatten() {
        if let Some(Value::Object(target)) = schema.pointer_mut(pointer) {
            target.entry(UNIONS).or_insert_with(|| extension.clone());
        }
    }
}
