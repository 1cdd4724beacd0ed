//! Literals.

use std::rc::Rc;

use super::Machine;
use crate::code::Code;
use crate::equal;
use crate::syntax::Literal;
use crate::value::{Fault, Text, Val};

impl<'v> Machine<'v> {
    pub(super) fn list(&mut self, elements: &'v [(Code, bool)]) -> Result<Val<'v>, Fault> {
        let mut values = Vec::with_capacity(elements.len());
        for (element, optional) in elements {
            let value = match self.eval(element) {
                Ok(value) => value,
                Err(fault) => {
                    self.meter.charge(10)?;
                    return Err(fault);
                }
            };
            match value {
                Val::Optional(inner) if *optional => {
                    values.extend(inner.map(|inner| (*inner).clone()));
                }
                value => values.push(value),
            }
        }
        self.meter.charge(10)?;
        Ok(Val::list(values))
    }

    pub(super) fn map(&mut self, entries: &'v [(Code, Code, bool)]) -> Result<Val<'v>, Fault> {
        let mut values: Vec<(Val<'v>, Val<'v>)> = Vec::with_capacity(entries.len());
        for (key, value, optional) in entries {
            let key = self.eval(key)?;
            let value = match self.eval(value)? {
                Val::Optional(None) if *optional => continue,
                Val::Optional(Some(inner)) if *optional => (*inner).clone(),
                value => value,
            };
            if !matches!(
                key,
                Val::Bool(_) | Val::Int(_) | Val::Uint(_) | Val::Text(_)
            ) {
                return Err(Fault::error(format!(
                    "unsupported key type: {}",
                    key.type_name()
                )));
            }
            for (other, _) in &values {
                if equal::equal(self.meter.declared, other, &key)? {
                    return Err(Fault::error("Failed with repeated key"));
                }
            }
            values.push((key, value));
        }
        self.meter.charge(30)?;
        Ok(Val::Map(Rc::new(values)))
    }
}

pub(super) fn constant(literal: &Literal) -> Val<'_> {
    match literal {
        Literal::Null => Val::Null,
        Literal::Bool(value) => Val::Bool(*value),
        Literal::Int(value) => Val::Int(*value),
        Literal::Uint(value) => Val::Uint(*value),
        Literal::Double(value) => Val::Double(*value),
        Literal::Text(text) => Val::Text(Text::Borrowed(text)),
        Literal::Bytes(bytes) => Val::Bytes(bytes.as_slice().into()),
    }
}
