//! Evaluates programs, and counts what that costs as an API server does.

mod fold;
mod literal;
mod look_up;
mod member;
mod overload;

use super::code::{self, Alternative, Code, How, Program, Target};
use super::convert;
use super::declared::DeclaredTypes;
use super::meter::Meter;
use super::value::{Fault, Val};
use super::work::Work;
use literal::constant;

/// The values of variables: a variable may hold an error until somebody reads it.
type Slot<'v> = Result<Val<'v>, Fault>;

pub(super) struct Machine<'v> {
    meter: Meter<'v>,
    slots: Vec<Slot<'v>>,
    /// Variables that are names for expressions which nobody has asked for yet.
    unread: Vec<(u16, &'v Code)>,
}

impl<'v> Machine<'v> {
    pub(super) const fn new(declared: &'v DeclaredTypes) -> Self {
        Self {
            meter: Meter::new(declared, 0),
            slots: Vec::new(),
            unread: Vec::new(),
        }
    }

    /// Evaluates a program, and says what it cost.
    pub(super) fn run(
        &mut self,
        program: &'v Program,
        this: &Slot<'v>,
        old: Option<Slot<'v>>,
        limit: u64,
    ) -> (Result<Val<'v>, Fault>, u64) {
        self.meter.restart(limit);
        self.slots.clear();
        self.unread.clear();
        self.slots.push(this.clone());
        self.slots.push(match old {
            Some(old) => old,
            None if program.uses_old_self => Err(Fault::error("no such attribute(s): oldSelf")),
            None => Ok(Val::Null),
        });
        self.slots
            .resize_with(program.slots.max(2), || Ok(Val::Null));
        let result = self.eval(&program.code);
        (result, self.meter.cost())
    }

