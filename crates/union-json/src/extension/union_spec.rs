//! A macro that declares a union of a third-party type as a constant.

use union_runtime::__private::Message;

/// Expands to a constant [`UnionSpec`](union_runtime::UnionSpec) of a third-party type, for
/// [`Compiler::union_at`](crate::Compiler::union_at). The union is checked at compile time. Use
/// [`DeclaredUnion`](crate::DeclaredUnion) to declare a union at run time.
///
/// The first argument describes the discriminator. Each other argument is a discriminator value and
/// its member:
///
/// | first argument | discriminator |
/// | --- | --- |
/// | `discriminator = "type",` | required; selects the member (KEP-1027, 2022 model) |
/// | `optional discriminator = "type",` | may be absent; selects the member |
/// | `deduced discriminator = "type",` | follows the members (2019 model) |
/// | `at_most_one,` or `exactly_one,` | none |
///
/// | discriminator value | member |
/// | --- | --- |
/// | `"ALPHA" => "alpha",` | a field |
/// | `"ALPHA" => optional "alpha",` | a field that may be unset when it is selected |
/// | `"NONE" => (),` | no member |
///
/// ```
/// use union_json::union_spec;
/// use union_runtime::UnionSpec;
///
/// const STRATEGY: UnionSpec<'static> = union_spec! {
///     discriminator = "type",
///     "Recreate" => (),
///     "RollingUpdate" => optional "rollingUpdate",
/// };
/// assert_eq!(STRATEGY.discriminator().unwrap().values(), ["Recreate", "RollingUpdate"]);
/// ```
#[macro_export]
macro_rules! union_spec {
    (discriminator = $name:literal, $($entries:tt)+) => {
        $crate::__union_spec!([$name, false] [] [] $($entries)+)
    };
    (optional discriminator = $name:literal, $($entries:tt)+) => {
        $crate::__union_spec!([$name, true] [] [] $($entries)+)
    };
    (deduced discriminator = $name:literal, $($entries:tt)+) => {
        $crate::__union_spec!([deduced $name] [] [] $($entries)+)
    };
    (at_most_one, $($entries:tt)+) => {
        $crate::__union_spec!([none false] [] [] $($entries)+)
    };
    (exactly_one, $($entries:tt)+) => {
        $crate::__union_spec!([none true] [] [] $($entries)+)
    };
    ($($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "`union_spec!` must begin with `discriminator = \"type\",`, `optional discriminator = \"type\",`, ",
            "`deduced discriminator = \"type\",`, `at_most_one,` or `exactly_one,`, followed by ",
            "an entry for each value, such as `\"ALPHA\" => \"alpha\",`; found: ",
            ::core::stringify!($($other)*),
        ))
    };
}

