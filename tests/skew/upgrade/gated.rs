//! A server with the feature gate, and three kinds of unions, each in an object and in a list.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::path::FieldPath;
use union_runtime::{EnumType, Report, Settings, Union};

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_enum::<Kind>)]
pub(crate) enum Kind {
    Alpha,
    Beta,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// A union of the 2022 model, whose discriminator selects the member.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_unions::<Discriminated>)]
pub(crate) struct Discriminated {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

/// A union of the 2019 model, whose discriminator follows the members.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_unions::<Deduced>)]
pub(crate) struct Deduced {
    #[union(discriminator, deduce)]
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

/// A union without a discriminator.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_unions::<Grouped>)]
pub(crate) struct Grouped {
    #[union(member, group = one)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, group = one)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

/// An object with one union.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub(crate) struct WithUnion<T: Union> {
    note: u8,
    #[union(nested)]
    choice: T,
}

/// An object with a list of unions.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_unions::<Self>)]
pub(crate) struct WithList<T: Union> {
    note: u8,
    #[union(nested, list_map_keys("name"))]
    items: Vec<Item<T>>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub(crate) struct Item<T: Union> {
    #[union(key)]
    name: String,
    #[union(nested)]
    choice: T,
}

/// A kind of union: the union type with its valid and invalid objects.
pub(crate) trait UnionKind:
    Union + Serialize + DeserializeOwned + JsonSchema + Clone
{
    /// The states of the discriminator. The only state is `None` if the union has no discriminator.
    const DISCRIMINATOR_STATES: &[Option<&str>];
    const VALID: &str;
    /// Objects that a create rejects, and that a server stores while the gate is off. Each object
    /// has one error, and its set members have the values 1 and 2.
    const INVALID: &[&str];
}

impl UnionKind for Discriminated {
    const DISCRIMINATOR_STATES: &[Option<&str>] = &[Some("Alpha"), Some("Beta"), Some("Gone")];
    const VALID: &str = r#"{"kind": "Alpha", "alpha": 1}"#;
    const INVALID: &[&str] = &[
        r#"{"kind": "Alpha", "alpha": 1, "beta": 2}"#,
        r#"{"kind": "Gone", "alpha": 1}"#,
        r#"{"kind": "Beta"}"#,
    ];
}

impl UnionKind for Deduced {
    const DISCRIMINATOR_STATES: &[Option<&str>] =
        &[None, Some("Alpha"), Some("Beta"), Some("Gone")];
    const VALID: &str = r#"{"kind": "Alpha", "alpha": 1}"#;
    const INVALID: &[&str] = &[
        r#"{"alpha": 1, "beta": 2}"#,
        r#"{"kind": "Gone", "alpha": 1}"#,
    ];
}

impl UnionKind for Grouped {
    const DISCRIMINATOR_STATES: &[Option<&str>] = &[None];
    const VALID: &str = r#"{"alpha": 1}"#;
    const INVALID: &[&str] = &[r#"{"alpha": 1, "beta": 2}"#];
}

/// Returns every object that the type can read: each state of the discriminator with each set of
/// members.
pub(crate) fn states<S: UnionKind>() -> Vec<Value> {
    let mut states = Vec::new();
    for discriminator in S::DISCRIMINATOR_STATES {
        for mask in 0..4 {
            let mut state = json!({});
            if let Some(discriminator) = discriminator {
                state["kind"] = json!(discriminator);
            }
            for (i, member) in ["alpha", "beta"].into_iter().enumerate() {
                if mask & (1 << i) != 0 {
                    state[member] = json!(i + 1);
                }
            }
            states.push(state);
        }
    }
    states
}

/// A kind of object that contains a union.
pub(crate) trait ObjectKind:
    Union + Serialize + DeserializeOwned + JsonSchema + Clone
{
    type UnionKind: UnionKind;
    /// Returns an object that contains the union `choice`.
    fn with_union(choice: Value) -> Value;
    /// The JSON pointer of the union.
    const UNION_POINTER: &str;
    /// Returns the field path of the union, as violations and changes report it.
    fn path() -> FieldPath;
}

impl<S: UnionKind> ObjectKind for WithUnion<S> {
    type UnionKind = S;
    fn with_union(choice: Value) -> Value {
        json!({"note": 1, "choice": choice})
    }
    const UNION_POINTER: &str = "/choice";
    fn path() -> FieldPath {
        ["choice"].into()
    }
}

impl<S: UnionKind> ObjectKind for WithList<S> {
    type UnionKind = S;
    fn with_union(choice: Value) -> Value {
        let first = json!({"name": "first", "choice": parse(S::VALID)});
        json!({"note": 1, "items": [first, {"name": "second", "choice": choice}]})
    }
    const UNION_POINTER: &str = "/items/1/choice";
    fn path() -> FieldPath {
        FieldPath::from(["items"]).index(1).field("choice")
    }
}

/// Runs a check for every kind of union, in an object and in a list. Returns the results as an
/// array.
macro_rules! for_all_kinds {
    ($check:ident) => {
        [
            $check::<WithUnion<Discriminated>>(),
            $check::<WithUnion<Deduced>>(),
            $check::<WithUnion<Grouped>>(),
            $check::<WithList<Discriminated>>(),
            $check::<WithList<Deduced>>(),
            $check::<WithList<Grouped>>(),
        ]
    };
}
pub(crate) use for_all_kinds;

pub(crate) fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("valid JSON")
}

#[track_caller]
pub(crate) fn deserialize<T: DeserializeOwned>(json: &Value) -> T {
    T::deserialize(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

pub(crate) fn serialize<T: Serialize>(object: &T) -> Value {
    serde_json::to_value(object).expect("valid JSON")
}

/// A server that stores one object.
pub(crate) struct Server<T> {
    pub(crate) settings: Settings,
    pub(crate) stored: Option<T>,
}

impl<T: ObjectKind> Server<T> {
    /// Returns a server that knows unions, with the gate off.
    pub(crate) fn with_unions_off() -> Self {
        let settings = Settings::default().unions(false);
        Self {
            settings,
            stored: None,
        }
    }

    /// Turns the gate on or off.
    pub(crate) fn set_gate(&mut self, is_on: bool) {
        self.settings = self.settings.unions(is_on);
    }

    /// Creates or replaces the object. A rejected object is not stored.
    pub(crate) fn put(&mut self, new: &Value) -> Result<Report, Report> {
        let mut new: T = deserialize(new);
        let report = new.admit_unions(self.stored.as_ref(), &self.settings);
        let report = report.into_result()?;
        self.stored = Some(new);
        Ok(report)
    }

    /// Returns the object that a client reads, after a round trip through JSON and the type.
    pub(crate) fn get(&self) -> Value {
        let json = serialize(self.stored.as_ref().expect("a present value"));
        serialize(&deserialize::<T>(&json))
    }
}
