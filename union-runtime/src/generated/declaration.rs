//! Functions that build a [`UnionSpec`] at compile time, with one call per field.
//!
//! Every generated call has the span of its field, so a panic here is a compile error at the field.

use super::lookup::{self, Name};
use super::message::Message;
use crate::union_spec::{
    DiscriminatorFacts, DiscriminatorSpec, Enforcement, ExtensionShape, MAX_VALUES, MemberRow,
    MemberStorage, StaticValues, UnionModel, UnionSpec,
};

/// A union under construction. All members are listed. The first `len` members already have their
/// values.
///
/// The struct has few fields, and the common path through [`member`] is short, because rustc's
/// interpreter runs this code for every union in every build.
#[derive(Clone, Copy)]
#[must_use]
pub struct Declaration {
    /// The JSON name of the discriminator, or `""` if the union has none.
    discriminator: &'static str,
    /// The facts of the discriminator's type.
    facts: Option<&'static DiscriminatorFacts>,
    is_required: bool,
    model: UnionModel,
    /// The values of the enum type, or an empty list for other unions.
    pub(crate) listed: &'static [&'static str],
    /// The keys of the listed values.
    pub(crate) keys: &'static [u64],
    rows: &'static [MemberRow],
    /// The values of the members, if the values are not listed.
    unlisted: &'static [&'static str],
    /// The value indexes of the first members.
    value_indexes: [u8; MAX_VALUES],
    /// The number of members that already have a value.
    pub(crate) len: usize,
    /// The value index that the next member most likely has: the index of the last member plus 1.
    next: usize,
    /// The mask of the values that have a member so far.
    used: u64,
    /// The mask of the values whose member must be set when it is selected.
    required: u64,
}

/// Begins the declaration of a union whose discriminator selects the member. `name` is the JSON
/// name of the discriminator. `skipped` is true if the field has `skip_serializing_if`. `defaulted`
/// is true if serde has a default for the field.
///
/// # Panics
///
/// Panics if the discriminator is optional and serialized as null when it is unset, because null is
/// not a value of an enum.
#[track_caller]
pub const fn discriminator(
    name: &'static str,
    facts: &'static DiscriminatorFacts,
    skipped: bool,
    defaulted: bool,
    rows: &'static [MemberRow],
) -> Declaration {
    if facts.optional && !skipped {
        Message::EMPTY
            .push("discriminator `")
            .push(name)
            .push("` would be serialized as null if it is unset, which API servers reject; add `#[serde(skip_serializing_if = \"Option::is_none\")]`")
            .panic()
    }
    let StaticValues { values, keys } = facts.static_values();
    Declaration {
        discriminator: name,
        facts: Some(facts),
        is_required: !facts.optional && !defaulted,
        model: UnionModel::Discriminated,
        listed: values,
        keys,
        ..undiscriminated(true, rows, &[])
    }
}

/// Begins the declaration of a union whose discriminator follows the members (2019 text,
/// "Normalizing on updates").
///
/// `defaulted` is true if serde has a default for the discriminator. `by_path` is true if a
/// function returns this default.
///
/// # Panics
///
/// Panics like [`discriminator`]. Also panics if an absent discriminator would be deserialized as a
/// value. A client that does not know the discriminator would then seem to select this value, and
/// would lose the member that it set.
#[track_caller]
pub const fn deduced(
    name: &'static str,
    facts: &'static DiscriminatorFacts,
    skipped: bool,
    defaulted: bool,
    by_path: bool,
    rows: &'static [MemberRow],
    unlisted: &'static [&'static str],
) -> Declaration {
    if by_path || defaulted && !facts.can_select_nothing() {
        Message::EMPTY
            .push("discriminator `")
            .push(name)
            .push("` follows the members, so it cannot have a default of its own; make it an `Option` with `skip_serializing_if`, and remove the default")
            .panic()
    }
    Declaration {
        model: UnionModel::AtMostOne,
        unlisted,
        // The discriminator is never required, because the server sets it.
        ..discriminator(name, facts, skipped, true, rows)
    }
}

/// Begins the declaration of a union without a discriminator.
pub const fn undiscriminated(
    exactly_one: bool,
    rows: &'static [MemberRow],
    unlisted: &'static [&'static str],
) -> Declaration {
    Declaration {
        discriminator: "",
        facts: None,
        is_required: false,
        model: if exactly_one {
            UnionModel::ExactlyOne
        } else {
            UnionModel::AtMostOne
        },
        listed: &[],
        keys: &[],
        rows,
        unlisted,
        value_indexes: [0; MAX_VALUES],
        len: 0,
        next: 0,
        used: 0,
        required: 0,
    }
}

