//! Generates Rust types for [kube-rs](https://docs.rs/kube) from third-party CRDs.
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
//! let source = generate(&[crd], &Settings::default())?.to_source()?;
//! assert!(source.contains("pub town: String,"));
//! assert!(source.contains("pub till_count: Option<i32>,"));
//! # Ok::<(), crd_to_rust::GenerateError>(())
//! ```
//!
//! The output is deterministic: equal CRDs result in equal Rust code, byte for byte.

#![forbid(unsafe_code)]
// CRDs may come from any source and must not cause panics. Each remaining `expect` gives the reason
// why it cannot fail.
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

use std::fmt;

use k8s_json_internals::deep::{in_key_order, is_deeper};
use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;
use union_json::document::Crd;

pub use error::GenerateError;
pub use settings::{RootStyle, SchemaOutput, Settings, StringEnums, UnionStyle};

use rust_text::identifiers::NameScope;

/// The header of every file.
const HEADER: &str = "// Generated from CustomResourceDefinitions by crd-to-rust. Do not edit: changes are lost when it runs again.\n\n";

/// The generated items of a version of a kind.
#[derive(Debug)]
struct GeneratedVersion {
    kind_mod: String,
    version_mod: String,
    kind: GeneratedKind,
    items: TokenStream,
}

/// The generated types of CRDs.
#[derive(Debug)]
pub struct GeneratedModules {
    versions: Vec<GeneratedVersion>,
    omitted_kinds: Vec<OmittedKind>,
    module: Option<String>,
}

/// A kind, or one version of a kind, that the generator skipped.
///
/// `Display` prints the kind and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OmittedKind {
    /// The API group, such as `example.com`.
    pub group: String,
    /// The version, such as `v1`; `None` if the kind has no types at all.
    pub version: Option<String>,
    /// The kind, such as `Shop`.
    pub kind: String,
    /// The reason, with the remedy.
    pub reason: GenerateError,
}

impl fmt::Display for OmittedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.kind, self.group)?;
        if let Some(version) = &self.version {
            write!(f, ", version {version}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// A generated kind, with the path of its root type.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GeneratedKind {
    /// The API group, such as `example.com`.
    pub group: String,
    /// The version, such as `v1`.
    pub version: String,
    /// The kind, such as `Shop`.
    pub kind: String,
    /// The path of the root type, such as `shop::v1::Shop`.
    pub path: String,
    /// True if the root type implements `Union`, whose methods visit all unions in the type.
    pub has_unions: bool,
}

/// A generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GeneratedFile {
    /// The path relative to the folder of the module, such as `mod.rs` or `shop/v1.rs`.
    pub path: String,
    /// The content of the file.
    pub content: String,
}

/// The depth to which the keys of a CRD are sorted. CRDs with more levels are rejected later.
const MAX_SORTED_DEPTH: usize = 256;

/// Generates the types of CRDs: a module for each kind, which contains a module for each version.
///
/// A kind without a schema, without a requested version, or of `apiextensions.k8s.io/v1beta1` has
/// no types. [`GeneratedModules::omitted_kinds`] returns these kinds, and the generated code starts
/// with a comment about them.
///
/// # Errors
///
/// Returns an error if a value is not a CRD, if a schema does not specify the type of its values,
/// if a setting is not valid Rust, or if no kind has types. If there are several CRDs, the error
/// names the kind.
pub fn generate(crds: &[Value], settings: &Settings) -> Result<GeneratedModules, GenerateError> {
    settings.validate()?;
    if crds.is_empty() {
        return Err(GenerateError::setting(
            "crds",
            "expected at least one CustomResourceDefinition",
        ));
    }
    let mut modules = GeneratedModules {
        versions: Vec::new(),
        omitted_kinds: Vec::new(),
        module: settings.module.clone(),
    };
    let mut kind_names = NameScope::default();
    for crd in crds {
        let mut sorted_crd = in_key_order(crd, MAX_SORTED_DEPTH);
        if !is_deeper(crd, MAX_SORTED_DEPTH) {
            schema::stored_form::remove_unstored_values(sorted_crd.to_mut());
        }
        let crd = Crd::new(&sorted_crd);
        let result = modules.add_kind(crd, &mut kind_names, settings);
        result.map_err(|error| match crd.kind() {
            Some(kind) if crds.len() > 1 => error.in_kind(kind),
            _ => error,
        })?;
    }
    match &*modules.omitted_kinds {
        [omitted_kind, rest @ ..] if modules.versions.is_empty() => {
            let reason = omitted_kind.reason.clone();
            Err(if rest.is_empty() {
                reason
            } else {
                reason.in_kind(&omitted_kind.kind)
            })
        }
        _ => Ok(modules),
    }
}

