//! Conversion of a schema to the nodes of the tables.

use serde_json::Value;

use k8s_cel::format::Formats;

use crate::schema::depth::{DEEPEST, check_data, too_deep};
use crate::schema::format::Format;
use crate::schema::place::Place;
use crate::schema::props::{Items, Props, WrongType};
use crate::schema::{
    Additional, Below, Kind, ListRules, ListType, Node, NodeId, NumberRules, Pattern, Property,
    Rule, StructuralSchema, TextRules,
};
use k8s_cel::pattern::Patterns;
use k8s_json_internals::deep;
use k8s_json_internals::rows::{row, row_mut};
use union_runtime::Violation;
use union_runtime::path::FieldPath;

/// Returns the nodes of a schema, in an order in which a schema precedes the schemas inside it.
pub(super) fn read(schema: &Value, at: &Place<'_>) -> Result<Vec<Node>, Violation> {
    let mut compiler = Compiler {
        formats: Formats::default(),
        patterns: Patterns::default(),
        nodes: Vec::new(),
    };
    compiler.add(schema, at, DEEPEST)?;
    Ok(compiler.nodes)
}

/// Removes the keywords that only a structural schema has: defaults, types of lists, embedded
/// resources and rules.
pub(super) fn keep_keywords_alone(nodes: &mut [Node]) {
    for node in nodes {
        node.default = None;
        node.defaulted = 0;
        for property in &mut node.properties {
            property.has_default = false;
        }
        node.embedded = false;
        node.rules = Box::default();
        node.below = Below::default();
        if let Some(list) = &mut node.list {
            list.list_type = ListType::Atomic;
            list.keys = Box::default();
        }
    }
}

impl StructuralSchema {
    /// Returns true if the schema has an enum, combinators included.
    pub(super) fn has_values(&self, id: NodeId) -> bool {
        let node = self.node(id);
        node.values.is_some() || node.branches().any(|branch| self.has_values(branch))
    }

    /// Returns true if the schema restricts the generation of an object, combinators included.
    /// Well-designed schemas do not.
    pub(super) fn is_about_generation(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let metadata = node.child("metadata").map(|metadata| self.node(metadata));
        let is_about = metadata.is_some_and(|metadata| {
            metadata.child("generation").is_some()
                || metadata.required.iter().any(|name| **name == *"generation")
                || metadata.max_properties.is_some()
                || metadata.min_properties.is_some()
                || !metadata.rules.is_empty()
                || metadata.branches().next().is_some()
        });
        is_about
            || node
                .branches()
                .any(|branch| self.is_about_generation(branch))
    }

    /// Returns the number of rules in a schema, without combinators.
    pub(super) fn count_rules(&self, id: NodeId) -> usize {
        let node = self.node(id);
        let mut count = node.rules.len();
        if node.below.has_rules {
            self.each_child(id, &Place::root(&FieldPath::root()), &mut |child, _| {
                count += self.count_rules(child);
            });
        }
        count
    }
}

struct Compiler {
    formats: Formats,
    patterns: Patterns,
    nodes: Vec<Node>,
}

