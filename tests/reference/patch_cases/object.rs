//! Random objects that mostly match a schema, and random changes of them.

use serde_json::{Map, Value, json};

use crate::schema::{Lookup, Schema};
use union_random::Random;

const MERGE_KEY: &str = "x-kubernetes-patch-merge-key";

/// The merge keys of the Go types.
const MERGE_KEYS: [&str; 9] = [
    "containerPort",
    "devicePath",
    "ip",
    "mountPath",
    "port",
    "resourceClaimName",
    "topologyKey",
    "type",
    "uid",
];

/// The maximum depth of objects.
const DEPTH: usize = 4;

pub(crate) struct Objects<'s> {
    pub(crate) schema: &'s Schema,
    /// The percentage of fields that an object has, because types of the API have many fields.
    pub(crate) share: usize,
}

impl Objects<'_> {
    pub(crate) fn root(&self, random: &mut Random) -> Value {
        self.object(random, self.schema.root(), 0)
    }

    pub(crate) fn changed_root(&self, random: &mut Random, value: &Value) -> Value {
        self.changed(random, self.schema.root(), value, 0)
    }

    fn object(&self, random: &mut Random, schema: &Value, depth: usize) -> Value {
        let mut object = Map::new();
        if let Some(properties) = schema["properties"].as_object() {
            for (name, property) in properties {
                let is_wanted = if is_key(name) {
                    depth > 0 && random.below(400) > 0
                } else {
                    depth < DEPTH && random.chance(self.share)
                };
                if is_wanted {
                    let value = self.value(random, property, depth);
                    object.insert(name.clone(), value);
                }
            }
        } else if schema.get("additionalProperties").is_some() {
            for name in random.subset(&["p", "q", "r"], 50) {
                object.insert((*name).to_owned(), scalar(random, "string"));
            }
        }
        if random.chance(2) {
            let strange = match random.below(12) {
                0 => json!({"a": scalar(random, "integer")}),
                1 => json!([scalar(random, "integer")]),
                _ => scalar(random, "string"),
            };
            object.insert("unknown".to_owned(), strange);
        }
        object.into()
    }

    fn value(&self, random: &mut Random, property: &Value, depth: usize) -> Value {
        if random.below(120) == 0 {
            return self.strange(random, property);
        }
        if let Some(items) = property.get("items") {
            let items = self.schema.resolve(items);
            let most = if depth < 2 { 5 } else { 3 };
            let count = random.below(most);
            let mut list: Vec<Value> = Vec::new();
            for _ in 0..count {
                let item = self.item(random, property, items, depth + 1);
                push(random, &mut list, item, property);
            }
            return list.into();
        }
        let schema = self.schema.resolve(property);
        match schema["type"].as_str() {
            Some("object") => self.object(random, schema, depth + 1),
            Some(kind) => scalar(random, kind),
            None => match random.below(3) {
                0 => json!({"a": scalar(random, "integer"), "b": {"c": scalar(random, "string")}}),
                1 => json!([scalar(random, "integer"), scalar(random, "integer")]),
                _ => scalar(random, "string"),
            },
        }
    }

    /// Returns an element, which rarely lacks its merge key.
    fn item(&self, random: &mut Random, list: &Value, items: &Value, depth: usize) -> Value {
        if items["type"] == "object" {
            if random.below(300) == 0 {
                return scalar(random, "integer");
            }
            let mut item = self.object(random, items, depth);
            if let (Some(key), Some(object)) = (list[MERGE_KEY].as_str(), item.as_object_mut())
                && random.below(300) > 0
                && !object.get(key).is_some_and(Value::is_string)
            {
                let kind = items["properties"][key]["type"].as_str();
                object.insert(key.to_owned(), scalar(random, kind.unwrap_or("string")));
            }
            return item;
        }
        if random.below(300) == 0 {
            return random
                .pick(&[Value::Null, json!([1]), json!({"name": "a"})])
                .clone();
        }
        scalar(random, items["type"].as_str().unwrap_or("string"))
    }

    /// Returns a value that mostly has another type than the property.
    fn strange(&self, random: &mut Random, property: &Value) -> Value {
        // The lookups by `OpenAPI` v2 and by Go type have different errors for a list in place of
        // another value.
        let is_list = property.get("items").is_some();
        let may_be_list = self.schema.lookup == Lookup::V3 || is_list;
        match random.below(6) {
            0 if may_be_list => json!([]),
            1 => scalar(random, "number"),
            2 => scalar(random, "string"),
            _ => Value::Null,
        }
    }

    fn changed(&self, random: &mut Random, schema: &Value, value: &Value, depth: usize) -> Value {
        let Value::Object(object) = value else {
            return value.clone();
        };
        let mut changed = Map::new();
        for (name, value) in object {
            let property = schema["properties"].get(name);
            let may_be_key = depth > 0 && (is_key(name) || MERGE_KEYS.contains(&name.as_str()));
            let value = match random.below(100) {
                0..45 => value.clone(),
                _ if may_be_key && random.chance(98) => value.clone(),
                45..53 => continue,
                _ => match property {
                    Some(property) => self.changed_value(random, property, value, depth),
                    None if random.chance(50) => value.clone(),
                    None => scalar(random, "string"),
                },
            };
            changed.insert(name.clone(), value);
        }
        if let Some(properties) = schema["properties"].as_object() {
            for (name, property) in properties {
                if !object.contains_key(name)
                    && !is_key(name)
                    && random.chance(self.share / 3)
                    && depth < DEPTH
                {
                    changed.insert(name.clone(), self.value(random, property, depth));
                }
            }
        }
        changed.into()
    }

    fn changed_value(
        &self,
        random: &mut Random,
        property: &Value,
        value: &Value,
        depth: usize,
    ) -> Value {
        match value {
            Value::Array(list) if property.get("items").is_some() => {
                let items = self.schema.resolve(&property["items"]);
                let mut changed: Vec<Value> = Vec::new();
                for item in list {
                    match random.below(100) {
                        0..60 => changed.push(item.clone()),
                        60..75 => {}
                        _ => changed.push(self.changed(random, items, item, depth + 1)),
                    }
                    if random.chance(15) {
                        let item = self.item(random, property, items, depth + 1);
                        push(random, &mut changed, item, property);
                    }
                }
                if list.is_empty() && random.chance(50) {
                    changed.push(self.item(random, property, items, depth + 1));
                }
                if random.chance(30) {
                    shuffle(random, &mut changed);
                }
                changed.into()
            }
            Value::Object(_) => {
                let schema = self.schema.resolve(property);
                self.changed(random, schema, value, depth + 1)
            }
            _ => self.value(random, property, depth),
        }
    }
}

