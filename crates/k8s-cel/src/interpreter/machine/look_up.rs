//! Look-ups: names and indexes, one after the other, from a variable or a computed value.

use serde_json::{Map, Value};

use super::truth::Truth;
use super::{Machine, Slot};
use crate::cost::work::Work;
use crate::functions::access;
use crate::interpreter::program::{Choice, Code, How, Index, Plain, Select};
use crate::values::convert;
use crate::values::equal;
use crate::values::value::{Fault, Text, Val};

/// The result of a look-up so far.
struct Found<'v> {
    /// The value; `None` if it is absent and may be absent.
    value: Option<Val<'v>>,
    /// True if the values from here on may be absent.
    is_optional: bool,
}

impl<'v> Found<'v> {
    const fn plain(value: Val<'v>) -> Self {
        Self {
            value: Some(value),
            is_optional: false,
        }
    }

    const fn nothing() -> Self {
        Self {
            value: None,
            is_optional: true,
        }
    }

    fn end(self) -> Val<'v> {
        match self.value {
            None => Val::Optional(None),
            Some(value) if self.is_optional => Val::some(value),
            Some(value) => value,
        }
    }
}

impl<'v> Machine<'v> {
    /// Evaluates a look-up. The start is paid for at the end, even if the look-up fails.
    pub(super) fn looked_up(&mut self, code: &'v Code, pays_for_start: bool) -> Slot<'v> {
        let found = match code {
            Code::Select(select) if select.how == How::Plain => match self.plain(select) {
                Ok(None) => self.select_step(select).map(Found::end),
                Ok(Some(value)) => Ok(value),
                Err(fault) => Err(fault),
            },
            code => self.look_up(code).map(Found::end),
        };
        if let Ok(_) | Err(Fault::Error(_)) = found {
            self.meter.charge(u64::from(pays_for_start))?;
        }
        found
    }

    /// Returns the value of a variable.
    pub(super) fn variable(&mut self, slot: u16) -> Slot<'v> {
        if !self.unread.is_empty() {
            self.read(slot)?;
        }
        self.slot(slot).clone()
    }

