//! The operator `in` for a list of constants.

use super::Machine;
use super::constant::constant;
use super::truth::Truth;
use crate::functions::access;
use crate::interpreter::program::{Code, Member};
use crate::syntax::Literal;
use crate::values::equal;
use crate::values::value::{Fault, Val};

impl<'v> Machine<'v> {
    /// Returns true if a value is in a list of constants.
    #[inline(never)]
    pub(super) fn member(&mut self, member: &'v Member) -> Truth {
        let Member { value, list, .. } = member;
        let literals = literals(list);
        if let Some(literals) = literals
            && let Some(found) = self.is_text_one_of(member, literals)?
        {
            return Ok(found);
        }
        let value = self.eval(value);
        let value = self.kept(value)?;
        let hashable = equal::check_hashable(&value).map_err(Fault::from);
        self.kept(hashable)?;
        if let Some(literals) = literals {
            return self.is_one_of(&value, literals);
        }
        let cost = self.meter.cost();
        let found = self.is_in(&value, list);
        self.meter.reset_to(cost);
        self.kept(found)
    }

    /// Compares a value with literals in place.
    fn is_one_of(&mut self, value: &Val<'v>, literals: &'v [(Code, bool)]) -> Truth {
        self.pay_literals(literals)?;
        for (code, _) in literals {
            let Code::Literal(literal) = code else {
                continue;
            };
            let found = match (literal, value) {
                (Literal::Text(text), Val::Text(value)) => Ok(text == value.as_str()),
                (literal, value) => equal::equal(self.meter.declared, value, &constant(literal)),
            };
            match found {
                Ok(true) => return Ok(true),
                Err(stop @ (Fault::Cost | Fault::Crash(_))) => return self.kept(Err(stop)),
                // A value that cannot be compared is a different value.
                Ok(false) | Err(Fault::Error(_)) => {}
            }
        }
        Ok(false)
    }

    fn is_in(&mut self, value: &Val<'v>, list: &'v Code) -> Result<bool, Fault> {
        let list = self.eval(list)?;
        self.meter.work(list.size() / 8)?;
        access::has(&self.meter, &list, value)
    }
}

/// Returns the elements of a list if all of them are literals.
fn literals(list: &Code) -> Option<&[(Code, bool)]> {
    let Code::Free(list) = list else { return None };
    match &**list {
        Code::List(elements) => {
            let mut all = elements.iter();
            all.all(|(element, is_optional)| matches!(element, Code::Literal(_)) && !is_optional)
                .then_some(&**elements)
        }
        _ => None,
    }
}
