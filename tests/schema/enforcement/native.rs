//! Updates in small worlds: what the rules of unions say of them, and what a server says otherwise, by itself.

use serde_json::{Map, Value, json};
use union_json::{Source, Unions};
use union_runtime::Settings;
use union_runtime::spec::{Arity, UnionSpec, UnionType};

use super::world::{Object, objects, specs};

/// A world of more objects than this has null in no place, so that its pairs stay few enough.
const MOST_OBJECTS: usize = 120;

/// The unions of a type, and its small world.
pub(crate) struct Native {
    unions: Unions,
    objects: Vec<Object>,
    required: Vec<String>,
    /// A discriminator follows the members.
    follows: bool,
}

/// What a server says by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Otherwise {
    /// The discriminator is required, and old does not have it either: a server forgives that with an unchanged struct alone
    /// (`required-discriminator` in `DIFFERENCES.md`).
    Required,
    /// A discriminator that follows says nothing by `""`, and its enum takes that only where it is a value
    /// (`empty-follows`).
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
            follows: specs.iter().any(|spec| spec.arity() != Arity::Selected),
        }
    }

    /// All pairs of old and new, or every so many-eth, if there are more than `most`.
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

    /// Whether an update is taken, by `Ratchet::SameReason`.
    pub(crate) fn takes(&self, old: &Object, new: &Object) -> bool {
        let (old, new) = (old.clone().into(), new.clone().into());
        let settings = Settings::default();
        let report = self.unions.validate_update(&new, &old, &settings);
        report.is_accepted()
    }

    /// Why a server refuses what [`takes`](Self::takes) takes, if it does.
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

/// The schema, and old and new, with another field, so that no struct is unchanged: a server forgives those by itself.
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

/// As declared: the extension does not say that exactly one is wanted.
fn unions(schema: &Value, specs: &[&'static UnionSpec<'static>]) -> Unions {
    let mut bare = schema.clone();
    remove_extensions(&mut bare);
    let compiler = specs.iter().fold(Unions::compiler(), |compiler, spec| {
        compiler.union_at("", **spec)
    });
    match compiler.compile(Source::Schema(&bare)) {
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
