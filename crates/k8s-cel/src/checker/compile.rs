//! Compiles an expression to a program: parses it, checks its types, and evaluates its constants.

use super::error::CompileError;
use super::literal::check_literal;
use super::names::is_defined_type;
use super::pattern_compiler::PatternCompiler;
use super::state::{CheckedExpr, Checker, ConstantPart, ElementTypes, MismatchReport, Variable};
use crate::cost::estimate::ValueOrigin;
use crate::functions::access;
use crate::interpreter::interpreter::Interpreter;
use crate::interpreter::program::{OLD_SELF, Program, SELF, SelectMode};
use crate::syntax::{self, Ast, AstKind, SourceError, SourceErrors};
use crate::types::assignability::Unifier;
use crate::types::declared::{DeclaredId, DeclaredTypes};
use crate::types::feature::{Feature, RuleVersions};
use crate::types::types::Type;
use crate::values::value::EvalError;

/// The environment of an expression: its variables and limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct EnvironmentOptions<'s> {
    pub(super) declared_types: &'s DeclaredTypes,
    /// The declaration of `self`.
    pub(super) self_type: DeclaredId,
    /// True if `oldSelf` is an optional value.
    pub(super) optional_old_self: bool,
    /// The versions that decide which functions exist.
    pub(super) version: RuleVersions,
    /// The maximum total compiled size of the regular expressions in the expression.
    pub(super) pattern_size_limit: u64,
}

/// Compiles an expression in an environment.
pub(super) fn compile(
    options: EnvironmentOptions<'_>,
    source: &str,
) -> Result<Program, CompileError> {
    let ast = syntax::parse_rule(source, options.version).map_err(CompileError::Compilation)?;
    let EnvironmentOptions {
        declared_types,
        self_type: self_declaration,
        optional_old_self,
        version,
        pattern_size_limit,
    } = options;
    let self_type = Type::from_declared(declared_types, self_declaration).unwrap_or(Type::Dyn);
    let old_self_type = if optional_old_self {
        Type::optional(self_type.clone())
    } else {
        self_type.clone()
    };
    let self_origin = ValueOrigin::Declared(self_declaration);
    let checker = |first_pass_types| Checker {
        declared_types,
        self_declaration,
        version,
        types: Unifier::new(version),
        first_pass_types,
        needs_second_pass: false,
        scope: vec![
            Variable::root("self", self_type.clone(), self_origin),
            Variable::root("oldSelf", old_self_type.clone(), self_origin),
        ],
        max_slots: 2,
        uses_old_self: false,
        constant_parts: Vec::new(),
        patterns: PatternCompiler::new(pattern_size_limit),
        allows_mixed_types: false,
        was_in_loop: false,
        checked_types: None,
        element_types: Vec::new(),
        errors: Vec::new(),
        literal_errors: Vec::new(),
    };
    let mut first_pass = checker(None);
    let mut root = first_pass.check(&ast);
    let errors = first_pass.take_errors();
    if !errors.is_empty() {
        let errors = SourceErrors::new(source, errors);
        return Err(CompileError::Compilation(errors));
    }
    let checker = if first_pass.needs_second_pass {
        // The server estimates costs when all types are known, so a second pass uses the inferred
        // types of the first.
        let mut second_pass = checker(Some(first_pass.types));
        root = second_pass.check(&ast);
        second_pass
    } else {
        first_pass
    };
    for constant in &checker.constant_parts {
        let result = constant.check(&checker);
        result.map_err(|message| CompileError::Instantiation { message })?;
    }
    Ok(checker.program(root))
}

impl ConstantPart {
    /// Evaluates the constant part. Returns the server's message if the evaluation fails.
    fn check(&self, checker: &Checker<'_>) -> Result<(), String> {
        let declared_types = checker.declared_types;
        match self {
            Self::TypeName(name, ty) => match checker.types.resolve(ty) {
                Type::Type(_) if !is_defined_type(name, checker.version) => {
                    Err(format!("reference to undefined type: {name}"))
                }
                _ => Ok(()),
            },
            Self::Value(node) => match Interpreter::new(declared_types).eval_constant(node) {
                Err(EvalError::Expression(message)) => Err(message.to_string()),
                _ => Ok(()),
            },
            Self::InvalidPattern(message) => Err(message.clone()),
            Self::Key(node) => match Interpreter::new(declared_types).eval_constant(node) {
                Ok(key) => {
                    access::check_key(declared_types, &key).map_err(|error| error.to_string())
                }
                Err(_) => Ok(()),
            },
        }
    }
}

