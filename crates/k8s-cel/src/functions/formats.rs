//! Formats of texts.

use super::cost;
use super::row::{Entry, row};
use crate::format::Named;
use crate::values::opaque::Opaque;
use crate::values::value::{Fault, Val};

/// A function that gives the format it is called after.
macro_rules! format_of {
    ($name:literal) => {
        (
            concat!("format.", $name),
            &[row(&[" -> NamedFormat"], |_, _| {
                find($name).ok_or_else(Fault::no_such_overload)
            })],
        )
    };
}

pub(super) const FUNCTIONS: &[Entry] = &[
    (
        "format.named",
        &[row(&["string -> optional(NamedFormat)"], |_, args| {
            let [Val::Text(name)] = args else {
                return Err(Fault::no_such_overload());
            };
            Ok(find(name.as_str()).map_or(Val::Optional(None), Val::some))
        })],
    ),
    format_of!("dns1123Label"),
    format_of!("dns1123Subdomain"),
    format_of!("dns1035Label"),
    format_of!("dns1035LabelPrefix"),
    format_of!("dns1123LabelPrefix"),
    format_of!("dns1123SubdomainPrefix"),
    format_of!("qualifiedName"),
    format_of!("labelValue"),
    format_of!("uri"),
    format_of!("uuid"),
    format_of!("byte"),
    format_of!("date"),
    format_of!("datetime"),
    (
        "validate",
        &[row(
            &["NamedFormat.string -> optional(list(string))"],
            |_, args| {
                let [Val::Opaque(Opaque::Format(named)), Val::Text(text)] = args else {
                    return Err(Fault::no_such_overload());
                };
                let said = named.check(text.as_str());
                Ok(if said.is_empty() {
                    Val::Optional(None)
                } else {
                    Val::some(Val::list(said.into_iter().map(Val::text).collect()))
                })
            },
        )
        .costs(cost::validation)],
    ),
];

fn find<'v>(name: &str) -> Option<Val<'v>> {
    Named::find(name).map(|format| Val::Opaque(Opaque::Format(format)))
}