/// Returns true if the field is a merge key.
fn is_key(name: &str) -> bool {
    ["name", "id"].contains(&name)
}

/// Adds an element to a list, unless the list has an equal element. Repeated elements are rare.
fn push(random: &mut Random, list: &mut Vec<Value>, item: Value, property: &Value) {
    let key = property[MERGE_KEY].as_str();
    let of = |value: &Value| {
        let value = key.and_then(|key| value.get(key)).unwrap_or(value).clone();
        value.as_str().map_or(value.to_string(), str::to_owned)
    };
    let is_there = list.iter().any(|other| of(other) == of(&item));
    if !is_there || random.below(60) == 0 {
        list.push(item);
    }
}

pub(crate) fn shuffle(random: &mut Random, list: &mut [Value]) {
    for i in (1..list.len()).rev() {
        list.swap(i, random.below(i + 1));
    }
}

/// Returns one of a few scalars, so that equal scalars are frequent. The numbers 2 and 10 are in
/// the other order if they are compared as strings.
pub(crate) fn scalar(random: &mut Random, kind: &str) -> Value {
    match kind {
        "integer" if random.below(200) == 0 => json!(2.0),
        "integer" => json!(random.pick(&[0_i64, 1, 2, 3, 10, 20, -1])),
        "boolean" => json!(random.chance(50)),
        "number" => json!(random.pick(&[0.5, 1.5, 2.0])),
        _ if random.below(200) == 0 => json!(1),
        // The message of a conflict prints these strings in other styles of YAML.
        _ if random.below(50) == 0 => json!(random.pick(&["12:30", "oFF", "--- a", "x\ny\n"])),
        _ => json!(random.pick(&["a", "b", "c", "d", "e", "1", ""])),
    }
}
