//! Reads the data file, which `tests/reference/builtin` writes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// The content of the data file.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Table {
    /// The oldest and the newest minor version of Kubernetes that the table covers.
    pub(crate) oldest: u32,
    pub(crate) newest: u32,
    pub(crate) kinds: Vec<KindRow>,
    /// The types from which a union can be reached, by their names in `OpenAPI`.
    pub(crate) types: BTreeMap<String, TypeFields>,
    /// The unions, in the order of their types in `types`.
    pub(crate) unions: Vec<UnionRow>,
}

/// The fields of a type by their JSON names. A type with unions has all of its fields; other types
/// have only the fields that lead to a union.
pub(crate) type TypeFields = BTreeMap<String, TypeField>;

#[derive(Debug, Deserialize)]
pub(crate) struct KindRow {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    #[serde(rename = "type")]
    pub(crate) type_name: String,
    #[serde(default)]
    pub(crate) since: Option<u32>,
    #[serde(default)]
    pub(crate) until: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct TypeField {
    /// The type of the value, of the items or of the map's values, if it leads to a union.
    #[serde(rename = "type", default)]
    pub(crate) type_name: Option<String>,
    #[serde(default)]
    pub(crate) shape: Shape,
    /// The keys of a list of type map.
    #[serde(default)]
    pub(crate) keys: Vec<String>,
    /// The strategy and the key of strategic merge patches, which are empty if the field has none.
    #[serde(default)]
    pub(crate) patch_strategy: String,
    #[serde(default)]
    pub(crate) merge_key: String,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Shape {
    #[default]
    Object,
    List,
    Map,
}

#[derive(Debug, Deserialize)]
pub(crate) struct UnionRow {
    #[serde(rename = "type")]
    pub(crate) type_name: String,
    /// The field that must contain the object. The field has a type of its own in `types`, which
    /// has the name of the field.
    #[serde(default)]
    pub(crate) place: Option<String>,
    #[serde(default)]
    pub(crate) discriminator: Option<DiscriminatorRow>,
    pub(crate) members: Vec<MemberRow>,
    pub(crate) arity: ArityRow,
    #[serde(default)]
    pub(crate) default_member: Option<String>,
    #[serde(default)]
    pub(crate) unenforced: Vec<MemberRule>,
    #[serde(default)]
    pub(crate) since: Option<u32>,
    pub(crate) source: String,
}

/// A rule of a union.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemberRule {
    /// At most one member is set. A union with a discriminator has
    /// [`OnlySelected`](Self::OnlySelected) instead.
    #[serde(rename = "at most one")]
    AtMostOne,
    /// A member is set. In a union with a discriminator, this is the selected member.
    #[serde(rename = "required")]
    Required,
    /// No member is set that the discriminator does not select.
    #[serde(rename = "only selected")]
    OnlySelected,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub(crate) enum ArityRow {
    #[serde(rename = "exactly one")]
    ExactlyOne,
    #[serde(rename = "at most one")]
    AtMostOne,
    #[serde(rename = "by discriminator")]
    ByDiscriminator,
}

#[derive(Debug, Deserialize)]
pub(crate) struct DiscriminatorRow {
    pub(crate) field: String,
    /// The values that have no member.
    #[serde(default)]
    pub(crate) empty: Vec<ValueRow>,
    /// The value that the server sets if the field is missing.
    #[serde(default)]
    pub(crate) default: Option<String>,
    /// True if an empty string counts as unset.
    #[serde(default)]
    pub(crate) unset_if_empty: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ValueRow {
    pub(crate) value: String,
    #[serde(default)]
    pub(crate) since: Option<u32>,
    #[serde(default)]
    pub(crate) until: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct MemberRow {
    pub(crate) field: String,
    #[serde(default)]
    pub(crate) value: String,
    #[serde(default)]
    pub(crate) optional: bool,
    /// True if an empty value counts as unset.
    #[serde(default)]
    pub(crate) unset_if_empty: bool,
    #[serde(default)]
    pub(crate) since: Option<u32>,
    #[serde(default)]
    pub(crate) until: Option<u32>,
}

impl UnionRow {
    /// Returns the name of the type in `types`.
    fn type_in_table(&self) -> &str {
        self.place.as_deref().unwrap_or(&self.type_name)
    }
}

impl Table {
    /// Returns the fields of a type.
    pub(crate) fn fields(&self, type_name: &str) -> impl Iterator<Item = (&str, &TypeField)> {
        let fields = self.types.get(type_name).into_iter().flatten();
        fields.map(|(name, field)| (name.as_str(), field))
    }

    /// Returns the unions of a type of `types`.
    pub(crate) fn unions_of(&self, type_name: &str) -> &[UnionRow] {
        let start = self
            .unions
            .partition_point(|union| union.type_in_table() < type_name);
        let unions = self.unions.get(start..).unwrap_or_default();
        let count = unions
            .iter()
            .take_while(|union| union.type_in_table() == type_name)
            .count();
        unions.get(..count).unwrap_or_default()
    }
}

/// Returns the content of the data file. A test checks that the file is valid, so the default never
/// applies.
pub(crate) fn table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(|| {
        serde_json::from_str(include_str!("../../data/unions.json")).unwrap_or_default()
    });
    &TABLE
}

/// Returns true if a part of the API with these limits exists in a minor version of Kubernetes. No
/// version means all versions.
pub(crate) fn exists_in(since: Option<u32>, until: Option<u32>, minor: Option<u32>) -> bool {
    minor.is_none_or(|minor| {
        since.is_none_or(|since| since <= minor) && until.is_none_or(|until| minor <= until)
    })
}
