//! The macros: calls that stand for other trees.

use super::{Ast, AstKind, Element, Fold, Literal, Problem};

/// The variable that a comprehension keeps its result in. No name in an expression can be this.
const RESULT: &str = "@result";

/// A call, or what it expands to.
pub(super) fn call(
    at: u32,
    name: String,
    target: Option<Ast>,
    mut args: Vec<Ast>,
) -> Result<Ast, Problem> {
    let Some(target) = target else {
        if name == "has" && args.len() == 1 {
            return has(at, args.remove(0));
        }
        return Ast::new(
            at,
            AstKind::Call {
                function: name,
                target: None,
                args,
            },
        );
    };
    match (name.as_str(), args.len()) {
        ("all" | "exists" | "exists_one" | "filter", 2)
        | ("all" | "exists" | "existsOne" | "exists_one", 3)
        | ("map", 2 | 3)
        | ("transformList" | "transformMap" | "transformMapEntry", 3 | 4) => {
            comprehension(at, &name, target, args)
        }
        ("optMap" | "optFlatMap", 2) => optional(at, &name, target, args),
        ("sortBy", 2) => sort_by(at, target, args),
        _ => Ast::new(
            at,
            AstKind::Call {
                function: name,
                target: Some(Box::new(target)),
                args,
            },
        ),
    }
}

fn has(at: u32, arg: Ast) -> Result<Ast, Problem> {
    match arg.kind {
        AstKind::Select {
            operand,
            field,
            test: false,
        } => Ast::new(
            at,
            AstKind::Select {
                operand,
                field,
                test: true,
            },
        ),
        _ => Err(Problem::new(arg.at, "invalid argument to has() macro")),
    }
}

fn variable(arg: &Ast) -> Result<String, Problem> {
    match &arg.kind {
        AstKind::Ident(name) => Ok(name.clone()),
        _ => Err(Problem::new(arg.at, "argument must be a simple name")),
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

/// `all(x, p)`, `all(k, v, p)` and the like.
fn comprehension(at: u32, name: &str, range: Ast, args: Vec<Ast>) -> Result<Ast, Problem> {
    let has_second = match name {
        "all" | "exists" | "exists_one" | "existsOne" | "filter" => args.len() == 3,
        "map" => false,
        _ => true,
    };
    let nothing = || Problem::new(at, "no argument to evaluate");
    let mut args = args.into_iter();
    let first = args.next().ok_or_else(nothing)?;
    let var = variable(&first)?;
    let mut second = None;
    if has_second {
        let arg = args.next().ok_or_else(nothing)?;
        let name = variable(&arg)?;
        if name == var {
            let text = format!("duplicate iteration variable name: {var}");
            return Err(Problem::new(arg.at, text));
        }
        second = Some(name);
    }
    let last = args.next_back().ok_or_else(nothing)?;
    let filter = args.next();
    let result = || Ast::ident(at, RESULT);
    let boolean = |value| Ast::literal(at, Literal::Bool(value));
    let one = || Ast::literal(at, Literal::Int(1));
    let yes = boolean(true);
    let (init, condition, step, done) = match name {
        "all" => (
            boolean(true),
            Ast::call(at, "@not_strictly_false", vec![result()])?,
            Ast::call(at, "_&&_", vec![result(), last])?,
            result(),
        ),
        "exists" => (
            boolean(false),
            Ast::call(
                at,
                "@not_strictly_false",
                vec![Ast::call(at, "!_", vec![result()])?],
            )?,
            Ast::call(at, "_||_", vec![result(), last])?,
            result(),
        ),
        "exists_one" | "existsOne" => (
            Ast::literal(at, Literal::Int(0)),
            yes,
            choice(at, last, Ast::call(at, "_+_", vec![result(), one()])?)?,
            Ast::call(at, "_==_", vec![result(), one()])?,
        ),
        "filter" => {
            let element = list(at, Ast::ident(first.at, &var))?;
            let step = Ast::call(at, "_+_", vec![result(), element])?;
            (
                Ast::new(at, AstKind::List(Vec::new()))?,
                yes,
                choice(at, last, step)?,
                result(),
            )
        }
        "map" | "transformList" => {
            let step = Ast::call(at, "_+_", vec![result(), list(at, last)?])?;
            let init = Ast::new(at, AstKind::List(Vec::new()))?;
            (init, yes, filtered(at, filter, step)?, result())
        }
        _ => {
            let mut insert = vec![result()];
            if name == "transformMap" {
                insert.push(Ast::ident(first.at, &var));
            }
            insert.push(last);
            let step = Ast::call(at, "cel.@mapInsert", insert)?;
            let init = Ast::new(at, AstKind::Map(Vec::new()))?;
            (init, yes, filtered(at, filter, step)?, result())
        }
    };
    Ast::new(
        at,
        AstKind::Fold(Box::new(Fold {
            range,
            var,
            second,
            accu: RESULT.to_owned(),
            init,
            condition,
            step,
            result: done,
        })),
    )
}

/// `filter ? step : @result`.
fn choice(at: u32, filter: Ast, step: Ast) -> Result<Ast, Problem> {
    Ast::call(at, "_?_:_", vec![filter, step, Ast::ident(at, RESULT)])
}

fn filtered(at: u32, filter: Option<Ast>, step: Ast) -> Result<Ast, Problem> {
    match filter {
        None => Ok(step),
        Some(filter) => choice(at, filter, step),
    }
}

/// A comprehension over nothing, whose result variable is a name for `init`.
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

/// `x.optMap(v, f)`: f of the value, if there is one, in an optional; `optFlatMap` where f is one itself.
fn optional(at: u32, name: &str, target: Ast, args: Vec<Ast>) -> Result<Ast, Problem> {
    let mut args = args.into_iter();
    let (Some(var), Some(then)) = (args.next(), args.next()) else {
        return Err(Problem::new(at, "optMap() needs two arguments"));
    };
    let var = variable(&var).map_err(|_| {
        Problem::new(
            var.at,
            format!("{name}() variable name must be a simple identifier"),
        )
    })?;
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
    Ast::call(at, "_?_:_", vec![has_value, then, none])
}

/// `l.sortBy(x, key)`: the list, sorted by the list of its keys.
fn sort_by(at: u32, target: Ast, args: Vec<Ast>) -> Result<Ast, Problem> {
    const INPUT: &str = "@__sortBy_input__";
    let input = || Ast::ident(at, INPUT);
    let keys = comprehension(at, "map", input(), args)?;
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
