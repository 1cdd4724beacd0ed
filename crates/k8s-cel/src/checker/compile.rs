//! Compiles an expression: the types of its parts, and the program.

use super::error::CompileError;
use super::literal::check_literal;
use super::names::is_defined;
use super::patterns::Patterns;
use super::state::{Checked, Checker, Constant, Row, Variable};
use crate::cost::estimate::Place;
use crate::functions::access;
use crate::interpreter::machine::Machine;
use crate::interpreter::program::{How, OLD_SELF, Program, SELF};
use crate::syntax::{self, Ast, AstKind, Problem, Problems};
use crate::types::declared::{DeclaredId, DeclaredTypes};
use crate::types::types::Type;
use crate::types::unify::Unifier;
use crate::types::version::Version;
use crate::values::value::Fault;

/// The environment of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope<'s> {
    pub(super) declared: &'s DeclaredTypes,
    /// The declaration of `self`.
    pub(super) this: DeclaredId,
    /// True if `oldSelf` is an optional value.
    pub(super) optional_old_self: bool,
    /// The version of the server, which decides which functions exist.
    pub(super) version: Version,
    /// The weight that the regular expressions may have.
    pub(super) pattern_room: u64,
}

/// Compiles an expression.
pub(super) fn compile(scope: Scope<'_>, source: &str) -> Result<Program, CompileError> {
    let ast = syntax::parse(source, scope.version).map_err(CompileError::Compilation)?;
    let Scope {
        declared,
        this: node,
        optional_old_self,
        version,
        pattern_room,
    } = scope;
    let this = Type::of_declared(declared, node).unwrap_or(Type::Dyn);
    let old = if optional_old_self {
        Type::optional(this.clone())
    } else {
        this.clone()
    };
    let checker = |settled| Checker {
        declared,
        node,
        version,
        types: Unifier::default(),
        settled,
        is_open: false,
        scope: vec![
            Variable::root("self", this.clone(), Place::Declared(node)),
            Variable::root("oldSelf", old.clone(), Place::Declared(node)),
        ],
        most: 2,
        uses_old_self: false,
        constants: Vec::new(),
        patterns: Patterns::new(pattern_room),
        may_mix: false,
        was_in_loop: false,
        rows: Vec::new(),
        problems: Vec::new(),
        later: Vec::new(),
    };
    let mut first = checker(None);
    let mut root = first.check(&ast);
    let problems = first.all_problems();
    if !problems.is_empty() {
        let problems = Problems::new(source, problems);
        return Err(CompileError::Compilation(problems));
    }
    let checker = if first.is_open {
        // The server estimates costs when all types are known.
        let mut second = checker(Some(first.types));
        root = second.check(&ast);
        second
    } else {
        first
    };
    for constant in &checker.constants {
        let found = constant.check(&checker);
        found.map_err(|problem| CompileError::Instantiation { problem })?;
    }
    Ok(checker.program(root))
}

impl Constant {
    /// Evaluates the part. Returns the error if the evaluation fails.
    fn check(&self, checker: &Checker<'_>) -> Result<(), String> {
        let declared = checker.declared;
        match self {
            Self::Name(name, ty) => match checker.types.resolve(ty) {
                Type::Kind(_) if !is_defined(name, checker.version) => {
                    Err(format!("reference to undefined type: {name}"))
                }
                _ => Ok(()),
            },
            Self::Value(code) => match Machine::new(declared).constant(code) {
                Err(Fault::Error(text)) => Err(text.to_string()),
                _ => Ok(()),
            },
            Self::Wrong(why) => Err(why.clone()),
            Self::Key(code) => match Machine::new(declared).constant(code) {
                Ok(key) => access::check_key(declared, &key).map_err(|fault| fault.to_string()),
                Err(_) => Ok(()),
            },
        }
    }
}

impl Checker<'_> {
    pub(super) fn problem(&mut self, at: u32, text: String) {
        self.problems.push(Problem::new(at, text));
    }

    /// Returns the program of an expression without problems.
    fn program(self, root: Checked) -> Program {
        Program {
            ty: self.types.finish(&root.ty),
            max_cost: root.cost.max,
            is_truth: root.code.is_truth(),
            code: root.code,
            slots: self.most,
            uses_old_self: self.uses_old_self,
            pattern_weight: self.patterns.weight(),
        }
    }

    /// Returns all problems. Literals are checked only if all types are right.
    fn all_problems(&mut self) -> Vec<Problem> {
        if self.problems.is_empty() {
            for row in core::mem::take(&mut self.rows) {
                self.check_row(&row);
            }
            self.problems.append(&mut self.later);
        }
        core::mem::take(&mut self.problems)
    }

    fn check_row(&mut self, row: &Row) {
        let Some(((_, first), rest)) = row.types.split_first() else {
            return;
        };
        let first = self.types.finish(first);
        for (at, ty) in rest {
            let ty = self.types.finish(ty);
            if ty != first {
                self.mismatch(*at, &first, &ty);
                if !row.tells_all {
                    return;
                }
            }
        }
    }

    pub(super) fn mismatch(&mut self, at: u32, wanted: &Type, found: &Type) {
        // The message contains the type at the time of the mismatch, without later inferences.
        self.problem(at, format!("expected type '{wanted}' but found '{found}'"));
    }

    pub(super) fn check(&mut self, ast: &Ast) -> Checked {
        let mut checked = self.check_kind(ast);
        let of = match &checked.ty {
            Type::Optional(of) => of,
            ty => ty,
        };
        if let Type::Var(_) = of {
            self.is_open = true;
            let settled = self.settled.as_ref();
            checked.settled = settled.map(|types| types.resolve(&checked.ty));
        }
        checked
    }

    fn check_kind(&mut self, ast: &Ast) -> Checked {
        match &ast.kind {
            AstKind::Literal(literal) => check_literal(literal),
            AstKind::Ident(name) => self.ident(ast.at, name),
            AstKind::Select {
                operand,
                field,
                test,
            } => {
                if let Some(name) = ast.qualified_name().filter(|_| !test)
                    && let Some(ty) = self.type_named(name.trim_start_matches('.'))
                {
                    return ty;
                }
                let how = if *test { How::Test } else { How::Plain };
                self.select(ast.at, operand, field, how)
            }
            AstKind::Call {
                function,
                target,
                args,
            } => self.call(ast, function, target.as_deref(), args),
            AstKind::List(elements) => self.list(elements),
            AstKind::Map(entries) => self.map(entries),
            AstKind::Struct(name) => {
                self.problem(
                    ast.at,
                    format!("undeclared reference to '{name}' (in container '')"),
                );
                Checked::error()
            }
            AstKind::Fold(fold) => self.fold(fold),
        }
    }
}

const _: () = assert!(SELF == 0 && OLD_SELF == 1);
