//! Expands macros: calls that the parser replaces with other trees.

use super::{Ast, AstKind, Comprehension, Element, Literal, SourceError};
use crate::types::feature::{Feature, RuleVersions};

/// The accumulator of a comprehension, which no identifier in the source can equal.
pub(crate) const ACCUMULATOR: &str = "@result";

/// The older name of the accumulator, which the server does not allow as a variable.
const OLD_ACCUMULATOR: &str = "__result__";

/// Returns the call, or the expansion of the macro that the call names. Errors in the arguments of
/// a macro are added to `errors`.
pub(super) fn expand_call(
    offset: u32,
    name: String,
    target: Option<Ast>,
    mut args: Vec<Ast>,
    version: RuleVersions,
    errors: &mut Vec<SourceError>,
) -> Result<Ast, SourceError> {
    if !is_macro(&name, args.len(), target.is_some(), version) {
        let kind = AstKind::Call {
            function: name,
            target: target.map(Box::new),
            args,
        };
        return Ast::new(offset, kind);
    }
    let expanded = match target {
        None => expand_has(offset, args.remove(0))?,
        Some(target) if name.starts_with("opt") => expand_opt_map(offset, &name, target, args)?,
        Some(target) => match macro_variables(&name, &args) {
            Err(error) => Err(error),
            Ok(_) if name == "sortBy" => match &target.kind {
                AstKind::Literal(_) | AstKind::Map(_) | AstKind::Struct(_) => {
                    Err(SourceError::new(
                        target.offset,
                        "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
                    ))
                }
                _ => Ok(expand_sort_by(offset, target, args)?),
            },
            Ok(variables) => Ok(expand_comprehension(
                offset, &name, target, variables, args,
            )?),
        },
    };
    Ok(expanded.unwrap_or_else(|error| {
        let offset = error.offset;
        errors.push(error);
        Ast::error_node(offset)
    }))
}

/// Returns true if the version has a macro with this name and this number of arguments.
fn is_macro(name: &str, args: usize, is_member: bool, version: RuleVersions) -> bool {
    match (name, args) {
        ("has", 1) => !is_member,
        _ if !is_member => false,
        ("all" | "exists" | "exists_one" | "filter", 2) | ("map", 2 | 3) => true,
        ("all" | "exists" | "existsOne" | "exists_one", 3)
        | ("transformList" | "transformMap" | "transformMapEntry", 3 | 4) => {
            version.has(Feature::TwoVariableMacros)
        }
        ("optMap", 2) => version.has(Feature::Optionals),
        ("optFlatMap", 2) => version.has(Feature::Optionals) && version.has(Feature::OptFlatMap),
        ("sortBy", 2) => version.has(Feature::ListsVersion3),
        _ => false,
    }
}

/// The expansion of a macro, or an error in its arguments. The outer error is for a tree that
/// exceeds a limit.
type Expansion = Result<Result<Ast, SourceError>, SourceError>;

/// Expands `has(a.b)` to a selection with `test_only`.
fn expand_has(offset: u32, arg: Ast) -> Expansion {
    match arg.kind {
        AstKind::Select {
            operand,
            field,
            test_only: false,
        } => {
            let kind = AstKind::Select {
                operand,
                field,
                test_only: true,
            };
            Ast::new(offset, kind).map(Ok)
        }
        _ => Ok(Err(SourceError::new(
            arg.offset,
            "invalid argument to has() macro",
        ))),
    }
}

/// The one or two variables of a comprehension.
struct Variables {
    first: String,
    second: Option<String>,
}

/// Returns the variables of a macro, or the error of an argument that cannot be a variable.
fn macro_variables(name: &str, args: &[Ast]) -> Result<Variables, SourceError> {
    let is_reserved = |name: &str| name == OLD_ACCUMULATOR || name == ACCUMULATOR;
    let not_ident_message = match name {
        "map" | "filter" | "sortBy" => "argument is not an identifier",
        _ => "argument must be a simple name",
    };
    let variable = |arg: Option<&Ast>| match arg.map(|arg| (arg.offset, &arg.kind)) {
        Some((offset, AstKind::Ident(name))) => Ok((offset, name.clone())),
        other => {
            let offset = other.map_or(0, |(offset, _)| offset);
            Err(SourceError::new(offset, not_ident_message))
        }
    };
    let has_second = match name {
        "all" | "exists" | "exists_one" | "existsOne" => args.len() == 3,
        "map" | "filter" | "sortBy" => false,
        _ => true,
    };
    let (offset, first) = variable(args.first())?;
    let second = has_second.then(|| variable(args.get(1))).transpose()?;
    if let Some((offset, second)) = &second
        && first == *second
    {
        let message = format!("duplicate variable name: {first}");
        return Err(SourceError::new(*offset, message));
    }
    let overwrite_message = "iteration variable overwrites accumulator variable";
    if is_reserved(&first) {
        return Err(SourceError::new(offset, overwrite_message));
    }
    match second {
        Some((offset, second)) if is_reserved(&second) => {
            Err(SourceError::new(offset, overwrite_message))
        }
        second => Ok(Variables {
            first,
            second: second.map(|(_, name)| name),
        }),
    }
}

