//! Plans the nodes of calls.

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
use crate::types::feature::{Feature, RuleVersions};
use crate::types::types::Type;
use crate::values::value::Val;

impl Checker<'_> {
    /// Returns the node of a call. A call that the compiler evaluates has no cost at run time.
    pub(super) fn plan_call(
        &self,
        function: &'static FunctionDecl,
        matched: &[&'static Overload],
        args: Vec<PlanNode>,
    ) -> PlanNode {
        let form = function.row.form;
        let plain_call = |args: Box<[PlanNode]>| call_node(function, matched, args, self.version);
        match form {
            CallForm::Index | CallForm::OptionalIndex => match <[PlanNode; 2]>::try_from(args) {
                Ok([operand, key]) => PlanNode::Index(Box::new(Index {
                    has_start_cost: operand.has_start_cost(),
                    operand,
                    key,
                    optional: form == CallForm::OptionalIndex,
                })),
                Err(args) => plain_call(args.into()),
            },
            CallForm::In => match <[PlanNode; 2]>::try_from(args) {
                Ok([value, list]) if self.is_in_constants(matched, &list) => {
                    constant_in(value, list)
                }
                Ok(args) => plain_call(Box::new(args)),
                Err(args) => plain_call(args.into()),
            },
            CallForm::OptionalOr | CallForm::OptionalOrValue => {
                match <[PlanNode; 2]>::try_from(args) {
                    Ok([optional, other]) => PlanNode::OptionalOr(Box::new(OptionalOr {
                        optional,
                        other,
                        unwraps: form == CallForm::OptionalOrValue,
                    })),
                    Err(args) => plain_call(args.into()),
                }
            }
            CallForm::Not => match <[PlanNode; 1]>::try_from(args) {
                Ok([arg]) => PlanNode::Not(Box::new(arg)),
                Err(args) => plain_call(args.into()),
            },
            CallForm::NotStrictlyFalse => match <[PlanNode; 1]>::try_from(args) {
                Ok([arg]) => PlanNode::NotStrictlyFalse(Box::new(arg)),
                Err(args) => plain_call(args.into()),
            },
            // `Checker::check_call` plans `And` and `Or`, and `finish_call` plans `Conditional`, so
            // those forms do not occur here.
            CallForm::Call
            | CallForm::Add
            | CallForm::And
            | CallForm::Conditional
            | CallForm::Dyn
            | CallForm::Equal
            | CallForm::NotEqual
            | CallForm::Or
            | CallForm::Size => {
                let is_precomputed =
                    function.row.folds_constants && matches!(&*args, [arg] if arg.is_constant());
                let node = plain_call(args.into());
                if is_precomputed {
                    PlanNode::PrecomputedConstant(Box::new(node))
                } else {
                    node
                }
            }
        }
    }

    /// Returns true if all overloads search lists, and the list contains only constants that a set
    /// lookup supports. The server then evaluates `in` as a lookup in a set.
    fn is_in_constants(&self, matched: &[&'static Overload], list: &PlanNode) -> bool {
        let searches_list =
            |overload: &&Overload| matches!(overload.args.get(1), Some(Type::List(_)));
        matched.iter().all(searches_list) && has_only_constants(self.declared_types, list)
    }
}

/// Returns the node of `in` with a list of constants.
fn constant_in(value: PlanNode, list: PlanNode) -> PlanNode {
    match &list {
        // The value is not evaluated: nothing is in an empty list.
        PlanNode::PrecomputedConstant(list) if matches!(&**list, PlanNode::List(elements) if elements.is_empty()) => {
            PlanNode::Literal(Literal::Bool(false))
        }
        _ => PlanNode::ConstantIn(Box::new(ConstantIn {
            cost: value.string_cost(),
            value,
            list,
        })),
    }
}

/// Returns a call of one of the matched overloads.
fn call_node(
    function: &'static FunctionDecl,
    matched: &[&'static Overload],
    args: Box<[PlanNode]>,
    version: RuleVersions,
) -> PlanNode {
    let is_shared = match function.row.dispatch {
        Dispatch::Singleton(_) => true,
        Dispatch::Conversion => !version.has(Feature::ConversionOverloads),
        Dispatch::ByOverload => false,
    };
    let target = match matched {
        [first, ..] if is_shared => CallTarget::Singleton(first.call),
        // The call still checks the values: an argument may have another type at run time, such as
        // null.
        [overload] => CallTarget::Static(overload),
        // If the types do not select an overload, the server tries all overloads of the function at
        // run time.
        _ => {
            let overloads = function.overloads.iter();
            CallTarget::Dynamic(
                overloads
                    .filter(|overload| overload.exists_in(version))
                    .collect(),
            )
        }
    };
    let equality = function.row.form.equality();
    let borrowed_test = match matched {
        [overload] => plan_borrowed_test(overload, equality, &args),
        _ => None,
    };
    PlanNode::Call(Box::new(Call {
        function: function.row,
        target,
        args,
        equality,
        borrowed_test,
        actual_cost: match matched {
            [overload] => overload.actual_cost,
            overloads => overloads
                .first()
                .and_then(|first| first.dynamic_dispatch_cost),
        },
        stops_early: function.row.stops_early || matched.len() > 1 && !is_shared,
        pattern: None,
    }))
}

/// Returns the test that replaces a call, if the test can compare the arguments without copying
/// them.
fn plan_borrowed_test(
    overload: &Overload,
    equality: Option<bool>,
    args: &[PlanNode],
) -> Option<BorrowedTest> {
    let kind = equality.map(BorrowedTestKind::Equal);
    let kind = kind.or(overload.string_test.map(BorrowedTestKind::String));
    let string_test = kind.and_then(|kind| BorrowedTest::from_strings(kind, args));
    let order_test = match equality {
        Some(true) => Some(Ordering::is_eq as OrderTest),
        Some(false) => Some(Ordering::is_ne as OrderTest),
        None => overload.order_test,
    };
    string_test.or_else(|| BorrowedTest::from_ints(order_test?, args))
}

/// Returns true if a constant list contains only elements that a set lookup supports.
fn has_only_constants(declared_types: &DeclaredTypes, list: &PlanNode) -> bool {
    let PlanNode::PrecomputedConstant(list) = list else {
        return false;
    };
    let PlanNode::List(elements) = &**list else {
        return false;
    };
    elements.iter().all(|(element, _)| match element {
        PlanNode::Literal(literal) => !matches!(literal, Literal::Null | Literal::Bytes(_)),
        computed => matches!(
            Interpreter::new(declared_types).eval_constant(computed),
            Ok(Val::Bool(_) | Val::Int(_) | Val::Uint(_) | Val::Double(_) | Val::String(_))
        ),
    })
}
