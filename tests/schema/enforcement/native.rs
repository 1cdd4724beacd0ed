//! Updates of small objects: the result of native validation, and the known differences of a
//! server.

use serde_json::{Map, Value, json};
use union_json::{SchemaSource, Unions};
use union_runtime::Settings;
use union_runtime::spec::{UnionModel, UnionSpec, UnionType};

use super::world::{Object, objects, specs};

/// The maximum number of objects in a world with null. Larger worlds leave out the objects with
/// null, to limit the number of pairs.
const MOST_OBJECTS: usize = 120;

/// The unions of a type, and its small world.
pub(crate) struct Native {
    unions: Unions,
    objects: Vec<Object>,
    required: Vec<String>,
    /// True if a union does not select a member by its discriminator: the union has no
    /// discriminator, or the discriminator follows the members.
    follows: bool,
}

/// A known reason why a server rejects an update that native validation accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Otherwise {
    /// The discriminator is required and absent, in the old object too. A server tolerates the
    /// error only if the whole struct is unchanged (`required-discriminator` in `DIFFERENCES.md`).
    Required,
    /// The discriminator follows the members and is `""`, which means unset. A server accepts `""`
    /// only if the enum has this value (`empty-follows`).
    Empty,
}

impl Native {
    pub(crate) fn new<T: UnionType>(schema: &Value) -> Self {
        let specs = specs::<T>();
        let mut objects = objects(&specs);
        if objects.len() > MOST_OBJECTS {
            objects.retain(|object| !object.values().any(Value::is_null));
        }
        let required = schema["required"].as_array().into_iter().flatten();
        let required = required.filter_map(Value::as_str).map(str::to_owned);
        Self {
            unions: unions(schema, &specs),
            objects,
            required: required.collect(),
            follows: specs
                .iter()
                .any(|spec| spec.model() != UnionModel::Discriminated),
        }
    }

    /// Returns all pairs of old and new objects, or a sample of about `most` pairs if the world has
    /// more.
    pub(crate) fn pairs(&self, most: usize) -> impl Iterator<Item = (&Object, &Object)> {
        let one_of = (self.objects.len() * self.objects.len()).div_ceil(most);
        let olds = self.objects.iter().enumerate();
        olds.flat_map(move |(i, old)| {
            let news = self.objects.iter().enumerate();
            let is_asked = move |k: usize| (i * 7919 + k * 104_729).is_multiple_of(one_of);
            news.filter(move |(k, _)| is_asked(*k))
                .map(move |(_, new)| (old, new))
        })
    }

    /// Returns true if native validation with `Ratchet::SameReason` accepts the update.
    pub(crate) fn takes(&self, old: &Object, new: &Object) -> bool {
        let (old, new) = (old.clone().into(), new.clone().into());
        let settings = Settings::default();
        let report = self.unions.validate_update(&new, &old, &settings);
        report.is_accepted()
    }

    /// Returns the reason why a server may reject an update that native validation accepts.
    pub(crate) fn otherwise(&self, old: &Object, new: &Object) -> Option<Otherwise> {
        let is_missing = |object: &Object| {
            let is_missing = |name: &String| object.get(name).is_none_or(Value::is_null);
            self.required.iter().any(is_missing)
        };
        if is_missing(old) && is_missing(new) {
            Some(Otherwise::Required)
        } else if self.follows && new.values().any(|value| value == "") {
            Some(Otherwise::Empty)
        } else {
            None
        }
    }
}

/// Adds a field to the schema. With [`changed_elsewhere`], every update changes this field, because
/// a server tolerates all errors of an unchanged struct.
pub(crate) fn with_another_field(schema: &Value) -> Value {
    let mut schema = schema.clone();
    schema["properties"]["elsewhere"] = json!({"type": "integer"});
    schema
}

pub(crate) fn changed_elsewhere(old: &Object, new: &Object) -> (Object, Object) {
    let with = |object: &Object, elsewhere: i32| {
        let mut object = object.clone();
        object.insert("elsewhere".to_owned(), elsewhere.into());
        object
    };
    (with(old, 1), with(new, 2))
}

/// Compiles the declared unions, without the extension of the schema. The extension does not
/// express that exactly one member is required.
fn unions(schema: &Value, specs: &[&'static UnionSpec<'static>]) -> Unions {
    let mut bare = schema.clone();
    remove_extensions(&mut bare);
    let compiler = specs.iter().fold(Unions::compiler(), |compiler, spec| {
        compiler.union_at("", **spec)
    });
    match compiler.compile(SchemaSource::Schema(&bare)) {
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
