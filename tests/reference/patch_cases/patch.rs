//! Random patches: changed objects with directives.

use serde_json::{Map, Value, json};

use crate::object::{scalar, shuffle};
use crate::schema::Schema;
use union_random::Random;

pub(crate) struct Patches<'s> {
    pub(crate) schema: &'s Schema,
    /// The percentage of objects and lists that get a directive.
    pub(crate) share: usize,
}

impl Patches<'_> {
    /// Returns a patch: the object with added directives. `object` is similar to the patched
    /// object.
    pub(crate) fn of(&self, random: &mut Random, object: &Value) -> Value {
        let mut patch = object.clone();
        self.object(random, self.schema.root(), &mut patch);
        patch
    }

    fn object(&self, random: &mut Random, schema: &Value, patch: &mut Value) {
        let Value::Object(object) = patch else {
            return;
        };
        let mut beside = Map::new();
        for (name, value) in object.iter_mut() {
            if random.chance(6) {
                *value = Value::Null;
                continue;
            }
            let Some(field) = self.schema.field(schema, name) else {
                continue;
            };
            match value {
                Value::Object(_) => self.object(random, field.below, value),
                Value::Array(list) => {
                    let key = field.merge_key.unwrap_or("name");
                    if random.chance(self.share) {
                        let order = order(random, list, key);
                        beside.insert(format!("$setElementOrder/{name}"), order);
                    }
                    if random.chance(self.share / 2) {
                        let kind = field.below["type"].as_str().unwrap_or_default();
                        let deleted = deleted(random, list, kind);
                        beside.insert(format!("$deleteFromPrimitiveList/{name}"), deleted);
                    }
                    for item in list.iter_mut() {
                        self.object(random, field.below, item);
                        self.mark(random, item, key);
                    }
                    if random.chance(self.share / 10) {
                        list.insert(random.below(list.len() + 1), json!({"$patch": "replace"}));
                    }
                    if random.chance(self.share / 4) {
                        let value = scalar(random, if key == "id" { "integer" } else { "string" });
                        list.push(json!({key: value, "$patch": "delete"}));
                    }
                }
                _ => {}
            }
        }
        if random.chance(self.share) {
            beside.insert("$retainKeys".to_owned(), kept(random, object));
        }
        if random.chance(self.share / 10) {
            beside.insert("$patch".to_owned(), directive(random));
        }
        object.extend(beside);
        if random.chance(self.share / 8) && !object.is_empty() {
            let at = random.below(object.len());
            let name = object.keys().nth(at).cloned();
            // The patch keeps the directives for the removed field.
            name.and_then(|name| object.remove(&name));
        }
    }

    fn mark(&self, random: &mut Random, item: &mut Value, key: &str) {
        if random.chance(self.share / 5)
            && let Value::Object(object) = item
        {
            if random.chance(60) {
                object.retain(|name, _| name == key);
            }
            object.insert("$patch".to_owned(), directive(random));
        }
    }
}

fn directive(random: &mut Random) -> Value {
    random
        .weighted(&[(12, "delete"), (6, "replace"), (1, "merge"), (1, "other")])
        .into()
}

/// Returns a value of `$retainKeys`: most names of the fields, and in some cases other names.
fn kept(random: &mut Random, object: &Map<String, Value>) -> Value {
    if random.below(60) == 0 {
        return random
            .pick(&[Value::Null, json!("name"), json!([{"a": 1}]), json!([[1]])])
            .clone();
    }
    let mut names: Vec<Value> = object.keys().map(|name| name.as_str().into()).collect();
    names.retain(|_| !random.chance(4));
    for name in random.subset(&["value", "name", "list", "map", "nowhere"], 15) {
        names.push((*name).into());
    }
    if random.chance(5) {
        names.push(random.pick(&[Value::Null, json!(1), json!(true)]).clone());
    }
    shuffle(random, &mut names);
    names.into()
}

/// Returns a value of an order directive: most elements of the list, and in some cases other
/// elements, in the same or another order.
fn order(random: &mut Random, list: &[Value], key: &str) -> Value {
    if random.below(80) == 0 {
        return random
            .pick(&[Value::Null, json!("x"), json!([]), json!([1, "a"])])
            .clone();
    }
    let is_of_objects = list.iter().any(Value::is_object);
    let mut order = Vec::new();
    for item in list {
        if random.chance(15) {
            order.push(other(random, is_of_objects, key));
        }
        match item.get(key) {
            _ if random.chance(3) => {}
            Some(value) => order.push(json!({key: value})),
            None => order.push(item.clone()),
        }
    }
    if random.chance(40) {
        order.push(other(random, is_of_objects, key));
    }
    if random.chance(5) {
        shuffle(random, &mut order);
    }
    order.into()
}

fn other(random: &mut Random, is_object: bool, key: &str) -> Value {
    let kind = if key == "id" || random.chance(50) && !is_object {
        "integer"
    } else {
        "string"
    };
    let value = scalar(random, kind);
    if is_object {
        json!({key: value})
    } else {
        value
    }
}

fn deleted(random: &mut Random, list: &[Value], kind: &str) -> Value {
    if random.below(60) == 0 {
        return random
            .pick(&[
                Value::Null,
                json!("x"),
                json!({"a": 1}),
                json!([{"name": "a"}]),
            ])
            .clone();
    }
    let mut deleted: Vec<Value> = list.iter().filter(|_| random.chance(20)).cloned().collect();
    if kind != "object" {
        for _ in 0..random.below(4) {
            deleted.push(scalar(random, kind));
        }
    }
    deleted.retain(|value| !value.is_object());
    deleted.into()
}
