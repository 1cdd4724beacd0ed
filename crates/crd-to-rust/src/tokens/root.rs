//! The arguments of kube's derive for a kind.

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
    let mut said = vec![
        quote!(group = #group),
        quote!(version = #version),
        quote!(kind = #kind),
    ];
    let name = &root.name;
    let status = root
        .status
        .and_then(|status| module.items.get(status))
        .map(|of| &of.name);
    if name != kind {
        said.push(quote!(root = #name));
    }
    said.extend(root.plural.as_ref().map(|plural| quote!(plural = #plural)));
    let singular = root
        .singular
        .as_ref()
        .filter(|singular| **singular != kind.to_lowercase());
    said.extend(singular.map(|singular| quote!(singular = #singular)));
    for (is_set, word) in [
        (root.namespaced, quote!(namespaced)),
        (root.no_spec, quote!(no_spec)),
    ] {
        said.extend(is_set.then_some(word));
    }
    said.extend(status.map(|status| quote!(status = #status)));
    said.extend(root_arguments(root));
    // The lines are joined, because the string becomes one doc comment.
    let doc = root
        .doc
        .as_deref()
        .map(|doc| crate::rust_text::doc_comments::doc_lines(doc).join(" "));
    let doc = doc.filter(|doc| !doc.is_empty());
    said.extend(doc.map(|doc| quote!(doc = #doc)));
    said.extend(derives(module, settings));
    if settings.schema == SchemaOutput::Disabled {
        said.push(quote!(schema = "disabled"));
    } else {
        said.extend(
            root.rules
                .iter()
                .map(attributes::rule)
                .map(|rule| quote!(validation = #rule)),
        );
    }
    quote!(#(#[kube(#said)])*)
}

/// Returns the derives of the root type, and the fields that contain its unions.
fn derives(module: &Module, settings: &Settings) -> Vec<TokenStream> {
    let has_default = module.items.first().is_some_and(|spec| spec.has_default);
    let wanted = attributes::requested_derives(settings, DeriveTarget::Structs, has_default);
    let wanted = wanted.filter(|name| !attributes::COMMON_DERIVES.contains(name));
    let mut said = vec![quote!(derive = "PartialEq")];
    said.extend(wanted.map(|derive| quote!(derive = #derive)));
    let walked = &module.root.fields_with_unions;
    if !walked.is_empty() {
        let nested = format!("union(nested({}))", walked.join(", "));
        said.push(quote!(derive = "::union_runtime::Union"));
        said.push(quote!(attr = #nested));
    }
    said
}

/// Returns the properties of a CRD beside names and schema.
fn root_arguments(root: &RootType) -> Vec<TokenStream> {
    let mut said = Vec::new();
    said.extend(
        root.short_names
            .iter()
            .map(|name| quote!(shortname = #name)),
    );
    said.extend(root.categories.iter().map(|name| quote!(category = #name)));
    said.extend(root.columns.iter().map(column));
    said.extend(
        root.selectable
            .iter()
            .map(|path| quote!(selectable = #path)),
    );
    said.extend(root.scale.as_ref().map(scale));
    said.extend((!root.is_storage).then(|| quote!(storage = false)));
    said.extend((!root.is_served).then(|| quote!(served = false)));
    said.extend(root.deprecated.as_deref().map(|warning| match warning {
        "" => quote!(deprecated),
        warning => quote!(deprecated = #warning),
    }));
    said.extend(
        root.annotations
            .iter()
            .map(|(name, value)| quote!(annotation(#name, #value))),
    );
    said
}

/// Returns a printer column as JSON, because clippy reports equal words of several columns as
/// duplicated attributes.
fn column(column: &Column) -> TokenStream {
    let said = [
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
    let said = said
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let json = Value::Object(said.collect()).to_string();
    quote!(printcolumn = #json)
}

fn scale(scale: &Scale) -> TokenStream {
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
