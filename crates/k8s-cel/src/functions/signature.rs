//! Signatures as tables contain them: `string, int -> bool` for a function, `string.int -> bool`
//! for a member function. `A` and `B` are type parameters.

use super::row::{Overload, OverloadRow};
use crate::types::types::{OPAQUE_NAMES, Type};
use crate::types::version::KubeVersion;

/// Parses a signature of a row.
pub(super) fn overload(text: &'static str, row: &OverloadRow) -> Option<Overload> {
    let (args, result) = text.split_once("->")?;
    let (receiver, args) = match args.split_once('.') {
        Some((receiver, args)) => (Some(receiver), args),
        None => (None, args),
    };
    let mut types = Vec::new();
    if let Some(receiver) = receiver {
        types.push(ty(receiver)?);
    }
    for arg in split(args) {
        types.push(ty(arg)?);
    }
    let result = ty(result)?;
    let has = |var: u32| types.iter().chain([&result]).any(|ty| ty.contains_var(var));
    let mentioned = types.iter().chain([&result]).map(Type::since);
    let mentioned = mentioned.filter(|_| !row.is_early);
    let since = mentioned.fold(row.since, KubeVersion::max);
    let params = u32::from(has(0)) + u32::from(has(1));
    Some(Overload {
        id: text,
        is_member: receiver.is_some(),
        args: types.into(),
        result,
        params,
        since,
        language: row.language,
        until: row.until,
        is_early_in_loops: row.is_early_in_loops,
        call: row.call,
        estimate: row.estimate,
        actual_cost: row.cost.static_dispatch,
        dynamic_dispatch_cost: row.cost.dynamic_dispatch,
        string_test: row.string_test,
        order_test: row.order_test,
    })
}

/// Splits a signature at the commas outside of brackets.
fn split(text: &str) -> Vec<&str> {
    let mut open = 0_u32;
    let parts = text.split(|c| {
        match c {
            '(' => open += 1,
            ')' => open = open.saturating_sub(1),
            _ => {}
        }
        c == ',' && open == 0
    });
    parts.filter(|part| !part.trim().is_empty()).collect()
}

fn ty(text: &str) -> Option<Type> {
    let text = text.trim();
    if let Some((name, of)) = text.split_once('(') {
        let parts = split(of.strip_suffix(')')?);
        return Some(match (name, &*parts) {
            ("list", [of]) => Type::list(ty(of)?),
            ("optional", [of]) => Type::optional(ty(of)?),
            ("type", [of]) => Type::Type(Box::new(ty(of)?)),
            ("map", [key, value]) => Type::map(ty(key)?, ty(value)?),
            _ => return None,
        });
    }
    Some(match text {
        "A" => Type::Var(0),
        "B" => Type::Var(1),
        "dyn" => Type::Dyn,
        "null" => Type::Null,
        "bool" => Type::Bool,
        "int" => Type::Int,
        "uint" => Type::Uint,
        "double" => Type::Double,
        "string" => Type::String,
        "bytes" => Type::Bytes,
        "timestamp" => Type::Timestamp,
        "duration" => Type::Duration,
        _ => {
            let is_it = |name: &&&str| name.rsplit('.').next() == Some(text);
            Type::Opaque(OPAQUE_NAMES.iter().find(is_it)?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::overload;
    use crate::functions::estimated_cost;
    use crate::functions::operators::no_overload;
    use crate::functions::row::{ALWAYS, ActualCost, row};

    #[test]
    fn signatures_are_read() {
        let row = row(
            &[],
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        );
        let text = "list(A).map(string, B) -> optional(A)";
        let overload = overload(text, &row).expect("a signature");
        assert!(overload.is_member);
        let args: Vec<String> = overload.args.iter().map(ToString::to_string).collect();
        assert_eq!(args, ["list(_var0)", "map(string, _var1)"]);
        assert_eq!(overload.result.to_string(), "optional_type(_var0)");
    }

    #[test]
    fn every_signature_is_one() {
        for group in crate::functions::table::GROUPS {
            for function in *group {
                for row in function.overloads {
                    for text in row.signatures {
                        let name = function.name;
                        assert!(overload(text, row).is_some(), "{name}: {text}");
                    }
                }
            }
        }
    }
}
