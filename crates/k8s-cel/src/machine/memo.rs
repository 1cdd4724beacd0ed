//! What was found in objects: rules of one value ask for the same fields again and again.

use serde_json::{Map, Value};

/// The last things that were found, each at a place that its object and its name give.
pub(super) struct Memo<'v> {
    found: [Option<Found<'v>>; PLACES],
}

#[derive(Clone, Copy)]
struct Found<'v> {
    object: &'v Map<String, Value>,
    name: &'v str,
    value: Option<&'v Value>,
}

const PLACES: usize = 32;

impl<'v> Memo<'v> {
    pub(super) const fn new() -> Self {
        Self {
            found: [None; PLACES],
        }
    }

    /// What an object has under a name.
    pub(super) fn get(
        &mut self,
        object: &'v Map<String, Value>,
        name: &'v str,
    ) -> Option<&'v Value> {
        let first = name.bytes().next().unwrap_or_default();
        // Objects that stand in one another's list are that far from each other.
        let number = core::ptr::from_ref(object).addr() / size_of::<Value>();
        let place = number
            .wrapping_add(name.len())
            .wrapping_add(usize::from(first) * 2);
        let Some(place) = self.found.get_mut(place % PLACES) else {
            return object.get(name);
        };
        if let Some(found) = place
            && core::ptr::eq(found.object, object)
            && (core::ptr::eq(found.name, name) || found.name == name)
        {
            return found.value;
        }
        let value = object.get(name);
        *place = Some(Found {
            object,
            name,
            value,
        });
        value
    }
}
