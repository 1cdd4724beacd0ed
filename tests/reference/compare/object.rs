//! Random objects of a schema, and changes that clients make to them.

use serde_json::{Map, Value, json};

use crate::schema::{API_VERSION, Keys, Struct, Type, Union};
use union_random::Random;

pub(crate) type Object = Map<String, Value>;

/// Returns an object as it may be stored: most unions have one member, which the discriminator
/// selects.
pub(crate) fn stored(random: &mut Random, of: &Struct) -> Object {
    let mut object = Object::new();
    fill_other_fields(random, of, &mut object);
    for union in &of.unions {
        let rather_valid = random.chance(70);
        let member = random.below(union.members.len());
        for (i, other) in union.members.iter().enumerate() {
            let is_set = if rather_valid {
                i == member && random.chance(90)
            } else {
                random.chance(40)
            };
            if is_set && let Some(of) = of.field(&other.name) {
                object.insert(other.name.clone(), value(random, of));
            } else if random.chance(3) {
                object.insert(other.name.clone(), Value::Null);
            }
        }
        if rather_valid && random.chance(90) {
            select(union, &union.members[member].value, &mut object);
        } else {
            select_anything(random, of, union, &mut object);
        }
    }
    object
}

/// Returns an object that a client may send to update the stored object. Each union is unchanged,
/// or is changed in one of the ways in which clients change unions.
pub(crate) fn sent(random: &mut Random, of: &Struct, stored: &Object) -> Object {
    let mut object = stored.clone();
    let mut others = Object::new();
    fill_other_fields(random, of, &mut others);
    for (name, field) in &of.fields {
        if name == API_VERSION {
            continue;
        }
        if of.unions.iter().any(|union| union.has_field(name)) {
            // A member that stays may have a changed value.
            if let Some(old) = object.get(name).filter(|_| random.chance(30)) {
                let changed = value_sent(random, field, old);
                object.insert(name.clone(), changed);
            }
        } else if let Some(old) = object.get(name) {
            let changed = value_sent(random, field, old);
            object.insert(name.clone(), changed);
        } else if let Some(new) = others.remove(name) {
            object.insert(name.clone(), new);
        }
        if random.chance(2) {
            object.remove(name);
        }
    }
    for union in &of.unions {
        change(random, of, union, &mut object);
    }
    object
}

/// Returns an object for server-side apply: few members, and sometimes a discriminator.
pub(crate) fn applied(random: &mut Random, of: &Struct) -> Object {
    let mut object = Object::new();
    fill_other_fields(random, of, &mut object);
    for union in &of.unions {
        let count = *random.pick(&[0, 0, 1, 1, 1, 1, 2]);
        let first = random.below(union.members.len());
        for i in 0..count {
            let member = &union.members[(first + i) % union.members.len()];
            if let Some(of) = of.field(&member.name) {
                object.insert(member.name.clone(), value(random, of));
            }
        }
        if random.chance(3) {
            let member = random.pick(&union.members);
            object.insert(member.name.clone(), Value::Null);
        }
        match random.below(10) {
            0..4 => {}
            4..8 => select(union, &union.members[first].value, &mut object),
            _ => select_anything(random, of, union, &mut object),
        }
    }
    object
}

/// Adds random fields that do not belong to a union.
fn fill_other_fields(random: &mut Random, of: &Struct, object: &mut Object) {
    for (name, field) in &of.fields {
        if name == API_VERSION {
            object.insert(name.clone(), json!("v1"));
        }
        if name == API_VERSION || of.unions.iter().any(|union| union.has_field(name)) {
            continue;
        }
        if random.chance(50) {
            object.insert(name.clone(), value(random, field));
        }
    }
}

fn change(random: &mut Random, of: &Struct, union: &Union, object: &mut Object) {
    let member = random.pick(&union.members);
    let add = |random: &mut Random, object: &mut Object| {
        if let Some(of) = of.field(&member.name) {
            object.insert(member.name.clone(), value(random, of));
        }
    };
    match random.below(20) {
        // The client does not change the union.
        0..7 => {}
        // The client switches to a member, and leaves fields that it does not know.
        7..10 => {
            add(random, object);
            select(union, &member.value, object);
        }
        // The client knows the discriminator, but not the members.
        10..12 => select(union, &member.value, object),
        // The client knows the members, but not the discriminator.
        12 => add(random, object),
        13..15 => {
            for other in &union.members {
                object.remove(&other.name);
            }
            add(random, object);
        }
        // The client clears a member.
        15 => drop(object.remove(&member.name)),
        16 => {
            for other in &union.members {
                object.remove(&other.name);
            }
            select_anything(random, of, union, object);
        }
        17 => drop(object.insert(member.name.clone(), Value::Null)),
        // The client drops a discriminator that it does not know, or sends an odd value.
        _ => select_anything(random, of, union, object),
    }
}

