//! Metadata that was coerced, or another object whose types were checked, field by field. What is not there is empty.

use serde_json::{Map, Value};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Meta<'v>(Option<&'v Map<String, Value>>);

impl<'v> Meta<'v> {
    pub(crate) fn of(metadata: Option<&'v Value>) -> Self {
        Self(metadata.and_then(Value::as_object))
    }

    /// A field; one that is null is not there.
    pub(crate) fn get(self, name: &str) -> Option<&'v Value> {
        self.0?.get(name).filter(|value| !value.is_null())
    }

    pub(crate) fn text(self, name: &str) -> &'v str {
        text(self.get(name))
    }

    pub(crate) fn integer(self, name: &str) -> i64 {
        let integer = self.get(name).and_then(Value::as_i64);
        integer.unwrap_or_default()
    }

    pub(crate) fn boolean(self, name: &str) -> bool {
        self.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    /// An object inside; one that is not there has no fields.
    pub(crate) fn inside(self, name: &str) -> Self {
        Self::of(self.get(name))
    }

    pub(crate) fn list(self, name: &str) -> &'v [Value] {
        self.array(name).unwrap_or_default()
    }

    /// A list; `None` where there is none.
    pub(crate) fn array(self, name: &str) -> Option<&'v [Value]> {
        let list = self.get(name).and_then(Value::as_array);
        list.map(Vec::as_slice)
    }

    /// The texts of a map, by name.
    pub(crate) fn texts(self, name: &str) -> impl Iterator<Item = (&'v str, &'v str)> {
        let texts = self.get(name).and_then(Value::as_object);
        let texts = texts.into_iter().flatten();
        texts.map(|(name, value)| (name.as_str(), text(Some(value))))
    }
}

fn text(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}
