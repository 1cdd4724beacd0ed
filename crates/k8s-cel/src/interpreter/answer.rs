//! The result of a program, as the public API shows it.

mod typed;

use k8s_go_text::base64;
use k8s_go_text::duration::Seconds;
use k8s_json_internals::deep::is_deeper;
use serde_json::{Map, Number, Value};

use crate::values::convert::DEEPEST;
use crate::values::joined::native;
use crate::values::value::{Item, Kept, Val};

/// The result of a program.
#[derive(Clone, Debug)]
pub struct Answer<'v>(pub(crate) Val<'v>);

impl Answer<'_> {
    /// Returns the value if it is a bool.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        self.0.as_bool()
    }

    /// Returns the value if it is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Val::Text(text) => Some(text.as_str()),
            _ => None,
        }
    }

    /// Returns the value as JSON: a timestamp as `2024-02-29T12:00:00Z`, a duration as `1.5s`,
    /// bytes as base64.
    ///
    /// Returns `None` for values that JSON does not have: optional values, types, quantities,
    /// addresses and the like; floats that are infinite or not a number; maps whose keys are not
    /// strings; and values of more than 200 levels.
    #[must_use]
    pub fn to_json(&self) -> Option<Value> {
        to_json(&self.0, DEEPEST)
    }

    /// Returns the name of the type, as `type()` of CEL does: `int`, `string`,
    /// `google.protobuf.Timestamp`.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        self.0.type_name()
    }
}

fn to_json(value: &Val<'_>, levels: u32) -> Option<Value> {
    let below = levels.checked_sub(1)?;
    let is_deeper = |value: &Value| is_deeper(value, below as usize);
    Some(match value {
        Val::Null => Value::Null,
        Val::Bool(value) => (*value).into(),
        Val::Int(value) => (*value).into(),
        Val::Uint(value) => (*value).into(),
        Val::Double(value) => Number::from_f64(*value)?.into(),
        Val::Text(text) => text.as_str().into(),
        Val::Bytes(bytes) => base64::encode(bytes).into(),
        Val::Timestamp(time) => time.to_string().into(),
        Val::Duration(nanos) => Seconds(*nanos).to_string().into(),
        Val::List(values) => {
            let values = values.iter().map(|value| to_json(value, below));
            Value::Array(values.collect::<Option<_>>()?)
        }
        Val::Map(entries) => {
            let entry = |(key, value): &(Val<'_>, Val<'_>)| match key {
                Val::Text(key) => Some((key.as_str().to_owned(), to_json(value, below)?)),
                _ => None,
            };
            let entries: Option<Map<_, _>> = entries.iter().map(entry).collect();
            Value::Object(entries?)
        }
        Val::Joined(joined) => Value::Array(match &joined.kept {
            Kept::Each(items) => {
                let items = items.iter().map(|item| item_to_json(item, below));
                items.collect::<Option<_>>()?
            }
            Kept::Lists(items, added) => {
                let items = items
                    .iter()
                    .map(|item| item_to_json(&Item::Json(item), below));
                let mut values = items.collect::<Option<Vec<_>>>()?;
                for (_, list) in added {
                    values.extend(added_to_json(list, levels)?);
                }
                values
            }
        }),
        Val::Items(items, _) if !items.iter().any(is_deeper) => Value::Array(items.to_vec()),
        Val::Object(object, _) if !object.values().any(is_deeper) => {
            Value::Object((*object).clone())
        }
        Val::Unknown(value) if !is_deeper(value) => (*value).clone(),
        _ => return None,
    })
}

fn item_to_json(item: &Item<'_>, levels: u32) -> Option<Value> {
    match item {
        Item::Json(value) => (!is_deeper(value, levels as usize)).then(|| (*value).clone()),
        Item::Made(value) => to_json(value, levels),
    }
}

/// Converts a list that was added to a list of the object.
fn added_to_json(list: &Val<'_>, levels: u32) -> Option<Vec<Value>> {
    if let Val::List(values) = list {
        let below = levels.checked_sub(1)?;
        let values = values.iter().cloned().map(native);
        return values.map(|item| item_to_json(&item, below)).collect();
    }
    match to_json(list, levels)? {
        Value::Array(values) => Some(values),
        _ => None,
    }
}
