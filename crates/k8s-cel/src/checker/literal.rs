//! Literals: scalars, lists and maps.

use super::state::{Checked, Checker, Row};
use crate::cost::estimate::{Entries, Range};
use crate::functions::format_string::Part;
use crate::interpreter::program::Code;
use crate::syntax::{Element, Entry, Literal};
use crate::types::types::Type;
use crate::types::unify::is_as_general;

impl Checker<'_> {
    /// Returns the common type of several values, after another value.
    fn join(&mut self, joined: Option<Type>, ty: &Type) -> Type {
        let Some(joined) = joined else {
            return ty.clone();
        };
        if !self.types.assign(&joined, ty) {
            return Type::Dyn;
        }
        if is_as_general(&joined, ty) {
            joined
        } else {
            ty.clone()
        }
    }

    /// Notes types that must be the same, unless types may mix.
    fn row(&mut self, types: Vec<(u32, Type)>, tells_all: bool) {
        if !self.may_mix {
            self.rows.push(Row { types, tells_all });
        }
    }

    /// Notes a part of an argument of a format string.
    fn part(&self, parts: &mut Vec<Part>, at: u32, checked: &mut Checked) {
        if self.may_mix {
            parts.push(Part {
                at,
                ty: checked.ty.clone(),
                parts: core::mem::take(&mut checked.parts),
            });
        }
    }

    /// Returns the type of the value inside an element or entry with a question mark.
    fn unwrap_optional(&mut self, at: u32, ty: &Type) -> Type {
        match self.types.resolve(ty) {
            Type::Optional(of) => *of,
            ty => {
                if ty != Type::Dyn {
                    self.mismatch(at, &Type::optional(ty.clone()), &ty);
                }
                ty
            }
        }
    }

    pub(super) fn list(&mut self, elements: &[Element]) -> Checked {
        let mut joined = None;
        let mut types = Vec::with_capacity(elements.len());
        let mut codes = Vec::with_capacity(elements.len());
        let mut sizes = Vec::with_capacity(elements.len());
        let mut parts = Vec::new();
        let mut cost = Range::exactly(10);
        for element in elements {
            let mut checked = self.check(&element.value);
            self.part(&mut parts, element.value.at, &mut checked);
            cost = cost.plus(checked.cost);
            sizes.push(checked.size_or_unknown(self.declared));
            let ty = if element.optional {
                self.unwrap_optional(element.value.at, &checked.ty)
            } else {
                checked.ty
            };
            joined = Some(self.join(joined, &ty));
            types.push((element.value.at, ty));
            codes.push((checked.code, element.optional));
        }
        self.row(types, false);
        let of = joined.unwrap_or_else(|| self.types.fresh());
        let count = codes.len() as u64;
        let is_constant = codes
            .iter()
            .all(|(code, optional)| !optional && code.is_constant());
        let code = free_if(Code::List(codes.into()), is_constant);
        Checked {
            size: Some(Range::exactly(count)),
            entries: Some(Entries::of_list(sizes.into_iter())),
            parts,
            ..Checked::new(code, Type::list(of), cost)
        }
    }

    pub(super) fn map(&mut self, entries: &[Entry]) -> Checked {
        let (mut key_type, mut value_type) = (None, None);
        let (mut key_types, mut value_types) = (Vec::new(), Vec::new());
        let mut codes = Vec::with_capacity(entries.len());
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        let mut parts = Vec::new();
        let mut cost = Range::exactly(30);
        for entry in entries {
            let mut key = self.check(&entry.key);
            self.part(&mut parts, entry.key.at, &mut key);
            key_type = Some(self.join(key_type, &key.ty));
            key_types.push((entry.key.at, key.ty.clone()));
            let mut value = self.check(&entry.value);
            self.part(&mut parts, entry.value.at, &mut value);
            let ty = if entry.optional {
                self.unwrap_optional(entry.value.at, &value.ty)
            } else {
                value.ty.clone()
            };
            value_type = Some(self.join(value_type, &ty));
            value_types.push((entry.value.at, ty));
            cost = cost.plus(key.cost).plus(value.cost);
            keys.push(key.size_or_unknown(self.declared));
            values.push(value.size_or_unknown(self.declared));
            codes.push((key.code, value.code, entry.optional));
        }
        self.row(key_types, true);
        self.row(value_types, true);
        let key_type = key_type.unwrap_or_else(|| self.types.fresh());
        let value_type = value_type.unwrap_or_else(|| self.types.fresh());
        let count = codes.len() as u64;
        let is_constant = codes
            .iter()
            .all(|(key, value, optional)| !optional && key.is_constant() && value.is_constant());
        let code = free_if(Code::Map(codes.into()), is_constant);
        Checked {
            size: Some(Range::exactly(count)),
            entries: Some(Entries::of_map(keys.into_iter(), values.into_iter())),
            parts,
            ..Checked::new(code, Type::map(key_type, value_type), cost)
        }
    }
}

fn free_if(code: Code, is_constant: bool) -> Code {
    if is_constant {
        Code::Free(Box::new(code))
    } else {
        code
    }
}

pub(super) fn check_literal(literal: &Literal) -> Checked {
    let (ty, size) = match literal {
        Literal::Null => (Type::Null, 1),
        Literal::Bool(_) => (Type::Bool, 1),
        Literal::Int(_) => (Type::Int, 1),
        Literal::Uint(_) => (Type::Uint, 1),
        Literal::Double(_) => (Type::Double, 1),
        Literal::Text(text) => (Type::Text, text.chars().count() as u64),
        Literal::Bytes(bytes) => (Type::Bytes, bytes.len() as u64),
    };
    Checked {
        size: Some(Range::exactly(size)),
        ..Checked::new(Code::Literal(literal.clone()), ty, Range::ZERO)
    }
}
