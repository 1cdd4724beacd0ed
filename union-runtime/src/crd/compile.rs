//! Compiles the schema of a CRD into tables.

use regex::Regex;
use serde_json::Value;

use super::format::{Format, Formats};
use super::lint::{self, DEEPEST, Place};
use super::pattern;
use super::props::{Items, Props, WrongType};
use super::scale::Scale;
use super::schema::{
    Additional, Below, Facts, Identity, Kind, ListRules, ListType, Node, NodeId, NumberRules,
    Pattern, Rule, StructuralSchema, TextRules,
};
use crate::deep;
use crate::engine::Unions;
use crate::engine::find_version;
use crate::table::{row, row_mut};
use crate::violation::{Found, Violation, ViolationKind, Violations};

/// Where errors of a bare schema say that they are.
const BARE: &str = "spec.validation.openAPIV3Schema";

impl StructuralSchema {
    /// Compiles a schema, as it stands under `openAPIV3Schema`. Status is no resource of its own.
    ///
    /// # Errors
    ///
    /// What is wrong with the schema, as an API server words it when a CRD is written.
    pub fn compile(schema: &Value) -> Result<Self, Violations> {
        Source::bare(schema).compile(true)
    }

    /// As [`compile`](Self::compile), where status is a resource of its own.
    ///
    /// # Errors
    ///
    /// As [`compile`](Self::compile).
    pub fn compile_with_status(schema: &Value) -> Result<Self, Violations> {
        let mut source = Source::bare(schema);
        source.status_subresource = true;
        source.compile(true)
    }

    /// Compiles the schema of a version of a CRD, by default the one that is stored.
    ///
    /// # Errors
    ///
    /// That there is no such version; what is wrong with its schema, as an API server words it.
    pub fn compile_crd(crd: &Value, version: Option<&str>) -> Result<Self, Violations> {
        Source::of_crd(crd, version)?.compile(true)
    }

    /// As [`compile_crd`](Self::compile_crd), for a CRD that a server has already: it goes on with schemas that it would
    /// refuse today.
    ///
    /// # Errors
    ///
    /// That there is no such version, or that its schema cannot be read.
    pub fn compile_stored(crd: &Value, version: Option<&str>) -> Result<Self, Violations> {
        Source::of_crd(crd, version)?.compile(false)
    }

    /// As [`compile`](Self::compile), whatever a server says of the schema.
    #[cfg(feature = "cel")]
    pub(super) fn compile_unlinted(schema: &Value) -> Result<Self, Violations> {
        Source::bare(schema).compile(false)
    }
}

/// A schema, and what is said of it around it.
struct Source<'v> {
    schema: &'v Value,
    path: String,
    status_subresource: bool,
    scale: Scale,
    identity: Option<Identity>,
    /// The CRD around it, and the version.
    crd: Option<(&'v Value, &'v str)>,
}

impl<'v> Source<'v> {
    fn bare(schema: &'v Value) -> Self {
        Self {
            schema,
            path: BARE.to_owned(),
            status_subresource: false,
            scale: Scale::default(),
            identity: None,
            crd: None,
        }
    }

