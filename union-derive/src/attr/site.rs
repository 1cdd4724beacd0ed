//! Attribute sites: the items that can have attributes, such as a struct or a field, and the loop
//! that reads the attributes of a site.

use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned as _;
use syn::{Attribute, Meta};

use super::near_name::near_name;
use super::parse::{key_span, key_string, skip_value};
use crate::errors::Errors;

/// A type that contains the attributes of one kind of site.
pub(crate) trait AttributeSite: Default {
    /// The name of the derive's attribute: `union` or `enum_type`.
    const ATTRIBUTE: &'static str;
    /// True if serde's and schemars' derives read their attributes on the site.
    const HAS_LIBRARY_ATTRIBUTES: bool;
    /// The name of the site in error messages, such as `a field`.
    const SITE: &'static str;
    /// The names of the attributes that the site takes, in the order in which error messages list
    /// them.
    const ALLOWED: &'static [&'static str];
    /// Names of attributes that belong to the derive of another kind of type, each with the error
    /// message for this site.
    const SUGGESTIONS: &'static [(&'static str, &'static str)];
    /// The other site of the same derive, to which a misplaced attribute may belong.
    type OtherSite: AttributeSite;

    /// Reads and stores the value of the attribute `name`, which is one of `ALLOWED`.
    fn parse_one(&mut self, name: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<()>;

    /// Returns the names of the attributes that are set.
    fn present_names(&self) -> Vec<&'static str>;
}

/// Reads all attributes of a site.
pub(super) fn parse_attributes<A: AttributeSite>(attrs: &[Attribute], errors: &Errors) -> A {
    let mut parsed = A::default();
    let mut seen_keys: Vec<String> = Vec::new();
    for attr in attrs {
        check_attribute_name::<A>(attr, errors);
        if !attr.path().is_ident(A::ATTRIBUTE) {
            continue;
        }
        let mut has_duplicate = false;
        let result = attr.parse_nested_meta(|meta| {
            let key = key_string(&meta);
            let span = key_span(&meta);
            if !A::ALLOWED.contains(&key.as_str()) {
                errors.error(span, unknown_attribute_message::<A>(&key));
                return skip_value(&meta);
            }
            if seen_keys.contains(&key) {
                // A repeated attribute usually repeats several names.
                if !has_duplicate {
                    errors.error(span, duplicate_message(&key));
                }
                has_duplicate = true;
                return skip_value(&meta);
            }
            if let Err(error) = parsed.parse_one(&key, &meta) {
                errors.add(error);
                skip_value(&meta)?;
            }
            seen_keys.push(key);
            Ok(())
        });
        let is_empty = matches!(&attr.meta, Meta::List(list) if list.tokens.is_empty());
        let error_span = match result {
            Ok(()) => is_empty.then(|| attr.path().span()),
            Err(error) => Some(error.span()),
        };
        if let Some(span) = error_span {
            let attribute = A::ATTRIBUTE;
            let example = A::ALLOWED.first().copied().unwrap_or_default();
            errors.error(
                span,
                format_args!("expected names in parentheses, without quotes, such as `#[{attribute}({example})]`"),
            );
        }
    }
    parsed
}

/// Reports the attribute of the other derives of this crate: `enum_type` in place of `union`, or
/// `union` in place of `enum_type`.
fn check_attribute_name<A: AttributeSite>(attr: &Attribute, errors: &Errors) {
    let attribute = A::ATTRIBUTE;
    let mut names = ["union", "enum_type"].into_iter();
    let wrong_name = names.find(|name| *name != attribute && attr.path().is_ident(name));
    if let Some(name) = wrong_name {
        errors.error(
            attr.path().span(),
            format_args!(
                "`{name}` is the attribute of another derive; write `#[{attribute}(...)]`"
            ),
        );
    }
}

/// Returns the error message for an attribute that the site already has.
fn duplicate_message(key: &str) -> String {
    if key == "member" || key == "group" {
        format!("duplicate `{key}`, because a field is a member of only one union; remove one")
    } else {
        format!("duplicate `{key}`; remove one")
    }
}

/// Returns the error message for an attribute that the site does not take.
fn unknown_attribute_message<A: AttributeSite>(key: &str) -> String {
    if let Some((_, message)) = A::SUGGESTIONS.iter().find(|(name, _)| *name == key) {
        return (*message).to_owned();
    }
    let other_site = <A::OtherSite as AttributeSite>::SITE;
    let other_names = <A::OtherSite as AttributeSite>::ALLOWED;
    let names = A::ALLOWED.iter().map(|name| format!("`{name}`"));
    let names: Vec<String> = names.collect();
    let names = names.join(", ");
    if other_names.contains(&key) {
        return format!("`{key}` belongs on {other_site}; expected here: {names}");
    }
    if let Some(message) = library_attribute_message(key).filter(|_| A::HAS_LIBRARY_ATTRIBUTES) {
        return message;
    }
    // Of two equally near names, the name that the site takes is first.
    let suggested_names = A::SUGGESTIONS.iter().map(|(name, _)| name);
    let known_names = A::ALLOWED.iter().chain(other_names).chain(suggested_names);
    match near_name(key, known_names.copied()) {
        Some(name) if A::ALLOWED.contains(&name) => {
            format!("unknown attribute `{key}`; did you mean `{name}`?")
        }
        Some(name) if other_names.contains(&name) => {
            format!(
                "unknown attribute `{key}`; did you mean `{name}`, which belongs on {other_site}?"
            )
        }
        Some(name) => {
            let message = unknown_attribute_message::<A>(name);
            format!("unknown attribute `{key}`; did you mean `{name}`? {message}")
        }
        None => format!("unknown attribute `{key}`; expected: {names}"),
    }
}

/// Returns the error message for an attribute of serde or schemars.
fn library_attribute_message(key: &str) -> Option<String> {
    let libraries = [
        ("serde", &SERDE_NAMES[..]),
        ("schemars", &SCHEMARS_NAMES[..]),
    ];
    let mut libraries = libraries.into_iter();
    let (library, _) = libraries.find(|(_, names)| names.contains(&key))?;
    Some(format!(
        "`{key}` is an attribute of {library}; move it to `#[{library}(...)]`"
    ))
}

/// The names of serde's attributes that authors of unions use.
const SERDE_NAMES: [&str; 21] = [
    "alias",
    "content",
    "default",
    "deny_unknown_fields",
    "deserialize_with",
    "flatten",
    "from",
    "into",
    "remote",
    "rename",
    "rename_all",
    "serialize_with",
    "skip",
    "skip_deserializing",
    "skip_serializing",
    "skip_serializing_if",
    "tag",
    "transparent",
    "try_from",
    "untagged",
    "with",
];

/// The names of schemars' attributes that authors of unions use.
const SCHEMARS_NAMES: [&str; 13] = [
    "deprecated",
    "description",
    "example",
    "extend",
    "format",
    "length",
    "pattern",
    "range",
    "regex",
    "required",
    "schema_with",
    "title",
    "transform",
];
