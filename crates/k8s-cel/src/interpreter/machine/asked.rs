//! Questions about texts and numbers of the object and of the rule, which are looked at where they are.

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
    /// What asking it of two texts costs.
    #[inline]
    fn price(&self, one: &str, two: &str) -> u64 {
        match self {
            Self::Equal(_) => cost::of_texts(one, two),
            Self::Test(test) => (test.price)(one, two),
            Self::Match(_, Some(size)) => cost::matching_of(one, *size),
            Self::Match(_, None) | Self::Order(_) => 1,
        }
    }

    /// The answer for two texts.
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
    /// The answer to a question about texts that are paid for.
    pub(super) fn answer(&mut self, asks: &Asks, one: &str, two: &str) -> Truth {
        self.charged(asks.price(one, two))?;
        self.worked(work::of_texts(one, two))?;
        Ok(asks.holds(one, two))
    }

    /// The answer to a question about values that are looked at where they are. If one of them is not such a value, or if it all costs
    /// too much, there is none, and nothing is paid for.
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

    /// A text that is a literal, a variable, or that plain names lead to. It is not paid for.
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

    /// An integer that is a literal, that plain names lead to, or that is the size of what they lead to. It is not paid for.
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

    /// The size of what plain names lead to.
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

    /// What plain names lead to, and what that should be.
    #[inline]
    fn value_at(&mut self, select: &'v Select) -> Option<(Leads, &'v Value)> {
        let plain = select.plain.filter(|_| select.how == How::Plain)?;
        Some((plain.to, self.place(select, plain)?))
    }

    /// Whether such a text is one of literals that are texts; nothing if it is none.
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

    /// No list is made of literals that are looked at, but what making one costs has to be there.
    pub(super) fn pay_literals(&mut self, literals: &[(Code, bool)]) -> Result<(), Failed> {
        self.worked(literals.len() as u64 / 8 * 2)?;
        let before = self.meter.cost();
        self.charged(LIST)?;
        self.meter.reset_to(before);
        Ok(())
    }
}
