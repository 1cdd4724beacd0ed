//! The result of a program in the public API.

mod typed_string;

use k8s_go_text::base64;
use k8s_go_text::duration::CelDuration;
use k8s_json_internals::deep::is_deeper;
use serde_json::{Map, Number, Value};

use crate::values::appended_list::into_item;
use crate::values::from_json::MAX_DEPTH;
use crate::values::value::{AppendedItem, AppendedStorage, Val};

/// The value that a program returns.
#[derive(Clone, Debug)]
pub struct CelValue<'v>(pub(crate) Val<'v>);

impl CelValue<'_> {
    /// Returns the value if it is a bool.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        self.0.as_bool()
    }

    /// Returns the value if it is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Val::String(string) => Some(string.as_str()),
            _ => None,
        }
    }

    /// Returns the value as JSON: a timestamp as the string `2024-02-29T12:00:00Z`, a duration as
    /// `1.5s`, bytes as base64.
    ///
    /// Returns `None` for values without a JSON form: optional values, types, and opaque values
    /// such as quantities and addresses; floats that are infinite or NaN; maps with keys that are
    /// not strings; values of more than 200 levels; and values whose strings, with 32 bytes for
    /// each value inside, have more than 64 MiB. A short expression can compute a value that is far
    /// larger, because the values inside are shared.
    #[must_use]
    pub fn to_json(&self) -> Option<Value> {
        let mut conversion = JsonConversion {
            remaining_bytes: MAX_JSON_BYTES,
        };
        conversion.convert(&self.0, MAX_DEPTH)
    }

    /// Returns the name of the type, as the CEL function `type()` does: `int`, `string`,
    /// `google.protobuf.Timestamp`.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        self.0.type_name()
    }
}

/// The maximum size of a converted value.
const MAX_JSON_BYTES: usize = 64 << 20;

/// The size that is added for each value, in addition to the size of its strings.
const VALUE_BYTES: usize = 32;

/// A conversion to JSON, which fails for a value without a JSON form, or that is too large.
struct JsonConversion {
    remaining_bytes: usize,
}

impl JsonConversion {
    /// Takes the size of a value with these bytes of strings.
    fn take(&mut self, string_bytes: usize) -> Option<()> {
        let bytes = string_bytes.checked_add(VALUE_BYTES)?;
        self.remaining_bytes = self.remaining_bytes.checked_sub(bytes)?;
        Some(())
    }

    /// Converts a value of at most `depth` levels.
    fn convert(&mut self, value: &Val<'_>, depth: u32) -> Option<Value> {
        let inner_depth = depth.checked_sub(1)?;
        self.take(0)?;
        Some(match value {
            Val::Null => Value::Null,
            Val::Bool(value) => (*value).into(),
            Val::Int(value) => (*value).into(),
            Val::Uint(value) => (*value).into(),
            Val::Double(value) => Number::from_f64(*value)?.into(),
            Val::String(string) => {
                self.take(string.as_str().len())?;
                string.as_str().into()
            }
            Val::Bytes(bytes) => {
                self.take(bytes.len())?;
                base64::encode(bytes).into()
            }
            Val::Timestamp(time) => time.to_string().into(),
            Val::Duration(nanos) => CelDuration(*nanos).to_string().into(),
            Val::List(values) => Value::Array(self.convert_all(values, inner_depth)?),
            Val::Map(entries) => {
                let entry = |(key, value): &(Val<'_>, Val<'_>)| {
                    let Val::String(key) = key else { return None };
                    self.take(key.as_str().len())?;
                    Some((key.as_str().to_owned(), self.convert(value, inner_depth)?))
                };
                let entries: Option<Map<_, _>> = entries.iter().map(entry).collect();
                Value::Object(entries?)
            }
            Val::AppendedList(appended) => Value::Array(match &appended.storage {
                AppendedStorage::Elements(items) => {
                    let items = items
                        .iter()
                        .map(|item| self.convert_item(item, inner_depth));
                    items.collect::<Option<_>>()?
                }
                AppendedStorage::Converted(_, values) => self.convert_all(values, inner_depth)?,
                AppendedStorage::Lists(items, added) => {
                    let items = items.iter().map(|item| self.copy(item, inner_depth));
                    let mut values = items.collect::<Option<Vec<_>>>()?;
                    for (_, list) in added {
                        values.extend(self.convert_appended(list, depth)?);
                    }
                    values
                }
            }),
            Val::JsonList(items, _) => {
                let items = items.iter().map(|item| self.copy(item, inner_depth));
                Value::Array(items.collect::<Option<_>>()?)
            }
            Val::JsonObject(object, _) => {
                let entry = |(key, value): (&String, &Value)| {
                    self.take(key.len())?;
                    Some((key.clone(), self.copy(value, inner_depth)?))
                };
                let entries: Option<Map<_, _>> = object.iter().map(entry).collect();
                Value::Object(entries?)
            }
            Val::Unstructured(value) => self.copy(value, inner_depth)?,
            _ => return None,
        })
    }

    fn convert_all(&mut self, values: &[Val<'_>], depth: u32) -> Option<Vec<Value>> {
        values
            .iter()
            .map(|value| self.convert(value, depth))
            .collect()
    }

    fn convert_item(&mut self, item: &AppendedItem<'_>, depth: u32) -> Option<Value> {
        match item {
            AppendedItem::Json(value) => self.copy(value, depth),
            AppendedItem::Computed(value) => self.convert(value, depth),
        }
    }

    /// Converts a list that an expression appended to a JSON list.
    fn convert_appended(&mut self, list: &Val<'_>, depth: u32) -> Option<Vec<Value>> {
        if let Val::List(values) = list {
            self.take(0)?;
            let inner_depth = depth.checked_sub(1)?;
            let values = values.iter().cloned().map(into_item);
            return values
                .map(|item| self.convert_item(&item, inner_depth))
                .collect();
        }
        match self.convert(list, depth)? {
            Value::Array(values) => Some(values),
            _ => None,
        }
    }

    /// Copies a JSON value of at most `depth` levels.
    fn copy(&mut self, value: &Value, depth: u32) -> Option<Value> {
        if is_deeper(value, depth as usize) {
            return None;
        }
        self.take_nested(value)?;
        Some(value.clone())
    }

    /// Takes the size of a JSON value with all values inside.
    fn take_nested(&mut self, value: &Value) -> Option<()> {
        match value {
            Value::String(string) => self.take(string.len()),
            Value::Array(items) => {
                self.take(0)?;
                items.iter().try_for_each(|item| self.take_nested(item))
            }
            Value::Object(object) => {
                self.take(0)?;
                object.iter().try_for_each(|(key, value)| {
                    self.take(key.len())?;
                    self.take_nested(value)
                })
            }
            _ => self.take(0),
        }
    }
}
