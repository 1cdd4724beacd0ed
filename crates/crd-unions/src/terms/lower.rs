//! Translates CEL syntax trees to terms over fields, and records which fields a rule names and how
//! the rule uses them.

use std::rc::Rc;

use k8s_cel::syntax::{self, Ast, AstKind, Literal};

use crate::terms::conjuncts::{self, Conjunct};
use crate::terms::fields::{FieldId, FieldType, Fields, cel_property};
use crate::terms::term::{Comparison, Comprehension, FieldAccess, StringTest, Term};
use crate::terms::value::ValueClass;

/// A string with which a rule compares a field of the object itself, although the enum of the field
/// does not have the string.
pub(crate) struct UnknownEnumValue {
    /// The position of the rule.
    pub(crate) rule: usize,
    pub(crate) field: FieldId,
    pub(crate) value: String,
}

/// A conjunct as a term, with the fields that the conjunct names.
pub(crate) struct LoweredConjunct {
    pub(crate) term: Term,
    pub(crate) named_fields: Vec<FieldId>,
    /// The fields whose values the conjunct reads. The conjunct fails if one of them is absent.
    pub(crate) read_fields: Vec<FieldId>,
    pub(crate) unknown_enum_values: Vec<UnknownEnumValue>,
    /// True if the conjunct also reads the old object.
    pub(crate) is_transition: bool,
}

/// Lowers a conjunct to a term, and adds the fields that it names to `fields`.
pub(crate) fn lower(conjunct: &Conjunct<'_>, fields: &mut Fields<'_>) -> LoweredConjunct {
    let mut lowering = Lowering {
        conjunct,
        fields,
        variables: Vec::new(),
        named_fields: Vec::new(),
        read_fields: Vec::new(),
        unknown_enum_values: Vec::new(),
        next_variable: 0,
    };
    let term = lowering.lower_term(conjunct.ast);
    let term = if conjunct.negated {
        term.negated()
    } else {
        term
    };
    LoweredConjunct {
        term,
        named_fields: lowering.named_fields,
        read_fields: lowering.read_fields,
        unknown_enum_values: lowering.unknown_enum_values,
        is_transition: conjuncts::is_transition_rule(conjunct.ast),
    }
}

/// The state of the translation of one conjunct.
struct Lowering<'p, 'a, 'f, 's> {
    conjunct: &'p Conjunct<'a>,
    fields: &'f mut Fields<'s>,
    /// The variables of the enclosing macros, with their numbers.
    variables: Vec<(&'p str, usize)>,
    named_fields: Vec<FieldId>,
    read_fields: Vec<FieldId>,
    unknown_enum_values: Vec<UnknownEnumValue>,
    next_variable: usize,
}

impl<'p> Lowering<'p, '_, '_, '_> {
    /// Returns the term of an expression. The recursion is as deep as the tree, which CEL limits to
    /// 200 levels.
    fn lower_term(&mut self, ast: &'p Ast) -> Term {
        if let Some(term) = self.lower_selection(ast) {
            return term;
        }
        match &ast.kind {
            AstKind::Literal(literal) => Term::Const(constant(literal)),
            AstKind::Ident(name) => {
                let mut variables = self.variables.iter().rev();
                let variable = variables.find(|(variable_name, _)| variable_name == name);
                variable.map_or(Term::Unknown, |(_, number)| Term::Variable(*number))
            }
            AstKind::Select { operand, .. } => {
                self.lower_term(operand);
                Term::Unknown
            }
            AstKind::Call {
                function,
                target,
                args,
            } => {
                let target = target.as_deref();
                let terms: Vec<Term> = target
                    .into_iter()
                    .chain(args)
                    .map(|arg| self.lower_term(arg))
                    .collect();
                self.lower_call(function, terms)
            }
            AstKind::List(elements) => {
                let has_no_optional = elements.iter().all(|element| !element.optional);
                let terms: Vec<Term> = elements
                    .iter()
                    .map(|element| self.lower_term(&element.value))
                    .collect();
                if has_no_optional {
                    Term::List(terms)
                } else {
                    Term::Unknown
                }
            }
            AstKind::Map(entries) => {
                let has_no_optional = entries.iter().all(|entry| !entry.optional);
                let terms = entries
                    .iter()
                    .map(|entry| [self.lower_term(&entry.key), self.lower_term(&entry.value)]);
                let terms: Vec<[Term; 2]> = terms.collect();
                if has_no_optional {
                    Term::Map(terms)
                } else {
                    Term::Unknown
                }
            }
            AstKind::Comprehension(comprehension) => self.lower_comprehension(comprehension),
            _ => Term::Unknown,
        }
    }

