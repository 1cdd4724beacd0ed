//! Reads a value without loss.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

use k8s_json_internals::entry::number;
use k8s_json_internals::number::JsonNumber;

/// Returns a number of a build in which `serde_json` has the feature `arbitrary_precision`, which
/// reads numbers of any size.
fn in_range<E: Error>(number: Number) -> Result<Value, E> {
    if JsonNumber::from_number(&number).as_float().is_finite() {
        Ok(Value::Number(number))
    } else {
        Err(E::custom("invalid JSON: number out of range"))
    }
}

/// A value that rejects duplicate keys and numbers that are not finite: [`Value`] itself keeps the
/// last of two equal keys, and reads such a number as null.
#[derive(Debug)]
pub(super) struct StrictValue(pub(super) Value);

impl<'de> Deserialize<'de> for StrictValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictValueVisitor).map(Self)
    }
}

struct StrictValueVisitor;

impl<'de> Visitor<'de> for StrictValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value);
        number.map(Value::Number).ok_or_else(|| {
            E::custom(format_args!(
                "{value} is not supported in JSON; use a finite number"
            ))
        })
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(StrictValue(value)) = elements.next_element()? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut values = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let is_first = values.is_empty();
            match values.entry(key) {
                Entry::Vacant(entry) => {
                    let StrictValue(value) = entries.next_value()?;
                    if let (true, Some(number)) = (is_first, number(entry.key(), &value)) {
                        return in_range(number);
                    }
                    entry.insert(value);
                }
                Entry::Occupied(entry) => {
                    return Err(A::Error::custom(format_args!(
                        "duplicate key {:?}; remove one",
                        entry.key()
                    )));
                }
            }
        }
        Ok(values.into())
    }
}
