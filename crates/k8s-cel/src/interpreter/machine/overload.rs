//! Errors of calls with values of types that they do not take.

use crate::functions::dispatch::{NoOverload, Trait};
use crate::interpreter::program::Call;
use crate::values::value::{Fault, Val};

/// Returns the error of a call that no overload accepts. The error contains the name of the
/// function if the error of a server does.
pub(super) fn missing(call: &Call, args: &[Val<'_>]) -> Fault {
    if call.pattern.is_some() {
        return Fault::no_such_overload();
    }
    let name = call.function.name;
    let named = match call.function.dispatch.no_overload() {
        NoOverload::Unnamed => return Fault::no_such_overload(),
        NoOverload::NamedUnlessReceiver if has_members(args) => return Fault::no_such_overload(),
        NoOverload::Operator(of) if has_trait(args, of) => return Fault::no_such_overload(),
        NoOverload::Named | NoOverload::NamedUnlessReceiver | NoOverload::Operator(_) => {
            name.to_owned()
        }
        NoOverload::Member => match args {
            [receiver, rest @ ..] => {
                let receiver = match receiver.type_name() {
                    "map" => "map(dyn, dyn)",
                    receiver => receiver,
                };
                format!("{receiver}.{name}({})", types(rest))
            }
            [] => name.to_owned(),
        },
        NoOverload::Typed => format!("{name}({})", types(args)),
    };
    Fault::error(format!("no such overload: {named}"))
}

/// Returns true if the first argument is of a type with member functions.
const fn has_members(args: &[Val<'_>]) -> bool {
    matches!(
        args,
        [Val::Text(_) | Val::Timestamp(_) | Val::Duration(_), ..]
    )
}

/// Returns true if the type of the first operand has the trait.
fn has_trait(args: &[Val<'_>], of: Trait) -> bool {
    match args.first() {
        Some(Val::Text(_) | Val::Timestamp(_) | Val::Duration(_) | Val::Int(_)) | None => true,
        Some(Val::Uint(_)) => of != Trait::Negater,
        Some(Val::Double(_)) => of != Trait::Modder,
        Some(Val::Bool(_)) => {
            matches!(of, Trait::Negater | Trait::Comparer | Trait::Equality)
        }
        Some(Val::Bytes(_)) => matches!(of, Trait::Adder | Trait::Comparer | Trait::Equality),
        Some(Val::List(_) | Val::Items(..) | Val::Joined(_)) => {
            matches!(of, Trait::Adder | Trait::Equality)
        }
        Some(_) => of == Trait::Equality,
    }
}

fn types(args: &[Val<'_>]) -> String {
    let names: Vec<&str> = args.iter().map(Val::type_name).collect();
    names.join(", ")
}
