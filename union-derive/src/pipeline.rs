//! Expands an item to the tokens of its impls. The entry points of the derives are separate, so
//! that a fuzzer can call these functions.

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::errors::Errors;
use crate::model::{DeferredHookCheck, EnumInput, UnionEnumInput, UnionInput};
use crate::{check, expand, fallback};

pub(crate) fn expand_union(item: &DeriveInput) -> TokenStream {
    let errors = Errors::default();
    let input = UnionInput::from_syn(item, &errors);
    let mut hook_check = DeferredHookCheck::NotNeeded;
    let checked = input.as_ref().and_then(|input| {
        hook_check = check::check_struct_hook(input, &errors);
        check::check_union(input, &errors)
    });
    match (checked, errors.finish()) {
        (Some(checked), Ok(())) => expand::union::expand(&checked, &hook_check),
        (_, result) => fallback::union(item, &hook_check, result.err()),
    }
}

pub(crate) fn expand_enum_type(item: &DeriveInput) -> TokenStream {
    let errors = Errors::default();
    let input = EnumInput::from_syn(item, &errors);
    let mut hook_check = DeferredHookCheck::NotNeeded;
    let checked = input.as_ref().and_then(|input| {
        hook_check = check::check_enum_hook(input, &errors);
        check::check_enum(input, &errors)
    });
    match (checked, errors.finish()) {
        (Some(checked), Ok(())) => expand::enum_type::expand(&checked, &hook_check),
        (_, result) => fallback::enum_type(item, &hook_check, result.err()),
    }
}

pub(crate) fn expand_union_enum(item: &DeriveInput) -> TokenStream {
    let errors = Errors::default();
    let input = UnionEnumInput::from_syn(item, &errors);
    let checked = input
        .as_ref()
        .and_then(|input| check::check_union_enum(input, &errors));
    match (checked, errors.finish()) {
        (Some(checked), Ok(())) => expand::union_enum::union_enum(&checked),
        (_, result) => fallback::union_enum(item, result.err()),
    }
}
