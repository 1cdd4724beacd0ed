//! Settings of the generator.

use crate::error::GenerateError;

/// The oldest and the newest minor version of Kubernetes for which k8s-openapi 0.29 has types.
const KUBERNETES_MINORS: [u8; 2] = [33, 37];

/// The settings of the generator.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Settings {
    /// Additional derives, such as `::my_crate::Trait`. A prefix restricts a derive to one kind of
    /// types: `@struct=Default` to structs, `@enum=Hash` to enums of values,
    /// `@union=::my_crate::Trait` to unions in the enum form. `Default` is derived only for types
    /// whose fields all have a default.
    pub derives: Vec<String>,
    /// The name of a module that contains all types, if the output is one file.
    pub module: Option<String>,
    /// The names of the versions to generate; if empty, all served versions.
    pub versions: Vec<String>,
    /// The representation of unions.
    pub unions: UnionStyle,
    /// The representation of strings with a list of allowed values.
    pub enums: StringEnums,
    /// The representation of the root of a kind.
    pub root: RootStyle,
    /// The generation of schemas.
    pub schema: SchemaOutput,
    /// The version of Kubernetes that the user selects for k8s-openapi, such as `1.35`; by default,
    /// the oldest supported version. Objects that are types of newer versions become generated
    /// structs.
    pub kubernetes: Option<String>,
}

/// The representation of unions that a schema declares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnionStyle {
    /// An enum if a union is exact and its object has no other content, or else a struct with
    /// `#[derive(Union)]`.
    #[default]
    Enum,
    /// A struct with `#[derive(Union)]`.
    Struct,
    /// Ordinary structs, with the CEL rules of their schemas.
    Off,
}

/// The representation of strings with a list of allowed values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StringEnums {
    /// An enum with an additional variant that keeps unknown values.
    #[default]
    Open,
    /// An enum of the allowed values only. Deserialization rejects other values.
    Closed,
}

/// The representation of the root of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RootStyle {
    /// The field `spec` of the root type is the spec, if the schema has no other fields beside
    /// `metadata` and `status`.
    #[default]
    Spec,
    /// The field `spec` of the root type is a struct of all fields of the root, so that the spec is
    /// `object.spec.spec`. The types also read objects without a spec, and keep unknown fields of
    /// the root.
    Fields,
}

/// The generation of schemas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaOutput {
    /// The types derive `JsonSchema`, so that `crd()` returns a CRD that validates like the
    /// original.
    #[default]
    Derived,
    /// The types have no schema and no rules, which is sufficient for clients and compiles faster.
    Disabled,
}

/// The kind of types that a derive applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeriveTarget {
    Structs,
    Enums,
    Unions,
}

impl Settings {
    /// Returns the derives that apply to a kind of types.
    pub(crate) fn derives_for(&self, target: DeriveTarget) -> impl Iterator<Item = &str> {
        self.derives.iter().filter_map(move |derive| {
            let (restriction, path) = split_derive(derive);
            restriction
                .is_none_or(|restricted_target| restricted_target == target)
                .then_some(path)
        })
    }

    /// Returns the minor version of Kubernetes that is selected for k8s-openapi.
    pub(crate) fn kubernetes_minor(&self) -> u8 {
        let minor = self.kubernetes.as_deref().and_then(supported_minor);
        minor.unwrap_or(KUBERNETES_MINORS[0])
    }

    /// Rejects settings that are not valid Rust, and unsupported versions of Kubernetes.
    pub(crate) fn validate(&self) -> Result<(), GenerateError> {
        for derive in &self.derives {
            if syn::parse_str::<syn::Path>(split_derive(derive).1).is_err() {
                let problem = format!(
                    "{derive:?} must be the path of a derive, such as `Default` or `@struct=Default`"
                );
                return Err(GenerateError::setting("derives", problem));
            }
        }
        if let Some(module) = &self.module
            && syn::parse_str::<syn::Ident>(module).is_err()
        {
            let problem = format!(
                "{module:?} is not a Rust identifier; use letters, digits and `_`, and no keyword"
            );
            return Err(GenerateError::setting("module", problem));
        }
        if let Some(version) = &self.kubernetes
            && supported_minor(version).is_none()
        {
            let [oldest, newest] = KUBERNETES_MINORS;
            let problem = format!(
                "version {version:?} is not supported by k8s-openapi 0.29; use one of 1.{oldest} to 1.{newest}"
            );
            return Err(GenerateError::setting("kubernetes", problem));
        }
        Ok(())
    }
}

/// Splits a derive into the kind of types that it applies to, if it has a prefix, and its path.
fn split_derive(derive: &str) -> (Option<DeriveTarget>, &str) {
    for (prefix, target) in [
        ("@union=", DeriveTarget::Unions),
        ("@struct=", DeriveTarget::Structs),
        ("@enum=", DeriveTarget::Enums),
    ] {
        if let Some(path) = derive.strip_prefix(prefix) {
            return (Some(target), path);
        }
    }
    (None, derive)
}

/// Returns the minor version of a version such as `1.35`, if k8s-openapi supports the version.
fn supported_minor(version: &str) -> Option<u8> {
    let [oldest, newest] = KUBERNETES_MINORS;
    let minor = version.strip_prefix("1.")?.parse().ok()?;
    (oldest..=newest).contains(&minor).then_some(minor)
}
