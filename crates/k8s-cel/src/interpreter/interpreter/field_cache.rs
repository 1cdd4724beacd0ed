//! A cache of fields of objects, because the rules of a value read the same fields repeatedly.

use serde_json::{Map, Value};

/// The results of the last field lookups. The address of the object and the name of the field
/// determine the index of an entry.
pub(super) struct FieldCache<'v> {
    entries: [Option<CacheEntry<'v>>; CACHE_SIZE],
}

#[derive(Clone, Copy)]
struct CacheEntry<'v> {
    object: &'v Map<String, Value>,
    name: &'v str,
    value: Option<&'v Value>,
}

const CACHE_SIZE: usize = 32;

/// Returns a cheap hash of a field name, for [`FieldCache::get`]: most fields of an object differ
/// in the length or the first letter.
pub(crate) fn name_hash(name: &str) -> usize {
    let first = name.bytes().next().unwrap_or_default();
    name.len() + usize::from(first) * 2
}

impl<'v> FieldCache<'v> {
    pub(super) const fn new() -> Self {
        Self {
            entries: [None; CACHE_SIZE],
        }
    }

    /// Returns the value of a field of an object. `hash` is the [`name_hash`] of the name.
    #[inline]
    pub(super) fn get(
        &mut self,
        object: &'v Map<String, Value>,
        name: &'v str,
        hash: usize,
    ) -> Option<&'v Value> {
        // Objects in one list are at least one `Value` apart in memory.
        let object_number = core::ptr::from_ref(object).addr() / size_of::<Value>();
        let entry = self
            .entries
            .get_mut(object_number.wrapping_add(hash) % CACHE_SIZE)?;
        match entry {
            // All programs share one allocation of a field's name, so the pointers are compared.
            Some(cached)
                if core::ptr::eq(cached.object, object) && core::ptr::eq(cached.name, name) =>
            {
                cached.value
            }
            entry => replace_entry(entry, object, name),
        }
    }
}

/// Looks up a field, and stores the result in the entry.
#[inline(never)]
fn replace_entry<'v>(
    entry: &mut Option<CacheEntry<'v>>,
    object: &'v Map<String, Value>,
    name: &'v str,
) -> Option<&'v Value> {
    let value = object.get(name);
    *entry = Some(CacheEntry {
        object,
        name,
        value,
    });
    value
}
