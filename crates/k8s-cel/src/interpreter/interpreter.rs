//! The machine that evaluates programs, and counts the cost as an API server does.

mod attributes;
mod boolean;
mod borrowed_tests;
mod comprehension;
mod constant;
mod constant_in;
pub(crate) mod field_cache;
mod literal;
mod overload;

use super::program::{self, CallTarget, OLD_SELF, OptionalOr, PlanNode, Program, SELF, SelectMode};
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::types::declared::DeclaredTypes;
use crate::values::from_json;
use crate::values::value::{EvalError, Val};
use constant::literal_value;
use field_cache::FieldCache;

/// The value of a variable, or an error that fails each read of the variable.
type SlotValue<'v> = Result<Val<'v>, EvalError>;

pub(crate) struct Interpreter<'v> {
    tracker: CostTracker<'v>,
    slots: Vec<SlotValue<'v>>,
    /// Variables that are names for expressions, and that have not been read yet.
    lazy_variables: Vec<(u16, &'v PlanNode)>,
    field_cache: FieldCache<'v>,
    /// The fault of the last part that should be true or false, and failed.
    last_error: EvalError,
}

impl<'v> Interpreter<'v> {
    pub(crate) const fn new(declared: &'v DeclaredTypes) -> Self {
        Self {
            tracker: CostTracker::new(declared, 0),
            slots: Vec::new(),
            lazy_variables: Vec::new(),
            field_cache: FieldCache::new(),
            last_error: EvalError::CostLimit,
        }
    }

    /// Prepares the evaluation of a program.
    #[inline]
    pub(crate) fn prepare(
        &mut self,
        program: &Program,
        this: &SlotValue<'v>,
        old: Option<&SlotValue<'v>>,
        limit: u64,
    ) {
        self.tracker.restart(limit);
        self.lazy_variables.clear();
        // Variables are written before they are read.
        let slots = program.slots.max(2);
        if self.slots.len() < slots {
            self.slots.resize_with(slots, || Ok(Val::Null));
        }
        let slot = self.slot(SELF);
        // Rules of the same value run one after the other.
        if !is_same_object(slot, this) {
            slot.clone_from(this);
        }
        if program.uses_old_self {
            let missing = || Err(EvalError::new("no such attribute(s): oldSelf"));
            *self.slot(OLD_SELF) = old.cloned().unwrap_or_else(missing);
        }
    }

    /// Returns the cost of the evaluation.
    pub(crate) const fn cost(&self) -> u64 {
        self.tracker.cost()
    }

