//! Selects one object among the documents of a file.

use serde_json::Value;

use super::documents::Documents;
use super::object_source::{ObjectSource, list_items};
use crate::error::CommandError;
use crate::input::object;

/// An object, and its position among the documents and list elements of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocatedObject<'v> {
    /// The index of the document. Null documents are not counted.
    pub(crate) document: usize,
    /// The index in `items`, if the object is an element of a `List`.
    pub(crate) item: Option<usize>,
    pub(crate) object: &'v Value,
}

impl LocatedObject<'_> {
    /// Returns the JSON pointer of the object in its document.
    pub(crate) fn pointer(&self) -> String {
        self.item
            .map_or_else(String::new, |index| format!("/items/{index}"))
    }
}

impl Documents {
    /// Returns the objects: each document, or each element if the document is a `List`, as `kubectl
    /// get` writes it.
    pub(crate) fn objects(&self) -> impl Iterator<Item = &Value> {
        self.located_objects().map(|located| located.object)
    }

    /// Returns the objects with their positions.
    pub(crate) fn located_objects(&self) -> impl Iterator<Item = LocatedObject<'_>> {
        self.values
            .iter()
            .enumerate()
            .flat_map(|(document, value)| {
                let (objects, is_list_item) = match list_items(value) {
                    Some(items) => (items.as_slice(), true),
                    None => (std::slice::from_ref(value), false),
                };
                objects
                    .iter()
                    .enumerate()
                    .map(move |(index, object)| LocatedObject {
                        document,
                        item: is_list_item.then_some(index),
                        object,
                    })
            })
    }

    /// Returns the source of the document of an object; `None` if the sources were not kept.
    pub(crate) fn document_source(&self, object: LocatedObject<'_>) -> Option<ObjectSource> {
        let document = self.sources.get(object.document)?;
        Some(ObjectSource::new(document, None))
    }

    /// Returns the source of an object; `None` if the sources were not kept.
    pub(crate) fn source_of(&self, object: LocatedObject<'_>) -> Option<ObjectSource> {
        let document = self.sources.get(object.document)?;
        Some(ObjectSource::new(document, object.item))
    }

    /// Returns the only object; `None` if there are none or several.
    pub(crate) fn single_object(&self) -> Option<&Value> {
        let mut objects = self.objects();
        match (objects.next(), objects.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }

    /// Returns the only object, or the only object that matches if there are several. `wanted`
    /// describes the object for messages.
    pub(crate) fn select_object(
        &self,
        wanted: &str,
        matches: impl Fn(&Value) -> bool,
    ) -> Result<&Value, CommandError> {
        if let Some(only) = self.single_object() {
            return Ok(only);
        }
        let count = self.objects().count();
        let mut matching = self.objects().filter(|value| matches(value));
        let problem = match (count, matching.next(), matching.next()) {
            (0, ..) => format!("empty input; expected {wanted}"),
            (_, Some(value), None) => return Ok(value),
            (_, Some(_), Some(_)) => {
                format!("several of {count} objects match; pass only {wanted}")
            }
            (_, None, _) => format!("none of {count} objects matches; pass only {wanted}"),
        };
        Err(CommandError::new(self.file.as_str(), problem))
    }

    /// Returns a note that names the selected object, if there are several objects.
    pub(crate) fn note_on_choice(&self, selected: &Value) -> Option<String> {
        let count = self.objects().count();
        let name = object::display_name(selected);
        let file = &self.file;
        (count > 1).then(|| format!("{file} has {count} objects; using {name}"))
    }
}