/// Adds the next member, with the listed value that matches its JSON name or its Rust name in
/// `CamelCase`. The derive calls this function only if the Rust name is the JSON name with a
/// capital first letter, so that both names have the same key.
///
/// # Panics
///
/// Panics if no value or more than one value matches, or if another member has the value.
#[expect(
    clippy::indexing_slicing,
    reason = "there is a row for each call, and as many keys as values; a checked call would take time in rustc's interpreter"
)]
#[track_caller]
pub const fn member(union: Declaration) -> Declaration {
    // Fast path: members are usually in the order of the values.
    let guess = union.next;
    let (name, key, _) = union.rows[union.len];
    if guess < union.keys.len()
        && guess < MAX_VALUES
        && union.keys[guess] == key
        && union.used & (1 << guess) == 0
    {
        return add(union, guess);
    }
    add_by_names(union, Name::capitalized(name), key)
}

/// Adds the next member like [`member`], but with a Rust name in `CamelCase` that differs from the
/// JSON name, and the key of this name.
#[track_caller]
pub const fn member_by_two_names(union: Declaration, camel: &str, key: u64) -> Declaration {
    add_by_names(union, Name::new(camel), key)
}

#[track_caller]
const fn add_by_names(union: Declaration, camel: Name<'_>, key: u64) -> Declaration {
    let (name, json_key, _) = lookup::element_at(union.rows, union.len);
    if union.listed.is_empty() {
        return add_unlisted(union, name);
    }
    let mut value = lookup::position_by_keys(union.keys, [json_key, key]);
    if value == lookup::NOT_FOUND {
        value = lookup::position_by_name(union.listed, name, camel);
    }
    push(union, name, value)
}

/// Adds the next member, with the value in the author's `member = "..."`.
///
/// # Panics
///
/// Panics if the enum type does not have the value, or if another member has the value.
#[track_caller]
pub const fn member_with_value(union: Declaration, value: &str) -> Declaration {
    let (name, key, _) = lookup::element_at(union.rows, union.len);
    if union.listed.is_empty() {
        return add_unlisted(union, name);
    }
    let mut i = lookup::position_by_keys(union.keys, [key, key]);
    if i == lookup::NOT_FOUND || !lookup::is_equal(lookup::element_at(union.listed, i), value) {
        i = lookup::explicit_position(union.listed, name, value);
    }
    push(union, name, i)
}

/// Checks and returns the declaration of a union in a struct with a field with `#[union(unknown)]`.
///
/// # Panics
///
/// Panics if deserialization fails at an unknown discriminator value, because the field could then
/// never contain the members of unknown values.
#[track_caller]
pub const fn allow_unknown(union: Declaration) -> Declaration {
    if let Some(facts) = union.facts
        && !facts.keeps_unknown
    {
        Message::EMPTY
            .push("`unknown` has no effect, because deserialization fails at an unknown value of `")
            .push(union.discriminator)
            .push("`; add a last variant to its enum: `#[enum_type(other)] #[serde(untagged)] Unknown(String)`")
            .panic()
    }
    union
}

/// Rejects a flattened struct that keeps unknown members, if these members would not be serialized
/// as they were deserialized.
///
/// # Panics
///
/// Panics with the `remedy` if `is_wrong` is true.
#[track_caller]
pub const fn reject_if(is_wrong: bool, remedy: &str) {
    assert!(!is_wrong, "{}", remedy);
}

/// Finishes the declaration with the default shape of the extension and with CEL rules. The default
/// shape is the 2022 shape if the discriminator selects the member, and otherwise the 2019 shape.
#[must_use]
pub const fn union(declaration: Declaration) -> [UnionSpec<'static>; 1] {
    union_with(ExtensionShape::V2022, Enforcement::Cel, declaration)
}