impl Compiler {
    /// Adds a schema and all schemas inside it, which may have `levels` levels.
    fn add(&mut self, schema: &Value, at: &Place<'_>, levels: usize) -> Result<NodeId, Violation> {
        let Some(levels) = levels.checked_sub(1) else {
            return Err(too_deep(at));
        };
        let props = Props::read(schema).map_err(|wrong| at.wrong_type(&wrong))?;
        check_data(&props, at)?;
        let Ok(id) = NodeId::try_from(self.nodes.len()) else {
            return Err(at.invalid("the schema is too large"));
        };
        // The index is reserved first, so that the schemas inside it have larger indices.
        self.nodes.push(Node::default());
        let mut node = Node {
            kind: Kind::of_name(props.kind),
            odd_kind: Some(props.kind)
                .filter(|kind| !kind.is_empty() && Kind::of_name(kind).is_none())
                .map(Into::into),
            nullable: props.nullable,
            int_or_string: props.int_or_string,
            preserves_unknown: props.preserve_unknown_fields == Some(true),
            has_odd_map_type: props
                .map_type
                .is_some_and(|map_type| !["atomic", "granular"].contains(&map_type)),
            embedded: props.embedded_resource,
            format: Format::of(&props, &self.formats),
            default: props.default.map(|default| Box::new(deep::copy(default))),
            values: props
                .values
                .map(|values| values.iter().map(deep::copy).collect()),
            text: text_rules(&props, &mut self.patterns),
            number: number_rules(&props),
            list: list_rules(&props),
            has_properties: props.properties.is_some(),
            required: props.required.iter().map(|name| (*name).into()).collect(),
            min_properties: props.min_properties,
            max_properties: props.max_properties,
            rules: rules(&props, at)?,
            ..Node::default()
        };
        node.below = Below {
            has_defaults: node.default.is_some(),
            has_list_types: node.list_type() != ListType::Atomic,
            has_embedded: node.embedded,
            has_rules: !node.rules.is_empty(),
        };
        self.add_children(&props, at, levels, &mut node)?;
        self.add_combinators(&props, at, levels, &mut node)?;
        let is_combined = node.branches().next().is_some();
        node.is_combined = is_combined;
        node.is_type_alone = node.is_type_alone();
        *row_mut(&mut self.nodes, id) = node;
        Ok(id)
    }

    fn add_children(
        &mut self,
        props: &Props<'_>,
        at: &Place<'_>,
        levels: usize,
        node: &mut Node,
    ) -> Result<(), Violation> {
        let mut properties = Vec::new();
        let mut required = props.required.clone();
        required.sort_unstable();
        for (name, schema) in props.properties.into_iter().flatten() {
            let id = self.add(schema, &at.key("properties", name), levels)?;
            let has_default = row(&self.nodes, id).default.is_some();
            node.defaulted += usize::from(has_default);
            properties.push(Property {
                name: name.as_str().into(),
                id,
                has_default,
                is_required: required.binary_search(&name.as_str()).is_ok(),
            });
        }
        properties.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        node.properties = properties.into();
        if let Some(Items::One(items)) = props.items {
            node.items = Some(self.add(items, &at.field("items"), levels)?);
        }
        node.additional = match props.additional_properties {
            None => Additional::Nothing,
            Some(Value::Bool(true)) => Additional::Allowed,
            Some(Value::Bool(false)) => Additional::Forbidden,
            Some(schema) => {
                Additional::Schema(self.add(schema, &at.field("additionalProperties"), levels)?)
            }
        };
        let values = node.values_schema();
        let properties = node.properties.iter().map(|property| property.id);
        for id in properties.chain(node.items).chain(values) {
            node.below.join(row(&self.nodes, id).below);
        }
        Ok(())
    }

    fn add_combinators(
        &mut self,
        props: &Props<'_>,
        at: &Place<'_>,
        levels: usize,
        node: &mut Node,
    ) -> Result<(), Violation> {
        for (keyword, schemas, slot) in [
            ("allOf", props.all_of, &mut node.all_of),
            ("anyOf", props.any_of, &mut node.any_of),
            ("oneOf", props.one_of, &mut node.one_of),
        ] {
            let mut branches = Vec::with_capacity(schemas.len());
            for (i, schema) in schemas.iter().enumerate() {
                branches.push(self.add(schema, &at.index(keyword, i), levels)?);
            }
            *slot = branches.into();
        }
        if let Some(not) = props.not {
            node.not = Some(self.add(not, &at.field("not"), levels)?);
        }
        Ok(())
    }
}

impl Node {
    fn is_type_alone(&self) -> bool {
        self.kind.is_some()
            && !self.int_or_string
            && self.format.is_none()
            && self.values.is_none()
            && self.text.is_none()
            && self.number.is_none()
            && self.list.is_none()
            && self.required.is_empty()
            && self.min_properties.is_none()
            && self.max_properties.is_none()
            && !self.is_combined
    }
}

impl Below {
    fn join(&mut self, other: Self) {
        self.has_defaults |= other.has_defaults;
        self.has_list_types |= other.has_list_types;
        self.has_embedded |= other.has_embedded;
        self.has_rules |= other.has_rules;
    }
}

