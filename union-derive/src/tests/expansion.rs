//! Tests that compare the expansions of the derives with snapshots, and tests that no input causes
//! a panic in a derive.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p union-derive` updates the snapshots. Review the diff before
//! you commit it.

use std::path::Path;
use std::{env, fs};

use proc_macro2::TokenStream;
use syn::{DeriveInput, parse_str};

use crate::attr::RenameRule;
use crate::pipeline::{expand_enum_type, expand_union, expand_union_enum};

/// A derive, as a function from the item with the attribute to the generated tokens.
pub(super) type Derive = fn(&DeriveInput) -> TokenStream;

const DERIVES: [Derive; 3] = [expand_union, expand_enum_type, expand_union_enum];

/// Returns the items of the expansion. Panics if the expansion is not a list of items.
fn expand_items(derive: Derive, source: &str) -> syn::File {
    let input: DeriveInput =
        parse_str(source).unwrap_or_else(|error| panic!("{error}\nin: {source}"));
    let tokens = derive(&input);
    syn::parse2(tokens.clone())
        .unwrap_or_else(|error| panic!("{error}\nin the expansion: {tokens}\nof: {source}"))
}

/// Returns the source code of the expansion, formatted like rustfmt.
fn expand_to_code(derive: Derive, source: &str) -> String {
    prettyplease::unparse(&expand_items(derive, source))
}

fn check_snapshot(name: &str, code: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/tests/snapshots")
        .join(name);
    if env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, code).expect("the snapshot can be written");
    }
    let snapshot = fs::read_to_string(&path).unwrap_or_default();
    let is_equal = code == snapshot.replace("\r\n", "\n");
    assert!(is_equal, "{} differs; now it is:\n{code}", path.display());
}

#[test]
fn a_union_of_four_members_expands_to_70_lines_at_most() {
    let code = expand_to_code(
        expand_union,
        r#"
        #[serde(rename_all = "camelCase")]
        #[schemars(transform = union_runtime::add_unions::<Strategy>)]
        struct Strategy {
            #[union(discriminator)]
            r#type: StrategyType,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            alpha: Option<Alpha>,
            #[union(member, optional)]
            #[serde(skip_serializing_if = "Option::is_none")]
            rolling_update: Option<RollingUpdate>,
            #[union(member = "CORS")]
            #[serde(skip_serializing_if = "Option::is_none")]
            cross_origin: Option<Box<CrossOrigin>>,
            #[union(member = "BETA", optional)]
            #[serde(skip_serializing_if = "Option::is_none")]
            beta: Option<Beta>,
            replicas: u8,
        }
        "#,
    );
    assert!(code.lines().count() <= 70, "{code}");
    check_snapshot("union.rs", &code);
}

#[test]
fn without_a_hook_the_expansion_has_a_schema_probe() {
    let source = "struct Choice {
        #[union(discriminator)] kind: Kind,
        #[union(member)] #[serde(skip_serializing_if = \"Option::is_none\")] alpha: Option<Alpha>,
    }";
    let hook = "#[schemars(transform = union_runtime::add_unions::<Choice>)]";
    let with_hook = expand_to_code(expand_union, &[hook, source].concat());
    let without_hook = expand_to_code(expand_union, source);
    let probe = without_hook.strip_prefix(&with_hook);
    check_snapshot("probe.rs", probe.expect("the probe follows the impl"));
}

#[test]
fn an_enum_type_expands_to_a_table_and_a_match() {
    let code = expand_to_code(
        expand_enum_type,
        r#"
        #[schemars(transform = union_runtime::add_enum::<StrategyType>)]
        enum StrategyType {
            /// All at once.
            Recreate,
            #[serde(rename = "")]
            Nothing,
            #[enum_type(other)]
            #[serde(untagged)]
            Unknown(String),
        }
        "#,
    );
    check_snapshot("enum_type.rs", &code);
}

#[test]
fn generics_and_a_default_add_no_items() {
    let code = expand_to_code(
        expand_union,
        r#"
        #[union(crate = crate::unions)]
        struct Generic<'a, T: Clone = u8, const N: usize = 2>
        where
            [T; N]: Sized,
        {
            #[union(discriminator)]
            #[serde(default = "some_kind", skip_serializing_if = "Option::is_none")]
            kind: Option<Kind>,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            alpha: Option<&'a [T; N]>,
        }
        "#,
    );
    check_snapshot("generic_union.rs", &code);
}

