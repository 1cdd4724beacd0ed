//! Generates the arguments of kube's derive.

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use super::attributes;
use crate::model::{Column, Module, RootType, Scale};
use crate::settings::{DeriveTarget, SchemaOutput, Settings};

/// Returns the attributes of kube's derive:
///
/// ```text
/// #[kube(group = "example.com", version = "v1", kind = "Shop", namespaced)]
/// #[kube(derive = "PartialEq")]
/// ```
pub(super) fn kube_attributes(module: &Module, settings: &Settings) -> TokenStream {
    let Module {
        kind,
        group,
        version,
        root,
        ..
    } = module;
    let mut arguments = vec![
        quote!(group = #group),
        quote!(version = #version),
        quote!(kind = #kind),
    ];
    let name = &root.name;
    let status = root
        .status
        .and_then(|status| module.items.get(status))
        .map(|item| &item.name);
    if name != kind {
        arguments.push(quote!(root = #name));
    }
    arguments.extend(root.plural.as_ref().map(|plural| quote!(plural = #plural)));
    let singular = root
        .singular
        .as_ref()
        .filter(|singular| **singular != kind.to_lowercase());
    arguments.extend(singular.map(|singular| quote!(singular = #singular)));
    for (is_set, argument) in [
        (root.namespaced, quote!(namespaced)),
        (root.no_spec, quote!(no_spec)),
    ] {
        arguments.extend(is_set.then_some(argument));
    }
    arguments.extend(status.map(|status| quote!(status = #status)));
    arguments.extend(root_arguments(root));
    // The string becomes one doc comment, so its lines are joined.
    let doc = root
        .doc
        .as_deref()
        .map(|doc| crate::rust_text::doc_comments::doc_lines(doc).join(" "));
    let doc = doc.filter(|doc| !doc.is_empty());
    arguments.extend(doc.map(|doc| quote!(doc = #doc)));
    arguments.extend(derive_arguments(module, settings));
    if settings.schema == SchemaOutput::Disabled {
        arguments.push(quote!(schema = "disabled"));
    } else {
        arguments.extend(
            root.rules
                .iter()
                .map(attributes::rule_argument)
                .map(|rule| quote!(validation = #rule)),
        );
    }
    quote!(#(#[kube(#arguments)])*)
}

/// Returns the derives of the root type, and the attribute for its unions.
fn derive_arguments(module: &Module, settings: &Settings) -> Vec<TokenStream> {
    let has_default = module.items.first().is_some_and(|spec| spec.has_default);
    let requested = attributes::requested_derives(settings, DeriveTarget::Structs, has_default);
    let requested = requested.filter(|name| !attributes::COMMON_DERIVES.contains(name));
    let mut arguments = vec![quote!(derive = "PartialEq")];
    arguments.extend(requested.map(|derive| quote!(derive = #derive)));
    let fields_with_unions = &module.root.fields_with_unions;
    if !fields_with_unions.is_empty() {
        let nested = format!("union(nested({}))", fields_with_unions.join(", "));
        arguments.push(quote!(derive = "::union_runtime::Union"));
        arguments.push(quote!(attr = #nested));
    }
    arguments
}

/// Returns the properties of a CRD other than names and schema.
fn root_arguments(root: &RootType) -> Vec<TokenStream> {
    let mut arguments = Vec::new();
    arguments.extend(
        root.short_names
            .iter()
            .map(|name| quote!(shortname = #name)),
    );
    arguments.extend(root.categories.iter().map(|name| quote!(category = #name)));
    arguments.extend(root.columns.iter().map(column_argument));
    arguments.extend(
        root.selectable_fields
            .iter()
            .map(|path| quote!(selectable = #path)),
    );
    arguments.extend(root.scale.as_ref().map(scale_argument));
    arguments.extend((!root.is_storage).then(|| quote!(storage = false)));
    arguments.extend((!root.is_served).then(|| quote!(served = false)));
    arguments.extend(
        root.deprecation_warning
            .as_deref()
            .map(|warning| match warning {
                "" => quote!(deprecated),
                warning => quote!(deprecated = #warning),
            }),
    );
    arguments.extend(
        root.annotations
            .iter()
            .map(|(name, value)| quote!(annotation(#name, #value))),
    );
    arguments
}

/// Returns a printer column as JSON, because clippy reports equal arguments of several columns as
/// duplicated attributes.
fn column_argument(column: &Column) -> TokenStream {
    let properties = [
        ("name", Some(Value::from(&*column.name))),
        ("type", Some(Value::from(&*column.data_type))),
        ("jsonPath", Some(Value::from(&*column.json_path))),
        (
            "description",
            column.description.as_deref().map(Value::from),
        ),
        ("format", column.format.as_deref().map(Value::from)),
        ("priority", column.priority.map(Value::from)),
    ];
    let properties = properties
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let json = Value::Object(properties.collect()).to_string();
    quote!(printcolumn = #json)
}

fn scale_argument(scale: &Scale) -> TokenStream {
    let Scale {
        spec_replicas,
        status_replicas,
        ..
    } = scale;
    let selector = scale
        .label_selector
        .as_ref()
        .map(|path| quote!(, label_selector_path = #path));
    quote!(scale(spec_replicas_path = #spec_replicas, status_replicas_path = #status_replicas #selector))
}
