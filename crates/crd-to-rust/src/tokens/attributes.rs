//! Generates the attributes of types and fields.

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use super::json;
use super::parts::type_source;
use crate::model::{Field, Message, Module, Rule, Struct};
use crate::rust_text::identifiers;
use crate::settings::{DeriveTarget, SchemaOutput, Settings};

/// The derives of every type.
pub(super) const COMMON_DERIVES: [&str; 3] = ["Clone", "Debug", "PartialEq"];
/// The derives of string enums.
pub(super) const STRING_ENUM_DERIVES: [&str; 4] = ["Clone", "Debug", "PartialEq", "Eq"];
pub(super) const INTEGER_ENUM_DERIVES: [&str; 5] = ["Clone", "Copy", "Debug", "PartialEq", "Eq"];

/// Returns the derives of the settings, except the derives in `existing`.
pub(super) fn settings_derives(
    settings: &Settings,
    target: DeriveTarget,
    has_default: bool,
    existing_derives: &[&str],
) -> TokenStream {
    let requested = requested_derives(settings, target, has_default)
        .filter(|name| !existing_derives.contains(name));
    // `Settings::validate` has checked that the paths parse.
    let paths = requested.filter_map(|name| syn::parse_str::<syn::Path>(name).ok());
    quote!(#(, #paths)*)
}

/// Returns the derives of the settings, without `Default` if the type has no default.
pub(super) fn requested_derives(
    settings: &Settings,
    target: DeriveTarget,
    has_default: bool,
) -> impl Iterator<Item = &str> {
    let requested = settings.derives_for(target);
    requested.filter(move |name| has_default || *name != "Default")
}

/// Returns the derive of the schema. `KubeSchema` is used only for rules, because it takes twice as
/// long to compile.
pub(super) fn schema_derive(body: &Struct, settings: &Settings) -> TokenStream {
    let has_rules =
        !body.rules.is_empty() || body.fields.iter().any(|field| !field.rules.is_empty());
    match settings.schema {
        SchemaOutput::Disabled => quote!(),
        SchemaOutput::Derived if has_rules => quote!(, ::kube::KubeSchema),
        SchemaOutput::Derived => quote!(, ::schemars::JsonSchema),
    }
}

/// Returns true if `rename_all` replaces the `rename` of at least one field.
pub(super) fn uses_camel_case(body: &Struct) -> bool {
    let needs_rename = |field: &&Field| {
        field.ident != field.json_name
            && identifiers::serde_camel_case(&field.ident) == field.json_name
    };
    body.fields.iter().any(|field| needs_rename(&field))
}

/// Returns the attributes of a struct:
///
/// ```text
/// #[serde(rename_all = "camelCase")]
/// #[schemars(extend("maxProperties" = 3))]
/// #[x_kube(validation = ("has(self.a)", "a must be set"))]
/// ```
pub(super) fn struct_attributes(body: &Struct, settings: &Settings) -> TokenStream {
    let rename = uses_camel_case(body).then(|| quote!(#[serde(rename_all = "camelCase")]));
    if settings.schema == SchemaOutput::Disabled {
        return quote!(#rename);
    }
    let keywords = schemars_attribute(None, &body.keywords, &[]);
    let rule_attributes = rule_attributes(&body.rules);
    quote!(#rename #keywords #rule_attributes)
}

/// Returns the schema attributes of a field:
///
/// ```text
/// #[schemars(with = "String", extend("minLength" = 1))]
/// #[x_kube(validation = "self != ''")]
/// ```
pub(super) fn field_attributes(field: &Field, module: &Module) -> TokenStream {
    let with = field.with.as_ref().map(|with| type_source(with, module));
    let schemars_attribute =
        schemars_attribute(with.as_deref(), &field.keywords, &field.subschema_keywords);
    let rule_attributes = rule_attributes(&field.rules);
    quote!(#schemars_attribute #rule_attributes)
}

fn schemars_attribute(
    with: Option<&str>,
    keywords: &[(String, Value)],
    subschema_keywords: &[(String, Vec<(String, Value)>)],
) -> TokenStream {
    let mut arguments = Vec::new();
    arguments.extend(with.map(|with| quote!(with = #with)));
    let mut extend_arguments = Vec::new();
    let mut transforms = Vec::new();
    for (name, value) in keywords {
        match json::literal(value) {
            Some(value) => extend_arguments.push(quote!(#name = #value)),
            None => transforms.push(transform_argument("", name, value)),
        }
    }
    if !extend_arguments.is_empty() {
        arguments.push(quote!(extend(#(#extend_arguments),*)));
    }
    arguments.extend(transforms);
    for (pointer, keywords) in subschema_keywords {
        arguments.extend(
            keywords
                .iter()
                .map(|(name, value)| transform_argument(pointer, name, value)),
        );
    }
    if arguments.is_empty() {
        quote!()
    } else {
        quote!(#[schemars(#(#arguments),*)])
    }
}

/// Returns a transform for a keyword that `extend` cannot add, because it belongs to a subschema,
/// or is too large for `json!`.
fn transform_argument(pointer: &str, name: &str, value: &Value) -> TokenStream {
    let json = value.to_string();
    quote! {
        transform = |schema: &mut ::schemars::Schema| {
            let inner = schema.pointer_mut(#pointer).and_then(::serde_json::Value::as_object_mut);
            if let (Some(inner), Ok(value)) = (inner, ::serde_json::from_str(#json)) {
                inner.insert(#name.to_owned(), value);
            }
        }
    }
}

fn rule_attributes(rules: &[Rule]) -> TokenStream {
    let arguments = rules.iter().map(rule_argument);
    quote!(#(#[x_kube(validation = #arguments)])*)
}

/// Returns a rule as an argument of kube's attribute: a string, a string with a message, or a
/// `Rule`.
pub(super) fn rule_argument(rule: &Rule) -> TokenStream {
    let expression = &rule.expression;
    let is_plain =
        rule.reason.is_none() && rule.field_path.is_none() && rule.optional_old_self.is_none();
    match &rule.message {
        None if is_plain => return quote!(#expression),
        Some(Message::Literal(message)) if is_plain => return quote!((#expression, #message)),
        _ => {}
    }
    let message = rule.message.as_ref().map(|message| match message {
        Message::Literal(message) => quote!(.message(#message)),
        Message::Expression(message) => quote!(.message(Message::Expression(#message.into()))),
    });
    let reason = rule.reason.as_deref().map(|reason| {
        let reason = super::parts::ident(reason);
        quote!(.reason(Reason::#reason))
    });
    let field_path = rule
        .field_path
        .as_ref()
        .map(|path| quote!(.field_path(#path)));
    let optional = rule
        .optional_old_self
        .map(|optional| quote!(.optional_old_self(#optional)));
    quote!(Rule::new(#expression)#message #reason #field_path #optional)
}
