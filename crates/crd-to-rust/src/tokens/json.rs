//! Generates arguments of the macro `json!`.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use serde_json::{Number, Value};

/// The maximum recursion depth of `json!`, which recurses for each token. The limit of rustc for
/// all macros is 128; the difference is for the macros around `json!`.
const MAX_EXPANSION_DEPTH: usize = 90;

/// Returns the tokens of a value, or `None` if `json!` would exceed the recursion limit.
pub(crate) fn literal(value: &Value) -> Option<TokenStream> {
    (expansion_depth(value) <= MAX_EXPANSION_DEPTH).then(|| json_tokens(value))
}

/// Returns the recursion depth of `json!` for a value.
fn expansion_depth(value: &Value) -> usize {
    let container_depth = |per_element: usize, values: &mut dyn Iterator<Item = &Value>| {
        let depths = values
            .enumerate()
            .map(|(index, value)| per_element * (index + 1) + expansion_depth(value));
        depths.max().unwrap_or_default() + 2
    };
    match value {
        Value::Array(values) => container_depth(2, &mut values.iter()),
        Value::Object(object) => container_depth(4, &mut object.values()),
        _ => 1,
    }
}

fn json_tokens(value: &Value) -> TokenStream {
    match value {
        Value::Null => quote!(null),
        Value::Bool(flag) => quote!(#flag),
        Value::Number(number) => number_tokens(number),
        Value::String(string) => quote!(#string),
        Value::Array(values) => {
            let values = values.iter().map(json_tokens);
            quote!([#(#values),*])
        }
        Value::Object(object) => {
            let entries = object.iter().map(|(name, value)| {
                let value = json_tokens(value);
                quote!(#name: #value)
            });
            quote!({ #(#entries),* })
        }
    }
}

fn number_tokens(number: &Number) -> TokenStream {
    if let Some(integer) = number.as_i64() {
        // A literal without a suffix is an `i32` by default.
        let literal = match i32::try_from(integer) {
            Ok(small_integer) => Literal::i32_unsuffixed(small_integer),
            Err(_) => Literal::i64_suffixed(integer),
        };
        return quote!(#literal);
    }
    if let Some(integer) = number.as_u64() {
        let literal = Literal::u64_suffixed(integer);
        return quote!(#literal);
    }
    // A JSON number is finite, so the fallback is not used.
    let float = number.as_f64().filter(|float| float.is_finite());
    float.map_or_else(
        || quote!(null),
        |float| {
            let literal = Literal::f64_suffixed(float);
            quote!(#literal)
        },
    )
}