fn select(union: &Union, value: &str, object: &mut Object) {
    if let Some(discriminator) = &union.discriminator {
        object.insert(discriminator.name.clone(), json!(value));
    }
}

fn select_anything(random: &mut Random, of: &Struct, union: &Union, object: &mut Object) {
    let Some(discriminator) = &union.discriminator else {
        return;
    };
    match random.below(13) {
        0..3 => drop(object.remove(&discriminator.name)),
        3 => drop(object.insert(discriminator.name.clone(), Value::Null)),
        4 => select(union, "", object),
        5 | 6 => select(union, "Nothing", object),
        // This is the name of a member instead of its value. The member must be a scalar, because
        // the reference normalizes inside such a member, which the predicates do not predict.
        7..9 => {
            let is_scalar = |name: &str| {
                matches!(
                    of.field(name),
                    Some(Type::Integer | Type::Text | Type::Integers)
                )
            };
            let mut members = union.members.iter().map(|member| &member.name);
            if let Some(name) = members.find(|name| object.contains_key(*name) && is_scalar(name)) {
                select(union, name, object);
            }
        }
        _ => select(union, &random.pick(&union.members).value, object),
    }
}

fn value(random: &mut Random, of: &Type) -> Value {
    match of {
        Type::Integer => json!(random.below(3)),
        Type::Text => json!(random.pick(&["", "some", "text"])),
        Type::Integers => json!(vec![7; random.below(3)]),
        Type::Struct(held) => stored(random, held).into(),
        Type::Map(held) => map_keys(random)
            .into_iter()
            .map(|key| (key.to_owned(), Value::from(stored(random, held))))
            .collect::<Object>()
            .into(),
        Type::ListMap(held, keys) => {
            let mut elements: Vec<Value> = Vec::new();
            for _ in 0..random.below(3) {
                add_element(random, held, keys, &mut elements);
            }
            elements.into()
        }
        Type::List(held) => (0..random.below(3))
            .map(|_| Value::from(stored(random, held)))
            .collect(),
    }
}

/// Returns a value that a client may send if the stored value is `old`.
fn value_sent(random: &mut Random, of: &Type, old: &Value) -> Value {
    if random.chance(4) {
        return Value::Null;
    }
    match (of, old) {
        (Type::Struct(held), Value::Object(old)) => sent(random, held, old).into(),
        (Type::Map(held), Value::Object(old)) => {
            let kept: Vec<(&String, &Value)> = old.iter().filter(|_| random.chance(85)).collect();
            let mut new: Object = kept
                .into_iter()
                .map(|(key, old)| (key.clone(), struct_sent(random, held, old)))
                .collect();
            if random.chance(30) {
                new.insert("new".into(), stored(random, held).into());
            }
            new.into()
        }
        (Type::ListMap(held, keys), Value::Array(old)) => {
            let mut new: Vec<Value> = Vec::new();
            for element in old {
                if let Value::Object(old) = element
                    && random.chance(85)
                {
                    let mut changed = sent(random, held, old);
                    let named = keys.of(element);
                    for (key, value) in keys.0.iter().zip(named) {
                        changed.insert(key.name.to_owned(), value.clone());
                    }
                    leave_out_defaults(random, keys, &mut changed);
                    new.push(changed.into());
                }
            }
            if random.chance(30) {
                add_element(random, held, keys, &mut new);
            }
            random.shuffle(&mut new);
            new.into()
        }
        (Type::List(held), Value::Array(old)) => old
            .iter()
            .filter_map(Value::as_object)
            .map(|old| Value::from(sent(random, held, old)))
            .collect(),
        _ => value(random, of),
    }
}

/// Returns a struct in a map as a client may send it. The result may be null.
fn struct_sent(random: &mut Random, of: &Struct, old: &Value) -> Value {
    match old {
        Value::Object(old) if random.chance(97) => sent(random, of, old).into(),
        _ => Value::Null,
    }
}

fn map_keys(random: &mut Random) -> Vec<&'static str> {
    let mut keys = vec!["a", "b", "c"];
    random.shuffle(&mut keys);
    keys.truncate(random.below(3));
    keys
}

/// Adds an element, unless the list has an element with the same keys.
fn add_element(random: &mut Random, of: &Struct, keys: &Keys, elements: &mut Vec<Value>) {
    let mut element = stored(random, of);
    for key in &keys.0 {
        element.insert(key.name.to_owned(), random.pick(&key.values).clone());
    }
    leave_out_defaults(random, keys, &mut element);
    let element = Value::Object(element);
    if elements
        .iter()
        .all(|other| keys.of(other) != keys.of(&element))
    {
        elements.push(element);
    }
}

fn leave_out_defaults(random: &mut Random, keys: &Keys, element: &mut Object) {
    for key in keys.0.iter().filter(|key| key.has_default) {
        if element.get(key.name) == Some(&key.values[0]) && random.chance(50) {
            element.remove(key.name);
        }
    }
}
