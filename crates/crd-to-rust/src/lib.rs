//! Writes Rust types for [kube-rs](https://docs.rs/kube) from the CRDs of other people.
//!
//! ```
//! use crd_to_rust::{Settings, generate};
//! use serde_json::json;
//!
//! let crd = json!({"spec": {
//!     "group": "example.com", "names": {"kind": "Shop", "plural": "shops"}, "scope": "Namespaced",
//!     "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
//!         "type": "object",
//!         "required": ["spec"],
//!         "properties": {"spec": {"type": "object", "required": ["town"], "properties": {
//!             "town": {"type": "string", "minLength": 2, "description": "Where it is."},
//!             "tillCount": {"type": "integer", "format": "int32", "default": 1},
//!         }}},
//!     }}}],
//! }});
//! let text = generate(&[crd], &Settings::default())?.text()?;
//! assert!(text.contains("pub town: String,"));
//! assert!(text.contains("pub till_count: Option<i32>,"));
//! # Ok::<(), crd_to_rust::Refused>(())
//! ```
//!
//! The same CRDs give the same text, byte for byte.

#![forbid(unsafe_code)]
// CRDs come from anybody. What is left says why it cannot happen.
#![cfg_attr(
    not(test),
    warn(
        clippy::expect_used,
        clippy::get_unwrap,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::todo,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used,
    )
)]

// Folders, lowest first: error, settings, schema, rust_text, model, build, tokens
mod build;
mod error;
mod model;
mod rust_text;
mod schema;
mod settings;
mod tokens;

use k8s_json_internals::deep::in_key_order;
use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

pub use error::Refused;
pub use settings::{Enums, Schema, Settings, Unions};

use rust_text::names::Names;

/// What every file starts with.
const HEADER: &str = "// Generated from CustomResourceDefinitions by crd-to-rust. Do not edit: changes are lost when it runs again.\n\n";

/// A version of a kind, written.
#[derive(Debug)]
struct Written {
    kind_module: String,
    version_module: String,
    kind: Kind,
    items: TokenStream,
}

/// The types of some CRDs.
#[derive(Debug)]
pub struct Generated {
    written: Vec<Written>,
    module: Option<String>,
}

/// Where a kind is found in what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kind {
    /// `example.com`
    pub group: String,
    /// `v1`
    pub version: String,
    /// `Shop`
    pub kind: String,
    /// The path of the root type: `shop::v1::Shop`.
    pub path: String,
    /// Whether the root type implements `Union`, and so finds all unions that are in it.
    pub has_unions: bool,
}

/// A file of several.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct File {
    /// Where it goes, from the folder that is the module: `mod.rs`, `shop/v1.rs`.
    pub path: String,
    /// What is in it.
    pub text: String,
}

/// The levels of a CRD whose schemas are not too deep, and more: a deeper CRD is rejected.
const LEVELS: usize = 256;

/// Writes the types of CRDs: a module for each kind, and in it one for each version.
///
/// # Errors
///
/// Where a CRD has no types: it is not one, a schema in it does not say what values are, or a setting would not be Rust.
pub fn generate(crds: &[Value], settings: &Settings) -> Result<Generated, Refused> {
    settings.check()?;
    if crds.is_empty() {
        return Err(Refused::new(
            "crds",
            "there is none; give a CustomResourceDefinition",
        ));
    }
    let mut kinds = Names::default();
    let mut written = Vec::new();
    for crd in crds {
        let crd = &*in_key_order(crd, LEVELS);
        let kind = schema::crd::kind(crd)?;
        let kind_module = rust_text::names::field_name(kind, &mut kinds);
        let mut versions = Names::default();
        for version in schema::crd::versions(crd, settings)? {
            let module = build::root::module(&version, &kind_module, &mut versions, settings)?;
            let items = tokens::items(&module, settings);
            let inner = [&*module.of_kind, &module.of_version, &module.root.name];
            let path: Vec<String> = inner
                .iter()
                .map(|name| tokens::ident(name).to_string())
                .collect();
            written.push(Written {
                items,
                kind_module: module.of_kind,
                version_module: module.of_version,
                kind: Kind {
                    group: module.group,
                    version: module.version,
                    kind: module.kind,
                    path: path.join("::"),
                    has_unions: !module.root.walked.is_empty(),
                },
            });
        }
    }
    Ok(Generated {
        written,
        module: settings.module.clone(),
    })
}

