//! Deserializes only the parts of an object that normalization reads.

use core::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::walk::shape::{ListKeys, Shape, ShapeId};
use k8s_json_internals::rows::row;

/// The part of a value that is deserialized.
#[derive(Clone, Copy)]
pub(crate) enum Part<'a> {
    /// No part of the value. The value must be valid JSON nevertheless.
    Nothing,
    /// The whole value.
    Whole,
    /// The fields that contain unions according to this shape, and the keys of the value, if the
    /// value is an element of a list of type map.
    Leading(&'a [Shape], &'a Shape, Option<&'a ListKeys>),
}

impl<'a> Part<'a> {
    /// Returns the part of a value that has the shape with this id. `keys` are the keys of the list
    /// that contains the value.
    pub(crate) fn at(shapes: &'a [Shape], id: ShapeId, keys: Option<&'a ListKeys>) -> Self {
        let shape = row(shapes, id);
        // Normalization may clear or restore any field of an object with unions, so the whole
        // object is needed.
        if shape.unions.is_empty() {
            Self::Leading(shapes, shape, keys)
        } else {
            Self::Whole
        }
    }

    /// Returns the part of the value of a field. `next` is the state of [`Shape::leads`]; it is 0
    /// before the first field of an object.
    fn of_field(self, name: &str, next: &mut usize) -> Self {
        let Self::Leading(shapes, shape, keys) = self else {
            return self;
        };
        match shape.leads(name, next) {
            Some(id) => Self::at(shapes, id, None),
            None if keys.is_some_and(|keys| keys.have(name)) => Self::Whole,
            None => Self::Nothing,
        }
    }

    fn of_element(self) -> Self {
        match self {
            Self::Leading(shapes, shape, _) => match shape.items {
                Some(id) => Self::at(shapes, id, Some(&shape.keys)),
                None => Self::Nothing,
            },
            other => other,
        }
    }
}

impl<'de> DeserializeSeed<'de> for Part<'_> {
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

impl<'de> Visitor<'de> for Part<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let (mut object, mut next) = (Map::new(), 0);
        while let Some((name, part)) = map.next_key_seed(Name(self, &mut next))? {
            let value = map.next_value_seed(part)?;
            if let Some(name) = name {
                object.insert(name, value);
            }
        }
        Ok(Value::Object(object))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let (part, mut elements) = (self.of_element(), Vec::new());
        while let Some(element) = list.next_element_seed(part)? {
            if !matches!(part, Part::Nothing) {
                elements.push(element);
            }
        }
        Ok(Value::Array(elements))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(match self {
            Self::Nothing => Value::Null,
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
/// and the name if the part is not `Nothing`. The number is the state of [`Shape::leads`].
struct Name<'a, 'n>(Part<'a>, &'n mut usize);

impl<'a, 'de> DeserializeSeed<'de> for Name<'a, '_> {
    type Value = (Option<String>, Part<'a>);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'a> Visitor<'_> for Name<'a, '_> {
    type Value = (Option<String>, Part<'a>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        let part = self.0.of_field(name, self.1);
        let is_read = !matches!(part, Part::Nothing);
        Ok((is_read.then(|| name.to_owned()), part))
    }
}