impl Checker<'_> {
    pub(super) fn add_error(&mut self, offset: u32, message: String) {
        self.errors.push(SourceError::new(offset, message));
    }

    /// Returns the program of an expression without errors.
    fn program(self, root: CheckedExpr) -> Program {
        Program {
            ty: self.types.resolve_or_dyn(&root.ty),
            max_cost: root.cost.max,
            is_bool: root.node.is_bool(),
            root: root.node,
            slots: self.max_slots,
            uses_old_self: self.uses_old_self,
            pattern_size: self.patterns.size(),
        }
    }

    /// Removes and returns all errors. Errors of literals, and different types of elements, are
    /// returned only if there are no other errors.
    fn take_errors(&mut self) -> Vec<SourceError> {
        if self.errors.is_empty() {
            for element_types in core::mem::take(&mut self.element_types) {
                self.check_element_types(&element_types);
            }
            self.errors.append(&mut self.literal_errors);
        }
        if !self.version.has(Feature::OptionalTypeName) {
            for error in &mut self.errors {
                error.message = error.message.replace("optional_type(", "optional(");
            }
        }
        core::mem::take(&mut self.errors)
    }

    /// Reports elements whose type differs from the type of the first element.
    fn check_element_types(&mut self, element_types: &ElementTypes) {
        let Some(((_, first), rest)) = element_types.types.split_first() else {
            return;
        };
        let first = self.types.resolve_or_dyn(first);
        for (offset, ty) in rest {
            let ty = self.types.resolve_or_dyn(ty);
            // On a server, a type that contains a missing type equals no other type.
            if ty != first || first.contains_missing() {
                self.add_type_mismatch(*offset, &first, &ty);
                if element_types.report == MismatchReport::First {
                    return;
                }
            }
        }
    }

    pub(super) fn add_type_mismatch(&mut self, offset: u32, expected: &Type, found: &Type) {
        // As on a server, the message has the types without later inferences.
        self.add_error(
            offset,
            format!("expected type '{expected}' but found '{found}'"),
        );
    }

    /// Checks an expression, and reports its errors.
    pub(super) fn check(&mut self, ast: &Ast) -> CheckedExpr {
        let allowed_mixed_types = self.allows_mixed_types;
        // An older server allows mixed types only in lists and maps directly inside the arguments
        // of `format`.
        if !self.version.has(Feature::FormatValidation) {
            self.allows_mixed_types &= matches!(ast.kind, AstKind::List(_) | AstKind::Map(_));
        }
        let mut checked = self.check_kind(ast);
        self.allows_mixed_types = allowed_mixed_types;
        if !self.declared_types.has(Feature::ElementSizes) {
            checked.entry_sizes = None;
            checked.fallback_size = None;
        }
        if let Some(types) = &mut self.checked_types {
            types.push((ast.offset, checked.ty.clone()));
        }
        let unwrapped = match &checked.ty {
            Type::Optional(inner) => inner,
            ty => ty,
        };
        if let Type::Var(_) = unwrapped {
            self.needs_second_pass = true;
            let first_pass_types = self.first_pass_types.as_ref();
            checked.first_pass_type = first_pass_types.map(|types| types.resolve(&checked.ty));
        }
        checked
    }

    /// Checks an expression by its kind, without the bookkeeping of [`check`](Self::check).
    fn check_kind(&mut self, ast: &Ast) -> CheckedExpr {
        match &ast.kind {
            AstKind::Literal(literal) => check_literal(literal),
            AstKind::Ident(name) => self.check_ident(ast.offset, name),
            AstKind::Select {
                operand,
                field,
                test_only,
            } => {
                if !test_only && let Some(checked_type) = self.check_qualified_type(ast) {
                    return checked_type;
                }
                let mode = if *test_only {
                    SelectMode::Has
                } else {
                    SelectMode::Select
                };
                self.check_select(ast.offset, operand, field, mode)
            }
            AstKind::Call {
                function,
                target,
                args,
            } => self.check_call(ast, function, target.as_deref(), args),
            AstKind::List(elements) => self.check_list(elements),
            AstKind::Map(entries) => self.check_map(entries),
            AstKind::Struct(name) => {
                self.add_error(
                    ast.offset,
                    format!("undeclared reference to '{name}' (in container '')"),
                );
                CheckedExpr::error()
            }
            AstKind::Comprehension(comprehension) => self.check_comprehension(comprehension),
        }
    }
}

// `compile` puts `self` and `oldSelf` first in the scope, and slots follow the order of the scope.
const _: () = assert!(SELF == 0 && OLD_SELF == 1);