    /// Evaluates a look-up, and does not pay for the start.
    fn look_up(&mut self, code: &'v Code) -> Result<Found<'v>, Fault> {
        match code {
            Code::Slot(slot) => {
                let value = self.variable(*slot)?;
                self.start(value)
            }
            Code::Select(select) if select.how != How::Test => self.select(select),
            Code::Index(index) => self.index(index),
            Code::Choice(choice) => self.choice(choice),
            computed => {
                let value = self.eval(computed)?;
                self.start(value)
            }
        }
    }

    /// Starts a look-up. Only the start unwraps an optional value, and converts its content to a
    /// plain value.
    fn start(&mut self, value: Val<'v>) -> Result<Found<'v>, Fault> {
        Ok(match value {
            Val::Optional(None) => Found::nothing(),
            Val::Optional(Some(inner)) => {
                self.meter
                    .work(Work::All.on(core::slice::from_ref(&*inner)))?;
                Found {
                    value: Some(convert::unwrapped(&inner)),
                    is_optional: true,
                }
            }
            value => Found::plain(value),
        })
    }

    fn choice(&mut self, choice: &'v Choice) -> Result<Found<'v>, Fault> {
        let side = if self.decided(&choice.condition)? {
            &choice.yes
        } else {
            &choice.no
        };
        self.look_up(side)
    }

    /// Pays for a step of a look-up. If the value may be absent, only a present value costs.
    fn step_to(
        &mut self,
        found: Result<Option<Slot<'v>>, Fault>,
        need_not_be: bool,
    ) -> Result<Option<Val<'v>>, Fault> {
        match &found {
            Ok(None) | Err(Fault::Error(_)) if need_not_be => {}
            Err(Fault::Cost | Fault::Crash(_)) => {}
            _ => self.meter.charge(1)?,
        }
        match found? {
            // An invalid value is present, and only its presence matters here.
            Some(Err(fault @ Fault::Error(_))) if need_not_be => Ok(Some(fault.as_value())),
            found => found.transpose(),
        }
    }

    fn index(&mut self, index: &'v Index) -> Result<Found<'v>, Fault> {
        let Found { value, is_optional } = self.look_up(&index.operand)?;
        let Some(value) = value else {
            // The key is not evaluated.
            return Ok(Found::nothing());
        };
        let is_optional = is_optional || index.optional;
        let found = self.at_key(&value, &index.key, is_optional);
        let value = self.step_to(found, is_optional)?;
        Ok(Found { value, is_optional })
    }

    /// Returns the value under a key. The key does not pay for its start, as the step does.
    fn at_key(
        &mut self,
        of: &Val<'v>,
        key: &'v Code,
        is_optional: bool,
    ) -> Result<Option<Slot<'v>>, Fault> {
        let key = self.look_up(key)?.end();
        self.pay_search(of)?;
        access::index(&self.meter, of, &key, is_optional)
    }

    /// Returns the object that plain names lead to, from a variable that is an object, without a
    /// charge.
    #[inline]
    fn object(&mut self, code: &'v Code) -> Option<&'v Map<String, Value>> {
        match code {
            Code::Slot(slot) => match self.slots.get(usize::from(*slot)) {
                Some(Ok(Val::Object(object, _))) => Some(object),
                _ => None,
            },
            Code::Select(select) => self.object_under(select),
            _ => None,
        }
    }

    /// Returns the object under a name in another object: see [`object`](Self::object).
    #[inline(never)]
    fn object_under(&mut self, select: &'v Select) -> Option<&'v Map<String, Value>> {
        match self.place(select, select.plain?) {
            Some(Value::Object(object)) => Some(object),
            _ => None,
        }
    }

    /// Returns the value that plain names lead to, without a charge.
    #[inline]
    pub(super) fn place(&mut self, select: &'v Select, plain: Plain) -> Option<&'v Value> {
        let object = self.object(&select.operand)?;
        self.memo.get(object, &select.name, plain.place)
    }

    /// Returns a present field of an object that plain names lead to. Returns `None`, without a
    /// charge, for other look-ups.
    fn plain(&mut self, select: &'v Select) -> Result<Option<Val<'v>>, Fault> {
        let (Some(declaration), Some(plain)) = (select.declaration, select.plain) else {
            return Ok(None);
        };
        let found = self.place(select, plain);
        let Some(found) = convert::field_value(self.meter.declared, found, declaration) else {
            return Ok(None);
        };
        self.meter.steps(plain.names)?;
        found.map(Some)
    }

    fn select(&mut self, select: &'v Select) -> Result<Found<'v>, Fault> {
        if select.how == How::Plain
            && let Some(value) = self.plain(select)?
        {
            return Ok(Found::plain(value));
        }
        self.select_step(select)
    }

    /// Looks up a name like [`select`](Self::select), step by step: a path that is not plain is
    /// tried as a plain path only once.
    fn select_step(&mut self, select: &'v Select) -> Result<Found<'v>, Fault> {
        let Found { value, is_optional } = match &select.operand {
            Code::Select(operand) if operand.how != How::Test => self.select_step(operand)?,
            operand => self.look_up(operand)?,
        };
        let Some(value) = value else {
            return Ok(Found::nothing());
        };
        let is_optional = is_optional || select.how == How::Optional;
        let found = match self.field(&value, select) {
            Ok(None) if !is_optional => {
                Err(Fault::error(format!("no such key: {}", select.written)))
            }
            found => found,
        };
        let value = self.step_to(found, is_optional)?;
        Ok(Found { value, is_optional })
    }

    /// Evaluates `has(operand.name)`. The look-up does not pay for its start.
    #[inline(never)]
    pub(super) fn test(&mut self, select: &'v Select) -> Truth {
        if let (Some(declaration), Some(plain)) = (select.declaration, select.plain)
            && let Some(object) = self.object(&select.operand)
        {
            let found = self.memo.get(object, &select.name, plain.place);
            let paid = self.meter.steps(plain.names);
            self.kept(paid)?;
            let is_there = convert::is_there(self.meter.declared, found, declaration);
            return self.kept(is_there);
        }
        let found = self.tested(select);
        self.kept(found)
    }

    /// Evaluates [`test`](Self::test) for an operand that plain names do not lead to.
    fn tested(&mut self, select: &'v Select) -> Result<bool, Fault> {
        let Found { value, is_optional } = self.look_up(&select.operand)?;
        let Some(value) = value else {
            return Ok(false);
        };
        let found = self.field(&value, select);
        let found = self.step_to(found, is_optional)?;
        Ok(found.is_some())
    }

    /// Returns the value under a name.
    fn field(&mut self, of: &Val<'v>, select: &'v Select) -> Result<Option<Slot<'v>>, Fault> {
        let found = match (of, select.declaration) {
            (Val::Object(object, _), Some(declaration)) => {
                convert::field_of(self.meter.declared, object, &select.name, declaration)
            }
            (Val::Object(..) | Val::Map(_), _) => {
                self.pay_search(of)?;
                let key = Val::Text(Text::Borrowed(&select.written));
                equal::entry(self.meter.declared, of, &key)
            }
            (Val::List(_) | Val::Items(..) | Val::Joined(_), _) => {
                return Err(access::no_index("string"));
            }
            (Val::Fault(text), _) => return Err(Fault::Error(text.clone())),
            // A scalar does not have fields, but the look-up is not an error.
            _ => None,
        };
        Ok(found.transpose()?.map(Ok))
    }

    /// Counts the search for a key in a map that an expression created.
    fn pay_search(&mut self, map: &Val<'v>) -> Result<(), Fault> {
        match map {
            Val::Map(entries) => self.meter.work(entries.len() as u64 / 8),
            _ => Ok(()),
        }
    }
}
