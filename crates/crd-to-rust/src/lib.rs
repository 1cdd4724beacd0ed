//! A generator of Rust types for [kube-rs](https://docs.rs/kube) from third-party CRDs.
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
//! The output is deterministic: the same CRDs result in the same Rust code, byte for byte.

#![forbid(unsafe_code)]
// CRDs may be from anybody and must not cause panics. A remaining `expect` has the reason why it
// cannot fail.
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
use union_json::document::Crd;

pub use error::Refused;
pub use settings::{Enums, Schema, Settings, Unions};

use rust_text::names::Names;

/// The header of every file.
const HEADER: &str = "// Generated from CustomResourceDefinitions by crd-to-rust. Do not edit: changes are lost when it runs again.\n\n";

/// The generated items of a version of a kind.
#[derive(Debug)]
struct Written {
    kind_module: String,
    version_module: String,
    kind: Kind,
    items: TokenStream,
}

/// The generated types of CRDs.
#[derive(Debug)]
pub struct Generated {
    written: Vec<Written>,
    module: Option<String>,
}

/// A generated kind, and the path of its root type.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kind {
    /// The API group, such as `example.com`.
    pub group: String,
    /// The version, such as `v1`.
    pub version: String,
    /// The kind, such as `Shop`.
    pub kind: String,
    /// The path of the root type, such as `shop::v1::Shop`.
    pub path: String,
    /// True if the root type implements `Union`, whose methods then visit all unions in the type.
    pub has_unions: bool,
}

/// A generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct File {
    /// The path in the folder of the module, such as `mod.rs` or `shop/v1.rs`.
    pub path: String,
    /// The content of the file.
    pub text: String,
}

/// The depth up to which the keys of a CRD are sorted. CRDs of allowed depth have fewer levels; a
/// deeper CRD is rejected.
const LEVELS: usize = 256;

/// Generates the types of CRDs: a module for each kind, which contains a module for each version.
///
/// # Errors
///
/// Returns an error if a value is not a CRD, if a schema does not define the type of its values, or
/// if a setting is not valid Rust.
pub fn generate(crds: &[Value], settings: &Settings) -> Result<Generated, Refused> {
    settings.check()?;
    if crds.is_empty() {
        return Err(Refused::setting(
            "crds",
            "expected at least one CustomResourceDefinition",
        ));
    }
    let mut kinds = Names::default();
    let mut written = Vec::new();
    for crd in crds {
        let crd = in_key_order(crd, LEVELS);
        let crd = Crd::new(&crd);
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
    /// Returns all types, as one file.
    ///
    /// # Errors
    ///
    /// Returns an error if the generated code is not valid Rust, which is a bug of this crate.
    pub fn text(&self) -> Result<String, Refused> {
        tokens::format::text(one_file(&self.written, self.module.as_deref()), HEADER)
    }

    /// Returns all types as the folder of a module: `mod.rs`, and a file for each version of each
    /// kind.
    ///
    /// # Errors
    ///
    /// Returns an error if [`text`](Self::text) does.
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

    /// Returns the kinds, each with its versions.
    pub fn kinds(&self) -> impl Iterator<Item = &Kind> {
        self.written.iter().map(|written| &written.kind)
    }
}

/// Returns the items of a single file:
///
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

/// The reason why a module may contain a module of the same name.
const NAMED_ALIKE: &str = "a kind may be called like what is around it";

/// Returns the items of `mod.rs`, the root of a folder:
///
/// ```text
/// //! Types of custom resources.
/// pub mod shop {
///     pub mod v1;
/// }
/// ```
fn folder(written: &[Written]) -> TokenStream {
    let modules = modules(written, |_| quote!(;));
    // The user declares the module of the folder, and so names it.
    quote! {
        #![doc = " Types of custom resources."]
        #![allow(clippy::module_inception, reason = #NAMED_ALIKE)]
        #modules
    }
}

/// Returns the modules of kinds, which contain the modules of versions with these bodies.
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
