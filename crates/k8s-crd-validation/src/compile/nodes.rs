//! Conversion of the JSON of a schema to the table of nodes of a compiled schema.

use serde_json::Value;

use k8s_cel::format::Formats;

use crate::schema::crd_path::CrdPath;
use crate::schema::depth::{MAX_SCHEMA_DEPTH, check_value_depths, schema_too_deep_error};
use crate::schema::format::Format;
use crate::schema::raw::keywords::{Items, Keywords};
use crate::schema::{
    AdditionalProperties, ListKeywords, ListType, Node, NodeId, NumberKeywords, Pattern, Property,
    Rule, SchemaType, StringKeywords, StructuralSchema, SubtreeFlags,
};
use k8s_cel::pattern::PatternSet;
use k8s_json_internals::deep;
use k8s_json_internals::rows::{row, row_mut};
use union_runtime::Violation;
use union_runtime::path::FieldPath;

/// Returns the nodes of a schema, in an order in which a schema precedes the schemas inside it.
pub(super) fn build_nodes(schema: &Value, path: &CrdPath<'_>) -> Result<Vec<Node>, Violation> {
    let mut builder = NodeBuilder {
        formats: Formats::default(),
        patterns: PatternSet::default(),
        nodes: Vec::new(),
    };
    builder.add(schema, path, MAX_SCHEMA_DEPTH)?;
    Ok(builder.nodes)
}

/// Removes the keywords that only a structural schema has: defaults, types of lists, embedded
/// resources and rules.
pub(super) fn strip_structural_keywords(nodes: &mut [Node]) {
    for node in nodes {
        node.default = None;
        node.default_count = 0;
        for property in &mut node.properties {
            property.has_default = false;
        }
        node.embedded = false;
        node.rules = Box::default();
        node.subtree = SubtreeFlags::default();
        if let Some(list) = &mut node.list {
            list.list_type = ListType::Atomic;
            list.keys = Box::default();
        }
    }
}

impl StructuralSchema {
    /// Returns true if the schema or a branch of its combinators has an enum.
    pub(super) fn has_enum(&self, id: NodeId) -> bool {
        let node = self.node(id);
        node.enum_values.is_some() || node.branches().any(|branch| self.has_enum(branch))
    }

    /// Returns true if the schema or a branch of its combinators restricts the generation of an
    /// object.
    pub(super) fn restricts_generation(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let metadata = node.child("metadata").map(|metadata| self.node(metadata));
        let restricts_metadata = metadata.is_some_and(|metadata| {
            metadata.child("generation").is_some()
                || metadata.required.iter().any(|name| **name == *"generation")
                || metadata.max_properties.is_some()
                || metadata.min_properties.is_some()
                || !metadata.rules.is_empty()
                || metadata.branches().next().is_some()
        });
        restricts_metadata
            || node
                .branches()
                .any(|branch| self.restricts_generation(branch))
    }

    /// Returns the number of rules in a schema, without combinators.
    pub(super) fn count_rules(&self, id: NodeId) -> usize {
        let node = self.node(id);
        let mut count = node.rules.len();
        if node.subtree.has_rules {
            self.for_each_child(id, &CrdPath::root(&FieldPath::root()), &mut |child, _| {
                count += self.count_rules(child);
            });
        }
        count
    }
}

/// A builder of the table of nodes.
struct NodeBuilder {
    formats: Formats,
    patterns: PatternSet,
    nodes: Vec<Node>,
}

