//! Arguments of calls, as estimates see them.

use super::state::Checked;
use crate::cost::call::{Arguments, Elements};
use crate::cost::estimate::{Place, Range, Step};
use crate::interpreter::program::Code;
use crate::syntax::Literal;
use crate::types::declared::DeclaredTypes;
use crate::types::types::Type;

/// Checked arguments, with the types of the schema that tell their sizes.
pub(super) struct CheckedArguments<'a> {
    pub(super) args: &'a [Checked],
    pub(super) declared: &'a DeclaredTypes,
}

impl Arguments for CheckedArguments<'_> {
    fn count(&self) -> usize {
        self.args.len()
    }

    fn ty(&self, at: usize) -> Option<&Type> {
        self.args.get(at).map(|arg| &arg.ty)
    }

    fn known_size(&self, at: usize) -> Option<Range> {
        self.args.get(at)?.size(self.declared)
    }

    fn elements(&self, at: usize) -> Option<Elements> {
        let list = self.args.get(at)?;
        let Type::List(of) = list.seen() else {
            return None;
        };
        let place = match list.place {
            Place::Nowhere => Place::Unknown,
            place => place.step(self.declared, 0, Step::Items),
        };
        Some(Elements {
            are_strings: matches!(**of, Type::Text | Type::Bytes),
            size: place.size(self.declared).unwrap_or(Range::UNKNOWN),
        })
    }

    fn int_literal(&self, at: usize) -> Option<i64> {
        match self.args.get(at).map(|arg| &arg.code) {
            Some(Code::Literal(Literal::Int(value))) => Some(*value),
            _ => None,
        }
    }
}