/// Collects the values and the members from the entries of [`union_spec!`], and then declares the
/// union. The arguments are the description of the discriminator, the values and the members so
/// far, and the remaining entries. Only [`union_spec!`] uses this macro.
#[doc(hidden)]
#[macro_export]
macro_rules! __union_spec {
    ($discriminator:tt [$($values:literal)*] $members:tt $value:literal => () $(, $($rest:tt)*)?) => {
        $crate::__union_spec!($discriminator [$($values)* $value] $members $($($rest)*)?)
    };
    ($discriminator:tt [$($values:literal)*] [$($members:tt)*] $value:literal => optional $field:literal $(, $($rest:tt)*)?) => {
        $crate::__union_spec!($discriminator [$($values)* $value] [$($members)* ($field, $value, true)] $($($rest)*)?)
    };
    ($discriminator:tt [$($values:literal)*] [$($members:tt)*] $value:literal => $field:literal $(, $($rest:tt)*)?) => {
        $crate::__union_spec!($discriminator [$($values)* $value] [$($members)* ($field, $value, false)] $($($rest)*)?)
    };
    ($discriminator:tt [$($values:literal)*] [$(($field:literal, $value:literal, $optional:literal))*]) => {{
        const VALUES: &[&str] = &[$($values),*];
        const FIELDS: &[&str] = &[$($field),*];
        const UNLISTED: &[&str] = &[$($value),*];
        const ROWS: &[$crate::__private::MemberRow] = &[$(($field, 0, $optional)),*];
        const UNION: $crate::__private::UnionSpec<'static> = {
            $crate::__private::check($crate::__union_spec!(@discriminator_name $discriminator), VALUES, FIELDS);
            $($crate::__private::check_value($field, $value);)*
            let union = $crate::__union_spec!(@declaration $discriminator);
            $(let union = $crate::__private::member_with_value(union, $value);)*
            let [union] = $crate::__private::union(union);
            union
        };
        UNION
    }};
    (@declaration [$name:literal, $optional:literal]) => {{
        const FACTS: &$crate::__private::DiscriminatorFacts = &$crate::__private::DiscriminatorFacts::from_list(VALUES, &[], &[], $optional, true);
        $crate::__private::discriminator($name, FACTS, true, false, ROWS)
    }};
    (@declaration [deduced $name:literal]) => {{
        const FACTS: &$crate::__private::DiscriminatorFacts = &$crate::__private::DiscriminatorFacts::for_string(true);
        $crate::__private::deduced($name, FACTS, true, false, false, ROWS, UNLISTED)
    }};
    (@declaration [none $exactly_one:literal]) => {
        $crate::__private::undiscriminated($exactly_one, ROWS, UNLISTED)
    };
    (@discriminator_name [none $exactly_one:literal]) => {
        ""
    };
    (@discriminator_name [$(deduced)? $name:literal $($optional:tt)*]) => {
        $name
    };
    ($discriminator:tt $values:tt $members:tt $($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "an entry of `union_spec!` must be `\"ALPHA\" => \"alpha\",`, `\"ALPHA\" => optional \"alpha\",` or `\"NONE\" => (),`; ",
            "found: ",
            ::core::stringify!($($other)*),
        ))
    };
}

/// Rejects invalid unions: a duplicate value or field, a union without fields, a value without a
/// field if there is no discriminator, and a field that is also the discriminator. `discriminator`
/// is the name of the discriminator, or `""` if there is none.
///
/// # Panics
///
/// Panics at compile time if the union is invalid.
#[track_caller]
pub const fn check(discriminator: &str, values: &[&str], fields: &[&str]) {
    reject_duplicates("value", values);
    reject_duplicates("field", fields);
    if fields.is_empty() {
        Message::EMPTY
            .push(
                "`union_spec!` has no fields; add at least one, such as `\"ALPHA\" => \"alpha\",`",
            )
            .panic()
    }
    if discriminator.is_empty() && values.len() > fields.len() {
        Message::EMPTY
            .push("`union_spec!` has a value without a field, which needs a discriminator; remove the value, or add a discriminator")
            .panic()
    }
    let mut remaining_fields = fields;
    while let [field, tail @ ..] = remaining_fields {
        if is_equal(field, discriminator) && !discriminator.is_empty() {
            Message::EMPTY
                .push("`union_spec!` has the field \"")
                .push(discriminator)
                .push("\" as its discriminator and as a member; use another field")
                .panic()
        }
        remaining_fields = tail;
    }
}

/// Rejects a member with the value `""`, which never selects a member.
///
/// # Panics
///
/// Panics at compile time if the value is `""`.
#[track_caller]
pub const fn check_value(field: &str, value: &str) {
    if value.is_empty() {
        Message::EMPTY
            .push("`union_spec!` has the field \"")
            .push(field)
            .push("\" for the value \"\", which selects nothing; use another value")
            .panic()
    }
}

/// Rejects a name that occurs twice. `kind` is the kind of the names, for the message.
#[track_caller]
const fn reject_duplicates(kind: &str, names: &[&str]) {
    let mut remaining_names = names;
    while let [name, tail @ ..] = remaining_names {
        let mut later_names = tail;
        while let [later_name, later_tail @ ..] = later_names {
            if is_equal(name, later_name) {
                Message::EMPTY
                    .push("`union_spec!` has the ")
                    .push(kind)
                    .push(" \"")
                    .push(name)
                    .push("\" twice; remove one")
                    .panic()
            }
            later_names = later_tail;
        }
        remaining_names = tail;
    }
}

const fn is_equal(left: &str, right: &str) -> bool {
    let (mut left, mut right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    while let ([left_byte, left_tail @ ..], [right_byte, right_tail @ ..]) = (left, right) {
        if *left_byte != *right_byte {
            return false;
        }
        (left, right) = (left_tail, right_tail);
    }
    true
}
