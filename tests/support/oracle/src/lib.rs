//! The rules of KEP-1027 for one union of a JSON object, in the 2019 and the 2022 text, implemented
//! a second time.
//!
//! Tests compare the crates of this repository with these rules, so nothing here uses the crates.
//! `docs/design.md`, "Normalization", names the departures from the texts.

use serde_json::Value;

/// A union of an object, as an author describes it.
#[derive(Clone, Debug)]
pub struct Union<'a> {
    /// The field that selects a member.
    pub discriminator: Option<Discriminator<'a>>,
    /// The members, in the order of the struct.
    pub members: Vec<Member<'a>>,
    /// True if a union without a selection needs a member; false if it may be empty.
    pub requires_member: bool,
    /// The fields of the struct, if the struct keeps fields that it does not know.
    pub known_fields: Option<Vec<&'a str>>,
}

/// The field that selects a member.
#[derive(Clone, Copy, Debug)]
pub struct Discriminator<'a> {
    /// The name of the field.
    pub field: &'a str,
    /// The values of the enum, or `None` if every string is a value.
    pub values: Option<&'a [&'a str]>,
    /// The meaning of an absent discriminator.
    pub absence: Absence<'a>,
    /// True if an object with a value outside the enum can be read.
    pub is_lenient: bool,
    /// True in the 2019 text: the discriminator follows the members.
    pub is_deduced: bool,
}

/// The meaning of an absent discriminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence<'a> {
    /// The discriminator is required, and serde cannot read the object.
    Unreadable,
    /// The object can be read, and the discriminator stays absent.
    Kept,
    /// The discriminator is read and written as this value.
    ReadAs(&'a str),
}

/// A member of a union.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// The name of the field.
    pub field: &'a str,
    /// The value that selects the member.
    pub value: &'a str,
    /// True if the member may be unset while it is selected.
    pub optional: bool,
}

/// The result of normalization.
#[derive(Clone, Debug, PartialEq)]
pub struct NormalizedObject {
    /// The normalized object.
    pub object: Value,
    /// The cleared fields: the members of the union, then unknown fields.
    pub cleared: Vec<String>,
    /// True if normalization set the discriminator.
    pub is_set: bool,
}

/// A violated rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViolatedRule {
    /// The discriminator is required and absent.
    Required,
    /// The enum does not have the value of the discriminator.
    Unsupported,
    /// The member is set and not selected.
    NotSelected,
    /// The member is selected, not optional and unset.
    Unset,
    /// Several members are set; at most one may be.
    Several,
    /// Several members are set; exactly one must be.
    SeveralWhereOneIsRequired,
    /// No member is set; exactly one must be.
    NoneSet,
}

/// The field of a violation, or `""` for the struct, and the violated rule.
pub type FieldViolation<'a> = (&'a str, ViolatedRule);

/// The violations that an update tolerates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tolerance {
    /// The old object has the violation too, for the same reason.
    SameReason,
    /// The object did not change.
    Unchanged,
    /// No violation.
    Off,
}

/// The violations of an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict<'a> {
    /// The violations that reject the update.
    pub errors: Vec<FieldViolation<'a>>,
    /// The violations that the update tolerates.
    pub ratcheted: Vec<FieldViolation<'a>>,
}

impl Discriminator<'_> {
    fn has_value(&self, value: &str) -> bool {
        self.values.is_none_or(|values| values.contains(&value))
    }
}

impl<'a> Union<'a> {
    /// Returns true if an object can be read.
    #[must_use]
    pub fn is_readable(&self, object: &Value) -> bool {
        let Some(discriminator) = self.discriminator else {
            return true;
        };
        match string_field(object, discriminator.field) {
            None => discriminator.absence != Absence::Unreadable,
            Some(value) => discriminator.is_lenient || discriminator.has_value(value),
        }
    }

    /// Returns the object with the default of an absent discriminator.
    #[must_use]
    pub fn apply_default(&self, object: &Value) -> Value {
        let mut object_with_default = object.clone();
        if let Some(discriminator) = self.discriminator
            && let Absence::ReadAs(value) = discriminator.absence
            && string_field(object, discriminator.field).is_none()
        {
            object_with_default[discriminator.field] = value.into();
        }
        object_with_default
    }

