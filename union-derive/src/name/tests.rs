//! Tests that `fast_path` and `from_serde` return the same attributes for plain structs.

use std::fs;
use std::path::Path;

use syn::{DeriveInput, Item, parse_str};

use super::{SerdeContainer, SerdeDefault, SerdeField, fast_path};
use crate::errors::Errors;
use crate::tests::{ATTRIBUTES, TYPES};

/// Returns the attributes that the checks read, as a string.
fn describe(container: &SerdeContainer) -> String {
    let struct_attrs = (
        container.conversion,
        default(&container.default),
        container.is_tagged,
        container.denies_unknown,
        container.variants.len(),
    );
    let fields: Vec<String> = container.fields.iter().map(describe_field).collect();
    format!("{struct_attrs:?}\n{}", fields.join("\n"))
}

fn describe_field(field: &SerdeField) -> String {
    let SerdeField {
        name,
        is_flattened,
        direction,
        skip_if,
        written_by,
        read_by,
        default: default_value,
    } = field;
    let name = (&name.read, &name.written, &name.aliases);
    let by = (written_by.is_some(), read_by.is_some());
    let direction = *direction as u8;
    format!(
        "{name:?} {is_flattened} {direction} {skip_if:?} {by:?} {}",
        default(default_value)
    )
}

const fn default(default: &SerdeDefault) -> &'static str {
    match default {
        SerdeDefault::None => "none",
        SerdeDefault::Default => "default",
        SerdeDefault::Path(_) => "path",
    }
}

/// Returns true if `fast_path` accepts the struct, and then asserts that `from_serde` returns the
/// same.
fn is_plain(input: &DeriveInput) -> bool {
    let Some(plain) = fast_path::read_plain_struct(input) else {
        return false;
    };
    let errors = Errors::default();
    let by_serde = SerdeContainer::from_serde(input, &errors);
    let by_serde = by_serde.unwrap_or_else(|| panic!("serde rejects `{}`", input.ident));
    assert!(errors.finish().is_ok(), "{}", input.ident);
    assert_eq!(describe(&plain), describe(&by_serde), "{}", input.ident);
    true
}

#[test]
fn the_fast_path_agrees_with_serde_on_attributes() {
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
    let mut plain = 0;
    for ty in TYPES {
        for attribute in ATTRIBUTES.iter().chain(&more) {
            for (on_type, on_item) in [(*attribute, ""), ("", *attribute), (*attribute, *attribute)]
            {
                let source = ty.replace("$C", on_type).replace("$F", on_item);
                plain += usize::from(is_plain(&parse_str(&source).unwrap()));
            }
        }
    }
    assert!(plain > 100, "{plain}");
}

#[test]
fn the_fast_path_agrees_with_serde_on_names() {
    for name in [
        "a", "_a", "__a_", "a__b", "A_", "Ab_cD", "r#type", "r#match", "a_1", "_1", "x_ü", "a_",
    ] {
        for rule in ["#[serde(rename_all = \"camelCase\")]", ""] {
            let source = format!("{rule} struct S {{ {name}: A }}");
            let plain = is_plain(&parse_str(&source).unwrap());
            assert!(plain || name == "x_ü", "{source}");
        }
    }
}

#[test]
fn the_fast_path_agrees_with_serde_on_the_structs_of_the_tests() {
    // The published crate does not contain the folder.
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let mut plain = 0;
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
                plain += count_plain(file.items);
            }
        }
    }
    assert!(plain == 0 || plain > 300, "{plain}");
}

fn count_plain(items: Vec<Item>) -> usize {
    let plain = items.into_iter().map(|item| match item {
        Item::Struct(item) => usize::from(is_plain(&item.into())),
        Item::Mod(item) => count_plain(item.content.map_or_else(Vec::new, |(_, items)| items)),
        _ => 0,
    });
    plain.sum()
}
