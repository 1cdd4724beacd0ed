//! Conjuncts: rules are split at `&&`, and each conjunct moves to the object that it is about.

use k8s_cel::syntax::{Ast, AstKind, Comprehension, Literal};
use serde_json::{Map, Value};

/// A conjunct of a rule, and the scope by which it refers to the object.
#[derive(Clone, Debug)]
pub(crate) struct Conjunct<'a> {
    /// The position of the rule.
    pub(crate) rule: usize,
    pub(crate) ast: &'a Ast,
    /// True if the conjunct must be false.
    pub(crate) negated: bool,
    /// True if the conjunct moved here from an object or a list above.
    pub(crate) moved: bool,
    pub(crate) scope: VariableScope<'a>,
}

/// The name of a variable, and the path from the variable to the object.
#[derive(Clone, Debug)]
pub(crate) struct VariableScope<'a> {
    pub(crate) name: &'a str,
    pub(crate) prefix: Vec<&'a str>,
}

/// The schema that a conjunct is about.
pub(crate) enum ConjunctTarget<'a> {
    ThisObject,
    /// The property with this CEL name.
    Property(&'a str),
    /// The items of the list that contains the conjunct, and the conjunct for each item.
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
    pub(crate) test_only: bool,
}

/// Returns the chain of selections of an expression, without the path to the object. `None` if the
/// expression does not start at the variable of the scope, or ends above the object.
pub(crate) fn select_chain<'a>(ast: &'a Ast, scope: &VariableScope<'_>) -> Option<SelectChain<'a>> {
    let mut names = Vec::new();
    let mut is_optional_step = Vec::new();
    let mut is_test = false;
    let mut node = ast;
    loop {
        match &node.kind {
            AstKind::Ident(name) if name == scope.name => break,
            AstKind::Select {
                operand,
                field,
                test_only,
            } => {
                is_test |= *test_only;
                names.push(&**field);
                is_optional_step.push(false);
                node = operand;
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
                is_optional_step.push(true);
                node = operand;
            }
            _ => return None,
        }
    }
    names.reverse();
    is_optional_step.reverse();
    if !names.starts_with(&scope.prefix) {
        return None;
    }
    let names = names.split_off(scope.prefix.len());
    let first_optional = is_optional_step
        .iter()
        .position(|is_optional_step| *is_optional_step);
    Some(SelectChain {
        names,
        optional_from: first_optional
            .map(|first_optional| first_optional.saturating_sub(scope.prefix.len())),
        test_only: is_test,
    })
}

/// Splits a rule at `&&`, or at `||` if the rule must be false. A transition rule is not split,
/// because the API server skips the whole rule on create.
pub(crate) fn split_conjuncts<'a>(conjunct: &Conjunct<'a>) -> Vec<Conjunct<'a>> {
    if is_transition_rule(conjunct.ast) {
        return vec![conjunct.clone()];
    }
    let operator = if conjunct.negated { "_||_" } else { "_&&_" };
    let mut stack = vec![conjunct.ast];
    let mut conjuncts = Vec::new();
    while let Some(ast) = stack.pop() {
        match &ast.kind {
            AstKind::Call { function, args, .. } if function == operator => {
                stack.extend(args.iter().rev());
            }
            _ => conjuncts.push(Conjunct {
                ast,
                ..conjunct.clone()
            }),
        }
    }
    conjuncts
}

/// Returns true if an expression reads the old object, so that its rule is a transition rule.
pub(crate) fn is_transition_rule(ast: &Ast) -> bool {
    ast.references_variable("oldSelf")
}

/// Returns the schema that a conjunct is about, given the schema that contains the conjunct.
pub(crate) fn conjunct_target<'a>(
    conjunct: &Conjunct<'a>,
    schema: &Map<String, Value>,
) -> ConjunctTarget<'a> {
    if let Some((names, inner)) = item_conjunct(conjunct) {
        match &*names {
            [] => return ConjunctTarget::Items(inner),
            // The schema of the list then moves the conjunct to the items.
            [list] if is_list(schema, list) => return ConjunctTarget::Property(list),
            _ => {}
        }
    }
    let Some(property_name) = common_property(conjunct) else {
        return ConjunctTarget::ThisObject;
    };
    let property =
        find_property(schema, property_name).and_then(|(_, property)| property.as_object());
    match property {
        Some(property) if property.contains_key("properties") => {
            ConjunctTarget::Property(property_name)
        }
        // The property is not an object with described fields, for example because it is a list, so
        // the conjunct stays at this object.
        _ => ConjunctTarget::ThisObject,
    }
}

