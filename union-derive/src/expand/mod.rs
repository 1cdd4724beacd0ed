//! Generates the tokens of the impls from checked input. The generated code only describes the
//! unions. The rules of unions are in the runtime.

mod children;
pub(crate) mod enum_type;
mod flattened;
pub(crate) mod hook_probe;
mod members;
mod not_nested;
mod patch;
mod tokens;
pub(crate) mod union;
pub(crate) mod union_enum;
mod union_tokens;
mod unknown;
mod values;

pub(crate) use self::tokens::impl_attributes;
