//! A place for attributes, such as a field, and the loop that reads the attributes on it.

use syn::Attribute;
use syn::meta::ParseNestedMeta;

use super::parse::{key_span, key_text, skip_value};
use crate::diag::Diag;

/// The attributes of one kind of place.
pub(crate) trait Attributes: Default {
    /// The derive's attribute: `union`
    const ATTRIBUTE: &'static str;
    /// The place, for errors: `a field`
    const PLACE: &'static str;
    /// The names that the place takes, as errors list them.
    const NAMES: &'static [&'static str];
    /// Names that another kind of type takes, each with the remedy for this place.
    const INSTEAD: &'static [(&'static str, &'static str)];
    /// The place that a misplaced attribute may be meant for.
    type Elsewhere: Attributes;

    /// Reads the value of an attribute in `NAMES` into its slot.
    fn read_one(&mut self, name: &str, meta: &ParseNestedMeta<'_>) -> syn::Result<()>;

    /// Returns the names of the attributes that are set.
    fn names(&self) -> Vec<&'static str>;
}

/// Reads all attributes on a place.
pub(super) fn read<A: Attributes>(attrs: &[Attribute], diag: &Diag) -> A {
    let mut found = A::default();
    let mut seen: Vec<String> = Vec::new();
    for attr in attrs {
        if !attr.path().is_ident(A::ATTRIBUTE) {
            continue;
        }
        let result = attr.parse_nested_meta(|meta| {
            let key = key_text(&meta);
            let span = key_span(&meta);
            if !A::NAMES.contains(&key.as_str()) {
                diag.error(span, unknown::<A>(&key));
                return skip_value(&meta);
            }
            if seen.contains(&key) {
                diag.error(span, format_args!("`{key}` is a duplicate; keep one"));
                return skip_value(&meta);
            }
            found.read_one(&key, &meta)?;
            seen.push(key);
            Ok(())
        });
        if let Err(error) = result {
            diag.add(error);
        }
    }
    found
}

/// The error for an attribute that the place does not take.
fn unknown<A: Attributes>(key: &str) -> String {
    if let Some((_, instead)) = A::INSTEAD.iter().find(|(name, _)| *name == key) {
        return (*instead).to_owned();
    }
    let names = A::NAMES.iter().map(|name| format!("`{name}`"));
    let names: Vec<String> = names.collect();
    let names = names.join(", ");
    if <A::Elsewhere as Attributes>::NAMES.contains(&key) {
        let elsewhere = <A::Elsewhere as Attributes>::PLACE;
        format!("`{key}` belongs on {elsewhere}; expected here: {names}")
    } else {
        format!("unknown attribute `{key}`; expected: {names}")
    }
}
