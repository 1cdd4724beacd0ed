//! A structural schema, compiled once into tables: data, and what is asked of it. Who judges by it comes later.

pub(crate) mod depth;
pub(crate) mod format;
pub(crate) mod go;
pub(crate) mod libraries;
pub(crate) mod place;
pub(crate) mod print;
pub(crate) mod programs;
pub(crate) mod props;
pub(crate) mod scale;

use regex::Regex;
use serde_json::Value;

use format::Format;
use place::Place;
use programs::Programs;
use scale::Scale;

use k8s_json_internals::names::find_next;
use k8s_json_internals::rows::row;
use union_json::{SchemaError, Unions};
use union_runtime::path::Step;

/// The place of a schema in [`StructuralSchema::nodes`].
pub(crate) type NodeId = u32;

/// The schema of a version of a CRD, compiled once for any number of requests.
///
/// It is made by [`compile`](Self::compile), which refuses what an API server refuses; see
/// [the crate](crate).
#[derive(Clone, Debug)]
pub struct StructuralSchema {
    pub(crate) nodes: Vec<Node>,
    /// Whether status is a resource of its own.
    pub(crate) status_subresource: bool,
    /// Whether the CRD preserves unknown fields, as those of `apiextensions.k8s.io/v1beta1` may: nothing is pruned then.
    pub(crate) preserves_unknown: bool,
    /// Whether old and new are correlated. They are not by a stored schema that is not structural.
    pub(crate) correlates: bool,
    /// The paths of the scale subresource.
    pub(crate) scale: Scale,
    /// What the CRD is called, where the schema came with one.
    pub(crate) identity: Option<Identity>,
    /// Facts of the whole schema that let a request skip work.
    pub(crate) facts: Facts,
    /// The CEL rules.
    pub(crate) programs: Option<Programs>,
    /// The unions of the schema, which API servers know nothing of.
    pub(crate) unions: Unions,
    pub(crate) union_problems: Vec<SchemaError>,
}

/// What objects must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) api_version: String,
    pub(crate) kind: String,
    pub(crate) is_namespaced: bool,
}

/// What is somewhere in a schema.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Facts {
    /// How many CEL rules there are outside of combinators.
    pub(crate) rules: usize,
    /// Whether the generation, which a server sets, can be seen in what is said of an object: the root is printed, or compared by a
    /// rule, or something is said of generations.
    pub(crate) shows_generation: bool,
}

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
    /// Whether its map type is none that there is, which keeps what it holds from being correlated.
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
    /// How many of the properties have a default.
    pub(crate) defaulted: usize,
    /// Whether `properties` is written there, if only to say that there are none.
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
    /// Whether the type is all that it says of a value itself, whatever the value holds.
    pub(crate) is_type_alone: bool,
    /// Whether schemas are combined in it.
    pub(crate) is_combined: bool,
    /// Facts of the schema and all that it holds.
    pub(crate) below: Below,
}

/// A property, and what else is to be known of it where a walk comes by it.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    pub(crate) name: Box<str>,
    pub(crate) id: NodeId,
    pub(crate) has_default: bool,
    pub(crate) is_required: bool,
}

/// What is in a schema or in what it holds, without combinators.
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

/// The type of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Array,
    Boolean,
    Integer,
    Number,
    Object,
    String,
}

/// What is said about keys without a property.
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
    /// Or what is wrong with it: a server that has stored such a pattern finds out when there is a text.
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
    /// The least and the greatest of the integers that break none of these rules, nor those of a type or a format, whatever else
    /// there is.
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

impl StructuralSchema {
    /// What is wrong with unions that the schema, or an annotation of the CRD, declares. An API server knows nothing of unions, so
    /// it is not a reason to refuse the schema; such unions are not judged, also where
    /// [`ServerSettings::unions`](crate::ServerSettings::unions) asks for it.
    ///
    /// ```
    /// use k8s_crd_validation::StructuralSchema;
    /// use serde_json::json;
    ///
    /// let schema = StructuralSchema::compile(&json!({
    ///     "type": "object", "properties": {"a": {"type": "string"}},
    ///     "x-kubernetes-unions": [{"fields-to-discriminateBy": {"b": "B"}}],
    /// }))?;
    /// assert!(schema.union_problems()[0].problem().contains(r#"a field "b", which is not a property"#));
    /// # Ok::<(), k8s_crd_validation::Violations>(())
    /// ```
    #[must_use]
    pub fn union_problems(&self) -> &[SchemaError] {
        &self.union_problems
    }

    pub(crate) const ROOT: NodeId = 0;

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        row(&self.nodes, id)
    }

    /// Shows what a schema holds, without combinators.
    pub(crate) fn each_child(
        &self,
        id: NodeId,
        at: &Place<'_>,
        show: &mut dyn FnMut(NodeId, &Place<'_>),
    ) {
        let node = self.node(id);
        for property in &node.properties {
            show(property.id, &at.key("properties", &property.name));
        }
        if let Some(items) = node.items {
            show(items, &at.field("items"));
        }
        if let Some(child) = node.values_schema() {
            show(child, &at.field("additionalProperties"));
        }
    }
}

impl Node {
    /// The schema of a property.
    pub(crate) fn property(&self, name: &str) -> Option<NodeId> {
        self.next_property(name, &mut 0).map(|property| property.id)
    }

    /// The same, for names that are asked for one after the other; `next` is 0 at first.
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

    /// How many properties have a default, but for some.
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

    /// The same, and how paths name the value.
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

    /// What is combined in it.
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

impl Kind {
    /// Whether a value is seen to be of this kind at a look. Other numbers than integers are not: that takes more.
    #[inline]
    pub(crate) fn is_of(self, value: &Value) -> bool {
        match value {
            Value::Null => false,
            Value::Bool(_) => self == Self::Boolean,
            Value::Number(number) => {
                matches!(self, Self::Integer | Self::Number) && number.is_i64()
            }
            Value::String(_) => self == Self::String,
            Value::Array(_) => self == Self::Array,
            Value::Object(_) => self == Self::Object,
        }
    }

    pub(crate) const ALL: [&'static str; 6] =
        ["array", "boolean", "integer", "number", "object", "string"];

    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "array" => Self::Array,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "object" => Self::Object,
            "string" => Self::String,
            _ => return None,
        })
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Array => "array",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Object => "object",
            Self::String => "string",
        }
    }
}
