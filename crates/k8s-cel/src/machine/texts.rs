//! Questions about texts of the object and of the rule, which are looked at where they are.

use serde_json::Value;

use super::Machine;
use super::literal::LIST;
use super::truth::{Failed, Truth};
use crate::code::{Asks, Code, How, Leads};
use crate::library::charge;
use crate::syntax::Literal;
use crate::value::{Text, Val};
use crate::work;

impl<'v> Machine<'v> {
    /// The answer to a question about texts that are paid for.
    pub(super) fn answer(&mut self, asks: &Asks, one: &str, two: &str) -> Truth {
        let price = match asks {
            Asks::Equal(_) => charge::of_texts(one, two),
            Asks::Test(test) => (test.price)(one, two),
            Asks::Match(_, Some(size)) => charge::matching_of(one, *size),
            Asks::Match(_, None) => 1,
        };
        self.charged(price)?;
        self.worked(work::of_texts(one, two))?;
        Ok(match asks {
            Asks::Equal(wanted) => (one == two) == *wanted,
            Asks::Test(test) => (test.holds)(one, two),
            Asks::Match(finder, _) => finder.is_match(one),
        })
    }

    /// Both texts, if both are texts that are looked at where they are. Nothing is paid for otherwise.
    #[inline]
    pub(super) fn texts(&mut self, one: &'v Code, two: &'v Code) -> Option<[&'v str; 2]> {
        let before = self.meter.cost();
        let one = self.text(one)?;
        let two = self.text(two);
        if two.is_none() {
            self.meter.reset_to(before);
        }
        Some([one, two?])
    }

    /// A text that is a literal, a variable, or that plain names lead to. If it is none, nothing is paid for.
    #[inline]
    fn text(&mut self, code: &'v Code) -> Option<&'v str> {
        match code {
            Code::Literal(Literal::Text(text)) => Some(text),
            Code::Select(select) if select.how == How::Plain => {
                let plain = select.plain.filter(|plain| plain.to == Leads::Text)?;
                let Some(Value::String(text)) = self.place(select, plain) else {
                    return None;
                };
                let cost = plain.names + u64::from(select.pays_for_start);
                self.meter.has_paid(cost).then_some(text)
            }
            Code::Slot(slot) if self.unread.is_empty() => {
                match self.slots.get(usize::from(*slot)) {
                    Some(Ok(Val::Text(Text::Borrowed(text)))) => {
                        self.meter.has_paid(1).then_some(text)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether such a text is one of literals that are texts; nothing if it is none.
    pub(super) fn is_text_one_of(
        &mut self,
        value: &'v Code,
        literals: &'v [(Code, bool)],
    ) -> Result<Option<bool>, Failed> {
        let Some(value) = self.text(value) else {
            return Ok(None);
        };
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