    /// Normalizes a new object. The old object is `None` for a create.
    #[must_use]
    pub fn normalize(&self, new: &Value, old: Option<&Value>) -> NormalizedObject {
        let mut normalized = NormalizedObject {
            object: new.clone(),
            cleared: Vec::new(),
            is_set: false,
        };
        match self.discriminator {
            Some(discriminator) if !discriminator.is_deduced => {
                if let Some(old) = old {
                    self.follow_discriminator(discriminator, old, &mut normalized);
                }
            }
            _ => self.follow_members(old, &mut normalized),
        }
        normalized
    }

    /// Normalizes by the 2022 text: "it should clear all fields except the one pointed to by the
    /// discriminator if and only if the discriminator has been modified".
    fn follow_discriminator(
        &self,
        discriminator: Discriminator<'_>,
        old: &Value,
        normalized: &mut NormalizedObject,
    ) {
        let old_selection = self.selection(old);
        let new_selection = self.selection(&normalized.object);
        let Some(selection) = new_selection.filter(|new| old_selection.as_ref() != Some(new))
        else {
            return;
        };
        if !discriminator.has_value(&selection) {
            return;
        }
        self.keep(normalized, |member| member.value == selection);
        // A selection that the enum does not have may name a field that the struct does not know.
        let unknown_value = old_selection.filter(|value| !discriminator.has_value(value));
        if let (Some(unknown_value), Some(known_fields)) = (unknown_value, &self.known_fields) {
            let fields = normalized.object.as_object().into_iter().flatten();
            let field_names = fields.map(|(name, _)| name.clone());
            let unknown_names = field_names.filter(|name| !known_fields.contains(&name.as_str()));
            let field_names: Vec<String> = unknown_names
                .filter(|name| name.eq_ignore_ascii_case(&unknown_value))
                .collect();
            for name in field_names {
                normalized.clear(&name);
            }
        }
    }

    /// Normalizes by the 2019 text: "This normalization process will run automatically for all
    /// creations and modifications."
    fn follow_members(&self, old: Option<&Value>, normalized: &mut NormalizedObject) {
        let new = &normalized.object;
        if self.is_unsupported(new) {
            return;
        }
        // "If there is a discriminator, and its value has changed, clear all fields but the one
        // specified by the discriminator"; a removed discriminator is not a change.
        let selection = self.selection(new);
        if let Some(selection) = &selection
            && old.and_then(|old| self.selection(old)).as_ref() != Some(selection)
        {
            self.keep(normalized, |member| member.value == selection);
            return;
        }
        let set_members: Vec<Member<'_>> = self.set_members(new).collect();
        let is_set_in_old = |member: &Member<'_>| old.is_some_and(|old| is_set(old, member.field));
        let added_members: Vec<Member<'_>> = set_members
            .iter()
            .copied()
            .filter(|member| !is_set_in_old(member))
            .collect();
        let selected_member = match (&*set_members, &*added_members) {
            // "if there is exactly one field, set the discriminator when there is one to that
            // value"
            ([single_member], _) => *single_member,
            // "If there is exactly one field added, set the discriminator (if present) to that
            // value, and remove all other fields."
            (_, [added_member]) => *added_member,
            _ => return,
        };
        self.keep(normalized, |member| member.field == selected_member.field);
        if let Some(discriminator) = self.discriminator {
            normalized.is_set = string_field(&normalized.object, discriminator.field)
                != Some(selected_member.value);
            normalized.object[discriminator.field] = selected_member.value.into();
        }
    }

