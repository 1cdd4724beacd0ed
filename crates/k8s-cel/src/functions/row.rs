//! The rows of the function tables, the overloads that rows declare, and the limits of all
//! functions.

use core::cmp::Ordering;

use super::call_form::{CallForm, RegexUse, Validator};
use super::dispatch::Dispatch;
use crate::cost::call_estimate::EstimateFunction;
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::types::feature::{Feature, RuleVersions};
use crate::types::types::Type;
use crate::values::equal::element;
use crate::values::value::{EvalError, Val};

/// The implementation of an overload. The arguments have the types of the signature; they may have
/// any types if the checker did not know the types.
pub(crate) type Implementation =
    for<'v> fn(&mut CostTracker<'v>, &[Val<'v>]) -> Result<Val<'v>, EvalError>;

/// A function that computes an actual cost. The arguments may have any types, and may be error
/// values, because a failed call has a cost too.
pub(crate) type ActualCostFunction =
    for<'v> fn(&CostTracker<'v>, &[Val<'v>]) -> Result<u64, EvalError>;

/// An overload of a function.
#[derive(Clone, Debug)]
pub(crate) struct Overload {
    /// The signature in the table, which is unique among the overloads of the function.
    pub(crate) id: &'static str,
    /// True for a member function, whose first argument is the receiver.
    pub(crate) is_member: bool,
    pub(crate) args: Box<[Type]>,
    pub(crate) result: Type,
    /// The number of type parameters, which are numbered from 0.
    pub(crate) type_param_count: u32,
    /// The libraries that declare the overload and its types. A rule needs all of them.
    pub(crate) libraries: Box<[Feature]>,
    /// The language feature that has the overload, if no library has the overload.
    pub(crate) language: Option<Feature>,
    /// The library that replaces the overload.
    pub(crate) until: Option<Feature>,
    /// The language feature that removes the overload, or that replaces it by another row.
    pub(crate) removed_by: Option<Feature>,
    pub(crate) call: Implementation,
    /// True if versions without the libraries accept the overload once they have checked a
    /// comprehension.
    pub(crate) is_early_in_loops: bool,
    /// The function that estimates the cost.
    pub(crate) estimate: EstimateFunction,
    /// The actual cost if the overload is selected statically; `None` costs 1.
    pub(crate) actual_cost: Option<ActualCostFunction>,
    /// The actual cost if the argument values select the overload; `None` costs 1.
    pub(crate) dynamic_dispatch_cost: Option<ActualCostFunction>,
    /// The test of two borrowed strings, if the overload is a string test.
    pub(crate) string_test: Option<StringTest>,
    /// The test of the order of two values, if the overload is an order operator.
    pub(crate) order_test: Option<OrderTest>,
}

/// A test of an ordering.
pub(crate) type OrderTest = fn(Ordering) -> bool;

/// A string test, and the actual cost of its call for borrowed strings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StringTest {
    pub(crate) cost: fn(&str, &str) -> u64,
    pub(crate) holds: fn(&str, &str) -> bool,
}

impl Overload {
    /// Returns true if a rule of these versions has the overload.
    pub(crate) fn exists_in(&self, versions: RuleVersions) -> bool {
        let libraries = versions.libraries;
        self.libraries.iter().all(|library| libraries.has(*library))
            && !self.until.is_some_and(|library| libraries.has(library))
            && self.language.is_none_or(|language| versions.has(language))
            && !self
                .removed_by
                .is_some_and(|language| versions.has(language))
    }

    /// Returns true if values have the types of the arguments. As on a server, only the first
    /// element of a list is checked.
    pub(crate) fn accepts<'v>(&self, tracker: &CostTracker<'v>, values: &[Val<'v>]) -> bool {
        let has_type = |(ty, value): (&Type, &Val<'v>)| has_runtime_type(tracker, value, ty);
        self.args.len() == values.len() && self.args.iter().zip(values).all(has_type)
    }
}

/// Returns true if a value has a type. Lists are checked as deeply as on a server.
fn has_runtime_type<'v>(tracker: &CostTracker<'v>, value: &Val<'v>, ty: &Type) -> bool {
    if !value.has_type(ty) {
        return false;
    }
    match ty {
        Type::List(element_type) => match element(tracker.declared_types, value, 0) {
            None => true,
            Some(Ok(first)) => has_runtime_type(tracker, &first, element_type),
            Some(Err(_)) => matches!(**element_type, Type::Dyn | Type::Var(_)),
        },
        _ => true,
    }
}

/// Overloads of a function that share an implementation and costs.
#[derive(Debug)]
pub(super) struct OverloadRow {
    /// The types of the receiver, of the arguments and of the result, in the syntax that
    /// [`signature`](super::signature) parses.
    pub(super) signatures: &'static [&'static str],
    pub(super) library: Option<Feature>,
    pub(super) language: Option<Feature>,
    pub(super) until: Option<Feature>,
    pub(super) removed_by: Option<Feature>,
    /// True if the server declares the overloads even in versions without their types. In these
    /// versions, only arguments of type `dyn` match.
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
    /// The cost if the types of the arguments select the overload; `None` costs 1.
    pub(super) static_dispatch: Option<ActualCostFunction>,
    /// The cost if the argument values select the overload; `None` costs 1.
    pub(super) dynamic_dispatch: Option<ActualCostFunction>,
}

