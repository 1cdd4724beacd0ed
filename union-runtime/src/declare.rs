//! Puts a [`UnionSpec`] together while the author's crate compiles, one call per field.
//!
//! Every call carries the span of its field, so a panic here is a compile error under the right token.

use crate::lookup::{self, MOST_VALUES};
use crate::message::Message;
use crate::spec::{DiscriminatorSpec, MemberSpec, UnionSpec};
use crate::traits::DiscriminatorFacts;

/// A union of `N` members, some of which may not be there yet.
#[derive(Clone, Copy)]
pub struct Declaration<const N: usize> {
    discriminator: DiscriminatorSpec,
    members: [MemberSpec; N],
    len: usize,
}

/// Opens a declaration with the discriminator, whose JSON name is `name`.
///
/// `skipped`: the field has `skip_serializing_if`. `defaulted`: serde gives it a default.
///
/// # Panics
///
/// Where the discriminator is optional and writes null when it is absent: a null is not a value of an enum.
#[track_caller]
#[must_use]
pub const fn discriminator<const N: usize>(
    name: &'static str,
    facts: DiscriminatorFacts,
    skipped: bool,
    defaulted: bool,
) -> Declaration<N> {
    if facts.optional && !skipped {
        Message::new()
            .text("discriminator `")
            .text(name)
            .text("` is optional and would be written as null, which no API server takes for an enum value; add `#[serde(skip_serializing_if = \"Option::is_none\")]`")
            .panic()
    }
    let required = !facts.optional && !defaulted;
    Declaration {
        discriminator: DiscriminatorSpec::new(name, facts.values, facts.docs, required),
        members: [MemberSpec::new("", 0, false); N],
        len: 0,
    }
}

/// Adds a member whose value follows from its name: the JSON one, or the Rust one in `CamelCase`.
///
/// # Panics
///
/// Where no value, more than one, or one that another member has, fits.
#[track_caller]
#[must_use]
pub const fn member<const N: usize>(
    union: Declaration<N>,
    name: &'static str,
    camel: &str,
    optional: bool,
) -> Declaration<N> {
    if union.is_open() {
        return union.push(name, union.len, optional);
    }
    union.push(
        name,
        lookup::by_name(union.discriminator.values(), name, camel),
        optional,
    )
}

/// Adds a member whose value the author wrote down.
///
/// # Panics
///
/// Where the enum type does not have the value, or another member has it.
#[track_caller]
#[must_use]
pub const fn member_as<const N: usize>(
    union: Declaration<N>,
    name: &'static str,
    value: &str,
    optional: bool,
) -> Declaration<N> {
    if union.is_open() {
        return union.push(name, union.len, optional);
    }
    union.push(
        name,
        lookup::explicit(union.discriminator.values(), name, value),
        optional,
    )
}

/// Closes the declaration.
#[must_use]
pub const fn union<const N: usize>(declaration: &'static Declaration<N>) -> UnionSpec {
    UnionSpec::discriminated(declaration.discriminator, &declaration.members)
}

impl<const N: usize> Declaration<N> {
    /// An enum type whose derive reported an error has no values; its union gets no second error for that.
    const fn is_open(&self) -> bool {
        self.discriminator.values().is_empty()
    }

    #[track_caller]
    const fn push(mut self, name: &'static str, value: usize, optional: bool) -> Self {
        if value >= MOST_VALUES {
            Message::new()
                .text("member `")
                .text(name)
                .text("`: its value stands behind 64 others in the enum, and a union holds 64; move the values that have a member to the front")
                .panic()
        }
        let mut i = 0;
        while i < self.len {
            if self.members[i].value_index() == value {
                Message::new()
                    .text("members `")
                    .text(self.members[i].name())
                    .text("` and `")
                    .text(name)
                    .text("` have the same discriminator value; give each one of its own with `#[union(member = \"...\")]`")
                    .panic()
            }
            i += 1;
        }
        // Below 64, as checked above.
        #[expect(clippy::cast_possible_truncation)]
        let member = MemberSpec::new(name, value as u8, optional);
        self.members[self.len] = member;
        self.len += 1;
        self
    }
}
