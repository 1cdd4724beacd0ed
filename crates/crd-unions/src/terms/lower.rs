//! Translates CEL syntax trees to terms over fields, and records which fields a rule names and how
//! the rule uses them.

use std::rc::Rc;

use k8s_cel::syntax::{self, Ast, AstKind, Literal};

use crate::terms::fields::{FieldId, Fields, Kind, cel_property};
use crate::terms::gather::{self, Part};
use crate::terms::term::{Comparison, Fold, Term, TextTest, Way};
use crate::terms::value::Val;

/// A string that a rule compares an own field with, but that the enum of the field does not have.
pub(crate) struct StrangeText {
    pub(crate) rule: usize,
    pub(crate) field: FieldId,
    pub(crate) text: String,
}

/// A part as a term, and the fields that the part names, in the order of the part.
pub(crate) struct Lowered {
    pub(crate) term: Term,
    pub(crate) named: Vec<FieldId>,
    /// The fields whose values the part reads, so that it fails if they are absent.
    pub(crate) read: Vec<FieldId>,
    pub(crate) strange: Vec<StrangeText>,
    /// True if the part is also about the old object.
    pub(crate) is_transition: bool,
}

pub(crate) fn lower(part: &Part<'_>, fields: &mut Fields<'_>) -> Lowered {
    let mut lowering = Lowering {
        part,
        fields,
        variables: Vec::new(),
        named: Vec::new(),
        read: Vec::new(),
        strange: Vec::new(),
        next: 0,
    };
    let term = lowering.term(part.ast);
    let term = if part.negated { term.negated() } else { term };
    Lowered {
        term,
        named: lowering.named,
        read: lowering.read,
        strange: lowering.strange,
        is_transition: gather::is_transition(part.ast),
    }
}

struct Lowering<'p, 'a, 'f, 's> {
    part: &'p Part<'a>,
    fields: &'f mut Fields<'s>,
    /// The variables of the enclosing macros, with their numbers.
    variables: Vec<(&'p str, usize)>,
    named: Vec<FieldId>,
    read: Vec<FieldId>,
    strange: Vec<StrangeText>,
    next: usize,
}

impl<'p> Lowering<'p, '_, '_, '_> {
    /// Returns the term of an expression. The recursion is as deep as the tree, which CEL limits to
    /// 200 levels.
    fn term(&mut self, ast: &'p Ast) -> Term {
        if let Some(way) = self.way(ast) {
            return way;
        }
        match &ast.kind {
            AstKind::Literal(literal) => Term::Const(constant(literal)),
            AstKind::Ident(name) => {
                let variable = self.variables.iter().rev().find(|(other, _)| other == name);
                variable.map_or(Term::Unknown, |(_, number)| Term::Local(*number))
            }
            AstKind::Select { operand, .. } => {
                self.term(operand);
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
                    .map(|arg| self.term(arg))
                    .collect();
                self.call(function, terms)
            }
            AstKind::List(elements) => {
                let is_plain = elements.iter().all(|element| !element.optional);
                let terms: Vec<Term> = elements
                    .iter()
                    .map(|element| self.term(&element.value))
                    .collect();
                if is_plain {
                    Term::List(terms)
                } else {
                    Term::Unknown
                }
            }
            AstKind::Map(entries) => {
                let is_plain = entries.iter().all(|entry| !entry.optional);
                let terms = entries
                    .iter()
                    .map(|entry| [self.term(&entry.key), self.term(&entry.value)]);
                let terms: Vec<[Term; 2]> = terms.collect();
                if is_plain {
                    Term::Map(terms)
                } else {
                    Term::Unknown
                }
            }
            AstKind::Fold(fold) => self.fold(fold),
            _ => Term::Unknown,
        }
    }

    /// Returns the term of a chain of selections from the object. `None` if the expression is not
    /// such a chain.
    fn way(&mut self, ast: &'p Ast) -> Option<Term> {
        let scope = &self.part.scope;
        if self.variables.iter().any(|(name, _)| *name == scope.name) {
            return None;
        }
        let chain = gather::chain(ast, scope)?;
        if chain.names.is_empty() {
            let is_there = if chain.test {
                Val::Bool(true)
            } else {
                Val::Object
            };
            return Some(Term::Const(is_there));
        }
        match self.fields.find(&chain.names, cel_property) {
            Err(last) => {
                self.name(last);
                Some(Term::Unknown)
            }
            Ok(field) => {
                self.name(Some(field));
                let way = Way {
                    field,
                    optional_from: chain.optional_from,
                };
                if chain.test {
                    return Some(Term::Has(way));
                }
                if way.optional_from.is_none() && !self.read.contains(&field) {
                    self.read.push(field);
                }
                if let Some(field) = self.fields.get_mut(field)
                    && field.kind == Kind::Bool
                {
                    field.asks.truth = true;
                }
                Some(Term::Read(way))
            }
        }
    }