impl NodeBuilder {
    /// Adds a schema and all schemas inside the schema. The nesting must not exceed
    /// `remaining_levels`.
    fn add(
        &mut self,
        schema: &Value,
        path: &CrdPath<'_>,
        remaining_levels: usize,
    ) -> Result<NodeId, Violation> {
        let Some(remaining_levels) = remaining_levels.checked_sub(1) else {
            return Err(schema_too_deep_error(path));
        };
        let props = Keywords::decode(schema).map_err(|error| path.type_error(&error))?;
        check_value_depths(&props, path)?;
        let Ok(id) = NodeId::try_from(self.nodes.len()) else {
            return Err(path.invalid("the schema is too large"));
        };
        // The schema reserves its index first, so that the schemas inside have larger indices.
        self.nodes.push(Node::default());
        let mut node = Node {
            schema_type: SchemaType::from_name(props.schema_type),
            unknown_type: Some(props.schema_type)
                .filter(|kind| !kind.is_empty() && SchemaType::from_name(kind).is_none())
                .map(Into::into),
            nullable: props.nullable,
            int_or_string: props.int_or_string,
            preserves_unknown: props.preserve_unknown_fields == Some(true),
            has_unknown_map_type: props
                .map_type
                .is_some_and(|map_type| !["atomic", "granular"].contains(&map_type)),
            embedded: props.embedded_resource,
            format: Format::from_keywords(&props, &self.formats),
            default: props.default.map(|default| Box::new(deep::copy(default))),
            enum_values: props
                .enum_values
                .map(|values| values.iter().map(deep::copy).collect()),
            string: string_keywords(&props, &mut self.patterns),
            number: number_keywords(&props),
            list: list_keywords(&props),
            has_properties: props.properties.is_some(),
            required: props.required.iter().map(|name| (*name).into()).collect(),
            min_properties: props.min_properties,
            max_properties: props.max_properties,
            rules: decode_rules(&props, path)?,
            ..Node::default()
        };
        node.subtree = SubtreeFlags {
            has_defaults: node.default.is_some(),
            has_list_types: node.list_type() != ListType::Atomic,
            has_embedded: node.embedded,
            has_rules: !node.rules.is_empty(),
        };
        self.add_children(&props, path, remaining_levels, &mut node)?;
        self.add_combinators(&props, path, remaining_levels, &mut node)?;
        let is_combined = node.branches().next().is_some();
        node.has_combinators = is_combined;
        node.has_only_type = node.has_only_type();
        *row_mut(&mut self.nodes, id) = node;
        Ok(id)
    }

    fn add_children(
        &mut self,
        props: &Keywords<'_>,
        path: &CrdPath<'_>,
        remaining_levels: usize,
        node: &mut Node,
    ) -> Result<(), Violation> {
        let mut properties = Vec::new();
        let mut required = props.required.clone();
        required.sort_unstable();
        for (name, schema) in props.properties.into_iter().flatten() {
            let id = self.add(schema, &path.key("properties", name), remaining_levels)?;
            let has_default = row(&self.nodes, id).default.is_some();
            node.default_count += usize::from(has_default);
            properties.push(Property {
                name: name.as_str().into(),
                id,
                has_default,
                is_required: required.binary_search(&name.as_str()).is_ok(),
            });
        }
        properties.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        node.properties = properties.into();
        if let Some(Items::Schema(items)) = props.items {
            node.items = Some(self.add(items, &path.field("items"), remaining_levels)?);
        }
        node.additional_properties = match props.additional_properties {
            None => AdditionalProperties::Absent,
            Some(Value::Bool(true)) => AdditionalProperties::Allowed,
            Some(Value::Bool(false)) => AdditionalProperties::Forbidden,
            Some(schema) => AdditionalProperties::Schema(self.add(
                schema,
                &path.field("additionalProperties"),
                remaining_levels,
            )?),
        };
        let values = node.additional_properties_schema();
        let properties = node.properties.iter().map(|property| property.id);
        for id in properties.chain(node.items).chain(values) {
            node.subtree.merge(row(&self.nodes, id).subtree);
        }
        Ok(())
    }

    fn add_combinators(
        &mut self,
        props: &Keywords<'_>,
        path: &CrdPath<'_>,
        remaining_levels: usize,
        node: &mut Node,
    ) -> Result<(), Violation> {
        for (keyword, schemas, slot) in [
            ("allOf", props.all_of, &mut node.all_of),
            ("anyOf", props.any_of, &mut node.any_of),
            ("oneOf", props.one_of, &mut node.one_of),
        ] {
            let mut branches = Vec::with_capacity(schemas.len());
            for (i, schema) in schemas.iter().enumerate() {
                branches.push(self.add(schema, &path.index(keyword, i), remaining_levels)?);
            }
            *slot = branches.into();
        }
        if let Some(not) = props.not {
            node.not = Some(self.add(not, &path.field("not"), remaining_levels)?);
        }
        Ok(())
    }
}

