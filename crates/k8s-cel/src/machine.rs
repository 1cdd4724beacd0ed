//! Evaluates programs, and counts what that costs as an API server does.

mod fold;
mod literal;
mod overload;

use super::code::{self, Alternative, Choice, Code, How, Index, Program, Select, Target};
use super::convert;
use super::declared::DeclaredTypes;
use super::equal;
use super::library::access;
use super::meter::Meter;
use super::value::{Fault, Text, Val};
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
            Code::Slot(slot) => {
                self.meter.charge(1)?;
                if !self.unread.is_empty() {
                    self.read(*slot)?;
                }
                self.slot(*slot).clone()
            }
            Code::Select(select) => self.select(select),
            Code::And(both) => self.logic(both, false),
            Code::Or(both) => self.logic(both, true),
            Code::Choice(choice) => self.choice(choice),
            Code::Index(index) => self.index(index),
            Code::Free(code) => {
                let cost = self.meter.cost();
                let value = self.eval(code);
                self.meter.reset_to(cost);
                value
            }
            Code::Member(both) => {
                let [value, list] = &**both;
                if matches!(list, Code::Free(list) if matches!(&**list, Code::List(of) if of.is_empty()))
                {
                    return Ok(Val::Bool(false));
                }
                let value = self.eval(value)?;
                let cost = self.meter.cost();
                let list = self.eval(list)?;
                self.meter.work(list.size() / 8)?;
                let found = access::contained(&mut self.meter, &[value, list]);
                self.meter.reset_to(cost);
                found
            }
            Code::Call(call) => self.call(call),
            Code::NotStrictlyFalse(of) => self.not_strictly_false(of),
            Code::Alternative(of) => self.alternative(of),
            Code::List(elements) => self.list(elements),
            Code::Map(entries) => self.map(entries),
            Code::Fold(fold) => self.fold(fold),
        }
    }

    fn choice(&mut self, choice: &'v Choice) -> Result<Val<'v>, Fault> {
        let (side, is_cheaper) = match self.eval(&choice.condition)? {
            Val::Bool(true) => (&choice.yes, choice.yes_is_cheaper),
            Val::Bool(false) => (&choice.no, choice.no_is_cheaper),
            _ => return Err(Fault::no_such_overload()),
        };
        let value = self.eval(side)?;
        self.meter.give_back(u64::from(is_cheaper));
        Ok(convert::passed_on(value))
    }

    fn index(&mut self, index: &'v Index) -> Result<Val<'v>, Fault> {
        let operand = self.eval(&index.operand)?;
        let key = self.eval(&index.key)?;
        self.meter.charge(index.cost)?;
        self.pay_search(&operand)?;
        let found = access::index(&self.meter, &operand, &key, index.optional);
        if let Ok(Val::Optional(None)) = found
            && (index.optional || matches!(operand, Val::Optional(_)))
        {
            // Only what is there costs, where nothing need be there.
            self.meter.give_back(1);
        }
        found
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
            [one, two] => {
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
                let args: Result<Vec<_>, _> = args.iter().map(|arg| self.eval(arg)).collect();
                self.apply(call, &args?)
            }
        }
    }

    fn apply(&mut self, call: &'v code::Call, args: &[Val<'v>]) -> Result<Val<'v>, Fault> {
        let function = match &call.target {
            Target::Known(function) => *function,
            Target::Open(overloads) => {
                let mut all = overloads.iter();
                let Some(found) = all.find(|overload| overload.takes(args)) else {
                    self.pay_refused(call, args)?;
                    return Err(overload::missing(call.name, args));
                };
                found.call
            }
        };
        self.meter.work(call.work.on(args))?;
        if let Some(pattern) = &call.pattern {
            self.meter.give_pattern(pattern);
        }
        let before = self.meter.cost();
        let result = function(&mut self.meter, args);
        if call.is_flat {
            self.meter.reset_to(before);
            self.meter.charge(1)?;
            if let Err(Fault::Crash(_)) = result {
                return Err(overload::missing(call.name, args));
            }
        }
        let result = result.map_err(|fault| overload::named(fault, call.name, args))?;
        self.meter
            .work(Work::Texts.on(core::slice::from_ref(&result)))?;
        Ok(result)
    }

    /// Counts the search for a key in a map that an expression has made.
    fn pay_search(&mut self, map: &Val<'v>) -> Result<(), Fault> {
        match map {
            Val::Map(entries) => self.meter.work(entries.len() as u64 / 8),
            _ => Ok(()),
        }
    }

    /// Charges for a call of a function that does not take the arguments: what it charges before it finds that out.
    fn pay_refused(&mut self, call: &code::Call, args: &[Val<'v>]) -> Result<(), Fault> {
        if call.is_flat {
            return self.meter.charge(1);
        }
        let before = self.meter.cost();
        let function = match &call.target {
            Target::Known(function) => Some(*function),
            Target::Open(overloads) => overloads.first().map(|overload| overload.call),
        };
        if let Some(Err(stop @ (Fault::Cost | Fault::Crash(_)))) =
            function.map(|call| call(&mut self.meter, args))
        {
            return Err(stop);
        }
        if self.meter.cost() == before && !call.compares {
            self.meter.charge(1)?;
        }
        Ok(())
    }

    /// A call whose argument is an error is that error; it costs what the call would.
    fn failed(
        &mut self,
        call: &code::Call,
        fault: Fault,
        args: &[Val<'v>],
    ) -> Result<Val<'v>, Fault> {
        if let Fault::Error(_) = fault {
            self.pay_refused(call, args)?;
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

    fn select(&mut self, select: &'v Select) -> Result<Val<'v>, Fault> {
        let operand = match self.eval(&select.operand) {
            Err(Fault::Error(text)) if select.how == How::Test => {
                // Asking whether something is there is free, as is what it is asked of then.
                self.meter.give_back(1);
                return Err(Fault::Error(text));
            }
            operand => operand?,
        };
        self.meter.charge(u64::from(select.is_relative))?;
        let (operand, is_optional) = match operand {
            Val::Optional(None) => {
                return Ok(match select.how {
                    How::Test => Val::Bool(false),
                    _ => Val::Optional(None),
                });
            }
            Val::Optional(Some(inner)) => ((*inner).clone(), true),
            operand => (operand, false),
        };
        let found = match (&operand, select.declaration) {
            (Val::Object(object, _), Some(declaration)) => {
                convert::field_of(self.meter.declared, object, &select.name, declaration)
            }
            (Val::Object(..) | Val::Map(_), _) => {
                self.pay_search(&operand)?;
                let key = Val::Text(Text::Borrowed(&select.written));
                equal::entry(self.meter.declared, &operand, &key)
            }
            (Val::List(_) | Val::Items(..) | Val::Joined(_), _) => {
                return Err(access::no_index("string"));
            }
            // Nothing is in a scalar, and asking for it is no mistake.
            _ => None,
        };
        // Only what is there costs, where nothing need be there.
        if select.how == How::Plain && !is_optional || select.how != How::Test && found.is_some() {
            self.meter.charge(1)?;
        }
        match (select.how, found) {
            (How::Test, Some(Err(fault))) => Err(fault),
            (How::Test, found) => Ok(Val::Bool(found.is_some())),
            (How::Optional, None) => Ok(Val::Optional(None)),
            (How::Plain, None) if is_optional => Ok(Val::Optional(None)),
            (How::Plain, None) => Err(Fault::error(format!("no such key: {}", select.written))),
            (How::Plain, Some(found)) if !is_optional => found,
            (_, Some(found)) => found.map(Val::some),
        }
    }
}

/// Errors of expressions become values; what ends the evaluation ends it.
fn stopping(result: Slot<'_>) -> Result<Slot<'_>, Fault> {
    match result {
        Err(stop @ (Fault::Cost | Fault::Crash(_))) => Err(stop),
        result => Ok(result),
    }
}
