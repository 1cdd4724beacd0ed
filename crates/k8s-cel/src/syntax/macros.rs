//! The macros: calls that expand to other trees.

use super::{Ast, AstKind, Element, Fold, Literal, Problem};
use crate::types::version::Version;

/// The variable for the result of a comprehension. No name in an expression can be equal to it.
const RESULT: &str = "@result";

/// The older name of the result variable, which expressions can contain. The server reserves it.
const OLD_RESULT: &str = "__result__";

/// Returns a call, or its expansion if it is a macro. Problems of the arguments of a macro are
/// noted.
pub(super) fn call(
    at: u32,
    name: String,
    target: Option<Ast>,
    mut args: Vec<Ast>,
    version: Version,
    problems: &mut Vec<Problem>,
) -> Result<Ast, Problem> {
    if !is_macro(&name, args.len(), target.is_some(), version) {
        let kind = AstKind::Call {
            function: name,
            target: target.map(Box::new),
            args,
        };
        return Ast::new(at, kind);
    }
    let expanded = match target {
        None => has(at, args.remove(0))?,
        Some(target) if name.starts_with("opt") => optional(at, &name, target, args)?,
        Some(target) => match variables(&name, &args) {
            Err(problem) => Err(problem),
            Ok(_) if name == "sortBy" => match &target.kind {
                AstKind::Literal(_) | AstKind::Map(_) | AstKind::Struct(_) => Err(Problem::new(
                    target.at,
                    "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
                )),
                _ => Ok(sort_by(at, target, args)?),
            },
            Ok(variables) => Ok(comprehension(at, &name, target, variables, args)?),
        },
    };
    Ok(expanded.unwrap_or_else(|problem| {
        let at = problem.at;
        problems.push(problem);
        Ast::broken(at)
    }))
}

/// Returns true if a call is a macro in a version.
fn is_macro(name: &str, args: usize, is_member: bool, version: Version) -> bool {
    match (name, args) {
        ("has", 1) => !is_member,
        _ if !is_member => false,
        ("all" | "exists" | "exists_one" | "filter", 2) | ("map", 2 | 3) => true,
        ("all" | "exists" | "existsOne" | "exists_one", 3)
        | ("transformList" | "transformMap" | "transformMapEntry", 3 | 4) => {
            version.has_two_variables()
        }
        ("optMap" | "optFlatMap", 2) => version.has_optionals(),
        ("sortBy", 2) => version.sorts(),
        _ => false,
    }
}

/// The expansion of a macro, or a problem of its arguments. The outer error is a tree with too many
/// levels.
type Expanded = Result<Result<Ast, Problem>, Problem>;

fn has(at: u32, arg: Ast) -> Expanded {
    match arg.kind {
        AstKind::Select {
            operand,
            field,
            test: false,
        } => {
            let kind = AstKind::Select {
                operand,
                field,
                test: true,
            };
            Ast::new(at, kind).map(Ok)
        }
        _ => Ok(Err(Problem::new(arg.at, "invalid argument to has() macro"))),
    }
}

/// The one or two variables of a comprehension.
struct Variables {
    first: String,
    second: Option<String>,
}