    /// Evaluates what depends on nothing.
    pub(super) fn constant(&mut self, code: &'v Code) -> Result<Val<'v>, Fault> {
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

    fn eval(&mut self, code: &'v Code) -> Result<Val<'v>, Fault> {
        match code {
            Code::Literal(literal) => Ok(constant(literal)),
            Code::Type(name) => Ok(Val::Type(name)),
            Code::Slot(_) => self.looked_up(code, true),
            Code::Select(select) if select.how == How::Test => self.test(select),
            Code::Select(select) => self.looked_up(code, select.pays_for_start),
            Code::Index(index) => self.looked_up(code, index.pays_for_start),
            Code::Choice(_) => self.looked_up(code, false),
            Code::And(both) => self.logic(both, false),
            Code::Or(both) => self.logic(both, true),
            Code::Free(code) => {
                let cost = self.meter.cost();
                let value = self.eval(code);
                self.meter.reset_to(cost);
                value
            }
            Code::Member(both) => self.member(both).map(Val::Bool),
            Code::Call(call) => self.call(call),
            Code::NotStrictlyFalse(of) => self.not_strictly_false(of),
            Code::Alternative(of) => self.alternative(of),
            Code::List(elements) => self.list(elements),
            Code::Map(entries) => self.map(entries),
            Code::Fold(fold) => self.fold(fold),
        }
    }

    fn call(&mut self, call: &'v code::Call) -> Result<Val<'v>, Fault> {
        match &*call.args {
            [one] => match self.eval(one) {
                Ok(one) => self.apply(call, &[one]),
                Err(fault) => {
                    let arg = fault.as_value();
                    self.failed(call, fault, &[arg])
                }
            },
            [one, two] if !(call.stops_early || call.pattern.is_some()) => {
                // Both are evaluated, even where the first fails.
                match (stopping(self.eval(one))?, stopping(self.eval(two))?) {
                    (Ok(one), Ok(two)) => self.apply(call, &[one, two]),
                    (Err(fault), Ok(two)) => {
                        let one = fault.as_value();
                        self.failed(call, fault, &[one, two])
                    }
                    (Ok(one), Err(fault)) => {
                        let two = fault.as_value();
                        self.failed(call, fault, &[one, two])
                    }
                    (Err(fault), Err(other)) => {
                        let args = [fault.as_value(), other.as_value()];
                        self.failed(call, fault, &args)
                    }
                }
            }
            args => {
                let mut values = Vec::with_capacity(args.len());
                for (at, arg) in args.iter().enumerate() {
                    match self.eval(arg) {
                        Ok(value) => values.push(value),
                        // The server counts a call by its arguments, where it has all of them.
                        Err(fault @ Fault::Error(_)) if at + 1 == args.len() => {
                            values.push(fault.as_value());
                            return self.failed(call, fault, &values);
                        }
                        Err(fault) => return Err(fault),
                    }
                }
                self.apply(call, &values)
            }
        }
    }

    fn apply(&mut self, call: &'v code::Call, args: &[Val<'v>]) -> Result<Val<'v>, Fault> {
        let before = self.meter.cost();
        self.pay(call, args)?;
        // A pattern that is compiled in advance takes what is a text as a plain value: the name of a type, what is in an optional value.
        if call.pattern.is_some()
            && let [of @ (Val::Type(_) | Val::Optional(Some(_))), rest @ ..] = args
            && let text @ Val::Text(_) = convert::unwrapped(of)
        {
            let args: Vec<Val<'v>> = [text].into_iter().chain(rest.iter().cloned()).collect();
            return self.apply_paid(call, &args, before);
        }
        self.apply_paid(call, args, before)
    }

    /// A call that is paid for; it had cost so much before.
    fn apply_paid(
        &mut self,
        call: &'v code::Call,
        args: &[Val<'v>],
        before: u64,
    ) -> Result<Val<'v>, Fault> {
        let function = match &call.target {
            Target::Known(overload) if overload.takes(&self.meter, args) => overload.call,
            // What is of a known type may come from what is not.
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
        self.meter.work(call.work.on(args))?;
        if let Some(pattern) = &call.pattern {
            self.meter.give_pattern(pattern);
        }
        let result = function(&mut self.meter, args);
        let result = match (&call.target, result) {
            (Target::Shared(_), Err(fault)) if fault.is_no_overload() => {
                return Err(overload::missing(call, args));
            }
            // The server counts what has come to an end.
            (_, Err(crash @ Fault::Crash(_))) => {
                self.meter.reset_to(before);
                return Err(crash);
            }
            (_, result) => result?,
        };
        self.meter
            .work(Work::Texts.on(core::slice::from_ref(&result)))?;
        Ok(result)
    }

    /// Charges for a call.
    fn pay(&mut self, call: &code::Call, args: &[Val<'v>]) -> Result<(), Fault> {
        let cost = match call.price {
            None => 1,
            Some(price) => price(&self.meter, args)?,
        };
        self.meter.charge(cost)
    }

    /// A call whose argument is an error is that error; it costs what the call would.
    fn failed(
        &mut self,
        call: &code::Call,
        fault: Fault,
        args: &[Val<'v>],
    ) -> Result<Val<'v>, Fault> {
        if let Fault::Error(_) = fault {
            self.pay(call, args)?;
        }
        Err(fault)
    }

    fn alternative(&mut self, of: &'v Alternative) -> Result<Val<'v>, Fault> {
        match self.eval(&of.optional)? {
            Val::Optional(None) => self.eval(&of.other),
            Val::Optional(Some(value)) if of.unwraps => match &*value {
                Val::Fault(text) => Err(Fault::Error(text.clone())),
                value => Ok(value.clone()),
            },
            // The server takes any other value for what there is.
            value => Ok(value),
        }
    }

    fn not_strictly_false(&mut self, arg: &'v Code) -> Result<Val<'v>, Fault> {
        let value = self.eval(arg);
        self.meter.charge(1)?;
        match value {
            Ok(value) => Ok(Val::Bool(value.as_bool().unwrap_or(true))),
            Err(Fault::Error(_)) => Ok(Val::Bool(true)),
            Err(fault) => Err(fault),
        }
    }

    /// `&&` and `||`: the deciding value wins over errors of the other side.
    fn logic(&mut self, both: &'v [Code; 2], decides: bool) -> Result<Val<'v>, Fault> {
        // Terms that are literals cost nothing, and there may be many.
        self.meter.work(1)?;
        let mut fault = None;
        for side in both {
            match self.eval(side) {
                Ok(Val::Bool(value)) if value == decides => return Ok(Val::Bool(decides)),
                Ok(Val::Bool(_)) => {}
                Ok(_) => {
                    fault.get_or_insert_with(Fault::no_such_overload);
                }
                Err(Fault::Error(text)) => {
                    fault.get_or_insert(Fault::Error(text));
                }
                Err(stop) => return Err(stop),
            }
        }
        fault.map_or(Ok(Val::Bool(!decides)), Err)
    }
}

/// Errors of expressions become values; what ends the evaluation ends it.
fn stopping(result: Slot<'_>) -> Result<Slot<'_>, Fault> {
    match result {
        Err(stop @ (Fault::Cost | Fault::Crash(_))) => Err(stop),
        result => Ok(result),
    }
}