    fn name(&mut self, field: Option<FieldId>) {
        let chain = field.and_then(|field| self.fields.get(field));
        for field in chain.map_or(&[][..], |field| &field.chain) {
            if !self.named.contains(field) {
                self.named.push(*field);
            }
        }
    }

    fn call(&mut self, function: &str, terms: Vec<Term>) -> Term {
        let terms = match <[Term; 1]>::try_from(terms) {
            Ok([one]) => return self.unary(function, one),
            Err(terms) => terms,
        };
        let terms = match <[Term; 2]>::try_from(terms) {
            Ok(both) => return self.binary(function, both),
            Err(terms) => terms,
        };
        match <[Term; 3]>::try_from(terms) {
            Ok(three) if function == "_?_:_" => Term::If(Box::new(three)),
            _ => Term::Unknown,
        }
    }

    fn unary(&mut self, function: &str, term: Term) -> Term {
        match function {
            "!_" => term.negated(),
            "@not_strictly_false" => Term::NotStrictlyFalse(Box::new(term)),
            "hasValue" => Term::HasValue(Box::new(term)),
            "size" => {
                self.ask_emptiness(&term);
                Term::Size(Box::new(term))
            }
            _ => Term::Unknown,
        }
    }

    fn binary(&mut self, function: &str, both: [Term; 2]) -> Term {
        let comparison = match function {
            "_&&_" => return Term::And(Box::new(both)),
            "_||_" => return Term::Or(Box::new(both)),
            "_+_" => return Term::Add(Box::new(both)),
            "orValue" => return Term::OrValue(Box::new(both)),
            "@in" => {
                self.ask_texts(&both[0], &both[1]);
                return Term::In(Box::new(both));
            }
            "_[_]" => {
                self.ask_texts(&both[1], &both[0]);
                return Term::Index(Box::new(both));
            }
            "startsWith" => return Term::Text(TextTest::StartsWith, Box::new(both)),
            "endsWith" => return Term::Text(TextTest::EndsWith, Box::new(both)),
            "contains" => return Term::Text(TextTest::Contains, Box::new(both)),
            "matches" => return Term::Text(TextTest::Matches, Box::new(both)),
            "_==_" => Comparison::Equal,
            "_!=_" => Comparison::NotEqual,
            "_<_" => Comparison::Less,
            "_<=_" => Comparison::LessEqual,
            "_>_" => Comparison::Greater,
            "_>=_" => Comparison::GreaterEqual,
            _ => return Term::Unknown,
        };
        self.ask_texts(&both[0], &both[1]);
        self.ask_texts(&both[1], &both[0]);
        Term::Compare(comparison, Box::new(both))
    }

    /// Records the strings that a field is compared with: a string, the strings in a list, or the
    /// keys of a map.
    fn ask_texts(&mut self, field: &Term, with: &Term) {
        let texts: Vec<&Term> = match with {
            Term::List(list) if list.is_empty() => return self.ask_emptiness(field),
            Term::Map(map) if map.is_empty() => return self.ask_emptiness(field),
            Term::List(list) => list.iter().collect(),
            Term::Map(map) => map.iter().map(|[key, _]| key).collect(),
            one => vec![one],
        };
        let Some(id) = field.field_read() else {
            return;
        };
        for text in texts {
            if let Term::Const(Val::Text(text)) = text {
                self.ask_text(id, text);
            }
        }
    }

    fn ask_text(&mut self, id: FieldId, text: &str) {
        let Some(field) = self.fields.get_mut(id) else {
            return;
        };
        if field.kind != Kind::Text {
            return;
        }
        if text.is_empty() {
            field.asks.emptiness = true;
            return;
        }
        let is_strange = field
            .values
            .as_ref()
            .is_some_and(|values| !values.contains(&text));
        if is_strange && field.is_own() {
            self.strange.push(StrangeText {
                rule: self.part.rule,
                field: id,
                text: text.to_owned(),
            });
        }
        if !field.asks.literals.iter().any(|other| other == text) {
            field.asks.literals.push(text.to_owned());
        }
    }

    fn ask_emptiness(&mut self, term: &Term) {
        let field = term.field_read().and_then(|id| self.fields.get_mut(id));
        if let Some(field) = field {
            field.asks.emptiness = true;
        }
    }

