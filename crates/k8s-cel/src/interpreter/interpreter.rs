//! The interpreter, which evaluates programs and counts their cost as an API server does.

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
use crate::types::feature::Feature;
use crate::values::from_json;
use crate::values::value::{EvalError, Val};
use constant::literal_value;
use field_cache::FieldCache;

/// The value of a variable, or the error of each read of the variable.
type SlotValue<'v> = Result<Val<'v>, EvalError>;

/// The interpreter: the state of an evaluation.
pub(crate) struct Interpreter<'v> {
    tracker: CostTracker<'v>,
    /// The values of variables. The checker numbers the slots.
    slots: Vec<SlotValue<'v>>,
    /// Unevaluated variables of `cel.bind`, with the expressions that define them.
    lazy_variables: Vec<(u16, &'v PlanNode)>,
    field_cache: FieldCache<'v>,
    /// The error of the last evaluation to `bool` that failed.
    last_error: EvalError,
}

impl<'v> Interpreter<'v> {
    pub(crate) const fn new(declared_types: &'v DeclaredTypes) -> Self {
        Self {
            tracker: CostTracker::new(declared_types, 0),
            slots: Vec::new(),
            lazy_variables: Vec::new(),
            field_cache: FieldCache::new(),
            last_error: EvalError::CostLimit,
        }
    }

    /// Prepares the interpreter for an evaluation of a program.
    #[inline]
    pub(crate) fn prepare(
        &mut self,
        program: &Program,
        self_value: &SlotValue<'v>,
        old_self: Option<&SlotValue<'v>>,
        limit: u64,
    ) {
        self.tracker.restart(limit);
        self.lazy_variables.clear();
        // Old values need no reset, because a program writes a variable before it reads the
        // variable.
        let slots = program.slots.max(2);
        if self.slots.len() < slots {
            self.slots.resize_with(slots, || Ok(Val::Null));
        }
        let slot = self.slot(SELF);
        // The rules of a value run one after the other, so `self` is often unchanged.
        if !is_same_object(slot, self_value) {
            slot.clone_from(self_value);
        }
        if program.uses_old_self {
            let missing_error = || Err(missing_attribute("oldSelf"));
            *self.slot(OLD_SELF) = old_self.cloned().unwrap_or_else(missing_error);
        }
    }

    /// Returns true if the server has a feature.
    const fn has(&self, feature: Feature) -> bool {
        self.tracker.declared_types.has(feature)
    }

    /// Returns the cost of the evaluation.
    pub(crate) const fn cost(&self) -> u64 {
        self.tracker.cost()
    }

