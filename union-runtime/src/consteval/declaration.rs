//! Puts a [`UnionSpec`] together while the author's crate compiles, one call per field.
//!
//! Every call carries the span of its field, so a panic here is a compile error under the right token.

use super::lookup;
use super::message::Message;
use crate::spec::discriminator::{DiscriminatorFacts, DiscriminatorSpec};
use crate::spec::members::{MemberSpec, Stored};
use crate::spec::values::{DeclaredValues, MOST_VALUES};
use crate::spec::{Arity, Enforce, Shape, UnionSpec};

/// A union of `N` members, some of which may not be there yet.
///
/// It is flat, and the fast way through [`member`] short: rustc looks into each field of each struct in it at every step,
/// and runs all of this in its interpreter, for every union in every build.
#[derive(Clone, Copy)]
pub struct Declaration<const N: usize> {
    /// The JSON name of the discriminator, and what its type says, if there is one.
    discriminator: &'static str,
    facts: Option<&'static DiscriminatorFacts>,
    is_required: bool,
    arity: Arity,
    /// The values that are listed, if any are, and their keys.
    pub(crate) texts: &'static [&'static str],
    pub(crate) keys: &'static [u64],
    members: [MemberSpec<'static>; N],
    pub(crate) len: usize,
    /// The value behind that of the last member.
    next: usize,
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
    facts: &'static DiscriminatorFacts,
    skipped: bool,
    defaulted: bool,
) -> Declaration<N> {
    if facts.optional && !skipped {
        Message::new()
            .text("discriminator `")
            .text(name)
            .text("` is optional and would be written as null, which no API server takes for a value of it; add `#[serde(skip_serializing_if = \"Option::is_none\")]`")
            .panic()
    }
    let DeclaredValues { texts, keys } = facts.declared();
    Declaration {
        discriminator: name,
        facts: Some(facts),
        is_required: !facts.optional && !defaulted,
        texts,
        keys,
        ..Declaration::EMPTY
    }
}

/// Opens the declaration of a union whose discriminator follows the members (2019 text, "Normalizing on updates").
///
/// `defaulted`: serde gives it a default; `by_path`: one that a function makes.
///
/// # Panics
///
/// As [`discriminator`]; and where an absent discriminator would be read as a value: a client that does not know it
/// would seem to have chosen that one, and lose the member that it did set.
#[track_caller]
#[must_use]
pub const fn deduced<const N: usize>(
    name: &'static str,
    facts: &'static DiscriminatorFacts,
    skipped: bool,
    defaulted: bool,
    by_path: bool,
) -> Declaration<N> {
    if by_path || defaulted && !facts.may_say_nothing() {
        Message::new()
            .text("discriminator `")
            .text(name)
            .text("` follows the members, and its default says what a client did not say; make it an `Option` with `skip_serializing_if` and without a default of its own")
            .panic()
    }
    Declaration {
        arity: Arity::AtMostOne,
        // Never required: the server sets it.
        ..discriminator(name, facts, skipped, true)
    }
}

/// Opens the declaration of a union without a discriminator.
#[must_use]
pub const fn undiscriminated<const N: usize>(exactly_one: bool) -> Declaration<N> {
    Declaration {
        arity: if exactly_one {
            Arity::ExactlyOne
        } else {
            Arity::AtMostOne
        },
        ..Declaration::EMPTY
    }
}

/// Adds a member whose value follows from its name: the JSON one, or the Rust one in `CamelCase`, which differ in case
/// alone; `key` is that of both.
///
/// # Panics
///
/// Where no value, more than one, or one that another member has, fits.
#[expect(
    clippy::indexing_slicing,
    reason = "both lists have one length, which is compared first; a call would run in rustc's interpreter"
)]
#[track_caller]
#[must_use]
pub const fn member<const N: usize>(
    mut union: Declaration<N>,
    name: &'static str,
    camel: &'static str,
    key: u64,
    optional: bool,
) -> Declaration<N> {
    // Members mostly stand in the order of the values: this is all that runs then.
    let guess = union.next;
    if guess < union.keys.len()
        && guess < MOST_VALUES
        && union.keys[guess] == key
        && union.used & (1 << guess) == 0
    {
        let text = union.texts[guess];
        add(&mut union, name, text, guess, optional);
        return union;
    }
    member_of_either(union, name, camel, [key, key], optional)
}

/// As [`member`], where the two names are different words; `keys` are those of the JSON one and of the other.
///
/// # Panics
///
/// As [`member`].
#[track_caller]
#[must_use]
pub const fn member_of_either<const N: usize>(
    union: Declaration<N>,
    name: &'static str,
    camel: &'static str,
    keys: [u64; 2],
    optional: bool,
) -> Declaration<N> {
    if union.texts.is_empty() {
        return unlisted(union, name, camel, optional);
    }
    let mut value = lookup::by_keys(union.keys, keys);
    if value == lookup::NOT_FOUND {
        value = lookup::by_name(union.texts, name, camel);
    }
    let text = lookup::at(union.texts, value);
    push(union, name, text, value, optional)
}

/// Adds a member whose value the author wrote down; `key` is that of the value.
///
/// # Panics
///
/// Where the enum type does not have the value, or another member has it.
#[track_caller]
#[must_use]
pub const fn member_as<const N: usize>(
    union: Declaration<N>,
    name: &'static str,
    text: &'static str,
    key: u64,
    optional: bool,
) -> Declaration<N> {
    if union.texts.is_empty() {
        return unlisted(union, name, text, optional);
    }
    let mut value = lookup::by_keys(union.keys, [key, key]);
    if value == lookup::NOT_FOUND || !lookup::equal(lookup::at(union.texts, value), text) {
        value = lookup::explicit(union.texts, name, text);
    }
    push(union, name, text, value, optional)
}

