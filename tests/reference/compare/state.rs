//! The state of a union in an object.

use serde_json::Value;

use crate::object::Object;
use crate::schema::Union;

pub(crate) struct State<'a> {
    /// The value of the discriminator, or `""` if it is absent.
    pub(crate) selected: &'a str,
    /// The indexes of the set members.
    pub(crate) set: Vec<usize>,
}

impl<'a> State<'a> {
    pub(crate) fn of(union: &Union, object: Option<&'a Object>) -> Self {
        let get = |name: &str| object.and_then(|object| object.get(name));
        let selected = union
            .discriminator
            .as_ref()
            .and_then(|discriminator| get(&discriminator.name)?.as_str())
            .unwrap_or_default();
        let is_set = |i: &usize| {
            let value = get(&union.members[*i].name);
            value.is_some_and(|value| !value.is_null())
        };
        Self {
            selected,
            set: (0..union.members.len()).filter(is_set).collect(),
        }
    }

    /// Returns the set members that are not set in `old`.
    pub(crate) fn added(&self, old: &Self) -> Vec<usize> {
        let set = self.set.iter().copied();
        set.filter(|i| !old.set.contains(i)).collect()
    }

    /// Returns true if the discriminator has a value that its enum does not have.
    pub(crate) fn is_rejected_by_enum(&self, union: &Union) -> bool {
        let discriminator = union.discriminator.as_ref();
        let values = discriminator.and_then(|discriminator| discriminator.values.as_ref());
        !self.selected.is_empty()
            && values.is_some_and(|values| values.iter().all(|value| value != self.selected))
    }

    /// Returns the names of the set members except `kept`.
    pub(crate) fn others(&self, union: &Union, kept: Option<usize>) -> Vec<String> {
        let others = self.set.iter().filter(|i| Some(**i) != kept);
        others.map(|i| union.members[*i].name.clone()).collect()
    }

    /// Returns the index of the selected member.
    pub(crate) fn member(&self, union: &Union) -> Option<usize> {
        let mut members = union.members.iter();
        members.position(|member| member.value == self.selected)
    }
}

/// Returns the members of the union that are null, except `kept`.
pub(crate) fn null_members<'u>(
    union: &'u Union,
    object: &Object,
    kept: Option<usize>,
) -> Vec<&'u str> {
    let others = union.members.iter().enumerate();
    others
        .filter(|(i, member)| {
            Some(*i) != kept && object.get(&member.name).is_some_and(Value::is_null)
        })
        .map(|(_, member)| member.name.as_str())
        .collect()
}
