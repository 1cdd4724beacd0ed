//! The object around a place: the path to the place, and the fields that the schemas of both
//! versions require.

use k8s_crd_validation::StructuralSchema;
use serde_json::{Map, Value, json};

use crate::version::compared_union::ComparedUnion;
use crate::version::version::{ApiVersion, EMBEDDED_FIELD, Root, SIBLING_FIELD, embed_schema};
use crate::world::value::value_pair;
use union_json::document::{SchemaPath, SchemaStep};
use union_json::pointer::escape;

/// An object around a place.
pub(crate) struct EnclosingObject {
    whole: Value,
    /// The JSON pointer of the place in the whole object.
    pointer: String,
    /// The prefix of paths in errors that is not part of the user's object: empty for a resource.
    pub(crate) path_prefix: String,
    root: Root,
    /// The validators of the old and the new version, if the place is validated by itself.
    place_servers: Option<[StructuralSchema; 2]>,
}

/// The old or the new version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VersionSide {
    Old,
    New,
}

impl VersionSide {
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Old => Self::New,
            Self::New => Self::Old,
        }
    }

    pub(crate) const fn select(self, versions: [&ApiVersion; 2]) -> &ApiVersion {
        let [old, new] = versions;
        match self {
            Self::Old => old,
            Self::New => new,
        }
    }
}

impl EnclosingObject {
    /// Returns the frame with the whole object around the place.
    pub(crate) fn around_place(versions: [&ApiVersion; 2], path: &SchemaPath) -> Self {
        let [old, new] = versions;
        let mut at = String::new();
        let steps: Vec<SchemaStep<'_>> = path.steps().collect();
        let around = ParentSchemas {
            versions,
            schemas: vec![old.schema(), new.schema()],
            path: SchemaPath::root(),
        };
        let inner = around.build(&steps, &mut at);
        let root = old.root();
        let (whole, at, path) = match root {
            Root::Resource => {
                let mut whole = inner;
                if let Value::Object(object) = &mut whole {
                    object.insert("metadata".to_owned(), json!({"name": "example"}));
                }
                (whole, at, String::new())
            }
            Root::Embedded => {
                let whole = json!({SIBLING_FIELD: 1, EMBEDDED_FIELD: inner});
                (
                    whole,
                    format!("/{EMBEDDED_FIELD}{at}"),
                    format!("{EMBEDDED_FIELD}."),
                )
            }
        };
        Self {
            whole,
            pointer: at,
            path_prefix: path,
            root,
            place_servers: None,
        }
    }

    /// Returns a frame with only the place, for a place around which no object was found that both
    /// versions accept.
    pub(crate) fn place_only(schemas: [&Value; 2]) -> Option<Self> {
        let [old, new] = schemas.map(|schema| {
            StructuralSchema::compiler()
                .stored()
                .schema(&embed_schema(schema))
                .ok()
        });
        Some(Self {
            whole: json!({SIBLING_FIELD: 1, EMBEDDED_FIELD: {}}),
            pointer: format!("/{EMBEDDED_FIELD}"),
            path_prefix: format!("{EMBEDDED_FIELD}."),
            root: Root::Embedded,
            place_servers: Some([old?, new?]),
        })
    }

    pub(crate) const fn is_place_only(&self) -> bool {
        self.place_servers.is_some()
    }

    pub(crate) fn server<'a>(
        &'a self,
        which: VersionSide,
        versions: [&'a ApiVersion; 2],
    ) -> &'a StructuralSchema {
        match (&self.place_servers, which) {
            (Some([old, _]), VersionSide::Old) => old,
            (Some([_, new]), VersionSide::New) => new,
            (None, which) => which.select(versions).server(),
        }
    }

    /// Returns the whole object with an object at the place.
    pub(crate) fn with_object(&self, object: &Value) -> Value {
        let mut whole = self.whole.clone();
        if let Some(place) = whole.pointer_mut(&self.pointer) {
            *place = object.clone();
        }
        whole
    }

    /// Returns the object at the place.
    pub(crate) fn object_in<'v>(&self, whole: &'v Value) -> Option<&'v Value> {
        whole.pointer(&self.pointer)
    }

    /// Returns the object at the place with only the fields that its schemas require.
    pub(crate) fn base_object(&self) -> &Value {
        self.object_in(&self.whole).unwrap_or(&Value::Null)
    }

    /// Returns a whole object with the resource version that servers require in updates.
    pub(crate) fn with_resource_version(&self, mut whole: Value) -> Value {
        if let (Root::Resource, Some(Value::Object(metadata))) =
            (self.root, whole.get_mut("metadata"))
        {
            metadata.insert("resourceVersion".to_owned(), json!("1"));
        }
        whole
    }

    /// Changes a field outside of the place.
    pub(crate) fn edit_elsewhere(&self, whole: &mut Value) {
        match (self.root, whole) {
            (Root::Resource, Value::Object(whole)) => {
                if let Some(Value::Object(metadata)) = whole.get_mut("metadata") {
                    metadata.insert("annotations".to_owned(), json!({"union-compat": "edited"}));
                }
            }
            (Root::Embedded, Value::Object(whole)) => {
                whole.insert(SIBLING_FIELD.to_owned(), json!(2));
            }
            _ => {}
        }
    }

    /// Returns a whole object as a client of a version writes it back after reading it, or the
    /// error of its type.
    pub(crate) fn read_as_client(
        &self,
        which: VersionSide,
        versions: [&ApiVersion; 2],
        path: &SchemaPath,
        whole: &Value,
    ) -> Result<Value, String> {
        let version = which.select(versions);
        let mut seen = whole.clone();
        if !self.is_place_only() && self.root == Root::Embedded {
            let inner = seen.get(EMBEDDED_FIELD).unwrap_or(&Value::Null);
            let read = match version.client_round_trip() {
                Some(read) => read(inner)?,
                None => crate::json::prune(inner, version.schema()),
            };
            if let Value::Object(seen) = &mut seen {
                seen.insert(EMBEDDED_FIELD.to_owned(), read);
            }
            return Ok(seen);
        }
        // Every client keeps the metadata, and the fields around the place.
        let schema = path.find(version.schema()).unwrap_or(&Value::Null);
        if let Some(place) = seen.pointer_mut(&self.pointer) {
            *place = crate::json::prune(place, schema);
        }
        Ok(seen)
    }
}

