//! Structs that keep unknown members, in each kind of map, and a struct with such unions in every
//! possible place.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_enum::<Kind>)]
pub(crate) enum Kind {
    Alpha,
    Beta,
    /// No member.
    Nothing,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_enum::<MaybeKind>)]
pub(crate) enum MaybeKind {
    #[serde(rename = "")]
    Nothing,
    Alpha,
    Beta,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// A union in the usual form of API authors, with a `BTreeMap`.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_unions::<Choice>)]
pub(crate) struct Choice {
    #[union(discriminator)]
    pub(crate) kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) alpha: Option<u32>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) beta: Option<Vec<String>>,
    #[union(unknown)]
    #[serde(flatten)]
    #[schemars(skip)]
    pub(crate) rest: BTreeMap<String, Value>,
}

/// A union whose discriminator may be absent, and whose flattened map has every serde attribute
/// that is harmless there.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_unions::<KeptInHashMap>)]
pub(crate) struct KeptInHashMap {
    #[union(discriminator)]
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Box<MaybeKind>>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u32>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<Vec<String>>,
    #[union(unknown)]
    #[serde(
        flatten,
        default,
        rename = "others",
        skip_serializing_if = "HashMap::is_empty"
    )]
    #[schemars(skip_serializing, skip_deserializing)]
    others: HashMap<String, Value>,
    /// A field that is not in JSON, so an unknown member may have its name.
    #[serde(skip)]
    cache: u32,
}

/// A union with `all_members`: each field except the discriminator and the map is a member.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[union(all_members)]
#[schemars(transform = union_runtime::add_unions::<KeptInJsonMap>)]
pub(crate) struct KeptInJsonMap {
    #[union(discriminator)]
    kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<Vec<String>>,
    #[union(unknown)]
    #[serde(flatten)]
    #[schemars(skip)]
    rest: Map<String, Value>,
}

/// A generic union without a schema, whose map has a hasher of its own.
#[derive(Union, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Generic<T> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<T>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<Vec<String>>,
    #[union(unknown)]
    #[serde(flatten)]
    rest: HashMap<String, Value, std::hash::BuildHasherDefault<std::hash::DefaultHasher>>,
}

/// A map type of an author.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(transparent)]
pub(crate) struct Rest(BTreeMap<String, Value>);

impl union_runtime::UnknownMembers for Rest {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn take_named(&mut self, value: &str) -> Vec<String> {
        self.0.take_named(value)
    }
}

#[derive(Union, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct KeptInOwnMap {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u32>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<Vec<String>>,
    #[union(unknown)]
    #[serde(flatten)]
    rest: Rest,
}

/// A struct with fields of its own that flattens a union. The map of the union keeps the fields
/// that neither the struct nor the union knows.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_unions::<Element>)]
pub(crate) struct Element {
    #[union(key)]
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    #[union(inline)]
    #[serde(flatten)]
    pub(crate) choice: Choice,
}

/// A struct with unions in every possible place.
///
/// The fields are in the order of the schema, so that the struct and the engine report changes in
/// the same order.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<NestedUnions>)]
pub(crate) struct NestedUnions {
    #[union(nested, list_map_keys("name"))]
    by_name: Vec<Element>,
    #[union(nested)]
    map: BTreeMap<String, Choice>,
    #[union(nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    maybe: Option<Box<Choice>>,
    #[union(nested)]
    one: Choice,
    #[union(nested)]
    plain: Vec<Choice>,
}
