//! Compilation of the rules of a schema.

use std::borrow::Cow;
use std::sync::Arc;

use k8s_cel::pattern::LARGEST_IN_ALL;
use k8s_cel::{CompileError, Environment, Program, Type, Version};

use super::declared::declared_types;
use super::field_path;
use crate::schema::libraries::Libraries;
use crate::schema::programs::{Compiled, FieldRules, Message, NodeRules, Programs};
use crate::schema::{Additional, Kind, NodeId, Property, Rule, StructuralSchema};
use k8s_json_internals::cel_name::escape;
use union_runtime::path::FieldPath;

/// The first version whose rules may have an optional old value. It has a feature gate in this
/// version, and none from 1.30 on.
const OPTIONAL_OLD_SELF_SINCE: u16 = 29;

/// The remaining weight for the regular expressions in the rules of a schema.
struct Room(u64);

impl Default for Room {
    fn default() -> Self {
        Self(LARGEST_IN_ALL)
    }
}

impl Room {
    fn compile(
        &mut self,
        environment: Environment<'_>,
        source: &str,
    ) -> Result<Program, CompileError> {
        let program = environment.pattern_room(self.0).compile(source)?;
        self.0 = self.0.saturating_sub(program.pattern_weight());
        Ok(program)
    }
}

impl Programs {
    pub(crate) fn compile(schema: &StructuralSchema, libraries: Libraries) -> Self {
        let declared = Arc::new(declared_types(schema));
        let mut programs = Self::none(declared, libraries, StructuralSchema::ROOT);
        if schema.facts.rules > 0 {
            let root = StructuralSchema::ROOT;
            programs.add(schema, root, root, true, &mut Room::default());
        }
        programs
    }