#[test]
fn a_map_of_unknown_members_adds_a_method_and_a_condition() {
    let code = expand_to_code(
        expand_union,
        r#"
        #[schemars(transform = union_runtime::add_unions::<Choice>)]
        struct Choice {
            #[union(discriminator)]
            kind: Kind,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            alpha: Option<Alpha>,
            #[union(unknown)]
            #[serde(flatten)]
            #[schemars(skip)]
            rest: BTreeMap<String, Value>,
        }
        "#,
    );
    check_snapshot("unknown.rs", &code);
}

#[test]
fn only_a_single_flattened_struct_may_keep_unknown_members() {
    let expand_fields = |fields: &str| {
        expand_to_code(
            expand_union,
            &format!("struct Pod {{ name: String, {fields} }}"),
        )
    };
    let single_struct = expand_fields("#[union(inline)] #[serde(flatten)] a: Source");
    assert!(
        single_struct.contains("const KEEPS_UNKNOWN: ::core::primitive::bool = <Source as"),
        "{single_struct}"
    );
    assert!(!single_struct.contains("reject_if"), "{single_struct}");
    let two_structs = expand_fields(
        "#[union(inline)] #[serde(flatten)] a: Source, #[union(inline)] #[serde(flatten)] b: Source",
    );
    assert_eq!(two_structs.matches("reject_if").count(), 2, "{two_structs}");
    assert!(
        !two_structs.contains("const KEEPS_UNKNOWN"),
        "{two_structs}"
    );
}

/// Types with fields and variants of all kinds, with attributes that change only the expansion.
const FIELDS: [(Derive, &str); 8] = [
    (
        expand_union,
        r#"
        #[schemars(transform = union_runtime::add_unions::<Choice>)]
        struct Choice {
            #[union(key)]
            name: String,
            #[union(discriminator)]
            kind: Kind,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            alpha: Option<Level>,
            #[union(member = "Gamma")]
            #[serde(skip_serializing_if = "Option::is_none")]
            third: Option<Box<Level>>,
            gamma: Option<u8>,
            #[union(not_member)]
            beta: Option<u8>,
            #[serde(skip)]
            skipped: Option<u8>,
            #[union(not_nested)]
            plain: Vec<Plain>,
            #[union(patch_strategy = "merge", patch_merge_key = "name")]
            volumes: Vec<Volume>,
            #[union(patch_strategy = "merge")]
            tags: Vec<String>,
            #[union(open)]
            open: Level,
        }
        "#,
    ),
    (
        expand_union,
        r#"
        #[schemars(transform = union_runtime::add_unions::<Pod>)]
        struct Pod {
            #[union(patch_strategy = "merge")]
            volumes: Vec<Volume>,
        }
        "#,
    ),
    (
        expand_union,
        r#"
        #[serde(deny_unknown_fields)]
        struct Parent {
            #[serde(rename(serialize = "newName", deserialize = "oldName"))]
            name: String,
            #[union(inline)]
            #[serde(flatten)]
            choice: Choice,
        }
        "#,
    ),
    (
        expand_union,
        r#"
        struct Parent {
            #[serde(rename(serialize = "newName", deserialize = "oldName"))]
            name: String,
            #[union(inline)]
            #[serde(flatten)]
            choice: Choice,
        }
        "#,
    ),
    (
        expand_union,
        "struct Flattened { #[serde(flatten)] source: Source }",
    ),
    (
        expand_union,
        "struct Recursive { next: Option<Box<Recursive>> }",
    ),
    (
        expand_union,
        r#"
        struct Omitted {
            #[union(discriminator)]
            #[serde(default, skip_serializing_if = "is_alpha")]
            kind: Kind,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            alpha: Option<u8>,
        }
        "#,
    ),
    (
        expand_union_enum,
        r#"
        #[union(discriminator = "type", strict, schema = false)]
        enum Job {
            #[union(absent)]
            Nothing,
            #[union(not_nested)]
            Plain(Plain),
            Target(Option<Target>),
        }
        "#,
    ),
];

#[test]
fn attributes_of_fields_change_the_expansion() {
    let code = FIELDS.map(|(derive, source)| expand_to_code(derive, source));
    check_snapshot("fields.rs", &code.concat());
}

