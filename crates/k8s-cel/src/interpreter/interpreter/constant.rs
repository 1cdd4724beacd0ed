//! Values of scalar literals.

use crate::syntax::Literal;
use crate::values::value::{Str, Val};

/// Returns the value of a literal.
pub(super) fn literal_value(literal: &Literal) -> Val<'_> {
    match literal {
        Literal::Null => Val::Null,
        Literal::Bool(value) => Val::Bool(*value),
        Literal::Int(value) => Val::Int(*value),
        Literal::Uint(value) => Val::Uint(*value),
        Literal::Double(value) => Val::Double(*value),
        Literal::String(string) => Val::String(Str::Borrowed(string)),
        Literal::Bytes(bytes) => Val::Bytes(bytes.as_slice().into()),
    }
}