    fn of_crd(crd: &'v Value, version: Option<&str>) -> Result<Self, Violations> {
        let (number, version) = find_version(crd, version).map_err(|error| {
            refused(
                ViolationKind::Invalid,
                "spec.versions".to_owned(),
                error.problem(),
            )
        })?;
        let path = if is_common(crd) {
            BARE.to_owned()
        } else {
            format!("spec.versions[{number}].schema.openAPIV3Schema")
        };
        let Some(schema) = version.pointer("/schema/openAPIV3Schema") else {
            return Err(refused(
                ViolationKind::Required,
                path,
                "schemas are required",
            ));
        };
        let text = |pointer: &str| {
            let text = crd.pointer(pointer).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let group = text("/spec/group");
        let name = version
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let identity = Identity {
            api_version: format!("{group}/{name}"),
            kind: text("/spec/names/kind"),
            is_namespaced: text("/spec/scope") != "Cluster",
        };
        Ok(Self {
            schema,
            path,
            status_subresource: version
                .pointer("/subresources/status")
                .is_some_and(Value::is_object),
            scale: Scale::of(version),
            identity: Some(identity),
            crd: Some((crd, name)),
        })
    }

    /// The unions that the schema, or an annotation of the CRD, tells of.
    fn unions(&self) -> Result<Unions, Violations> {
        let unions = match self.crd {
            Some((crd, version)) => Unions::of_crd(crd, Some(version)),
            None => Unions::of_schema(self.schema),
        };
        unions.map_err(|error| {
            refused(
                ViolationKind::Invalid,
                self.path.clone(),
                &error.to_string(),
            )
        })
    }

    fn compile(self, lints: bool) -> Result<StructuralSchema, Violations> {
        let (mut errors, mut others, mut is_structural) = (Vec::new(), Vec::new(), true);
        #[cfg(feature = "cel")]
        let mut wrong = Vec::new();
        if lints {
            let linted = lint::lint(self.schema, &self.path, self.status_subresource);
            (errors, others) = (linted.errors, linted.others);
            is_structural = linted.is_structural;
            #[cfg(feature = "cel")]
            {
                wrong = linted.wrong;
            }
            if !linted.is_readable {
                errors.extend(others);
                return Err(Violations::new(errors, Vec::new()));
            }
        }
        // What is wrong in the words of a server comes first.
        let unions = if errors.is_empty() && others.is_empty() {
            self.unions()?
        } else {
            Unions::default()
        };
        let Self {
            schema,
            path,
            status_subresource,
            scale,
            identity,
            ..
        } = self;
        let mut compiler = Compiler {
            formats: Formats::default(),
            nodes: Vec::new(),
        };
        let root = compiler.add(schema, &Place::root(&path), DEEPEST);
        if let Err(violation) = root {
            errors.extend(others);
            if errors.is_empty() {
                errors.push(violation);
            }
            return Err(Violations::new(errors, Vec::new()));
        }
        let nodes = compiler.nodes;
        let mut schema = StructuralSchema {
            nodes,
            status_subresource,
            scale,
            identity,
            facts: Facts::default(),
            #[cfg(feature = "cel")]
            programs: None,
            unions,
        };
        schema.facts.rules = schema.count_rules(StructuralSchema::ROOT);
        schema.facts.shows_root = schema.has_values(StructuralSchema::ROOT);
        #[cfg(feature = "cel")]
        if schema.facts.rules > 0 {
            let programs = super::cel::Programs::compile(&schema);
            schema.programs = Some(programs);
        }
        if lints {
            let of_rules = lint::lint_rules(&schema, &path);
            #[cfg(feature = "cel")]
            wrong.extend(of_rules.iter().map(|error| error.path().to_owned()));
            errors.extend(of_rules);
            if is_structural {
                let of_defaults = lint::lint_defaults(&schema, &path);
                // Seen: rules are not compiled where a default is wrong.
                #[cfg(feature = "cel")]
                if let (Some(programs), true) = (&schema.programs, of_defaults.is_empty()) {
                    others.extend(programs.lint(&schema, &path, &wrong));
                }
                errors.extend(of_defaults);
            }
            errors.extend(others);
        }
        if !errors.is_empty() {
            return Err(Violations::new(errors, Vec::new()));
        }
        schema.prune_defaults();
        Ok(schema)
    }
}

/// Whether all versions have one schema: a server keeps and prints it as that of the CRD then.
fn is_common(crd: &Value) -> bool {
    let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
    let mut schemas = versions
        .into_iter()
        .flatten()
        .map(|version| version.pointer("/schema"));
    let first = schemas.next();
    schemas.all(|schema| Some(schema) == first)
}

fn refused(kind: ViolationKind, path: String, detail: &str) -> Violations {
    let violation = Violation::found(kind, path, Found::Nothing, detail.to_owned());
    Violations::new(vec![violation], Vec::new())
}

impl StructuralSchema {
    /// Whether a value has to be one of some, combinators included.
    fn has_values(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let mut branches = [&node.all_of, &node.any_of, &node.one_of]
            .into_iter()
            .flatten()
            .chain(&node.not);
        node.values.is_some() || branches.any(|branch| self.has_values(*branch))
    }

