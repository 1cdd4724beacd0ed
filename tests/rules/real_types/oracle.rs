//! What KEP-1027 (2022 text) says of a union, worked out anew: nothing here is taken from the runtime.

use std::collections::BTreeSet;

/// A union, written down by hand from the API's documentation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    pub(crate) discriminator: &'static str,
    /// The values of the enum.
    pub(crate) values: &'static [&'static str],
    pub(crate) members: &'static [Member],
    pub(crate) absence: Absence,
    /// Whether values that the enum does not have can be read at all.
    pub(crate) open: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) field: &'static str,
    pub(crate) value: &'static str,
    pub(crate) optional: bool,
    /// What the member holds in tests, as JSON.
    pub(crate) json: &'static str,
}

/// What an object without the discriminator means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    /// It is required: serde cannot read an object without it.
    Unreadable,
    /// It is read as the value, and written as the value.
    ReadAs(&'static str),
    /// It can be read, and is kept: a missing discriminator, or `""` where the enum has that.
    Kept,
}

/// An object, as far as a union is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Object {
    pub(crate) selected: Option<&'static str>,
    pub(crate) set: BTreeSet<&'static str>,
}

/// Error types of Kubernetes' field errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Invalid,
    NotSupported,
    Required,
}

pub(crate) type Finding = (&'static str, Kind);

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

impl Model {
    pub(crate) fn knows(&self, value: &str) -> bool {
        self.values.contains(&value)
    }

    /// Whether a client's object gets past reading.
    pub(crate) fn is_readable(&self, object: &Object) -> bool {
        match object.selected {
            None => self.absence != Absence::Unreadable,
            Some(value) => self.open || self.knows(value),
        }
    }

    /// The object as it is once it was read.
    pub(crate) fn read(&self, object: &Object) -> Object {
        let mut read = object.clone();
        if let (None, Absence::ReadAs(value)) = (object.selected, self.absence) {
            read.selected = Some(value);
        }
        read
    }

    /// What the discriminator says. Absence means the default, or else `""`: "omitempty if the default option is the
    /// empty string, or optional and omitempty if a default value is specified".
    fn means(&self, object: &Object) -> Option<&'static str> {
        match (object.selected, self.absence) {
            (None, Absence::ReadAs(default)) => Some(default),
            (None, _) if self.knows("") => Some(""),
            (selected, _) => selected,
        }
    }

    /// "it should clear all fields except the one pointed to by the discriminator if and only if the discriminator has
    /// been modified": the object after that, and what was cleared.
    pub(crate) fn normalize(&self, new: &Object, old: &Object) -> (Object, Vec<&'static str>) {
        let mut normalized = new.clone();
        let mut cleared = Vec::new();
        let now = self.means(new);
        let modified = now != self.means(old);
        let Some(now) = now.filter(|now| modified && self.knows(now)) else {
            return (normalized, cleared);
        };
        for member in self.members {
            if member.value != now && normalized.set.remove(member.field) {
                cleared.push(member.field);
            }
        }
        (normalized, cleared)
    }

    /// What is wrong with an object, seen alone.
    pub(crate) fn judge(&self, object: &Object) -> Vec<Finding> {
        let selected = match self.means(object) {
            None if self.absence == Absence::Unreadable => {
                return vec![(self.discriminator, Kind::Required)];
            }
            // A discriminator that may be absent selects nothing when it is.
            None => "",
            Some(value) if self.knows(value) => value,
            Some(_) => return vec![(self.discriminator, Kind::NotSupported)],
        };
        let mut findings = Vec::new();
        for member in self.members {
            let is_set = object.set.contains(member.field);
            let is_selected = member.value == selected;
            if is_set && !is_selected || is_selected && !is_set && !member.optional {
                findings.push((member.field, Kind::Invalid));
            }
        }
        findings
    }

    /// "if and only if the existing object also fails the stricter validation for the same reason"
    pub(crate) fn judge_update(&self, new: &Object, old: &Object, tolerance: Tolerance) -> Verdict {
        let before = self.judge(old);
        let is_tolerated = |finding: &Finding| match tolerance {
            Tolerance::Off => false,
            Tolerance::Unchanged => new == old,
            Tolerance::SameReason => {
                let field = finding.0;
                let are_members_unchanged = if finding.1 == Kind::Invalid {
                    new.set.contains(field) == old.set.contains(field)
                } else {
                    new.set.is_subset(&old.set)
                };
                before.contains(finding)
                    && self.means(new) == self.means(old)
                    && are_members_unchanged
            }
        };
        let (ratcheted, errors) = self.judge(new).into_iter().partition(is_tolerated);
        Verdict { errors, ratcheted }
    }
}
