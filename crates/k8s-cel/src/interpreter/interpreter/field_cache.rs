//! A cache of the fields of objects: the rules of a value read the same fields again and again.

use serde_json::{Map, Value};

/// The last fields that were looked up. The object and the name of a field determine its place.
pub(super) struct FieldCache<'v> {
    entries: [Option<CacheEntry<'v>>; ENTRIES],
}

#[derive(Clone, Copy)]
struct CacheEntry<'v> {
    object: &'v Map<String, Value>,
    name: &'v str,
    value: Option<&'v Value>,
}

const ENTRIES: usize = 32;

/// Returns the part of a field's place that depends on its name.
pub(crate) fn name_hash(name: &str) -> usize {
    let first = name.bytes().next().unwrap_or_default();
    name.len() + usize::from(first) * 2
}

impl<'v> FieldCache<'v> {
    pub(super) const fn new() -> Self {
        Self {
            entries: [None; ENTRIES],
        }
    }

    /// Returns the field of an object under a name. `place` is the [place](place_of) of the name.
    #[inline]
    pub(super) fn get(
        &mut self,
        object: &'v Map<String, Value>,
        name: &'v str,
        place: usize,
    ) -> Option<&'v Value> {
        // Objects in the same list have this distance in memory.
        let number = core::ptr::from_ref(object).addr() / size_of::<Value>();
        let place = self.entries.get_mut(number.wrapping_add(place) % ENTRIES)?;
        match place {
            // All programs share the name of a field.
            Some(found)
                if core::ptr::eq(found.object, object) && core::ptr::eq(found.name, name) =>
            {
                found.value
            }
            place => look_up(place, object, name),
        }
    }
}

#[inline(never)]
fn look_up<'v>(
    place: &mut Option<CacheEntry<'v>>,
    object: &'v Map<String, Value>,
    name: &'v str,
) -> Option<&'v Value> {
    let value = object.get(name);
    *place = Some(CacheEntry {
        object,
        name,
        value,
    });
    value
}
