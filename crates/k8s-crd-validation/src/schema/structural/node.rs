//! A row of the table of schemas: the keywords of one schema. Schemas inside the schema have rows
//! of their own, and are referenced by [`NodeId`].

use regex::Regex;
use serde_json::Value;

use super::schema_type::SchemaType;
use crate::schema::format::Format;
use crate::schema::raw::rule::Rule;
use k8s_json_internals::names::find_sorted;
use union_runtime::path::PathStep;

/// The index of a schema in [`StructuralSchema::nodes`].
pub(crate) type NodeId = u32;

/// The index of the whole schema.
pub(crate) const ROOT: NodeId = 0;

/// The keywords of a single schema.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a keyword")]
pub(crate) struct Node {
    pub(crate) schema_type: Option<SchemaType>,
    /// The value of `type`, if the type is unknown.
    pub(crate) unknown_type: Option<Box<str>>,
    pub(crate) nullable: bool,
    pub(crate) int_or_string: bool,
    pub(crate) preserves_unknown: bool,
    /// True if `x-kubernetes-map-type` has an unknown value. Servers do not correlate the values
    /// inside such a map with old values.
    pub(crate) has_unknown_map_type: bool,
    /// True for an embedded resource.
    pub(crate) embedded: bool,
    pub(crate) format: Option<Format>,
    pub(crate) default: Option<Box<Value>>,
    pub(crate) enum_values: Option<Box<[Value]>>,
    pub(crate) string: Option<Box<StringKeywords>>,
    pub(crate) number: Option<Box<NumberKeywords>>,
    pub(crate) items: Option<NodeId>,
    pub(crate) list: Option<Box<ListKeywords>>,
    /// The properties, sorted by name.
    pub(crate) properties: Box<[Property]>,
    /// The number of properties that have a default.
    pub(crate) default_count: usize,
    /// True if the schema has `properties`, even if `properties` is empty.
    pub(crate) has_properties: bool,
    pub(crate) additional_properties: AdditionalProperties,
    pub(crate) required: Box<[Box<str>]>,
    pub(crate) min_properties: Option<i64>,
    pub(crate) max_properties: Option<i64>,
    pub(crate) all_of: Box<[NodeId]>,
    pub(crate) any_of: Box<[NodeId]>,
    pub(crate) one_of: Box<[NodeId]>,
    pub(crate) not: Option<NodeId>,
    pub(crate) rules: Box<[Rule]>,
    /// True if the schema restricts only the type of the value itself. The values inside it may be
    /// restricted.
    pub(crate) has_only_type: bool,
    /// True if the schema has `allOf`, `anyOf`, `oneOf` or `not`.
    pub(crate) has_combinators: bool,
    /// Facts about the schema and all schemas inside it.
    pub(crate) subtree: SubtreeFlags,
}

/// A property of a schema.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    pub(crate) name: Box<str>,
    pub(crate) id: NodeId,
    pub(crate) has_default: bool,
    pub(crate) is_required: bool,
}

/// Facts about a schema and the schemas inside it, apart from combinators.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct SubtreeFlags {
    /// True if a schema has a default.
    pub(crate) has_defaults: bool,
    /// True if a list is of type set or map.
    pub(crate) has_list_types: bool,
    /// True if a schema is an embedded resource.
    pub(crate) has_embedded: bool,
    /// True if a schema has a CEL rule.
    pub(crate) has_rules: bool,
}

/// The value of `additionalProperties`, which applies to keys without a property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AdditionalProperties {
    #[default]
    Absent,
    Allowed,
    Forbidden,
    Schema(NodeId),
}

/// The keywords for strings.
#[derive(Clone, Debug, Default)]
pub(crate) struct StringKeywords {
    pub(crate) max_length: Option<i64>,
    pub(crate) min_length: Option<i64>,
    pub(crate) pattern: Option<Pattern>,
}

/// The value of `pattern`, as a string and compiled.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub(crate) source: Box<str>,
    /// The compiled pattern, or the error message for an invalid pattern. A stored CRD may have an
    /// invalid pattern; servers report the error for each string that the pattern applies to.
    pub(crate) regex: Result<Regex, Box<str>>,
}

