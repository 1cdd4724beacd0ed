//! Compilation of the rules of a schema.

use std::borrow::Cow;
use std::sync::Arc;

use k8s_cel::pattern::MAX_TOTAL_SIZE;
use k8s_cel::{CompileError, Environment, Program, Type};

use super::decl_type::declared_types;
use super::field_path::{self, StepSyntax};
use crate::schema::allowed_functions::AllowedFunctions;
use crate::schema::structural::compiled_rules::{
    CompiledMessage, CompiledRule, CompiledRules, FieldRules, NodeRules,
};
use crate::schema::{AdditionalProperties, NodeId, Property, Rule, SchemaType, StructuralSchema};
use k8s_json_internals::cel_name::escape_identifier;
use union_runtime::path::FieldPath;

/// The remaining total size of the regular expressions in the rules of a schema.
struct PatternBudget(u64);

/// The required type of a rule or of a message expression, and the parts of its error messages.
struct ExpressionType {
    cel_type: Type,
    wrong_type_error: &'static str,
    /// The prefix of the compiler's error messages.
    prefix: &'static str,
    /// The noun in front of "instantiation failed".
    noun: &'static str,
}

const RULE_TYPE: ExpressionType = ExpressionType {
    cel_type: Type::Bool,
    wrong_type_error: "cel expression must evaluate to a bool",
    prefix: "",
    noun: "program",
};

const MESSAGE_TYPE: ExpressionType = ExpressionType {
    cel_type: Type::String,
    wrong_type_error: "messageExpression must evaluate to a string",
    prefix: "messageExpression ",
    noun: "messageExpression",
};

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

    /// Compiles an expression that must have a type. Returns the error message of an API server if
    /// the expression is invalid.
    fn compile_as(
        &mut self,
        environment: Environment<'_>,
        source: &str,
        expected_type: &ExpressionType,
    ) -> Result<Program, Box<str>> {
        let ExpressionType { prefix, noun, .. } = expected_type;
        match self.compile(environment, source) {
            Err(CompileError::Instantiation {
                message: problem, ..
            }) => Err(format!("{noun} instantiation failed: {problem}").into_boxed_str()),
            Err(error) => Err(format!("{prefix}{error}").into_boxed_str()),
            Ok(program) if *program.ty() != expected_type.cel_type => {
                Err(expected_type.wrong_type_error.into())
            }
            Ok(program) => Ok(program),
        }
    }
}

/// A schema with rules inside another schema with rules.
struct ChildRules<'s> {
    /// The schema that contains the rules, which may be a branch of `allOf`.
    rules: NodeId,
    /// The schema of the values.
    node: NodeId,
    /// True if the value around the values has a type in CEL.
    is_typed: bool,
    /// The name of the property, if the values are values of a property.
    field: Option<&'s str>,
}

impl CompiledRules {
    pub(crate) fn compile(schema: &StructuralSchema, allowed_functions: AllowedFunctions) -> Self {
        let declared_types = Arc::new(declared_types(schema, allowed_functions.server()));
        let mut compiled_rules =
            Self::empty(declared_types, allowed_functions, StructuralSchema::ROOT);
        if schema.facts.rule_count > 0 {
            let root = StructuralSchema::ROOT;
            compiled_rules.add(schema, root, root, true, &mut PatternBudget::default());
        }
        compiled_rules
    }