    /// Evaluates code that does not depend on variables.
    pub(crate) fn eval_constant(&mut self, code: &'v PlanNode) -> Result<Val<'v>, EvalError> {
        self.tracker.restart(u64::MAX);
        self.eval(code)
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "the checker numbers variables, and a program says how many it has"
    )]
    fn slot(&mut self, slot: u16) -> &mut SlotValue<'v> {
        &mut self.slots[usize::from(slot)]
    }

    pub(super) fn eval(&mut self, code: &'v PlanNode) -> Result<Val<'v>, EvalError> {
        match code {
            PlanNode::Literal(literal) => Ok(literal_value(literal)),
            PlanNode::Type(name) => Ok(Val::Type(name)),
            PlanNode::Slot(slot) => self.eval_variable(*slot, code),
            PlanNode::Select(select) if select.mode != SelectMode::Has => {
                self.eval_attribute(code, select.pays_for_start)
            }
            PlanNode::Index(index) => self.eval_attribute(code, index.pays_for_start),
            PlanNode::Conditional(_) => self.eval_attribute(code, false),
            PlanNode::Select(_)
            | PlanNode::And(_)
            | PlanNode::Or(_)
            | PlanNode::Not(_)
            | PlanNode::ConstantIn(_)
            | PlanNode::NotStrictlyFalse(_) => self.bool_value(code),
            PlanNode::PrecomputedConstant(code) => self.eval_precomputed(code),
            PlanNode::Call(call) if call.borrowed_test.is_some() => self.bool_value(code),
            PlanNode::Call(call) => self.call(call),
            PlanNode::OptionalOr(of) => self.optional_or(of),
            PlanNode::List(elements) => self.list(elements),
            PlanNode::Map(entries) => self.map(entries),
            PlanNode::Comprehension(fold) => self.comprehension(fold),
        }
    }

    fn bool_value(&mut self, code: &'v PlanNode) -> SlotValue<'v> {
        self.eval_bool(code).map(Val::Bool)
    }

    /// Evaluates a list or map that is known in advance, for free.
    fn eval_precomputed(&mut self, code: &'v PlanNode) -> SlotValue<'v> {
        let cost = self.tracker.cost();
        let value = self.eval(code);
        self.tracker.reset_to(cost);
        Ok(value?.into_constant(core::ptr::from_ref(code).addr()))
    }

    /// Evaluates a variable.
    fn eval_variable(&mut self, slot: u16, code: &'v PlanNode) -> SlotValue<'v> {
        match self.variable(slot) {
            // A look-up unwraps an optional value.
            Ok(Val::Optional(_)) => self.eval_attribute(code, true),
            Err(stop @ (EvalError::CostLimit | EvalError::ServerPanic(_))) => Err(stop),
            value => {
                self.tracker.charge(1)?;
                value
            }
        }
    }

    /// Evaluates the arguments of a call that does not stop early: the second argument too if the
    /// first fails.
    fn eval_both_args(
        &mut self,
        call: &'v program::Call,
        one: &'v PlanNode,
        two: &'v PlanNode,
    ) -> Result<[Val<'v>; 2], EvalError> {
        let one = match self.eval(one) {
            Ok(one) => one,
            Err(fault) => return Err(self.first_arg_error(call, fault, two)),
        };
        match self.eval(two) {
            Ok(two) => Ok([one, two]),
            Err(fault) => {
                let two = fault.as_value();
                Err(self.arg_error(call, fault, &[one, two]))
            }
        }
    }

    /// Returns the fault of a call whose first argument has failed.
    #[cold]
    fn first_arg_error(
        &mut self,
        call: &'v program::Call,
        fault: EvalError,
        two: &'v PlanNode,
    ) -> EvalError {
        if let EvalError::CostLimit | EvalError::ServerPanic(_) = fault {
            return fault;
        }
        let two = match self.eval(two) {
            Err(stop @ (EvalError::CostLimit | EvalError::ServerPanic(_))) => return stop,
            Err(other) => other.as_value(),
            Ok(two) => two,
        };
        let one = fault.as_value();
        self.arg_error(call, fault, &[one, two])
    }

    fn call(&mut self, call: &'v program::Call) -> Result<Val<'v>, EvalError> {
        match &*call.args {
            [one] => match self.eval(one) {
                Ok(one) => self.apply(call, &[one]),
                Err(fault) => {
                    let arg = fault.as_value();
                    Err(self.arg_error(call, fault, &[arg]))
                }
            },
            [one, two] if !(call.stops_early || call.pattern.is_some()) => {
                let args = self.eval_both_args(call, one, two)?;
                self.apply(call, &args)
            }
            args => {
                let mut values = Vec::with_capacity(args.len());
                for (at, arg) in args.iter().enumerate() {
                    match self.eval(arg) {
                        Ok(value) => values.push(value),
                        // The server counts the cost of a call by its arguments if it has all of
                        // them.
                        Err(fault @ EvalError::Expression(_)) if at + 1 == args.len() => {
                            values.push(fault.as_value());
                            return Err(self.arg_error(call, fault, &values));
                        }
                        Err(fault) => return Err(fault),
                    }
                }
                self.apply(call, &values)
            }
        }
    }

    fn apply(&mut self, call: &'v program::Call, args: &[Val<'v>]) -> Result<Val<'v>, EvalError> {
        let before = self.tracker.cost();
        self.charge_call(call, args)?;
        // A pattern that is compiled in advance accepts strings and numbers as plain values: the
        // name of a type, or the value inside an optional value.
        let is_wrapped = |arg: &Val<'v>| matches!(arg, Val::Type(_) | Val::Optional(Some(_)));
        if call.pattern.is_some() && args.iter().any(is_wrapped) {
            let plain = |arg: &Val<'v>| match from_json::unwrap_to_native(arg) {
                plain @ (Val::String(_) | Val::Int(_)) => plain,
                _ => arg.clone(),
            };
            let args: Vec<Val<'v>> = args.iter().map(plain).collect();
            return self.apply_charged(call, &args, before);
        }
        self.apply_charged(call, args, before)
    }

    /// Runs a call that is paid for. `before` is the cost before the call.
    fn apply_charged(
        &mut self,
        call: &'v program::Call,
        args: &[Val<'v>],
        before: u64,
    ) -> Result<Val<'v>, EvalError> {
        let function = match &call.target {
            CallTarget::Static(overload) if overload.takes(&self.tracker, args) => overload.call,
            // A value of a known type may result from a value of an unknown type.
            CallTarget::Static(_) => return Err(overload::no_overload_error(call, args)),
            CallTarget::Singleton(function) => *function,
            CallTarget::Dynamic(overloads) => {
                let mut all = overloads.iter();
                let Some(found) = all.find(|overload| overload.takes(&self.tracker, args)) else {
                    return Err(overload::no_overload_error(call, args));
                };
                found.call
            }
        };
        self.tracker
            .charge_hidden(call.function.hidden_cost.of_arguments(args))?;
        if let Some(pattern) = &call.pattern {
            self.tracker.set_pattern(pattern);
        }
        let result = function(&mut self.tracker, args);
        let result = match (&call.target, result) {
            (CallTarget::Singleton(_), Err(fault)) if fault.is_no_overload() => {
                return Err(overload::no_overload_error(call, args));
            }
            // The server counts only calls that have returned.
            (_, Err(crash @ EvalError::ServerPanic(_))) => {
                self.tracker.reset_to(before);
                return Err(crash);
            }
            (_, result) => result?,
        };
        if let Val::String(_) = result {
            self.tracker
                .charge_hidden(HiddenCost::Strings.of_arguments(core::slice::from_ref(&result)))?;
        }
        Ok(result)
    }

    /// Charges for a call.
    fn charge_call(&mut self, call: &program::Call, args: &[Val<'v>]) -> Result<(), EvalError> {
        let cost = match call.actual_cost {
            None => 1,
            Some(price) => price(&self.tracker, args)?,
        };
        self.tracker.charge(cost)
    }

    /// Returns the error of an argument, which is the error of the call. The call costs as much as
    /// without the error.
    #[cold]
    fn arg_error(&mut self, call: &program::Call, fault: EvalError, args: &[Val<'v>]) -> EvalError {
        if let EvalError::Expression(_) = fault
            && let Err(stop) = self.charge_call(call, args)
        {
            return stop;
        }
        fault
    }

    fn optional_or(&mut self, of: &'v OptionalOr) -> Result<Val<'v>, EvalError> {
        match self.eval(&of.optional)? {
            Val::Optional(None) => self.eval(&of.other),
            Val::Optional(Some(value)) if of.unwraps => match &*value {
                Val::Error(text) => Err(EvalError::Expression(text.clone())),
                value => Ok(value.clone()),
            },
            // The server returns any other value as it is.
            value => Ok(value),
        }
    }
}

/// Returns true if both are the same object at the same place.
fn is_same_object(one: &SlotValue<'_>, other: &SlotValue<'_>) -> bool {
    match (one, other) {
        (Ok(Val::JsonObject(one, id)), Ok(Val::JsonObject(other, of))) => {
            core::ptr::eq(*one, *other) && id == of
        }
        _ => false,
    }
}

/// Separates errors of expressions, which become values, from faults that end the evaluation.
fn catch_expression_error<T>(
    result: Result<T, EvalError>,
) -> Result<Result<T, EvalError>, EvalError> {
    match result {
        Err(stop @ (EvalError::CostLimit | EvalError::ServerPanic(_))) => Err(stop),
        result => Ok(result),
    }
}
