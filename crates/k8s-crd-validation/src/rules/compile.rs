//! Compilation of the rules of a schema.

use std::borrow::Cow;
use std::sync::Arc;

use k8s_cel::pattern::MAX_TOTAL_SIZE;
use k8s_cel::{CompileError, Environment, KubeVersion, Program, Type};

use super::decl_type::declared_types;
use super::field_path;
use crate::schema::allowed_functions::AllowedFunctions;
use crate::schema::structural::compiled_rules::{
    CompiledMessage, CompiledRule, CompiledRules, FieldRules, NodeRules,
};
use crate::schema::{AdditionalProperties, NodeId, Property, Rule, SchemaType, StructuralSchema};
use k8s_json_internals::cel_name::escape_identifier;
use union_runtime::path::FieldPath;

/// The remaining total size of the regular expressions in the rules of a schema.
struct PatternBudget(u64);

impl Default for PatternBudget {
    fn default() -> Self {
        Self(MAX_TOTAL_SIZE)
    }
}

impl PatternBudget {
    fn compile(
        &mut self,
        environment: Environment<'_>,
        source: &str,
    ) -> Result<Program, CompileError> {
        let program = environment.pattern_size_limit(self.0).compile(source)?;
        self.0 = self.0.saturating_sub(program.pattern_size());
        Ok(program)
    }
}

impl CompiledRules {
    pub(crate) fn compile(schema: &StructuralSchema, libraries: AllowedFunctions) -> Self {
        let declared = Arc::new(declared_types(schema, libraries.server()));
        let mut programs = Self::empty(declared, libraries, StructuralSchema::ROOT);
        if schema.facts.rule_count > 0 {
            let root = StructuralSchema::ROOT;
            programs.add(schema, root, root, true, &mut PatternBudget::default());
        }
        programs
    }

    /// Returns the rules of a schema and of the schemas inside the schema. If the value is inside a
    /// value that is invisible to rules, this function compiles the rules.
    pub(crate) fn starting_at(&self, schema: &StructuralSchema, id: NodeId) -> Cow<'_, Self> {
        if self.is_compiled(id) || !schema.node(id).subtree.has_rules {
            return Cow::Borrowed(self);
        }
        let mut programs = Self::empty(
            Arc::clone(&self.declared_types),
            self.allowed_functions.clone(),
            id,
        );
        programs.add(schema, id, id, true, &mut PatternBudget::default());
        Cow::Owned(programs)
    }

    /// Returns the rules of one schema. If the value is inside a value that is invisible to rules,
    /// this function compiles the rules.
    pub(crate) fn for_node(&self, schema: &StructuralSchema, id: NodeId) -> Cow<'_, NodeRules> {
        if self.is_compiled(id) {
            return Cow::Borrowed(self.node(id));
        }
        let is_typed = self.declared_types.get(id).is_exposed;
        Cow::Owned(self.compile_node(
            &schema.node(id).rules,
            schema,
            id,
            is_typed,
            &mut PatternBudget::default(),
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
        room: &mut PatternBudget,
    ) -> bool {
        let own = schema.node(rules).rules.as_ref();
        let is_typed = is_typed && self.declared_types.get(node).is_exposed;
        let mut compiled = self.compile_node(own, schema, node, is_typed, room);
        compiled.has_rules = !compiled.rules.is_empty() || compiled.problem.is_some();
        let of = schema.node(rules);
        let spine = schema.node(node);
        let mut pairs: Vec<(NodeId, NodeId, bool, Option<&str>)> = Vec::new();
        let kind = spine
            .schema_type
            .filter(|_| is_typed && !spine.int_or_string);
        let items = of.items.zip(spine.items);
        pairs.extend(
            items.map(|(child, items)| (child, items, kind == Some(SchemaType::Array), None)),
        );
        let is_map = matches!(spine.additional_properties, AdditionalProperties::Schema(_));
        let has_fields = kind == Some(SchemaType::Object) && !is_map;
        for Property {
            name, id: child, ..
        } in &of.properties
        {
            // The rules of values that are invisible in CEL are not compiled. If a value may be a
            // number or a string, its properties with names in CEL are invisible.
            if let Some(property) = spine.property(name)
                && self.declared_types.get(property).is_exposed
                && (has_fields || escape_identifier(name).is_none())
            {
                pairs.push((*child, property, true, Some(&**name)));
            }
        }
        if let (AdditionalProperties::Schema(child), AdditionalProperties::Schema(values)) =
            (of.additional_properties, spine.additional_properties)
        {
            pairs.push((child, values, kind == Some(SchemaType::Object), None));
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
        room: &mut PatternBudget,
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
        let rules: Box<[CompiledRule]> = rules
            .iter()
            .map(|rule| self.compile_rule(rule, schema, node, room))
            .collect();
        NodeRules {
            uses_old_self: rules.iter().any(CompiledRule::uses_old_self),
            rules,
            ..NodeRules::default()
        }
    }

    fn compile_rule(
        &self,
        rule: &Rule,
        schema: &StructuralSchema,
        node: NodeId,
        room: &mut PatternBudget,
    ) -> CompiledRule {
        let mut compiled = CompiledRule {
            program: Ok(None),
            message: CompiledMessage::None,
            field_path: field_path::to_field_path(schema, node, &rule.field_path)
                .unwrap_or_default(),
            max_cost: 0,
            message_max_cost: 0,
        };
        if rule.rule.trim().is_empty() {
            return compiled;
        }
        let source = (
            &*rule.rule,
            self.allowed_functions.version_for_rule(&rule.rule),
        );
        let optional_old = rule.optional_old_self == Some(true);
        let environment =
            Environment::new(&self.declared_types, node).optional_old_self(optional_old);
        let mut compile_as = |(source, version): (&str, KubeVersion),
                              expected_type: &Type,
                              wrong_type_error: &str,
                              [prefix, noun]: [&str; 2]| match room
            .compile(environment.libraries(version), source)
        {
            Err(CompileError::Instantiation {
                message: problem, ..
            }) => Err(format!("{noun} instantiation failed: {problem}").into_boxed_str()),
            Err(error) => Err(format!("{prefix}{error}").into_boxed_str()),
            Ok(program) if program.ty() != expected_type => Err(wrong_type_error.into()),
            Ok(program) => Ok(program),
        };
        let wrong_type_error = "cel expression must evaluate to a bool";
        match compile_as(source, &Type::Bool, wrong_type_error, ["", "program"]) {
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
            let wrong_type_error = "messageExpression must evaluate to a string";
            let names = ["messageExpression ", "messageExpression"];
            let text = &*rule.message_expression;
            let source = (text, self.allowed_functions.version_for_message(text));
            match compile_as(source, &Type::String, wrong_type_error, names) {
                Ok(program) => {
                    compiled.message_max_cost = program.max_cost();
                    compiled.message = CompiledMessage::Program(Box::new(program));
                }
                // An API server also ignores the field path of a rule with an invalid message
                // expression.
                Err(problem) => {
                    compiled.message = CompiledMessage::Error(problem);
                    compiled.field_path = FieldPath::root();
                }
            }
        }
        compiled
    }
}
