//! Functions that build a [`UnionSpec`] at compile time, with one call per field.
//!
//! Every generated call has the span of its field, so a panic here is a compile error at the field.

use super::lookup::{self, Name};
use super::message::Message;
use crate::union_spec::{
    DiscriminatorFacts, DiscriminatorSpec, Enforcement, ExtensionShape, MAX_VALUES, MemberRow,
    MemberStorage, StaticValues, UnionModel, UnionSpec,
};

/// A union under construction. `rows` contains all members from the start. The first `member_count`
/// members already have their values.
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
    /// True if an object without the discriminator is invalid.
    is_required: bool,
    model: UnionModel,
    /// The values of the enum type. The list is empty if the union has no enum type.
    pub(crate) listed_values: &'static [&'static str],
    /// The keys of the listed values: hashes, by which the values are found.
    pub(crate) value_keys: &'static [u64],
    rows: &'static [MemberRow],
    /// The values of the members, if the union has no enum type.
    unlisted_values: &'static [&'static str],
    /// The value indexes of the first members.
    value_indexes: [u8; MAX_VALUES],
    /// The number of members that already have a value.
    pub(crate) member_count: usize,
    /// The value index that the next member most likely has: the index of the last member plus 1.
    expected_value: usize,
    /// The mask of the values that have a member so far.
    used_values: u64,
    /// The mask of the values whose member must be set when it is selected.
    required_values: u64,
}

/// Begins the declaration of a union whose discriminator selects the member. `name` is the JSON
/// name of the discriminator. `is_skippable` is true if the field has `skip_serializing_if`.
/// `has_default` is true if serde has a default for the field.
///
/// # Panics
///
/// Panics if the discriminator is optional and serialized as null when it is unset, because null is
/// not a value of an enum.
#[track_caller]
pub const fn discriminator(
    name: &'static str,
    facts: &'static DiscriminatorFacts,
    is_skippable: bool,
    has_default: bool,
    rows: &'static [MemberRow],
) -> Declaration {
    if facts.optional && !is_skippable {
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
        is_required: !facts.optional && !has_default,
        model: UnionModel::Discriminated,
        listed_values: values,
        value_keys: keys,
        ..undiscriminated(true, rows, &[])
    }
}

/// Begins the declaration of a union whose discriminator follows the members (2019 text,
/// "Normalizing on updates").
///
/// `has_default` is true if serde has a default for the discriminator. `has_default_function` is
/// true if the attribute names the function that returns this default. `unlisted_values` are the
/// values of the members, which are used if the discriminator is a string.
///
/// # Panics
///
/// Panics like [`discriminator`]. Also panics if an absent discriminator would be deserialized as a
/// value. A client that does not know the discriminator would then seem to select this value, and
/// would lose the member that the client set.
#[track_caller]
pub const fn deduced(
    name: &'static str,
    facts: &'static DiscriminatorFacts,
    is_skippable: bool,
    has_default: bool,
    has_default_function: bool,
    rows: &'static [MemberRow],
    unlisted_values: &'static [&'static str],
) -> Declaration {
    if has_default_function || has_default && !facts.can_select_nothing() {
        Message::EMPTY
            .push("discriminator `")
            .push(name)
            .push("` follows the members, so it cannot have a default of its own; make it an `Option` with `skip_serializing_if`, and remove the default")
            .panic()
    }
    Declaration {
        model: UnionModel::AtMostOne,
        unlisted_values,
        // The discriminator is never required, because the server sets it.
        ..discriminator(name, facts, is_skippable, true, rows)
    }
}

/// Begins the declaration of a union without a discriminator. `unlisted_values` are the values of
/// the members, for tools.
pub const fn undiscriminated(
    exactly_one: bool,
    rows: &'static [MemberRow],
    unlisted_values: &'static [&'static str],
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
        listed_values: &[],
        value_keys: &[],
        rows,
        unlisted_values,
        value_indexes: [0; MAX_VALUES],
        member_count: 0,
        expected_value: 0,
        used_values: 0,
        required_values: 0,
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
    let value = union.expected_value;
    let (name, key, _) = union.rows[union.member_count];
    if value < union.value_keys.len()
        && value < MAX_VALUES
        && union.value_keys[value] == key
        && union.used_values & (1 << value) == 0
    {
        return add_member(union, value);
    }
    add_by_names(union, Name::capitalized(name), key)
}

/// Adds the next member like [`member`], but with a Rust name in `CamelCase` that differs from the
/// JSON name, and the key of this name.
#[track_caller]
pub const fn member_by_two_names(union: Declaration, camel_name: &str, key: u64) -> Declaration {
    add_by_names(union, Name::new(camel_name), key)
}

/// Adds the next member, with the listed value that matches its JSON name or `camel_name`. `key` is
/// the key of `camel_name`.
#[track_caller]
const fn add_by_names(union: Declaration, camel_name: Name<'_>, key: u64) -> Declaration {
    let (name, json_key, _) = lookup::element_at(union.rows, union.member_count);
    if union.listed_values.is_empty() {
        return add_unlisted(union, name);
    }
    let mut value = lookup::position_by_keys(union.value_keys, [json_key, key]);
    if value == lookup::NOT_FOUND {
        value = lookup::position_by_name(union.listed_values, name, camel_name);
    }
    add_member_checked(union, name, value)
}

