//! Puts a [`UnionSpec`] together while the author's crate compiles, one call per field.
//!
//! Every call carries the span of its field, so a panic here is a compile error under the right
//! token.

use super::lookup::{self, Name};
use super::message::Message;
use crate::union_spec::discriminator::{DiscriminatorFacts, DiscriminatorSpec};
use crate::union_spec::members::{Row, Stored};
use crate::union_spec::values::{DeclaredValues, MOST_VALUES};
use crate::union_spec::{Arity, Enforce, Shape, UnionSpec};

/// A union whose members are written down, and some of them have their values.
///
/// It holds few things, and the fast way through [`member`] is short: rustc looks into each field
/// of it at every step, and runs all of this in its interpreter, for every union in every build.
#[derive(Clone, Copy)]
pub struct Declaration {
    /// The JSON name of the discriminator, and what its type says, if there is one.
    discriminator: &'static str,
    facts: Option<&'static DiscriminatorFacts>,
    is_required: bool,
    arity: Arity,
    /// The values that are listed, if any are, and their keys.
    pub(crate) texts: &'static [&'static str],
    pub(crate) keys: &'static [u64],
    rows: &'static [Row],
    /// The values of the members, where none are listed.
    unlisted: &'static [&'static str],
    /// The numbers of the values of the first members, and how many those are.
    values: [u8; MOST_VALUES],
    pub(crate) len: usize,
    /// The value behind that of the last member.
    next: usize,
    /// The values that have a member so far.
    used: u64,
    /// The values whose member must be set when it is selected.
    required: u64,
}

/// Opens a declaration with the discriminator, whose JSON name is `name`. `skipped`: the field has
/// `skip_serializing_if`; `defaulted`: serde gives it a default.
///
/// # Panics
///
/// Panics if the discriminator is optional and null if it is absent: null is not a value of an
/// enum.
#[track_caller]
#[must_use]
pub const fn discriminator(
    name: &'static str,
    facts: &'static DiscriminatorFacts,
    skipped: bool,
    defaulted: bool,
    rows: &'static [Row],
) -> Declaration {
    if facts.optional && !skipped {
        Message::EMPTY
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
        arity: Arity::Selected,
        texts,
        keys,
        ..undiscriminated(true, rows, &[])
    }
}

/// Opens the declaration of a union whose discriminator follows the members (2019 text,
/// "Normalizing on updates").
///
/// `defaulted`: serde gives it a default; `by_path`: one that a function makes.
///
/// # Panics
///
/// As [`discriminator`]; and where an absent discriminator would be read as a value: a client that
/// does not know it would seem to have chosen that one, and lose the member that it did set.
#[track_caller]
#[must_use]
pub const fn deduced(
    name: &'static str,
    facts: &'static DiscriminatorFacts,
    skipped: bool,
    defaulted: bool,
    by_path: bool,
    rows: &'static [Row],
    unlisted: &'static [&'static str],
) -> Declaration {
    if by_path || defaulted && !facts.may_say_nothing() {
        Message::EMPTY
            .text("discriminator `")
            .text(name)
            .text("` follows the members, and its default says what a client did not say; make it an `Option` with `skip_serializing_if` and without a default of its own")
            .panic()
    }
    Declaration {
        arity: Arity::AtMostOne,
        unlisted,
        // Never required: the server sets it.
        ..discriminator(name, facts, skipped, true, rows)
    }
}

/// Opens the declaration of a union without a discriminator.
#[must_use]
pub const fn undiscriminated(
    exactly_one: bool,
    rows: &'static [Row],
    unlisted: &'static [&'static str],
) -> Declaration {
    Declaration {
        discriminator: "",
        facts: None,
        is_required: false,
        arity: if exactly_one {
            Arity::ExactlyOne
        } else {
            Arity::AtMostOne
        },
        texts: &[],
        keys: &[],
        rows,
        unlisted,
        values: [0; MOST_VALUES],
        len: 0,
        next: 0,
        used: 0,
        required: 0,
    }
}

