//! Expands the derives with arbitrary attributes: they return items and errors, and never panic.

#![no_main]

// A crate that includes the source of procedural macros must link this crate explicitly.
extern crate proc_macro;

// The derives' own sources are included, because a crate of procedural macros exports only its
// macros.
#[path = "../../../union-derive/src/attr/mod.rs"]
mod attr;
#[path = "../../../union-derive/src/check/mod.rs"]
mod check;
#[path = "../../../union-derive/src/errors.rs"]
mod errors;
#[path = "../../../union-derive/src/expand/mod.rs"]
mod expand;
#[path = "../../../union-derive/src/fallback.rs"]
mod fallback;
#[path = "../../../union-derive/src/model/mod.rs"]
mod model;
#[path = "../../../union-derive/src/name/mod.rs"]
mod name;
#[path = "../../../union-derive/src/pipeline.rs"]
mod pipeline;

use libfuzzer_sys::fuzz_target;
use syn::DeriveInput;
use union_fuzz::Source;

const CONTAINER_ATTRIBUTES: [&str; 25] = [
    "#[union(discriminator = \"type\")]",
    "#[union(undiscriminated)]",
    "#[union(strict)]",
    "#[union(values = \"UPPERCASE\", fields = \"kebab-case\")]",
    "#[union(discriminator = \"\")]",
    "#[union(deduce)]",
    "#[union(all_members)]",
    "#[union(shape = \"2019\")]",
    "#[union(exactly_one)]",
    "#[union(exactly_one(g))]",
    "#[union(crate = ::other)]",
    "#[union(schema = false)]",
    "#[union(nested(a, b))]",
    "#[union(enforce = \"one_of\")]",
    "#[union(ratchet = \"same_reason\")]",
    "#[serde(rename_all = \"camelCase\")]",
    "#[serde(default)]",
    "#[serde(deny_unknown_fields)]",
    "#[union]",
    "#[union()]",
    "#[schemars(transform = union_runtime::add_unions::<S>)]",
    "#[enum_type(other)]",
    "#[union = 5]",
    "#[serde(untagged)]",
    "#[serde(transparent)]",
];
const FIELD_ATTRIBUTES: [&str; 34] = [
    "#[union(inline(lossy))]",
    "#[union(default)]",
    "#[union(absent)]",
    "#[union(other)]",
    "#[union(field = \"a\")]",
    "#[union(field = \"\", nested)]",
    "#[union(discriminator)]",
    "#[union(discriminator, deduce)]",
    "#[union(member)]",
    "#[union(member, optional)]",
    "#[union(member = \"A\")]",
    "#[union(member = \"\")]",
    "#[union(discriminated_by = a)]",
    "#[union(group = g)]",
    "#[union(inline)]",
    "#[union(nested)]",
    "#[union(nested, list_map_keys(\"a\", \"b\"))]",
    "#[union(key)]",
    "#[union(unknown)]",
    "#[union(not_member)]",
    "#[union(member, group = h, alone)]",
    "#[union(patch_strategy = \"merge,retainKeys\", patch_merge_key = \"a\")]",
    "#[serde(skip_serializing_if = \"Option::is_none\")]",
    "#[serde(flatten)]",
    "#[serde(rename = \"x\")]",
    "#[serde(alias = \"y\")]",
    "#[serde(skip)]",
    "#[serde(default = \"f\")]",
    "#[union(member = 5)]",
    "#[union(nope)]",
    "#[union(member, member)]",
    "#[schemars(skip)]",
    "#[serde(with = \"m\")]",
    "#[union(member = \"A\", , )]",
];
const TYPES: [&str; 12] = [
    "Kind",
    "Option<Kind>",
    "String",
    "Option<A>",
    "Option<Box<A>>",
    "Vec<A>",
    "T",
    "Option<T>",
    "BTreeMap<String, Value>",
    "Self",
    "&'a str",
    "[u8; N]",
];
const NAMES: [&str; 8] = ["a", "b", "c", "r#type", "r#in", "g", "x", "__y"];
const GENERICS: [&str; 5] = [
    "",
    "<T>",
    "<'a, T: 'a>",
    "<T, const N: usize>",
    "<T> where T: Copy ",
];

fuzz_target!(|bytes: &[u8]| {
    let mut source = Source::new(bytes);
    let item = match source.below(4) {
        0 => source.remaining_text(),
        1 => enum_source(&mut source),
        _ => struct_source(&mut source),
    };
    let Ok(input) = syn::parse_str::<DeriveInput>(&item) else {
        return;
    };
    for tokens in [
        pipeline::expand_union(&input),
        pipeline::expand_enum_type(&input),
        pipeline::expand_union_enum(&input),
    ] {
        let expansion = tokens.to_string();
        if let Err(error) = syn::parse2::<syn::File>(tokens) {
            panic!("{error}\nin: {expansion}\nof: {item}");
        }
    }
});

/// Appends random attributes to an item.
fn push_attributes(source: &mut Source<'_>, candidates: &[&str], item: &mut String) {
    while source.chance(130) {
        item.push_str(source.word(candidates));
    }
}

/// Returns the source of a struct.
fn struct_source(source: &mut Source<'_>) -> String {
    let mut item = String::new();
    push_attributes(source, &CONTAINER_ATTRIBUTES, &mut item);
    item.push_str("struct S");
    item.push_str(source.word(&GENERICS));
    item.push('{');
    while source.chance(200) {
        push_attributes(source, &FIELD_ATTRIBUTES, &mut item);
        item.push_str(source.word(&NAMES));
        item.push(':');
        item.push_str(source.word(&TYPES));
        item.push(',');
    }
    item.push('}');
    item
}

/// Returns the source of an enum.
fn enum_source(source: &mut Source<'_>) -> String {
    const VARIANTS: [&str; 11] = [
        "Other(RawUnion)",
        "G(Option<A>)",
        "H(Box<Option<S>>)",
        "I(Vec<T>)",
        "A",
        "B",
        "Other(String)",
        "C { x: u8 }",
        "D(u8, u8)",
        "r#E",
        "F = 3",
    ];
    let mut item = String::new();
    push_attributes(source, &CONTAINER_ATTRIBUTES, &mut item);
    item.push_str("enum S {");
    while source.chance(200) {
        push_attributes(source, &CONTAINER_ATTRIBUTES, &mut item);
        push_attributes(source, &FIELD_ATTRIBUTES, &mut item);
        item.push_str(source.word(&VARIANTS));
        item.push(',');
    }
    item.push('}');
    item
}