fn text_rules(props: &Props<'_>, patterns: &mut Patterns) -> Option<Box<TextRules>> {
    let pattern = (!props.pattern.is_empty()).then(|| Pattern {
        text: props.pattern.into(),
        // In an error of a value, an API server prints only the reason.
        regex: patterns
            .compile(props.pattern)
            .map_err(|error| error.reason().into()),
    });
    let rules = TextRules {
        max_length: props.max_length,
        min_length: props.min_length,
        pattern,
    };
    let has_rules =
        rules.max_length.is_some() || rules.min_length.is_some() || rules.pattern.is_some();
    has_rules.then(|| Box::new(rules))
}

fn number_rules(props: &Props<'_>) -> Option<Box<NumberRules>> {
    let rules = NumberRules {
        maximum: props.maximum,
        exclusive_maximum: props.exclusive_maximum,
        minimum: props.minimum,
        exclusive_minimum: props.exclusive_minimum,
        multiple_of: props.multiple_of,
        sure: sure_integers(props),
    };
    let has_rules =
        rules.maximum.is_some() || rules.minimum.is_some() || rules.multiple_of.is_some();
    has_rules.then(|| Box::new(rules))
}

/// Returns the range of integers that are known to be valid. Bounds that are in the range of every
/// type and format are compared without conversion.
fn sure_integers(props: &Props<'_>) -> Option<[i32; 2]> {
    let is_of_numbers = matches!(
        Kind::of_name(props.kind),
        Some(Kind::Integer | Kind::Number)
    );
    if !is_of_numbers || props.multiple_of.is_some() {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "it is whole, and in range")]
    let whole = |bound: f64| {
        let is_whole = bound.fract() == 0.0 && f64::from(bound as i32).to_bits() == bound.to_bits();
        is_whole.then_some(bound as i32)
    };
    let least = match props.minimum {
        None => i32::MIN,
        Some(bound) => whole(bound)?.checked_add(i32::from(props.exclusive_minimum))?,
    };
    let most = match props.maximum {
        None => i32::MAX,
        Some(bound) => whole(bound)?.checked_sub(i32::from(props.exclusive_maximum))?,
    };
    Some([least, most])
}

fn list_rules(props: &Props<'_>) -> Option<Box<ListRules>> {
    let rules = ListRules {
        max_items: props.max_items,
        min_items: props.min_items,
        unique_items: props.unique_items,
        list_type: match props.list_type {
            Some("set") => ListType::Set,
            Some("map") => ListType::Map,
            _ => ListType::Atomic,
        },
        keys: props
            .list_map_keys
            .iter()
            .map(|key| (*key).into())
            .collect(),
    };
    let has_rules = rules.max_items.is_some()
        || rules.min_items.is_some()
        || rules.unique_items
        || rules.list_type != ListType::Atomic;
    has_rules.then(|| Box::new(rules))
}

fn rules(props: &Props<'_>, at: &Place<'_>) -> Result<Box<[Rule]>, Violation> {
    let rules = props.validations.iter().enumerate();
    rules
        .map(|(i, rule)| {
            rule_of(rule)
                .map_err(|wrong| at.index("x-kubernetes-validations", i).wrong_type(&wrong))
        })
        .collect()
}

fn rule_of(rule: &Value) -> Result<Rule, WrongType> {
    let text = |keyword: &'static str| match rule.get(keyword) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str().into())),
        Some(_) => Err(WrongType {
            keyword,
            wanted: "a string",
        }),
    };
    let optional_old_self = match rule.get("optionalOldSelf") {
        None | Some(Value::Null) => None,
        Some(Value::Bool(value)) => Some(*value),
        Some(_) => {
            return Err(WrongType {
                keyword: "optionalOldSelf",
                wanted: "true or false",
            });
        }
    };
    Ok(Rule {
        rule: text("rule")?.unwrap_or_default(),
        message: text("message")?.unwrap_or_default(),
        message_expression: text("messageExpression")?.unwrap_or_default(),
        reason: text("reason")?,
        field_path: text("fieldPath")?.unwrap_or_default(),
        optional_old_self,
    })
}