/// Finds the value of the next member in its name: the JSON one, or the Rust one in `CamelCase`,
/// which is the same with a capital letter in front, so the key is that of both. It is one of those
/// that are listed.
///
/// # Panics
///
/// Where no value, more than one, or one that another member has, fits.
#[expect(
    clippy::indexing_slicing,
    reason = "there is a row for each call, and the lists of texts and of keys have one length; a call would run in rustc's interpreter"
)]
#[track_caller]
#[must_use]
pub const fn member(union: Declaration) -> Declaration {
    // Members mostly stand in the order of the values: this is all that runs then.
    let guess = union.next;
    let (name, key, _) = union.rows[union.len];
    if guess < union.keys.len()
        && guess < MOST_VALUES
        && union.keys[guess] == key
        && union.used & (1 << guess) == 0
    {
        return add(union, guess);
    }
    either(union, Name::capitalized(name), key)
}

/// Finds the value of the next member as [`member`] does, with another name in `CamelCase` and its
/// key.
#[track_caller]
#[must_use]
pub const fn member_of_either(union: Declaration, camel: &str, key: u64) -> Declaration {
    either(union, Name::new(camel), key)
}

#[track_caller]
const fn either(union: Declaration, camel: Name<'_>, key: u64) -> Declaration {
    let (name, own_key, _) = lookup::at(union.rows, union.len);
    if union.texts.is_empty() {
        return not_listed(union, name);
    }
    let mut value = lookup::by_keys(union.keys, [own_key, key]);
    if value == lookup::NOT_FOUND {
        value = lookup::by_name(union.texts, name, camel);
    }
    push(union, name, value)
}

/// Finds the value of the next member, which the author wrote down.
///
/// # Panics
///
/// Where the enum type does not have the value, or another member has it.
#[track_caller]
#[must_use]
pub const fn member_as(union: Declaration, text: &str) -> Declaration {
    let (name, key, _) = lookup::at(union.rows, union.len);
    if union.texts.is_empty() {
        return not_listed(union, name);
    }
    let mut value = lookup::by_keys(union.keys, [key, key]);
    if value == lookup::NOT_FOUND || !lookup::equal(lookup::at(union.texts, value), text) {
        value = lookup::explicit(union.texts, name, text);
    }
    push(union, name, value)
}

/// A declaration beside a field with `#[union(unknown)]`.
///
/// # Panics
///
/// Where reading fails at a discriminator value that is not known: the members of such values never
/// come.
#[track_caller]
#[must_use]
pub const fn beside_unknown(union: Declaration) -> Declaration {
    if let Some(facts) = union.facts
        && !facts.keeps_unknown
    {
        Message::EMPTY
            .text("`unknown` keeps the members of values that this build does not know, and reading fails at such a value of `")
            .text(union.discriminator)
            .text("`; add a last variant to its enum: `#[enum_type(other)] #[serde(untagged)] Unknown(String)`")
            .panic()
    }
    union
}

/// Refuses a flattened struct that keeps unknown members, where they would not be written as they
/// were read.
///
/// # Panics
///
/// At compile time, with the `remedy`.
#[track_caller]
pub const fn refuse_if(is_wrong: bool, remedy: &str) {
    assert!(!is_wrong, "{}", remedy);
}

/// Closes the declaration; the extension has the 2022 shape, where there is a choice.
#[must_use]
pub const fn union(declaration: Declaration) -> [UnionSpec<'static>; 1] {
    union_as(Shape::V2022, Enforce::Cel, declaration)
}

