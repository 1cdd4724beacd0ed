//! Positions of the struct with the union in an object. The comparison also tests the paths of
//! errors, and the correlation with the old struct.

use serde_json::{Value, json};

use crate::object::Object;
use union_random::Random;

#[derive(Clone, Copy)]
pub(crate) enum Place {
    Root,
    Field,
    Map,
    ListMap,
    List,
}

/// An object that contains the struct, and the path of the struct: as the path for the reference,
/// as a string, and as a JSON pointer.
pub(crate) struct PlacedStruct {
    pub(crate) object: Value,
    pub(crate) path: Value,
    pub(crate) text: String,
    pub(crate) pointer: String,
}

/// The key field of list elements.
const KEY: &str = "name";
/// The key of the struct in a list or a map with other structs.
const STRUCT_KEY: &str = "own";

impl Place {
    pub(crate) fn random(random: &mut Random) -> Self {
        *random.pick(&[
            Self::Root,
            Self::Field,
            Self::Map,
            Self::ListMap,
            Self::List,
        ])
    }

    /// Returns the JSON pointer of the struct's schema in the schema of the object.
    pub(crate) const fn pointer(self) -> &'static str {
        match self {
            Self::Root => "",
            Self::Field => "/properties/spec",
            Self::Map => "/properties/spec/additionalProperties",
            Self::ListMap | Self::List => "/properties/spec/items",
        }
    }

    /// Returns the schema of the object.
    pub(crate) fn schema(self, held: Value) -> Value {
        let spec = match self {
            Self::Root => return held,
            Self::Field => held,
            Self::Map => json!({ "type": "object", "additionalProperties": held }),
            Self::ListMap => {
                let mut items = held;
                items["properties"][KEY] = json!({ "type": "string" });
                json!({
                    "type": "array",
                    "items": items,
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": [KEY],
                })
            }
            Self::List => json!({ "type": "array", "items": held }),
        };
        json!({ "type": "object", "properties": { "spec": spec } })
    }

    /// Returns an object that contains the struct `held`, if any, and valid other structs.
    pub(crate) fn put(
        self,
        random: &mut Random,
        held: Option<&Object>,
        others: &Object,
    ) -> PlacedStruct {
        let mut path = json!(["spec"]);
        let mut text = "spec".to_owned();
        let mut pointer = "/spec".to_owned();
        let own = held.map(|held| self.named(held, STRUCT_KEY));
        let mut elements: Vec<Value> = Vec::new();
        for key in ["a", "b"].iter().take(random.below(3)) {
            elements.push(self.named(others, key));
        }
        let spec = match self {
            Self::Root => {
                return PlacedStruct {
                    object: own.unwrap_or_default(),
                    path: json!([]),
                    text: String::new(),
                    pointer: String::new(),
                };
            }
            Self::Field => own,
            Self::Map => {
                path = json!(["spec", { "key": STRUCT_KEY }]);
                text = format!("spec[{STRUCT_KEY}]");
                pointer = format!("/spec/{STRUCT_KEY}");
                let mut spec = json!({ "other": others });
                if let Some(own) = own {
                    spec[STRUCT_KEY] = own;
                }
                Some(spec)
            }
            Self::ListMap | Self::List => {
                let at = random.below(elements.len() + 1);
                path = json!(["spec", at]);
                text = format!("spec[{at}]");
                pointer = format!("/spec/{at}");
                if let Some(own) = own {
                    elements.insert(at, own);
                }
                Some(elements.into())
            }
        };
        let object = spec.map_or_else(|| json!({}), |spec| json!({ "spec": spec }));
        PlacedStruct {
            object,
            path,
            text,
            pointer,
        }
    }

    /// Returns true if a struct at this path is correlated with the struct in the old object.
    pub(crate) const fn correlates(self) -> bool {
        !matches!(self, Self::List)
    }

    fn named(self, held: &Object, key: &str) -> Value {
        let mut held = held.clone();
        if let Self::ListMap = self {
            held.insert(KEY.to_owned(), json!(key));
        }
        held.into()
    }
}
