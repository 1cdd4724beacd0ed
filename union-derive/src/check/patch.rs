//! The rules of patch attributes.

use proc_macro2::Ident;
use syn::LitStr;

use crate::diag::Diag;
use crate::model::{FieldInput, PatchField, UnionInput};

/// Returns the fields with `patch_strategy`, in source order.
pub(super) fn patches<'a>(input: &UnionInput<'a>, diag: &Diag) -> Vec<PatchField<'a>> {
    let fields = input.fields.iter();
    fields
        .filter(|field| field.unknown().is_none())
        .filter_map(|field| patch(field, input, diag))
        .collect()
}

fn patch<'a>(
    field: &FieldInput<'a>,
    input: &UnionInput<'_>,
    diag: &Diag,
) -> Option<PatchField<'a>> {
    let attrs = &field.attrs;
    let Some(strategy) = &attrs.patch_strategy else {
        if let Some(key) = &attrs.patch_merge_key {
            diag.error(
                key.span,
                "a merge key is for lists that are merged; write `patch_strategy = \"merge\"` too, or remove it",
            );
        }
        return None;
    };
    if attrs.inline.is_some() || field.serde.is_flattened {
        diag.error(
            strategy.span,
            "a flattened struct has no place of its own that could be patched; put `patch_strategy` on the field of the parent that holds this struct, as `volumes` does for the sources of a volume",
        );
        return None;
    }
    let words = words(&strategy.value, diag)?;
    let merges = words.contains(&"merge");
    let merge_key = attrs.patch_merge_key.as_ref();
    if let (Some(key), false) = (merge_key, merges) {
        diag.error(
            key.span,
            "a merge key is for lists that are merged; add `merge` to the strategy, or remove it",
        );
        return None;
    }
    let asks_for_key = (merges && merge_key.is_none()).then_some(strategy.span);
    Some(PatchField {
        ty: field.ty,
        name: field.serde.name.read.clone(),
        strategy: words.join(","),
        merge_key: merge_key.map_or_else(String::new, |key| key.value.value()),
        // The generated check cannot name generic parameters or `Self`, because it is a constant
        // outside of the impl.
        asks_for_key: asks_for_key
            .filter(|span| !input.is_generic(field) && !field.mentions(&Ident::new("Self", *span))),
    })
}

/// Returns the words of a patch strategy, in the order in which Kubernetes writes them. Returns
/// `None` after an error.
fn words(strategy: &LitStr, diag: &Diag) -> Option<Vec<&'static str>> {
    const KNOWN: [&str; 3] = ["merge", "replace", "retainKeys"];
    let text = strategy.value();
    let mut found = Vec::new();
    // The design document of patch strategies separates words with `|`, the code of Kubernetes with
    // a comma.
    for word in text.split([',', '|']) {
        let Some(known) = KNOWN.iter().find(|known| **known == word) else {
            let message = if KNOWN.contains(&word.trim()) {
                "Kubernetes takes no spaces here; write `patch_strategy = \"merge,retainKeys\"`"
                    .to_owned()
            } else {
                format!(
                    "there is no patch strategy \"{word}\"; use `merge`, `replace`, `retainKeys`, or `merge,retainKeys`"
                )
            };
            diag.error(strategy.span(), message);
            return None;
        };
        if found.contains(known) {
            diag.error(
                strategy.span(),
                format_args!("`{known}` is a duplicate; keep one"),
            );
            return None;
        }
        found.push(*known);
    }
    if found.len() > 1 && found.contains(&"replace") {
        diag.error(
            strategy.span(),
            "what is replaced is neither merged nor keeps keys; write `replace` alone, or remove it",
        );
        return None;
    }
    found.sort_unstable();
    Some(found)
}