    /// Evaluates a node that does not depend on variables.
    pub(crate) fn eval_constant(&mut self, node: &'v PlanNode) -> Result<Val<'v>, EvalError> {
        self.tracker.restart(u64::MAX);
        self.eval(node)
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "the checker numbers the variables, and `prepare` resizes `slots` to the program's number"
    )]
    fn slot(&mut self, slot: u16) -> &mut SlotValue<'v> {
        &mut self.slots[usize::from(slot)]
    }

    /// Evaluates a node.
    pub(super) fn eval(&mut self, node: &'v PlanNode) -> Result<Val<'v>, EvalError> {
        match node {
            PlanNode::Literal(literal) => Ok(literal_value(literal)),
            PlanNode::Type(name) => Ok(Val::Type(name)),
            PlanNode::MissingAttribute(name) => {
                self.tracker.charge(1)?;
                Err(missing_attribute(name))
            }
            PlanNode::Slot(slot) => self.eval_variable(*slot, node),
            PlanNode::Select(select) if select.mode != SelectMode::Has => {
                self.eval_attribute(node, select.has_start_cost)
            }
            PlanNode::Index(index) => self.eval_attribute(node, index.has_start_cost),
            PlanNode::Conditional(_) => self.eval_attribute(node, false),
            PlanNode::Select(_)
            | PlanNode::And(_)
            | PlanNode::Or(_)
            | PlanNode::Not(_)
            | PlanNode::ConstantIn(_)
            | PlanNode::NotStrictlyFalse(_) => self.eval_bool_value(node),
            PlanNode::PrecomputedConstant(node) => self.eval_precomputed(node),
            PlanNode::Call(call) if call.borrowed_test.is_some() => self.eval_bool_value(node),
            PlanNode::Call(call) => self.eval_call(call),
            PlanNode::OptionalOr(node) => self.eval_optional_or(node),
            PlanNode::List(elements) => self.eval_list(elements),
            PlanNode::Map(entries) => self.eval_map(entries),
            PlanNode::Comprehension(plan) => self.eval_comprehension(plan),
        }
    }

    /// Evaluates a node to a bool, as a CEL value.
    fn eval_bool_value(&mut self, node: &'v PlanNode) -> SlotValue<'v> {
        self.eval_bool(node).map(Val::Bool)
    }

    /// Evaluates a constant list or map, which has no cost.
    fn eval_precomputed(&mut self, node: &'v PlanNode) -> SlotValue<'v> {
        let cost = self.tracker.cost();
        let value = self.eval(node);
        self.tracker.reset_to(cost);
        Ok(value?.into_constant(core::ptr::from_ref(node).addr()))
    }

    /// Evaluates a variable.
    fn eval_variable(&mut self, slot: u16, node: &'v PlanNode) -> SlotValue<'v> {
        match self.variable(slot) {
            // An attribute unwraps an optional value.
            Ok(Val::Optional(_)) => self.eval_attribute(node, true),
            Err(fatal @ (EvalError::CostLimit | EvalError::ServerPanic(_))) => Err(fatal),
            value => {
                self.tracker.charge(1)?;
                value
            }
        }
    }

    /// Evaluates both arguments of a call that does not stop early. The second argument is
    /// evaluated even if the first fails.
    fn eval_both_args(
        &mut self,
        call: &'v program::Call,
        first: &'v PlanNode,
        second: &'v PlanNode,
    ) -> Result<[Val<'v>; 2], EvalError> {
        let first = match self.eval(first) {
            Ok(first) => first,
            Err(error) => return Err(self.first_arg_error(call, error, second)),
        };
        match self.eval(second) {
            Ok(second) => Ok([first, second]),
            Err(error) => {
                let second = error.as_value();
                Err(self.arg_error(call, error, &[first, second]))
            }
        }
    }

    /// Returns the error of a call whose first argument has failed, after evaluating the second
    /// argument.
    #[cold]
    fn first_arg_error(
        &mut self,
        call: &'v program::Call,
        error: EvalError,
        second: &'v PlanNode,
    ) -> EvalError {
        if let EvalError::CostLimit | EvalError::ServerPanic(_) = error {
            return error;
        }
        let second = match self.eval(second) {
            Err(fatal @ (EvalError::CostLimit | EvalError::ServerPanic(_))) => return fatal,
            Err(other) => other.as_value(),
            Ok(second) => second,
        };
        let first = error.as_value();
        self.arg_error(call, error, &[first, second])
    }

    /// Evaluates the arguments of a call, and runs the call.
    fn eval_call(&mut self, call: &'v program::Call) -> Result<Val<'v>, EvalError> {
        match &*call.args {
            [first] => match self.eval(first) {
                Ok(first) => self.apply(call, &[first]),
                Err(error) => {
                    let arg = error.as_value();
                    Err(self.arg_error(call, error, &[arg]))
                }
            },
            [first, second] if !(call.stops_early || call.pattern.is_some()) => {
                let args = self.eval_both_args(call, first, second)?;
                self.apply(call, &args)
            }
            args => {
                let mut values = Vec::with_capacity(args.len());
                for (index, arg) in args.iter().enumerate() {
                    match self.eval(arg) {
                        Ok(value) => values.push(value),
                        // The server charges for the call only if every argument has a value or an
                        // error.
                        Err(error @ EvalError::Expression(_)) if index + 1 == args.len() => {
                            values.push(error.as_value());
                            return Err(self.arg_error(call, error, &values));
                        }
                        Err(error) => return Err(error),
                    }
                }
                self.apply(call, &values)
            }
        }
    }

    /// Charges a call, and runs it.
    fn apply(&mut self, call: &'v program::Call, args: &[Val<'v>]) -> Result<Val<'v>, EvalError> {
        let cost_before = self.tracker.cost();
        self.charge_call(call, args)?;
        // A precompiled pattern also accepts a type or a present optional value that unwraps to a
        // string or an integer.
        let is_wrapped = |arg: &Val<'v>| matches!(arg, Val::Type(_) | Val::Optional(Some(_)));
        if call.pattern.is_some() && args.iter().any(is_wrapped) {
            let unwrapped = |arg: &Val<'v>| match from_json::unwrap_to_native(arg) {
                unwrapped @ (Val::String(_) | Val::Int(_)) => unwrapped,
                _ => arg.clone(),
            };
            let args: Vec<Val<'v>> = args.iter().map(unwrapped).collect();
            return self.apply_charged(call, &args, cost_before);
        }
        self.apply_charged(call, args, cost_before)
    }

    /// Runs a call whose cost is already charged. `cost_before` is the cost before the call.
    fn apply_charged(
        &mut self,
        call: &'v program::Call,
        args: &[Val<'v>],
        cost_before: u64,
    ) -> Result<Val<'v>, EvalError> {
        let function = match &call.target {
            CallTarget::Static(overload) if overload.accepts(&self.tracker, args) => overload.call,
            // An argument that is computed from a value of unknown type may not have the checked
            // type.
            CallTarget::Static(_) => return Err(self.no_overload_error(call, args)),
            CallTarget::Singleton(function) => *function,
            CallTarget::Dynamic(overloads) => {
                let mut overloads = overloads.iter();
                let Some(overload) =
                    overloads.find(|overload| overload.accepts(&self.tracker, args))
                else {
                    return Err(self.no_overload_error(call, args));
                };
                overload.call
            }
        };
        self.tracker
            .charge_hidden(call.function.hidden_cost.of_arguments(args))?;
        if let Some(pattern) = &call.pattern {
            self.tracker.set_pattern(pattern);
        }
        let result = function(&mut self.tracker, args);
        let result = match (&call.target, result) {
            (CallTarget::Singleton(_), Err(error)) if error.is_no_overload() => {
                return Err(self.no_overload_error(call, args));
            }
            // A server does not charge for calls that panic.
            (_, Err(panic @ EvalError::ServerPanic(_))) => {
                self.tracker.reset_to(cost_before);
                return Err(panic);
            }
            (_, result) => result?,
        };
        if let Val::String(_) = result {
            self.tracker
                .charge_hidden(HiddenCost::Strings.of_arguments(core::slice::from_ref(&result)))?;
        }
        Ok(result)
    }

    /// Returns the error of a call whose arguments no overload accepts.
    #[cold]
    fn no_overload_error(&self, call: &program::Call, args: &[Val<'v>]) -> EvalError {
        overload::no_overload_error(call, args, self.tracker.declared_types.server_version())
    }

    /// Charges the actual cost of a call.
    fn charge_call(&mut self, call: &program::Call, args: &[Val<'v>]) -> Result<(), EvalError> {
        let cost = match call.actual_cost {
            None => 1,
            Some(actual_cost) => actual_cost(&self.tracker, args)?,
        };
        self.tracker.charge(cost)
    }

    /// Returns the error of an argument as the error of the call. The call costs as much as without
    /// the error.
    #[cold]
    fn arg_error(&mut self, call: &program::Call, error: EvalError, args: &[Val<'v>]) -> EvalError {
        if let EvalError::Expression(_) = error
            && let Err(fatal) = self.charge_call(call, args)
        {
            return fatal;
        }
        error
    }

    /// Evaluates `a.or(b)` or `a.orValue(b)`.
    fn eval_optional_or(&mut self, node: &'v OptionalOr) -> Result<Val<'v>, EvalError> {
        match self.eval(&node.optional)? {
            Val::Optional(None) => self.eval(&node.other),
            Val::Optional(Some(value)) if node.unwraps => match &*value {
                Val::Error(message) => Err(EvalError::Expression(message.clone())),
                value => Ok(value.clone()),
            },
            value @ Val::Optional(_) => Ok(value),
            _ if self.has(Feature::OptionalReceivers) => Err(EvalError::no_such_overload()),
            // An older server returns a value that is not optional unchanged.
            value => Ok(value),
        }
    }
}

/// Returns true if both values are the same JSON object with the same declared type.
fn is_same_object(left: &SlotValue<'_>, right: &SlotValue<'_>) -> bool {
    match (left, right) {
        (Ok(Val::JsonObject(left, left_type)), Ok(Val::JsonObject(right, right_type))) => {
            core::ptr::eq(*left, *right) && left_type == right_type
        }
        _ => false,
    }
}

/// Returns the error of a name without a value.
fn missing_attribute(name: &str) -> EvalError {
    EvalError::new(format!("no such attribute(s): {name}"))
}

/// Returns an error of the expression as the inner result, because it can become a value. Returns
/// an error that ends the evaluation as the outer result.
fn catch_expression_error<T>(
    result: Result<T, EvalError>,
) -> Result<Result<T, EvalError>, EvalError> {
    match result {
        Err(fatal @ (EvalError::CostLimit | EvalError::ServerPanic(_))) => Err(fatal),
        result => Ok(result),
    }
}
