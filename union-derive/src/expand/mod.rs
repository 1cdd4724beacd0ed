//! Generates the tokens of the impls from checked input. The generated code only describes the
//! unions; the rules for unions are in the runtime.

mod children;
pub(crate) mod enum_type;
pub(crate) mod hook_probe;
mod inlined;
mod members;
mod parts;
mod patch;
mod tokens;
pub(crate) mod union;
pub(crate) mod union_enum;
mod unknown;
mod values;

pub(crate) use self::tokens::on_impl;