impl GeneratedModules {
    /// Adds the requested versions of a kind.
    fn add_kind(
        &mut self,
        crd: Crd<'_>,
        kind_names: &mut NameScope,
        settings: &Settings,
    ) -> Result<(), GenerateError> {
        let kind = schema::crd::require_kind(crd)?;
        let selection = schema::crd::select_versions(crd, settings)?;
        let omitted_kinds = selection.left_out.into_iter();
        self.omitted_kinds
            .extend(omitted_kinds.map(|(version, reason)| OmittedKind {
                group: crd.group().unwrap_or_default().to_owned(),
                version: version.map(str::to_owned),
                kind: kind.to_owned(),
                reason,
            }));
        if selection.requested.is_empty() {
            return Ok(());
        }
        let kind_mod = rust_text::identifiers::field_name(kind, kind_names);
        let mut version_names = NameScope::default();
        for version in selection.requested {
            let module =
                build::root::build_module(&version, &kind_mod, &mut version_names, settings)?;
            let items = tokens::items(&module, settings);
            let path_names = [&*module.kind_mod, &module.version_mod, &module.root.name];
            let path: Vec<String> = path_names
                .iter()
                .map(|name| tokens::ident(name).to_string())
                .collect();
            self.versions.push(GeneratedVersion {
                items,
                kind_mod: module.kind_mod,
                version_mod: module.version_mod,
                kind: GeneratedKind {
                    group: module.group,
                    version: module.version,
                    kind: module.kind,
                    path: path.join("::"),
                    has_unions: !module.root.fields_with_unions.is_empty(),
                },
            });
        }
        Ok(())
    }

    /// Returns all types in one file.
    ///
    /// # Errors
    ///
    /// Returns an error if the generated code is not valid Rust, which is a bug of this crate.
    pub fn to_source(&self) -> Result<String, GenerateError> {
        let items = single_file(&self.versions, self.module.as_deref());
        tokens::format::format_file(items, &self.header())
    }

    /// Returns all types as the folder of a module: `mod.rs`, and a file for each version of each
    /// kind.
    ///
    /// # Errors
    ///
    /// Returns an error if [`to_source`](Self::to_source) does.
    pub fn files(&self) -> Result<Vec<GeneratedFile>, GenerateError> {
        let mut files = vec![GeneratedFile {
            path: "mod.rs".to_owned(),
            content: tokens::format::format_file(module_root(&self.versions), &self.header())?,
        }];
        for version in &self.versions {
            files.push(GeneratedFile {
                path: format!("{}/{}.rs", version.kind_mod, version.version_mod),
                content: tokens::format::format_file(version.items.clone(), HEADER)?,
            });
        }
        Ok(files)
    }

    /// Returns the kinds and versions without types, in the order of the CRDs.
    pub fn omitted_kinds(&self) -> impl Iterator<Item = &OmittedKind> {
        self.omitted_kinds.iter()
    }

    /// Returns the header of the first file, with comments about the kinds without types.
    fn header(&self) -> String {
        let mut header = HEADER.to_owned();
        for omitted_kind in &self.omitted_kinds {
            let line = rust_text::doc_comments::single_line(&omitted_kind.to_string());
            header.extend(["// Left out: ", &line, "\n"]);
        }
        if !self.omitted_kinds.is_empty() {
            header.push('\n');
        }
        header
    }

    /// Returns the kinds, one for each version.
    pub fn kinds(&self) -> impl Iterator<Item = &GeneratedKind> {
        self.versions.iter().map(|version| &version.kind)
    }
}

/// Returns the items of a single file:
///
/// ```text
/// pub mod shop {
///     pub mod v1 { .. }
/// }
/// ```
fn single_file(versions: &[GeneratedVersion], module: Option<&str>) -> TokenStream {
    let modules = kind_modules(versions, |version| {
        let items = &version.items;
        quote!({ #items })
    });
    match module {
        Some(module_name) => {
            let name = tokens::ident(module_name);
            let doc = tokens::doc("Types of custom resources.", "", &[]);
            let allow_attribute =
                quote!(#[allow(clippy::module_inception, reason = #MODULE_INCEPTION_REASON)]);
            let allow_attribute = versions
                .iter()
                .any(|version| version.kind_mod == *module_name)
                .then_some(allow_attribute);
            quote!(#doc #allow_attribute pub mod #name { #modules })
        }
        None => modules,
    }
}

/// The reason why a module may contain a module with its own name.
const MODULE_INCEPTION_REASON: &str = "a kind may have the name of the module around it";

/// Returns the items of `mod.rs`, the root of a folder:
///
/// ```text
/// //! Types of custom resources.
/// pub mod shop {
///     pub mod v1;
/// }
/// ```
fn module_root(versions: &[GeneratedVersion]) -> TokenStream {
    let modules = kind_modules(versions, |_| quote!(;));
    // The name of the folder's module is in the user's `mod` declaration.
    quote! {
        #![doc = " Types of custom resources."]
        #![allow(clippy::module_inception, reason = #MODULE_INCEPTION_REASON)]
        #modules
    }
}

/// Returns the modules of kinds, which contain the modules of versions with the given bodies.
fn kind_modules(
    versions: &[GeneratedVersion],
    module_body: impl Fn(&GeneratedVersion) -> TokenStream,
) -> TokenStream {
    let versions_by_kind =
        versions.chunk_by(|version, next_version| version.kind_mod == next_version.kind_mod);
    let modules = versions_by_kind.filter_map(|versions| {
        let first_version = versions.first()?;
        let GeneratedKind { kind, group, .. } = &first_version.kind;
        let doc = tokens::doc(&format!("`{kind}` of `{group}`."), "", &[]);
        let name = tokens::ident(&first_version.kind_mod);
        let version_modules = versions.iter().map(|version| {
            let version_name = &version.kind.version;
            let doc = tokens::doc(&format!("`{kind}`, version `{version_name}`."), "", &[]);
            let name = tokens::ident(&version.version_mod);
            let body = module_body(version);
            quote!(#doc pub mod #name #body)
        });
        Some(quote!(#doc pub mod #name { #(#version_modules)* }))
    });
    modules.collect()
}
