//! The rules of patch attributes.

use proc_macro2::Ident;
use syn::LitStr;

use crate::errors::Errors;
use crate::model::{FieldInput, PatchField, UnionInput};

/// Returns the fields with `patch_strategy`, in source order.
pub(super) fn patch_fields<'a>(input: &UnionInput<'a>, errors: &Errors) -> Vec<PatchField<'a>> {
    let fields = input.fields.iter();
    fields
        .filter(|field| field.unknown_span().is_none())
        .filter_map(|field| patch_field(field, input, errors))
        .collect()
}

/// Returns the field with its checked patch strategy. Returns `None` if the field has no strategy,
/// or after an error.
fn patch_field<'a>(
    field: &FieldInput<'a>,
    input: &UnionInput<'_>,
    errors: &Errors,
) -> Option<PatchField<'a>> {
    let attrs = &field.attrs;
    let Some(strategy) = &attrs.patch_strategy else {
        if let Some(key) = &attrs.patch_merge_key {
            errors.error(
                key.span,
                "`patch_merge_key` needs `patch_strategy = \"merge\"`; add it, or remove `patch_merge_key`",
            );
        }
        return None;
    };
    if attrs.inline.is_some() || field.serde.is_flattened {
        errors.error(
            strategy.span,
            "`patch_strategy` is not supported on a flattened field; put it on the parent's field that contains this struct, as Kubernetes does for `volumes`",
        );
        return None;
    }
    let words = strategy_words(&strategy.value, errors)?;
    let has_merge = words.contains(&"merge");
    let merge_key = attrs.patch_merge_key.as_ref();
    if let (Some(key), false) = (merge_key, has_merge) {
        errors.error(
            key.span,
            "`patch_merge_key` needs `merge` in the patch strategy; add `merge`, or remove `patch_merge_key`",
        );
        return None;
    }
    let needs_merge_key = (has_merge && merge_key.is_none()).then_some(strategy.span);
    Some(PatchField {
        ty: field.ty,
        name: field.serde.names.deserialize.clone(),
        strategy: words.join(","),
        merge_key: merge_key.map_or_else(String::new, |key| key.value.value()),
        // The generated check cannot name generic parameters or `Self`, because it is a constant
        // outside of the impl.
        missing_key_span: needs_merge_key
            .filter(|span| !input.is_generic(field) && !field.mentions(&Ident::new("Self", *span))),
    })
}

/// Returns the words of a patch strategy, in the order in which Kubernetes writes them. Returns
/// `None` after an error.
fn strategy_words(strategy: &LitStr, errors: &Errors) -> Option<Vec<&'static str>> {
    const STRATEGY_WORDS: [&str; 3] = ["merge", "replace", "retainKeys"];
    let value = strategy.value();
    let mut words = Vec::new();
    // The design document of patch strategies separates words with `|`, and the code of Kubernetes
    // with a comma.
    for word in value.split([',', '|']) {
        let Some(known_word) = STRATEGY_WORDS
            .iter()
            .find(|known_word| **known_word == word)
        else {
            let message = if STRATEGY_WORDS.contains(&word.trim()) {
                "a patch strategy cannot contain spaces; write `patch_strategy = \"merge,retainKeys\"`"
                    .to_owned()
            } else {
                format!(
                    "unknown patch strategy \"{word}\"; expected `merge`, `replace`, `retainKeys` or `merge,retainKeys`"
                )
            };
            errors.error(strategy.span(), message);
            return None;
        };
        if words.contains(known_word) {
            errors.error(
                strategy.span(),
                format_args!("duplicate `{known_word}`; remove one"),
            );
            return None;
        }
        words.push(*known_word);
    }
    if words.len() > 1 && words.contains(&"replace") {
        errors.error(
            strategy.span(),
            "`replace` conflicts with `merge` and `retainKeys`; write `replace` alone, or remove it",
        );
        return None;
    }
    words.sort_unstable();
    Some(words)
}
