//! Functions and their overloads, as the files of this folder write them, and the limits of all
//! functions.

use core::cmp::Ordering;

use super::call_form::{CallForm, RegexUse, Validator};
use super::dispatch::Dispatch;
use crate::cost::call_estimate::EstimateFunction;
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::types::feature::{Feature, RuleVersions};
use crate::types::types::Type;
use crate::types::version::KubeVersion;
use crate::values::equal::element;
use crate::values::value::{EvalError, Val};

/// The code of a function. It gets values of the types of its signature, or of any types if they
/// were not known when the expression was checked.
pub(crate) type Implementation =
    for<'v> fn(&mut CostTracker<'v>, &[Val<'v>]) -> Result<Val<'v>, EvalError>;

/// The formula of a cost. The arguments may be of any types, and errors too: a call that fails has
/// a cost as well.
pub(crate) type ActualCostFunction =
    for<'v> fn(&CostTracker<'v>, &[Val<'v>]) -> Result<u64, EvalError>;

/// An overload of a function.
#[derive(Clone, Debug)]
pub(crate) struct Overload {
    /// The signature as the table contains it. No other overload of the function has the same one.
    pub(crate) id: &'static str,
    /// True for a member function, which is called on its first argument.
    pub(crate) is_member: bool,
    pub(crate) args: Box<[Type]>,
    pub(crate) result: Type,
    /// The number of type parameters, which are numbered from 0.
    pub(crate) params: u32,
    /// The first version whose libraries have the overload.
    pub(crate) since: KubeVersion,
    /// The part of the language that has the overload, if no library has the overload.
    pub(crate) language: Option<Feature>,
    /// The first version with another overload in its place.
    pub(crate) until: Option<KubeVersion>,
    pub(crate) call: Implementation,
    /// True if versions before `since` have the overload too, in loops and after them.
    pub(crate) is_early_in_loops: bool,
    /// The formula of the estimate.
    pub(crate) estimate: EstimateFunction,
    /// The price; `None` costs one.
    pub(crate) actual_cost: Option<ActualCostFunction>,
    /// The price of the function if the overload is not known; `None` costs one.
    pub(crate) dynamic_dispatch_cost: Option<ActualCostFunction>,
    /// The comparison of two strings, if the overload is one.
    pub(crate) string_test: Option<StringTest>,
    /// The ordering of two values that the overload tests for, if it compares them.
    pub(crate) order_test: Option<OrderTest>,
}

/// A test of an order.
pub(crate) type OrderTest = fn(Ordering) -> bool;

/// A test of two strings, with the price of the call for strings without their values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StringTest {
    pub(crate) cost: fn(&str, &str) -> u64,
    pub(crate) holds: fn(&str, &str) -> bool,
}

impl Overload {
    /// Returns true if a rule of these versions has the overload.
    pub(crate) fn exists_in(&self, versions: RuleVersions) -> bool {
        let libraries = versions.libraries;
        self.since <= libraries
            && self.until.is_none_or(|until| libraries < until)
            && self.language.is_none_or(|language| versions.has(language))
    }

    /// Returns true if values have the types of the arguments. Of each list, only the first element
    /// is checked.
    pub(crate) fn takes<'v>(&self, meter: &CostTracker<'v>, values: &[Val<'v>]) -> bool {
        let takes = |(ty, value): (&Type, &Val<'v>)| has_runtime_type(meter, value, ty);
        self.args.len() == values.len() && self.args.iter().zip(values).all(takes)
    }
}

/// Returns true if a value has a type, as deep as a server checks it.
fn has_runtime_type<'v>(meter: &CostTracker<'v>, value: &Val<'v>, ty: &Type) -> bool {
    if !value.has_type(ty) {
        return false;
    }
    match ty {
        Type::List(of) => match element(meter.declared, value, 0) {
            None => true,
            Some(Ok(first)) => has_runtime_type(meter, &first, of),
            Some(Err(_)) => matches!(**of, Type::Dyn | Type::Var(_)),
        },
        _ => true,
    }
}

/// Overloads of a function that share their code.
#[derive(Debug)]
pub(super) struct OverloadRow {
    /// The types of the receiver, of the arguments and of the result, as
    /// [`signature`](super::signature) reads them.
    pub(super) signatures: &'static [&'static str],
    pub(super) since: KubeVersion,
    pub(super) language: Option<Feature>,
    pub(super) until: Option<KubeVersion>,
    /// True if the server declares the overloads in versions that do not have their types yet: only
    /// arguments of the type `dyn` can call them there.
    pub(super) is_early: bool,
    pub(super) is_early_in_loops: bool,
    pub(super) call: Implementation,
    pub(super) cost: ActualCost,
    pub(super) estimate: EstimateFunction,
    pub(super) string_test: Option<StringTest>,
    pub(super) order_test: Option<OrderTest>,
}

/// The actual cost of a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct ActualCost {
    /// The cost if the types of the arguments select an overload; `None` costs one.
    pub(super) static_dispatch: Option<ActualCostFunction>,
    /// The cost if several overloads are possible; `None` costs one.
    pub(super) dynamic_dispatch: Option<ActualCostFunction>,
}

impl ActualCost {
    /// A cost of one.
    pub(super) const ONE: Self = Self {
        static_dispatch: None,
        dynamic_dispatch: None,
    };

    /// Returns a cost that the server counts by the name of the function.
    pub(super) const fn by_function(price: ActualCostFunction) -> Self {
        Self::by_overload(price, price)
    }

    /// Returns a cost that the server counts by the overload. The cost is one if several overloads
    /// take the arguments.
    pub(super) const fn by_overload_or_one(price: ActualCostFunction) -> Self {
        Self {
            static_dispatch: Some(price),
            dynamic_dispatch: None,
        }
    }

