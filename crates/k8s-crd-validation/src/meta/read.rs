//! Metadata that was coerced, field by field. What is not there is empty.

use serde_json::{Map, Value};

#[derive(Clone, Copy, Debug)]
pub(super) struct Meta<'v>(Option<&'v Map<String, Value>>);

impl<'v> Meta<'v> {
    pub(super) fn of(metadata: Option<&'v Value>) -> Self {
        Self(metadata.and_then(Value::as_object))
    }

    /// A field; one that is null is not there.
    pub(super) fn get(self, name: &str) -> Option<&'v Value> {
        self.0?.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn text(self, name: &str) -> &'v str {
        text(self.get(name))
    }

    pub(super) fn integer(self, name: &str) -> i64 {
        let integer = self.get(name).and_then(Value::as_i64);
        integer.unwrap_or_default()
    }

    pub(super) fn list(self, name: &str) -> &'v [Value] {
        let list = self.get(name).and_then(Value::as_array);
        list.map(Vec::as_slice).unwrap_or_default()
    }

    /// The texts of a map, by name.
    pub(super) fn texts(self, name: &str) -> impl Iterator<Item = (&'v str, &'v str)> {
        let texts = self.get(name).and_then(Value::as_object);
        let texts = texts.into_iter().flatten();
        texts.map(|(name, value)| (name.as_str(), text(Some(value))))
    }
}

fn text(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}