impl Generated {
    /// All of it, as one file.
    ///
    /// # Errors
    ///
    /// Where what was made is not Rust, which is a mistake of this crate.
    pub fn text(&self) -> Result<String, Refused> {
        tokens::format::text(one_file(&self.written, self.module.as_deref()), HEADER)
    }

    /// The same as a folder, which is a module: `mod.rs`, and a file for each version of each kind.
    ///
    /// # Errors
    ///
    /// As [`text`](Self::text).
    pub fn files(&self) -> Result<Vec<File>, Refused> {
        let mut files = vec![File {
            path: "mod.rs".to_owned(),
            text: tokens::format::text(folder(&self.written), HEADER)?,
        }];
        for version in &self.written {
            files.push(File {
                path: format!("{}/{}.rs", version.kind_module, version.version_module),
                text: tokens::format::text(version.items.clone(), HEADER)?,
            });
        }
        Ok(files)
    }

    /// The kinds, each with its versions.
    pub fn kinds(&self) -> impl Iterator<Item = &Kind> {
        self.written.iter().map(|written| &written.kind)
    }
}

/// ```text
/// pub mod shop {
///     pub mod v1 { .. }
/// }
/// ```
fn one_file(written: &[Written], module: Option<&str>) -> TokenStream {
    let modules = modules(written, |version| {
        let items = &version.items;
        quote!({ #items })
    });
    match module {
        Some(wanted) => {
            let name = tokens::ident(wanted);
            let doc = tokens::doc("Types of custom resources.", "", &[]);
            let allowed = quote!(#[allow(clippy::module_inception, reason = #NAMED_ALIKE)]);
            let allowed = written
                .iter()
                .any(|version| version.kind_module == *wanted)
                .then_some(allowed);
            quote!(#doc #allowed pub mod #name { #modules })
        }
        None => modules,
    }
}

/// Why a module may have one of its own name in it.
const NAMED_ALIKE: &str = "a kind may be called like what is around it";

/// ```text
/// //! Types of custom resources.
/// pub mod shop {
///     pub mod v1;
/// }
/// ```
fn folder(written: &[Written]) -> TokenStream {
    let modules = modules(written, |_| quote!(;));
    // Who declares the folder's module names it.
    quote! {
        #![doc = " Types of custom resources."]
        #![allow(clippy::module_inception, reason = #NAMED_ALIKE)]
        #modules
    }
}

/// The modules, and what is in those of versions.
fn modules(written: &[Written], body: impl Fn(&Written) -> TokenStream) -> TokenStream {
    let kinds = written.chunk_by(|a, b| a.kind_module == b.kind_module);
    let kinds = kinds.filter_map(|versions| {
        let first = versions.first()?;
        let Kind { kind, group, .. } = &first.kind;
        let doc = tokens::doc(&format!("`{kind}` of `{group}`."), "", &[]);
        let name = tokens::ident(&first.kind_module);
        let versions = versions.iter().map(|version| {
            let Kind {
                kind,
                version: name,
                ..
            } = &version.kind;
            let doc = tokens::doc(&format!("`{kind}`, version `{name}`."), "", &[]);
            let name = tokens::ident(&version.version_module);
            let body = body(version);
            quote!(#doc pub mod #name #body)
        });
        Some(quote!(#doc pub mod #name { #(#versions)* }))
    });
    kinds.collect()
}