    /// Returns the rules from a schema on. They are compiled here if the value is inside a value
    /// that rules cannot see.
    pub(crate) fn from(&self, schema: &StructuralSchema, id: NodeId) -> Cow<'_, Self> {
        if self.is_compiled(id) || !schema.node(id).below.has_rules {
            return Cow::Borrowed(self);
        }
        let mut programs = Self::none(Arc::clone(&self.declared), self.libraries.clone(), id);
        programs.add(schema, id, id, true, &mut Room::default());
        Cow::Owned(programs)
    }

    /// Returns the rules of one schema. They are compiled even inside a value that rules cannot
    /// see.
    pub(crate) fn of_one(&self, schema: &StructuralSchema, id: NodeId) -> Cow<'_, NodeRules> {
        if self.is_compiled(id) {
            return Cow::Borrowed(self.node(id));
        }
        let is_typed = self.declared.get(id).is_exposed;
        Cow::Owned(self.compile_node(
            &schema.node(id).rules,
            schema,
            id,
            is_typed,
            &mut Room::default(),
        ))
    }

    fn is_compiled(&self, id: NodeId) -> bool {
        let there = self.node(id);
        there.has_rules && there.problem.is_none()
    }

    /// Compiles the rules of the schema `rules`, which may be a branch of `allOf`, for the values
    /// of the schema `node`. Returns true if there are any rules. `is_typed` is true if the value
    /// around the node has a type in CEL.
    fn add(
        &mut self,
        schema: &StructuralSchema,
        rules: NodeId,
        node: NodeId,
        is_typed: bool,
        room: &mut Room,
    ) -> bool {
        let own = schema.node(rules).rules.as_ref();
        let is_typed = is_typed && self.declared.get(node).is_exposed;
        let mut compiled = self.compile_node(own, schema, node, is_typed, room);
        compiled.has_rules = !compiled.rules.is_empty() || compiled.problem.is_some();
        let of = schema.node(rules);
        let spine = schema.node(node);
        let mut pairs: Vec<(NodeId, NodeId, bool, Option<&str>)> = Vec::new();
        let kind = spine.kind.filter(|_| is_typed && !spine.int_or_string);
        let items = of.items.zip(spine.items);
        pairs.extend(items.map(|(child, items)| (child, items, kind == Some(Kind::Array), None)));
        let is_map = matches!(spine.additional, Additional::Schema(_));
        let has_fields = kind == Some(Kind::Object) && !is_map;
        for Property {
            name, id: child, ..
        } in &of.properties
        {
            // Values that rules cannot see have no rules. If a value may be a number or a string,
            // rules cannot see its properties with names in CEL.
            if let Some(property) = spine.property(name)
                && self.declared.get(property).is_exposed
                && (has_fields || escape(name).is_none())
            {
                pairs.push((*child, property, true, Some(&**name)));
            }
        }
        if let (Additional::Schema(child), Additional::Schema(values)) =
            (of.additional, spine.additional)
        {
            pairs.push((child, values, kind == Some(Kind::Object), None));
        }
        let branches = of.all_of.iter();
        pairs.extend(branches.map(|branch| (*branch, node, is_typed, None)));
        let mut fields = Vec::new();
        for (rules, node, is_typed, name) in pairs {
            if !self.add(schema, rules, node, is_typed, room) {
                continue;
            }
            compiled.has_rules = true;
            let name = name.map(Into::into);
            fields.extend(name.map(|name| FieldRules { name, rules, node }));
        }
        compiled.fields = fields.into();
        let has_rules = compiled.has_rules;
        if has_rules {
            self.set(rules, compiled);
        }
        has_rules
    }

    fn compile_node(
        &self,
        rules: &[Rule],
        schema: &StructuralSchema,
        node: NodeId,
        is_typed: bool,
        room: &mut Room,
    ) -> NodeRules {
        if rules.is_empty() {
            return NodeRules::default();
        }
        if !is_typed {
            return NodeRules {
                problem: Some("failed to convert to declType for CEL validation rules"),
                ..NodeRules::default()
            };
        }
        let rules: Box<[Compiled]> = rules
            .iter()
            .map(|rule| self.compile_rule(rule, schema, node, room))
            .collect();
        NodeRules {
            uses_old_self: rules.iter().any(Compiled::uses_old_self),
            rules,
            ..NodeRules::default()
        }
    }

    fn compile_rule(
        &self,
        rule: &Rule,
        schema: &StructuralSchema,
        node: NodeId,
        room: &mut Room,
    ) -> Compiled {
        let mut compiled = Compiled {
            program: Ok(None),
            message: Message::None,
            field_path: field_path::normalized(schema, node, &rule.field_path).unwrap_or_default(),
            max_cost: 0,
            message_max_cost: 0,
        };
        if rule.rule.trim().is_empty() {
            return compiled;
        }
        let source = (&*rule.rule, self.libraries.of_rule(&rule.rule));
        // An older server drops the keyword, and the rule then gets a plain value instead of an
        // optional value.
        let is_known = source.1.number() >= OPTIONAL_OLD_SELF_SINCE;
        let optional_old = is_known && rule.optional_old_self == Some(true);
        let environment = Environment::new(&self.declared, node).optional_old_self(optional_old);
        let mut of_type = |(source, version): (&str, Version),
                           ty: &Type,
                           wrong: &str,
                           what: [&str; 2]| match room
            .compile(environment.version(version), source)
        {
            Err(CompileError::Instantiation { problem, .. }) => {
                Err(format!("{} instantiation failed: {problem}", what[1]).into_boxed_str())
            }
            Err(error) => Err(format!("{}{error}", what[0]).into_boxed_str()),
            Ok(program) if program.ty() != ty => Err(wrong.into()),
            Ok(program) => Ok(program),
        };
        let wrong = "cel expression must evaluate to a bool";
        match of_type(source, &Type::Bool, wrong, ["", "program"]) {
            Ok(program) => {
                compiled.max_cost = program.max_cost();
                compiled.program = Ok(Some(program));
            }
            Err(problem) => {
                compiled.program = Err(problem);
                return compiled;
            }
        }
        if !rule.message_expression.trim().is_empty() {
            let wrong = "messageExpression must evaluate to a string";
            let what = ["messageExpression ", "messageExpression"];
            let text = &*rule.message_expression;
            let source = (text, self.libraries.of_message(text));
            match of_type(source, &Type::Text, wrong, what) {
                Ok(program) => {
                    compiled.message_max_cost = program.max_cost();
                    compiled.message = Message::Program(Box::new(program));
                }
                // Seen: the field path of such a rule is ignored too.
                Err(problem) => {
                    compiled.message = Message::Error(problem);
                    compiled.field_path = FieldPath::root();
                }
            }
        }
        compiled
    }
}