/// Adds the next member, with the value in the author's `member = "..."`.
///
/// # Panics
///
/// Panics if the enum type does not have the value, or if another member has the value.
#[track_caller]
pub const fn member_with_value(union: Declaration, value: &str) -> Declaration {
    let (name, key, _) = lookup::element_at(union.rows, union.member_count);
    if union.listed_values.is_empty() {
        return add_unlisted(union, name);
    }
    let values = union.listed_values;
    let mut i = lookup::position_by_keys(union.value_keys, [key, key]);
    if i == lookup::NOT_FOUND || !lookup::is_equal(lookup::element_at(values, i), value) {
        i = lookup::explicit_position(values, name, value);
    }
    add_member_checked(union, name, i)
}

/// Checks and returns the declaration of a union in a struct that has a field with
/// `#[union(unknown)]`.
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

/// Rejects the type of a field. A probe of the type decides `is_invalid`.
///
/// # Panics
///
/// Panics with the `remedy` if `is_invalid` is true.
#[track_caller]
pub const fn reject_if(is_invalid: bool, remedy: &str) {
    assert!(!is_invalid, "{}", remedy);
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
    let values = if declaration.listed_values.is_empty() {
        declaration.unlisted_values
    } else {
        declaration.listed_values
    };
    [UnionSpec::new(
        discriminator,
        MemberStorage::Rows(declaration.rows, declaration.value_indexes, values),
        declaration.required_values,
        declaration.model,
        shape,
        enforcement,
    )]
}

impl Declaration {
    /// Returns true if a member already has the value at this position, which is below 64.
    pub(crate) const fn has_member(&self, value: usize) -> bool {
        self.used_values & (1 << value) != 0
    }
}

/// Adds the next member of a union without listed values. Either the union has no discriminator, or
/// the discriminator is a string, or the derive of its enum type has reported an error. In the last
/// case, no second error is reported.
#[track_caller]
const fn add_unlisted(union: Declaration, name: &'static str) -> Declaration {
    let (values, value_index) = (union.unlisted_values, union.member_count);
    if value_index < values.len() {
        let first_index = lookup::position(values, lookup::element_at(values, value_index));
        if first_index < value_index {
            reject_duplicate_value(&union, name, first_index);
        }
    }
    add_member_checked(union, name, value_index)
}

/// Adds the next member with the value at a position. Rejects an invalid position, and the position
/// of another member's value.
#[track_caller]
const fn add_member_checked(union: Declaration, name: &'static str, value: usize) -> Declaration {
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
    add_member(union, value)
}

/// Adds the next member with the value at a position, which is below 64 and belongs to no other
/// member.
#[expect(
    clippy::indexing_slicing,
    reason = "const evaluation has no `get_mut`; each member has another value, so there are at most 64 members"
)]
#[track_caller]
const fn add_member(mut union: Declaration, value: usize) -> Declaration {
    let bit = 1 << value;
    union.used_values |= bit;
    let (_, _, is_optional) = union.rows[union.member_count];
    if !is_optional {
        union.required_values |= bit;
    }
    // The callers ensure that the value is below 64.
    #[expect(clippy::cast_possible_truncation)]
    let value_index = value as u8;
    union.value_indexes[union.member_count] = value_index;
    union.member_count += 1;
    union.expected_value = value + 1;
    union
}

/// Panics with a message about the member with this value and the member `name`.
#[track_caller]
const fn reject_duplicate_value(union: &Declaration, name: &str, value: usize) -> ! {
    let mut i = 0;
    while lookup::element_at(&union.value_indexes, i) as usize != value {
        i += 1;
    }
    let (first_name, ..) = lookup::element_at(union.rows, i);
    Message::EMPTY
        .push("members `")
        .push(first_name)
        .push("` and `")
        .push(name)
        .push("` have the same discriminator value; set different values with `#[union(member = \"...\")]`")
        .panic()
}

/// Checks an `Option` field that is not marked as a member, after all members have been added.
/// `camel_name` is the Rust name of the field in `CamelCase`. `keys` are the keys of the JSON name
/// and of `camel_name`.
///
/// # Panics
///
/// Panics if the name of the field matches a value that has no member.
#[track_caller]
pub const fn check_unmarked_field(
    union: Declaration,
    name: &'static str,
    camel_name: &'static str,
    keys: [u64; 2],
) -> Declaration {
    // Fast path: usually each value has a member. This check avoids the loop, which takes time in
    // rustc's interpreter.
    if union.member_count == union.listed_values.len() {
        return union;
    }
    let [json_key, camel_key] = keys;
    let mut i = 0;
    while i < union.listed_values.len() && i < MAX_VALUES {
        let value = lookup::element_at(union.listed_values, i);
        let is_match = if union.value_keys.is_empty() {
            value.eq_ignore_ascii_case(name) || value.eq_ignore_ascii_case(camel_name)
        } else {
            let key = lookup::element_at(union.value_keys, i);
            key == json_key || key == camel_key
        };
        if is_match && !value.is_empty() && !union.has_member(i) {
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
