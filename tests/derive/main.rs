//! Tests of `#[derive(Union)]` and `#[derive(EnumType)]` on the types that authors write.

mod boxes;
mod crate_path;
mod defaults;
mod enum_types;
mod generics;
mod handwritten_impls;
mod identifiers;
mod json_names;
mod limits;
mod lints;
mod macros;
mod not_members;
mod not_nested;
mod restore;
mod schema_hooks;
mod serde_functions;
mod skip_serializing_none;
mod values;

use union_runtime::spec::UnionType;
use union_runtime::{Settings, Union};

/// Returns the union of `T` as a line: `kind: alpha = "Alpha", beta = "Beta" optional`.
fn describe_union<T: UnionType>() -> String {
    let [union] = T::unions() else {
        panic!("{} unions", T::unions().len());
    };
    let Some(discriminator) = union.discriminator() else {
        panic!("no discriminator");
    };
    let members: Vec<String> = union
        .members()
        .map(|member| {
            let value = discriminator
                .values()
                .get(member.value_index())
                .expect("a present value");
            let optional = if member.is_optional() {
                " optional"
            } else {
                ""
            };
            format!("{} = {value:?}{optional}", member.name())
        })
        .collect();
    format!("{}: {}", discriminator.name(), members.join(", "))
}

/// Returns the paths of the errors of a new object, separated by spaces.
fn error_paths<T: Union>(object: &T) -> String {
    let report = object.validate_unions();
    let paths: Vec<&str> = report
        .errors()
        .iter()
        .map(|violation| violation.path().as_str())
        .collect();
    paths.join(" ")
}

/// Returns the paths that an update from `old` clears in `new`, separated by spaces.
fn cleared_paths<T: Union>(new: &mut T, old: &T) -> String {
    let changes = new.normalize_unions(Some(old), &Settings::default());
    let paths: Vec<&str> = changes.cleared().map(AsRef::as_ref).collect();
    paths.join(" ")
}
