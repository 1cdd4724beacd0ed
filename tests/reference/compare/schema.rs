//! Random schemas with unions in the 2019 shape.

use serde_json::{Map, Value, json};

use union_random::Random;

/// An object with fields and unions.
pub(crate) struct Struct {
    pub(crate) fields: Vec<(String, Type)>,
    pub(crate) unions: Vec<Union>,
    /// True if the struct has `x-kubernetes-map-type: atomic`.
    pub(crate) is_atomic: bool,
}

pub(crate) enum Type {
    Integer,
    Text,
    Integers,
    Struct(Struct),
    Map(Struct),
    /// A list whose elements have keys.
    ListMap(Struct, Keys),
    /// A list whose elements do not have keys.
    List(Struct),
}

pub(crate) struct Union {
    pub(crate) discriminator: Option<Discriminator>,
    pub(crate) members: Vec<Member>,
}

pub(crate) struct Discriminator {
    pub(crate) name: String,
    /// The values of the enum, or `None` if any string is a value.
    pub(crate) values: Option<Vec<String>>,
}

pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) value: String,
}

/// The key fields of list elements.
pub(crate) struct Keys(pub(crate) Vec<Key>);

pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) values: [Value; 3],
    /// True if an absent key means the first value.
    pub(crate) has_default: bool,
}

/// A field of the root object, because the reference does not accept an empty object.
pub(crate) const API_VERSION: &str = "apiVersion";

/// The names of members, in the order in which a schema lists members. None of the names is a word
/// that YAML 1.1 reads as a bool, such as `y`, because the reference rejects a schema with such a
/// name.
const NAMES: [&str; 14] = [
    "$odd", "alpha", "beta", "delta", "epsilon", "eta", "gamma", "größe", "iota", "kappa", "theta",
    "twoWords", "x.y", "zeta",
];
const DISCRIMINATORS: [&str; 3] = ["kind", "mode", "type"];
/// The maximum depth of a struct. At this depth, structs have only scalar fields.
const MAX_DEPTH: usize = 2;

impl Struct {
    /// Returns the schema of a root object, which has the field [`API_VERSION`].
    pub(crate) fn random(random: &mut Random) -> Self {
        let mut root = Self::at(random, 0);
        root.fields.push((API_VERSION.to_owned(), Type::Text));
        root
    }

    /// Returns a struct that has unions, and only scalar fields.
    pub(crate) fn with_unions(random: &mut Random) -> Self {
        let mut found = Self::at(random, MAX_DEPTH);
        while found.unions.is_empty() {
            found = Self::at(random, MAX_DEPTH);
        }
        found.is_atomic = false;
        found
    }

    fn at(random: &mut Random, depth: usize) -> Self {
        let mut names: Vec<&str> = NAMES.to_vec();
        random.shuffle(&mut names);
        let mut fields = Vec::new();
        let mut unions = Vec::new();
        // The root object always has a union, and most nested structs have a union.
        let most = if depth == 0 { 3 } else { 2 };
        let count = 1 + random.below(most) - usize::from(depth > 0 && random.chance(15));
        for discriminator in DISCRIMINATORS.iter().take(count) {
            let union = Union::random(random, discriminator, &mut names);
            if let Some(discriminator) = &union.discriminator {
                fields.push((discriminator.name.clone(), Type::Text));
            }
            for member in &union.members {
                fields.push((member.name.clone(), Type::random(random, depth)));
            }
            unions.push(union);
        }
        for name in names.split_off(names.len() - random.below(3)) {
            fields.push((name.to_owned(), Type::random(random, depth)));
        }
        Self {
            fields,
            unions,
            is_atomic: depth > 0 && random.chance(8),
        }
    }

    /// Returns the schema, with only keywords that are the same in `OpenAPI` v2 and v3.
    pub(crate) fn schema(&self) -> Value {
        let mut properties = Map::new();
        for (name, of) in &self.fields {
            properties.insert(name.clone(), of.schema());
        }
        let discriminators = self
            .unions
            .iter()
            .filter_map(|union| union.discriminator.as_ref());
        for discriminator in discriminators {
            if let Some(values) = &discriminator.values {
                properties[&discriminator.name]["enum"] = json!(values);
            }
        }
        let mut schema = json!({ "type": "object", "properties": properties });
        if !self.unions.is_empty() {
            schema["x-kubernetes-unions"] = self.unions.iter().map(Union::schema).collect();
        }
        if self.is_atomic {
            schema["x-kubernetes-map-type"] = json!("atomic");
        }
        schema
    }