#[test]
fn an_error_expands_to_the_error_and_impls_without_unions() {
    let code = expand_to_code(expand_union, "#[union(tag)] struct Wrong<T>(T);");
    check_snapshot("fallback.rs", &code);
}

#[test]
fn a_union_enum_expands_to_a_table_and_matches() {
    let code = expand_to_code(
        expand_union_enum,
        r#"
        /// Where backups go.
        #[union(discriminator = "type")]
        enum Target {
            /// Nowhere.
            None,
            S3(S3Target),
            #[union(nested)]
            Volume(Option<VolumeTarget>),
            #[union(other)]
            Other(RawUnion),
        }
        "#,
    );
    check_snapshot("union_enum.rs", &code);
}

#[test]
fn an_error_in_a_union_enum_expands_to_impls_of_all_its_traits() {
    let code = expand_to_code(expand_union_enum, "#[union(strict)] enum Wrong<T> { A(T) }");
    for name in [
        "Union",
        "UnionEnum",
        "Serialize",
        "Deserialize",
        "JsonSchema",
    ] {
        let count = code.matches(&format!("::{name}")).count();
        assert!(count > 0, "{name}: {code}");
    }
}

/// Converts the names that a Rust author chooses for the fields of core/v1 `VolumeSource`, and some
/// other names. In `CephFS` and `StorageOS`, the last word of the JSON name is an abbreviation.
#[test]
fn camel_case_keeps_abbreviations_whole() {
    let names = [
        ("HostPath", "hostPath"),
        ("GCEPersistentDisk", "gcePersistentDisk"),
        ("AWSElasticBlockStore", "awsElasticBlockStore"),
        ("NFS", "nfs"),
        ("ISCSI", "iscsi"),
        ("RBD", "rbd"),
        ("FC", "fc"),
        ("CSI", "csi"),
        ("DownwardAPI", "downwardAPI"),
        ("ScaleIO", "scaleIO"),
        ("Glusterfs", "glusterfs"),
        ("URLRewrite", "urlRewrite"),
        ("S3", "s3"),
        ("S3Target", "s3Target"),
        ("Ünder", "ünder"),
        ("", ""),
        ("_", "_"),
        ("CephFS", "cephFS"),
        ("StorageOS", "storageOS"),
    ];
    for (variant, json_name) in names {
        assert_eq!(RenameRule::Camel.apply(variant), json_name);
    }
}

#[test]
fn the_rename_rules_have_the_names_of_serde_and_keep_abbreviations() {
    let conversions = [
        ("lowercase", "urlrewrite"),
        ("UPPERCASE", "URLREWRITE"),
        ("PascalCase", "URLRewrite"),
        ("camelCase", "urlRewrite"),
        ("snake_case", "url_rewrite"),
        ("SCREAMING_SNAKE_CASE", "URL_REWRITE"),
        ("kebab-case", "url-rewrite"),
        ("SCREAMING-KEBAB-CASE", "URL-REWRITE"),
    ];
    for (name, converted) in conversions {
        let rule = RenameRule::parse(name).expect("serde has this rule");
        assert_eq!(rule.apply("URLRewrite"), converted, "{name}");
    }
    assert!(RenameRule::parse("neverCase").is_none());
}

