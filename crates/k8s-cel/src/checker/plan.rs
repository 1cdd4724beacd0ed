//! The code of calls.

use core::cmp::Ordering;

use super::state::Checker;
use crate::functions::call_form::CallForm;
use crate::functions::dispatch::Dispatch;
use crate::functions::row::{OrderTest, Overload};
use crate::functions::table::FunctionDecl;
use crate::interpreter::interpreter::Interpreter;
use crate::interpreter::program::{
    BorrowedTest, BorrowedTestKind, Call, CallTarget, ConstantIn, Index, OptionalOr, PlanNode,
};
use crate::syntax::Literal;
use crate::types::declared::DeclaredTypes;
use crate::types::feature::RuleVersions;
use crate::types::types::Type;
use crate::values::value::Val;

impl Checker<'_> {
    /// Returns the code of a call. A call that is computed in advance is free.
    pub(super) fn plan_call(
        &self,
        function: &'static FunctionDecl,
        matched: &[&'static Overload],
        args: Vec<PlanNode>,
        is_known: bool,
    ) -> PlanNode {
        let known = (is_known, self.version);
        let form = function.row.form;
        match form {
            CallForm::Index | CallForm::OptionalIndex => match <[PlanNode; 2]>::try_from(args) {
                Ok([operand, key]) => PlanNode::Index(Box::new(Index {
                    pays_for_start: operand.pays_for_start(),
                    operand,
                    key,
                    optional: form == CallForm::OptionalIndex,
                })),
                Err(args) => call_node(function, matched, args.into(), known),
            },
            CallForm::In => match <[PlanNode; 2]>::try_from(args) {
                Ok([value, list]) if self.is_in_constants(matched, &list) => {
                    constant_in(value, list)
                }
                Ok(args) => call_node(function, matched, Box::new(args), known),
                Err(args) => call_node(function, matched, args.into(), known),
            },
            CallForm::OptionalOr | CallForm::OptionalOrValue => {
                match <[PlanNode; 2]>::try_from(args) {
                    Ok([optional, other]) => PlanNode::OptionalOr(Box::new(OptionalOr {
                        optional,
                        other,
                        unwraps: form == CallForm::OptionalOrValue,
                    })),
                    Err(args) => call_node(function, matched, args.into(), known),
                }
            }
            CallForm::Not => match <[PlanNode; 1]>::try_from(args) {
                Ok([arg]) => PlanNode::Not(Box::new(arg)),
                Err(args) => call_node(function, matched, args.into(), known),
            },
            CallForm::NotStrictlyFalse => match <[PlanNode; 1]>::try_from(args) {
                Ok([arg]) => PlanNode::NotStrictlyFalse(Box::new(arg)),
                Err(args) => call_node(function, matched, args.into(), known),
            },
            // Logic and conditionals have their code already.
            CallForm::Call
            | CallForm::Add
            | CallForm::And
            | CallForm::Conditional
            | CallForm::Dyn
            | CallForm::Equal
            | CallForm::NotEqual
            | CallForm::Or
            | CallForm::Size => {
                let is_free =
                    function.row.folds_constants && matches!(&*args, [arg] if arg.is_constant());
                let code = call_node(function, matched, args.into(), known);
                if is_free {
                    PlanNode::PrecomputedConstant(Box::new(code))
                } else {
                    code
                }
            }
        }
    }

    /// Returns true if all overloads search lists, and the list consists of constants that can be
    /// looked up.
    fn is_in_constants(&self, matched: &[&'static Overload], list: &PlanNode) -> bool {
        let takes_list = |overload: &&Overload| matches!(overload.args.get(1), Some(Type::List(_)));
        matched.iter().all(takes_list) && has_only_constants(self.declared, list)
    }
}

/// Returns the code of `in` for a list of constants.
fn constant_in(value: PlanNode, list: PlanNode) -> PlanNode {
    match &list {
        // The value is not evaluated.
        PlanNode::PrecomputedConstant(list) if matches!(&**list, PlanNode::List(of) if of.is_empty()) => {
            PlanNode::Literal(Literal::Bool(false))
        }
        PlanNode::PrecomputedConstant(of) => PlanNode::ConstantIn(Box::new(ConstantIn {
            cost: value.string_cost().filter(|_| has_only_strings(of)),
            value,
            list,
        })),
        _ => PlanNode::ConstantIn(Box::new(ConstantIn {
            value,
            list,
            cost: None,
        })),
    }
}

/// Returns a call of one of the overloads. `is_known` is true if the types of the arguments select
/// the overload.
fn call_node(
    function: &'static FunctionDecl,
    matched: &[&'static Overload],
    args: Box<[PlanNode]>,
    (is_known, version): (bool, RuleVersions),
) -> PlanNode {
    let is_shared = match function.row.dispatch {
        Dispatch::Singleton(_) => true,
        Dispatch::ByOverload => false,
    };
    let target = match matched {
        [first, ..] if is_shared => CallTarget::Singleton(first.call),
        // Several overloads accept null, or a value that may be null.
        [only] if is_known => CallTarget::Static(only),
        [only] => CallTarget::Dynamic([*only].into()),
        // If the types do not select an overload, the server tries all overloads of the function.
        _ => {
            let all = function.overloads.iter();
            CallTarget::Dynamic(all.filter(|overload| overload.exists_in(version)).collect())
        }
    };
    let equality = function.row.form.equality();
    let question = match matched {
        [only] => borrowed_test(only, equality, &args),
        _ => None,
    };
    PlanNode::Call(Box::new(Call {
        function: function.row,
        target,
        args,
        equality,
        borrowed_test: question,
        actual_cost: match matched {
            [one] => one.actual_cost,
            several => several.first().and_then(|one| one.dynamic_dispatch_cost),
        },
        stops_early: function.row.stops_early || matched.len() > 1 && !is_shared,
        pattern: None,
    }))
}

/// Returns the question of a call whose arguments can be compared in place.
fn borrowed_test(
    overload: &Overload,
    equality: Option<bool>,
    args: &[PlanNode],
) -> Option<BorrowedTest> {
    let asks = equality.map(BorrowedTestKind::Equal);
    let of_texts = asks.or(overload.string_test.map(BorrowedTestKind::String));
    let of_texts = of_texts.and_then(|asks| BorrowedTest::from_strings(asks, args));
    let wanted = match equality {
        Some(true) => Some(Ordering::is_eq as OrderTest),
        Some(false) => Some(Ordering::is_ne as OrderTest),
        None => overload.order_test,
    };
    of_texts.or_else(|| BorrowedTest::from_ints(wanted?, args))
}

/// Returns true if each element of a list is a string literal.
fn has_only_strings(list: &PlanNode) -> bool {
    let PlanNode::List(elements) = list else {
        return false;
    };
    let mut all = elements.iter();
    all.all(|(element, is_optional)| {
        !is_optional && matches!(element, PlanNode::Literal(Literal::String(_)))
    })
}

/// Returns true if each element of a list is a constant that can be looked up.
fn has_only_constants(declared: &DeclaredTypes, list: &PlanNode) -> bool {
    let PlanNode::PrecomputedConstant(list) = list else {
        return false;
    };
    let PlanNode::List(elements) = &**list else {
        return false;
    };
    elements.iter().all(|(element, _)| match element {
        PlanNode::Literal(literal) => !matches!(literal, Literal::Null | Literal::Bytes(_)),
        computed => matches!(
            Interpreter::new(declared).eval_constant(computed),
            Ok(Val::Bool(_) | Val::Int(_) | Val::Uint(_) | Val::Double(_) | Val::String(_))
        ),
    })
}
