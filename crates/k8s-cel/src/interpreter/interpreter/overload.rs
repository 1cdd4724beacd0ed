//! Errors of calls with values of types that they do not take.

use crate::functions::dispatch::{NoOverloadMessage, Trait};
use crate::interpreter::program::Call;
use crate::values::value::{EvalError, Val};

/// Returns the error of a call that no overload accepts. The error contains the name of the
/// function if the error of a server does.
pub(super) fn no_overload_error(call: &Call, args: &[Val<'_>]) -> EvalError {
    if call.pattern.is_some() {
        return EvalError::no_such_overload();
    }
    let name = call.function.name;
    let named = match call.function.dispatch.no_overload() {
        NoOverloadMessage::Unnamed => return EvalError::no_such_overload(),
        NoOverloadMessage::NamedUnlessReceiver if has_members(args) => {
            return EvalError::no_such_overload();
        }
        NoOverloadMessage::Operator(of) if has_trait(args, of) => {
            return EvalError::no_such_overload();
        }
        NoOverloadMessage::Named
        | NoOverloadMessage::NamedUnlessReceiver
        | NoOverloadMessage::Operator(_) => name.to_owned(),
        NoOverloadMessage::Member => match args {
            [receiver, rest @ ..] => {
                let receiver = match receiver.type_name() {
                    "map" => "map(dyn, dyn)",
                    receiver => receiver,
                };
                format!("{receiver}.{name}({})", types(rest))
            }
            [] => name.to_owned(),
        },
        NoOverloadMessage::Typed => format!("{name}({})", types(args)),
    };
    EvalError::new(format!("no such overload: {named}"))
}

/// Returns true if the first argument is of a type with member functions.
const fn has_members(args: &[Val<'_>]) -> bool {
    matches!(
        args,
        [Val::String(_) | Val::Timestamp(_) | Val::Duration(_), ..]
    )
}

/// Returns true if the type of the first operand has the trait.
fn has_trait(args: &[Val<'_>], of: Trait) -> bool {
    match args.first() {
        Some(Val::String(_) | Val::Timestamp(_) | Val::Duration(_) | Val::Int(_)) | None => true,
        Some(Val::Uint(_)) => of != Trait::Negater,
        Some(Val::Double(_)) => of != Trait::Modder,
        Some(Val::Bool(_)) => {
            matches!(of, Trait::Negater | Trait::Comparer | Trait::Equality)
        }
        Some(Val::Bytes(_)) => matches!(of, Trait::Adder | Trait::Comparer | Trait::Equality),
        Some(Val::List(_) | Val::JsonList(..) | Val::AppendedList(_)) => {
            matches!(of, Trait::Adder | Trait::Equality)
        }
        Some(_) => of == Trait::Equality,
    }
}

fn types(args: &[Val<'_>]) -> String {
    let names: Vec<&str> = args.iter().map(Val::type_name).collect();
    names.join(", ")
}