    /// Returns a cost that the server counts by the overload, or else by the name of the function.
    pub(super) const fn by_overload(known: ActualCostFunction, open: ActualCostFunction) -> Self {
        Self {
            static_dispatch: Some(known),
            dynamic_dispatch: Some(open),
        }
    }
}

/// The version of overloads that exist in each version with their types.
pub(super) const ALWAYS: KubeVersion = KubeVersion::EARLIEST;

/// Returns the first version of overloads that a library added.
pub(super) const fn since(library: Feature) -> KubeVersion {
    library.since()
}

/// Returns overloads with their types, the first version that has them, their code, their cost, and
/// the estimate of the cost.
pub(super) const fn row(
    signatures: &'static [&'static str],
    since: KubeVersion,
    call: Implementation,
    cost: ActualCost,
    estimate: EstimateFunction,
) -> OverloadRow {
    OverloadRow {
        signatures,
        since,
        language: None,
        until: None,
        is_early: false,
        is_early_in_loops: false,
        call,
        cost,
        estimate,
        string_test: None,
        order_test: None,
    }
}

impl OverloadRow {
    /// Sets the part of the language that has the overloads.
    pub(super) const fn language(self, language: Feature) -> Self {
        Self {
            language: Some(language),
            ..self
        }
    }

    /// Sets the library that replaces the overloads.
    pub(super) const fn until(self, library: Feature) -> Self {
        Self {
            until: Some(library.since()),
            ..self
        }
    }

    /// Marks overloads that the server declares in all versions, including versions without their
    /// types.
    pub(super) const fn early(self) -> Self {
        Self {
            is_early: true,
            ..self
        }
    }

    /// Marks overloads that older servers accept only in loops and after them: their checkers
    /// forget there that the overloads are missing.
    pub(super) const fn early_in_loops(self) -> Self {
        Self {
            is_early_in_loops: true,
            ..self
        }
    }

    /// Sets the test of two strings that the overloads compute.
    pub(super) const fn string_test(
        self,
        price: fn(&str, &str) -> u64,
        holds: fn(&str, &str) -> bool,
    ) -> Self {
        Self {
            string_test: Some(StringTest { cost: price, holds }),
            ..self
        }
    }

    /// Sets the test of the order of two values that the overloads compute.
    pub(super) const fn order_test(self, wanted: OrderTest) -> Self {
        Self {
            order_test: Some(wanted),
            ..self
        }
    }
}

/// A function as the file of its area writes it. The constructors [`function`] and [`row`] require
/// the properties that all functions have; methods set the others.
#[derive(Debug)]
pub(crate) struct FunctionRow {
    /// The name, qualified if it has a namespace.
    pub(crate) name: &'static str,
    /// The way from the values of a call to its code, and the form of its error.
    pub(crate) dispatch: Dispatch,
    /// The work of its calls beyond their costs.
    pub(crate) hidden_cost: HiddenCost,
    /// True if the first failed argument ends a call, so that the other arguments are not
    /// evaluated.
    pub(crate) stops_early: bool,
    /// The plan of its calls.
    pub(crate) form: CallForm,
    /// True if the result is constant and free for a constant argument.
    pub(crate) folds_constants: bool,
    /// The validator of its literal arguments.
    pub(crate) validator: Option<Validator>,
    /// The purpose of its regular expression, if it has one.
    pub(crate) regex: Option<RegexUse>,
    pub(super) overloads: &'static [OverloadRow],
}

/// Returns a function with its name, its dispatch, the work of its calls, and its overloads.
pub(super) const fn function(
    name: &'static str,
    dispatch: Dispatch,
    work: HiddenCost,
    overloads: &'static [OverloadRow],
) -> FunctionRow {
    FunctionRow {
        name,
        dispatch,
        hidden_cost: work,
        stops_early: false,
        form: CallForm::Call,
        folds_constants: false,
        validator: None,
        regex: None,
        overloads,
    }
}

impl FunctionRow {
    /// Sets the form of the calls, which the checker plans.
    pub(super) const fn form(self, form: CallForm) -> Self {
        Self { form, ..self }
    }

    /// Marks a conversion, whose result for a constant is constant and free.
    pub(super) const fn folding_constants(self) -> Self {
        Self {
            folds_constants: true,
            ..self
        }
    }

    /// Sets the validator of literal arguments.
    pub(super) const fn validated(self, by: Validator) -> Self {
        Self {
            validator: Some(by),
            ..self
        }
    }

    /// Marks the second argument as a regular expression.
    pub(super) const fn regex(self, regex: RegexUse) -> Self {
        Self {
            regex: Some(regex),
            ..self
        }
    }

    /// Marks a function whose calls end with the first failed argument.
    pub(super) const fn stopping_early(self) -> Self {
        Self {
            stops_early: true,
            ..self
        }
    }
}

/// The maximum length of a string that a function creates.
const MAX_STRING_LENGTH: usize = 10 << 20;

/// Rejects a string that would take too much memory.
pub(super) fn check_length(length: usize) -> Result<(), EvalError> {
    if length > MAX_STRING_LENGTH {
        Err(EvalError::CostLimit)
    } else {
        Ok(())
    }
}

/// The maximum number of elements of a list that a function creates at once.
const MAX_LIST_LENGTH: u64 = 1 << 20;

/// Rejects a list that would take too much memory.
pub(super) fn check_count(count: u64) -> Result<(), EvalError> {
    if count > MAX_LIST_LENGTH {
        Err(EvalError::CostLimit)
    } else {
        Ok(())
    }
}
