//! The code of calls.

use core::cmp::Ordering;

use super::state::Checker;
use crate::functions::dispatch::Dispatch;
use crate::functions::form::Form;
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
    /// Returns the code of a call. A call that is computed in advance is free.
    pub(super) fn code_of(
        &self,
        function: &'static Function,
        matched: &[&'static Overload],
        args: Vec<Code>,
        is_known: bool,
    ) -> Code {
        let known = (is_known, self.version);
        let form = function.row.form;
        match form {
            Form::Index | Form::OptionalIndex => match <[Code; 2]>::try_from(args) {
                Ok([operand, key]) => Code::Index(Box::new(Index {
                    pays_for_start: operand.pays_for_start(),
                    operand,
                    key,
                    optional: form == Form::OptionalIndex,
                })),
                Err(args) => call(function, matched, args.into(), known),
            },
            Form::In => match <[Code; 2]>::try_from(args) {
                Ok([value, list]) if self.is_in_constants(matched, &list) => member(value, list),
                Ok(args) => call(function, matched, Box::new(args), known),
                Err(args) => call(function, matched, args.into(), known),
            },
            Form::OptionalOr | Form::OptionalOrValue => match <[Code; 2]>::try_from(args) {
                Ok([optional, other]) => Code::Alternative(Box::new(Alternative {
                    optional,
                    other,
                    unwraps: form == Form::OptionalOrValue,
                })),
                Err(args) => call(function, matched, args.into(), known),
            },
            Form::Not => match <[Code; 1]>::try_from(args) {
                Ok([arg]) => Code::Not(Box::new(arg)),
                Err(args) => call(function, matched, args.into(), known),
            },
            Form::NotStrictlyFalse => match <[Code; 1]>::try_from(args) {
                Ok([arg]) => Code::NotStrictlyFalse(Box::new(arg)),
                Err(args) => call(function, matched, args.into(), known),
            },
            // Logic and conditionals have their code already.
            Form::Call
            | Form::Add
            | Form::And
            | Form::Conditional
            | Form::Dyn
            | Form::Equal
            | Form::NotEqual
            | Form::Or
            | Form::Size => {
                let is_free = function.row.folds && matches!(&*args, [arg] if arg.is_constant());
                let code = call(function, matched, args.into(), known);
                if is_free {
                    Code::Free(Box::new(code))
                } else {
                    code
                }
            }
        }
    }

    /// Returns true if all overloads search lists, and the list consists of constants that can be
    /// looked up.
    fn is_in_constants(&self, matched: &[&'static Overload], list: &Code) -> bool {
        let takes_list = |overload: &&Overload| matches!(overload.args.get(1), Some(Type::List(_)));
        matched.iter().all(takes_list) && is_set(self.declared, list)
    }
}

/// Returns the code of `in` for a list of constants.
fn member(value: Code, list: Code) -> Code {
    match &list {
        // The value is not evaluated.
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

/// Returns a call of one of the overloads. `is_known` is true if the types of the arguments select
/// the overload.
fn call(
    function: &'static Function,
    matched: &[&'static Overload],
    args: Box<[Code]>,
    (is_known, version): (bool, Version),
) -> Code {
    let is_shared = match function.row.dispatch {
        Dispatch::Shared(_) => true,
        Dispatch::ByOverload => false,
    };
    let target = match matched {
        [first, ..] if is_shared => Target::Shared(first.call),
        // Several overloads accept null, or a value that may be null.
        [only] if is_known => Target::Known(only),
        [only] => Target::Open([*only].into()),
        // If the types do not select an overload, the server tries all overloads of the function.
        _ => {
            let all = function.overloads.iter();
            Target::Open(all.filter(|overload| overload.is_of(version)).collect())
        }
    };
    let equality = function.row.form.equality();
    let question = match matched {
        [only] => question(only, equality, &args),
        _ => None,
    };
    Code::Call(Box::new(Call {
        function: function.row,
        target,
        args,
        equality,
        question,
        price: match matched {
            [one] => one.price,
            several => several.first().and_then(|one| one.open_price),
        },
        stops_early: function.row.stops_early || matched.len() > 1 && !is_shared,
        pattern: None,
    }))
}

/// Returns the question of a call whose arguments can be compared in place.
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

/// Returns true if each element of a list is a string literal.
fn is_of_texts(list: &Code) -> bool {
    let Code::List(elements) = list else {
        return false;
    };
    let mut all = elements.iter();
    all.all(|(element, is_optional)| {
        !is_optional && matches!(element, Code::Literal(Literal::Text(_)))
    })
}

/// Returns true if each element of a list is a constant that can be looked up.
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
