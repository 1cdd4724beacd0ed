//! Parses the signatures of the function tables: `string, int -> bool` for a function, `string.int
//! -> bool` for a member function. `A` and `B` are type parameters.

use super::row::{Overload, OverloadRow};
use crate::types::types::{OPAQUE_NAMES, Type};

/// Parses a signature of a row to an overload; `None` if the syntax is invalid.
pub(super) fn parse_overload(signature: &'static str, row: &OverloadRow) -> Option<Overload> {
    let (args, result) = signature.split_once("->")?;
    let (receiver, args) = match args.split_once('.') {
        Some((receiver, args)) => (Some(receiver), args),
        None => (None, args),
    };
    let mut types = Vec::new();
    if let Some(receiver) = receiver {
        types.push(parse_type(receiver)?);
    }
    for arg in split_types(args) {
        types.push(parse_type(arg)?);
    }
    let result = parse_type(result)?;
    let has_var = |var: u32| {
        types
            .iter()
            .chain([&result])
            .any(|ty| ty.last_var(&(var..var + 1)).is_some())
    };
    let mut libraries = Vec::from_iter(row.library);
    if !row.is_early {
        for ty in types.iter().chain([&result]) {
            ty.add_libraries(&mut libraries);
        }
    }
    let type_param_count = u32::from(has_var(0)) + u32::from(has_var(1));
    Some(Overload {
        id: signature,
        is_member: receiver.is_some(),
        args: types.into(),
        result,
        type_param_count,
        libraries: libraries.into(),
        language: row.language,
        until: row.until,
        removed_by: row.removed_by,
        is_early_in_loops: row.is_early_in_loops,
        call: row.call,
        estimate: row.estimate,
        actual_cost: row.cost.static_dispatch,
        dynamic_dispatch_cost: row.cost.dynamic_dispatch,
        string_test: row.string_test,
        order_test: row.order_test,
    })
}

/// Splits a list of types at the commas outside of parentheses.
fn split_types(signature: &str) -> Vec<&str> {
    let mut depth = 0_u32;
    let parts = signature.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.filter(|part| !part.trim().is_empty()).collect()
}

/// Parses a type; `None` for an unknown name.
fn parse_type(name: &str) -> Option<Type> {
    let name = name.trim();
    if let Some((constructor, params)) = name.split_once('(') {
        let params = split_types(params.strip_suffix(')')?);
        return Some(match (constructor, &*params) {
            ("list", [inner]) => Type::list(parse_type(inner)?),
            ("optional", [inner]) => Type::optional(parse_type(inner)?),
            ("type", [inner]) => Type::Type(Box::new(parse_type(inner)?)),
            ("map", [key, value]) => Type::map(parse_type(key)?, parse_type(value)?),
            _ => return None,
        });
    }
    Some(match name {
        "A" => Type::Var(0),
        "B" => Type::Var(1),
        "dyn" => Type::Dyn,
        "bool" => Type::Bool,
        "int" => Type::Int,
        "uint" => Type::Uint,
        "double" => Type::Double,
        "string" => Type::String,
        "bytes" => Type::Bytes,
        "timestamp" => Type::Timestamp,
        "duration" => Type::Duration,
        _ => {
            let has_name = |opaque: &&&str| opaque.rsplit('.').next() == Some(name);
            Type::Opaque(OPAQUE_NAMES.iter().find(has_name)?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::parse_overload;
    use crate::functions::estimated_cost;
    use crate::functions::operators::no_overload;
    use crate::functions::row::{ALWAYS, ActualCost, row};

    #[test]
    fn signatures_are_parsed() {
        let row = row(
            &[],
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        );
        let signature = "list(A).map(string, B) -> optional(A)";
        let overload = parse_overload(signature, &row).expect("a signature");
        assert!(overload.is_member);
        let args: Vec<String> = overload.args.iter().map(ToString::to_string).collect();
        assert_eq!(args, ["list(_var0)", "map(string, _var1)"]);
        assert_eq!(overload.result.to_string(), "optional_type(_var0)");
    }

    #[test]
    fn every_signature_of_the_tables_is_valid() {
        for group in crate::functions::table::GROUPS {
            for function in *group {
                for row in function.overloads {
                    for signature in row.signatures {
                        let name = function.name;
                        assert!(
                            parse_overload(signature, row).is_some(),
                            "{name}: {signature}"
                        );
                    }
                }
            }
        }
    }
}