/// The schemas of both versions at a step on the path to a place. The path may end earlier in one
/// of the versions.
struct ParentSchemas<'a> {
    versions: [&'a ApiVersion; 2],
    schemas: Vec<&'a Value>,
    path: SchemaPath,
}

impl ParentSchemas<'_> {
    /// Returns the object from this step on: the path to the place, and the other required fields.
    /// Recursion is as deep as schemas, whose depth is bounded.
    fn build(mut self, steps: &[SchemaStep<'_>], at: &mut String) -> Value {
        let Some((step, rest)) = steps.split_first() else {
            return self.required_object(None);
        };
        let name = match *step {
            SchemaStep::Property(name) => Some(name),
            SchemaStep::Items | SchemaStep::AdditionalProperties => None,
        };
        let here = self.required_object(name);
        let below = self.schemas.iter().filter_map(|schema| step.find(schema));
        self.schemas = below.collect();
        self.path = self.path.step(*step);
        match *step {
            SchemaStep::Property(name) => {
                at.push('/');
                at.push_str(&escape(name));
                let inner = self.build(rest, at);
                let mut object = match here {
                    Value::Object(object) => object,
                    _ => Map::new(),
                };
                object.insert(name.to_owned(), inner);
                Value::Object(object)
            }
            SchemaStep::Items => {
                at.push_str("/0");
                Value::Array(vec![self.build(rest, at)])
            }
            SchemaStep::AdditionalProperties => {
                at.push_str("/key1");
                json!({"key1": self.build(rest, at)})
            }
        }
    }

    /// Returns the object that the schemas require here, in which unions allow the field `beside`
    /// to be set.
    fn required_object(&self, beside: Option<&str>) -> Value {
        let mut object = Map::new();
        for schema in &self.schemas {
            if let Value::Object(small) = crd_unions::example_value(schema) {
                for (name, value) in small {
                    object.entry(name).or_insert(value);
                }
            }
        }
        let places = self
            .versions
            .map(|version| version.union_object(&self.path));
        for union in places.into_iter().flatten().flat_map(|place| &place.unions) {
            make_union_valid(&mut object, union, &self.schemas, beside);
        }
        Value::Object(object)
    }
}

/// Changes an object so that a union in it is valid. The selected member is the field `beside`,
/// which the caller will set; or else a member that is set. Otherwise no member is selected, or the
/// first member if the union requires one.
pub(crate) fn make_union_valid(
    object: &mut Map<String, Value>,
    union: &ComparedUnion,
    schemas: &[&Value],
    beside: Option<&str>,
) {
    let will_be = beside.and_then(|name| union.member(name));
    let is_set =
        |member: &&crate::version::compared_union::Member| object.contains_key(&member.name);
    let set = union.members.iter().find(is_set);
    let member = will_be.or(set).or_else(|| {
        let needs_none = match &union.discriminator {
            Some(discriminator) => {
                !discriminator.is_required
                    || discriminator
                        .values
                        .iter()
                        .any(|value| union.member_for_value(value).is_none())
            }
            None => union.arity != union_runtime::UnionModel::ExactlyOne,
        };
        union.members.first().filter(|_| !needs_none)
    });
    let member = member.cloned();
    object.retain(|name, _| {
        member.as_ref().is_some_and(|member| member.name == *name) || union.member(name).is_none()
    });
    if let Some(discriminator) = union
        .discriminator
        .as_ref()
        .filter(|_| union.is_discriminated())
    {
        let value = match &member {
            Some(member) => Some(&member.value),
            None => discriminator
                .values
                .iter()
                .find(|value| union.member_for_value(value).is_none())
                .filter(|_| discriminator.is_required),
        };
        match value {
            Some(value) => object.insert(discriminator.name.clone(), value.clone().into()),
            None => object.remove(&discriminator.name),
        };
    }
    if let Some(member) =
        member.filter(|member| will_be.is_none() && !object.contains_key(&member.name))
    {
        let of_member: Vec<&Value> = schemas
            .iter()
            .filter_map(|schema| schema.get("properties")?.get(&member.name))
            .collect();
        if let Some(value) = value_pair(&of_member).into_iter().next() {
            object.insert(member.name, value);
        }
    }
}

/// Returns the name of a place in messages.
pub(crate) fn place_name(path: &SchemaPath) -> String {
    if path.is_root() {
        return "the object".to_owned();
    }
    path.to_field_notation()
}