/// Valid, invalid and incomplete attributes.
pub(crate) const ATTRIBUTES: &[&str] = &[
    "#[union]",
    "#[union = \"member\"]",
    "#[union()]",
    "#[union(,)]",
    "#[union(member member)]",
    "#[union(member = )]",
    "#[union(= member)]",
    "#[union(member = \"\")]",
    "#[union(member = \"A\" \"B\")]",
    "#[union(member(A, (B), [C], {D}))]",
    "#[union(member::optional::<T>)]",
    "#[union(::member)]",
    "#[union(r#member, r#optional, r#crate_)]",
    "#[union(discriminator)]",
    "#[union(discriminator, member, optional)]",
    "#[union(crate)]",
    "#[union(crate = )]",
    "#[union(crate = ::)]",
    "#[union(crate = a::<B>)]",
    "#[union(crate = \"a b\")]",
    "#[union(schema)]",
    "#[union(schema = maybe)]",
    "#[union(schema = false)]",
    "#[union(1, 'a', \"b\", b'c', 1.5)]",
    "#[union(#[union(member)])]",
    "#[union(unknown)]",
    "#[union(not_member)]",
    "#[union(member, group = g, alone)]",
    "#[union(unknown = \"rest\", inline, nested)]",
    "#[union[member]]",
    "#[union{member}]",
    "#[union(discriminator = \"type\", strict)]",
    "#[union(discriminator = type)]",
    "#[union(undiscriminated, strict = 1)]",
    "#[union(values = \"UPPERCASE\", fields = \"\")]",
    "#[union(values = 5, values)]",
    "#[union(field = \"\", absent, default)]",
    "#[union(field, other)]",
    "#[union(other, optional, deduce, exactly_one(a))]",
    "#[enum_type]",
    "#[enum_type = 5]",
    "#[enum_type(other)]",
    "#[enum_type(other = \"x\")]",
    "#[enum_type(other, other)]",
    "#[enum_type(crate = 'a')]",
    "#[enum_type(schema = false)]",
    "#[enum_type(<>)]",
    "#[serde]",
    "#[serde = 1]",
    "#[serde(rename)]",
    "#[serde(rename = \"\")]",
    "#[serde(rename = 5)]",
    "#[serde(rename_all = \"neverCase\")]",
    "#[serde(rename_all = \"camelCase\")]",
    "#[serde(flatten, skip, default)]",
    "#[serde(untagged)]",
    "#[serde(tag = \"t\", content = \"t\")]",
    "#[serde(other)]",
    "#[serde(with = \"a\")]",
    "#[serde(deserialize_with = \"a\", skip_serializing_if = \"Option::is_none\")]",
    "#[skip_serializing_none]",
    "#[serde(transparent)]",
    "#[serde(from = \"\", into = \"(\")]",
    "#[serde(default = \"not a path\")]",
    "#[serde(default = \"path\")]",
    "#[schemars]",
    "#[schemars = \"x\"]",
    "#[schemars()]",
    "#[schemars(transform)]",
    "#[schemars(transform = )]",
    "#[schemars(transform = add_unions)]",
    "#[schemars(transform = add_unions::<>)]",
    "#[schemars(transform = add_unions::<a::S<'static, [&'a u8; 2]>>)]",
    "#[schemars(rename = 5, skip, rename_all)]",
    "#[schemars(transform = add_unions::<(), [u8; 2], 'a>)]",
    "#[schemars(transform = \"add_enum::<\")]",
    "#[schemars(transform = |schema| {})]",
    "#[schemars(transform = add_enum::<<T as Trait>::Kind>)]",
    "#[schemars(extend())]",
    "#[schemars(extend(\"enum\"))]",
    "#[schemars(extend(\"enum\" = []))]",
    "#[schemars(extend(\"enum\" = [1, null, \"A\", [\"B\"], b\"C\", \"D\" + \"E\"]))]",
    "#[schemars(>>, <)]",
    "#[repr]",
    "#[repr = 1]",
    "#[repr(u8, packed(2), align(x))]",
    "#[doc]",
    "#[doc = 1]",
    "#[doc = include_str!(\"x\")]",
    "#[doc(hidden)]",
    "#[cfg(any())]",
];

/// Types with placeholders for attributes: `$C` on the type, `$F` on a field or variant.
pub(crate) const TYPES: &[&str] = &[
    "$C struct S { $F a: A }",
    "$C struct S { #[union(discriminator)] k: K, $F a: Option<A>, #[union(member)] b: B }",
    "$C struct S<'a, T: ?Sized, const N: usize> where T: 'a { #[union(discriminator)] $F r#type: K, #[union(member)] a: T }",
    "$C struct S<S, union> { #[union(discriminator)] k: S, $F r#union: (), #[union(member)] ü_ß: fn(S) -> ! }",
    "$C struct S { #[union(discriminator)] k: <K as T>::K<'_, { 1 + 1 }>, #[union(member)] $F __: [u8; { let x = 1; x }] }",
    "$C struct S { #[union(discriminator)] k: K, #[union(member)] a: A, #[union(unknown)] #[serde(flatten)] $F r#rest: M }",
    "$C struct S<'a, T> { #[union(inline)] #[serde(flatten)] $F a: A<'a, T>, #[union(inline)] #[serde(flatten)] b: B }",
    "$C struct S { }",
    "$C struct S($F A, B);",
    "$C struct S;",
    "$C union S { $F a: A }",
    "$C enum S { }",
    "$C enum S { $F A }",
    "$C enum S { A, $F B(String) }",
    "$C enum S { $F A(), B { }, C(A, B), D { a: A } }",
    "$C enum S<'a, T, const N: usize> { A = { 1 }, $F r#B = -1, C(&'a [T; N]) }",
    "#[union(discriminator = \"k\")] $C enum S { A, $F B(Option<Box<S>>), $F r#C(((T))), #[union(other)] Other(RawUnion) }",
];

