//! The machine that evaluates programs, and counts the cost as an API server does.

mod asked;
mod constant;
mod fold;
mod literal;
mod look_up;
mod member;
pub(crate) mod memo;
mod overload;
mod truth;

use super::program::{self, Alternative, Code, How, OLD_SELF, Program, SELF, Target};
use crate::cost::meter::Meter;
use crate::cost::work::Work;
use crate::types::declared::DeclaredTypes;
use crate::values::convert;
use crate::values::value::{Fault, Val};
use constant::constant;
use memo::Memo;

/// The value of a variable, or an error that fails each read of the variable.
type Slot<'v> = Result<Val<'v>, Fault>;

pub(crate) struct Machine<'v> {
    meter: Meter<'v>,
    slots: Vec<Slot<'v>>,
    /// Variables that are names for expressions, and that have not been read yet.
    unread: Vec<(u16, &'v Code)>,
    memo: Memo<'v>,
    /// The fault of the last part that should be true or false, and failed.
    fault: Fault,
}

impl<'v> Machine<'v> {
    pub(crate) const fn new(declared: &'v DeclaredTypes) -> Self {
        Self {
            meter: Meter::new(declared, 0),
            slots: Vec::new(),
            unread: Vec::new(),
            memo: Memo::new(),
            fault: Fault::Cost,
        }
    }