    /// Returns the term of a chain of selections from the object. `None` if the expression is not
    /// such a chain.
    fn lower_selection(&mut self, ast: &'p Ast) -> Option<Term> {
        let scope = &self.conjunct.scope;
        if self.variables.iter().any(|(name, _)| *name == scope.name) {
            return None;
        }
        let chain = conjuncts::select_chain(ast, scope)?;
        if chain.names.is_empty() {
            let value = if chain.test_only {
                ValueClass::Bool(true)
            } else {
                ValueClass::Object
            };
            return Some(Term::Const(value));
        }
        match self.fields.find_or_add(&chain.names, cel_property) {
            Err(last_field) => {
                self.record_named_field(last_field);
                Some(Term::Unknown)
            }
            Ok(field) => {
                self.record_named_field(Some(field));
                let access = FieldAccess {
                    field,
                    optional_from: chain.optional_from,
                };
                if chain.test_only {
                    return Some(Term::Has(access));
                }
                if access.optional_from.is_none() && !self.read_fields.contains(&field) {
                    self.read_fields.push(field);
                }
                if let Some(field) = self.fields.get_mut(field)
                    && field.value_type == FieldType::Bool
                {
                    field.usage.reads_truth = true;
                }
                Some(Term::CelValue(access))
            }
        }
    }

    /// Records that the conjunct names a field and its ancestors.
    fn record_named_field(&mut self, field: Option<FieldId>) {
        let chain = field.and_then(|field| self.fields.get(field));
        for field in chain.map_or(&[][..], |field| &field.chain) {
            if !self.named_fields.contains(field) {
                self.named_fields.push(*field);
            }
        }
    }

    fn lower_call(&mut self, function: &str, terms: Vec<Term>) -> Term {
        let terms = match <[Term; 1]>::try_from(terms) {
            Ok([operand]) => return self.lower_unary(function, operand),
            Err(terms) => terms,
        };
        let terms = match <[Term; 2]>::try_from(terms) {
            Ok(operands) => return self.lower_binary(function, operands),
            Err(terms) => terms,
        };
        match <[Term; 3]>::try_from(terms) {
            Ok(operands) if function == "_?_:_" => Term::If(Box::new(operands)),
            _ => Term::Unknown,
        }
    }

    /// Returns the term of a call with one operand, which may be the receiver.
    fn lower_unary(&mut self, function: &str, operand: Term) -> Term {
        match function {
            "!_" => operand.negated(),
            "@not_strictly_false" => Term::NotStrictlyFalse(Box::new(operand)),
            "hasValue" => Term::HasValue(Box::new(operand)),
            "size" => {
                self.record_emptiness(&operand);
                Term::Size(Box::new(operand))
            }
            _ => Term::Unknown,
        }
    }

    /// Returns the term of a call with two operands, of which the first may be the receiver.
    fn lower_binary(&mut self, function: &str, operands: [Term; 2]) -> Term {
        let comparison = match function {
            "_&&_" => return Term::And(Box::new(operands)),
            "_||_" => return Term::Or(Box::new(operands)),
            "_+_" => return Term::Add(Box::new(operands)),
            "orValue" => return Term::OrValue(Box::new(operands)),
            "@in" => {
                self.record_strings(&operands[0], &operands[1]);
                return Term::In(Box::new(operands));
            }
            "_[_]" => {
                self.record_strings(&operands[1], &operands[0]);
                return Term::Index(Box::new(operands));
            }
            "startsWith" => return Term::StringTest(StringTest::StartsWith, Box::new(operands)),
            "endsWith" => return Term::StringTest(StringTest::EndsWith, Box::new(operands)),
            "contains" => return Term::StringTest(StringTest::Contains, Box::new(operands)),
            "matches" => return Term::StringTest(StringTest::Matches, Box::new(operands)),
            "_==_" => Comparison::Equal,
            "_!=_" => Comparison::NotEqual,
            "_<_" => Comparison::Less,
            "_<=_" => Comparison::LessEqual,
            "_>_" => Comparison::Greater,
            "_>=_" => Comparison::GreaterEqual,
            _ => return Term::Unknown,
        };
        self.record_strings(&operands[0], &operands[1]);
        self.record_strings(&operands[1], &operands[0]);
        Term::Compare(comparison, Box::new(operands))
    }

