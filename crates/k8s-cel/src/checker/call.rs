//! Calls: the overloads of a function that take the arguments.

use std::sync::Arc;

use k8s_go_text::time;

use super::state::{Checked, CheckedArguments, Checker, Constant};
use crate::cost::call::CallEstimate;
use crate::cost::estimate::{Entries, Range, Step};
use crate::functions::form::{Form, Regex, Validator};
use crate::functions::row::Overload;
use crate::functions::table::Function;
use crate::functions::{self, conversions, format_string};
use crate::interpreter::machine::Machine;
use crate::interpreter::program::{Asks, Choice, Code, How, Question};
use crate::syntax::{Ast, AstKind, Literal, Problem};
use crate::types::types::Type;

use crate::values::timestamp::Timestamp;
use crate::values::value::{Val, letters};

impl Checker<'_> {
    pub(super) fn call(
        &mut self,
        ast: &Ast,
        name: &str,
        target: Option<&Ast>,
        args: &[Ast],
    ) -> Checked {
        if name == "_?._"
            && let [operand, field] = args
            && let AstKind::Literal(Literal::Text(field)) = &field.kind
        {
            return self.select(ast.at, operand, field, How::Optional);
        }
        let mut function = functions::table::find(name.trim_start_matches('.'), self.version);
        // Formatted lists may mix types.
        let was_mixed = self.may_mix;
        self.may_mix |= function.is_some_and(|of| of.row.validator == Some(Validator::Format));
        let before = self.constants.len();
        let mut checked: Vec<Checked> = args.iter().map(|arg| self.check(arg)).collect();
        let mut is_member = false;
        let mut printed = name.to_owned();
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
            if let Some((found, name)) = qualified {
                function = Some(found);
                printed = name;
            } else {
                // The arguments are checked before the target, but the constants of the target are
                // evaluated first.
                let mut of_arguments = self.constants.split_off(before);
                checked.insert(0, self.check(target));
                self.constants.append(&mut of_arguments);
                is_member = true;
            }
        }
        self.may_mix = was_mixed;
        let Some(function) = function else {
            self.problem(
                ast.at,
                format!("undeclared reference to '{printed}' (in container '')"),
            );
            return Checked::error();
        };
        if function.row.form == Form::And {
            return self.logic(args, checked, Code::And);
        }
        if function.row.form == Form::Or {
            return self.logic(args, checked, Code::Or);
        }
        let target = target.filter(|_| is_member);
        self.overloaded(ast.at, target, args, function, checked)
    }

    fn logic(
        &mut self,
        asts: &[Ast],
        args: Vec<Checked>,
        code: fn(Box<[Code; 2]>) -> Code,
    ) -> Checked {
        let mut is_right = true;
        for (ast, arg) in asts.iter().zip(&args) {
            if !self.types.assign(&arg.ty, &Type::Bool) {
                self.mismatch(ast.at, &Type::Bool, &arg.ty);
                is_right = false;
            }
        }
        if !is_right {
            return Checked::error();
        }
        let Ok([left, right]) = <[Checked; 2]>::try_from(args) else {
            return Checked::error();
        };
        // The right side may not run.
        let cost = Range {
            min: left.cost.min,
            max: left.cost.plus(right.cost).max,
        };
        let both = Box::new([left.code, right.code]);
        Checked::new(code(both), Type::Bool, cost)
    }

    fn overloaded(
        &mut self,
        at: u32,
        target: Option<&Ast>,
        asts: &[Ast],
        function: &'static Function,
        args: Vec<Checked>,
    ) -> Checked {
        let is_member = target.is_some();
        let types: Vec<Type> = args.iter().map(|arg| arg.ty.clone()).collect();
        // Types that only the call itself determines do not count as known.
        let is_known = !types.iter().any(|ty| self.types.resolve(ty).is_open());
        let mut result: Option<Type> = None;
        let mut matched: Vec<&'static Overload> = Vec::new();
        for overload in &function.overloads {
            if overload.is_member != is_member || !self.has(overload) {
                continue;
            }
            let fresh: Vec<Type> = (0..overload.params).map(|_| self.types.fresh()).collect();
            if overload.args.len() != types.len() {
                continue;
            }
            let wanted: Vec<Type> = overload
                .args
                .iter()
                .map(|ty| instantiate(ty, &fresh))
                .collect();
            let given: Vec<&Type> = types.iter().collect();
            if !self
                .types
                .assign_all(&given, &wanted.iter().collect::<Vec<_>>())
            {
                continue;
            }
            matched.push(overload);
            let ty = self.types.resolve(&instantiate(&overload.result, &fresh));
            result = Some(match result {
                None => ty,
                Some(before) if before == Type::Dyn || before == ty => before,
                Some(_) => Type::Dyn,
            });
        }
        let Some(result) = result else {
            self.no_overload(at, function.row.name, &types, is_member);
            return Checked::error();
        };
        if self.version.checks_literals()
            && let Some(validator) = function.row.validator
        {
            self.check_literals(function.row.name, validator, asts);
            if let (Validator::Format, Some(target), [list], [_, arg]) =
                (validator, target, asts, &*args)
            {
                self.check_template(at, target, list, arg);
            }
        }
        self.finish_call(function, &matched, args, (result, is_known))
    }

    /// Returns true if a server of the version has the overload. Before 1.28, a server does not
    /// compare numbers of different types, until it has checked a loop: the check of a loop forgets
    /// that.
    fn has(&self, overload: &Overload) -> bool {
        overload.is_of(self.version) || overload.is_early_in_loops && self.was_in_loop
    }

    fn no_overload(&mut self, at: u32, name: &str, types: &[Type], is_member: bool) {
        let types: Vec<String> = types
            .iter()
            .map(|ty| self.types.finish(ty).to_string())
            .collect();
        let signature = match types.split_first() {
            Some((target, rest)) if is_member => format!("{target}.({})", rest.join(", ")),
            _ => format!("({})", types.join(", ")),
        };
        let text = format!("found no matching overload for '{name}' applied to '{signature}'");
        self.problem(at, text);
    }

    /// Checks a literal format string against a list literal of arguments. Types that do not fit
    /// are problems.
    fn check_template(&mut self, at: u32, target: &Ast, list: &Ast, arg: &Checked) {
        let AstKind::Literal(Literal::Text(template)) = &target.kind else {
            return;
        };
        if !matches!(list.kind, AstKind::List(_)) {
            return;
        }
        let finish = |ty: &Type| self.types.finish(ty);
        if let Err(misfit) = format_string::check(template, &arg.parts, &finish) {
            let at = misfit.at.unwrap_or(at);
            self.later.push(Problem::new(at, misfit.text));
        }
    }

    /// Rejects literals that are never valid. The server checks the first argument, which for
    /// `matches(text, pattern)` is not the pattern.
    fn check_literals(&mut self, name: &str, validator: Validator, asts: &[Ast]) {
        let [ast, ..] = asts else { return };
        let AstKind::Literal(literal) = &ast.kind else {
            return;
        };
        let is_right = match (validator, literal) {
            (Validator::Regex, Literal::Text(text)) => self.patterns.compile(text).is_ok(),
            (Validator::Duration, Literal::Text(text)) => conversions::duration(text).is_some(),
            (Validator::Timestamp, Literal::Text(text)) => time::parse_rfc3339(text).is_ok(),
            (Validator::Timestamp, Literal::Int(seconds)) => Timestamp::new(*seconds, 0).is_some(),
            (Validator::Duration, _) | (Validator::Timestamp, Literal::Null) => false,
            (Validator::Regex | Validator::Timestamp | Validator::Format, _) => true,
        };
        if !is_right {
            let text = format!("invalid {name} argument");
            self.later.push(Problem::new(ast.at, text));
        }
    }

    fn finish_call(
        &mut self,
        function: &'static Function,
        matched: &[&'static Overload],
        mut args: Vec<Checked>,
        (result, is_known): (Type, bool),
    ) -> Checked {
        let declared = self.declared;
        for arg in &mut args {
            arg.ty = self.types.resolve(&arg.ty);
        }
        if function.row.form == Form::Conditional {
            return self.choice(args, result);
        }
        let seen = CheckedArguments {
            args: &args,
            declared,
        };
        let own: Vec<CallEstimate> = matched
            .iter()
            .map(|overload| (overload.estimate)(&seen))
            .collect();
        let all = args.iter().fold(Range::ZERO, |sum, arg| sum.plus(arg.cost));
        let cost = all.plus(Range::all(own.iter().map(|call| call.cost)));
        let sizes = own.iter().filter_map(|call| call.size);
        let size = sizes.reduce(Range::union);
        let mut checked = Checked {
            size,
            ..Checked::new(Code::Literal(Literal::Null), result, cost)
        };
        self.note_contents(&mut checked, function.row.form, matched, &args);
        self.finish_code(checked, function, matched, args, is_known)
    }

    /// Notes the size, the entries and the place of the result, as far as the arguments determine
    /// them beyond the estimate.
    fn note_contents(
        &self,
        checked: &mut Checked,
        form: Form,
        matched: &[&'static Overload],
        args: &[Checked],
    ) {
        match (form, args) {
            (Form::Add, [a, b]) => checked.entries = Entries::union(a.entries, b.entries),
            (Form::Index, [of, _]) => {
                checked.size = of.entries.map(|entries| entries.values);
                let is_container = matched.iter().any(|overload| {
                    matches!(overload.args.first(), Some(Type::List(_) | Type::Map(_)))
                });
                if is_container {
                    checked.place = of.place.step(self.declared, self.node, Step::Items);
                }
            }
            (Form::Dyn, [of]) => {
                checked.size = of.size(self.declared);
                checked.entries = of.entries;
            }
            (
                Form::Add
                | Form::Index
                | Form::Dyn
                | Form::Call
                | Form::And
                | Form::Conditional
                | Form::Equal
                | Form::In
                | Form::Not
                | Form::NotEqual
                | Form::NotStrictlyFalse
                | Form::OptionalIndex
                | Form::OptionalOr
                | Form::OptionalOrValue
                | Form::Or
                | Form::Size,
                _,
            ) => {}
        }
    }

    /// Adds the code of a call, and notes the parts that are computed in advance.
    fn finish_code(
        &mut self,
        mut checked: Checked,
        function: &'static Function,
        matched: &[&'static Overload],
        args: Vec<Checked>,
        is_known: bool,
    ) -> Checked {
        let args: Vec<Code> = args.into_iter().map(|arg| arg.code).collect();
        if matches!(function.row.form, Form::Index | Form::OptionalIndex)
            && let Some(key) = args.get(1).filter(|key| key.is_constant())
        {
            self.constants.push(Constant::Key(key.clone()));
        }
        let pattern = function.row.regex.and_then(|_| self.known_pattern(&args));
        checked.code = self.code_of(function, matched, args, is_known);
        if let Code::Free(code) = &checked.code {
            self.constants.push(Constant::Value((**code).clone()));
        }
        if let (Some(pattern), Code::Call(call)) = (pattern, &mut checked.code) {
            match self.patterns.compile(&pattern) {
                Ok(finder) => {
                    if let (Some(Regex::Match), [_, Code::Literal(Literal::Text(text))]) =
                        (function.row.regex, &*call.args)
                    {
                        let size = call.price.map(|_| letters(text));
                        let asks = Asks::Match(Arc::clone(&finder), size);
                        call.question = Question::of_texts(asks, &call.args);
                    }
                    call.pattern = Some(finder);
                }
                Err(why) => self.constants.push(Constant::Wrong(why)),
            }
        }
        checked
    }

    /// Returns the regular expression in the second argument of a call, if it is known in advance.
    fn known_pattern(&self, args: &[Code]) -> Option<String> {
        let pattern = args.get(1).filter(|pattern| pattern.is_constant())?;
        match Machine::new(self.declared).constant(pattern) {
            Ok(Val::Text(text)) => Some(text.as_str().to_owned()),
            _ => None,
        }
    }

    fn choice(&mut self, args: Vec<Checked>, result: Type) -> Checked {
        let Ok([condition, yes, no]) = <[Checked; 3]>::try_from(args) else {
            return Checked::error();
        };
        let declared = self.declared;
        let size = yes
            .size_or_unknown(declared)
            .union(no.size_or_unknown(declared));
        let cost = condition.cost.plus(yes.cost.union(no.cost));
        let entries = Entries::union(yes.entries, no.entries);
        let code = Code::Choice(Box::new(Choice {
            condition: condition.code,
            yes: yes.code,
            no: no.code,
        }));
        Checked {
            size: Some(size),
            entries,
            ..Checked::new(code, result, cost)
        }
    }
}

/// Returns a type with its parameters replaced by types.
fn instantiate(ty: &Type, params: &[Type]) -> Type {
    match ty {
        Type::Var(number) => match params.get(*number as usize) {
            Some(param) => param.clone(),
            None => Type::Dyn,
        },
        Type::List(of) => Type::list(instantiate(of, params)),
        Type::Optional(of) => Type::optional(instantiate(of, params)),
        Type::Kind(of) => Type::Kind(Box::new(instantiate(of, params))),
        Type::Map(of) => Type::map(instantiate(&of.0, params), instantiate(&of.1, params)),
        other => other.clone(),
    }
}
