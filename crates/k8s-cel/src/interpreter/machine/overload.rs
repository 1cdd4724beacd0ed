//! What a call says that gets values of no type that it takes.

use core::fmt::Write;

use crate::interpreter::program::Call;
use crate::values::value::{Fault, Val};

/// The fault of a call to which no overload fits. It says which call it was, where the server says so.
pub(super) fn missing(call: &Call, args: &[Val<'_>]) -> Fault {
    let name = call.name;
    if call.pattern.is_some() || says_nothing(name, args) {
        return Fault::no_such_overload();
    }
    let mut text = format!("no such overload: {name}");
    match name {
        "size" | "sort" | "matches" | "@sortByAssociatedKeys" => {}
        name if name.starts_with(['_', '-']) => {}
        "flatten" => {
            if let [list, depth @ ..] = args {
                let of = match list.type_name() {
                    "map" => "map(dyn, dyn)",
                    of => of,
                };
                text = format!("no such overload: {of}.{name}({})", types(depth));
            }
        }
        _ => {
            // A text never fails.
            let _ = write!(text, "({})", types(args));
        }
    }
    Fault::error(text)
}

/// Whether the first argument answers for itself, and does not say what it was asked.
fn says_nothing(name: &str, args: &[Val<'_>]) -> bool {
    match (name, args) {
        // These values have functions of their own.
        ("contains" | "endsWith" | "startsWith", _)
        | (
            "size" | "sort" | "matches",
            [Val::Text(_) | Val::Timestamp(_) | Val::Duration(_), ..],
        ) => true,
        (name, [first, ..]) if name.starts_with(['_', '-']) => knows(first, name),
        (name, _) => name.starts_with(['_', '-', '!']) || name == "@in",
    }
}

/// Whether values of that type know the operator, whatever else they get.
const fn knows(value: &Val<'_>, operator: &str) -> bool {
    // No match on texts in a constant function: the signs are told apart by their first byte.
    let sign = match operator.as_bytes() {
        [b'_', sign, ..] => *sign,
        _ => b'n',
    };
    match value {
        Val::Text(_) | Val::Timestamp(_) | Val::Duration(_) | Val::Int(_) => true,
        Val::Uint(_) => sign != b'n',
        Val::Double(_) => sign != b'%',
        Val::Bool(_) => matches!(sign, b'n' | b'<' | b'>' | b'=' | b'!' | b'&' | b'|' | b'?'),
        Val::Bytes(_) => matches!(sign, b'+' | b'<' | b'>' | b'=' | b'!'),
        Val::List(_) | Val::Items(..) | Val::Joined(_) => matches!(sign, b'+' | b'=' | b'!'),
        _ => matches!(sign, b'=' | b'!'),
    }
}

fn types(args: &[Val<'_>]) -> String {
    let names: Vec<&str> = args.iter().map(Val::type_name).collect();
    names.join(", ")
}