/// Returns a list with one element.
fn single_element_list(offset: u32, value: Ast) -> Result<Ast, SourceError> {
    Ast::new(
        offset,
        AstKind::List(vec![Element {
            value,
            optional: false,
        }]),
    )
}

/// Returns a member call without arguments.
fn member_call(offset: u32, function: &str, target: Ast) -> Result<Ast, SourceError> {
    Ast::new(
        offset,
        AstKind::Call {
            function: function.to_owned(),
            target: Some(Box::new(target)),
            args: Vec::new(),
        },
    )
}

/// Expands a macro to a comprehension, such as `all(x, p)` or `all(k, v, p)`.
fn expand_comprehension(
    offset: u32,
    name: &str,
    range: Ast,
    variables: Variables,
    args: Vec<Ast>,
) -> Result<Ast, SourceError> {
    let no_argument = || SourceError::new(offset, "no argument to evaluate");
    let Variables { first: var, second } = variables;
    let first = args.first().map_or(offset, |arg| arg.offset);
    let mut args = args.into_iter().skip(if second.is_some() { 2 } else { 1 });
    let last = args.next_back().ok_or_else(no_argument)?;
    let filter = args.next();
    let parts = match name {
        "all" | "exists" => expand_quantifier(offset, name, last)?,
        "exists_one" | "existsOne" => expand_exists_one(offset, last)?,
        "filter" => expand_filter(offset, last, Ast::ident(first, &var))?,
        "map" | "transformList" => expand_map(offset, filter, last)?,
        "transformMap" => {
            expand_transform_map(offset, filter, vec![Ast::ident(first, &var), last])?
        }
        _ => expand_transform_map(offset, filter, vec![last])?,
    };
    Ast::new(
        offset,
        AstKind::Comprehension(Box::new(Comprehension {
            iter_range: range,
            iter_var: var,
            iter_var2: second,
            accu_var: ACCUMULATOR.to_owned(),
            accu_init: parts.init,
            loop_condition: parts.condition,
            loop_step: parts.step,
            result: parts.result,
        })),
    )
}

/// The parts of a comprehension: the initial value of the accumulator, the loop condition, the loop
/// step and the result.
struct ComprehensionParts {
    init: Ast,
    condition: Ast,
    step: Ast,
    result: Ast,
}

impl ComprehensionParts {
    /// Returns the parts of a comprehension over all elements whose result is the accumulator.
    fn accumulating(offset: u32, init: Ast, step: Ast) -> Self {
        Self {
            init,
            condition: bool_literal(offset, true),
            step,
            result: accumulator(offset),
        }
    }
}

fn accumulator(offset: u32) -> Ast {
    Ast::ident(offset, ACCUMULATOR)
}

fn bool_literal(offset: u32, value: bool) -> Ast {
    Ast::literal(offset, Literal::Bool(value))
}

/// Expands `all` and `exists`, which end as soon as the result is known.
fn expand_quantifier(
    offset: u32,
    name: &str,
    predicate: Ast,
) -> Result<ComprehensionParts, SourceError> {
    let is_all = name == "all";
    let (continues, operator) = if is_all {
        (accumulator(offset), "_&&_")
    } else {
        (Ast::call(offset, "!_", vec![accumulator(offset)])?, "_||_")
    };
    Ok(ComprehensionParts {
        init: bool_literal(offset, is_all),
        condition: Ast::call(offset, "@not_strictly_false", vec![continues])?,
        step: Ast::call(offset, operator, vec![accumulator(offset), predicate])?,
        result: accumulator(offset),
    })
}

/// Expands `exists_one`.
fn expand_exists_one(offset: u32, predicate: Ast) -> Result<ComprehensionParts, SourceError> {
    let one = || Ast::literal(offset, Literal::Int(1));
    let new_value = Ast::call(offset, "_+_", vec![accumulator(offset), one()])?;
    Ok(ComprehensionParts {
        init: Ast::literal(offset, Literal::Int(0)),
        condition: bool_literal(offset, true),
        step: conditional_step(offset, predicate, new_value)?,
        result: Ast::call(offset, "_==_", vec![accumulator(offset), one()])?,
    })
}