fn variables(name: &str, args: &[Ast]) -> Result<Variables, Problem> {
    let is_kept = |name: &str| name == OLD_RESULT || name == RESULT;
    let not_a_name = match name {
        "map" | "filter" | "sortBy" => "argument is not an identifier",
        _ => "argument must be a simple name",
    };
    let variable = |arg: Option<&Ast>| match arg.map(|arg| (arg.at, &arg.kind)) {
        Some((at, AstKind::Ident(name))) => Ok((at, name.clone())),
        other => {
            let at = other.map_or(0, |(at, _)| at);
            Err(Problem::new(at, not_a_name))
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
        return Err(Problem::new(*at, text));
    }
    let overwrites = "iteration variable overwrites accumulator variable";
    if is_kept(&first) {
        return Err(Problem::new(at, overwrites));
    }
    match second {
        Some((at, second)) if is_kept(&second) => Err(Problem::new(at, overwrites)),
        second => Ok(Variables {
            first,
            second: second.map(|(_, name)| name),
        }),
    }
}

fn list(at: u32, value: Ast) -> Result<Ast, Problem> {
    Ast::new(
        at,
        AstKind::List(vec![Element {
            value,
            optional: false,
        }]),
    )
}

fn receiver(at: u32, function: &str, target: Ast) -> Result<Ast, Problem> {
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
) -> Result<Ast, Problem> {
    let nothing = || Problem::new(at, "no argument to evaluate");
    let Variables { first: var, second } = variables;
    let first = args.first().map_or(at, |arg| arg.at);
    let mut args = args.into_iter().skip(if second.is_some() { 2 } else { 1 });
    let last = args.next_back().ok_or_else(nothing)?;
    let filter = args.next();
    let round = match name {
        "all" | "exists" => quantified(at, name, last)?,
        "exists_one" | "existsOne" => counted(at, last)?,
        "filter" => kept(at, last, Ast::ident(first, &var))?,
        "map" | "transformList" => listed(at, filter, last)?,
        "transformMap" => inserted(at, filter, vec![Ast::ident(first, &var), last])?,
        _ => inserted(at, filter, vec![last])?,
    };
    Ast::new(
        at,
        AstKind::Fold(Box::new(Fold {
            range,
            var,
            second,
            accu: RESULT.to_owned(),
            init: round.init,
            condition: round.condition,
            step: round.step,
            result: round.done,
        })),
    )
}

/// The parts of a comprehension: the initial value, the condition, the step and the result.
struct Round {
    init: Ast,
    condition: Ast,
    step: Ast,
    done: Ast,
}

impl Round {
    /// Returns the parts of a comprehension over all elements, whose result is the accumulator.
    fn gathering(at: u32, init: Ast, step: Ast) -> Self {
        Self {
            init,
            condition: boolean(at, true),
            step,
            done: result(at),
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
fn quantified(at: u32, name: &str, predicate: Ast) -> Result<Round, Problem> {
    let is_all = name == "all";
    let (goes_on, operator) = if is_all {
        (result(at), "_&&_")
    } else {
        (Ast::call(at, "!_", vec![result(at)])?, "_||_")
    };
    Ok(Round {
        init: boolean(at, is_all),
        condition: Ast::call(at, "@not_strictly_false", vec![goes_on])?,
        step: Ast::call(at, operator, vec![result(at), predicate])?,
        done: result(at),
    })
}

/// Expands `exists_one`.
fn counted(at: u32, predicate: Ast) -> Result<Round, Problem> {
    let one = || Ast::literal(at, Literal::Int(1));
    let more = Ast::call(at, "_+_", vec![result(at), one()])?;
    Ok(Round {
        init: Ast::literal(at, Literal::Int(0)),
        condition: boolean(at, true),
        step: choice(at, predicate, more)?,
        done: Ast::call(at, "_==_", vec![result(at), one()])?,
    })
}

/// Expands `filter`.
fn kept(at: u32, predicate: Ast, element: Ast) -> Result<Round, Problem> {
    let more = Ast::call(at, "_+_", vec![result(at), list(at, element)?])?;
    let init = Ast::new(at, AstKind::List(Vec::new()))?;
    Ok(Round::gathering(at, init, choice(at, predicate, more)?))
}

/// Expands `map` and `transformList`.
fn listed(at: u32, filter: Option<Ast>, value: Ast) -> Result<Round, Problem> {
    let more = Ast::call(at, "_+_", vec![result(at), list(at, value)?])?;
    let init = Ast::new(at, AstKind::List(Vec::new()))?;
    Ok(Round::gathering(at, init, filtered(at, filter, more)?))
}

/// Expands `transformMap`, with a key and a value, and `transformMapEntry`, with an entry.
fn inserted(at: u32, filter: Option<Ast>, mut what: Vec<Ast>) -> Result<Round, Problem> {
    what.insert(0, result(at));
    let more = Ast::call(at, "cel.@mapInsert", what)?;
    let init = Ast::new(at, AstKind::Map(Vec::new()))?;
    Ok(Round::gathering(at, init, filtered(at, filter, more)?))
}

/// Returns `filter ? step : @result`.
fn choice(at: u32, filter: Ast, step: Ast) -> Result<Ast, Problem> {
    Ast::call(at, "_?_:_", vec![filter, step, result(at)])
}

fn filtered(at: u32, filter: Option<Ast>, step: Ast) -> Result<Ast, Problem> {
    match filter {
        None => Ok(step),
        Some(filter) => choice(at, filter, step),
    }
}

/// Returns a comprehension over an empty list, whose result variable is a name for `init`.
fn bound(at: u32, var: String, init: Ast, result: Ast) -> Result<Ast, Problem> {
    Ast::new(
        at,
        AstKind::Fold(Box::new(Fold {
            range: Ast::new(at, AstKind::List(Vec::new()))?,
            var: "#unused".to_owned(),
            second: None,
            step: Ast::ident(at, &var),
            accu: var,
            init,
            condition: Ast::literal(at, Literal::Bool(false)),
            result,
        })),
    )
}

/// Expands `x.optMap(v, f)` to an optional with the result of `f` for the value, if there is a
/// value. The result of `f` in `optFlatMap` is an optional itself.
fn optional(at: u32, name: &str, target: Ast, args: Vec<Ast>) -> Expanded {
    let mut args = args.into_iter();
    let (Some(var), Some(then)) = (args.next(), args.next()) else {
        return Err(Problem::new(at, "optMap() needs two arguments"));
    };
    let AstKind::Ident(var) = var.kind else {
        let text = format!("{name}() variable name must be a simple identifier");
        return Ok(Err(Problem::new(var.at, text)));
    };
    let has_value = receiver(at, "hasValue", target.clone())?;
    let value = receiver(at, "value", target)?;
    let mut then = bound(at, var, value, then)?;
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
fn sort_by(at: u32, target: Ast, args: Vec<Ast>) -> Result<Ast, Problem> {
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
    bound(at, INPUT.to_owned(), target, sorted)
}
