//! Tests of the errors of the derives, called as functions: the cases of `tests/ui` have the
//! recorded errors, and the types of other tests do not have errors. The test `compile_fail`
//! compiles the cases too, which takes minutes.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{DeriveInput, Token};

use super::expansion::Derive;
use crate::pipeline::{expand_enum_type, expand_union, expand_union_enum};

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests");

/// The errors of the derives of a source file.
#[derive(Default)]
struct DeriveErrors {
    derive_count: usize,
    messages: BTreeSet<String>,
}

impl DeriveErrors {
    /// Calls the derives of an item.
    fn add_item(&mut self, item: &impl ToTokens) {
        let mut input: DeriveInput = syn::parse2(item.to_token_stream()).expect("an item");
        let derives: Vec<Derive> = input.attrs.iter().flat_map(derives).collect();
        // rustc removes the attribute before it calls a derive.
        input.attrs.retain(|attr| !attr.path().is_ident("derive"));
        for derive in derives {
            self.derive_count += 1;
            self.messages.extend(error_messages(derive(&input)));
        }
    }
}

impl Visit<'_> for DeriveErrors {
    fn visit_item_struct(&mut self, item: &syn::ItemStruct) {
        self.add_item(item);
    }

    fn visit_item_enum(&mut self, item: &syn::ItemEnum) {
        self.add_item(item);
    }

    fn visit_item_union(&mut self, item: &syn::ItemUnion) {
        self.add_item(item);
    }
}

/// Returns the derives of this crate that an attribute `derive` lists.
fn derives(attr: &syn::Attribute) -> Vec<Derive> {
    if !attr.path().is_ident("derive") {
        return Vec::new();
    }
    let paths = attr.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated);
    let paths = paths.expect("paths of derives").into_iter();
    let names = paths.filter_map(|path| Some(path.segments.last()?.ident.to_string()));
    let derives = names.filter_map(|name| match name.as_str() {
        "Union" => Some(expand_union as Derive),
        "EnumType" => Some(expand_enum_type as Derive),
        "UnionEnum" => Some(expand_union_enum as Derive),
        _ => None,
    });
    derives.collect()
}

/// Returns the message of each `compile_error!` in an expansion.
pub(super) fn error_messages(expansion: TokenStream) -> Vec<String> {
    #[derive(Default)]
    struct Messages(Vec<String>);
    impl Visit<'_> for Messages {
        fn visit_macro(&mut self, call: &syn::Macro) {
            let name = call.path.segments.last();
            if name.is_some_and(|name| name.ident == "compile_error") {
                let message: syn::LitStr = call.parse_body().expect("a message");
                self.0.push(message.value());
            }
        }
    }
    let mut messages = Messages::default();
    messages.visit_file(&syn::parse2(expansion).expect("items"));
    messages.0
}

/// Returns the recorded messages of the derives. A message of another origin has a code, is about
/// the macro `union_spec!`, or is a warning that the case forbids.
fn recorded_messages(output: &str) -> BTreeSet<String> {
    let blocks = output
        .split("\n\n")
        .flat_map(|block| block.split("\nerror"));
    let messages = blocks.filter_map(|block| {
        let block = block.trim_start().trim_start_matches("error");
        let (message, _) = block.strip_prefix(": ")?.split_once("-->")?;
        let message = message.trim_end();
        let is_of_derive =
            !message.contains("`union_spec!`") && !message.starts_with("use of deprecated");
        is_of_derive.then(|| message.to_owned())
    });
    messages.collect()
}

/// Returns the paths of all Rust files in a folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

fn derive_errors(file: &Path) -> DeriveErrors {
    let source = fs::read_to_string(file).expect("a source file");
    let mut errors = DeriveErrors::default();
    errors.visit_file(&syn::parse_file(&source).expect("Rust code"));
    errors
}

#[test]
fn ui_cases_have_the_recorded_errors() {
    let mut count = 0;
    let cases = rust_files(&Path::new(TESTS).join("ui")).into_iter();
    for case in cases.filter(|case| !case.ends_with("compile_fail.rs")) {
        let output = fs::read_to_string(case.with_extension("stderr")).expect("recorded output");
        let messages = derive_errors(&case).messages;
        assert_eq!(messages, recorded_messages(&output), "{}", case.display());
        count += messages.len();
    }
    assert!(count >= 400, "only {count} errors");
}

#[test]
fn types_of_other_tests_have_no_errors() {
    let folders = ["derive", "json", "kube", "rules", "schema", "skew"];
    let files = folders.map(|folder| rust_files(&Path::new(TESTS).join(folder)));
    let mut derive_count = 0;
    for file in files.iter().flatten() {
        // Its attribute macro changes the types before rustc calls the derives.
        if file.ends_with("skip_serializing_none.rs") {
            continue;
        }
        let errors = derive_errors(file);
        assert_eq!(errors.messages, BTreeSet::new(), "{}", file.display());
        derive_count += errors.derive_count;
    }
    assert!(derive_count >= 300, "only {derive_count} derives");
}