/// Returns the property that all paths in a conjunct begin with, if one of the paths is longer.
fn common_property<'a>(conjunct: &Conjunct<'a>) -> Option<&'a str> {
    let mut property = None;
    let mut has_longer_path = false;
    let mut stack = vec![conjunct.ast];
    while let Some(ast) = stack.pop() {
        if let AstKind::Comprehension(comprehension) = &ast.kind
            && (comprehension.iter_var == conjunct.scope.name
                || comprehension.iter_var2.as_deref() == Some(conjunct.scope.name)
                || comprehension.accu_var == conjunct.scope.name)
        {
            return None;
        }
        let Some(chain) = select_chain(ast, &conjunct.scope) else {
            if matches!(&ast.kind, AstKind::Ident(name) if name == conjunct.scope.name) {
                return None;
            }
            stack.extend(ast.kind.children());
            continue;
        };
        let [name, inner_names @ ..] = &*chain.names else {
            // `has(..)` of the object itself is true here.
            if chain.test_only {
                continue;
            }
            return None;
        };
        if inner_names.is_empty() && !chain.test_only
            || property.is_some_and(|property| property != *name)
        {
            return None;
        }
        property = Some(*name);
        has_longer_path |= !inner_names.is_empty();
    }
    property.filter(|_| has_longer_path)
}

/// Returns the path to a list and the conjunct that each item must satisfy: `p` in `l.all(x, p)`,
/// or its negation for `!l.exists(x, p)`. The expression may be guarded by `!has(l) ||` or
/// `has(l) ? .. : true`. `None` if `p` reads variables other than `x`.
fn item_conjunct<'a>(conjunct: &Conjunct<'a>) -> Option<(Vec<&'a str>, Conjunct<'a>)> {
    if is_transition_rule(conjunct.ast) {
        return None;
    }
    let (ast, guards) = strip_guards(conjunct);
    let (ast, negated) = match &ast.kind {
        AstKind::Call { function, args, .. } if function == "!_" => {
            (args.first()?, !conjunct.negated)
        }
        _ => (ast, conjunct.negated),
    };
    let AstKind::Comprehension(comprehension) = &ast.kind else {
        return None;
    };
    let condition = predicate(comprehension, negated)?;
    let chain = select_chain(&comprehension.iter_range, &conjunct.scope)?;
    let all_guards_check_list = guards.iter().all(|guard| chain.names.starts_with(guard));
    if !all_guards_check_list
        || chain.test_only
        || chain.optional_from.is_some()
        || condition.references_variable(conjunct.scope.name)
        || comprehension.iter_var == "self"
    {
        return None;
    }
    let inner = Conjunct {
        rule: conjunct.rule,
        ast: condition,
        negated,
        moved: true,
        scope: VariableScope {
            name: &comprehension.iter_var,
            prefix: Vec::new(),
        },
    };
    Some((chain.names, inner))
}

/// Removes guards such as `!has(l) ||` from a conjunct. Returns the guarded expression and
/// the paths that the guards check.
fn strip_guards<'a>(conjunct: &Conjunct<'a>) -> (&'a Ast, Vec<Vec<&'a str>>) {
    let mut ast = conjunct.ast;
    let mut guards = Vec::new();
    let checked_path =
        |ast: &'a Ast| select_chain(ast, &conjunct.scope).filter(|chain| chain.test_only);
    while !conjunct.negated
        && let AstKind::Call { function, args, .. } = &ast.kind
    {
        let (guard, guarded) = match (&**function, &**args) {
            ("_||_", [left, guarded]) => match &left.kind {
                AstKind::Call { function, args, .. } if function == "!_" => {
                    (args.first().and_then(checked_path), guarded)
                }
                _ => return (ast, guards),
            },
            ("_?_:_", [condition, guarded, otherwise])
                if matches!(otherwise.kind, AstKind::Literal(Literal::Bool(true))) =>
            {
                (checked_path(condition), guarded)
            }
            ("_&&_", [left, guarded]) if !guards.is_empty() => (checked_path(left), guarded),
            _ => return (ast, guards),
        };
        let Some(guard) = guard else {
            return (ast, guards);
        };
        guards.push(guard.names);
        ast = guarded;
    }
    (ast, guards)
}

/// Returns the predicate of `all`, or of `exists` if it is negated.
fn predicate(comprehension: &Comprehension, negated: bool) -> Option<&Ast> {
    let operator = if negated { "_||_" } else { "_&&_" };
    let AstKind::Literal(Literal::Bool(initial_value)) = comprehension.accu_init.kind else {
        return None;
    };
    if initial_value == negated || comprehension.iter_var2.is_some() {
        return None;
    }
    match &comprehension.loop_step.kind {
        AstKind::Call { function, args, .. } if function == operator => match &**args {
            [accumulator, predicate] => {
                let is_accumulator = matches!(&accumulator.kind, AstKind::Ident(name) if *name == comprehension.accu_var);
                is_accumulator.then_some(predicate)
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
    // A name that CEL escapes contains two underscores.
    if !name.contains("__") {
        return None;
    }
    let is_escaped_as_name = |property_name: &str| {
        k8s_json_internals::cel_name::escape_identifier(property_name).as_deref() == Some(name)
    };
    let property = properties
        .iter()
        .find(|(property_name, _)| is_escaped_as_name(property_name));
    property.map(|(name, property)| (&**name, property))
}

fn is_list(schema: &Map<String, Value>, name: &str) -> bool {
    let items = find_property(schema, name).and_then(|(_, property)| property.get("items"));
    items.is_some_and(Value::is_object)
}
