//! Objects with random values near a difference, for effects that need several values at once.

use serde_json::Value;
use union_json::document::{SchemaPath, SchemaStep};

use crate::edges::placement::with_value;
use crate::edges::values::edge_values;
use crate::sample::json_size::json_size;

/// The maximum number of values that are varied.
const NODES: usize = 40;

/// The maximum number of levels below the anchor in which values are varied.
const LEVELS: usize = 4;

/// The maximum number of bytes of a random value, as JSON.
const VALUE_BYTES: usize = 400;

/// The number of random values for one place.
const VALUES: usize = 24;

/// A random number generator, the same on each machine (`SplitMix64`).
pub(crate) struct Choices(u64);

impl Choices {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below `end`; 0 if `end` is 0.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let end = u64::try_from(end).unwrap_or(1).max(1);
        usize::try_from(mixed % end).unwrap_or(0)
    }
}

/// The places near a difference, each with its values.
pub(crate) struct Neighborhood {
    places: Vec<(SchemaPath, Vec<Value>)>,
}

impl Neighborhood {
    /// Returns the places below an ancestor of a path.
    pub(crate) fn new(merged: &Value, schemas: [&Value; 2], path: &SchemaPath) -> Self {
        let mut anchor = path.clone();
        for _ in 0..2 {
            match anchor.parent() {
                Some(parent) if !parent.is_root() || path.steps().count() <= 2 => anchor = parent,
                _ => break,
            }
        }
        let mut paths = Vec::new();
        if let Some(schema) = anchor.find(merged) {
            add_paths(&anchor, schema, &mut paths, 0);
        }
        // The places around the difference come first.
        paths.sort_by_key(|place| {
            let is_near = place.starts_with(path) || path.starts_with(place);
            (!is_near, place.steps().count())
        });
        paths.truncate(NODES);
        let places = paths.into_iter().map(|path| {
            let schemas = schemas.into_iter().filter_map(|schema| path.find(schema));
            let mut values = edge_values(schemas.collect::<Vec<_>>()).into_list();
            values.retain(|value| json_size(value, VALUE_BYTES).is_some());
            (path, values)
        });
        Self {
            places: places.collect(),
        }
    }

    /// Returns an object with a few random changes.
    pub(crate) fn change(
        &self,
        object: &Value,
        merged: &Value,
        choices: &mut Choices,
    ) -> Option<Value> {
        let mut object = object.clone();
        let count = 1 + choices.below(4);
        for _ in 0..count {
            let (path, values) = self.places.get(choices.below(self.places.len()))?;
            // The first values are valid more often.
            let end = if choices.below(3) == 0 {
                values.len()
            } else {
                VALUES.min(values.len())
            };
            let value = match choices.below(6) {
                0 => None,
                _ => values.get(choices.below(end)),
            };
            if let Some(changed) = with_value(&object, merged, path, value) {
                object = changed;
            }
        }
        Some(object)
    }
}

fn add_paths(path: &SchemaPath, schema: &Value, paths: &mut Vec<SchemaPath>, level: usize) {
    if paths.len() > 8 * NODES {
        return;
    }
    if !path.is_root() {
        paths.push(path.clone());
    }
    if level >= LEVELS {
        return;
    }
    let Some(fields) = schema.as_object() else {
        return;
    };
    for (step, child) in SchemaStep::subschemas(fields) {
        add_paths(&path.clone().step(step), child, paths, level + 1);
    }
}