/// Expands `filter`.
fn expand_filter(
    offset: u32,
    predicate: Ast,
    element: Ast,
) -> Result<ComprehensionParts, SourceError> {
    let new_value = Ast::call(
        offset,
        "_+_",
        vec![accumulator(offset), single_element_list(offset, element)?],
    )?;
    let init = Ast::new(offset, AstKind::List(Vec::new()))?;
    Ok(ComprehensionParts::accumulating(
        offset,
        init,
        conditional_step(offset, predicate, new_value)?,
    ))
}

/// Expands `map` and `transformList`.
fn expand_map(
    offset: u32,
    filter: Option<Ast>,
    value: Ast,
) -> Result<ComprehensionParts, SourceError> {
    let new_value = Ast::call(
        offset,
        "_+_",
        vec![accumulator(offset), single_element_list(offset, value)?],
    )?;
    let init = Ast::new(offset, AstKind::List(Vec::new()))?;
    Ok(ComprehensionParts::accumulating(
        offset,
        init,
        filtered_step(offset, filter, new_value)?,
    ))
}

/// Expands `transformMap`, with a key and a value as arguments, and `transformMapEntry`, with an
/// entry.
fn expand_transform_map(
    offset: u32,
    filter: Option<Ast>,
    mut args: Vec<Ast>,
) -> Result<ComprehensionParts, SourceError> {
    args.insert(0, accumulator(offset));
    let new_value = Ast::call(offset, "cel.@mapInsert", args)?;
    let init = Ast::new(offset, AstKind::Map(Vec::new()))?;
    Ok(ComprehensionParts::accumulating(
        offset,
        init,
        filtered_step(offset, filter, new_value)?,
    ))
}

/// Returns `filter ? step : @result`.
fn conditional_step(offset: u32, filter: Ast, step: Ast) -> Result<Ast, SourceError> {
    Ast::call(offset, "_?_:_", vec![filter, step, accumulator(offset)])
}

/// Returns the step, which runs only for elements that satisfy the filter, if any.
fn filtered_step(offset: u32, filter: Option<Ast>, step: Ast) -> Result<Ast, SourceError> {
    match filter {
        None => Ok(step),
        Some(filter) => conditional_step(offset, filter, step),
    }
}

/// Returns the expansion of `cel.bind(var, init, result)`: a comprehension over an empty list,
/// whose accumulator is the variable.
fn bind(offset: u32, var: String, init: Ast, result: Ast) -> Result<Ast, SourceError> {
    Ast::new(
        offset,
        AstKind::Comprehension(Box::new(Comprehension {
            iter_range: Ast::new(offset, AstKind::List(Vec::new()))?,
            iter_var: "#unused".to_owned(),
            iter_var2: None,
            loop_step: Ast::ident(offset, &var),
            accu_var: var,
            accu_init: init,
            loop_condition: Ast::literal(offset, Literal::Bool(false)),
            result,
        })),
    )
}

/// Expands `x.optMap(v, f)`, whose result is the optional value of `f` if `x` is present, and
/// absent otherwise. In `optFlatMap`, the result of `f` is itself an optional value.
fn expand_opt_map(offset: u32, name: &str, target: Ast, args: Vec<Ast>) -> Expansion {
    let mut args = args.into_iter();
    let (Some(var), Some(body)) = (args.next(), args.next()) else {
        return Err(SourceError::new(offset, "optMap() needs two arguments"));
    };
    let AstKind::Ident(var) = var.kind else {
        let message = format!("{name}() variable name must be a simple identifier");
        return Ok(Err(SourceError::new(var.offset, message)));
    };
    let has_value = member_call(offset, "hasValue", target.clone())?;
    let value = member_call(offset, "value", target)?;
    let mut body = bind(offset, var, value, body)?;
    let absent = Ast::new(
        offset,
        AstKind::Call {
            function: "none".to_owned(),
            target: Some(Box::new(Ast::ident(offset, "optional"))),
            args: Vec::new(),
        },
    )?;
    if name == "optMap" {
        body = Ast::new(
            offset,
            AstKind::Call {
                function: "of".to_owned(),
                target: Some(Box::new(Ast::ident(offset, "optional"))),
                args: vec![body],
            },
        )?;
    }
    Ast::call(offset, "_?_:_", vec![has_value, body, absent]).map(Ok)
}

/// Expands `l.sortBy(x, key)` to a call that sorts the list by the list of its keys.
fn expand_sort_by(offset: u32, target: Ast, args: Vec<Ast>) -> Result<Ast, SourceError> {
    const INPUT: &str = "@__sortBy_input__";
    let input = || Ast::ident(offset, INPUT);
    let variables = macro_variables("map", &args)?;
    let keys = expand_comprehension(offset, "map", input(), variables, args)?;
    let sorted = Ast::new(
        offset,
        AstKind::Call {
            function: "@sortByAssociatedKeys".to_owned(),
            target: Some(Box::new(input())),
            args: vec![keys],
        },
    )?;
    bind(offset, INPUT.to_owned(), target, sorted)
}
