//! The choice of one document among several.

use serde_json::Value;

use super::documents::Documents;
use super::object_source::ObjectSource;
use crate::error::CommandError;
use crate::input::object;

/// An object, and its place in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocatedObject<'v> {
    /// The number of the document; null documents are not counted.
    pub(crate) document: usize,
    /// The number of the element, if the object is in a list.
    pub(crate) item: Option<usize>,
    pub(crate) object: &'v Value,
}

impl LocatedObject<'_> {
    /// Returns the JSON pointer of the object in its document.
    pub(crate) fn pointer(&self) -> String {
        self.item
            .map_or_else(String::new, |at| format!("/items/{at}"))
    }
}

impl Documents {
    /// Returns the objects: the documents, and the elements of a `List`, as `kubectl get` writes
    /// it, one by one.
    pub(crate) fn objects(&self) -> impl Iterator<Item = &Value> {
        self.located_objects().map(|placed| placed.object)
    }

    /// Returns the objects with their places.
    pub(crate) fn located_objects(&self) -> impl Iterator<Item = LocatedObject<'_>> {
        self.values
            .iter()
            .enumerate()
            .flat_map(|(document, value)| {
                let is_list = value.get("kind").is_some_and(|kind| kind == "List");
                let items = value.get("items").and_then(Value::as_array);
                let (objects, of_list) = match items.filter(|_| is_list) {
                    Some(items) => (items.as_slice(), true),
                    None => (std::slice::from_ref(value), false),
                };
                objects
                    .iter()
                    .enumerate()
                    .map(move |(at, object)| LocatedObject {
                        document,
                        item: of_list.then_some(at),
                        object,
                    })
            })
    }

    /// Returns the source of the whole document of an object, if the sources were kept.
    pub(crate) fn document_source(&self, object: LocatedObject<'_>) -> Option<ObjectSource> {
        let document = self.sources.get(object.document)?;
        Some(ObjectSource::new(document, None))
    }

    /// Returns the source of an object, if the sources were kept.
    pub(crate) fn source_of(&self, object: LocatedObject<'_>) -> Option<ObjectSource> {
        let document = self.sources.get(object.document)?;
        Some(ObjectSource::new(document, object.item))
    }

    /// Returns the object; `None` if there is not exactly one.
    pub(crate) fn single_object(&self) -> Option<&Value> {
        let mut objects = self.objects();
        match (objects.next(), objects.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }

    /// Returns the only object, or, of several, the only one that fits; `wanted` describes the
    /// object for messages.
    pub(crate) fn select_object(
        &self,
        wanted: &str,
        fits: impl Fn(&Value) -> bool,
    ) -> Result<&Value, CommandError> {
        if let Some(only) = self.single_object() {
            return Ok(only);
        }
        let count = self.objects().count();
        let mut fitting = self.objects().filter(|value| fits(value));
        let problem = match (count, fitting.next(), fitting.next()) {
            (0, ..) => format!("empty input; expected {wanted}"),
            (_, Some(value), None) => return Ok(value),
            (_, Some(_), Some(_)) => {
                format!("several of {count} objects match; pass only {wanted}")
            }
            (_, None, _) => format!("none of {count} objects matches; pass only {wanted}"),
        };
        Err(CommandError::new(self.file.as_str(), problem))
    }

    /// Returns a note on which object was chosen, if there are several.
    pub(crate) fn note_on_choice(&self, chosen: &Value) -> Option<String> {
        let count = self.objects().count();
        let name = object::display_name(chosen);
        let file = &self.file;
        (count > 1).then(|| format!("{file} has {count} objects; using {name}"))
    }
}
