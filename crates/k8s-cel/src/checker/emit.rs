//! The code of calls.

use core::cmp::Ordering;

use super::Checker;
use crate::cost::work::Work;
use crate::functions::row::{Overload, Wanted};
use crate::functions::table::Function;
use crate::interpreter::machine::Machine;
use crate::interpreter::program::{Alternative, Asks, Call, Code, Index, Member, Question, Target};
use crate::syntax::Literal;
use crate::types::declared::DeclaredTypes;
use crate::types::types::Type;
use crate::types::version::Version;
use crate::values::value::Val;

impl Checker<'_> {
    /// The code of a call: what is known in advance is free.
    pub(super) fn code_of(
        &self,
        function: &'static Function,
        matched: &[&'static Overload],
        args: Vec<Code>,
        is_known: bool,
    ) -> Code {
        let known = (is_known, self.version);
        let takes_list = |overload: &&Overload| matches!(overload.args.get(1), Some(Type::List(_)));
        match (function.name, <[Code; 2]>::try_from(args)) {
            ("_[_]" | "_[?_]", Ok([operand, key])) => Code::Index(Box::new(Index {
                pays_for_start: operand.pays_for_start(),
                operand,
                key,
                optional: function.name == "_[?_]",
            })),
            ("@in", Ok([value, list]))
                if matched.iter().all(takes_list) && is_set(self.declared, &list) =>
            {
                match &list {
                    // Nobody asks for the value.
                    Code::Free(list) if matches!(&**list, Code::List(of) if of.is_empty()) => {
                        Code::Literal(Literal::Bool(false))
                    }
                    Code::Free(of) => Code::Member(Box::new(Member {
                        cost: value.cost_of_text().filter(|_| is_of_texts(of)),
                        value,
                        list,
                    })),
                    _ => Code::Member(Box::new(Member {
                        value,
                        list,
                        cost: None,
                    })),
                }
            }
            (name @ ("or" | "orValue"), Ok([optional, other])) => {
                Code::Alternative(Box::new(Alternative {
                    optional,
                    other,
                    unwraps: name == "orValue",
                }))
            }
            (_, Ok(args)) => call(function, matched, Box::new(args), known),
            (name, Err(args)) => {
                let is_free = CONVERSIONS.contains(&name)
                    && args.iter().all(Code::is_constant)
                    && args.len() == 1;
                let code = match <[Code; 1]>::try_from(args) {
                    Ok([arg]) if name == "@not_strictly_false" => {
                        Code::NotStrictlyFalse(Box::new(arg))
                    }
                    Ok([arg]) if name == "!_" => Code::Not(Box::new(arg)),
                    Ok(args) => call(function, matched, Box::new(args), known),
                    Err(args) => call(function, matched, args.into(), known),
                };
                if is_free {
                    Code::Free(Box::new(code))
                } else {
                    code
                }
            }
        }
    }
}

/// Functions that say themselves that they do not take a value.
fn answers_all(name: &str) -> bool {
    let is_operator = matches!(name.as_bytes(), [b'_' | b'!' | b'-' | b'@', ..]);
    let functions = [
        "size",
        "type",
        "dyn",
        "contains",
        "startsWith",
        "endsWith",
        "sort",
        "matches",
        "flatten",
    ];
    is_operator || functions.contains(&name)
}

/// A call of one of these overloads. `is_known`: the types of the arguments say which.
fn call(
    function: &'static Function,
    matched: &[&'static Overload],
    args: Box<[Code]>,
    (is_known, version): (bool, Version),
) -> Code {
    let target = match matched {
        [first, ..] if answers_all(function.name) => Target::Shared(first.call),
        // Of a null, or what may be one, several take the type.
        [only] if is_known => Target::Known(only),
        [only] => Target::Open([*only].into()),
        // Where the types do not say which one it is, the server asks all of the function.
        _ => {
            let all = function.overloads.iter();
            Target::Open(all.filter(|overload| overload.is_of(version)).collect())
        }
    };
    let equality = match function.name {
        "_==_" => Some(true),
        "_!=_" => Some(false),
        _ => None,
    };
    let question = match matched {
        [only] => question(only, equality, &args),
        _ => None,
    };
    Code::Call(Box::new(Call {
        name: function.name,
        target,
        args,
        equality,
        question,
        work: Work::of(function.name),
        price: match matched {
            [one] => one.price,
            several => several.first().and_then(|one| one.open_price),
        },
        stops_early: function.name == "format" || matched.len() > 1 && !answers_all(function.name),
        pattern: None,
    }))
}

/// What a call of an overload asks, where its arguments may be looked at where they are.
fn question(overload: &Overload, equality: Option<bool>, args: &[Code]) -> Option<Question> {
    let asks = equality.map(Asks::Equal);
    let of_texts = asks.or(overload.test.map(Asks::Test));
    let of_texts = of_texts.and_then(|asks| Question::of_texts(asks, args));
    let wanted = match equality {
        Some(true) => Some(Ordering::is_eq as Wanted),
        Some(false) => Some(Ordering::is_ne as Wanted),
        None => overload.wanted,
    };
    of_texts.or_else(|| Question::of_ints(wanted?, args))
}

/// Functions whose result is known in advance, where the argument is.
const CONVERSIONS: [&str; 10] = [
    "bool",
    "bytes",
    "double",
    "duration",
    "dyn",
    "int",
    "string",
    "timestamp",
    "type",
    "uint",
];

/// Whether a list has nothing but texts that are written there.
fn is_of_texts(list: &Code) -> bool {
    let Code::List(elements) = list else {
        return false;
    };
    let mut all = elements.iter();
    all.all(|(element, is_optional)| {
        !is_optional && matches!(element, Code::Literal(Literal::Text(_)))
    })
}

/// Whether a list has constants only that can be looked up.
fn is_set(declared: &DeclaredTypes, list: &Code) -> bool {
    let Code::Free(list) = list else { return false };
    let Code::List(elements) = &**list else {
        return false;
    };
    elements.iter().all(|(element, _)| match element {
        Code::Literal(literal) => !matches!(literal, Literal::Null | Literal::Bytes(_)),
        computed => matches!(
            Machine::new(declared).constant(computed),
            Ok(Val::Bool(_) | Val::Int(_) | Val::Uint(_) | Val::Double(_) | Val::Text(_))
        ),
    })
}
