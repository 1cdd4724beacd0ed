//! Parts that evaluate to true or false, without a value for each step.

use super::{Machine, Slot};
use crate::interpreter::program::{self, Asks, Choice, Code, How};
use crate::syntax::Literal;
use crate::values::value::{Fault, Val};

/// The failure of a part that should be true or false. The machine contains the fault, so that
/// results are small.
pub(super) struct Failed;

pub(super) type Truth = Result<bool, Failed>;

impl<'v> Machine<'v> {
    /// Evaluates code that must be true or false.
    pub(crate) fn decided(&mut self, code: &'v Code) -> Result<bool, Fault> {
        match self.truth(code) {
            Ok(value) => Ok(value),
            Err(Failed) => Err(self.take_fault()),
        }
    }

    #[cold]
    fn take_fault(&mut self) -> Fault {
        core::mem::replace(&mut self.fault, Fault::Cost)
    }

    #[cold]
    fn failed(&mut self, fault: Fault) -> Failed {
        self.fault = fault;
        Failed
    }

    /// Stores the fault of a failed result in the machine.
    #[inline]
    pub(super) fn kept<T>(&mut self, result: Result<T, Fault>) -> Result<T, Failed> {
        match result {
            Ok(value) => Ok(value),
            Err(fault) => Err(self.failed(fault)),
        }
    }

    #[inline]
    pub(super) fn charged(&mut self, cost: u64) -> Result<(), Failed> {
        let charged = self.meter.charge(cost);
        self.kept(charged)
    }

    #[inline]
    pub(super) fn worked(&mut self, steps: u64) -> Result<(), Failed> {
        let worked = self.meter.work(steps);
        self.kept(worked)
    }

    /// Evaluates code like [`decided`](Self::decided), with the fault in the machine.
    #[inline]
    pub(super) fn truth(&mut self, code: &'v Code) -> Truth {
        match code {
            Code::Literal(Literal::Bool(value)) => Ok(*value),
            Code::Select(select) if select.how == How::Test => self.test(select),
            Code::And(both) => self.logic(both, false),
            Code::Or(both) => self.logic(both, true),
            Code::Not(of) => self.not(of),
            Code::Member(member) => self.member(member),
            Code::NotStrictlyFalse(of) => self.not_strictly_false(of),
            Code::Call(call) => self.asked(call),
            Code::Choice(choice) => self.chosen(choice),
            code => self.evaluated(code),
        }
    }

    #[inline(never)]
    fn evaluated(&mut self, code: &'v Code) -> Truth {
        let value = self.eval(code);
        self.is_true(value)
    }

    /// Returns true if a value is true. Returns an error if the value is neither true nor false.
    fn is_true(&mut self, value: Slot<'v>) -> Truth {
        match self.kept(value)? {
            Val::Bool(value) => Ok(value),
            _ => Err(self.failed(Fault::no_such_overload())),
        }
    }

    /// Evaluates a side of a choice. A look-up does not pay for its start.
    #[inline(never)]
    fn chosen(&mut self, choice: &'v Choice) -> Truth {
        let side = if self.truth(&choice.condition)? {
            &choice.yes
        } else {
            &choice.no
        };
        match side {
            Code::Slot(_) | Code::Index(_) => self.evaluated_side(side),
            Code::Select(select) if select.how != How::Test => self.evaluated_side(side),
            side => self.truth(side),
        }
    }

    #[inline(never)]
    fn evaluated_side(&mut self, side: &'v Code) -> Truth {
        let value = self.looked_up(side, false);
        self.is_true(value)
    }

    /// Evaluates a call of `!`.
    #[inline(never)]
    fn not(&mut self, of: &'v Code) -> Truth {
        let value = self.truth(of);
        if value.is_ok() || matches!(self.fault, Fault::Error(_)) {
            self.charged(1)?;
        }
        Ok(!value?)
    }

    #[inline(never)]
    fn not_strictly_false(&mut self, of: &'v Code) -> Truth {
        let value = self.truth(of);
        self.charged(1)?;
        match value {
            Err(Failed) if matches!(self.fault, Fault::Error(_)) => Ok(true),
            value => value,
        }
    }

    /// Evaluates `&&` or `||`: the deciding value wins over errors of the other side.
    #[inline(never)]
    fn logic(&mut self, both: &'v [Code; 2], decides: bool) -> Truth {
        // Literal terms are free, and an expression may have many.
        self.worked(1)?;
        let [one, two] = both;
        match self.truth(one) {
            Ok(value) if value == decides => Ok(decides),
            Ok(_) => self.truth(two),
            Err(Failed) => self.outweighed(two, decides),
        }
    }

    /// Evaluates the other side after a side has failed.
    #[cold]
    fn outweighed(&mut self, two: &'v Code, decides: bool) -> Truth {
        let fault = self.take_fault();
        if let Fault::Cost | Fault::Crash(_) = fault {
            return Err(self.failed(fault));
        }
        match self.truth(two) {
            Ok(value) if value == decides => Ok(decides),
            Err(Failed) if matches!(self.fault, Fault::Cost | Fault::Crash(_)) => Err(Failed),
            _ => Err(self.failed(fault)),
        }
    }

    /// Evaluates a call whose result is true, false or an error.
    #[inline(never)]
    fn asked(&mut self, call: &'v program::Call) -> Truth {
        if let (Some(question), [one, two]) = (&call.question, &*call.args)
            && let Some(answer) = self.answered(question, one, two)
        {
            return answer;
        }
        if let (Some(wanted), [one, two]) = (call.equality, &*call.args) {
            return self.equality(call, wanted, one, two);
        }
        let value = self.call(call);
        self.is_true(value)
    }

    /// Evaluates a call of `==` or `!=`. `wanted` is the result for equal values.
    fn equality(
        &mut self,
        call: &'v program::Call,
        wanted: bool,
        one: &'v Code,
        two: &'v Code,
    ) -> Truth {
        let args = self.both(call, one, two);
        let args = self.kept(args)?;
        let is_equal = match &args {
            [Val::Text(one), Val::Text(two)] => {
                return self.answer(&Asks::Equal(wanted), one.as_str(), two.as_str());
            }
            [Val::Int(one), Val::Int(two)] => one == two,
            [Val::Bool(one), Val::Bool(two)] => one == two,
            _ => {
                let value = self.apply(call, &args);
                return self.is_true(value);
            }
        };
        self.charged(1)?;
        Ok(is_equal == wanted)
    }
}
