//! Paths from a schema to a schema inside it.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::pointer::{escape, unescape};

/// A path from a schema to a schema inside it. Each step leads to a property, to the elements of a
/// list, or to the values of a map.
///
/// ```
/// use serde_json::json;
/// use union_json::document::{SchemaPath, SchemaStep};
///
/// let path = SchemaPath::root().property("a/b").items();
/// assert_eq!(path.to_string(), "/properties/a~1b/items");
/// assert_eq!(SchemaPath::from_pointer("/properties/a~1b/items"), Some(path.clone()));
/// assert_eq!(path.to_field_notation(), "a/b[*]");
/// assert_eq!(path.steps().next(), Some(SchemaStep::Property("a/b")));
///
/// let schema = json!({"properties": {"a/b": {"items": {"type": "string"}}}});
/// assert_eq!(path.find(&schema), Some(&json!({"type": "string"})));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SchemaPath {
    steps: Vec<OwnedStep>,
}

/// A step from a schema to a schema directly inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SchemaStep<'a> {
    /// The schema of a property.
    Property(&'a str),
    /// The schema of the elements of a list.
    Items,
    /// The schema of the values of a map.
    AdditionalProperties,
}

/// An owned [`SchemaStep`]. Clones of a path share the names of properties.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum OwnedStep {
    Property(Arc<str>),
    Items,
    AdditionalProperties,
}

impl OwnedStep {
    fn borrow(&self) -> SchemaStep<'_> {
        match self {
            Self::Property(name) => SchemaStep::Property(name),
            Self::Items => SchemaStep::Items,
            Self::AdditionalProperties => SchemaStep::AdditionalProperties,
        }
    }
}

impl SchemaPath {
    /// Returns the path from a schema to itself, which has no steps.
    #[must_use]
    pub const fn root() -> Self {
        Self { steps: Vec::new() }
    }

    /// Converts a JSON pointer to a path. Returns `None` if the pointer contains other keywords
    /// than `properties`, `items` and `additionalProperties`.
    #[must_use]
    pub fn from_pointer(pointer: &str) -> Option<Self> {
        let mut path = Self::root();
        let Some(tokens) = pointer.strip_prefix('/') else {
            return pointer.is_empty().then_some(path);
        };
        let mut tokens = tokens.split('/');
        while let Some(token) = tokens.next() {
            path = match token {
                "properties" => path.property(&unescape(tokens.next()?)),
                "items" => path.items(),
                "additionalProperties" => path.additional_properties(),
                _ => return None,
            };
        }
        Some(path)
    }

    /// Adds a step to a property.
    #[must_use]
    pub fn property(mut self, name: &str) -> Self {
        self.steps.push(OwnedStep::Property(name.into()));
        self
    }

    /// Adds a step to the elements of a list.
    #[must_use]
    pub fn items(mut self) -> Self {
        self.steps.push(OwnedStep::Items);
        self
    }

    /// Adds a step to the values of a map.
    #[must_use]
    pub fn additional_properties(mut self) -> Self {
        self.steps.push(OwnedStep::AdditionalProperties);
        self
    }

    /// Adds a step.
    #[must_use]
    pub fn step(self, step: SchemaStep<'_>) -> Self {
        match step {
            SchemaStep::Property(name) => self.property(name),
            SchemaStep::Items => self.items(),
            SchemaStep::AdditionalProperties => self.additional_properties(),
        }
    }

