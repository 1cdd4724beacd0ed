//! Walks a schema or a CRD, and analyzes each object with its rules.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use k8s_cel::KubeVersion;
use k8s_cel::syntax::{Ast, AstKind, Literal, parse};
use k8s_json_internals::deep::{in_key_order, is_deeper};
use serde_json::{Map, Value};

use crate::bounds::{LEVELS, SCHEMA_STEPS, SUBSCHEMAS};
use crate::findings::wording::statements::DescribedPlace;
use crate::reader::object::{self, ObjectPlace};
use crate::report::analysis::{ObjectAnalysis, Rule};
use crate::report::error::AnalyzeError;
use crate::terms::conjuncts::{self, Conjunct, ConjunctTarget, VariableScope};
use crate::terms::keywords::COMBINING_KEYWORDS;
use crate::transitions::evasions::Evasions;
use crate::transitions::schema_tree::SchemaRule;
use union_json::document::{Crd, SchemaPath, SchemaStep};

/// An object of a schema, and its analysis.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AnalyzedObject {
    /// The JSON pointer from the schema, for `union_at`: `/properties/spec/properties/rules/items`.
    pub pointer: String,
    /// The path for users: `spec.rules[]`, or `spec.rules{}` for the values of a map. Empty
    /// for the schema itself.
    pub path: String,
    /// The analysis of the object.
    pub analysis: ObjectAnalysis,
}

/// A version of a CRD, and the analyzed objects of its schema.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AnalyzedVersion {
    /// The name, such as `v1`.
    pub name: String,
    /// The kind of the CRD.
    pub kind: String,
    /// True if the API server serves the version.
    pub served: bool,
    /// The objects whose analysis is not [empty](ObjectAnalysis::is_empty), in schema order.
    pub objects: Vec<AnalyzedObject>,
}

/// Analyzes the object that a schema describes. The result is empty if [`analyze_at`] returns an
/// error.
#[must_use]
pub fn analyze_object(schema: &Value) -> ObjectAnalysis {
    analyze_at(schema, "").unwrap_or_default()
}

/// Analyzes the object at a JSON pointer below a schema, including the rules about the object in
/// the schemas above.
///
/// # Errors
///
/// Returns an error if the pointer does not reach a schema through `properties`, `items` and
/// `additionalProperties`, or if the schema has too many [levels](LEVELS).
pub fn analyze_at(schema: &Value, pointer: &str) -> Result<ObjectAnalysis, AnalyzeError> {
    analyze_located(schema, pointer).map(|object| object.analysis)
}

/// Analyzes the object at a JSON pointer as [`analyze_at`] does, and also returns its path.
///
/// # Errors
///
/// Returns an error if [`analyze_at`] does.
pub fn analyze_located(schema: &Value, pointer: &str) -> Result<AnalyzedObject, AnalyzeError> {
    if is_deeper(schema, LEVELS) {
        return Err(AnalyzeError::TooDeep);
    }
    let schema = &*in_key_order(schema, LEVELS);
    let parsed_rules = parse_rules(schema);
    let path = SchemaPath::from_pointer(pointer);
    let object = path.and_then(|path| walk(schema, &parsed_rules, Some(&path)).pop());
    object.ok_or_else(|| AnalyzeError::NoSchema {
        pointer: pointer.to_owned(),
    })
}

/// Analyzes all objects of a schema. Returns the objects whose analysis is not
/// [empty](ObjectAnalysis::is_empty), in schema order. The result is empty if the schema has too
/// many [levels](LEVELS).
#[must_use]
pub fn analyze_schema(schema: &Value) -> Vec<AnalyzedObject> {
    if is_deeper(schema, LEVELS) {
        return Vec::new();
    }
    let schema = &*in_key_order(schema, LEVELS);
    walk(schema, &parse_rules(schema), None)
}

/// Analyzes all versions of a CRD.
///
/// # Errors
///
/// Returns an error if the value is not a CRD with versions.
pub fn analyze_crd(crd: &Value) -> Result<Vec<AnalyzedVersion>, AnalyzeError> {
    let crd = Crd::new(crd);
    if !crd.has_version_list() {
        return Err(AnalyzeError::NoVersions);
    }
    let kind = crd.kind().unwrap_or_default();
    let mut analyzed_versions: Vec<(Option<&Value>, AnalyzedVersion)> = Vec::new();
    for version in crd.versions() {
        let schema = version.schema();
        let schema = schema.filter(|schema| !is_deeper(schema, LEVELS));
        // Versions often have the same schema, which is then analyzed once.
        let version_with_same_schema = analyzed_versions
            .iter()
            .find(|(analyzed_schema, _)| *analyzed_schema == schema);
        let objects = match version_with_same_schema {
            Some((_, analyzed_version)) => analyzed_version.objects.clone(),
            None => schema.map(analyze_schema).unwrap_or_default(),
        };
        let version = AnalyzedVersion {
            name: version.name().unwrap_or_default().to_owned(),
            kind: kind.to_owned(),
            served: version.served() != Some(false),
            objects,
        };
        analyzed_versions.push((schema, version));
    }
    Ok(analyzed_versions
        .into_iter()
        .map(|(_, version)| version)
        .collect())
}

