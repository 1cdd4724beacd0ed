//! Enclosing objects: the parents of an object with unions, with the fields that the schemas of
//! both versions require.

use k8s_crd_validation::StructuralSchema;
use serde_json::{Map, Value, json};

use crate::version::compared_union::ComparedUnion;
use crate::version::version::{ApiVersion, EMBEDDED_FIELD, Root, SIBLING_FIELD, embed_schema};
use crate::world::value::value_pair;
use union_json::document::{SchemaPath, SchemaStep};
use union_json::pointer::escape;

/// An object that contains an object with unions.
pub(crate) struct EnclosingObject {
    enclosing: Value,
    /// The JSON pointer to the object with unions.
    pointer: String,
    /// The prefix of error paths that is not part of the user's object; empty for a resource.
    pub(crate) path_prefix: String,
    root: Root,
    /// The validators of the old and the new version, if the object with unions is validated
    /// without its parents.
    servers_without_parents: Option<[StructuralSchema; 2]>,
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
    /// Returns the enclosing object with all parents of the object at the path.
    pub(crate) fn around_object(versions: [&ApiVersion; 2], path: &SchemaPath) -> Self {
        let [old, new] = versions;
        let mut pointer = String::new();
        let steps: Vec<SchemaStep<'_>> = path.steps().collect();
        let parents = ParentSchemas {
            versions,
            schemas: vec![old.schema(), new.schema()],
            path: SchemaPath::root(),
        };
        let inner = parents.build(&steps, &mut pointer);
        let root = old.root();
        let (enclosing, pointer, path_prefix) = match root {
            Root::Resource => {
                let mut enclosing = inner;
                if let Value::Object(object) = &mut enclosing {
                    object.insert("metadata".to_owned(), json!({"name": "example"}));
                }
                (enclosing, pointer, String::new())
            }
            Root::Embedded => {
                let enclosing = json!({SIBLING_FIELD: 1, EMBEDDED_FIELD: inner});
                (
                    enclosing,
                    format!("/{EMBEDDED_FIELD}{pointer}"),
                    format!("{EMBEDDED_FIELD}."),
                )
            }
        };
        Self {
            enclosing,
            pointer,
            path_prefix,
            root,
            servers_without_parents: None,
        }
    }

    /// Returns an enclosing object without the parents, if no object with all parents was found
    /// that both versions accept.
    pub(crate) fn without_parents(schemas: [&Value; 2]) -> Option<Self> {
        let [old, new] = schemas.map(|schema| {
            StructuralSchema::compiler()
                .stored()
                .schema(&embed_schema(schema))
                .ok()
        });
        Some(Self {
            enclosing: json!({SIBLING_FIELD: 1, EMBEDDED_FIELD: {}}),
            pointer: format!("/{EMBEDDED_FIELD}"),
            path_prefix: format!("{EMBEDDED_FIELD}."),
            root: Root::Embedded,
            servers_without_parents: Some([old?, new?]),
        })
    }

    pub(crate) const fn is_without_parents(&self) -> bool {
        self.servers_without_parents.is_some()
    }

    pub(crate) fn server<'a>(
        &'a self,
        side: VersionSide,
        versions: [&'a ApiVersion; 2],
    ) -> &'a StructuralSchema {
        match (&self.servers_without_parents, side) {
            (Some([old, _]), VersionSide::Old) => old,
            (Some([_, new]), VersionSide::New) => new,
            (None, side) => side.select(versions).server(),
        }
    }

    /// Returns the enclosing object with an object at the path.
    pub(crate) fn with_object(&self, object: &Value) -> Value {
        let mut enclosing = self.enclosing.clone();
        if let Some(target) = enclosing.pointer_mut(&self.pointer) {
            *target = object.clone();
        }
        enclosing
    }

    /// Returns the object at the path.
    pub(crate) fn object_in<'v>(&self, enclosing: &'v Value) -> Option<&'v Value> {
        enclosing.pointer(&self.pointer)
    }

    /// Returns the object at the path that has only the fields that its schemas require.
    pub(crate) fn base_object(&self) -> &Value {
        self.object_in(&self.enclosing).unwrap_or(&Value::Null)
    }

    /// Returns an enclosing object with the resource version that servers require for updates.
    pub(crate) fn with_resource_version(&self, mut enclosing: Value) -> Value {
        if let (Root::Resource, Some(Value::Object(metadata))) =
            (self.root, enclosing.get_mut("metadata"))
        {
            metadata.insert("resourceVersion".to_owned(), json!("1"));
        }
        enclosing
    }

    /// Changes a field outside of the path.
    pub(crate) fn edit_elsewhere(&self, enclosing: &mut Value) {
        match (self.root, enclosing) {
            (Root::Resource, Value::Object(enclosing)) => {
                if let Some(Value::Object(metadata)) = enclosing.get_mut("metadata") {
                    metadata.insert("annotations".to_owned(), json!({"union-compat": "edited"}));
                }
            }
            (Root::Embedded, Value::Object(enclosing)) => {
                enclosing.insert(SIBLING_FIELD.to_owned(), json!(2));
            }
            _ => {}
        }
    }

    /// Returns an enclosing object as a client of a version writes it back after reading it, or the
    /// error of the client's type.
    pub(crate) fn read_as_client(
        &self,
        side: VersionSide,
        versions: [&ApiVersion; 2],
        path: &SchemaPath,
        enclosing: &Value,
    ) -> Result<Value, String> {
        let version = side.select(versions);
        let mut read_object = enclosing.clone();
        if !self.is_without_parents() && self.root == Root::Embedded {
            let inner = read_object.get(EMBEDDED_FIELD).unwrap_or(&Value::Null);
            let read_inner = match version.client_round_trip() {
                Some(round_trip) => round_trip(inner)?,
                None => crate::json::prune(inner, version.schema()),
            };
            if let Value::Object(read_object) = &mut read_object {
                read_object.insert(EMBEDDED_FIELD.to_owned(), read_inner);
            }
            return Ok(read_object);
        }
        // Every client keeps the metadata, and the fields of the parents.
        let schema = path.find(version.schema()).unwrap_or(&Value::Null);
        if let Some(target) = read_object.pointer_mut(&self.pointer) {
            *target = crate::json::prune(target, schema);
        }
        Ok(read_object)
    }
}

