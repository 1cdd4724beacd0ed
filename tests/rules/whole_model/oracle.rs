//! The rules of the 2019 text for a union, with the departures that `docs/design.md` names
//! ("Normalization"), worked out anew: nothing here is taken from the runtime.

use std::collections::BTreeSet;

/// A union, written down by hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    pub(crate) discriminator: Option<Discriminator>,
    /// Fields and their discriminator values.
    pub(crate) members: &'static [(&'static str, &'static str)],
    /// One member has to be set: for unions without a discriminator.
    pub(crate) exactly_one: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Discriminator {
    pub(crate) field: &'static str,
    /// The values of the enum; none where any text is one.
    pub(crate) values: Option<&'static [&'static str]>,
    pub(crate) absence: Absence,
    /// Whether values that the enum does not have can be read at all.
    pub(crate) is_lenient: bool,
}

/// How an object without the discriminator is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    Unreadable,
    Kept,
    /// As `""`, which is then written.
    Empty,
}

/// An object, as far as a union is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Object {
    pub(crate) says: Option<&'static str>,
    pub(crate) set: BTreeSet<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    NotSelected,
    Unsupported,
    Several,
    SeveralWhereOneIsWanted,
    None,
}

/// The field, or `""` for the struct, and what is wrong there.
pub(crate) type Finding = (&'static str, Reason);

/// What normalization did.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) object: Object,
    pub(crate) cleared: Vec<&'static str>,
    /// The discriminator was set.
    pub(crate) is_set: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tolerance {
    SameReason,
    Unchanged,
    Off,
}

/// Errors and tolerated ones.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) errors: Vec<Finding>,
    pub(crate) ratcheted: Vec<Finding>,
}

impl Object {
    /// What the discriminator says: `""` and absence say the same, nothing.
    fn means(&self) -> Option<&'static str> {
        self.says.filter(|says| !says.is_empty())
    }
}

impl Model {
    /// Whether a client's object gets past reading.
    pub(crate) fn is_readable(&self, object: &Object) -> bool {
        let Some(discriminator) = self.discriminator else {
            return object.says.is_none();
        };
        match (object.says, discriminator.values) {
            (None, _) => discriminator.absence != Absence::Unreadable,
            (Some(says), Some(values)) => discriminator.is_lenient || values.contains(&says),
            (Some(_), None) => true,
        }
    }

    /// The object as it is once it was read.
    pub(crate) fn read(&self, object: &Object) -> Object {
        let mut read = object.clone();
        let absence = self
            .discriminator
            .map(|discriminator| discriminator.absence);
        if absence == Some(Absence::Empty) && read.says.is_none() {
            read.says = Some("");
        }
        read
    }

    /// An enum says that it does not have this value.
    fn is_refused(&self, object: &Object) -> bool {
        let values = self
            .discriminator
            .and_then(|discriminator| discriminator.values);
        let is_unknown = |says| values.is_some_and(|values| !values.contains(&says));
        object.means().is_some_and(is_unknown)
    }

    fn value_of(&self, field: &str) -> &'static str {
        let mut members = self.members.iter();
        let found = members.find(|member| member.0 == field);
        found.expect("it is a member").1
    }

    /// "This normalization process will run automatically for all creations and modifications."
    pub(crate) fn normalize(&self, new: &Object, old: Option<&Object>) -> Done {
        let nothing = Object {
            says: None,
            set: BTreeSet::new(),
        };
        let old = old.unwrap_or(&nothing);
        if self.is_refused(new) {
            return self.done(new, new.clone());
        }
        let mut object = new.clone();
        // "If there is a discriminator, and its value has changed, clear all fields but the one specified by the
        // discriminator"; one that was removed is not a change.
        let changed = new.means().filter(|_| new.means() != old.means());
        if let (Some(says), Some(_)) = (changed, self.discriminator) {
            object.set.retain(|field| self.value_of(field) == says);
            return self.done(new, object);
        }
        // "if there is exactly one field, set the discriminator when there is one to that value"
        let meant = if new.set.len() == 1 {
            new.set.first()
        } else {
            // "If there is exactly one field added, set the discriminator (if present) to that value, and remove all
            // other fields."
            let mut added = new.set.difference(&old.set);
            let first = added.next();
            first.filter(|_| added.next().is_none())
        };
        if let Some(field) = meant {
            object.set.retain(|set| set == field);
            if self.discriminator.is_some() {
                object.says = Some(self.value_of(field));
            }
        }
        self.done(new, object)
    }

    fn done(&self, came: &Object, object: Object) -> Done {
        let members = self.members.iter().map(|member| member.0);
        let is_lost = |field: &&str| came.set.contains(field) && !object.set.contains(field);
        let cleared = members.filter(is_lost).collect();
        let is_set = object.says != came.says;
        Done {
            object,
            cleared,
            is_set,
        }
    }

    /// What is wrong with an object, seen alone.
    pub(crate) fn judge(&self, object: &Object) -> Vec<Finding> {
        if let (true, Some(discriminator)) = (self.is_refused(object), self.discriminator) {
            return vec![(discriminator.field, Reason::Unsupported)];
        }
        let Some(says) = object.means() else {
            let count = match (object.set.len(), self.exactly_one) {
                (0, true) => Some(Reason::None),
                (0 | 1, _) => None,
                (_, true) => Some(Reason::SeveralWhereOneIsWanted),
                (_, false) => Some(Reason::Several),
            };
            return count.map(|reason| ("", reason)).into_iter().collect();
        };
        // "In the 2019 model members are optional": a selected one may be unset.
        let members = self.members.iter();
        members
            .filter(|(field, value)| object.set.contains(field) && *value != says)
            .map(|(field, _)| (*field, Reason::NotSelected))
            .collect()
    }

    /// "a violation is tolerated iff old, judged by the same rules at the correlated path, has it too for the same reason"
    pub(crate) fn judge_update(&self, new: &Object, old: &Object, tolerance: Tolerance) -> Verdict {
        let before = self.judge(old);
        let is_same_reason = |(field, reason): Finding| match reason {
            // "a client that changes members must change the discriminator"
            Reason::Unsupported => new.says == old.says && new.set.is_subset(&old.set),
            Reason::NotSelected => {
                new.means() == old.means() && new.set.contains(field) == old.set.contains(field)
            }
            Reason::Several | Reason::SeveralWhereOneIsWanted => new.set.is_subset(&old.set),
            Reason::None => true,
        };
        let is_tolerated = |finding: &Finding| match tolerance {
            Tolerance::Off => false,
            Tolerance::Unchanged => new == old,
            Tolerance::SameReason => before.contains(finding) && is_same_reason(*finding),
        };
        let (ratcheted, errors) = self.judge(new).into_iter().partition(is_tolerated);
        Verdict { errors, ratcheted }
    }
}