/// The syntax trees of all rules by their expressions, because many objects may have the same rule.
type ParsedRules<'s> = BTreeMap<&'s str, Option<Ast>>;

/// A schema that waits for its analysis.
struct PendingSchema<'s, 'a> {
    schema: &'s Map<String, Value>,
    path: SchemaPath,
    /// The conjuncts about the schema: first the conjuncts from schemas above, then its own.
    conjuncts: Vec<Conjunct<'a>>,
    /// The rules of these conjuncts.
    rules: Vec<Rule>,
    /// The rules of the schemas above that did not move here.
    outer_rules: Option<Rc<OuterRules>>,
    /// The description of the list or map whose items or values the schema describes.
    list_description: Option<&'s str>,
}

/// The names in the rules of a schema, and of the schemas above it.
struct OuterRules {
    names: BTreeSet<String>,
    outer: Option<Rc<Self>>,
}

impl OuterRules {
    /// Returns the schemas whose rules contain a name: one bit for each of the nearest schemas with
    /// rules, up to 64.
    fn schemas_with_name(outer_rules: Option<&Self>, name: &str) -> u64 {
        let mut schemas = 0;
        let mut current = outer_rules;
        for bit in 0..u64::BITS {
            let Some(rules) = current else {
                break;
            };
            schemas |= u64::from(rules.names.contains(name)) << bit;
            current = rules.outer.as_deref();
        }
        schemas
    }

    /// Returns the rules above the children of a schema.
    fn above_children(current: &PendingSchema<'_, '_>) -> Option<Rc<Self>> {
        let mut names = BTreeSet::new();
        for conjunct in &current.conjuncts {
            let identifiers = conjunct
                .ast
                .descendants()
                .filter_map(|ast| match &ast.kind {
                    AstKind::Select { field, .. } => Some(field.clone()),
                    AstKind::Literal(Literal::String(string)) => Some(string.clone()),
                    _ => None,
                });
            names.extend(identifiers);
        }
        for keyword in COMBINING_KEYWORDS {
            let mut pending: Vec<&Value> = current.schema.get(keyword).into_iter().collect();
            while let Some(value) = pending.pop() {
                match value {
                    Value::String(name) => {
                        names.insert(name.clone());
                    }
                    Value::Array(list) => pending.extend(list),
                    Value::Object(object) => {
                        names.extend(object.keys().cloned());
                        pending.extend(object.values());
                    }
                    _ => {}
                }
            }
        }
        if names.is_empty() {
            return current.outer_rules.clone();
        }
        let outer = current.outer_rules.clone();
        Some(Rc::new(Self { names, outer }))
    }
}

/// A CEL rule, and the schema that contains it.
pub(crate) struct RuleAtSchema<'s, 'a> {
    pub(crate) schema: &'s Map<String, Value>,
    pub(crate) path: &'a SchemaPath,
    pub(crate) expression: &'s str,
    /// `None` if the rule is not a valid expression.
    pub(crate) ast: Option<&'a Ast>,
}

/// Calls `visit` with each CEL rule of a schema, in schema order.
pub(crate) fn for_each_rule<'s>(schema: &'s Value, visit: &mut dyn FnMut(&RuleAtSchema<'s, '_>)) {
    let parsed_rules = parse_rules(schema);
    let mut stack = vec![(schema, SchemaPath::root())];
    let mut visited = 0;
    while let Some((schema, path)) = stack.pop() {
        visited += 1;
        let Some(schema) = schema.as_object().filter(|_| visited <= SUBSCHEMAS) else {
            continue;
        };
        for (expression, _) in cel_rules(schema) {
            visit(&RuleAtSchema {
                schema,
                path: &path,
                expression,
                ast: parsed_rules.get(expression).and_then(Option::as_ref),
            });
        }
        let children = SchemaStep::subschemas(schema);
        let children: Vec<_> = children
            .map(|(step, child)| (child, path.clone().step(step)))
            .collect();
        stack.extend(children.into_iter().rev());
    }
}