    /// Returns the steps, from the outermost schema inwards.
    pub fn steps(
        &self,
    ) -> impl DoubleEndedIterator<Item = SchemaStep<'_>> + ExactSizeIterator + Clone {
        self.steps.iter().map(OwnedStep::borrow)
    }

    /// Returns true if the path has no steps.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the path without its last step, or `None` if the path has no steps.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let (_, parent_steps) = self.steps.split_last()?;
        let steps = parent_steps.to_vec();
        Some(Self { steps })
    }

    /// Returns the steps after `outer`, or `None` if the path does not start with `outer`.
    #[must_use]
    pub fn strip_prefix(&self, outer: &Self) -> Option<Self> {
        let inner_steps = self.steps.strip_prefix(&*outer.steps)?;
        let steps = inner_steps.to_vec();
        Some(Self { steps })
    }

    /// Returns true if the path begins with all steps of `outer`.
    #[must_use]
    pub fn starts_with(&self, outer: &Self) -> bool {
        self.steps.starts_with(&outer.steps)
    }

    /// Returns the schema at this path in `schema`, or `None` if there is no such schema.
    #[must_use]
    pub fn find<'v>(&self, schema: &'v Value) -> Option<&'v Value> {
        self.steps()
            .try_fold(schema, |schema, step| step.find(schema))
    }

    /// Returns the path like a path in an object, with `*` for each index of a list and each key of
    /// a map: `spec.rules[*].labels[*]`.
    #[must_use]
    pub fn to_field_notation(&self) -> String {
        let mut notation = String::new();
        for step in self.steps() {
            match step {
                SchemaStep::Property(name) => {
                    if !notation.is_empty() {
                        notation.push('.');
                    }
                    notation.push_str(name);
                }
                SchemaStep::Items | SchemaStep::AdditionalProperties => notation.push_str("[*]"),
            }
        }
        notation
    }
}

/// Prints the path as a JSON pointer.
impl fmt::Display for SchemaPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in self.steps() {
            write!(f, "/{}", step.keyword())?;
            if let SchemaStep::Property(name) = step {
                write!(f, "/{}", escape(name))?;
            }
        }
        Ok(())
    }
}

impl<'a> SchemaStep<'a> {
    /// Returns the keyword that contains the inner schema.
    #[must_use]
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::Property(_) => "properties",
            Self::Items => "items",
            Self::AdditionalProperties => "additionalProperties",
        }
    }

    /// Returns the schema at this step in `schema`, or `None` if there is no such schema.
    #[must_use]
    pub fn find(self, schema: &Value) -> Option<&Value> {
        let value = schema.get(self.keyword())?;
        match self {
            Self::Property(name) => value.get(name),
            Self::Items | Self::AdditionalProperties => Some(value),
        }
    }

    /// Returns the schemas directly inside a schema, each with its step. The order is: properties,
    /// elements of a list, values of a map. Values that are not objects are skipped.
    pub fn subschemas(schema: &'a Map<String, Value>) -> impl Iterator<Item = (Self, &'a Value)> {
        let properties = schema.get("properties").and_then(Value::as_object);
        let properties = properties.into_iter().flatten();
        let properties = properties.map(|(name, schema)| (Self::Property(name), schema));
        let items_and_values = [Self::Items, Self::AdditionalProperties].into_iter();
        let items_and_values =
            items_and_values.filter_map(|step| Some((step, schema.get(step.keyword())?)));
        properties
            .chain(items_and_values)
            .filter(|(_, subschema)| subschema.is_object())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{SchemaPath, SchemaStep};

    #[test]
    fn from_pointer_parses_the_printed_path() {
        for pointer in [
            "",
            "/properties/a",
            "/properties/",
            "/properties/properties/items/additionalProperties/properties/a~1b~01",
        ] {
            let path = SchemaPath::from_pointer(pointer);
            assert_eq!(path.map(|path| path.to_string()).as_deref(), Some(pointer));
        }
    }

    #[test]
    fn a_pointer_with_other_keywords_or_without_a_name_is_not_a_path() {
        for pointer in [
            "properties/a",
            "/",
            "/properties",
            "/items/0",
            "/allOf/0",
            "//items",
        ] {
            assert_eq!(SchemaPath::from_pointer(pointer), None, "{pointer}");
        }
    }

    #[test]
    fn strip_prefix_compares_whole_property_names() {
        let outer = SchemaPath::root().property("a");
        let sibling = SchemaPath::root().property("ab").items();
        assert_eq!(sibling.strip_prefix(&outer), None);
        let inner = outer.clone().items();
        assert_eq!(inner.strip_prefix(&outer), Some(SchemaPath::root().items()));
        assert_eq!(inner.parent(), Some(outer));
    }

    #[test]
    fn subschemas_skips_values_that_are_not_objects() {
        let schema = json!({
            "additionalProperties": {}, "items": [{}], "properties": {"b": true, "a": {}},
        });
        let steps: Vec<SchemaStep<'_>> = SchemaStep::subschemas(schema.as_object().unwrap())
            .map(|(step, _)| step)
            .collect();
        assert_eq!(
            steps,
            [SchemaStep::Property("a"), SchemaStep::AdditionalProperties]
        );
    }
}
