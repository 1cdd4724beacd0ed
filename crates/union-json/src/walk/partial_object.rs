//! Deserializes only the parts of an object that normalization reads.

use core::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::walk::compiled_node::{CompiledNode, ListKeys, NodeId};
use k8s_json_internals::entry::{may_be_number, number};
use k8s_json_internals::rows::row;

/// A deserializer seed that keeps only a part of a value.
#[derive(Clone, Copy)]
pub(crate) enum PartialObject<'a> {
    /// Keeps nothing. The value must be valid JSON nevertheless.
    Ignored,
    /// Keeps the whole value.
    Whole,
    /// Keeps the fields that contain unions according to the node. If the value is an element of a
    /// list of type map, also keeps the keys. The first slice contains all nodes of the schema.
    FieldsWithUnions(&'a [CompiledNode], &'a CompiledNode, Option<&'a ListKeys>),
}

impl<'a> PartialObject<'a> {
    /// Returns the part of a value that has the node with this id. `keys` are the keys of the list
    /// that contains the value.
    pub(crate) fn new(nodes: &'a [CompiledNode], id: NodeId, keys: Option<&'a ListKeys>) -> Self {
        let node = row(nodes, id);
        // Normalization may clear or restore any field of an object with unions, so the whole
        // object is needed.
        if node.unions.is_empty() {
            Self::FieldsWithUnions(nodes, node, keys)
        } else {
            Self::Whole
        }
    }

    /// Returns the part of a field's value. `next_index` is the state of
    /// [`CompiledNode::field_node`], and 0 before the first field of an object.
    fn for_field(self, name: &str, next_index: &mut usize) -> Self {
        let Self::FieldsWithUnions(nodes, node, keys) = self else {
            return self;
        };
        match node.field_node(name, next_index) {
            Some(id) => Self::new(nodes, id, None),
            None if keys.is_some_and(|keys| keys.has_key(name)) => Self::Whole,
            None => Self::Ignored,
        }
    }

    /// Returns the part of the elements of a list.
    fn for_element(self) -> Self {
        match self {
            Self::FieldsWithUnions(nodes, node, _) => match node.items {
                Some(id) => Self::new(nodes, id, Some(&node.keys)),
                None => Self::Ignored,
            },
            Self::Ignored | Self::Whole => self,
        }
    }
}

impl<'de> DeserializeSeed<'de> for PartialObject<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        match self {
            Self::Whole => Value::deserialize(deserializer),
            // `IgnoredAny` would accept more values. A value that is not kept must be as valid as a
            // kept value, and may not be deeper.
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
        let mut object = Map::new();
        let mut next_index = 0;
        while let Some((name, part)) = map.next_key_seed(FieldNameSeed {
            object: self,
            next_index: &mut next_index,
        })? {
            if let Some(name) = name.as_ref().filter(|name| may_be_number(name)) {
                // With `arbitrary_precision`, the map may encode a number. Deserializing the value
                // as an object would lose the number.
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

    fn visit_str<E: Error>(self, string: &str) -> Result<Value, E> {
        Ok(match self {
            Self::Ignored => Value::Null,
            _ => string.into(),
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

/// Deserializes the name of a field, and returns the part of the field's value that is kept. Also
/// returns the name if the value is kept, or if the field may be the encoding of a number.
struct FieldNameSeed<'a, 'n> {
    object: PartialObject<'a>,
    /// The state of [`CompiledNode::field_node`].
    next_index: &'n mut usize,
}

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
        let part = self.object.for_field(name, self.next_index);
        let is_read = !matches!(part, PartialObject::Ignored) || may_be_number(name);
        Ok((is_read.then(|| name.to_owned()), part))
    }
}