/// Parses the CEL rules of a schema and of its subschemas.
fn parse_rules(schema: &Value) -> ParsedRules<'_> {
    let mut parsed_rules = ParsedRules::new();
    let mut stack = vec![schema];
    let mut visited = 0;
    while let Some(schema) = stack.pop() {
        visited += 1;
        if visited > SUBSCHEMAS {
            break;
        }
        let Some(schema) = schema.as_object() else {
            continue;
        };
        for (expression, _) in cel_rules(schema) {
            parsed_rules
                .entry(expression)
                .or_insert_with(|| parse(expression, KubeVersion::LATEST).ok());
        }
        stack.extend(SchemaStep::subschemas(schema).map(|(_, child)| child));
    }
    parsed_rules
}

/// Returns the expressions of the CEL rules of a schema, each with its entry in the list of rules.
pub(crate) fn cel_rules(schema: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> {
    let rules = schema.get("x-kubernetes-validations");
    let rules = rules
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    rules
        .iter()
        .filter_map(|rule| Some((rule.get("rule")?.as_str()?, rule)))
}

/// Walks a schema, moves conjuncts down to the objects that they are about, and analyzes each
/// object, or only the object at `wanted_path`.
fn walk<'s>(
    schema: &'s Value,
    parsed_rules: &'s ParsedRules<'s>,
    wanted_path: Option<&SchemaPath>,
) -> Vec<AnalyzedObject> {
    let mut objects = Vec::new();
    let Some(root) = schema.as_object() else {
        return objects;
    };
    let evasions = transition_evasions(root, parsed_rules);
    let mut stack = vec![PendingSchema {
        schema: root,
        path: SchemaPath::root(),
        conjuncts: Vec::new(),
        rules: Vec::new(),
        outer_rules: None,
        list_description: None,
    }];
    let mut visited = 0;
    let mut steps_left = SCHEMA_STEPS;
    while let Some(pending_schema) = stack.pop() {
        visited += 1;
        if visited > SUBSCHEMAS {
            break;
        }
        let (current, children) = distribute_rules(pending_schema, parsed_rules);
        match wanted_path {
            Some(wanted_path) if *wanted_path != current.path => {}
            _ => {
                let object = analyze_pending(current, &evasions, steps_left);
                steps_left = steps_left.saturating_sub(object.analysis.steps);
                if wanted_path.is_some() || !object.analysis.is_empty() {
                    objects.push(object);
                }
                if wanted_path.is_some() {
                    break;
                }
            }
        }
        let is_on_path = |child: &PendingSchema<'_, '_>| {
            wanted_path.is_none_or(|wanted_path| wanted_path.starts_with(&child.path))
        };
        stack.extend(children.into_iter().rev().filter(is_on_path));
    }
    objects
}

/// Returns the evasions of the transition rules of a schema.
fn transition_evasions<'s>(
    root: &'s Map<String, Value>,
    parsed_rules: &'s ParsedRules<'s>,
) -> Evasions<'s> {
    Evasions::of_schema(root, &|schema| {
        let rules = cel_rules(schema).enumerate();
        let rules = rules.filter_map(|(index, (expression, entry))| {
            Some(SchemaRule {
                index,
                expression,
                entry,
                ast: parsed_rules.get(expression)?.as_ref()?,
            })
        });
        rules.collect()
    })
}

/// Returns the analysis of a schema with its conjuncts.
fn analyze_pending(
    current: PendingSchema<'_, '_>,
    evasions: &Evasions<'_>,
    steps_left: u64,
) -> AnalyzedObject {
    let outer_rules = current.outer_rules.as_deref();
    let pointer = current.path.to_string();
    let place = ObjectPlace {
        pointer: &pointer,
        described: DescribedPlace {
            object_name: last_name(&current.path),
            list_description: current.list_description,
        },
        evasions: evasions.at(&pointer),
        outer_rules: &|name| OuterRules::schemas_with_name(outer_rules, name),
    };
    let analysis = object::analyze(
        current.schema,
        &place,
        &current.conjuncts,
        current.rules,
        steps_left,
    );
    AnalyzedObject {
        path: current.path.to_field_notation(),
        pointer,
        analysis,
    }
}

/// Returns the last name on a path.
fn last_name(path: &SchemaPath) -> Option<&str> {
    path.steps().rev().find_map(|step| match step {
        SchemaStep::Property(name) => Some(name),
        SchemaStep::Items | SchemaStep::AdditionalProperties => None,
    })
}

