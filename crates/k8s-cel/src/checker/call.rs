//! Checks calls: resolves overloads, estimates costs and plans the nodes.

use std::sync::Arc;

use k8s_go_text::time;

use super::state::{CheckedArguments, CheckedExpr, Checker, ConstantPart};
use crate::cost::call_estimate::CallEstimate;
use crate::cost::estimate::{EntrySizes, EstimateRange, OriginStep};
use crate::functions::call_form::{CallForm, RegexUse, Validator};
use crate::functions::row::Overload;
use crate::functions::table::FunctionDecl;
use crate::functions::{self, conversions, format_string};
use crate::interpreter::interpreter::Interpreter;
use crate::interpreter::program::{
    BorrowedTest, BorrowedTestKind, Conditional, PlanNode, SelectMode,
};
use crate::syntax::{Ast, AstKind, Literal, SourceError};
use crate::types::feature::Feature;
use crate::types::types::Type;
use crate::values::timestamp::Timestamp;
use crate::values::value::{Val, code_point_count};

impl Checker<'_> {
    /// Checks a call, of a qualified function or of a member function.
    pub(super) fn check_call(
        &mut self,
        ast: &Ast,
        name: &str,
        target: Option<&Ast>,
        args: &[Ast],
    ) -> CheckedExpr {
        // `operand.?field` is a call whose second argument is the name of the field.
        if name == "_?._"
            && let [operand, field] = args
            && let AstKind::Literal(Literal::String(field)) = &field.kind
        {
            return self.check_select(ast.offset, operand, field, SelectMode::Optional);
        }
        let mut function = functions::table::find(name.trim_start_matches('.'), self.version);
        // The elements of the list argument of `format` may have different types.
        let allowed_mixed_types = self.allows_mixed_types;
        self.allows_mixed_types |=
            function.is_some_and(|decl| decl.row.validator == Some(Validator::Format));
        let constants_before = self.constant_parts.len();
        let mut checked_args: Vec<CheckedExpr> = args.iter().map(|arg| self.check(arg)).collect();
        let mut is_member = false;
        let mut printed_name = name.to_owned();
        if let Some(target) = target {
            let qualified = target
                .qualified_name()
                .map(|prefix| format!("{prefix}.{name}"));
            let qualified = qualified.and_then(|name| {
                Some((
                    functions::table::find(name.trim_start_matches('.'), self.version)?,
                    name,
                ))
            });
            if let Some((qualified_function, name)) = qualified {
                function = Some(qualified_function);
                printed_name = name;
            } else {
                // The server checks the arguments before the target, but evaluates the constants of
                // the target first.
                let mut argument_constants = self.constant_parts.split_off(constants_before);
                checked_args.insert(0, self.check(target));
                self.constant_parts.append(&mut argument_constants);
                is_member = true;
            }
        }
        self.allows_mixed_types = allowed_mixed_types;
        let Some(function) = function else {
            self.add_error(
                ast.offset,
                format!("undeclared reference to '{printed_name}' (in container '')"),
            );
            return CheckedExpr::error();
        };
        if function.row.form == CallForm::And {
            return self.check_logical_operator(args, checked_args, PlanNode::And);
        }
        if function.row.form == CallForm::Or {
            return self.check_logical_operator(args, checked_args, PlanNode::Or);
        }
        let target = target.filter(|_| is_member);
        self.resolve_overload(ast.offset, target, args, function, checked_args)
    }

    /// Checks `&&` or `||`.
    fn check_logical_operator(
        &mut self,
        arg_asts: &[Ast],
        args: Vec<CheckedExpr>,
        make_node: fn(Box<[PlanNode; 2]>) -> PlanNode,
    ) -> CheckedExpr {
        let mut is_valid = true;
        for (ast, arg) in arg_asts.iter().zip(&args) {
            if !self.types.assign(&arg.ty, &Type::Bool) {
                self.add_type_mismatch(ast.offset, &Type::Bool, &arg.ty);
                is_valid = false;
            }
        }
        if !is_valid {
            return CheckedExpr::error();
        }
        let Ok([left, right]) = <[CheckedExpr; 2]>::try_from(args) else {
            return CheckedExpr::error();
        };
        // Short-circuit evaluation may skip the right operand.
        let cost = EstimateRange {
            min: left.cost.min,
            max: left.cost.plus(right.cost).max,
        };
        let operands = Box::new([left.node, right.node]);
        CheckedExpr::new(make_node(operands), Type::Bool, cost)
    }

    /// Selects the overloads that accept the argument types, and finishes the call.
    fn resolve_overload(
        &mut self,
        offset: u32,
        target: Option<&Ast>,
        arg_asts: &[Ast],
        function: &'static FunctionDecl,
        args: Vec<CheckedExpr>,
    ) -> CheckedExpr {
        let is_member = target.is_some();
        let types: Vec<Type> = args.iter().map(|arg| arg.ty.clone()).collect();
        let mut result: Option<Type> = None;
        let mut matched: Vec<&'static Overload> = Vec::new();
        for overload in function.overloads_in_order(self.version) {
            if overload.is_member != is_member || !self.has_overload(overload) {
                continue;
            }
            let type_params: Vec<Type> = (0..overload.type_param_count)
                .map(|_| self.types.fresh_var())
                .collect();
            if overload.args.len() != types.len() {
                continue;
            }
            let expected: Vec<Type> = overload
                .args
                .iter()
                .map(|ty| instantiate(ty, &type_params))
                .collect();
            let arg_types: Vec<&Type> = types.iter().collect();
            if !self
                .types
                .assign_all(&arg_types, &expected.iter().collect::<Vec<_>>())
            {
                continue;
            }
            matched.push(overload);
            let ty = self
                .types
                .resolve(&instantiate(&overload.result, &type_params));
            let ty = self.types.of_new_value(ty);
            result = match result {
                // As on a server, a missing result counts as an overload that does not match.
                None => Some(ty).filter(|ty| !matches!(ty, Type::Missing(_))),
                Some(earlier) if earlier == Type::Dyn || earlier == ty => Some(earlier),
                Some(_) => Some(Type::Dyn),
            };
        }
        let Some(result) = result else {
            self.add_no_overload_error(offset, function.row.name, &types, is_member);
            return CheckedExpr::error();
        };
        if self.version.has(Feature::LiteralValidation)
            && let Some(validator) = function.row.validator
        {
            self.check_literals(function.row.name, validator, arg_asts);
            if let (Validator::Format, Some(target), [list], [_, arg]) =
                (validator, target, arg_asts, &*args)
                && self.version.has(Feature::FormatValidation)
            {
                self.check_format_string(offset, target, list, arg);
            }
        }
        self.finish_call(function, &matched, args, result)
    }

    /// Returns true if a server of the version has the overload. Before 1.28, a server rejects
    /// comparisons of numbers of different types only until its checker has checked a
    /// comprehension.
    fn has_overload(&self, overload: &Overload) -> bool {
        overload.exists_in(self.version) || overload.is_early_in_loops && self.was_in_loop
    }

    /// Reports a call whose argument types no overload accepts.
    fn add_no_overload_error(&mut self, offset: u32, name: &str, types: &[Type], is_member: bool) {
        let types: Vec<String> = types
            .iter()
            .map(|ty| self.types.resolve_or_dyn(ty).to_string())
            .collect();
        let signature = match types.split_first() {
            Some((target, rest)) if is_member => format!("{target}.({})", rest.join(", ")),
            _ => format!("({})", types.join(", ")),
        };
        let message = format!("found no matching overload for '{name}' applied to '{signature}'");
        self.add_error(offset, message);
    }

    /// Checks a literal format string against a list literal of arguments, and reports arguments of
    /// types that the format does not accept.
    fn check_format_string(&mut self, offset: u32, target: &Ast, list: &Ast, arg: &CheckedExpr) {
        let AstKind::Literal(Literal::String(template)) = &target.kind else {
            return;
        };
        if !matches!(list.kind, AstKind::List(_)) {
            return;
        }
        let resolve_type = |ty: &Type| self.types.resolve_or_dyn(ty);
        if let Err(error) =
            format_string::check_format_string(template, &arg.argument_types, &resolve_type)
        {
            let offset = error.offset.unwrap_or(offset);
            self.literal_errors
                .push(SourceError::new(offset, error.message));
        }
    }

    /// Reports a literal argument that is never valid. As on a server, only the first argument is
    /// checked, which for `matches(string, pattern)` is not the pattern.
    fn check_literals(&mut self, name: &str, validator: Validator, arg_asts: &[Ast]) {
        let [ast, ..] = arg_asts else { return };
        let AstKind::Literal(literal) = &ast.kind else {
            return;
        };
        let is_valid = match (validator, literal) {
            (Validator::Regex, Literal::String(string)) => self.patterns.compile(string).is_ok(),
            (Validator::Duration, Literal::String(string)) => {
                conversions::parse_duration(string).is_some()
            }
            (Validator::Timestamp, Literal::String(string)) => time::parse_rfc3339(string).is_ok(),
            (Validator::Timestamp, Literal::Int(seconds)) => Timestamp::new(*seconds, 0).is_some(),
            (Validator::Duration, _) | (Validator::Timestamp, Literal::Null) => false,
            (Validator::Regex | Validator::Timestamp | Validator::Format, _) => true,
        };
        if !is_valid {
            let message = format!("invalid {name} argument");
            self.literal_errors
                .push(SourceError::new(ast.offset, message));
        }
    }

    /// Estimates and plans a call whose overloads are selected.
    fn finish_call(
        &mut self,
        function: &'static FunctionDecl,
        matched: &[&'static Overload],
        mut args: Vec<CheckedExpr>,
        result: Type,
    ) -> CheckedExpr {
        let declared_types = self.declared_types;
        for arg in &mut args {
            arg.ty = self.types.resolve(&arg.ty);
        }
        if function.row.form == CallForm::Conditional {
            return self.check_conditional(args, result);
        }
        let checked_args = CheckedArguments {
            args: &args,
            declared_types,
        };
        let call_estimates: Vec<CallEstimate> = matched
            .iter()
            .map(|overload| (overload.estimate)(&checked_args))
            .collect();
        let args_cost = args
            .iter()
            .fold(EstimateRange::ZERO, |sum, arg| sum.plus(arg.cost));
        let cost = args_cost.plus(EstimateRange::union_of(
            call_estimates.iter().map(|call| call.cost),
        ));
        let sizes = call_estimates.iter().filter_map(|call| call.size);
        let size = sizes.reduce(EstimateRange::union);
        let mut checked = CheckedExpr {
            size,
            ..CheckedExpr::new(PlanNode::Literal(Literal::Null), result, cost)
        };
        self.set_result_sizes(&mut checked, function.row.form, matched, &args);
        self.plan_checked_call(checked, function, matched, args)
    }

    /// Sets the size, the entry sizes and the origin of the result, if the arguments determine them
    /// for this form of call.
    fn set_result_sizes(
        &self,
        checked: &mut CheckedExpr,
        form: CallForm,
        matched: &[&'static Overload],
        args: &[CheckedExpr],
    ) {
        match (form, args) {
            (CallForm::Add, [a, b]) => {
                checked.entry_sizes = EntrySizes::union(a.entry_sizes, b.entry_sizes);
            }
            (CallForm::Index, [container, _]) => {
                checked.size = container.entry_sizes.map(|sizes| sizes.values);
                let is_container = matched.iter().any(|overload| {
                    matches!(overload.args.first(), Some(Type::List(_) | Type::Map(_)))
                });
                if is_container {
                    checked.origin = container.origin.step(
                        self.declared_types,
                        self.self_declaration,
                        OriginStep::Items,
                    );
                }
            }
            (CallForm::Dyn, [arg]) if self.declared_types.has(Feature::ElementSizes) => {
                checked.size = arg.size(self.declared_types);
                checked.entry_sizes = arg.entry_sizes;
            }
            (
                CallForm::Add
                | CallForm::Index
                | CallForm::Dyn
                | CallForm::Call
                | CallForm::And
                | CallForm::Conditional
                | CallForm::Equal
                | CallForm::In
                | CallForm::Not
                | CallForm::NotEqual
                | CallForm::NotStrictlyFalse
                | CallForm::OptionalIndex
                | CallForm::OptionalOr
                | CallForm::OptionalOrValue
                | CallForm::Or
                | CallForm::Size,
                _,
            ) => {}
        }
    }

    /// Plans the node of a call, and records the constant parts that are evaluated at compile time.
    fn plan_checked_call(
        &mut self,
        mut checked: CheckedExpr,
        function: &'static FunctionDecl,
        matched: &[&'static Overload],
        args: Vec<CheckedExpr>,
    ) -> CheckedExpr {
        let args: Vec<PlanNode> = args.into_iter().map(|arg| arg.node).collect();
        if matches!(function.row.form, CallForm::Index | CallForm::OptionalIndex)
            && let Some(key) = args.get(1).filter(|key| key.is_constant())
        {
            self.constant_parts.push(ConstantPart::Key(key.clone()));
        }
        let pattern = function
            .row
            .regex
            .and_then(|_| self.constant_pattern(&args));
        checked.node = self.plan_call(function, matched, args);
        if let PlanNode::PrecomputedConstant(node) = &checked.node {
            self.constant_parts
                .push(ConstantPart::Value((**node).clone()));
        }
        if let (Some(pattern), PlanNode::Call(call)) = (pattern, &mut checked.node) {
            match self.patterns.compile(&pattern) {
                Ok(compiled) => {
                    if let (
                        Some(RegexUse::Match),
                        [_, PlanNode::Literal(Literal::String(pattern_source))],
                    ) = (function.row.regex, &*call.args)
                    {
                        let size = call.actual_cost.map(|_| code_point_count(pattern_source));
                        let kind = BorrowedTestKind::Match(Arc::clone(&compiled), size);
                        call.borrowed_test = BorrowedTest::from_strings(kind, &call.args);
                    }
                    call.pattern = Some(compiled);
                }
                Err(message) => self
                    .constant_parts
                    .push(ConstantPart::InvalidPattern(message)),
            }
        }
        checked
    }

    /// Returns the regular expression in the second argument of a call, if the argument is a
    /// constant.
    fn constant_pattern(&self, args: &[PlanNode]) -> Option<String> {
        let pattern = args.get(1).filter(|pattern| pattern.is_constant())?;
        match Interpreter::new(self.declared_types).eval_constant(pattern) {
            Ok(Val::String(pattern)) => Some(pattern.as_str().to_owned()),
            _ => None,
        }
    }

    /// Checks a conditional whose overload is selected.
    fn check_conditional(&mut self, args: Vec<CheckedExpr>, result: Type) -> CheckedExpr {
        let Ok([condition, yes, no]) = <[CheckedExpr; 3]>::try_from(args) else {
            return CheckedExpr::error();
        };
        let declared_types = self.declared_types;
        let size = yes
            .size_or_unknown(declared_types)
            .union(no.size_or_unknown(declared_types));
        let cost = condition.cost.plus(yes.cost.union(no.cost));
        let entry_sizes = EntrySizes::union(yes.entry_sizes, no.entry_sizes);
        let node = PlanNode::Conditional(Box::new(Conditional {
            condition: condition.node,
            yes: yes.node,
            no: no.node,
        }));
        CheckedExpr {
            size: Some(size),
            entry_sizes,
            ..CheckedExpr::new(node, result, cost)
        }
    }
}

/// Returns the type with each type parameter replaced by the type at its index in `params`.
fn instantiate(ty: &Type, params: &[Type]) -> Type {
    match ty {
        Type::Var(index) => match params.get(*index as usize) {
            Some(param) => param.clone(),
            None => Type::Dyn,
        },
        Type::List(inner) => Type::list(instantiate(inner, params)),
        Type::Optional(inner) => Type::optional(instantiate(inner, params)),
        Type::Type(inner) => Type::Type(Box::new(instantiate(inner, params))),
        Type::Map(entry) => Type::map(instantiate(&entry.0, params), instantiate(&entry.1, params)),
        other => other.clone(),
    }
}
