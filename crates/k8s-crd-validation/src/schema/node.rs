//! A schema in the table: its keywords, and what is asked of it alone.

use regex::Regex;
use serde_json::Value;

use super::format::Format;
use super::kind::Kind;
use k8s_json_internals::names::find_next;
use union_runtime::path::Step;

/// The place of a schema in [`StructuralSchema::nodes`].
pub(crate) type NodeId = u32;

/// The place of the whole schema.
pub(crate) const ROOT: NodeId = 0;

/// One schema.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a keyword")]
pub(crate) struct Node {
    pub(crate) kind: Option<Kind>,
    /// The type as it is written, if it is none that there is.
    pub(crate) odd_kind: Option<Box<str>>,
    pub(crate) nullable: bool,
    pub(crate) int_or_string: bool,
    pub(crate) preserves_unknown: bool,
    /// True if its map type is none that there is, which keeps what it holds from being correlated.
    pub(crate) has_odd_map_type: bool,
    pub(crate) embedded: bool,
    pub(crate) format: Option<Format>,
    pub(crate) default: Option<Box<Value>>,
    pub(crate) values: Option<Box<[Value]>>,
    pub(crate) text: Option<Box<TextRules>>,
    pub(crate) number: Option<Box<NumberRules>>,
    pub(crate) items: Option<NodeId>,
    pub(crate) list: Option<Box<ListRules>>,
    /// Sorted by name.
    pub(crate) properties: Box<[Property]>,
    /// The number of properties that have a default.
    pub(crate) defaulted: usize,
    /// True if `properties` is written there, if only to say that there are none.
    pub(crate) has_properties: bool,
    pub(crate) additional: Additional,
    pub(crate) required: Box<[Box<str>]>,
    pub(crate) min_properties: Option<i64>,
    pub(crate) max_properties: Option<i64>,
    pub(crate) all_of: Box<[NodeId]>,
    pub(crate) any_of: Box<[NodeId]>,
    pub(crate) one_of: Box<[NodeId]>,
    pub(crate) not: Option<NodeId>,
    pub(crate) rules: Box<[Rule]>,
    /// True if the type is all that it says of a value itself, whatever the value holds.
    pub(crate) is_type_alone: bool,
    /// True if schemas are combined in it.
    pub(crate) is_combined: bool,
    /// Facts of the schema and all that it holds.
    pub(crate) below: Below,
}

/// A property, and what else a walk has to know of it.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    pub(crate) name: Box<str>,
    pub(crate) id: NodeId,
    pub(crate) has_default: bool,
    pub(crate) is_required: bool,
}

/// Facts of a schema and of what it holds, combinators left aside.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Below {
    /// A default.
    pub(crate) has_defaults: bool,
    /// A list of type set or map.
    pub(crate) has_list_types: bool,
    /// An embedded resource.
    pub(crate) has_embedded: bool,
    /// A CEL rule.
    pub(crate) has_rules: bool,
}

/// The treatment of keys without a property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Additional {
    #[default]
    Nothing,
    Allowed,
    Forbidden,
    Schema(NodeId),
}

/// Rules for texts.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextRules {
    pub(crate) max_length: Option<i64>,
    pub(crate) min_length: Option<i64>,
    pub(crate) pattern: Option<Pattern>,
}

/// A regular expression, as it was written and as it runs.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub(crate) text: Box<str>,
    /// Or its problem: a server that has stored such a pattern finds out when there is a text.
    pub(crate) regex: Result<Regex, Box<str>>,
}

/// Rules for numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct NumberRules {
    pub(crate) maximum: Option<f64>,
    pub(crate) exclusive_maximum: bool,
    pub(crate) minimum: Option<f64>,
    pub(crate) exclusive_minimum: bool,
    pub(crate) multiple_of: Option<f64>,
    /// The least and the greatest of the integers that break none of these rules, nor those of a
    /// type or a format, whatever else there is.
    pub(crate) sure: Option<[i32; 2]>,
}

/// Rules for lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListRules {
    pub(crate) max_items: Option<i64>,
    pub(crate) min_items: Option<i64>,
    pub(crate) unique_items: bool,
    pub(crate) list_type: ListType,
    /// The keys of a list of type map.
    pub(crate) keys: Box<[Box<str>]>,
}

/// The type of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ListType {
    /// Atomic, or not said.
    #[default]
    Atomic,
    Set,
    Map,
}

/// A CEL rule, as it is written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rule {
    #[expect(clippy::struct_field_names, reason = "it is the keyword")]
    pub(crate) rule: Box<str>,
    pub(crate) message: Box<str>,
    pub(crate) message_expression: Box<str>,
    pub(crate) reason: Option<Box<str>>,
    pub(crate) field_path: Box<str>,
    pub(crate) optional_old_self: Option<bool>,
}

impl Node {
    /// The schema of a property.
    pub(crate) fn property(&self, name: &str) -> Option<NodeId> {
        self.next_property(name, &mut 0).map(|property| property.id)
    }

    /// Returns a property, for names that are asked for one after the other; `next` is 0 at first.
    #[inline]
    pub(crate) fn next_property(&self, name: &str, next: &mut usize) -> Option<&Property> {
        let found = find_next(&self.properties, |other| &other.name, name, next)?;
        self.properties.get(found)
    }

    /// The properties that have a default.
    pub(crate) fn defaulted(&self) -> impl Iterator<Item = &Property> {
        let properties = self.properties.iter();
        properties
            .filter(|property| property.has_default)
            .take(self.defaulted)
    }

    /// Returns the number of properties that have a default, but for some.
    pub(crate) fn count_defaulted(&self, but: &[&str]) -> usize {
        if but.is_empty() {
            return self.defaulted;
        }
        let is_counted = |property: &&Property| !but.contains(&&*property.name);
        self.defaulted().filter(is_counted).count()
    }

    /// The schema of the value under a key: a property's, or that of all other keys.
    pub(crate) fn child(&self, key: &str) -> Option<NodeId> {
        self.property(key).or(self.values_schema())
    }

    /// Returns the schema of the value under a key, and how paths name the value.
    pub(crate) fn child_at<'k>(&self, key: &'k str) -> Option<(NodeId, Step<'k>)> {
        match self.property(key) {
            Some(id) => Some((id, Step::Field(key))),
            None => Some((self.values_schema()?, Step::Key(key))),
        }
    }

    /// The schema of a map's values.
    pub(crate) const fn values_schema(&self) -> Option<NodeId> {
        match self.additional {
            Additional::Schema(id) => Some(id),
            _ => None,
        }
    }

    /// The schemas that are combined in it.
    pub(crate) fn branches(&self) -> impl Iterator<Item = NodeId> {
        let all = [&self.all_of, &self.any_of, &self.one_of];
        all.into_iter().flatten().chain(&self.not).copied()
    }

    pub(crate) fn list_type(&self) -> ListType {
        self.list
            .as_ref()
            .map_or(ListType::Atomic, |list| list.list_type)
    }

    /// The keys by which the elements of a list are correlated; none where they are not.
    pub(crate) fn list_keys(&self) -> &[Box<str>] {
        match &self.list {
            Some(list) if list.list_type == ListType::Map => &list.keys,
            _ => &[],
        }
    }
}
