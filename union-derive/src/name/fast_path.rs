//! Reads the serde attributes of most structs without `serde_derive_internals`, which takes about
//! five times as long. Speed matters, because every build reads the attributes of every struct.
//!
//! Structs with other attributes, or with errors, are left to `serde_derive_internals`.

use proc_macro2::{Ident, Span, TokenTree};
use syn::ext::IdentExt as _;
use syn::{Attribute, Data, DeriveInput, Field, Fields, MacroDelimiter, Meta};

use super::serde_attrs::{JsonNames, SerdeContainer, SerdeDefault, SerdeDirection, SerdeField};

/// Reads the attributes of a plain struct. A plain struct has at most `rename_all = "camelCase"`,
/// and its fields have at most `default`, `rename = "name"` and
/// `skip_serializing_if = "Option::is_none"`. Returns `None` for all other items.
pub(super) fn read_plain_struct(input: &DeriveInput) -> Option<SerdeContainer> {
    let Data::Struct(data) = &input.data else {
        return None;
    };
    let Fields::Named(fields) = &data.fields else {
        return None;
    };
    let mut is_camel_case = false;
    for meta in serde_metas(&input.attrs)? {
        match meta {
            SerdeMeta::NameValue(key, value)
                if key == "rename_all" && value == "camelCase" && !is_camel_case =>
            {
                is_camel_case = true;
            }
            _ => return None,
        }
    }
    let fields = fields.named.iter();
    let fields = fields.map(|field| read_plain_field(field, is_camel_case));
    Some(SerdeContainer {
        conversion: None,
        default: SerdeDefault::None,
        is_tagged: false,
        tag: None,
        denies_unknown: false,
        fields: fields.collect::<Option<_>>()?,
        variants: Vec::new(),
    })
}

/// Reads the attributes of a field of a plain struct. Returns `None` for other attributes.
fn read_plain_field(field: &Field, is_camel_case: bool) -> Option<SerdeField> {
    let mut has_default = false;
    let mut skip_if = None;
    let mut name = None;
    for meta in serde_metas(&field.attrs)? {
        match meta {
            SerdeMeta::Path(key) if key == "default" && !has_default => has_default = true,
            SerdeMeta::NameValue(key, value) if key == "rename" && name.is_none() => {
                name = Some(value);
            }
            SerdeMeta::NameValue(key, value)
                if key == "skip_serializing_if"
                    && value == "Option::is_none"
                    && skip_if.is_none() =>
            {
                skip_if = Some(Ident::new("is_none", Span::call_site()));
            }
            _ => return None,
        }
    }
    let name = match name {
        Some(name) => name,
        None => json_name(field, is_camel_case)?,
    };
    Some(SerdeField {
        names: JsonNames {
            deserialize: name,
            serialize: None,
            aliases: Vec::new(),
        },
        is_flattened: false,
        direction: SerdeDirection::Both,
        skip_if,
        serialize_with: None,
        deserialize_with: None,
        default: if has_default {
            SerdeDefault::Default
        } else {
            SerdeDefault::None
        },
    })
}

/// Returns the JSON name of a field without `rename`. Returns `None` if the name is not ASCII,
/// because serde has special rules for other letters.
fn json_name(field: &Field, is_camel_case: bool) -> Option<String> {
    let name = field.ident.as_ref()?.unraw().to_string();
    if !is_camel_case {
        return Some(name);
    }
    let mut camel_case = String::with_capacity(name.len());
    let mut is_word_start = false;
    for byte in name.bytes() {
        match byte {
            b'_' => is_word_start = true,
            0x80.. => return None,
            _ if camel_case.is_empty() => camel_case.push(char::from(byte.to_ascii_lowercase())),
            _ if is_word_start => camel_case.push(char::from(byte.to_ascii_uppercase())),
            _ => camel_case.push(char::from(byte)),
        }
        is_word_start &= byte == b'_';
    }
    (!camel_case.is_empty()).then_some(camel_case)
}

/// An entry of a serde attribute, like `syn::Meta`.
enum SerdeMeta {
    /// `default`
    Path(String),
    /// `rename = "name"`
    NameValue(String, String),
}

/// Returns the entries of all serde attributes. Returns `None` if an entry has another form than
/// the variants of [`SerdeMeta`]. Also returns `None` if there is a `repr` attribute, which serde
/// reads too.
fn serde_metas(attrs: &[Attribute]) -> Option<Vec<SerdeMeta>> {
    let mut metas = Vec::new();
    for attr in attrs {
        let Some(path) = attr.path().get_ident() else {
            continue;
        };
        let path = path.to_string();
        if path == "repr" {
            return None;
        }
        if path != "serde" {
            continue;
        }
        let Meta::List(list) = &attr.meta else {
            return None;
        };
        if !matches!(list.delimiter, MacroDelimiter::Paren(_)) {
            return None;
        }
        let mut tokens = list.tokens.clone().into_iter();
        while let Some(token) = tokens.next() {
            let TokenTree::Ident(key) = token else {
                return None;
            };
            let key = key.to_string();
            match (tokens.next(), key) {
                (None, key) => metas.push(SerdeMeta::Path(key)),
                (Some(TokenTree::Punct(punct)), key) if punct.as_char() == ',' => {
                    metas.push(SerdeMeta::Path(key));
                }
                (Some(TokenTree::Punct(punct)), key) if punct.as_char() == '=' => {
                    let value = string_literal(&tokens.next()?)?;
                    metas.push(SerdeMeta::NameValue(key, value));
                    match tokens.next() {
                        None => {}
                        Some(TokenTree::Punct(punct)) if punct.as_char() == ',' => {}
                        Some(_) => return None,
                    }
                }
                _ => return None,
            }
        }
    }
    Some(metas)
}

/// Returns the value of a string literal. Returns `None` for a string with escapes, and for all
/// other tokens.
fn string_literal(token: &TokenTree) -> Option<String> {
    let TokenTree::Literal(token) = token else {
        return None;
    };
    let literal = token.to_string();
    // Fast path: the most frequent value has no escapes.
    if literal == "\"Option::is_none\"" {
        return Some("Option::is_none".to_owned());
    }
    let value = literal.strip_prefix('"')?.strip_suffix('"')?;
    (!value.contains(['\\', '\r'])).then(|| value.to_owned())
}
