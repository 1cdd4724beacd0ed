//! What a call says that gets values of no type that it takes.

use core::fmt::Write;

use crate::value::{Fault, Val};

/// The fault of a call to which no overload fits.
pub(super) fn missing(name: &str, args: &[Val<'_>]) -> Fault {
    named(Fault::no_such_overload(), name, args)
}

/// Says which call it was, where the server says so.
pub(super) fn named(fault: Fault, name: &str, args: &[Val<'_>]) -> Fault {
    let Fault::Error(text) = &fault else {
        return fault;
    };
    if &**text != "no such overload" || says_nothing(name, args) {
        return fault;
    }
    let mut text = format!("no such overload: {name}");
    match name {
        "size" | "sort" | "matches" => {}
        "flatten" => {
            if let [list, depth @ ..] = args {
                text = format!(
                    "no such overload: {}.{name}({})",
                    list.type_name(),
                    types(depth)
                );
            }
        }
        _ => {
            // A text never fails.
            let _ = write!(text, "({})", types(args));
        }
    }
    Fault::error(text)
}

/// Operators, and functions that are left to their first argument; and a text that is not an address, where one is asked for.
fn says_nothing(name: &str, args: &[Val<'_>]) -> bool {
    name.starts_with(['_', '-', '!', '@'])
        || matches!(name, "contains" | "endsWith" | "startsWith")
        || name == "containsIP" && matches!(args, [Val::Opaque(_), Val::Text(_)])
}

fn types(args: &[Val<'_>]) -> String {
    let names: Vec<&str> = args.iter().map(Val::type_name).collect();
    names.join(", ")
}