    /// Prepares the evaluation of a program.
    #[inline]
    pub(crate) fn prepare(
        &mut self,
        program: &Program,
        this: &Slot<'v>,
        old: Option<&Slot<'v>>,
        limit: u64,
    ) {
        self.meter.restart(limit);
        self.unread.clear();
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
            let missing = || Err(Fault::error("no such attribute(s): oldSelf"));
            *self.slot(OLD_SELF) = old.cloned().unwrap_or_else(missing);
        }
    }

    /// Returns the cost of the evaluation.
    pub(crate) const fn cost(&self) -> u64 {
        self.meter.cost()
    }

    /// Evaluates code that does not depend on variables.
    pub(crate) fn constant(&mut self, code: &'v Code) -> Result<Val<'v>, Fault> {
        self.meter.restart(u64::MAX);
        self.eval(code)
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "the checker numbers variables, and a program says how many it has"
    )]
    fn slot(&mut self, slot: u16) -> &mut Slot<'v> {
        &mut self.slots[usize::from(slot)]
    }

    pub(super) fn eval(&mut self, code: &'v Code) -> Result<Val<'v>, Fault> {
        match code {
            Code::Literal(literal) => Ok(constant(literal)),
            Code::Type(name) => Ok(Val::Type(name)),
            Code::Slot(slot) => self.named(*slot, code),
            Code::Select(select) if select.how != How::Test => {
                self.looked_up(code, select.pays_for_start)
            }
            Code::Index(index) => self.looked_up(code, index.pays_for_start),
            Code::Choice(_) => self.looked_up(code, false),
            Code::Select(_)
            | Code::And(_)
            | Code::Or(_)
            | Code::Not(_)
            | Code::Member(_)
            | Code::NotStrictlyFalse(_) => self.truth_value(code),
            Code::Free(code) => self.free(code),
            Code::Call(call) if call.question.is_some() => self.truth_value(code),
            Code::Call(call) => self.call(call),
            Code::Alternative(of) => self.alternative(of),
            Code::List(elements) => self.list(elements),
            Code::Map(entries) => self.map(entries),
            Code::Fold(fold) => self.fold(fold),
        }
    }

    fn truth_value(&mut self, code: &'v Code) -> Slot<'v> {
        self.decided(code).map(Val::Bool)
    }

    /// Evaluates a list or map that is known in advance, for free.
    fn free(&mut self, code: &'v Code) -> Slot<'v> {
        let cost = self.meter.cost();
        let value = self.eval(code);
        self.meter.reset_to(cost);
        Ok(value?.into_constant(core::ptr::from_ref(code).addr()))
    }

    /// Evaluates a variable.
    fn named(&mut self, slot: u16, code: &'v Code) -> Slot<'v> {
        match self.variable(slot) {
            // A look-up unwraps an optional value.
            Ok(Val::Optional(_)) => self.looked_up(code, true),
            Err(stop @ (Fault::Cost | Fault::Crash(_))) => Err(stop),
            value => {
                self.meter.charge(1)?;
                value
            }
        }
    }

    /// Evaluates the arguments of a call that does not stop early: the second argument too if the
    /// first fails.
    fn both(
        &mut self,
        call: &'v program::Call,
        one: &'v Code,
        two: &'v Code,
    ) -> Result<[Val<'v>; 2], Fault> {
        let one = match self.eval(one) {
            Ok(one) => one,
            Err(fault) => return Err(self.first_failed(call, fault, two)),
        };
        match self.eval(two) {
            Ok(two) => Ok([one, two]),
            Err(fault) => {
                let two = fault.as_value();
                Err(self.failure(call, fault, &[one, two]))
            }
        }
    }

    /// Returns the fault of a call whose first argument has failed.
    #[cold]
    fn first_failed(&mut self, call: &'v program::Call, fault: Fault, two: &'v Code) -> Fault {
        if let Fault::Cost | Fault::Crash(_) = fault {
            return fault;
        }
        let two = match self.eval(two) {
            Err(stop @ (Fault::Cost | Fault::Crash(_))) => return stop,
            Err(other) => other.as_value(),
            Ok(two) => two,
        };
        let one = fault.as_value();
        self.failure(call, fault, &[one, two])
    }

    fn call(&mut self, call: &'v program::Call) -> Result<Val<'v>, Fault> {
        match &*call.args {
            [one] => match self.eval(one) {
                Ok(one) => self.apply(call, &[one]),
                Err(fault) => {
                    let arg = fault.as_value();
                    Err(self.failure(call, fault, &[arg]))
                }
            },
            [one, two] if !(call.stops_early || call.pattern.is_some()) => {
                let args = self.both(call, one, two)?;
                self.apply(call, &args)
            }
            args => {
                let mut values = Vec::with_capacity(args.len());
                for (at, arg) in args.iter().enumerate() {
                    match self.eval(arg) {
                        Ok(value) => values.push(value),
                        // The server counts the cost of a call by its arguments if it has all of
                        // them.
                        Err(fault @ Fault::Error(_)) if at + 1 == args.len() => {
                            values.push(fault.as_value());
                            return Err(self.failure(call, fault, &values));
                        }
                        Err(fault) => return Err(fault),
                    }
                }
                self.apply(call, &values)
            }
        }
    }

    fn apply(&mut self, call: &'v program::Call, args: &[Val<'v>]) -> Result<Val<'v>, Fault> {
        let before = self.meter.cost();
        self.pay(call, args)?;
        // A pattern that is compiled in advance accepts strings and numbers as plain values: the
        // name of a type, or the value inside an optional value.
        let is_wrapped = |arg: &Val<'v>| matches!(arg, Val::Type(_) | Val::Optional(Some(_)));
        if call.pattern.is_some() && args.iter().any(is_wrapped) {
            let plain = |arg: &Val<'v>| match convert::unwrapped(arg) {
                plain @ (Val::Text(_) | Val::Int(_)) => plain,
                _ => arg.clone(),
            };
            let args: Vec<Val<'v>> = args.iter().map(plain).collect();
            return self.apply_paid(call, &args, before);
        }
        self.apply_paid(call, args, before)
    }

    /// Runs a call that is paid for. `before` is the cost before the call.
    fn apply_paid(
        &mut self,
        call: &'v program::Call,
        args: &[Val<'v>],
        before: u64,
    ) -> Result<Val<'v>, Fault> {
        let function = match &call.target {
            Target::Known(overload) if overload.takes(&self.meter, args) => overload.call,
            // A value of a known type may result from a value of an unknown type.
            Target::Known(_) => return Err(overload::missing(call, args)),
            Target::Shared(function) => *function,
            Target::Open(overloads) => {
                let mut all = overloads.iter();
                let Some(found) = all.find(|overload| overload.takes(&self.meter, args)) else {
                    return Err(overload::missing(call, args));
                };
                found.call
            }
        };
        self.meter.work(call.function.work.on(args))?;
        if let Some(pattern) = &call.pattern {
            self.meter.give_pattern(pattern);
        }
        let result = function(&mut self.meter, args);
        let result = match (&call.target, result) {
            (Target::Shared(_), Err(fault)) if fault.is_no_overload() => {
                return Err(overload::missing(call, args));
            }
            // The server counts only calls that have returned.
            (_, Err(crash @ Fault::Crash(_))) => {
                self.meter.reset_to(before);
                return Err(crash);
            }
            (_, result) => result?,
        };
        if let Val::Text(_) = result {
            self.meter
                .work(Work::Texts.on(core::slice::from_ref(&result)))?;
        }
        Ok(result)
    }

    /// Charges for a call.
    fn pay(&mut self, call: &program::Call, args: &[Val<'v>]) -> Result<(), Fault> {
        let cost = match call.price {
            None => 1,
            Some(price) => price(&self.meter, args)?,
        };
        self.meter.charge(cost)
    }

    /// Returns the error of an argument, which is the error of the call. The call costs as much as
    /// without the error.
    #[cold]
    fn failure(&mut self, call: &program::Call, fault: Fault, args: &[Val<'v>]) -> Fault {
        if let Fault::Error(_) = fault
            && let Err(stop) = self.pay(call, args)
        {
            return stop;
        }
        fault
    }

    fn alternative(&mut self, of: &'v Alternative) -> Result<Val<'v>, Fault> {
        match self.eval(&of.optional)? {
            Val::Optional(None) => self.eval(&of.other),
            Val::Optional(Some(value)) if of.unwraps => match &*value {
                Val::Fault(text) => Err(Fault::Error(text.clone())),
                value => Ok(value.clone()),
            },
            // The server returns any other value as it is.
            value => Ok(value),
        }
    }
}

/// Returns true if both are the same object at the same place.
fn is_same_object(one: &Slot<'_>, other: &Slot<'_>) -> bool {
    match (one, other) {
        (Ok(Val::Object(one, id)), Ok(Val::Object(other, of))) => {
            core::ptr::eq(*one, *other) && id == of
        }
        _ => false,
    }
}

/// Separates errors of expressions, which become values, from faults that end the evaluation.
fn stopping<T>(result: Result<T, Fault>) -> Result<Result<T, Fault>, Fault> {
    match result {
        Err(stop @ (Fault::Cost | Fault::Crash(_))) => Err(stop),
        result => Ok(result),
    }
}
