//! The nodes of a schema that contain unions, for programs that generate rules for the unions in
//! another language.

use serde_json::Value;

use crate::walk::compiled_node::{CompiledNode, NodeId};
use k8s_json_internals::rows::row;
use union_runtime::MemberSpec;
use union_runtime::spec::OwnedUnionSpec;
use union_runtime::{UnionModel, UnionSpec};
use union_runtime::{needed_one_of, needed_when, only_one_of, only_when};

/// A node of a schema: an object, a map or a list that has unions or contains values with unions.
///
/// ```
/// use serde_json::json;
/// use union_json::{SchemaSource, Unions};
///
/// let target = json!({
///     "type": "object",
///     "x-kubernetes-unions": [{"fields-to-discriminateBy": {"git": "Git", "s3": "S3"}}],
/// });
/// let targets = json!({"type": "array", "items": target});
/// let schema = json!({"type": "object", "properties": {"targets": targets}});
/// let unions = Unions::compile(SchemaSource::Schema(&schema))?;
/// let (name, targets) = unions.root_node().unwrap().fields().next().unwrap();
/// let union = targets.items().unwrap().unions().next().unwrap();
/// assert_eq!((name, union.spec().members().len()), ("targets", 2));
/// assert!(union.message_several().ends_with("`git`, `s3`"));
/// # Ok::<(), union_json::SchemaError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SchemaNode<'a> {
    nodes: &'a [CompiledNode],
    id: NodeId,
}

/// A union at a [`SchemaNode`], with the messages that validation uses for this union.
#[derive(Clone, Copy, Debug)]
pub struct UnionAtNode<'a>(&'a OwnedUnionSpec);

impl<'a> SchemaNode<'a> {
    pub(crate) fn root(nodes: &'a [CompiledNode]) -> Option<Self> {
        let id = 0;
        (!nodes.is_empty()).then_some(Self { nodes, id })
    }

    fn node(self) -> &'a CompiledNode {
        row(self.nodes, self.id)
    }

    fn with_id(self, id: NodeId) -> Self {
        Self { id, ..self }
    }

    /// Returns the unions of the object.
    pub fn unions(self) -> impl Iterator<Item = UnionAtNode<'a>> {
        self.node().unions.iter().map(UnionAtNode)
    }

    /// Returns the fields whose values contain unions, with the nodes of the values, in the order
    /// of the schema.
    pub fn fields(self) -> impl Iterator<Item = (&'a str, Self)> {
        let fields = self.node().fields.iter();
        fields.map(move |(name, id)| (&**name, self.with_id(*id)))
    }

    /// Returns the node of the fields that the schema does not describe by name, or `None` if the
    /// values of these fields contain no unions.
    #[must_use]
    pub fn additional_properties(self) -> Option<Self> {
        self.node().additional_properties.map(|id| self.with_id(id))
    }

    /// Returns the sorted names of the fields that the schema describes. The node of
    /// [`additional_properties`](Self::additional_properties) does not apply to these fields.
    pub fn property_names(self) -> impl Iterator<Item = &'a str> {
        self.node().field_table.property_names()
    }

    /// Returns the node of the elements of a list, or `None` if the elements contain no unions.
    #[must_use]
    pub fn items(self) -> Option<Self> {
        self.node().items.map(|id| self.with_id(id))
    }

    /// Returns the keys of the elements of a list of type map, each with its default. The result is
    /// empty for other lists.
    pub fn list_map_keys(self) -> impl Iterator<Item = (&'a str, Option<&'a Value>)> {
        let keys = self.node().keys.0.iter();
        keys.map(|key| (&*key.name, key.default.as_ref()))
    }

    /// Returns the number of the node in its [`Unions`](crate::Unions). Values with the same schema
    /// share a node. In a recursive schema, a node may be below itself.
    #[must_use]
    pub const fn id(self) -> u32 {
        self.id
    }
}

impl<'a> UnionAtNode<'a> {
    /// Returns the spec of the union: its discriminator and its members.
    #[must_use]
    pub fn spec(self) -> UnionSpec<'a> {
        self.0.spec()
    }

    /// Returns the discriminator value that applies if the discriminator is absent: the default of
    /// the schema, or `""` if the empty string is a discriminator value.
    #[must_use]
    pub fn default_value(self) -> Option<&'a str> {
        let spec = self.0.spec();
        let default = self.0.default();
        let empty_value = spec.empty_value().map(usize::from);
        let empty_value = empty_value.filter(|_| spec.is_selected_by_discriminator());
        spec.value(default.or(empty_value)?)
    }

    /// Returns the message for a member that is set but not selected.
    #[must_use]
    pub fn message_not_selected(self, member: MemberSpec<'_>) -> String {
        only_when(self.discriminator(), member.value()).to_string()
    }

    /// Returns the message for a member that is selected but not set.
    #[must_use]
    pub fn message_unset(self, member: MemberSpec<'_>) -> String {
        needed_when(self.discriminator(), member.value()).to_string()
    }

    /// Returns the message for an object in which several members are set.
    #[must_use]
    pub fn message_several(self) -> String {
        let spec = self.0.spec();
        let names = spec.members().map(MemberSpec::name);
        only_one_of(spec.model() == UnionModel::ExactlyOne, names)
    }

    /// Returns the message for an object in which no member is set, although one is required.
    #[must_use]
    pub fn message_none_set(self) -> String {
        needed_one_of(self.0.spec().members().map(MemberSpec::name))
    }

    /// Returns the name of the discriminator, or `""` if the union has none.
    fn discriminator(self) -> &'a str {
        let spec = self.0.spec();
        spec.discriminator()
            .map_or("", union_runtime::DiscriminatorSpec::name)
    }
}
