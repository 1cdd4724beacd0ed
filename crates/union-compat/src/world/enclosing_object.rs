//! Enclosing objects: valid objects of both versions that contain an object with unions, or the
//! value of an enum.

use crd_compat::{PlaceValue, field_path};
use k8s_crd_validation::StructuralSchema;
use serde_json::{Map, Value, json};
use union_json::document::SchemaPath;
use union_json::pointer::escape;
use union_runtime::path::{FieldPath, PathStep};

use crate::version::compared_union::ComparedUnion;
use crate::version::version::{ApiVersion, EMBEDDED_FIELD, Root, SIBLING_FIELD, embed_schema};
use crate::version::version_side::VersionSide;
use crate::world::enclosing_search::EnclosingSearch;
use crate::world::request_schema::RequestSchema;
use crate::world::value::value_pair;

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

impl EnclosingObject {
    /// Returns an enclosing object with all parents of the object at the path, which both versions
    /// accept, or else the fields of an object of each version. `None` if a version accepts no
    /// object that the search finds.
    pub(crate) fn around_object(versions: [&ApiVersion; 2], path: &SchemaPath) -> Option<Self> {
        let search = EnclosingSearch::with_parents(versions, path);
        search
            .find_any()
            .map(|enclosing| Self::new(enclosing, &search, None))
    }

    /// Returns an enclosing object with all parents and a value at the path, which the versions
    /// accept.
    pub(crate) fn around_value(
        versions: [&ApiVersion; 2],
        path: &SchemaPath,
        accepting_sides: &[VersionSide],
        value: &Value,
    ) -> Option<Self> {
        let search = EnclosingSearch::with_parents(versions, path);
        let enclosing = search.find(accepting_sides, PlaceValue::Exactly(value));
        enclosing.map(|enclosing| Self::new(enclosing, &search, None))
    }

    /// Returns an enclosing object without the parents, if no object with all parents was found
    /// that both versions accept. `None` if a schema is not valid alone.
    pub(crate) fn without_parents(versions: [&ApiVersion; 2], path: &SchemaPath) -> Option<Self> {
        let [old, new] = versions.map(|version| {
            let schema = embed_schema(path.find(version.schema())?);
            StructuralSchema::compiler().stored().schema(&schema).ok()
        });
        let servers = [old?, new?];
        let [old, new] = &servers;
        let search = EnclosingSearch::without_parents(versions, [old, new], path)?;
        let enclosing = search.find_any();
        let enclosing = enclosing.unwrap_or_else(|| json!({EMBEDDED_FIELD: {}}));
        Some(Self::new(enclosing, &search, Some(servers.clone())))
    }

    /// Returns an enclosing object of the same kind that the versions accept, with an object at the
    /// path for which `is_wanted` returns true. The search starts with `object` at the path.
    pub(crate) fn around_similar(
        &self,
        versions: [&ApiVersion; 2],
        path: &SchemaPath,
        accepting_sides: &[VersionSide],
        object: &Value,
        is_wanted: impl Fn(&Value) -> bool,
    ) -> Option<Self> {
        let search = match &self.servers_without_parents {
            None => EnclosingSearch::with_parents(versions, path),
            Some([old, new]) => EnclosingSearch::without_parents(versions, [old, new], path)?,
        };
        let found = search.repair(accepting_sides, self.with_object(object), is_wanted);
        let servers = self.servers_without_parents.clone();
        found.map(|enclosing| Self::new(enclosing, &search, servers))
    }

    /// Returns an enclosing object of the same kind for other versions.
    pub(crate) fn of_other_versions(
        &self,
        versions: [&ApiVersion; 2],
        path: &SchemaPath,
    ) -> Option<Self> {
        if self.is_without_parents() {
            Self::without_parents(versions, path)
        } else {
            Self::around_object(versions, path)
        }
    }

    fn new(
        enclosing: Value,
        search: &EnclosingSearch<'_>,
        servers_without_parents: Option<[StructuralSchema; 2]>,
    ) -> Self {
        Self {
            enclosing: search.complete(enclosing),
            pointer: pointer_of(&field_path(&search.path)),
            path_prefix: match search.root {
                Root::Resource => String::new(),
                Root::Embedded => format!("{EMBEDDED_FIELD}."),
            },
            root: search.root,
            servers_without_parents,
        }
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

    /// Returns the schema of the values in the enclosing object; `None` if the version does not
    /// have the path.
    pub(crate) fn request_schema<'a>(
        &self,
        version: &'a ApiVersion,
        path: &'a SchemaPath,
    ) -> Option<RequestSchema<'a>> {
        Some(if self.is_without_parents() {
            RequestSchema {
                schema: path.find(version.schema())?,
                path: Some(path),
                outer_steps: 1,
            }
        } else {
            RequestSchema {
                schema: version.schema(),
                path: None,
                outer_steps: usize::from(self.root == Root::Embedded),
            }
        })
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

/// Returns the JSON pointer of a path.
fn pointer_of(path: &FieldPath) -> String {
    path.steps().fold(String::new(), |pointer, step| {
        let token = match step {
            PathStep::Index(index) => index.to_string(),
            PathStep::Field(name) | PathStep::Key(name) => escape(name).into_owned(),
        };
        pointer + "/" + &token
    })
}