impl Node {
    fn has_only_type(&self) -> bool {
        self.schema_type.is_some()
            && !self.int_or_string
            && self.format.is_none()
            && self.enum_values.is_none()
            && self.string.is_none()
            && self.number.is_none()
            && self.list.is_none()
            && self.required.is_empty()
            && self.min_properties.is_none()
            && self.max_properties.is_none()
            && !self.has_combinators
    }
}

impl SubtreeFlags {
    fn merge(&mut self, child_flags: Self) {
        self.has_defaults |= child_flags.has_defaults;
        self.has_list_types |= child_flags.has_list_types;
        self.has_embedded |= child_flags.has_embedded;
        self.has_rules |= child_flags.has_rules;
    }
}

fn string_keywords(props: &Keywords<'_>, patterns: &mut PatternSet) -> Option<Box<StringKeywords>> {
    let pattern = (!props.pattern.is_empty()).then(|| Pattern {
        source: props.pattern.into(),
        // In errors of values, an API server prints only the reason why the pattern is invalid.
        regex: patterns
            .compile(props.pattern)
            .map_err(|error| error.reason().into()),
    });
    let keywords = StringKeywords {
        max_length: props.max_length,
        min_length: props.min_length,
        pattern,
    };
    let has_keywords = keywords.max_length.is_some()
        || keywords.min_length.is_some()
        || keywords.pattern.is_some();
    has_keywords.then(|| Box::new(keywords))
}

fn number_keywords(props: &Keywords<'_>) -> Option<Box<NumberKeywords>> {
    let rules = NumberKeywords {
        maximum: props.maximum,
        exclusive_maximum: props.exclusive_maximum,
        minimum: props.minimum,
        exclusive_minimum: props.exclusive_minimum,
        multiple_of: props.multiple_of,
        always_valid: always_valid_integers(props),
    };
    let has_rules =
        rules.maximum.is_some() || rules.minimum.is_some() || rules.multiple_of.is_some();
    has_rules.then(|| Box::new(rules))
}

/// Returns the range of integers that are known to be valid, or `None` if a bound is not a 32-bit
/// integer.
fn always_valid_integers(props: &Keywords<'_>) -> Option<[i32; 2]> {
    let is_of_numbers = matches!(
        SchemaType::from_name(props.schema_type),
        Some(SchemaType::Integer | SchemaType::Number)
    );
    if !is_of_numbers || props.multiple_of.is_some() {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a bound that the cast changes is rejected"
    )]
    let whole = |bound: f64| {
        let is_whole = bound.fract() == 0.0 && f64::from(bound as i32).to_bits() == bound.to_bits();
        is_whole.then_some(bound as i32)
    };
    let minimum = match props.minimum {
        None => i32::MIN,
        Some(bound) => whole(bound)?.checked_add(i32::from(props.exclusive_minimum))?,
    };
    let maximum = match props.maximum {
        None => i32::MAX,
        Some(bound) => whole(bound)?.checked_sub(i32::from(props.exclusive_maximum))?,
    };
    Some([minimum, maximum])
}

fn list_keywords(props: &Keywords<'_>) -> Option<Box<ListKeywords>> {
    let keywords = ListKeywords {
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
    let has_keywords = keywords.max_items.is_some()
        || keywords.min_items.is_some()
        || keywords.unique_items
        || keywords.list_type != ListType::Atomic;
    has_keywords.then(|| Box::new(keywords))
}

fn decode_rules(props: &Keywords<'_>, path: &CrdPath<'_>) -> Result<Box<[Rule]>, Violation> {
    let rules = props.validations.iter().enumerate();
    rules
        .map(|(i, rule)| {
            Rule::decode(rule)
                .map_err(|error| path.index("x-kubernetes-validations", i).type_error(&error))
        })
        .collect()
}
