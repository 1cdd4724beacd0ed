//! A compiler for the unions of a built-in kind.

use std::collections::{BTreeMap, BTreeSet};

use union_json::{DeclaredUnion, SchemaError, SchemaSource, Unions};

use crate::compile::schema;
use crate::prepare::Preparation;
use crate::table::data::{MemberRule, table};
use crate::table::kind::BuiltinKind;
use crate::table::union::{Arity, BuiltinMember, BuiltinUnion};
use crate::table::versions::versions;
use crate::unions::KindUnions;

/// A compiler for the unions of a built-in kind.
///
/// ```
/// use k8s_builtin_unions::find_kind;
/// use serde_json::json;
///
/// let ingress_class = find_kind("networking.k8s.io/v1", "IngressClass").expect("a built-in kind");
/// let unions = ingress_class.compiler().compile()?;
/// let strict_unions = ingress_class.compiler().strict().compile()?;
///
/// // Kubernetes 1.37 knows the scopes Cluster and Namespace.
/// let newer = json!({"spec": {"parameters": {"scope": "Zone", "zone": "a"}}});
/// assert!(unions.validate(&newer).is_accepted());
/// assert!(!strict_unions.validate(&newer).is_accepted());
/// # Ok::<(), union_json::SchemaError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct KindCompiler {
    kind: BuiltinKind,
    minor: Option<u32>,
    is_strict: bool,
    has_unenforced: bool,
}

impl BuiltinKind {
    /// Creates a compiler for the unions of the kind. By default, it compiles the unions that API
    /// servers enforce, with the members of all versions of Kubernetes.
    #[must_use]
    pub const fn compiler(self) -> KindCompiler {
        KindCompiler {
            kind: self,
            minor: None,
            is_strict: false,
            has_unenforced: false,
        }
    }
}

impl KindCompiler {
    /// Selects the unions, the members and the values of Kubernetes 1.`minor`. A server of that
    /// version drops other members, so they are ignored. [`compile`](Self::compile) returns an
    /// error if the version is not one of [`versions`].
    ///
    /// ```
    /// let pod = k8s_builtin_unions::find_kind("v1", "Pod").expect("a built-in kind");
    /// assert!(pod.compiler().minor(30).compile().is_ok());
    /// let error = pod.compiler().minor(27).compile().expect_err("an older version");
    /// assert_eq!(
    ///     error.message(),
    ///     "the table does not cover Kubernetes 1.27; use a version from 1.28 to 1.37",
    /// );
    /// ```
    #[must_use]
    pub const fn minor(mut self, minor: u32) -> Self {
        self.minor = Some(minor);
        self
    }

    /// Makes values and members that this build does not know errors. By default, they may be those
    /// of a newer version of Kubernetes.
    #[must_use]
    pub const fn strict(mut self) -> Self {
        self.is_strict = true;
        self
    }

    /// Adds the rules of unions that API servers do not enforce, such as the rules of a status.
    #[must_use]
    pub const fn with_unenforced(mut self) -> Self {
        self.has_unenforced = true;
        self
    }

    /// Compiles the unions.
    ///
    /// # Errors
    ///
    /// Returns an error if the table does not cover the version of [`minor`](Self::minor).
    pub fn compile(self) -> Result<KindUnions, SchemaError> {
        let versions = versions();
        if let Some(minor) = self.minor.filter(|minor| !versions.contains(minor)) {
            let message = format!(
                "the table does not cover Kubernetes 1.{minor}; use a version from 1.{} to 1.{}",
                versions.start(),
                versions.end()
            );
            return Err(SchemaError::new("", message));
        }
        let types = schema::reachable_types(self.kind.type_name());
        let document = schema::document(&types);
        let source = SchemaSource::OpenApi(&document, self.kind.type_name());
        let layers = self.layers(&types).into_iter().map(|layer| {
            let mut compiler = Unions::compiler();
            for (type_name, union) in &layer {
                let pointer = format!("#/components/schemas/{type_name}");
                compiler = compiler.declared_union_at(pointer, union);
            }
            compiler.compile(source)
        });
        Ok(KindUnions {
            layers: layers.collect::<Result<_, _>>()?,
            preparation: Preparation {
                type_name: self.kind.type_name(),
                allows_unknown_members: !self.is_strict,
            },
        })
    }

    /// Returns the unions in layers. A field is in at most one union of a layer, because
    /// [`Unions`] does not support unions with common fields.
    fn layers(self, types: &BTreeSet<&'static str>) -> Vec<Vec<(&'static str, DeclaredUnion)>> {
        let mut layers: Vec<Vec<(&str, DeclaredUnion)>> = Vec::new();
        for type_name in types {
            // The layers that contain a field, as the number of the next layer for it.
            let mut next_layer: BTreeMap<&str, usize> = BTreeMap::new();
            for row in table().unions_of(type_name) {
                let union = BuiltinUnion(row);
                let Some(declared) = self.declared(union) else {
                    continue;
                };
                let members = union.members().map(BuiltinMember::field);
                let fields: Vec<&str> = members.chain(union.discriminator()).collect();
                let layer = fields.iter().filter_map(|field| next_layer.get(field));
                let layer = layer.max().copied().unwrap_or_default();
                next_layer.extend(fields.iter().map(|field| (*field, layer + 1)));
                if layers.len() <= layer {
                    layers.resize_with(layer + 1, Vec::new);
                }
                if let Some(layer) = layers.get_mut(layer) {
                    layer.push((type_name, declared));
                }
            }
        }
        layers
    }

    /// Returns the union for union-json, with the rules that are wanted; `None` if the selected
    /// version of Kubernetes does not have the union, or does not enforce that other members are
    /// unset.
    fn declared(self, union: BuiltinUnion) -> Option<DeclaredUnion> {
        let has_rule = |rule| {
            self.has_unenforced && union.rules().any(|found| found == rule) || union.enforces(rule)
        };
        if !has_rule(MemberRule::AtMostOne) && !has_rule(MemberRule::OnlySelected) {
            return None;
        }
        let is_required = has_rule(MemberRule::Required);
        let is_too_old = |minor| union.since().is_some_and(|since| minor < since);
        if self.minor.is_some_and(is_too_old) {
            return None;
        }
        let members = union.members();
        let members: Vec<BuiltinMember> = members
            .filter(|member| member.exists_in(self.minor))
            .collect();
        if members.is_empty() {
            return None;
        }
        let mut declared = match (union.arity(), union.discriminator()) {
            (Arity::ByDiscriminator, Some(discriminator)) => {
                DeclaredUnion::discriminated(discriminator)
            }
            _ if is_required => DeclaredUnion::exactly_one(),
            _ => DeclaredUnion::at_most_one(),
        };
        if !self.is_strict {
            declared = declared.open();
        }
        let values = union.memberless_values();
        for value in values.filter(|value| value.exists_in(self.minor)) {
            declared = declared.empty_member(value.value());
        }
        for member in members {
            let value = member.value().unwrap_or(member.field());
            declared = if member.is_optional() || union.discriminator().is_some() && !is_required {
                declared.optional_member(value, member.field())
            } else {
                declared.member(value, member.field())
            };
        }
        Some(declared)
    }
}