    /// Clears the set members but those that `is_kept` accepts.
    fn keep(&self, normalized: &mut NormalizedObject, is_kept: impl Fn(&Member<'_>) -> bool) {
        for member in self.members.iter().filter(|member| !is_kept(member)) {
            if is_set(&normalized.object, member.field) {
                normalized.clear(member.field);
            }
        }
    }

    /// Returns the violations of an object alone.
    #[must_use]
    pub fn validate(&self, object: &Value) -> Vec<FieldViolation<'a>> {
        let selection = self.selection(object);
        if let Some(discriminator) = self.discriminator {
            if self.is_unsupported(object) {
                return vec![(discriminator.field, ViolatedRule::Unsupported)];
            }
            if !discriminator.is_deduced
                && selection.is_none()
                && discriminator.absence == Absence::Unreadable
            {
                return vec![(discriminator.field, ViolatedRule::Required)];
            }
        }
        let selects_members = self
            .discriminator
            .is_some_and(|discriminator| !discriminator.is_deduced);
        let Some(selection) = selection.or_else(|| selects_members.then(String::new)) else {
            let violated_rule = match (self.set_members(object).count(), self.requires_member) {
                (0, true) => ViolatedRule::NoneSet,
                (0 | 1, _) => return Vec::new(),
                (_, true) => ViolatedRule::SeveralWhereOneIsRequired,
                (_, false) => ViolatedRule::Several,
            };
            return vec![("", violated_rule)];
        };
        let violation_of = |member: &Member<'a>| {
            let is_set = is_set(object, member.field);
            match (is_set, member.value == selection) {
                (true, false) => Some((member.field, ViolatedRule::NotSelected)),
                (false, true) if !member.optional => Some((member.field, ViolatedRule::Unset)),
                _ => None,
            }
        };
        self.members.iter().filter_map(violation_of).collect()
    }

    /// Returns the violations of an update: "if and only if the existing object also fails the
    /// stricter validation for the same reason", a violation is tolerated.
    #[must_use]
    pub fn validate_update(&self, new: &Value, old: &Value, tolerance: Tolerance) -> Verdict<'a> {
        let old_violations = self.validate(old);
        let is_tolerated = |violation: &FieldViolation<'_>| match tolerance {
            Tolerance::Off => false,
            Tolerance::Unchanged => new == old,
            Tolerance::SameReason => {
                old_violations.contains(violation) && self.has_same_reason(*violation, new, old)
            }
        };
        let (ratcheted, errors) = self.validate(new).into_iter().partition(is_tolerated);
        Verdict { errors, ratcheted }
    }

    /// Returns true if the update did not change the fields that cause a violation.
    fn has_same_reason(
        &self,
        (field, violated_rule): FieldViolation<'_>,
        new: &Value,
        old: &Value,
    ) -> bool {
        match violated_rule {
            ViolatedRule::NoneSet => true,
            ViolatedRule::Several | ViolatedRule::SeveralWhereOneIsRequired => {
                !self.adds_member(new, old)
            }
            // "a client that changes members must change the discriminator"
            ViolatedRule::Required | ViolatedRule::Unsupported => {
                self.selection(new) == self.selection(old) && !self.adds_member(new, old)
            }
            ViolatedRule::NotSelected | ViolatedRule::Unset => {
                self.selection(new) == self.selection(old)
                    && is_set(new, field) == is_set(old, field)
            }
        }
    }

    /// Returns true if a member is set that is unset in the old object.
    fn adds_member(&self, new: &Value, old: &Value) -> bool {
        self.set_members(new)
            .any(|member| !is_set(old, member.field))
    }

    /// Returns the meaning of the discriminator. In the 2022 text, an absent discriminator means
    /// the default or `""`: "omitempty if the default option is the empty string, or optional and
    /// omitempty if a default value is specified". In the 2019 text, `""` means nothing.
    fn selection(&self, object: &Value) -> Option<String> {
        let discriminator = self.discriminator?;
        let value = string_field(object, discriminator.field);
        let selection = match (value, discriminator.absence) {
            (value, _) if discriminator.is_deduced => value.filter(|value| !value.is_empty()),
            (None, Absence::ReadAs(default)) => Some(default),
            (None, _) if discriminator.has_value("") => Some(""),
            (value, _) => value,
        };
        selection.map(str::to_owned)
    }

    /// Returns true if the enum does not have the selected value.
    fn is_unsupported(&self, object: &Value) -> bool {
        let selection = self.selection(object);
        let discriminator = self.discriminator;
        selection.is_some_and(|value| {
            discriminator.is_some_and(|discriminator| !discriminator.has_value(&value))
        })
    }

    fn set_members(&self, object: &Value) -> impl Iterator<Item = Member<'a>> {
        let members = self.members.iter().copied();
        members.filter(|member| is_set(object, member.field))
    }
}

impl NormalizedObject {
    fn clear(&mut self, field: &str) {
        if let Some(object) = self.object.as_object_mut() {
            object.remove(field);
        }
        self.cleared.push(field.to_owned());
    }
}

/// Returns true if a field is present and not null.
fn is_set(object: &Value, field: &str) -> bool {
    object.get(field).is_some_and(|value| !value.is_null())
}

/// Returns the string in a field, if the field has a string.
fn string_field<'v>(object: &'v Value, field: &str) -> Option<&'v str> {
    object.get(field).and_then(Value::as_str)
}
