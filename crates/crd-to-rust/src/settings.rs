//! Settings of the generator, which the user chooses.

use crate::error::GenerateError;

/// The oldest and the newest minor version of Kubernetes for which k8s-openapi 0.29 has types.
const KUBERNETES_MINORS: [u8; 2] = [33, 37];

/// The settings of the generator.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Settings {
    /// More derives, such as `::my_crate::Trait`: for all types, or with a prefix for some:
    /// `@struct=Default` for structs, `@enum=Hash` for enums of values, `@union=::my_crate::Trait`
    /// for unions that are enums. `Default` is only derived if every field has a default.
    pub derives: Vec<String>,
    /// The name of a module around all types, if the output is one file.
    pub module: Option<String>,
    /// The names of the versions; if empty, all served versions.
    pub versions: Vec<String>,
    /// The representation of unions.
    pub unions: UnionStyle,
    /// The representation of strings with a list of allowed values.
    pub enums: StringEnums,
    /// The treatment of schemas.
    pub schema: SchemaOutput,
    /// The version of Kubernetes whose types k8s-openapi has in the user's build, such as `1.35`;
    /// by default the oldest supported version. An object that is a type of a newer version becomes
    /// a struct of its own.
    pub kubernetes: Option<String>,
}

/// The representation of unions that a schema declares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnionStyle {
    /// An enum if a union is exact and the only content of its object, else a struct with
    /// `#[derive(Union)]`.
    #[default]
    Enum,
    /// A struct with `#[derive(Union)]`.
    Struct,
    /// Structs like all others, with the CEL rules of their schemas.
    Off,
}

/// The representation of strings with a list of allowed values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StringEnums {
    /// An enum with a variant that keeps values of newer API servers.
    #[default]
    Open,
    /// An enum of the allowed values only: parsing rejects others.
    Closed,
}

/// The treatment of schemas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaOutput {
    /// The types have a schema, and `crd()` returns a CRD that validates like the original.
    #[default]
    Derived,
    /// Types for clients only: without a schema and rules, and faster to compile.
    Disabled,
}

/// The kind of types that a derive is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeriveTarget {
    Structs,
    Enums,
    Unions,
}

impl Settings {
    /// Returns the derives for a kind of types.
    pub(crate) fn derives_for(&self, on: DeriveTarget) -> impl Iterator<Item = &str> {
        self.derives.iter().filter_map(move |derive| {
            let (of, path) = split_derive(derive);
            of.is_none_or(|of| of == on).then_some(path)
        })
    }

    /// Returns the minor version of Kubernetes whose types are available.
    pub(crate) fn kubernetes_minor(&self) -> u8 {
        let wanted = self.kubernetes.as_deref().and_then(minor);
        wanted.unwrap_or(KUBERNETES_MINORS[0])
    }

    /// Rejects settings that are not valid Rust, and unsupported versions.
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
            let problem =
                format!("{module:?} must be a Rust identifier of letters, digits and `_`");
            return Err(GenerateError::setting("module", problem));
        }
        if let Some(version) = &self.kubernetes
            && minor(version).is_none()
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

/// Returns the kind of types that a derive is for, if it has a prefix, and its path.
fn split_derive(derive: &str) -> (Option<DeriveTarget>, &str) {
    for (prefix, on) in [
        ("@union=", DeriveTarget::Unions),
        ("@struct=", DeriveTarget::Structs),
        ("@enum=", DeriveTarget::Enums),
    ] {
        if let Some(path) = derive.strip_prefix(prefix) {
            return (Some(on), path);
        }
    }
    (None, derive)
}

/// Returns the minor version of a version such as `1.35`, if k8s-openapi has its types.
fn minor(version: &str) -> Option<u8> {
    let [oldest, newest] = KUBERNETES_MINORS;
    let minor = version.strip_prefix("1.")?.parse().ok()?;
    (oldest..=newest).contains(&minor).then_some(minor)
}