    /// How many rules a schema has, without combinators.
    fn count_rules(&self, id: NodeId) -> usize {
        let node = self.node(id);
        let mut count = node.rules.len();
        if node.below.has_rules {
            self.each_child(id, &Place::root(""), &mut |child, _| {
                count += self.count_rules(child);
            });
        }
        count
    }
}

struct Compiler {
    formats: Formats,
    nodes: Vec<Node>,
}

impl Compiler {
    /// Adds a schema and all that it holds, which may have `levels` more.
    fn add(&mut self, schema: &Value, at: &Place<'_>, levels: usize) -> Result<NodeId, Violation> {
        let Some(levels) = levels.checked_sub(1) else {
            return Err(at.invalid(&format!(
                "the schema has more than {DEEPEST} levels; make it flatter"
            )));
        };
        let props = Props::read(schema).map_err(|wrong| at.wrong_type(&wrong))?;
        lint::check_data(&props, at)?;
        let Ok(id) = NodeId::try_from(self.nodes.len()) else {
            return Err(at.invalid("the schema is too large"));
        };
        // Its place is taken now, so that what it holds comes after it.
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
            text: text_rules(&props, at)?,
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
        for (name, schema) in props.properties.into_iter().flatten() {
            let id = self.add(schema, &at.key("properties", name), levels)?;
            node.below.join(row(&self.nodes, id).below);
            properties.push((name.as_str().into(), id));
        }
        properties.sort_unstable_by(|(a, _): &(Box<str>, NodeId), (b, _)| a.cmp(b));
        let has_default = |(_, id): &(Box<str>, NodeId)| row(&self.nodes, *id).default.is_some();
        let numbered = properties.iter().enumerate();
        node.defaulted = numbered
            .filter(|(_, property)| has_default(property))
            .map(|(position, _)| position)
            .collect();
        node.properties = properties.into();
        if let Some(Items::One(items)) = props.items {
            let id = self.add(items, &at.field("items"), levels)?;
            node.below.join(row(&self.nodes, id).below);
            node.items = Some(id);
        }
        node.additional = match props.additional_properties {
            None => Additional::Nothing,
            Some(Value::Bool(true)) => Additional::Allowed,
            Some(Value::Bool(false)) => Additional::Forbidden,
            Some(schema) => {
                let id = self.add(schema, &at.field("additionalProperties"), levels)?;
                node.below.join(row(&self.nodes, id).below);
                Additional::Schema(id)
            }
        };
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

impl Below {
    fn join(&mut self, other: Self) {
        self.has_defaults |= other.has_defaults;
        self.has_list_types |= other.has_list_types;
        self.has_embedded |= other.has_embedded;
        self.has_rules |= other.has_rules;
    }
}

fn text_rules(props: &Props<'_>, at: &Place<'_>) -> Result<Option<Box<TextRules>>, Violation> {
    let pattern = match props.pattern {
        "" => None,
        text => {
            let regex: Regex = pattern::compile(text).map_err(|problem| {
                at.field("pattern").found(
                    ViolationKind::Invalid,
                    Found::Text(text.to_owned()),
                    &problem,
                )
            })?;
            Some(Pattern {
                text: text.into(),
                regex,
            })
        }
    };
    let rules = TextRules {
        max_length: props.max_length,
        min_length: props.min_length,
        pattern,
    };
    let has_rules =
        rules.max_length.is_some() || rules.min_length.is_some() || rules.pattern.is_some();
    Ok(has_rules.then(|| Box::new(rules)))
}

fn number_rules(props: &Props<'_>) -> Option<Box<NumberRules>> {
    let rules = NumberRules {
        maximum: props.maximum,
        exclusive_maximum: props.exclusive_maximum,
        minimum: props.minimum,
        exclusive_minimum: props.exclusive_minimum,
        multiple_of: props.multiple_of,
    };
    let has_rules =
        rules.maximum.is_some() || rules.minimum.is_some() || rules.multiple_of.is_some();
    has_rules.then(|| Box::new(rules))
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
            wanted: "a text",
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