/// Closes the declaration as [`union`] does, with another shape of the extension or enforced in
/// another way.
#[must_use]
pub const fn union_as(
    shape: Shape,
    enforce: Enforce,
    declaration: Declaration,
) -> [UnionSpec<'static>; 1] {
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
    let texts = if declaration.texts.is_empty() {
        declaration.unlisted
    } else {
        declaration.texts
    };
    [UnionSpec::new(
        discriminator,
        Stored::Written(declaration.rows, declaration.values, texts),
        declaration.required,
        declaration.arity,
        shape,
        enforce,
    )]
}

impl Declaration {
    /// Returns true if the value at a position below 64 has a member so far.
    pub(crate) const fn has_member(&self, value: usize) -> bool {
        self.used & (1 << value) != 0
    }
}

/// The next member, where no values are listed: there is no discriminator, it is a string, or its
/// enum type's derive reported an error, and the union gets no second one for that.
#[track_caller]
const fn not_listed(union: Declaration, name: &'static str) -> Declaration {
    let value = union.len;
    if value < union.unlisted.len() {
        let first = lookup::position(union.unlisted, lookup::at(union.unlisted, value));
        if first < value {
            used_twice(&union, name, first);
        }
    }
    push(union, name, value)
}

#[track_caller]
const fn push(union: Declaration, name: &'static str, value: usize) -> Declaration {
    if value >= MOST_VALUES {
        Message::EMPTY
            .text("member `")
            .text(name)
            .text("`: a union holds 64 members, and their values must be among the first 64 of the enum; move the values that have a member to the front")
            .panic()
    }
    if union.has_member(value) {
        used_twice(&union, name, value);
    }
    add(union, value)
}

/// Gives the next member its value, at a position below 64 that is still free.
#[expect(
    clippy::indexing_slicing,
    reason = "const evaluation has no `get_mut`; each member has another value, so there are no more than values"
)]
#[track_caller]
const fn add(mut union: Declaration, value: usize) -> Declaration {
    let bit = 1 << value;
    union.used |= bit;
    if !union.rows[union.len].2 {
        union.required |= bit;
    }
    // The callers see to it that it is below 64.
    #[expect(clippy::cast_possible_truncation)]
    let number = value as u8;
    union.values[union.len] = number;
    union.len += 1;
    union.next = value + 1;
    union
}

#[track_caller]
const fn used_twice(union: &Declaration, name: &str, value: usize) -> ! {
    let mut i = 0;
    while lookup::at(&union.values, i) as usize != value {
        i += 1;
    }
    let (first, ..) = lookup::at(union.rows, i);
    Message::EMPTY
        .text("members `")
        .text(first)
        .text("` and `")
        .text(name)
        .text("` have the same discriminator value; give each one of its own with `#[union(member = \"...\")]`")
        .panic()
}

/// Checks an `Option` beside a declaration with all its members that is not marked as a member.
/// `camel` is its Rust name in `CamelCase`; the keys are those of its JSON name and of `camel`.
///
/// # Panics
///
/// Panics if a value that has no member fits the field's name.
#[track_caller]
#[must_use]
pub const fn beside_field(
    union: Declaration,
    name: &'static str,
    camel: &'static str,
    keys: [u64; 2],
) -> Declaration {
    // Mostly each value has a member, and what is below would run in the compiler's interpreter.
    if union.len == union.texts.len() {
        return union;
    }
    let [json_key, camel_key] = keys;
    let mut i = 0;
    while i < union.texts.len() && i < MOST_VALUES {
        let text = lookup::at(union.texts, i);
        let fits = if union.keys.is_empty() {
            text.eq_ignore_ascii_case(name) || text.eq_ignore_ascii_case(camel)
        } else {
            let key = lookup::at(union.keys, i);
            key == json_key || key == camel_key
        };
        if fits && !text.is_empty() && !union.has_member(i) {
            Message::EMPTY
                .text("`")
                .text(name)
                .text("` is not a member, and the value \"")
                .text(text)
                .text("\" fits it and has none; add `#[union(member)]`, or `#[union(not_member)]` if that is meant")
                .panic()
        }
        i += 1;
    }
    union
}
