//! Tests that the reader of plain structs returns the same as serde's own reader, for each struct
//! that the reader of plain structs knows.

use std::fs;
use std::path::Path;

use syn::{DeriveInput, Item, parse_str};

use super::{SerdeContainer, SerdeDefault, SerdeField, fast_path};
use crate::errors::Errors;
use crate::tests::{ATTRIBUTES, TYPES};

/// Returns the attributes that the checks read, as a string.
fn said(container: &SerdeContainer) -> String {
    let of_struct = (
        container.conversion,
        default(&container.default),
        container.is_tagged,
        container.denies_unknown,
        container.variants.len(),
    );
    let fields: Vec<String> = container.fields.iter().map(of_field).collect();
    format!("{of_struct:?}\n{}", fields.join("\n"))
}

fn of_field(field: &SerdeField) -> String {
    let SerdeField {
        name,
        is_flattened,
        direction: on_wire,
        skip_if,
        written_by,
        read_by,
        default: absent,
    } = field;
    let name = (&name.read, &name.written, &name.aliases);
    let by = (written_by.is_some(), read_by.is_some());
    let on_wire = *on_wire as u8;
    format!(
        "{name:?} {is_flattened} {on_wire} {skip_if:?} {by:?} {}",
        default(absent)
    )
}

const fn default(default: &SerdeDefault) -> &'static str {
    match default {
        SerdeDefault::None => "none",
        SerdeDefault::Default => "default",
        SerdeDefault::Path(_) => "path",
    }
}

/// Returns true if the reader of plain structs knows the struct, and then asserts that both readers
/// return the same.
fn is_known(input: &DeriveInput) -> bool {
    let Some(plain) = fast_path::read_plain_struct(input) else {
        return false;
    };
    let diag = Errors::default();
    let by_serde = SerdeContainer::from_serde(input, &diag);
    let by_serde = by_serde.unwrap_or_else(|| panic!("serde refuses `{}`", input.ident));
    assert!(diag.finish().is_ok(), "{}", input.ident);
    assert_eq!(said(&plain), said(&by_serde), "{}", input.ident);
    true
}

#[test]
fn of_each_attribute_the_short_way_says_what_serde_says_or_nothing() {
    let more = [
        "#[serde(default)]",
        "#[serde(default,)]",
        "#[serde(default, default)]",
        "#[serde(,)]",
        "#[serde()]",
        "#[serde[default]]",
        "#[serde{rename = \"x\"}]",
        "#[serde(rename = \"x\" default)]",
        "#[serde(rename = \"x\", rename = \"y\")]",
        "#[serde(rename = \"a\\\"b\")]",
        "#[serde(rename = r\"x\")]",
        "#[serde(rename = b\"x\")]",
        "#[serde(rename = \"x\"suffix)]",
        "#[serde(rename(serialize = \"x\"))]",
        "#[serde(rename == \"x\")]",
        "#[serde(r#default)]",
        "#[serde(default = \"x\", rename = \"y\")]",
        "#[serde(rename = \"é\")]",
        "#[serde(skip_serializing_if = \"Option::is_none\")]",
        "#[serde(skip_serializing_if = \"Option :: is_none\")]",
        "#[serde(skip_serializing_if = \"Option::is_none\", rename = \"x\", default)]",
        "#[serde(default)] #[serde(rename = \"x\")]",
        "#[serde(default)] #[serde(default)]",
        "#[serde(rename_all = \"camelCase\", rename_all = \"camelCase\")]",
        "#[serde(rename_all = \"camelCase\")] #[serde(rename = \"x\")]",
        "#[::serde(skip)]",
    ];
    let mut known = 0;
    for ty in TYPES {
        for attribute in ATTRIBUTES.iter().chain(&more) {
            for (on_type, on_item) in [(*attribute, ""), ("", *attribute), (*attribute, *attribute)]
            {
                let source = ty.replace("$C", on_type).replace("$F", on_item);
                known += usize::from(is_known(&parse_str(&source).unwrap()));
            }
        }
    }
    assert!(known > 100, "{known}");
}

#[test]
fn of_each_name_the_short_way_says_what_serde_says_or_nothing() {
    for name in [
        "a", "_a", "__a_", "a__b", "A_", "Ab_cD", "r#type", "r#match", "a_1", "_1", "x_ü", "a_",
    ] {
        for rule in ["#[serde(rename_all = \"camelCase\")]", ""] {
            let source = format!("{rule} struct S {{ {name}: A }}");
            let known = is_known(&parse_str(&source).unwrap());
            assert!(known || name == "x_ü", "{source}");
        }
    }
}

#[test]
fn of_each_struct_of_the_tests_the_short_way_says_what_serde_says_or_nothing() {
    // The published crate does not contain the folder.
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let mut known = 0;
    let mut folders = vec![tests];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let is_built = path.ends_with("target");
            if path.is_dir() && !is_built {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && let Ok(file) = syn::parse_file(&fs::read_to_string(&path).unwrap())
            {
                known += known_among(file.items);
            }
        }
    }
    assert!(known == 0 || known > 300, "{known}");
}

fn known_among(items: Vec<Item>) -> usize {
    let known = items.into_iter().map(|item| match item {
        Item::Struct(item) => usize::from(is_known(&item.into())),
        Item::Mod(item) => known_among(item.content.map_or_else(Vec::new, |(_, items)| items)),
        _ => 0,
    });
    known.sum()
}
