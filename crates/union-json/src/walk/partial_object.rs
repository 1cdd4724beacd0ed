//! Deserializes only the parts of an object that normalization reads.

use core::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::walk::compiled_node::{CompiledNode, ListKeys, NodeId};
use k8s_json_internals::entry::{may_be_number, number};
use k8s_json_internals::rows::row;

/// The part of a value that is deserialized.
#[derive(Clone, Copy)]
pub(crate) enum PartialObject<'a> {
    /// No part of the value. The value must be valid JSON nevertheless.
    Ignored,
    /// The whole value.
    Whole,
    /// The fields that contain unions according to this shape, and the keys of the value, if the
    /// value is an element of a list of type map.
    FieldsWithUnions(&'a [CompiledNode], &'a CompiledNode, Option<&'a ListKeys>),
}

impl<'a> PartialObject<'a> {
    /// Returns the part of a value that has the shape with this id. `keys` are the keys of the list
    /// that contains the value.
    pub(crate) fn new(shapes: &'a [CompiledNode], id: NodeId, keys: Option<&'a ListKeys>) -> Self {
        let shape = row(shapes, id);
        // Normalization may clear or restore any field of an object with unions, so the whole
        // object is needed.
        if shape.unions.is_empty() {
            Self::FieldsWithUnions(shapes, shape, keys)
        } else {
            Self::Whole
        }
    }

    /// Returns the part of the value of a field. `next` is the state of [`CompiledNode::leads`]; it
    /// is 0 before the first field of an object.
    fn for_field(self, name: &str, next: &mut usize) -> Self {
        let Self::FieldsWithUnions(shapes, shape, keys) = self else {
            return self;
        };
        match shape.field_node(name, next) {
            Some(id) => Self::new(shapes, id, None),
            None if keys.is_some_and(|keys| keys.has_key(name)) => Self::Whole,
            None => Self::Ignored,
        }
    }

    fn for_element(self) -> Self {
        match self {
            Self::FieldsWithUnions(shapes, shape, _) => match shape.items {
                Some(id) => Self::new(shapes, id, Some(&shape.keys)),
                None => Self::Ignored,
            },
            other => other,
        }
    }
}

impl<'de> DeserializeSeed<'de> for PartialObject<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        match self {
            Self::Whole => Value::deserialize(deserializer),
            // `IgnoredAny` would accept more: a value that is not kept must be as valid as a value
            // that is kept, and not deeper.
            _ => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for PartialObject<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let (mut object, mut next) = (Map::new(), 0);
        while let Some((name, part)) = map.next_key_seed(FieldNameSeed(self, &mut next))? {
            if let Some(name) = name.as_ref().filter(|name| may_be_number(name)) {
                // The number may be at the place of an object, so it is not read as one.
                let value = map.next_value()?;
                match number(name, &value).filter(|_| object.is_empty()) {
                    Some(number) => return Ok(Value::Number(number)),
                    None => object.insert(name.clone(), value),
                };
                continue;
            }
            let value = map.next_value_seed(part)?;
            if let Some(name) = name {
                object.insert(name, value);
            }
        }
        Ok(Value::Object(object))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let (part, mut elements) = (self.for_element(), Vec::new());
        while let Some(element) = list.next_element_seed(part)? {
            if !matches!(part, PartialObject::Ignored) {
                elements.push(element);
            }
        }
        Ok(Value::Array(elements))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(match self {
            Self::Ignored => Value::Null,
            _ => text.into(),
        })
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.deserialize(deserializer)
    }
}

/// A deserializer of the name of a field. It returns the part of the field's value that is read,
/// and the name if the part is not `Nothing`, or if the field may be a number. The number is the
/// state of [`CompiledNode::leads`].
struct FieldNameSeed<'a, 'n>(PartialObject<'a>, &'n mut usize);

impl<'a, 'de> DeserializeSeed<'de> for FieldNameSeed<'a, '_> {
    type Value = (Option<String>, PartialObject<'a>);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'a> Visitor<'_> for FieldNameSeed<'a, '_> {
    type Value = (Option<String>, PartialObject<'a>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        let part = self.0.for_field(name, self.1);
        let is_read = !matches!(part, PartialObject::Ignored) || may_be_number(name);
        Ok((is_read.then(|| name.to_owned()), part))
    }
}