    /// Records the strings that a field is compared with: a string, the strings in a list, or the
    /// keys of a map.
    fn record_strings(&mut self, field: &Term, operand: &Term) {
        let strings: Vec<&Term> = match operand {
            Term::List(list) if list.is_empty() => return self.record_emptiness(field),
            Term::Map(map) if map.is_empty() => return self.record_emptiness(field),
            Term::List(list) => list.iter().collect(),
            Term::Map(map) => map.iter().map(|[key, _]| key).collect(),
            operand => vec![operand],
        };
        let Some(id) = field.accessed_field() else {
            return;
        };
        for string in strings {
            if let Term::Const(ValueClass::String(string)) = string {
                self.record_string(id, string);
            }
        }
    }

    /// Records that a rule compares a field with a string.
    fn record_string(&mut self, id: FieldId, string: &str) {
        let Some(field) = self.fields.get_mut(id) else {
            return;
        };
        if field.value_type != FieldType::String {
            return;
        }
        if string.is_empty() {
            field.usage.checks_emptiness = true;
            return;
        }
        let is_not_in_enum = field
            .values
            .as_ref()
            .is_some_and(|values| !values.contains(&string));
        if is_not_in_enum && field.is_own() {
            self.unknown_enum_values.push(UnknownEnumValue {
                rule: self.conjunct.rule,
                field: id,
                value: string.to_owned(),
            });
        }
        if !field.usage.literals.iter().any(|other| other == string) {
            field.usage.literals.push(string.to_owned());
        }
    }

    /// Records that a rule checks whether the field of a term is empty.
    fn record_emptiness(&mut self, term: &Term) {
        let field = term.accessed_field().and_then(|id| self.fields.get_mut(id));
        if let Some(field) = field {
            field.usage.checks_emptiness = true;
        }
    }

    fn lower_comprehension(&mut self, comprehension: &'p syntax::Comprehension) -> Term {
        let range = self.lower_term(&comprehension.iter_range);
        let init = self.lower_term(&comprehension.accu_init);
        let [var, accu] = [self.next_variable, self.next_variable + 1];
        self.next_variable += 2;
        let outer_variable_count = self.variables.len();
        self.variables.push((&comprehension.iter_var, var));
        self.variables.push((&comprehension.accu_var, accu));
        let condition = self.lower_term(&comprehension.loop_condition);
        let step = self.lower_term(&comprehension.loop_step);
        let result = self.lower_term(&comprehension.result);
        self.variables.truncate(outer_variable_count);
        if comprehension.iter_var2.is_some() {
            return Term::Unknown;
        }
        Term::Comprehension(Box::new(Comprehension {
            range,
            var,
            accu,
            init,
            condition,
            step,
            result,
        }))
    }
}

fn constant(literal: &Literal) -> ValueClass {
    match literal {
        Literal::Null => ValueClass::Null,
        Literal::Bool(value) => ValueClass::Bool(*value),
        Literal::Int(value) => ValueClass::Int(*value, *value),
        Literal::String(string) => ValueClass::String(Rc::from(&**string)),
        _ => ValueClass::Any,
    }
}

/// Returns the fields and the allowed counts, if the term restricts the number of present fields.
pub(crate) fn field_count_restriction(term: &Term) -> Option<(Vec<FieldId>, Vec<bool>)> {
    let (fields, comparison, bound) = match term {
        Term::Compare(comparison, operands) => {
            let literal_int = |term: &Term| match term {
                Term::Const(ValueClass::Int(min, max)) if min == max => Some(*min),
                _ => None,
            };
            let [left, right] = &**operands;
            match (literal_int(left), literal_int(right)) {
                (None, Some(bound)) => (counted_fields(left)?, *comparison, bound),
                (Some(bound), None) => (
                    counted_fields(right)?,
                    mirror_comparison(*comparison),
                    bound,
                ),
                _ => return None,
            }
        }
        Term::Comprehension(comprehension) => {
            (exists_one_fields(comprehension)?, Comparison::Equal, 1)
        }
        _ => return None,
    };
    let allowed = (0..=fields.len()).map(|count| {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        match comparison {
            Comparison::Equal => count == bound,
            Comparison::NotEqual => count != bound,
            Comparison::Less => count < bound,
            Comparison::LessEqual => count <= bound,
            Comparison::Greater => count > bound,
            Comparison::GreaterEqual => count >= bound,
        }
    });
    let allowed = allowed.collect();
    Some((fields, allowed))
}

