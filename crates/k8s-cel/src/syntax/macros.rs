//! The macros: calls that expand to other trees.

use super::{Ast, AstKind, Comprehension, Element, Literal, SourceError};
use crate::types::feature::{Feature, RuleVersions};

/// The variable for the result of a comprehension. No name in an expression can be equal to it.
const RESULT: &str = "@result";

/// The older name of the result variable, which expressions can contain. The server reserves it.
const OLD_RESULT: &str = "__result__";

/// Returns a call, or its expansion if it is a macro. Problems of the arguments of a macro are
/// noted.
pub(super) fn expand_call(
    at: u32,
    name: String,
    target: Option<Ast>,
    mut args: Vec<Ast>,
    version: RuleVersions,
    problems: &mut Vec<SourceError>,
) -> Result<Ast, SourceError> {
    if !is_macro(&name, args.len(), target.is_some(), version) {
        let kind = AstKind::Call {
            function: name,
            target: target.map(Box::new),
            args,
        };
        return Ast::new(at, kind);
    }
    let expanded = match target {
        None => expand_has(at, args.remove(0))?,
        Some(target) if name.starts_with("opt") => expand_opt_map(at, &name, target, args)?,
        Some(target) => match variables(&name, &args) {
            Err(problem) => Err(problem),
            Ok(_) if name == "sortBy" => match &target.kind {
                AstKind::Literal(_) | AstKind::Map(_) | AstKind::Struct(_) => {
                    Err(SourceError::new(
                        target.offset,
                        "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
                    ))
                }
                _ => Ok(expand_sort_by(at, target, args)?),
            },
            Ok(variables) => Ok(comprehension(at, &name, target, variables, args)?),
        },
    };
    Ok(expanded.unwrap_or_else(|problem| {
        let at = problem.offset;
        problems.push(problem);
        Ast::error_node(at)
    }))
}

/// Returns true if a call is a macro in a version.
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

/// The expansion of a macro, or a problem of its arguments. The outer error is a tree with too many
/// levels.
type Expansion = Result<Result<Ast, SourceError>, SourceError>;

