//! Puts a [`UnionSpec`] together while the author's crate compiles, one call per field.
//!
//! Every call carries the span of its field, so a panic here is a compile error under the right token.

use crate::lookup::{self, MOST_VALUES};
use crate::message::Message;
use crate::spec::{DiscriminatorFacts, DiscriminatorSpec, MemberSpec, UnionSpec};

/// A union of `N` members, some of which may not be there yet.
#[derive(Clone, Copy)]
pub struct Declaration<const N: usize> {
    discriminator: DiscriminatorSpec,
    members: [MemberSpec; N],
    len: usize,
    /// The values that have a member so far.
    used: u64,
    /// The values whose member must be set when it is selected.
    required: u64,
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
    Declaration {
        discriminator: DiscriminatorSpec::new(name, facts, !facts.optional && !defaulted),
        members: [MemberSpec::NONE; N],
        len: 0,
        used: 0,
        required: 0,
    }
}

/// Adds a member whose value follows from its name: the JSON one, or the Rust one in `CamelCase`; `keys` are those of
/// the two.
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
    keys: [u64; 2],
    optional: bool,
) -> Declaration<N> {
    let values = union.discriminator.lookup();
    let mut value = lookup::by_keys(values.keys, keys);
    if value == lookup::NOT_FOUND {
        // An enum type whose derive reported an error has no values; its union gets no second error for that.
        value = if values.texts.is_empty() {
            union.len
        } else {
            lookup::by_name(values.texts, name, camel)
        };
    }
    push(union, name, value, optional)
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
    let values = union.discriminator.lookup().texts;
    let value = if values.is_empty() {
        union.len
    } else {
        lookup::explicit(values, name, value)
    };
    push(union, name, value, optional)
}

/// Closes the declaration.
#[must_use]
pub const fn union<const N: usize>(declaration: &'static Declaration<N>) -> UnionSpec {
    UnionSpec::discriminated(
        declaration.discriminator,
        &declaration.members,
        declaration.required,
    )
}

#[track_caller]
const fn push<const N: usize>(
    mut union: Declaration<N>,
    name: &'static str,
    value: usize,
    optional: bool,
) -> Declaration<N> {
    if value >= MOST_VALUES {
        Message::new()
            .text("member `")
            .text(name)
            .text("`: its value stands behind 64 others in the enum, and a union holds 64; move the values that have a member to the front")
            .panic()
    }
    let bit = 1 << value;
    if union.used & bit != 0 {
        used_twice(&union.members, name, value);
    }
    union.used |= bit;
    if !optional {
        union.required |= bit;
    }
    // Below 64, as checked above.
    #[expect(clippy::cast_possible_truncation)]
    let member = MemberSpec::new(name, value as u8, optional);
    union.members[union.len] = member;
    union.len += 1;
    union
}

#[track_caller]
const fn used_twice(members: &[MemberSpec], name: &str, value: usize) -> ! {
    let mut first = 0;
    while first + 1 < members.len() && members[first].value_index() != value {
        first += 1;
    }
    Message::new()
        .text("members `")
        .text(members[first].name())
        .text("` and `")
        .text(name)
        .text("` have the same discriminator value; give each one of its own with `#[union(member = \"...\")]`")
        .panic()
}