const fn mirror_comparison(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
        symmetric => symmetric,
    }
}

/// Returns the counted fields of a sum of `has(f) ? 1 : 0`, or of the size of a filtered list of
/// `has(f)`.
fn counted_fields(term: &Term) -> Option<Vec<FieldId>> {
    if let Term::Size(inner) = term {
        return match &**inner {
            Term::Comprehension(comprehension) => filtered_fields(comprehension),
            _ => None,
        };
    }
    let mut fields = Vec::new();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        match term {
            Term::Add(operands) => stack.extend(operands.iter().rev()),
            Term::If(operands) => match &**operands {
                [
                    Term::Has(access),
                    Term::Const(ValueClass::Int(1, 1)),
                    Term::Const(ValueClass::Int(0, 0)),
                ] => fields.push(field_without_optional_step(*access)?),
                _ => return None,
            },
            _ => return None,
        }
    }
    require_distinct(fields)
}

/// Returns the fields of `[has(a), has(b)].filter(x, x == true)` and similar expressions.
fn filtered_fields(comprehension: &Comprehension) -> Option<Vec<FieldId>> {
    let fields = listed_fields(comprehension)?;
    let Term::If(operands) = &comprehension.step else {
        return None;
    };
    let [condition, extended_list, _] = &**operands;
    let filters_variable = is_variable(condition, comprehension.var);
    let appends = matches!(extended_list, Term::Add(_));
    let starts_empty = matches!(&comprehension.init, Term::List(list) if list.is_empty());
    (filters_variable && appends && starts_empty).then_some(fields)
}

/// Returns the fields of `[has(a), has(b)].exists_one(x, x)`.
fn exists_one_fields(comprehension: &Comprehension) -> Option<Vec<FieldId>> {
    let fields = listed_fields(comprehension)?;
    let Term::If(operands) = &comprehension.step else {
        return None;
    };
    let requires_one = matches!(&comprehension.result, Term::Compare(Comparison::Equal, operands)
        if matches!(&**operands, [_, Term::Const(ValueClass::Int(1, 1))]));
    let starts_at_zero = matches!(comprehension.init, Term::Const(ValueClass::Int(0, 0)));
    let [condition, ..] = &**operands;
    (is_variable(condition, comprehension.var) && requires_one && starts_at_zero).then_some(fields)
}

/// Returns true for `x`, `x == true` and `true == x`.
fn is_variable(term: &Term, var: usize) -> bool {
    match term {
        Term::Variable(variable) => *variable == var,
        Term::Compare(Comparison::Equal, operands) => match &**operands {
            [
                Term::Variable(variable),
                Term::Const(ValueClass::Bool(true)),
            ]
            | [
                Term::Const(ValueClass::Bool(true)),
                Term::Variable(variable),
            ] => *variable == var,
            _ => false,
        },
        _ => false,
    }
}

fn listed_fields(comprehension: &Comprehension) -> Option<Vec<FieldId>> {
    let Term::List(list) = &comprehension.range else {
        return None;
    };
    let fields = list.iter().map(|term| match term {
        Term::Has(access) => field_without_optional_step(*access),
        _ => None,
    });
    require_distinct(fields.collect::<Option<_>>()?)
}

/// Returns the field of a path without optional steps.
fn field_without_optional_step(access: FieldAccess) -> Option<FieldId> {
    access.optional_from.is_none().then_some(access.field)
}

fn require_distinct(fields: Vec<FieldId>) -> Option<Vec<FieldId>> {
    let mut sorted = fields.clone();
    sorted.sort_unstable();
    sorted.dedup();
    (sorted.len() == fields.len() && !fields.is_empty()).then_some(fields)
}
