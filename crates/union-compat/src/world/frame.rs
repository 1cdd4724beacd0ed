//! The object around a place: the path to the place, and the fields that the schemas of both
//! versions require.

use k8s_crd_validation::StructuralSchema;
use serde_json::{Map, Value, json};

use crate::version::declared::Declared;
use crate::version::version::{BESIDE, PART, Root, Version, part};
use crate::world::value::pair;
use union_json::document::{SchemaPath, SchemaStep};
use union_json::pointer::escape;

/// An object around a place.
pub(crate) struct Frame {
    whole: Value,
    /// The JSON pointer of the place in the whole object.
    at: String,
    /// The prefix of paths in errors that is not part of the user's object: empty for a resource.
    pub(crate) path: String,
    root: Root,
    /// The validators of the old and the new version, if the place is validated by itself.
    alone: Option<[StructuralSchema; 2]>,
}

/// The old or the new version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    Old,
    New,
}

impl Which {
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Old => Self::New,
            Self::New => Self::Old,
        }
    }

    pub(crate) const fn of(self, versions: [&Version; 2]) -> &Version {
        let [old, new] = versions;
        match self {
            Self::Old => old,
            Self::New => new,
        }
    }
}

impl Frame {
    /// Returns the frame with the whole object around the place.
    pub(crate) fn whole(versions: [&Version; 2], path: &SchemaPath) -> Self {
        let [old, new] = versions;
        let mut at = String::new();
        let steps: Vec<SchemaStep<'_>> = path.steps().collect();
        let around = Around {
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
            Root::Part => {
                let whole = json!({BESIDE: 1, PART: inner});
                (whole, format!("/{PART}{at}"), format!("{PART}."))
            }
        };
        Self {
            whole,
            at,
            path,
            root,
            alone: None,
        }
    }

    /// Returns a frame with only the place, for a place around which no object was found that both
    /// versions accept.
    pub(crate) fn alone(schemas: [&Value; 2]) -> Option<Self> {
        let [old, new] = schemas.map(|schema| {
            StructuralSchema::compiler()
                .stored()
                .schema(&part(schema))
                .ok()
        });
        Some(Self {
            whole: json!({BESIDE: 1, PART: {}}),
            at: format!("/{PART}"),
            path: format!("{PART}."),
            root: Root::Part,
            alone: Some([old?, new?]),
        })
    }

    pub(crate) const fn is_alone(&self) -> bool {
        self.alone.is_some()
    }

    pub(crate) fn server<'a>(
        &'a self,
        which: Which,
        versions: [&'a Version; 2],
    ) -> &'a StructuralSchema {
        match (&self.alone, which) {
            (Some([old, _]), Which::Old) => old,
            (Some([_, new]), Which::New) => new,
            (None, which) => which.of(versions).server(),
        }
    }

    /// Returns the whole object with an object at the place.
    pub(crate) fn with(&self, object: &Value) -> Value {
        let mut whole = self.whole.clone();
        if let Some(place) = whole.pointer_mut(&self.at) {
            *place = object.clone();
        }
        whole
    }

    /// Returns the object at the place.
    pub(crate) fn of<'v>(&self, whole: &'v Value) -> Option<&'v Value> {
        whole.pointer(&self.at)
    }

    /// Returns the object at the place with only the fields that its schemas require.
    pub(crate) fn base(&self) -> &Value {
        self.of(&self.whole).unwrap_or(&Value::Null)
    }

    /// Returns a whole object with the resource version that servers require in updates.
    pub(crate) fn stored(&self, mut whole: Value) -> Value {
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
            (Root::Part, Value::Object(whole)) => {
                whole.insert(BESIDE.to_owned(), json!(2));
            }
            _ => {}
        }
    }

    /// Returns a whole object as a client of a version writes it back after reading it, or the
    /// error of its type.
    pub(crate) fn read(
        &self,
        which: Which,
        versions: [&Version; 2],
        path: &SchemaPath,
        whole: &Value,
    ) -> Result<Value, String> {
        let version = which.of(versions);
        let mut seen = whole.clone();
        if !self.is_alone() && self.root == Root::Part {
            let inner = seen.get(PART).unwrap_or(&Value::Null);
            let read = match version.reader() {
                Some(read) => read(inner)?,
                None => crate::json::prune(inner, version.schema()),
            };
            if let Value::Object(seen) = &mut seen {
                seen.insert(PART.to_owned(), read);
            }
            return Ok(seen);
        }
        // Every client keeps the metadata, and the fields around the place.
        let schema = path.find(version.schema()).unwrap_or(&Value::Null);
        if let Some(place) = seen.pointer_mut(&self.at) {
            *place = crate::json::prune(place, schema);
        }
        Ok(seen)
    }
}

/// The schemas of both versions at a step on the path to a place. The path may end earlier in one
/// of the versions.
struct Around<'a> {
    versions: [&'a Version; 2],
    schemas: Vec<&'a Value>,
    path: SchemaPath,
}

impl Around<'_> {
    /// Returns the object from this step on: the path to the place, and the other required fields.
    /// Recursion is as deep as schemas, whose depth is bounded.
    fn build(mut self, steps: &[SchemaStep<'_>], at: &mut String) -> Value {
        let Some((step, rest)) = steps.split_first() else {
            return self.required(None);
        };
        let name = match *step {
            SchemaStep::Property(name) => Some(name),
            SchemaStep::Items | SchemaStep::AdditionalProperties => None,
        };
        let here = self.required(name);
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
    fn required(&self, beside: Option<&str>) -> Value {
        let mut object = Map::new();
        for schema in &self.schemas {
            if let Value::Object(small) = crd_unions::small_value(schema) {
                for (name, value) in small {
                    object.entry(name).or_insert(value);
                }
            }
        }
        let places = self.versions.map(|version| version.place(&self.path));
        for union in places
            .into_iter()
            .flatten()
            .flat_map(|place| &place.declared)
        {
            settle(&mut object, union, &self.schemas, beside);
        }
        Value::Object(object)
    }
}

/// Changes an object so that a union in it is valid. The selected member is the field `beside`,
/// which the caller will set; or else a member that is set. Otherwise no member is selected, or the
/// first member if the union requires one.
pub(crate) fn settle(
    object: &mut Map<String, Value>,
    union: &Declared,
    schemas: &[&Value],
    beside: Option<&str>,
) {
    let will_be = beside.and_then(|name| union.member(name));
    let is_set = |member: &&crate::version::declared::Member| object.contains_key(&member.name);
    let set = union.members.iter().find(is_set);
    let member = will_be.or(set).or_else(|| {
        let needs_none = match &union.discriminator {
            Some(discriminator) => {
                !discriminator.is_required
                    || discriminator
                        .values
                        .iter()
                        .any(|value| union.member_of(value).is_none())
            }
            None => union.arity != union_runtime::Arity::ExactlyOne,
        };
        union.members.first().filter(|_| !needs_none)
    });
    let member = member.cloned();
    object.retain(|name, _| {
        member.as_ref().is_some_and(|member| member.name == *name) || union.member(name).is_none()
    });
    if let Some(discriminator) = union.discriminator.as_ref().filter(|_| union.is_selected()) {
        let value = match &member {
            Some(member) => Some(&member.value),
            None => discriminator
                .values
                .iter()
                .find(|value| union.member_of(value).is_none())
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
        if let Some(value) = pair(&of_member).into_iter().next() {
            object.insert(member.name, value);
        }
    }
}

/// Returns the name of a place in messages.
pub(crate) fn name_of(path: &SchemaPath) -> String {
    if path.is_root() {
        return "the object".to_owned();
    }
    path.to_fields()
}