impl ActualCost {
    /// A cost of 1.
    pub(super) const ONE: Self = Self {
        static_dispatch: None,
        dynamic_dispatch: None,
    };

    /// Returns a cost that the server computes by the name of the function.
    pub(super) const fn by_function(cost: ActualCostFunction) -> Self {
        Self::by_overload(cost, cost)
    }

    /// Returns a cost that the server computes by the overload. The cost is 1 if the argument
    /// values select the overload.
    pub(super) const fn by_overload_or_one(cost: ActualCostFunction) -> Self {
        Self {
            static_dispatch: Some(cost),
            dynamic_dispatch: None,
        }
    }

    /// Returns a cost that the server computes by the overload, or by the name of the function if
    /// the argument values select the overload.
    pub(super) const fn by_overload(
        static_dispatch: ActualCostFunction,
        dynamic_dispatch: ActualCostFunction,
    ) -> Self {
        Self {
            static_dispatch: Some(static_dispatch),
            dynamic_dispatch: Some(dynamic_dispatch),
        }
    }
}

/// The library of overloads that exist in every version that has their types.
pub(super) const ALWAYS: Option<Feature> = None;

/// Returns a row: the signatures, the library, the implementation, the actual cost, and the
/// estimated cost.
pub(super) const fn row(
    signatures: &'static [&'static str],
    library: Option<Feature>,
    call: Implementation,
    cost: ActualCost,
    estimate: EstimateFunction,
) -> OverloadRow {
    OverloadRow {
        signatures,
        library,
        language: None,
        until: None,
        removed_by: None,
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
    /// Sets the language feature that has the overloads.
    pub(super) const fn language(self, language: Feature) -> Self {
        Self {
            language: Some(language),
            ..self
        }
    }

    /// Sets the library that replaces the overloads.
    pub(super) const fn until(self, library: Feature) -> Self {
        Self {
            until: Some(library),
            ..self
        }
    }

    /// Sets the language feature that removes the overloads, or that replaces them by other rows.
    pub(super) const fn removed_by(self, language: Feature) -> Self {
        Self {
            removed_by: Some(language),
            ..self
        }
    }

    /// Marks overloads that the server declares even in versions without their types.
    pub(super) const fn early(self) -> Self {
        Self {
            is_early: true,
            ..self
        }
    }

    /// Marks overloads that versions without the library accept once they have checked a
    /// comprehension: the check of a comprehension removes the restriction.
    pub(super) const fn early_in_loops(self) -> Self {
        Self {
            is_early_in_loops: true,
            ..self
        }
    }

    /// Sets the string test that is equivalent to the overloads.
    pub(super) const fn string_test(
        self,
        cost: fn(&str, &str) -> u64,
        holds: fn(&str, &str) -> bool,
    ) -> Self {
        Self {
            string_test: Some(StringTest { cost, holds }),
            ..self
        }
    }

    /// Sets the order test that is equivalent to the overloads.
    pub(super) const fn order_test(self, test: OrderTest) -> Self {
        Self {
            order_test: Some(test),
            ..self
        }
    }
}

/// A function of the table. The constructors [`function`] and [`row`] require the properties that
/// all functions have; methods set the others.
#[derive(Debug)]
pub(crate) struct FunctionRow {
    /// The qualified name.
    pub(crate) name: &'static str,
    /// The selection of the overload, and the form of the error message.
    pub(crate) dispatch: Dispatch,
    /// The hidden cost of a call.
    pub(crate) hidden_cost: HiddenCost,
    /// True if a failed argument ends the call, so that later arguments are not evaluated.
    pub(crate) stops_early: bool,
    /// The form of a call.
    pub(crate) form: CallForm,
    /// True if a call with a constant argument is a constant without cost.
    pub(crate) folds_constants: bool,
    /// The validator of literal arguments.
    pub(crate) validator: Option<Validator>,
    /// The use of the second argument, if the argument is a regular expression.
    pub(crate) regex: Option<RegexUse>,
    /// The signatures in the order of a server without [`Feature::SortedOverloads`], if the order
    /// differs.
    pub(super) unsorted: &'static [&'static str],
    pub(super) overloads: &'static [OverloadRow],
}