/// A declaration beside a field with `#[union(unknown)]`.
///
/// # Panics
///
/// Where reading fails at a discriminator value that is not known: the members of such values never come.
#[track_caller]
#[must_use]
pub const fn beside_unknown<const N: usize>(union: Declaration<N>) -> Declaration<N> {
    if let Some(facts) = union.facts
        && !facts.keeps_unknown
    {
        Message::new()
            .text("`unknown` keeps the members of values that this build does not know, and reading fails at such a value of `")
            .text(union.discriminator)
            .text("`; add a last variant to its enum: `#[enum_type(other)] #[serde(untagged)] Unknown(String)`")
            .panic()
    }
    union
}

/// Refuses a flattened struct that keeps unknown members, where they would not be written as they were read.
///
/// # Panics
///
/// At compile time, with the `remedy`.
#[track_caller]
pub const fn refuse_unknown(keeps_unknown: bool, remedy: &str) {
    assert!(!keeps_unknown, "{}", remedy);
}

/// Closes the declaration; the extension has the 2022 shape, where there is a choice.
#[must_use]
pub const fn union<const N: usize>(declaration: &'static Declaration<N>) -> UnionSpec<'static> {
    close(declaration, Shape::V2022)
}

/// As [`union`], with the 2019 shape.
#[must_use]
pub const fn union_in_2019<const N: usize>(
    declaration: &'static Declaration<N>,
) -> UnionSpec<'static> {
    close(declaration, Shape::V2019)
}

/// As [`union`], with both shapes.
#[must_use]
pub const fn union_in_both<const N: usize>(
    declaration: &'static Declaration<N>,
) -> UnionSpec<'static> {
    close(declaration, Shape::Both)
}

/// The union, enforced by `oneOf` in its schema.
#[must_use]
pub const fn enforced_by_one_of(union: UnionSpec<'static>) -> UnionSpec<'static> {
    union.enforced(Enforce::OneOf)
}

/// The union, about which plain API servers are told nothing but the values of the discriminator.
#[must_use]
pub const fn not_enforced(union: UnionSpec<'static>) -> UnionSpec<'static> {
    union.enforced(Enforce::None)
}

const fn close<const N: usize>(
    declaration: &'static Declaration<N>,
    shape: Shape,
) -> UnionSpec<'static> {
    let shape = match declaration.arity {
        Arity::Selected => shape,
        Arity::AtMostOne | Arity::ExactlyOne => Shape::V2019,
    };
    let discriminator = match declaration.facts {
        Some(facts) => Some(DiscriminatorSpec::new(
            declaration.discriminator,
            facts,
            declaration.is_required,
        )),
        None => None,
    };
    UnionSpec::new(
        discriminator,
        Stored::Declared(&declaration.members),
        declaration.required,
        declaration.arity,
        shape,
    )
}

impl<const N: usize> Declaration<N> {
    /// Whether the value at a position below 64 has a member so far.
    pub(crate) const fn has_member(&self, value: usize) -> bool {
        self.used & (1 << value) != 0
    }

    const EMPTY: Self = Self {
        discriminator: "",
        facts: None,
        is_required: false,
        arity: Arity::Selected,
        texts: &[],
        keys: &[],
        members: [MemberSpec::NONE; N],
        len: 0,
        next: 0,
        used: 0,
        required: 0,
    };
}

/// Adds a member where no values are listed: there is no discriminator, it is a string, or its enum type's derive
/// reported an error, and the union gets no second one for that.
#[track_caller]
const fn unlisted<const N: usize>(
    union: Declaration<N>,
    name: &'static str,
    text: &'static str,
    optional: bool,
) -> Declaration<N> {
    let mut i = 0;
    while i < union.len {
        if lookup::equal(lookup::at(&union.members, i).value(), text) {
            used_twice(&union.members, name, i);
        }
        i += 1;
    }
    let value = union.len;
    push(union, name, text, value, optional)
}

#[track_caller]
const fn push<const N: usize>(
    mut union: Declaration<N>,
    name: &'static str,
    text: &'static str,
    position: usize,
    optional: bool,
) -> Declaration<N> {
    if position >= MOST_VALUES {
        Message::new()
            .text("member `")
            .text(name)
            .text("`: a union holds 64 members, and their values stand among the first 64 of the enum; move the values that have a member to the front")
            .panic()
    }
    if union.used & (1 << position) != 0 {
        used_twice(&union.members, name, position);
    }
    add(&mut union, name, text, position, optional);
    union
}

/// Adds a member whose value, at a position below 64, is still free.
#[expect(
    clippy::indexing_slicing,
    reason = "const evaluation has no `get_mut`; the derive makes room for each member that it adds"
)]
#[track_caller]
const fn add<const N: usize>(
    union: &mut Declaration<N>,
    name: &'static str,
    text: &'static str,
    position: usize,
    optional: bool,
) {
    let bit = 1 << position;
    union.used |= bit;
    if !optional {
        union.required |= bit;
    }
    // The callers see to it that it is below 64.
    #[expect(clippy::cast_possible_truncation)]
    let value = position as u8;
    union.members[union.len] = MemberSpec {
        name,
        text,
        value,
        optional,
    };
    union.len += 1;
    union.next = position + 1;
}

#[track_caller]
const fn used_twice(members: &[MemberSpec<'_>], name: &str, value: usize) -> ! {
    let mut rest = members;
    let mut first = "";
    while let [member, after @ ..] = rest {
        first = member.name();
        if member.value_index() == value {
            break;
        }
        rest = after;
    }
    Message::new()
        .text("members `")
        .text(first)
        .text("` and `")
        .text(name)
        .text("` have the same discriminator value; give each one of its own with `#[union(member = \"...\")]`")
        .panic()
}