/// Adds the rules of a schema itself, and moves each conjunct to the schema that it is about.
/// Returns the schema with the remaining conjuncts, and the child schemas with the conjuncts that
/// moved there.
fn distribute_rules<'s, 'a: 's>(
    mut current: PendingSchema<'s, 'a>,
    parsed_rules: &'a ParsedRules<'a>,
) -> (PendingSchema<'s, 'a>, Vec<PendingSchema<'s, 'a>>) {
    add_own_rules(&mut current, parsed_rules);
    let mut children = pending_children(&current);
    let mut remaining = Vec::new();
    for conjunct in std::mem::take(&mut current.conjuncts) {
        let (property, conjunct) = match conjuncts::conjunct_target(&conjunct, current.schema) {
            ConjunctTarget::ThisObject => {
                remaining.push(conjunct);
                continue;
            }
            ConjunctTarget::Items(inner) => (None, inner),
            ConjunctTarget::Property(name) => {
                let mut scope = conjunct.scope.clone();
                scope.prefix.push(name);
                let moved_conjunct = Conjunct {
                    moved: true,
                    scope,
                    ..conjunct
                };
                (Some(name), moved_conjunct)
            }
        };
        let name = property.and_then(|name| conjuncts::find_property(current.schema, name));
        let target = children.iter_mut().find(|(step, _)| match (*step, name) {
            (SchemaStep::Property(step), Some((name, _))) => step == name,
            (SchemaStep::Items, None) => property.is_none(),
            _ => false,
        });
        if let (Some((_, target)), Some(rule)) = (target, current.rules.get_mut(conjunct.rule)) {
            rule.whole = false;
            move_conjunct_down(conjunct, rule, target);
        }
    }
    current.conjuncts = remaining;
    let outer_rules = OuterRules::above_children(&current);
    for (_, child) in &mut children {
        child.outer_rules.clone_from(&outer_rules);
    }
    (
        current,
        children.into_iter().map(|(_, child)| child).collect(),
    )
}

/// Adds the schema's own rules, split into conjuncts.
fn add_own_rules<'a>(current: &mut PendingSchema<'_, 'a>, parsed_rules: &'a ParsedRules<'a>) {
    let pointer = current.path.to_string();
    for (index, (expression, entry)) in cel_rules(current.schema).enumerate() {
        let rule = current.rules.len();
        let ast = parsed_rules.get(expression).and_then(Option::as_ref);
        let message = entry.get("message").and_then(Value::as_str);
        current.rules.push(Rule {
            pointer: pointer.clone(),
            keyword: "x-kubernetes-validations",
            index: Some(index),
            source: expression.to_owned(),
            message: message.map(str::to_owned),
            whole: true,
            unknown_reason: ast.is_none().then_some("it is not a valid CEL expression"),
        });
        if let Some(ast) = ast {
            current
                .conjuncts
                .extend(conjuncts::split_conjuncts(&Conjunct {
                    rule,
                    ast,
                    negated: false,
                    moved: false,
                    scope: VariableScope::for_self(),
                }));
        }
    }
}

/// Returns the child schemas, each with the step from the current schema.
fn pending_children<'s, 'a>(
    current: &PendingSchema<'s, 'a>,
) -> Vec<(SchemaStep<'s>, PendingSchema<'s, 'a>)> {
    let children = SchemaStep::subschemas(current.schema).filter_map(|(step, child)| {
        let child = PendingSchema {
            schema: child.as_object()?,
            path: current.path.clone().step(step),
            conjuncts: Vec::new(),
            rules: Vec::new(),
            outer_rules: None,
            list_description: match step {
                SchemaStep::Property(_) => None,
                SchemaStep::Items | SchemaStep::AdditionalProperties => {
                    current.schema.get("description").and_then(Value::as_str)
                }
            },
        };
        Some((step, child))
    });
    children.collect()
}

/// Moves a conjunct to the schema that it is about. Consecutive conjuncts of the same rule share
/// one entry in `rules`.
fn move_conjunct_down<'a>(conjunct: Conjunct<'a>, rule: &Rule, target: &mut PendingSchema<'_, 'a>) {
    let last_rule = target.conjuncts.last().map(|conjunct| conjunct.rule);
    let last_rule = last_rule.filter(|last_rule| {
        target
            .rules
            .get(*last_rule)
            .is_some_and(|other| is_same_rule(other, rule))
    });
    let rule_index = last_rule.unwrap_or_else(|| {
        target.rules.push(rule.clone());
        target.rules.len() - 1
    });
    target
        .conjuncts
        .extend(conjuncts::split_conjuncts(&Conjunct {
            rule: rule_index,
            ..conjunct
        }));
}

/// Returns true if two entries are for the same rule of the schema.
fn is_same_rule(rule: &Rule, other_rule: &Rule) -> bool {
    let position_of = |rule: &Rule| (rule.pointer.clone(), rule.index);
    position_of(rule) == position_of(other_rule)
}
