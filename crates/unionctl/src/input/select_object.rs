//! Selects one object among the documents of a file.

use serde_json::Value;

use super::documents::Documents;
use super::list::list_items;
use super::object_source::ObjectSource;
use crate::error::CommandError;
use crate::input::object;

/// An object, with the index of its document in the file and its index in a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectInFile<'v> {
    /// The index of the document. Null documents are not counted.
    pub(crate) document: usize,
    /// The index in `items`, if the object is an element of a list.
    pub(crate) item: Option<usize>,
    pub(crate) object: &'v Value,
}

impl ObjectInFile<'_> {
    /// Returns the JSON pointer of the object in its document.
    pub(crate) fn pointer(&self) -> String {
        self.item
            .map_or_else(String::new, |index| format!("/items/{index}"))
    }
}

impl Documents {
    /// Returns the objects: each document, or each element if the document is a list, as an API
    /// server and `kubectl get` write it.
    pub(crate) fn objects(&self) -> impl Iterator<Item = &Value> {
        self.objects_in_file()
            .map(|object_in_file| object_in_file.object)
    }

    /// Returns the objects, with their indexes in the file.
    pub(crate) fn objects_in_file(&self) -> impl Iterator<Item = ObjectInFile<'_>> {
        self.values
            .iter()
            .enumerate()
            .flat_map(|(document, value)| {
                let (objects, is_list_item) = match list_items(value) {
                    Some(items) => (items, true),
                    None => (std::slice::from_ref(value), false),
                };
                objects
                    .iter()
                    .enumerate()
                    .map(move |(index, object)| ObjectInFile {
                        document,
                        item: is_list_item.then_some(index),
                        object,
                    })
            })
    }

    /// Returns the source of the document of an object; `None` if the sources were not kept.
    pub(crate) fn document_source(&self, object: ObjectInFile<'_>) -> Option<ObjectSource> {
        let document = self.sources.get(object.document)?;
        Some(ObjectSource::new(document, None))
    }

    /// Returns the source of an object; `None` if the sources were not kept.
    pub(crate) fn source_of(&self, object: ObjectInFile<'_>) -> Option<ObjectSource> {
        let document = self.sources.get(object.document)?;
        Some(ObjectSource::new(document, object.item))
    }

    /// Returns the only object; `None` if there are none or several.
    pub(crate) fn single_object(&self) -> Option<&Value> {
        let mut objects = self.objects();
        match (objects.next(), objects.next()) {
            (Some(object), None) => Some(object),
            _ => None,
        }
    }

    /// Returns the only object; if there are several, returns the only object that matches.
    /// `description` describes the object in messages.
    pub(crate) fn select_object(
        &self,
        description: &str,
        matches: impl Fn(&Value) -> bool,
    ) -> Result<&Value, CommandError> {
        if let Some(object) = self.single_object() {
            return Ok(object);
        }
        let object_count = self.objects().count();
        let mut matching_objects = self.objects().filter(|value| matches(value));
        let message = match (
            object_count,
            matching_objects.next(),
            matching_objects.next(),
        ) {
            (0, ..) => format!("empty input; expected {description}"),
            (_, Some(value), None) => return Ok(value),
            (_, Some(_), Some(_)) => {
                format!("several of {object_count} objects match; pass only {description}")
            }
            (_, None, _) => {
                format!("none of {object_count} objects matches; pass only {description}")
            }
        };
        Err(CommandError::new(self.file.as_str(), message))
    }

    /// Returns a note that names the selected object, if there are several objects.
    pub(crate) fn note_on_selection(&self, selected: &Value) -> Option<String> {
        let object_count = self.objects().count();
        let name = object::display_name(selected);
        let file = &self.file;
        (object_count > 1).then(|| format!("{file} has {object_count} objects; using {name}"))
    }
}