#[test]
fn no_attribute_makes_a_derive_panic() {
    for ty in TYPES {
        for attribute in ATTRIBUTES {
            for (type_attribute, field_attribute) in
                [(*attribute, ""), ("", *attribute), (*attribute, *attribute)]
            {
                let source = ty
                    .replace("$C", type_attribute)
                    .replace("$F", field_attribute);
                for derive in DERIVES {
                    expand_items(derive, &source);
                }
            }
        }
    }
}

#[test]
fn no_pair_of_attributes_makes_a_derive_panic() {
    // The third derive only checks that attributes of serde and other derives are absent, so it is
    // tested only with the attributes of unions.
    let union_attributes = ATTRIBUTES.iter().filter(|code| code.starts_with("#[union"));
    let union_attributes: Vec<&str> = union_attributes.copied().collect();
    for (ty, derive, attributes) in [
        (TYPES[1], DERIVES[0], ATTRIBUTES),
        (TYPES[13], DERIVES[1], ATTRIBUTES),
        (TYPES[16], DERIVES[2], &union_attributes),
    ] {
        for (index, first) in attributes.iter().enumerate() {
            for second in &attributes[index..] {
                let attribute_pair = [*first, *second].concat();
                expand_items(derive, &ty.replace("$C", "").replace("$F", &attribute_pair));
                expand_items(derive, &ty.replace("$C", &attribute_pair).replace("$F", ""));
            }
        }
    }
}

#[test]
fn no_name_makes_a_derive_panic() {
    for name in [
        "_a", "__", "a__b", "A_", "r#type", "r#match", "ü", "日本", "x1", "_1",
    ] {
        let source = format!(
            "#[serde(rename_all = \"kebab-case\")] struct S {{ #[union(discriminator)] k: K, \
             #[union(member)] #[serde(skip_serializing_if = \"Option::is_none\")] {name}: Option<A> }}"
        );
        let code = expand_to_code(expand_union, &source);
        assert!(!code.contains("compile_error"), "{code}");
        let code = expand_to_code(expand_enum_type, &format!("enum E {{ {name} }}"));
        assert!(!code.contains("compile_error"), "{code}");
        for rule in ["camelCase", "snake_case", "SCREAMING-KEBAB-CASE"] {
            let source = format!(
                "#[union(discriminator = \"kind\", strict, values = \"{rule}\", fields = \"{rule}\")] enum E {{ {name}(A) }}"
            );
            let code = expand_to_code(expand_union_enum, &source);
            assert!(!code.contains("compile_error"), "{code}");
        }
    }
}

/// Tests names on which serde's own derive panics, so this cannot be a ui test.
#[test]
fn a_name_that_serde_cannot_convert_is_an_error() {
    for name in ["__", "üß"] {
        let source = format!(
            "#[serde(rename_all = \"camelCase\")] struct S {{ #[union(discriminator)] {name}: K }}"
        );
        let code = expand_to_code(expand_union, &source);
        assert!(
            code.contains("serde's `rename_all` cannot convert the name"),
            "{code}"
        );
    }
}

/// Tests an attribute of kube's `KubeSchema`, which the ui tests do not derive.
#[test]
fn self_beside_a_rule_of_kube_schema_is_an_error() {
    let expand_field = |attribute: &str, ty: &str| {
        let source = format!(
            "struct S {{ #[union(discriminator)] k: K, #[union(member)] \
             #[serde(skip_serializing_if = \"Option::is_none\")] a: Option<A>, \
             #[union(nested)] {attribute} all: {ty} }}"
        );
        expand_to_code(expand_union, &source)
    };
    let rule = "#[x_kube(validation = \"true\")]";
    for ty in ["Vec<Self>", "Box<Self>", "Option<Box<Self>>"] {
        let code = expand_field(rule, ty);
        assert_eq!(code.matches("compile_error").count(), 1, "{code}");
        assert!(code.contains("write `S` in place of `Self`"), "{code}");
        assert!(!expand_field("", ty).contains("compile_error"));
    }
    assert!(!expand_field(rule, "Vec<S>").contains("compile_error"));
}