fn expand_has(at: u32, arg: Ast) -> Expansion {
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
            Ast::new(at, kind).map(Ok)
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

fn variables(name: &str, args: &[Ast]) -> Result<Variables, SourceError> {
    let is_kept = |name: &str| name == OLD_RESULT || name == RESULT;
    let not_a_name = match name {
        "map" | "filter" | "sortBy" => "argument is not an identifier",
        _ => "argument must be a simple name",
    };
    let variable = |arg: Option<&Ast>| match arg.map(|arg| (arg.offset, &arg.kind)) {
        Some((at, AstKind::Ident(name))) => Ok((at, name.clone())),
        other => {
            let at = other.map_or(0, |(at, _)| at);
            Err(SourceError::new(at, not_a_name))
        }
    };
    let has_second = match name {
        "all" | "exists" | "exists_one" | "existsOne" => args.len() == 3,
        "map" | "filter" | "sortBy" => false,
        _ => true,
    };
    let (at, first) = variable(args.first())?;
    let second = has_second.then(|| variable(args.get(1))).transpose()?;
    if let Some((at, second)) = &second
        && first == *second
    {
        let text = format!("duplicate variable name: {first}");
        return Err(SourceError::new(*at, text));
    }
    let overwrites = "iteration variable overwrites accumulator variable";
    if is_kept(&first) {
        return Err(SourceError::new(at, overwrites));
    }
    match second {
        Some((at, second)) if is_kept(&second) => Err(SourceError::new(at, overwrites)),
        second => Ok(Variables {
            first,
            second: second.map(|(_, name)| name),
        }),
    }
}

fn list(at: u32, value: Ast) -> Result<Ast, SourceError> {
    Ast::new(
        at,
        AstKind::List(vec![Element {
            value,
            optional: false,
        }]),
    )
}

fn receiver(at: u32, function: &str, target: Ast) -> Result<Ast, SourceError> {
    Ast::new(
        at,
        AstKind::Call {
            function: function.to_owned(),
            target: Some(Box::new(target)),
            args: Vec::new(),
        },
    )
}

/// Expands `all(x, p)`, `all(k, v, p)` and the like.
fn comprehension(
    at: u32,
    name: &str,
    range: Ast,
    variables: Variables,
    args: Vec<Ast>,
) -> Result<Ast, SourceError> {
    let nothing = || SourceError::new(at, "no argument to evaluate");
    let Variables { first: var, second } = variables;
    let first = args.first().map_or(at, |arg| arg.offset);
    let mut args = args.into_iter().skip(if second.is_some() { 2 } else { 1 });
    let last = args.next_back().ok_or_else(nothing)?;
    let filter = args.next();
    let round = match name {
        "all" | "exists" => expand_quantifier(at, name, last)?,
        "exists_one" | "existsOne" => expand_exists_one(at, last)?,
        "filter" => expand_filter(at, last, Ast::ident(first, &var))?,
        "map" | "transformList" => expand_map(at, filter, last)?,
        "transformMap" => expand_transform_map(at, filter, vec![Ast::ident(first, &var), last])?,
        _ => expand_transform_map(at, filter, vec![last])?,
    };
    Ast::new(
        at,
        AstKind::Comprehension(Box::new(Comprehension {
            iter_range: range,
            iter_var: var,
            iter_var2: second,
            accu_var: RESULT.to_owned(),
            accu_init: round.init,
            loop_condition: round.condition,
            loop_step: round.step,
            result: round.result,
        })),
    )
}

/// The parts of a comprehension: the initial value, the condition, the step and the result.
struct ComprehensionParts {
    init: Ast,
    condition: Ast,
    step: Ast,
    result: Ast,
}

impl ComprehensionParts {
    /// Returns the parts of a comprehension over all elements, whose result is the accumulator.
    fn accumulating(at: u32, init: Ast, step: Ast) -> Self {
        Self {
            init,
            condition: boolean(at, true),
            step,
            result: result(at),
        }
    }
}

fn result(at: u32) -> Ast {
    Ast::ident(at, RESULT)
}

fn boolean(at: u32, value: bool) -> Ast {
    Ast::literal(at, Literal::Bool(value))
}

/// Expands `all` and `exists`, which stop as soon as the result is known.
fn expand_quantifier(
    at: u32,
    name: &str,
    predicate: Ast,
) -> Result<ComprehensionParts, SourceError> {
    let is_all = name == "all";
    let (goes_on, operator) = if is_all {
        (result(at), "_&&_")
    } else {
        (Ast::call(at, "!_", vec![result(at)])?, "_||_")
    };
    Ok(ComprehensionParts {
        init: boolean(at, is_all),
        condition: Ast::call(at, "@not_strictly_false", vec![goes_on])?,
        step: Ast::call(at, operator, vec![result(at), predicate])?,
        result: result(at),
    })
}

/// Expands `exists_one`.
fn expand_exists_one(at: u32, predicate: Ast) -> Result<ComprehensionParts, SourceError> {
    let one = || Ast::literal(at, Literal::Int(1));
    let more = Ast::call(at, "_+_", vec![result(at), one()])?;
    Ok(ComprehensionParts {
        init: Ast::literal(at, Literal::Int(0)),
        condition: boolean(at, true),
        step: choice(at, predicate, more)?,
        result: Ast::call(at, "_==_", vec![result(at), one()])?,
    })
}

/// Expands `filter`.
fn expand_filter(at: u32, predicate: Ast, element: Ast) -> Result<ComprehensionParts, SourceError> {
    let more = Ast::call(at, "_+_", vec![result(at), list(at, element)?])?;
    let init = Ast::new(at, AstKind::List(Vec::new()))?;
    Ok(ComprehensionParts::accumulating(
        at,
        init,
        choice(at, predicate, more)?,
    ))
}

/// Expands `map` and `transformList`.
fn expand_map(at: u32, filter: Option<Ast>, value: Ast) -> Result<ComprehensionParts, SourceError> {
    let more = Ast::call(at, "_+_", vec![result(at), list(at, value)?])?;
    let init = Ast::new(at, AstKind::List(Vec::new()))?;
    Ok(ComprehensionParts::accumulating(
        at,
        init,
        conditional_step(at, filter, more)?,
    ))
}

/// Expands `transformMap`, with a key and a value, and `transformMapEntry`, with an entry.
fn expand_transform_map(
    at: u32,
    filter: Option<Ast>,
    mut what: Vec<Ast>,
) -> Result<ComprehensionParts, SourceError> {
    what.insert(0, result(at));
    let more = Ast::call(at, "cel.@mapInsert", what)?;
    let init = Ast::new(at, AstKind::Map(Vec::new()))?;
    Ok(ComprehensionParts::accumulating(
        at,
        init,
        conditional_step(at, filter, more)?,
    ))
}

/// Returns `filter ? step : @result`.
fn choice(at: u32, filter: Ast, step: Ast) -> Result<Ast, SourceError> {
    Ast::call(at, "_?_:_", vec![filter, step, result(at)])
}

fn conditional_step(at: u32, filter: Option<Ast>, step: Ast) -> Result<Ast, SourceError> {
    match filter {
        None => Ok(step),
        Some(filter) => choice(at, filter, step),
    }
}

/// Returns a comprehension over an empty list, whose result variable is a name for `init`.
fn bind(at: u32, var: String, init: Ast, result: Ast) -> Result<Ast, SourceError> {
    Ast::new(
        at,
        AstKind::Comprehension(Box::new(Comprehension {
            iter_range: Ast::new(at, AstKind::List(Vec::new()))?,
            iter_var: "#unused".to_owned(),
            iter_var2: None,
            loop_step: Ast::ident(at, &var),
            accu_var: var,
            accu_init: init,
            loop_condition: Ast::literal(at, Literal::Bool(false)),
            result,
        })),
    )
}

/// Expands `x.optMap(v, f)` to an optional with the result of `f` for the value, if there is a
/// value. The result of `f` in `optFlatMap` is an optional itself.
fn expand_opt_map(at: u32, name: &str, target: Ast, args: Vec<Ast>) -> Expansion {
    let mut args = args.into_iter();
    let (Some(var), Some(then)) = (args.next(), args.next()) else {
        return Err(SourceError::new(at, "optMap() needs two arguments"));
    };
    let AstKind::Ident(var) = var.kind else {
        let text = format!("{name}() variable name must be a simple identifier");
        return Ok(Err(SourceError::new(var.offset, text)));
    };
    let has_value = receiver(at, "hasValue", target.clone())?;
    let value = receiver(at, "value", target)?;
    let mut then = bind(at, var, value, then)?;
    let none = Ast::new(
        at,
        AstKind::Call {
            function: "none".to_owned(),
            target: Some(Box::new(Ast::ident(at, "optional"))),
            args: Vec::new(),
        },
    )?;
    if name == "optMap" {
        then = Ast::new(
            at,
            AstKind::Call {
                function: "of".to_owned(),
                target: Some(Box::new(Ast::ident(at, "optional"))),
                args: vec![then],
            },
        )?;
    }
    Ast::call(at, "_?_:_", vec![has_value, then, none]).map(Ok)
}

/// Expands `l.sortBy(x, key)` to the list, sorted by the list of its keys.
fn expand_sort_by(at: u32, target: Ast, args: Vec<Ast>) -> Result<Ast, SourceError> {
    const INPUT: &str = "@__sortBy_input__";
    let input = || Ast::ident(at, INPUT);
    let variables = variables("map", &args)?;
    let keys = comprehension(at, "map", input(), variables, args)?;
    let sorted = Ast::new(
        at,
        AstKind::Call {
            function: "@sortByAssociatedKeys".to_owned(),
            target: Some(Box::new(input())),
            args: vec![keys],
        },
    )?;
    bind(at, INPUT.to_owned(), target, sorted)
}
