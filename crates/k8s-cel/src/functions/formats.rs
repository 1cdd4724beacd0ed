//! Functions of string formats.

use super::cost;
use super::dispatch::Dispatch;
use super::estimate;
use super::row::{ALWAYS, Cost, FunctionRow, function, row};
use crate::cost::work::Work;
use crate::format::Named;
use crate::values::opaque::Opaque;
use crate::values::value::{Fault, Val};

/// A function that returns the format of the same name.
macro_rules! format_of {
    ($name:literal) => {
        function(
            concat!("format.", $name),
            Dispatch::ByOverload,
            Work::Texts,
            &[row(
                &[" -> NamedFormat"],
                ALWAYS,
                |_, _| find($name).ok_or_else(Fault::no_such_overload),
                Cost::ONE,
                estimate::one,
            )],
        )
    };
}

pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "format.named",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["string -> optional(NamedFormat)"],
            ALWAYS,
            |_, args| {
                let [Val::Text(name)] = args else {
                    return Err(Fault::no_such_overload());
                };
                Ok(find(name.as_str()).map_or(Val::Optional(None), Val::some))
            },
            Cost::ONE,
            estimate::one,
        )],
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
    function(
        "validate",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["NamedFormat.string -> optional(list(string))"],
            ALWAYS,
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
            Cost::of(cost::validation),
            estimate::validation,
        )],
    ),
];

fn find<'v>(name: &str) -> Option<Val<'v>> {
    Named::find(name).map(|format| Val::Opaque(Opaque::Format(format)))
}
