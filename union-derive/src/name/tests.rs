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
        describe_default(&container.default),
        container.is_tagged,
        container.denies_unknown,
        container.variants.len(),
    );
    let fields: Vec<String> = container.fields.iter().map(describe_field).collect();
    format!("{struct_attrs:?}\n{}", fields.join("\n"))
}

fn describe_field(field: &SerdeField) -> String {
    let SerdeField {
        names,
        is_flattened,
        direction,
        skip_if,
        serialize_with,
        deserialize_with,
        default,
    } = field;
    let names = (&names.deserialize, &names.serialize, &names.aliases);
    let functions = (serialize_with.is_some(), deserialize_with.is_some());
    let direction = *direction as u8;
    // The debug format of an identifier contains its position.
    let skip_if = skip_if.as_ref().map(ToString::to_string);
    format!(
        "{names:?} {is_flattened} {direction} {skip_if:?} {functions:?} {}",
        describe_default(default)
    )
}

const fn describe_default(default: &SerdeDefault) -> &'static str {
    match default {
        SerdeDefault::None => "none",
        SerdeDefault::Default => "default",
        SerdeDefault::Path(_) => "path",
    }
}

/// Returns true if `fast_path` accepts the struct, and then asserts that `from_serde` returns the
/// same.
fn check_plain_struct(input: &DeriveInput) -> bool {
    let Some(container) = fast_path::read_plain_struct(input) else {
        return false;
    };
    let errors = Errors::default();
    let expected = SerdeContainer::from_serde(input, &errors);
    let expected = expected.unwrap_or_else(|| panic!("serde rejects `{}`", input.ident));
    assert!(errors.finish().is_ok(), "{}", input.ident);
    assert_eq!(describe(&container), describe(&expected), "{}", input.ident);
    true
}

#[test]
fn the_fast_path_agrees_with_serde_on_attributes() {
    let more_attributes = [
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
    let mut plain_count = 0;
    for ty in TYPES {
        for attribute in ATTRIBUTES.iter().copied().chain(more_attributes) {
            for (type_attribute, field_attribute) in
                [(attribute, ""), ("", attribute), (attribute, attribute)]
            {
                let source = ty
                    .replace("$C", type_attribute)
                    .replace("$F", field_attribute);
                plain_count += usize::from(check_plain_struct(&parse_str(&source).unwrap()));
            }
        }
    }
    assert!(plain_count > 100, "{plain_count}");
}

#[test]
fn the_fast_path_agrees_with_serde_on_names() {
    for name in [
        "a", "_a", "__a_", "a__b", "A_", "Ab_cD", "r#type", "r#match", "a_1", "_1", "x_ü", "a_",
    ] {
        for rule in ["#[serde(rename_all = \"camelCase\")]", ""] {
            let source = format!("{rule} struct S {{ {name}: A }}");
            let is_plain = check_plain_struct(&parse_str(&source).unwrap());
            assert!(is_plain || name == "x_ü", "{source}");
        }
    }
}

#[test]
fn the_fast_path_agrees_with_serde_on_the_structs_of_the_tests() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let mut plain_count = 0;
    let mut folders = vec![tests];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let is_build_output = path.ends_with("target");
            if path.is_dir() && !is_build_output {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && let Ok(file) = syn::parse_file(&fs::read_to_string(&path).unwrap())
            {
                plain_count += count_plain_structs(file.items);
            }
        }
    }
    // The published crate does not contain `../tests`, so the count is 0 there.
    assert!(plain_count == 0 || plain_count > 300, "{plain_count}");
}

fn count_plain_structs(items: Vec<Item>) -> usize {
    let counts = items.into_iter().map(|item| match item {
        Item::Struct(item) => usize::from(check_plain_struct(&item.into())),
        Item::Mod(item) => {
            count_plain_structs(item.content.map_or_else(Vec::new, |(_, items)| items))
        }
        _ => 0,
    });
    counts.sum()
}