/// Returns a function with its name, its dispatch, its hidden cost, and its overloads.
pub(super) const fn function(
    name: &'static str,
    dispatch: Dispatch,
    hidden_cost: HiddenCost,
    overloads: &'static [OverloadRow],
) -> FunctionRow {
    FunctionRow {
        name,
        dispatch,
        hidden_cost,
        stops_early: false,
        form: CallForm::Call,
        folds_constants: false,
        validator: None,
        regex: None,
        unsorted: &[],
        overloads,
    }
}

impl FunctionRow {
    /// Sets the order of the signatures on a server without [`Feature::SortedOverloads`].
    pub(super) const fn unsorted(self, unsorted: &'static [&'static str]) -> Self {
        Self { unsorted, ..self }
    }

    /// Sets the form of a call, which decides how the checker plans it.
    pub(super) const fn form(self, form: CallForm) -> Self {
        Self { form, ..self }
    }

    /// Marks a function whose call is a constant without cost if the argument is constant.
    pub(super) const fn folding_constants(self) -> Self {
        Self {
            folds_constants: true,
            ..self
        }
    }

    /// Sets the validator of the literal arguments.
    pub(super) const fn validator(self, validator: Validator) -> Self {
        Self {
            validator: Some(validator),
            ..self
        }
    }

    /// Marks the second argument as a regular expression, and sets its use.
    pub(super) const fn regex(self, regex: RegexUse) -> Self {
        Self {
            regex: Some(regex),
            ..self
        }
    }

    /// Marks a function whose calls end at the first failed argument.
    pub(super) const fn stopping_early(self) -> Self {
        Self {
            stops_early: true,
            ..self
        }
    }
}

/// The maximum length of a string that a function creates, in bytes.
const MAX_STRING_LENGTH: usize = 10 << 20;

/// Returns an error for a string that would use too much memory.
pub(super) fn check_string_length(length: usize) -> Result<(), EvalError> {
    if length > MAX_STRING_LENGTH {
        Err(EvalError::CostLimit)
    } else {
        Ok(())
    }
}

/// The maximum number of elements of `lists.range`, since Kubernetes 1.37.
pub(super) const MAX_RANGE: u64 = 1_000_000;

/// The maximum number of elements of a list that a function creates at once.
const MAX_LIST_LENGTH: u64 = 1 << 20;

/// Returns an error for a list that would use too much memory.
pub(super) fn check_list_length(count: u64) -> Result<(), EvalError> {
    if count > MAX_LIST_LENGTH {
        Err(EvalError::CostLimit)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_LIST_LENGTH, MAX_STRING_LENGTH, check_list_length, check_string_length};
    use crate::values::value::EvalError;

    #[test]
    fn the_maximum_lengths_are_allowed() {
        let too_long = Err(EvalError::CostLimit);
        assert_eq!(check_string_length(MAX_STRING_LENGTH), Ok(()));
        assert_eq!(check_string_length(MAX_STRING_LENGTH + 1), too_long);
        assert_eq!(check_list_length(MAX_LIST_LENGTH), Ok(()));
        assert_eq!(check_list_length(MAX_LIST_LENGTH + 1), too_long);
    }
}