    /// Returns the rules of a schema and of the schemas inside it.
    /// [`compile`](Self::compile) skips schemas inside a value that CEL cannot see; the rules of
    /// such a schema are compiled here.
    pub(crate) fn starting_at(&self, schema: &StructuralSchema, id: NodeId) -> Cow<'_, Self> {
        if self.is_compiled(id) || !schema.node(id).subtree.has_rules {
            return Cow::Borrowed(self);
        }
        let mut compiled_rules = Self::empty(
            Arc::clone(&self.declared_types),
            self.allowed_functions.clone(),
            id,
        );
        compiled_rules.add(schema, id, id, true, &mut PatternBudget::default());
        Cow::Owned(compiled_rules)
    }

    /// Returns the rules of one schema, compiled as in [`starting_at`](Self::starting_at).
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
        let node_rules = self.node(id);
        node_rules.has_rules && node_rules.problem.is_none()
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
        budget: &mut PatternBudget,
    ) -> bool {
        let is_typed = is_typed && self.declared_types.get(node).is_exposed;
        let rules_to_compile = &schema.node(rules).rules;
        let mut compiled = self.compile_node(rules_to_compile, schema, node, is_typed, budget);
        compiled.has_rules = !compiled.rules.is_empty() || compiled.problem.is_some();
        let mut fields = Vec::new();
        for child in self.child_rules(schema, rules, node, is_typed) {
            let ChildRules { rules, node, .. } = child;
            if !self.add(schema, rules, node, child.is_typed, budget) {
                continue;
            }
            compiled.has_rules = true;
            let name = child.field.map(Into::into);
            fields.extend(name.map(|name| FieldRules { name, rules, node }));
        }
        compiled.fields = fields.into();
        let has_rules = compiled.has_rules;
        if has_rules {
            self.set(rules, compiled);
        }
        has_rules
    }

    /// Returns the schemas inside the schema `rules`, and the branches of its `allOf`. `is_typed`
    /// is true if the value of `node` has a type in CEL. The other parameters are the parameters of
    /// [`add`](Self::add).
    fn child_rules<'s>(
        &self,
        schema: &'s StructuralSchema,
        rules: NodeId,
        node: NodeId,
        is_typed: bool,
    ) -> Vec<ChildRules<'s>> {
        let rules_node = schema.node(rules);
        let type_node = schema.node(node);
        let mut children = Vec::new();
        let cel_type = type_node
            .schema_type
            .filter(|_| is_typed && !type_node.int_or_string);
        let items = rules_node.items.zip(type_node.items);
        children.extend(items.map(|(rules, node)| ChildRules {
            rules,
            node,
            is_typed: cel_type == Some(SchemaType::Array),
            field: None,
        }));
        let is_map = matches!(
            type_node.additional_properties,
            AdditionalProperties::Schema(_)
        );
        let has_fields = cel_type == Some(SchemaType::Object) && !is_map;
        for Property {
            name, id: rules, ..
        } in &rules_node.properties
        {
            // The rules of values that are invisible in CEL are not compiled. A value without
            // fields in CEL, such as a number or a string, hides the properties whose names are CEL
            // identifiers.
            if let Some(property) = type_node.property(name)
                && self.declared_types.get(property).is_exposed
                && (has_fields || escape_identifier(name).is_none())
            {
                children.push(ChildRules {
                    rules: *rules,
                    node: property,
                    is_typed: true,
                    field: Some(name),
                });
            }
        }
        if let (AdditionalProperties::Schema(rules), AdditionalProperties::Schema(node)) = (
            rules_node.additional_properties,
            type_node.additional_properties,
        ) {
            children.push(ChildRules {
                rules,
                node,
                is_typed: cel_type == Some(SchemaType::Object),
                field: None,
            });
        }
        children.extend(rules_node.all_of.iter().map(|branch| ChildRules {
            rules: *branch,
            node,
            is_typed,
            field: None,
        }));
        children
    }

    fn compile_node(
        &self,
        rules: &[Rule],
        schema: &StructuralSchema,
        node: NodeId,
        is_typed: bool,
        budget: &mut PatternBudget,
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
            .map(|rule| self.compile_rule(rule, schema, node, budget))
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
        budget: &mut PatternBudget,
    ) -> CompiledRule {
        let syntax = StepSyntax::NamesAndKeys;
        let mut compiled = CompiledRule {
            program: Ok(None),
            message: CompiledMessage::None,
            field_path: field_path::resolve((schema, node), &rule.field_path, syntax)
                .map(|field| field.path)
                .unwrap_or_default(),
            max_cost: 0,
            message_max_cost: 0,
        };
        if rule.rule.trim().is_empty() {
            return compiled;
        }
        let environment = Environment::new(&self.declared_types, node)
            .optional_old_self(rule.optional_old_self == Some(true));
        let rule_environment =
            environment.libraries(self.allowed_functions.version_for_rule(&rule.rule));
        match budget.compile_as(rule_environment, &rule.rule, &RULE_TYPE) {
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
            let expression = &*rule.message_expression;
            let message_environment =
                environment.libraries(self.allowed_functions.version_for_message(expression));
            match budget.compile_as(message_environment, expression, &MESSAGE_TYPE) {
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
