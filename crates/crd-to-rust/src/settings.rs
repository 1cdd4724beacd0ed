//! What a user chooses.

use crate::error::Refused;

/// The oldest minor version of Kubernetes that k8s-openapi 0.29 has types of, and the newest one.
const KUBERNETES: [u8; 2] = [33, 37];

/// How types are written.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Settings {
    /// More derives, such as `::my_crate::Trait`: for all types, or by `@struct=Default` for structs alone, by `@enum=Hash`
    /// for enums of values, by `@union=::my_crate::Trait` for unions that are enums. `Default` goes only where every field
    /// has one.
    pub derives: Vec<String>,
    /// A module around all that is written, where one file is.
    pub module: Option<String>,
    /// The versions that are wanted; all that are served where none is named.
    pub versions: Vec<String>,
    /// What happens to unions.
    pub unions: Unions,
    /// What happens to texts with a list of allowed values.
    pub enums: Enums,
    /// Whether the types have a schema.
    pub schema: Schema,
    /// The version of Kubernetes whose types k8s-openapi has where the types are compiled, such as `1.35`; the oldest one that it
    /// can have where nothing is said. An object that is a type of a newer one gets a struct of its own.
    pub kubernetes: Option<String>,
}

/// What happens to unions that a schema declares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unions {
    /// An enum where a union is exact and alone in its object, else a struct with `#[derive(Union)]`.
    #[default]
    Enum,
    /// A struct with `#[derive(Union)]`.
    Struct,
    /// Structs like all others, with their rules.
    Off,
}

/// What happens to texts with a list of allowed values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Enums {
    /// An enum with a variant that keeps values of newer servers.
    #[default]
    Open,
    /// An enum of these values alone: reading fails on others.
    Closed,
}

/// Whether the types have a schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Schema {
    /// `crd()` gives a CRD that judges as the original does.
    #[default]
    Derived,
    /// Types for clients alone: no schema, no rules, and less to compile.
    Disabled,
}

/// What a derive is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeriveOn {
    Structs,
    Enums,
    Unions,
}

impl Settings {
    /// The derives that are wanted for a kind of types.
    pub(crate) fn derives_on(&self, on: DeriveOn) -> impl Iterator<Item = &str> {
        self.derives.iter().filter_map(move |derive| {
            let (of, path) = parts(derive);
            of.is_none_or(|of| of == on).then_some(path)
        })
    }

    /// The minor version of Kubernetes whose types there are.
    pub(crate) fn kubernetes_minor(&self) -> u8 {
        let wanted = self.kubernetes.as_deref().and_then(minor);
        wanted.unwrap_or(KUBERNETES[0])
    }

    /// Refuses what would not be Rust, and what there is not.
    pub(crate) fn check(&self) -> Result<(), Refused> {
        for derive in &self.derives {
            if syn::parse_str::<syn::Path>(parts(derive).1).is_err() {
                let problem = format!(
                    "{derive:?} is not a path of Rust; name a derive, such as `Default` or `@struct=Default`"
                );
                return Err(Refused::setting("derives", problem));
            }
        }
        if let Some(module) = &self.module
            && syn::parse_str::<syn::Ident>(module).is_err()
        {
            let problem = format!("{module:?} is not a name in Rust; use letters, digits and `_`");
            return Err(Refused::setting("module", problem));
        }
        if let Some(version) = &self.kubernetes
            && minor(version).is_none()
        {
            let [oldest, newest] = KUBERNETES;
            let problem = format!(
                "{version:?} is not a version that k8s-openapi 0.29 has types of; use one of 1.{oldest} to 1.{newest}"
            );
            return Err(Refused::setting("kubernetes", problem));
        }
        Ok(())
    }
}

/// A derive, and what it is for if that is said.
fn parts(derive: &str) -> (Option<DeriveOn>, &str) {
    for (prefix, on) in [
        ("@union=", DeriveOn::Unions),
        ("@struct=", DeriveOn::Structs),
        ("@enum=", DeriveOn::Enums),
    ] {
        if let Some(path) = derive.strip_prefix(prefix) {
            return (Some(on), path);
        }
    }
    (None, derive)
}

/// The minor version of `1.35`, if there are types of it.
fn minor(version: &str) -> Option<u8> {
    let [oldest, newest] = KUBERNETES;
    let minor = version.strip_prefix("1.")?.parse().ok()?;
    (oldest..=newest).contains(&minor).then_some(minor)
}
