//! Random creates and updates of an object with a union.

use serde_json::{Value, json};
use union_runtime::Ratchet;

use super::union::{Group, TYPE};
use crate::object::Object;
use crate::place::{Place, PlacedStruct};
use union_random::Random;

/// A create, or an update. The old object may lack the struct.
pub(super) struct Case {
    /// The struct with the union.
    pub(super) new: Object,
    /// The old struct, if it is correlated with the new one.
    pub(super) old: Option<Object>,
    pub(super) ratchet: Ratchet,
    /// The object that contains the struct.
    pub(super) new_object: Value,
    /// The old object, or `None` on a create.
    pub(super) old_object: Option<Value>,
    /// The path of `new` in `new_object`: as the path for the reference, as a string, and as a
    /// JSON pointer.
    pub(super) path: Value,
    pub(super) path_text: String,
    pub(super) pointer: String,
}

/// A field that does not belong to the union.
const NOTE: &str = "note";

impl Case {
    pub(super) fn random(group: &Group, random: &mut Random) -> Self {
        let mut old = random.chance(75).then(|| group.object(random));
        let mut new = match &old {
            Some(old) if random.chance(85) => group.changed(random, old),
            _ => group.object(random),
        };
        let is_update = old.is_some() || !matches!(group.place, Place::Root) && random.chance(30);
        let others = group.valid();
        let placed = group.place.put(random, Some(&new), &others);
        let old_placed = group.place.put(random, old.as_ref(), &others);
        // `put` adds a key to a struct in a list with keys, so the struct is read back.
        new = find(&placed).unwrap_or(new);
        old = old.map(|old| find(&old_placed).unwrap_or(old));
        // A struct in a list without keys is compared with an old struct only if the whole list is
        // unchanged.
        let has_old = group.place.correlates() || placed.object == old_placed.object;
        Self {
            new,
            old: old.filter(|_| has_old),
            ratchet: *random.pick(&[
                Ratchet::SameReason,
                Ratchet::SameReason,
                Ratchet::SameReason,
                Ratchet::SameReason,
                Ratchet::Unchanged,
                Ratchet::Off,
            ]),
            new_object: placed.object,
            old_object: is_update.then_some(old_placed.object),
            path: placed.path,
            path_text: placed.text,
            pointer: placed.pointer,
        }
    }
}

fn find(placed: &PlacedStruct) -> Option<Object> {
    let found = placed.object.pointer(&placed.pointer);
    found.and_then(Value::as_object).cloned()
}

impl Group {
    fn object(&self, random: &mut Random) -> Object {
        let mut object = Object::new();
        let one = random.below(self.members.len());
        let count = *random.pick(&[0, 1, 1, 1, 1, 2, 2, 3]);
        for i in 0..count {
            let member = &self.members[(one + i) % self.members.len()];
            object.insert(member.name.clone(), json!(random.below(2)));
        }
        if random.chance(5) {
            object.insert(random.pick(&self.members).name.clone(), Value::Null);
        }
        if random.chance(70) {
            if self.discriminator.is_some() {
                object.insert(TYPE.into(), json!(self.members[one].value));
            }
        } else {
            self.select(random, &mut object);
        }
        if random.chance(20) {
            object.insert(NOTE.into(), json!(random.below(2)));
        }
        object
    }

    fn changed(&self, random: &mut Random, old: &Object) -> Object {
        let mut object = old.clone();
        for _ in 0..random.below(3) {
            let name = random.pick(&self.members).name.clone();
            match random.below(9) {
                0 => drop(object.insert(NOTE.into(), json!(5))),
                1 => drop(object.insert(name, Value::Null)),
                2 | 3 => drop(object.remove(&name)),
                4..7 => drop(object.insert(name, json!(7))),
                _ => self.select(random, &mut object),
            }
        }
        object
    }

    fn select(&self, random: &mut Random, object: &mut Object) {
        let Some(discriminator) = &self.discriminator else {
            return;
        };
        let value = match random.below(10) {
            0..2 => return drop(object.remove(TYPE)),
            2 => Value::Null,
            3..5 => json!(""),
            5 => json!("nobody"),
            _ => json!(random.pick(&discriminator.values)),
        };
        object.insert(TYPE.into(), value);
    }

    /// Returns a struct in which the first member is set and selected.
    fn valid(&self) -> Object {
        let first = &self.members[0];
        let mut object = Object::from_iter([(first.name.clone(), json!(1))]);
        if self.discriminator.is_some() {
            object.insert(TYPE.into(), json!(first.value));
        }
        object
    }
}
