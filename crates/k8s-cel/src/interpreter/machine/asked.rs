//! Questions about strings and numbers of the object and of the rule, which are compared in place.

use serde_json::Value;

use super::Machine;
use super::literal::LIST;
use super::truth::{Failed, Truth};
use crate::cost::work;
use crate::functions::cost;
use crate::interpreter::program::{Asks, Code, How, Leads, Member, Question, Select};
use crate::syntax::Literal;
use crate::values::value::{Text, Val, letters};
use k8s_json_internals::number::Num;

impl Asks {
    /// Returns the price of the question for two strings.
    #[inline]
    fn price(&self, one: &str, two: &str) -> u64 {
        match self {
            Self::Equal(_) => cost::of_texts(one, two),
            Self::Test(test) => (test.price)(one, two),
            Self::Match(_, Some(size)) => cost::matching_of(one, *size),
            Self::Match(_, None) | Self::Order(_) => 1,
        }
    }

    /// Returns the answer for two strings.
    #[inline]
    fn holds(&self, one: &str, two: &str) -> bool {
        match self {
            Self::Equal(wanted) => (one == two) == *wanted,
            Self::Test(test) => (test.holds)(one, two),
            Self::Match(finder, _) => finder.is_match(one),
            Self::Order(wanted) => wanted(one.cmp(two)),
        }
    }
}

impl<'v> Machine<'v> {
    /// Answers a question about two strings, and charges its price. The strings are paid for
    /// already.
    pub(super) fn answer(&mut self, asks: &Asks, one: &str, two: &str) -> Truth {
        self.charged(asks.price(one, two))?;
        self.worked(work::of_texts(one, two))?;
        Ok(asks.holds(one, two))
    }

    /// Answers a question about two values that are read in place. Returns `None`, without a
    /// charge, if a value is not read in place or if the total cost is too high.
    #[inline]
    pub(super) fn answered(
        &mut self,
        Question { asks, cost }: &'v Question,
        one: &'v Code,
        two: &'v Code,
    ) -> Option<Truth> {
        if let Asks::Order(wanted) = asks {
            let (one, two) = (self.int(one)?, self.int(two)?);
            let is_paid = self.meter.has_paid(cost + 1);
            return is_paid.then(|| Ok(wanted(one.cmp(&two))));
        }
        let (one, two) = (self.text(one)?, self.text(two)?);
        let cost = cost.saturating_add(asks.price(one, two));
        if !self.meter.has_paid(cost) {
            return None;
        }
        Some(match self.worked(work::of_texts(one, two)) {
            Ok(()) => Ok(asks.holds(one, two)),
            Err(failed) => Err(failed),
        })
    }

    /// Returns a string that is a literal, a variable, or the target of plain names, without a
    /// charge.
    #[inline]
    fn text(&mut self, code: &'v Code) -> Option<&'v str> {
        match code {
            Code::Literal(Literal::Text(text)) => Some(text),
            Code::Select(select) => match self.value_at(select)? {
                (Leads::Text, Value::String(text)) => Some(text),
                _ => None,
            },
            Code::Slot(slot) => match self.slots.get(usize::from(*slot)) {
                Some(Ok(Val::Text(Text::Borrowed(text)))) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns an integer that is a literal, the target of plain names, or the size of the target
    /// of plain names, without a charge.
    fn int(&mut self, code: &'v Code) -> Option<i64> {
        match code {
            Code::Literal(Literal::Int(value)) => Some(*value),
            Code::Select(select) => match self.value_at(select)? {
                (Leads::Int, Value::Number(number)) => match Num::of(number) {
                    Num::Int(value) => Some(value),
                    Num::Float(_) => None,
                },
                _ => None,
            },
            Code::Call(call) => match &*call.args {
                [Code::Select(select)] => self.size_at(select),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the size of the target of plain names.
    fn size_at(&mut self, select: &'v Select) -> Option<i64> {
        let size = match self.value_at(select)? {
            (Leads::Text, Value::String(text)) => {
                self.meter.work(work::of_text(text)).ok()?;
                letters(text)
            }
            (Leads::List, Value::Array(items)) => items.len() as u64,
            _ => return None,
        };
        i64::try_from(size).ok()
    }

    /// Returns the target of plain names, and its declared kind.
    #[inline]
    fn value_at(&mut self, select: &'v Select) -> Option<(Leads, &'v Value)> {
        let plain = select.plain.filter(|_| select.how == How::Plain)?;
        Some((plain.to, self.place(select, plain)?))
    }

    /// Returns true if a string is in a list of string literals, and `None` if the value is not a
    /// string that is read in place.
    pub(super) fn is_text_one_of(
        &mut self,
        Member { value, cost, .. }: &'v Member,
        literals: &'v [(Code, bool)],
    ) -> Result<Option<bool>, Failed> {
        let (Some(cost), Some(value)) = (cost, self.text(value)) else {
            return Ok(None);
        };
        if !self.meter.has_paid(*cost) {
            return Ok(None);
        }
        self.pay_literals(literals)?;
        let is_it = |(code, _): &(Code, bool)| match code {
            Code::Literal(Literal::Text(text)) => text == value,
            _ => false,
        };
        Ok(Some(literals.iter().any(is_it)))
    }

    /// Checks that the cost of a list is affordable. The literals are compared in place, so a list
    /// is not created, and is not charged.
    pub(super) fn pay_literals(&mut self, literals: &[(Code, bool)]) -> Result<(), Failed> {
        self.worked(literals.len() as u64 / 8 * 2)?;
        let before = self.meter.cost();
        self.charged(LIST)?;
        self.meter.reset_to(before);
        Ok(())
    }
}