/// The keywords for numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct NumberKeywords {
    pub(crate) maximum: Option<f64>,
    pub(crate) exclusive_maximum: bool,
    pub(crate) minimum: Option<f64>,
    pub(crate) exclusive_minimum: bool,
    pub(crate) multiple_of: Option<f64>,
    /// An inclusive range. Every integer in the range satisfies these keywords and every number
    /// type and format, so usual integers need no other check.
    pub(crate) always_valid: Option<[i32; 2]>,
}

/// The keywords for lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListKeywords {
    pub(crate) max_items: Option<i64>,
    pub(crate) min_items: Option<i64>,
    pub(crate) unique_items: bool,
    pub(crate) list_type: ListType,
    /// The keys of a list of type map.
    pub(crate) keys: Box<[Box<str>]>,
}

/// The value of `x-kubernetes-list-type`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ListType {
    /// An atomic list, or a list without a type.
    #[default]
    Atomic,
    Set,
    Map,
}

impl Node {
    /// Returns the schema of a property.
    pub(crate) fn property(&self, name: &str) -> Option<NodeId> {
        self.next_property(name, &mut 0).map(|property| property.id)
    }

    /// Returns a property. A caller that looks up names in sorted order is faster with this method
    /// than with [`property`](Self::property). `next_index` is the index at which the search
    /// starts, 0 for the first name.
    #[inline]
    pub(crate) fn next_property(&self, name: &str, next_index: &mut usize) -> Option<&Property> {
        let index = find_sorted(
            &self.properties,
            |property| &property.name,
            name,
            next_index,
        )?;
        self.properties.get(index)
    }

    /// Returns the properties that have a default.
    pub(crate) fn properties_with_default(&self) -> impl Iterator<Item = &Property> {
        let properties = self.properties.iter();
        properties
            .filter(|property| property.has_default)
            .take(self.default_count)
    }

    /// Returns the number of properties that have a default, without the properties `excluded`.
    pub(crate) fn count_defaults(&self, excluded: &[&str]) -> usize {
        if excluded.is_empty() {
            return self.default_count;
        }
        let is_counted = |property: &&Property| !excluded.contains(&&*property.name);
        self.properties_with_default().filter(is_counted).count()
    }

    /// Returns the schema of the value under a key: the schema of the property, or of
    /// `additionalProperties`.
    pub(crate) fn child(&self, key: &str) -> Option<NodeId> {
        self.property(key).or(self.additional_properties_schema())
    }

    /// Returns the schema of the value under a key, and the path step from the object to the value.
    pub(crate) fn child_and_step<'k>(&self, key: &'k str) -> Option<(NodeId, PathStep<'k>)> {
        match self.property(key) {
            Some(id) => Some((id, PathStep::Field(key))),
            None => Some((self.additional_properties_schema()?, PathStep::Key(key))),
        }
    }

    /// Returns the schema in `additionalProperties`, if there is one.
    pub(crate) const fn additional_properties_schema(&self) -> Option<NodeId> {
        match self.additional_properties {
            AdditionalProperties::Schema(id) => Some(id),
            _ => None,
        }
    }

    /// Returns the branches of `allOf`, `anyOf`, `oneOf` and `not`.
    pub(crate) fn branches(&self) -> impl Iterator<Item = NodeId> {
        let branch_lists = [&self.all_of, &self.any_of, &self.one_of];
        branch_lists.into_iter().flatten().chain(&self.not).copied()
    }

    pub(crate) fn list_type(&self) -> ListType {
        self.list
            .as_ref()
            .map_or(ListType::Atomic, |list| list.list_type)
    }

    /// Returns the keys that identify list elements, or no keys if the list is not of type map.
    pub(crate) fn list_keys(&self) -> &[Box<str>] {
        match &self.list {
            Some(list) if list.list_type == ListType::Map => &list.keys,
            _ => &[],
        }
    }
}
