//! Parts of rules: rules are split at `&&`, and each part moves to the object that it is about.

use k8s_cel::syntax::{Ast, AstKind, Comprehension, Literal};
use serde_json::{Map, Value};

/// A part of a rule, and the scope that names the object of the part.
#[derive(Clone, Debug)]
pub(crate) struct Conjunct<'a> {
    /// The position of the rule.
    pub(crate) rule: usize,
    pub(crate) ast: &'a Ast,
    /// True if the part must be false.
    pub(crate) negated: bool,
    /// True if the part moved here from an object or a list above.
    pub(crate) moved: bool,
    pub(crate) scope: VariableScope<'a>,
}

/// The name of a variable, and the path from the variable to the object.
#[derive(Clone, Debug)]
pub(crate) struct VariableScope<'a> {
    pub(crate) name: &'a str,
    pub(crate) prefix: Vec<&'a str>,
}

/// The place that a part belongs to.
pub(crate) enum ConjunctTarget<'a> {
    ThisObject,
    /// The property with this CEL name.
    Property(&'a str),
    /// The items of the list that contains the part, and the part for each item.
    Items(Conjunct<'a>),
}

impl VariableScope<'_> {
    pub(crate) const fn for_self() -> Self {
        Self {
            name: "self",
            prefix: Vec::new(),
        }
    }
}

/// A chain of selections from a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SelectChain<'a> {
    pub(crate) names: Vec<&'a str>,
    /// The position of the first optional selection: `.?name`.
    pub(crate) optional_from: Option<usize>,
    /// True if the chain is in `has(...)`.
    pub(crate) test: bool,
}

/// Returns the chain of selections of an expression, without the path to the object. `None` if the
/// expression does not start at the variable of the scope, or ends above the object.
pub(crate) fn select_chain<'a>(ast: &'a Ast, scope: &VariableScope<'_>) -> Option<SelectChain<'a>> {
    let mut names = Vec::new();
    let mut optional = Vec::new();
    let mut is_test = false;
    let mut at = ast;
    loop {
        match &at.kind {
            AstKind::Ident(name) if name == scope.name => break,
            AstKind::Select {
                operand,
                field,
                test_only: test,
            } => {
                is_test |= *test;
                names.push(&**field);
                optional.push(false);
                at = operand;
            }
            AstKind::Call {
                function,
                target: None,
                args,
            } if function == "_?._" => {
                let [operand, field] = &**args else {
                    return None;
                };
                let AstKind::Literal(Literal::String(field)) = &field.kind else {
                    return None;
                };
                names.push(&**field);
                optional.push(true);
                at = operand;
            }
            _ => return None,
        }
    }
    names.reverse();
    optional.reverse();
    if !names.starts_with(&scope.prefix) {
        return None;
    }
    let names = names.split_off(scope.prefix.len());
    let first = optional.iter().position(|optional| *optional);
    Some(SelectChain {
        names,
        optional_from: first.map(|first| first.saturating_sub(scope.prefix.len())),
        test: is_test,
    })
}

/// Splits a rule at `&&`, or at `||` if the rule must be false. A rule about the old object is not
/// split, because the API server does not evaluate any part of it on create.
pub(crate) fn split_conjuncts<'a>(part: &Conjunct<'a>) -> Vec<Conjunct<'a>> {
    if is_transition_rule(part.ast) {
        return vec![part.clone()];
    }
    let operator = if part.negated { "_||_" } else { "_&&_" };
    let mut waiting = vec![part.ast];
    let mut parts = Vec::new();
    while let Some(ast) = waiting.pop() {
        match &ast.kind {
            AstKind::Call { function, args, .. } if function == operator => {
                waiting.extend(args.iter().rev());
            }
            _ => parts.push(Conjunct {
                ast,
                ..part.clone()
            }),
        }
    }
    parts
}

/// Returns true if an expression is also about the old object.
pub(crate) fn is_transition_rule(ast: &Ast) -> bool {
    ast.references_variable("oldSelf")
}

/// Returns the place that a part belongs to, given the schema that contains the part.
pub(crate) fn conjunct_target<'a>(
    part: &Conjunct<'a>,
    schema: &Map<String, Value>,
) -> ConjunctTarget<'a> {
    if let Some((names, inner)) = item_conjunct(part) {
        match &*names {
            [] => return ConjunctTarget::Items(inner),
            // In the schema of the list, the part is about the list itself.
            [list] if is_list(schema, list) => return ConjunctTarget::Property(list),
            _ => {}
        }
    }
    let Some(first) = common_property(part) else {
        return ConjunctTarget::ThisObject;
    };
    let property = find_property(schema, first).and_then(|(_, property)| property.as_object());
    match property {
        Some(property) if property.contains_key("properties") => ConjunctTarget::Property(first),
        // `self.l` alone is about this object, so only paths that continue through a list reach
        // this arm.
        _ => ConjunctTarget::ThisObject,
    }
}

