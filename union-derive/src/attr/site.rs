//! Attribute sites: the items that can have attributes, such as a struct or a field, and the loop
//! that reads the attributes of a site.

use syn::Attribute;
use syn::meta::ParseNestedMeta;

use super::near_name::near_name;
use super::parse::{key_span, key_string, skip_value};
use crate::errors::Errors;

/// A type that contains the attributes of one kind of site.
pub(crate) trait AttributeSite: Default {
    /// The name of the derive's attribute: `union` or `enum_type`.
    const ATTRIBUTE: &'static str;
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
        if !attr.path().is_ident(A::ATTRIBUTE) {
            continue;
        }
        let result = attr.parse_nested_meta(|meta| {
            let key = key_string(&meta);
            let span = key_span(&meta);
            if !A::ALLOWED.contains(&key.as_str()) {
                errors.error(span, unknown_attribute_message::<A>(&key));
                return skip_value(&meta);
            }
            if seen_keys.contains(&key) {
                errors.error(span, format_args!("duplicate `{key}`; remove one"));
                return skip_value(&meta);
            }
            if let Err(error) = parsed.parse_one(&key, &meta) {
                errors.add(error);
                skip_value(&meta)?;
            }
            seen_keys.push(key);
            Ok(())
        });
        if let Err(error) = result {
            errors.add(error);
        }
    }
    parsed
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