    fn fold(&mut self, fold: &'p syntax::Fold) -> Term {
        let range = self.term(&fold.range);
        let init = self.term(&fold.init);
        let [var, accu] = [self.next, self.next + 1];
        self.next += 2;
        let outside = self.variables.len();
        self.variables.push((&fold.var, var));
        self.variables.push((&fold.accu, accu));
        let condition = self.term(&fold.condition);
        let step = self.term(&fold.step);
        let result = self.term(&fold.result);
        self.variables.truncate(outside);
        if fold.second.is_some() {
            return Term::Unknown;
        }
        Term::Fold(Box::new(Fold {
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

fn constant(literal: &Literal) -> Val {
    match literal {
        Literal::Null => Val::Null,
        Literal::Bool(value) => Val::Bool(*value),
        Literal::Int(value) => Val::Int(*value, *value),
        Literal::Text(text) => Val::Text(Rc::from(&**text)),
        _ => Val::Any,
    }
}

/// Returns the fields and the allowed counts, if the term counts different fields by `has()`.
pub(crate) fn count(term: &Term) -> Option<(Vec<FieldId>, Vec<bool>)> {
    let (fields, comparison, wanted) = match term {
        Term::Compare(comparison, both) => {
            let number = |term: &Term| match term {
                Term::Const(Val::Int(value, same)) if value == same => Some(*value),
                _ => None,
            };
            let [left, right] = &**both;
            match (number(left), number(right)) {
                (None, Some(wanted)) => (counted(left)?, *comparison, wanted),
                (Some(wanted), None) => (counted(right)?, turned(*comparison), wanted),
                _ => return None,
            }
        }
        Term::Fold(fold) => (exists_one(fold)?, Comparison::Equal, 1),
        _ => return None,
    };
    let allowed = (0..=fields.len()).map(|count| {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        match comparison {
            Comparison::Equal => count == wanted,
            Comparison::NotEqual => count != wanted,
            Comparison::Less => count < wanted,
            Comparison::LessEqual => count <= wanted,
            Comparison::Greater => count > wanted,
            Comparison::GreaterEqual => count >= wanted,
        }
    });
    let allowed = allowed.collect();
    Some((fields, allowed))
}

const fn turned(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
        same => same,
    }
}

/// Returns the fields of a sum of `has(f) ? 1 : 0`, or of the size of a filtered list of `has(f)`.
fn counted(term: &Term) -> Option<Vec<FieldId>> {
    if let Term::Size(inner) = term {
        return match &**inner {
            Term::Fold(fold) => filtered(fold),
            _ => None,
        };
    }
    let mut fields = Vec::new();
    let mut waiting = vec![term];
    while let Some(term) = waiting.pop() {
        match term {
            Term::Add(both) => waiting.extend(both.iter().rev()),
            Term::If(three) => match &**three {
                [
                    Term::Has(way),
                    Term::Const(Val::Int(1, 1)),
                    Term::Const(Val::Int(0, 0)),
                ] => fields.push(own(*way)?),
                _ => return None,
            },
            _ => return None,
        }
    }
    distinct(fields)
}

/// Returns the fields of `[has(a), has(b)].filter(x, x == true)` and similar expressions.
fn filtered(fold: &Fold) -> Option<Vec<FieldId>> {
    let fields = listed(fold)?;
    let Term::If(three) = &fold.step else {
        return None;
    };
    let [kept, added, _] = &**three;
    let is_kept = is_variable(kept, fold.var);
    let adds = matches!(added, Term::Add(_));
    let starts = matches!(&fold.init, Term::List(list) if list.is_empty());
    (is_kept && adds && starts).then_some(fields)
}

/// Returns the fields of `[has(a), has(b)].exists_one(x, x)`.
fn exists_one(fold: &Fold) -> Option<Vec<FieldId>> {
    let fields = listed(fold)?;
    let Term::If(three) = &fold.step else {
        return None;
    };
    let is_one = matches!(&fold.result, Term::Compare(Comparison::Equal, both)
        if matches!(&**both, [_, Term::Const(Val::Int(1, 1))]));
    let starts = matches!(fold.init, Term::Const(Val::Int(0, 0)));
    let [counted, ..] = &**three;
    (is_variable(counted, fold.var) && is_one && starts).then_some(fields)
}

/// Returns true for `x`, `x == true` and `true == x`.
fn is_variable(term: &Term, var: usize) -> bool {
    match term {
        Term::Local(number) => *number == var,
        Term::Compare(Comparison::Equal, both) => match &**both {
            [Term::Local(number), Term::Const(Val::Bool(true))]
            | [Term::Const(Val::Bool(true)), Term::Local(number)] => *number == var,
            _ => false,
        },
        _ => false,
    }
}

fn listed(fold: &Fold) -> Option<Vec<FieldId>> {
    let Term::List(list) = &fold.range else {
        return None;
    };
    let fields = list.iter().map(|term| match term {
        Term::Has(way) => own(*way),
        _ => None,
    });
    distinct(fields.collect::<Option<_>>()?)
}

/// Returns the field of a path without optional steps.
fn own(way: Way) -> Option<FieldId> {
    way.optional_from.is_none().then_some(way.field)
}

fn distinct(fields: Vec<FieldId>) -> Option<Vec<FieldId>> {
    let mut sorted = fields.clone();
    sorted.sort_unstable();
    sorted.dedup();
    (sorted.len() == fields.len() && !fields.is_empty()).then_some(fields)
}
