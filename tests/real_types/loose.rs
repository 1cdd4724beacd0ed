//! A second view of the same unions: a JSON object, which also holds what the real type cannot read.

use std::fmt;
use std::marker::PhantomData;

use serde::{Serialize, Serializer};
use serde_json::Value;
use union_runtime::{Selected, State, Union, UnionSpec};

use crate::oracle::Absence;
use crate::world::Sample;

/// More members than any union here has.
const MOST: usize = 8;

#[derive(Clone)]
pub(crate) struct Loose<T>(pub(crate) Value, PhantomData<T>);

impl<T> Loose<T> {
    pub(crate) fn new(json: Value) -> Self {
        Self(json, PhantomData)
    }
}

impl<T> fmt::Debug for Loose<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> Serialize for Loose<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<T: Sample> Union for Loose<T> {
    fn unions() -> &'static [UnionSpec<'static>] {
        T::unions()
    }

    fn union_state(&self, union: usize) -> State<'_> {
        let spec = &Self::unions()[union];
        let Some(discriminator) = spec.discriminator() else {
            unreachable!("these unions have discriminators");
        };
        let default = match T::MODEL.absence {
            Absence::ReadAs(default) => Some(default),
            Absence::Unreadable | Absence::Kept => None,
        };
        let text = self.0.get(discriminator.name()).and_then(Value::as_str);
        let selected = text.or(default).map_or(Selected::Missing, |text| {
            let known = discriminator
                .values()
                .iter()
                .position(|value| value == text);
            known.map_or(Selected::Unknown(text), Selected::Known)
        });
        let mut set = [false; MOST];
        for (set, member) in set.iter_mut().zip(spec.members()) {
            *set = self
                .0
                .get(member.name())
                .is_some_and(|value| !value.is_null());
        }
        State::new(spec, selected, set)
    }

    fn clear_member(&mut self, union: usize, member: usize) {
        let name = Self::unions()[union].member(member).expect("exists").name();
        if let Value::Object(object) = &mut self.0 {
            object.remove(name);
        }
    }
}