/// Returns the property that all paths of a part begin with, if one of the paths continues below
/// it.
fn common_property<'a>(part: &Conjunct<'a>) -> Option<&'a str> {
    let mut first = None;
    let mut leads_below = false;
    let mut waiting = vec![part.ast];
    while let Some(ast) = waiting.pop() {
        if let AstKind::Comprehension(fold) = &ast.kind
            && (fold.iter_var == part.scope.name
                || fold.iter_var2.as_deref() == Some(part.scope.name)
                || fold.accu_var == part.scope.name)
        {
            return None;
        }
        let Some(chain) = select_chain(ast, &part.scope) else {
            if matches!(&ast.kind, AstKind::Ident(name) if name == part.scope.name) {
                return None;
            }
            waiting.extend(ast.kind.children());
            continue;
        };
        let [name, below @ ..] = &*chain.names else {
            // The expression only checks that the object is present.
            if chain.test {
                continue;
            }
            return None;
        };
        if below.is_empty() && !chain.test || first.is_some_and(|first| first != *name) {
            return None;
        }
        first = Some(*name);
        leads_below |= !below.is_empty();
    }
    first.filter(|_| leads_below)
}

/// Returns the path to a list and the part that each item must satisfy, for `l.all(x, p)` and
/// `!l.exists(x, p)`, also behind `!has(l) ||` or in `has(l) ? .. : true`, if `p` depends on `x`
/// alone.
fn item_conjunct<'a>(part: &Conjunct<'a>) -> Option<(Vec<&'a str>, Conjunct<'a>)> {
    if is_transition_rule(part.ast) {
        return None;
    }
    let (ast, guards) = strip_guards(part);
    let (ast, negated) = match &ast.kind {
        AstKind::Call { function, args, .. } if function == "!_" => (args.first()?, !part.negated),
        _ => (ast, part.negated),
    };
    let AstKind::Comprehension(fold) = &ast.kind else {
        return None;
    };
    let condition = predicate(fold, negated)?;
    let chain = select_chain(&fold.iter_range, &part.scope)?;
    let guarded = guards.iter().all(|guard| chain.names.starts_with(guard));
    if !guarded
        || chain.test
        || chain.optional_from.is_some()
        || condition.references_variable(part.scope.name)
        || fold.iter_var == "self"
    {
        return None;
    }
    let inner = Conjunct {
        rule: part.rule,
        ast: condition,
        negated,
        moved: true,
        scope: VariableScope {
            name: &fold.iter_var,
            prefix: Vec::new(),
        },
    };
    Some((chain.names, inner))
}

/// Returns the expression behind the guards of a part, and the paths that the guards check.
fn strip_guards<'a>(part: &Conjunct<'a>) -> (&'a Ast, Vec<Vec<&'a str>>) {
    let mut ast = part.ast;
    let mut guards = Vec::new();
    let asked = |ast: &'a Ast| select_chain(ast, &part.scope).filter(|chain| chain.test);
    while !part.negated
        && let AstKind::Call { function, args, .. } = &ast.kind
    {
        let (guard, rest) = match (&**function, &**args) {
            ("_||_", [left, rest]) => match &left.kind {
                AstKind::Call { function, args, .. } if function == "!_" => {
                    (args.first().and_then(asked), rest)
                }
                _ => return (ast, guards),
            },
            ("_?_:_", [condition, rest, otherwise])
                if matches!(otherwise.kind, AstKind::Literal(Literal::Bool(true))) =>
            {
                (asked(condition), rest)
            }
            ("_&&_", [left, rest]) if !guards.is_empty() => (asked(left), rest),
            _ => return (ast, guards),
        };
        let Some(guard) = guard else {
            return (ast, guards);
        };
        guards.push(guard.names);
        ast = rest;
    }
    (ast, guards)
}

/// Returns the predicate of `all`, or of `exists` if it is negated.
fn predicate(fold: &Comprehension, negated: bool) -> Option<&Ast> {
    let wanted = if negated { "_||_" } else { "_&&_" };
    let AstKind::Literal(Literal::Bool(start)) = fold.accu_init.kind else {
        return None;
    };
    if start == negated || fold.iter_var2.is_some() {
        return None;
    }
    match &fold.loop_step.kind {
        AstKind::Call { function, args, .. } if function == wanted => match &**args {
            [first, predicate] => {
                let is_accu = matches!(&first.kind, AstKind::Ident(name) if *name == fold.accu_var);
                is_accu.then_some(predicate)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Returns a property by its name in CEL, with its name in JSON.
pub(crate) fn find_property<'s>(
    schema: &'s Map<String, Value>,
    name: &str,
) -> Option<(&'s str, &'s Value)> {
    let properties = schema.get("properties")?.as_object()?;
    if let Some((name, property)) = properties.get_key_value(name) {
        return Some((name, property));
    }
    // Names that CEL escapes contain underscores.
    if !name.contains("__") {
        return None;
    }
    let is_meant = |other: &str| {
        k8s_json_internals::cel_name::escape_identifier(other).as_deref() == Some(name)
    };
    let found = properties.iter().find(|(other, _)| is_meant(other));
    found.map(|(name, property)| (&**name, property))
}

fn is_list(schema: &Map<String, Value>, name: &str) -> bool {
    let items = find_property(schema, name).and_then(|(_, property)| property.get("items"));
    items.is_some_and(Value::is_object)
}