/// The schemas of both versions at a step on a path. If one version does not have the rest of the
/// path, `schemas` has only the schema of the other version.
struct ParentSchemas<'a> {
    versions: [&'a ApiVersion; 2],
    schemas: Vec<&'a Value>,
    path: SchemaPath,
}

impl ParentSchemas<'_> {
    /// Returns the object at this step: the rest of the path, and the other required fields. The
    /// depth of schemas is limited, so recursion is safe.
    fn build(mut self, steps: &[SchemaStep<'_>], pointer: &mut String) -> Value {
        let Some((step, remaining_steps)) = steps.split_first() else {
            return self.required_object(None);
        };
        let name = match *step {
            SchemaStep::Property(name) => Some(name),
            SchemaStep::Items | SchemaStep::AdditionalProperties => None,
        };
        let required_object = self.required_object(name);
        let child_schemas = self.schemas.iter().filter_map(|schema| step.find(schema));
        self.schemas = child_schemas.collect();
        self.path = self.path.step(*step);
        match *step {
            SchemaStep::Property(name) => {
                pointer.push('/');
                pointer.push_str(&escape(name));
                let inner = self.build(remaining_steps, pointer);
                let mut object = match required_object {
                    Value::Object(object) => object,
                    _ => Map::new(),
                };
                object.insert(name.to_owned(), inner);
                Value::Object(object)
            }
            SchemaStep::Items => {
                pointer.push_str("/0");
                Value::Array(vec![self.build(remaining_steps, pointer)])
            }
            SchemaStep::AdditionalProperties => {
                pointer.push_str("/key1");
                json!({"key1": self.build(remaining_steps, pointer)})
            }
        }
    }

    /// Returns the object that the schemas require, in which all unions allow the field
    /// `field_to_set` to be set.
    fn required_object(&self, field_to_set: Option<&str>) -> Value {
        let mut object = Map::new();
        for schema in &self.schemas {
            if let Value::Object(example) = crd_unions::example_value(schema) {
                for (name, value) in example {
                    object.entry(name).or_insert(value);
                }
            }
        }
        let union_objects = self
            .versions
            .map(|version| version.union_object(&self.path));
        for union in union_objects
            .into_iter()
            .flatten()
            .flat_map(|union_object| &union_object.unions)
        {
            make_union_valid(&mut object, union, &self.schemas, field_to_set);
        }
        Value::Object(object)
    }
}

/// Changes an object so that it satisfies a union. The selected member is `field_to_set`, which the
/// caller sets afterwards, or else a member that is set. Otherwise no member is selected, or the
/// first member if the union requires one.
pub(crate) fn make_union_valid(
    object: &mut Map<String, Value>,
    union: &ComparedUnion,
    schemas: &[&Value],
    field_to_set: Option<&str>,
) {
    let member_to_set = field_to_set.and_then(|name| union.member(name));
    let set_member = union
        .members
        .iter()
        .find(|member| object.contains_key(&member.name));
    let member = member_to_set.or(set_member).or_else(|| {
        let allows_no_member = match &union.discriminator {
            Some(discriminator) => {
                !discriminator.is_required
                    || discriminator
                        .values
                        .iter()
                        .any(|value| union.member_for_value(value).is_none())
            }
            None => union.model != union_runtime::UnionModel::ExactlyOne,
        };
        union.members.first().filter(|_| !allows_no_member)
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
        member.filter(|member| member_to_set.is_none() && !object.contains_key(&member.name))
    {
        let member_schemas: Vec<&Value> = schemas
            .iter()
            .filter_map(|schema| schema.get("properties")?.get(&member.name))
            .collect();
        if let Some(value) = value_pair(&member_schemas).into_iter().next() {
            object.insert(member.name, value);
        }
    }
}

/// Returns the name of the object at a path, for messages.
pub(crate) fn object_name(path: &SchemaPath) -> String {
    if path.is_root() {
        return "the object".to_owned();
    }
    path.to_field_notation()
}
