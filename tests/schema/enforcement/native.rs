//! Updates of small objects: the result of native validation, and the known differences of a
//! server.

use serde_json::{Map, Value, json};
use union_json::{SchemaSource, Unions};
use union_runtime::Settings;
use union_runtime::spec::{UnionModel, UnionSpec, UnionType};

use super::world::{Object, objects, specs};

/// The maximum number of objects in a world with null. Larger worlds leave out the objects with
/// null, to limit the number of pairs.
const MAX_OBJECTS_WITH_NULL: usize = 120;

/// The unions of a type, and its small world.
pub(crate) struct Native {
    unions: Unions,
    objects: Vec<Object>,
    required: Vec<String>,
    /// True if a union does not select a member by its discriminator: the union has no
    /// discriminator, or the discriminator follows the members.
    has_no_selecting_discriminator: bool,
}

/// A known reason why a server rejects an update that native validation accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum KnownDifference {
    /// The discriminator is required and absent, in the old object too. A server tolerates the
    /// error only if the whole struct is unchanged (`required-discriminator` in `DIFFERENCES.md`).
    MissingRequired,
    /// The discriminator follows the members and is `""`, which means unset. A server accepts `""`
    /// only if the enum has this value (`empty-follows`).
    EmptyDeduced,
}

impl Native {
    pub(crate) fn new<T: UnionType>(schema: &Value) -> Self {
        let specs = specs::<T>();
        let mut objects = objects(&specs);
        if objects.len() > MAX_OBJECTS_WITH_NULL {
            objects.retain(|object| !object.values().any(Value::is_null));
        }
        let required = schema["required"].as_array().into_iter().flatten();
        let required = required.filter_map(Value::as_str).map(str::to_owned);
        Self {
            unions: unions(schema, &specs),
            objects,
            required: required.collect(),
            has_no_selecting_discriminator: specs
                .iter()
                .any(|spec| spec.model() != UnionModel::Discriminated),
        }
    }

    /// Returns all pairs of old and new objects. If the world has more than `max_pairs` pairs,
    /// returns a sample of about `max_pairs` pairs.
    pub(crate) fn pairs(&self, max_pairs: usize) -> impl Iterator<Item = (&Object, &Object)> {
        let sampling_interval = (self.objects.len() * self.objects.len()).div_ceil(max_pairs);
        let old_objects = self.objects.iter().enumerate();
        old_objects.flat_map(move |(old_index, old)| {
            let new_objects = self.objects.iter().enumerate();
            let is_sampled = move |new_index: usize| {
                (old_index * 7919 + new_index * 104_729).is_multiple_of(sampling_interval)
            };
            new_objects
                .filter(move |(new_index, _)| is_sampled(*new_index))
                .map(move |(_, new)| (old, new))
        })
    }

    /// Returns true if native validation with `Ratchet::SameReason` accepts the update.
    pub(crate) fn accepts(&self, old: &Object, new: &Object) -> bool {
        let (old, new) = (old.clone().into(), new.clone().into());
        let settings = Settings::default();
        let report = self.unions.validate_update(&new, &old, &settings);
        report.is_accepted()
    }

    /// Returns the reason why a server may reject an update that native validation accepts.
    pub(crate) fn known_difference(&self, old: &Object, new: &Object) -> Option<KnownDifference> {
        let is_missing = |object: &Object| {
            let is_missing = |name: &String| object.get(name).is_none_or(Value::is_null);
            self.required.iter().any(is_missing)
        };
        if is_missing(old) && is_missing(new) {
            Some(KnownDifference::MissingRequired)
        } else if self.has_no_selecting_discriminator && new.values().any(|value| value == "") {
            Some(KnownDifference::EmptyDeduced)
        } else {
            None
        }
    }
}

/// Adds the field `elsewhere` to the schema. [`with_another_change`] changes this field in every
/// update, because a server tolerates all errors of an unchanged struct.
pub(crate) fn with_another_field(schema: &Value) -> Value {
    let mut schema = schema.clone();
    schema["properties"]["elsewhere"] = json!({"type": "integer"});
    schema
}

/// Adds the field `elsewhere` to the objects of an update, with different values.
pub(crate) fn with_another_change(old: &Object, new: &Object) -> (Object, Object) {
    let with_value = |object: &Object, value: i32| {
        let mut object = object.clone();
        object.insert("elsewhere".to_owned(), value.into());
        object
    };
    (with_value(old, 1), with_value(new, 2))
}

/// Compiles the declared unions, without the extension of the schema. The extension does not
/// express that exactly one member is required.
fn unions(schema: &Value, specs: &[&'static UnionSpec<'static>]) -> Unions {
    let mut schema_without_extensions = schema.clone();
    remove_extensions(&mut schema_without_extensions);
    let compiler = specs.iter().fold(Unions::compiler(), |compiler, spec| {
        compiler.union_at("", **spec)
    });
    match compiler.compile(SchemaSource::Schema(&schema_without_extensions)) {
        Ok(unions) => unions,
        Err(error) => panic!("{error}\n{schema:#}"),
    }
}

fn remove_extensions(schema: &mut Value) {
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    object.remove("x-kubernetes-unions");
    let properties = object.get_mut("properties").and_then(Value::as_object_mut);
    properties
        .into_iter()
        .flat_map(Map::values_mut)
        .for_each(remove_extensions);
}