    pub(crate) fn field(&self, name: &str) -> Option<&Type> {
        let found = self.fields.iter().find(|(field, _)| field == name);
        found.map(|(_, of)| of)
    }
}

impl Type {
    fn random(random: &mut Random, depth: usize) -> Self {
        if depth >= MAX_DEPTH || random.chance(60) {
            return match random.below(5) {
                0 => Self::Text,
                1 => Self::Integers,
                _ => Self::Integer,
            };
        }
        let mut held = Struct::at(random, depth + 1);
        match random.below(5) {
            0 => Self::Map(held),
            1 => {
                held.is_atomic = false;
                let keys = Keys::random(random);
                for key in &keys.0 {
                    let of = if key.values[0].is_string() {
                        Self::Text
                    } else {
                        Self::Integer
                    };
                    held.fields.push((key.name.to_owned(), of));
                }
                Self::ListMap(held, keys)
            }
            2 => Self::List(held),
            _ => Self::Struct(held),
        }
    }

    fn schema(&self) -> Value {
        match self {
            Self::Integer => json!({ "type": "integer" }),
            Self::Text => json!({ "type": "string" }),
            Self::Integers => json!({ "type": "array", "items": { "type": "integer" } }),
            Self::Struct(held) => held.schema(),
            Self::Map(held) => {
                json!({ "type": "object", "additionalProperties": held.schema() })
            }
            Self::ListMap(held, keys) => {
                let mut items = held.schema();
                let mut names = Vec::new();
                for key in &keys.0 {
                    names.push(key.name);
                    if key.has_default {
                        items["properties"][key.name]["default"] = key.values[0].clone();
                    }
                }
                json!({
                    "type": "array",
                    "items": items,
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": names,
                })
            }
            Self::List(held) => {
                json!({ "type": "array", "items": held.schema() })
            }
        }
    }
}

impl Keys {
    fn random(random: &mut Random) -> Self {
        let key = |random: &mut Random, name, values| Key {
            name,
            values,
            has_default: random.chance(50),
        };
        let mut keys = vec![key(random, "name", ["a", "b", "c"].map(Value::from))];
        if random.chance(35) {
            keys.push(key(random, "number", [0, 1, 2].map(Value::from)));
        }
        Self(keys)
    }

    /// Returns the keys of an element, with defaults for absent keys.
    pub(crate) fn of<'a>(&'a self, element: &'a Value) -> Vec<&'a Value> {
        let keys = self.0.iter();
        keys.map(|key| element.get(key.name).unwrap_or(&key.values[0]))
            .collect()
    }
}

impl Union {
    /// Returns a union whose members are taken from the end of `names`.
    fn random(random: &mut Random, discriminator: &str, names: &mut Vec<&str>) -> Self {
        let mut members: Vec<Member> = names
            .split_off(names.len() - 2 - random.below(3))
            .into_iter()
            .map(|name| Member {
                name: name.to_owned(),
                value: if random.chance(80) {
                    name.to_uppercase()
                } else {
                    name.to_owned()
                },
            })
            .collect();
        members.sort_by(|a, b| a.name.cmp(&b.name));
        if random.chance(10) {
            // Each value is the name of another member.
            let mut names: Vec<String> = members.iter().map(|member| member.name.clone()).collect();
            names.rotate_left(1);
            for (member, name) in members.iter_mut().zip(names) {
                member.value = name;
            }
        }
        let discriminator = random.chance(75).then(|| Discriminator {
            name: discriminator.to_owned(),
            values: random.chance(35).then(|| {
                let values = members.iter().map(|member| member.value.clone());
                let mut values: Vec<String> = values.collect();
                if random.chance(60) {
                    values.push("Nothing".into());
                }
                if random.chance(30) {
                    values.push(String::new());
                }
                random.shuffle(&mut values);
                values
            }),
        });
        Self {
            discriminator,
            members,
        }
    }

    fn schema(&self) -> Value {
        let members = self.members.iter();
        let fields: Map<String, Value> = members
            .map(|member| (member.name.clone(), json!(member.value)))
            .collect();
        let mut union = json!({ "fields-to-discriminateBy": fields });
        if let Some(discriminator) = &self.discriminator {
            union["discriminator"] = json!(discriminator.name);
        }
        union
    }

    pub(crate) fn has_field(&self, name: &str) -> bool {
        let discriminator = self.discriminator.as_ref();
        discriminator.is_some_and(|discriminator| discriminator.name == name)
            || self.members.iter().any(|member| member.name == name)
    }
}