/// Finishes the declaration like [`union`], with another shape of the extension or another
/// enforcement.
#[must_use]
pub const fn union_with(
    shape: ExtensionShape,
    enforcement: Enforcement,
    declaration: Declaration,
) -> [UnionSpec<'static>; 1] {
    let shape = match declaration.model {
        UnionModel::Discriminated => shape,
        UnionModel::AtMostOne | UnionModel::ExactlyOne => ExtensionShape::V2019,
    };
    let discriminator = match declaration.facts {
        Some(facts) => Some(DiscriminatorSpec::new(
            declaration.discriminator,
            facts,
            declaration.is_required,
        )),
        None => None,
    };
    let values = if declaration.listed.is_empty() {
        declaration.unlisted
    } else {
        declaration.listed
    };
    [UnionSpec::new(
        discriminator,
        MemberStorage::Rows(declaration.rows, declaration.value_indexes, values),
        declaration.required,
        declaration.model,
        shape,
        enforcement,
    )]
}

impl Declaration {
    /// Returns true if a member already has the value at this position, which is below 64.
    pub(crate) const fn has_member(&self, value: usize) -> bool {
        self.used & (1 << value) != 0
    }
}

/// Adds the next member of a union without listed values. Either the union has no discriminator, or
/// the discriminator is a string, or the derive of its enum type has reported an error. In the last
/// case, no second error is reported.
#[track_caller]
const fn add_unlisted(union: Declaration, name: &'static str) -> Declaration {
    let value = union.len;
    if value < union.unlisted.len() {
        let first = lookup::position(union.unlisted, lookup::element_at(union.unlisted, value));
        if first < value {
            reject_duplicate_value(&union, name, first);
        }
    }
    push(union, name, value)
}

/// Adds the next member with the value at a position, and rejects an invalid position.
#[track_caller]
const fn push(union: Declaration, name: &'static str, value: usize) -> Declaration {
    if value >= MAX_VALUES {
        Message::EMPTY
            .push("member `")
            .push(name)
            .push("`: a union can have at most 64 members, and their values must be among the first 64 of the enum; move the values that have a member to the front")
            .panic()
    }
    if union.has_member(value) {
        reject_duplicate_value(&union, name, value);
    }
    add(union, value)
}

/// Adds the next member with the value at a position, which is below 64 and belongs to no other
/// member.
#[expect(
    clippy::indexing_slicing,
    reason = "const evaluation has no `get_mut`; each member has another value, so there are at most 64 members"
)]
#[track_caller]
const fn add(mut union: Declaration, value: usize) -> Declaration {
    let bit = 1 << value;
    union.used |= bit;
    if !union.rows[union.len].2 {
        union.required |= bit;
    }
    // The callers ensure that the value is below 64.
    #[expect(clippy::cast_possible_truncation)]
    let value_index = value as u8;
    union.value_indexes[union.len] = value_index;
    union.len += 1;
    union.next = value + 1;
    union
}

#[track_caller]
const fn reject_duplicate_value(union: &Declaration, name: &str, value: usize) -> ! {
    let mut i = 0;
    while lookup::element_at(&union.value_indexes, i) as usize != value {
        i += 1;
    }
    let (first, ..) = lookup::element_at(union.rows, i);
    Message::EMPTY
        .push("members `")
        .push(first)
        .push("` and `")
        .push(name)
        .push("` have the same discriminator value; set different values with `#[union(member = \"...\")]`")
        .panic()
}

/// Checks an `Option` field that is not marked as a member, after all members have been added.
/// `camel` is the Rust name of the field in `CamelCase`. `keys` are the keys of its JSON name and
/// of `camel`.
///
/// # Panics
///
/// Panics if the name of the field matches a value that has no member.
#[track_caller]
pub const fn check_unmarked_field(
    union: Declaration,
    name: &'static str,
    camel: &'static str,
    keys: [u64; 2],
) -> Declaration {
    // Fast path: usually each value has a member. The loop takes time in rustc's interpreter.
    if union.len == union.listed.len() {
        return union;
    }
    let [json_key, camel_key] = keys;
    let mut i = 0;
    while i < union.listed.len() && i < MAX_VALUES {
        let value = lookup::element_at(union.listed, i);
        let matches = if union.keys.is_empty() {
            value.eq_ignore_ascii_case(name) || value.eq_ignore_ascii_case(camel)
        } else {
            let key = lookup::element_at(union.keys, i);
            key == json_key || key == camel_key
        };
        if matches && !value.is_empty() && !union.has_member(i) {
            Message::EMPTY
                .push("field `")
                .push(name)
                .push("` matches the value \"")
                .push(value)
                .push("\", which has no member; mark it `#[union(member)]`, or `#[union(not_member)]` if they are unrelated")
                .panic()
        }
        i += 1;
    }
    union
}
