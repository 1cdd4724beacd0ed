//! The tokens of a union that is a Rust enum.

use proc_macro2::TokenStream;

use crate::model::UnionEnum;

/// All that `#[derive(UnionEnum)]` emits.
pub(crate) fn union_enum(_input: &UnionEnum<'_>) -> TokenStream {
    TokenStream::new()
}
