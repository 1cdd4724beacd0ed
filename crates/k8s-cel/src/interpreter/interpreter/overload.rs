//! The error of a call whose argument values no overload accepts.

use crate::functions::dispatch::{NoOverloadMessage, Trait};
use crate::interpreter::program::Call;
use crate::types::feature::Feature;
use crate::types::version::KubeVersion;
use crate::values::value::{EvalError, Val};

/// Returns the error of a call whose arguments no overload accepts, with the name of the function
/// if the server's message contains it.
pub(super) fn no_overload_error(call: &Call, args: &[Val<'_>], version: KubeVersion) -> EvalError {
    if call.pattern.is_some() {
        return EvalError::no_such_overload();
    }
    let name = call.function.name;
    let signature = match call.function.dispatch.no_overload_message() {
        NoOverloadMessage::Unnamed => return EvalError::no_such_overload(),
        NoOverloadMessage::NamedUnlessReceiver if has_members(args) => {
            return EvalError::no_such_overload();
        }
        NoOverloadMessage::Operator(required) if has_trait(args, required) => {
            return EvalError::no_such_overload();
        }
        NoOverloadMessage::Named
        | NoOverloadMessage::NamedUnlessReceiver
        | NoOverloadMessage::Operator(_) => name.to_owned(),
        NoOverloadMessage::Member => match args {
            [receiver, rest @ ..] => {
                let receiver = match receiver.type_name_in(version) {
                    "map" => "map(dyn, dyn)",
                    "optional_type" if version.has(Feature::DynTypeParameters) => {
                        "optional_type(dyn)"
                    }
                    receiver => receiver,
                };
                format!("{receiver}.{name}({})", type_names(rest, version))
            }
            [] => name.to_owned(),
        },
        NoOverloadMessage::Typed => format!("{name}({})", type_names(args, version)),
    };
    EvalError::new(format!("no such overload: {signature}"))
}

/// Returns true if the type of the first argument has member functions.
const fn has_members(args: &[Val<'_>]) -> bool {
    matches!(
        args,
        [Val::String(_) | Val::Timestamp(_) | Val::Duration(_), ..]
    )
}

/// Returns true if the type of the first operand has the trait.
fn has_trait(args: &[Val<'_>], required: Trait) -> bool {
    match args.first() {
        Some(Val::String(_) | Val::Timestamp(_) | Val::Duration(_) | Val::Int(_)) | None => true,
        Some(Val::Uint(_)) => required != Trait::Negater,
        Some(Val::Double(_)) => required != Trait::Modder,
        Some(Val::Bool(_)) => {
            matches!(required, Trait::Negater | Trait::Comparer | Trait::Equality)
        }
        Some(Val::Bytes(_)) => matches!(required, Trait::Adder | Trait::Comparer | Trait::Equality),
        Some(Val::List(_) | Val::JsonList(..) | Val::AppendedList(_)) => {
            matches!(required, Trait::Adder | Trait::Equality)
        }
        Some(_) => required == Trait::Equality,
    }
}

fn type_names(args: &[Val<'_>], version: KubeVersion) -> String {
    let names: Vec<&str> = args.iter().map(|arg| arg.type_name_in(version)).collect();
    names.join(", ")
}
