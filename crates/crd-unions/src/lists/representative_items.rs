//! Representative items: for a rule of a list, one item for each class of items that the rule may
//! distinguish. A class is a combination of values of the fields that the rule reads.

use std::collections::BTreeMap;

use k8s_cel::DeclaredType;
use k8s_cel::syntax::{Ast, AstKind, Literal};
use serde_json::{Map, Value};

use crate::bounds::LIST_ITEMS;
use crate::terms::conjuncts::{self, VariableScope};
use crate::terms::fields::{FieldType, enum_values, is_required, value_type};

/// The list that a rule is about, relative to the value whose schema contains the rule.
pub(crate) struct TargetList<'s> {
    /// The JSON names of the path to the list. Empty if the rule is in the schema of the list
    /// itself.
    pub(crate) path: Vec<&'s str>,
    names: Vec<String>,
    /// The schema of its items.
    pub(crate) items: &'s Map<String, Value>,
}

/// A field by which items are distinguished. Without names, the field is the item itself.
#[derive(Clone)]
pub(crate) struct ItemField<'s> {
    pub(crate) names: Vec<&'s str>,
    /// The possible values. `None` means that the field is absent.
    pub(crate) values: Vec<Option<Value>>,
    /// The representatives: values that stand for all values that the rule does not name.
    pub(crate) other_values: Vec<Value>,
    cel_type: DeclaredType,
}

/// The items from which small lists are built, one item for each class.
pub(crate) struct RepresentativeItems<'s> {
    pub(crate) fields: Vec<ItemField<'s>>,
    pub(crate) values: Vec<Value>,
    /// The CEL type of the items.
    pub(crate) cel_type: DeclaredType,
    /// True if the items include all classes that the rule could distinguish.
    pub(crate) is_complete: bool,
}

/// Returns the list that a rule is about. `None` if the rule is also about another field.
pub(crate) fn target_list<'s>(ast: &Ast, schema: &'s Map<String, Value>) -> Option<TargetList<'s>> {
    if let Some(items) = item_schema(schema) {
        return Some(TargetList {
            path: Vec::new(),
            names: Vec::new(),
            items,
        });
    }
    let chains = ast
        .descendants()
        .filter_map(|ast| conjuncts::select_chain(ast, &VariableScope::for_self()));
    let chains: Vec<_> = chains.filter(|chain| !chain.names.is_empty()).collect();
    let longest = chains.iter().max_by_key(|chain| chain.names.len())?;
    let mut path = Vec::new();
    let mut at = schema;
    for name in &longest.names {
        let (name, child) = conjuncts::find_property(at, name)?;
        path.push(name);
        at = child.as_object()?;
    }
    // Other paths are allowed only if they lead to the list, as in `has(self.a) && self.a.l..`.
    if !chains
        .iter()
        .all(|chain| longest.names.starts_with(&chain.names))
    {
        return None;
    }
    Some(TargetList {
        path,
        names: longest
            .names
            .iter()
            .map(|name| (*name).to_owned())
            .collect(),
        items: item_schema(at)?,
    })
}

fn item_schema(schema: &Map<String, Value>) -> Option<&Map<String, Value>> {
    schema.get("items")?.as_object()
}

/// The fields of items that a rule reads.
struct ItemUses<'r, 's> {
    list: &'r TargetList<'s>,
    /// The macro variables that are bound to items.
    variables: Vec<&'r str>,
    /// The use of each field.
    fields: BTreeMap<Vec<&'s str>, FieldUses<'r>>,
}

/// The use of a field of items in a rule.
#[derive(Default)]
struct FieldUses<'r> {
    /// The constants that the field is compared with.
    constants: Vec<&'r Literal>,
    /// True if the rule reads the value, and not only the presence of the field.
    is_read: bool,
}

/// Returns the representative items of a rule about a list. `None` if the rule depends on values of
/// an unsupported type, or distinguishes too many items.
///
/// `are_distinguished` returns true if the rule distinguishes the representatives of a field.
pub(crate) fn representative_items<'s>(
    ast: &Ast,
    list: &TargetList<'s>,
    are_distinguished: &mut dyn FnMut(&RepresentativeItems<'s>, usize) -> Option<bool>,
) -> Option<RepresentativeItems<'s>> {
    let mut uses = ItemUses {
        list,
        variables: Vec::new(),
        fields: BTreeMap::new(),
    };
    uses.add_variables(ast);
    let mut waiting = vec![ast];
    while let Some(ast) = waiting.pop() {
        if !uses.add(ast) {
            waiting.extend(ast.kind.children());
        }
    }
    if list.items.contains_key("properties") {
        uses.fields.remove(&Vec::new());
    } else {
        uses.fields.retain(|names, _| names.is_empty());
        let field_uses = uses.fields.entry(Vec::new()).or_default();
        field_uses.constants = literals(ast);
        field_uses.is_read = true;
    }
    let fields = uses.fields.iter();
    let fields = fields.map(|(names, field_uses)| field(list.items, names, field_uses));
    let fields: Vec<ItemField<'s>> = fields.collect::<Option<_>>()?;
    if count_items(&fields) <= LIST_ITEMS {
        return Some(RepresentativeItems::new(fields, true));
    }
    // With too many items, a field gets one representative, unless the rule distinguishes two.
    let with_one_other: Vec<ItemField<'s>> = fields.iter().map(ItemField::with_one_other).collect();
    let mut chosen = with_one_other.clone();
    for (at, field) in fields.iter().enumerate() {
        if field.other_values.len() < OTHER_VALUES {
            continue;
        }
        let mut uses = with_one_other.clone();
        *uses.get_mut(at)? = field.clone();
        if count_items(&uses) > LIST_ITEMS
            || are_distinguished(&RepresentativeItems::new(uses, false), at)?
        {
            *chosen.get_mut(at)? = field.clone();
        }
    }
    (count_items(&chosen) <= LIST_ITEMS).then(|| RepresentativeItems::new(chosen, false))
}

impl<'s> RepresentativeItems<'s> {
    fn new(fields: Vec<ItemField<'s>>, is_complete: bool) -> Self {
        Self {
            values: combine_values(&fields),
            cel_type: declared(&fields),
            is_complete,
            fields,
        }
    }
}

impl<'r, 's> ItemUses<'r, 's> {
    /// Adds the variables of macros over the list, or over the result of another macro on the list.
    fn add_variables(&mut self, ast: &'r Ast) {
        let comprehensions = ast.descendants().filter_map(|ast| match &ast.kind {
            AstKind::Comprehension(comprehension) => Some(&**comprehension),
            _ => None,
        });
        for comprehension in comprehensions {
            let mut range = &comprehension.iter_range;
            while let AstKind::Comprehension(inner) = &range.kind {
                range = &inner.iter_range;
            }
            if self.is_list(range) {
                self.variables.push(
                    comprehension
                        .iter_var2
                        .as_deref()
                        .unwrap_or(&comprehension.iter_var),
                );
            }
        }
    }

    fn is_list(&self, ast: &Ast) -> bool {
        let chain = conjuncts::select_chain(ast, &VariableScope::for_self());
        chain.is_some_and(|chain| !chain.test && chain.names == self.list.names)
    }

    /// Records the field that an expression selects, or the constants that a call compares fields
    /// with. Returns true if the expression selects a field.
    fn add(&mut self, ast: &'r Ast) -> bool {
        if let Some((names, is_read)) = self.names(ast) {
            self.fields.entry(names).or_default().is_read |= is_read;
            return true;
        }
        if let AstKind::Call { target, args, .. } = &ast.kind {
            let parts: Vec<&Ast> = target.as_deref().into_iter().chain(args).collect();
            let found: Vec<&Literal> = parts.iter().flat_map(|part| constants(part)).collect();
            let named = parts.iter().filter_map(|part| self.names(part));
            for (names, _) in named.collect::<Vec<_>>() {
                let field_uses = self.fields.entry(names).or_default();
                field_uses.constants.extend(&found);
            }
        }
        false
    }

    /// Returns the JSON names of the item's field that an expression selects, and true if the value
    /// of the field is read.
    fn names(&self, ast: &Ast) -> Option<(Vec<&'s str>, bool)> {
        let mut variables = self.variables.iter();
        let chain = variables.find_map(|name| {
            let prefix = Vec::new();
            conjuncts::select_chain(ast, &VariableScope { name, prefix })
        })?;
        let mut at = self.list.items;
        let mut names = Vec::new();
        for name in &chain.names {
            let (name, child) = conjuncts::find_property(at, name)?;
            names.push(name);
            at = child.as_object()?;
        }
        Some((names, !chain.test))
    }
}

/// Returns all constants of an expression.
fn literals(ast: &Ast) -> Vec<&Literal> {
    let literals = ast.descendants().filter_map(|ast| match &ast.kind {
        AstKind::Literal(literal) => Some(literal),
        _ => None,
    });
    literals.collect()
}

/// Returns the constants in an operand of a call: a literal, or the literals in a list.
fn constants(ast: &Ast) -> Vec<&Literal> {
    match &ast.kind {
        AstKind::Literal(literal) => vec![literal],
        AstKind::List(elements) => elements
            .iter()
            .filter_map(|element| match &element.value.kind {
                AstKind::Literal(literal) => Some(literal),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns a field with the values that a rule may distinguish. `None` if the type of the field is
/// not supported.
fn field<'s>(
    items: &'s Map<String, Value>,
    names: &[&'s str],
    field_uses: &FieldUses<'_>,
) -> Option<ItemField<'s>> {
    let mut may_be_absent = false;
    let mut schema = items;
    for name in names {
        let child = schema.get("properties")?.get(name)?.as_object()?;
        may_be_absent |= !is_required(schema, name) && child.get("default").is_none();
        schema = child;
    }
    // With a format, CEL may read the string as another type, or equal values may have several
    // strings.
    if schema.contains_key("format") && value_type(schema) == FieldType::String {
        return None;
    }
    let constants = &field_uses.constants;
    let ((uses, others), cel_type) = match value_type(schema) {
        FieldType::String => (string_values(schema, constants), DeclaredType::string()),
        FieldType::Int => (integer_values(constants), DeclaredType::int()),
        FieldType::Bool => (
            without_others([true.into(), false.into()]),
            DeclaredType::bool(),
        ),
        // Only the presence of lists, maps and objects is supported, not their contents.
        _ if field_uses.is_read => return None,
        FieldType::List => {
            let list = DeclaredType::list(DeclaredType::string());
            (without_others([Value::Array(Vec::new())]), list)
        }
        FieldType::Map => {
            let map = DeclaredType::map(DeclaredType::string());
            (without_others([Value::Object(Map::new())]), map)
        }
        FieldType::Object => {
            let object = DeclaredType::object(Vec::<(&str, DeclaredType)>::new());
            (without_others([Value::Object(Map::new())]), object)
        }
        FieldType::Other => return None,
    };
    let mut values: Vec<Option<Value>> = uses.into_iter().chain(others.clone()).map(Some).collect();
    if may_be_absent {
        values.push(None);
    }
    Some(ItemField {
        names: names.to_vec(),
        values,
        other_values: others,
        cel_type,
    })
}

/// Returns values that need no representatives, because there are no other values.
fn without_others<const N: usize>(values: [Value; N]) -> (Vec<Value>, Vec<Value>) {
    (values.into(), Vec::new())
}

/// The number of representatives of a field: two, because a rule may compare items with each other.
const OTHER_VALUES: usize = 2;

/// Returns the strings that a rule names, and representatives of all other strings.
fn string_values(schema: &Map<String, Value>, constants: &[&Literal]) -> (Vec<Value>, Vec<Value>) {
    let mut named: Vec<&str> = Vec::new();
    for constant in constants {
        if let Literal::String(text) = constant
            && !named.contains(&&**text)
        {
            named.push(text);
        }
    }
    let values = enum_values(schema);
    let mut others: Vec<String> = Vec::new();
    if let Some(values) = &values {
        named.retain(|text| values.contains(text));
        named.sort_by_key(|text| values.iter().position(|value| value == text));
        let left = values.iter().filter(|value| !named.contains(value));
        others.extend(left.take(OTHER_VALUES).map(|value| (*value).to_owned()));
    } else {
        named.sort_unstable();
        let free = (0..).map(|number| format!("other{number}"));
        let free = free.filter(|text| !named.contains(&&**text));
        others.extend(free.take(OTHER_VALUES));
    }
    let named = named.into_iter().map(Value::from).collect();
    (named, others.into_iter().map(Value::from).collect())
}

/// Returns the integers that a rule names, and one integer on each side of them.
fn integer_values(constants: &[&Literal]) -> (Vec<Value>, Vec<Value>) {
    let numbers = constants.iter().filter_map(|constant| match constant {
        Literal::Int(number) => Some(*number),
        _ => None,
    });
    let mut named: Vec<i64> = numbers.collect();
    named.sort_unstable();
    named.dedup();
    let child = named.first().map_or(Some(1), |min| min.checked_sub(1));
    let above = named.last().map_or(Some(2), |max| max.checked_add(1));
    let others = child.into_iter().chain(above).map(Value::from).collect();
    (named.into_iter().map(Value::from).collect(), others)
}

/// Returns the number of items with these fields.
fn count_items(fields: &[ItemField<'_>]) -> usize {
    let counts = fields.iter().map(|field| field.values.len());
    counts.fold(1, usize::saturating_mul)
}

impl ItemField<'_> {
    /// Returns the field with only one representative.
    fn with_one_other(&self) -> Self {
        let mut field = self.clone();
        for other in field.other_values.drain(1.min(self.other_values.len())..) {
            field.values.retain(|value| value.as_ref() != Some(&other));
        }
        field
    }
}

/// Returns an item for each combination of the fields' values.
fn combine_values(fields: &[ItemField<'_>]) -> Vec<Value> {
    let mut items = match fields {
        [only] if only.names.is_empty() => {
            return only.values.iter().flatten().cloned().collect();
        }
        _ => vec![Value::Object(Map::new())],
    };
    for field in fields {
        let mut next: Vec<Value> = Vec::new();
        for item in &items {
            for value in &field.values {
                let mut item = item.clone();
                if let Some(value) = value {
                    set_field(&mut item, &field.names, value);
                }
                // A nested field is absent with its parent, so the same item may be built twice.
                if !next.contains(&item) {
                    next.push(item);
                }
            }
        }
        items = next;
    }
    items
}

/// Sets a field of an object, unless the field already has content.
fn set_field(object: &mut Value, names: &[&str], value: &Value) {
    let mut at = object;
    for name in names {
        let Value::Object(fields) = at else {
            return;
        };
        at = fields
            .entry(*name)
            .or_insert_with(|| Value::Object(Map::new()));
    }
    if at.as_object().is_some_and(Map::is_empty) {
        *at = value.clone();
    }
}

/// Returns the CEL type of an item with these fields.
fn declared(fields: &[ItemField<'_>]) -> DeclaredType {
    let paths = fields.iter().map(|field| (&*field.names, &field.cel_type));
    item_type(&paths.collect::<Vec<_>>())
}

/// Returns the CEL type of an object with these fields. The recursion is as deep as the longest
/// path.
fn item_type(fields: &[(&[&str], &DeclaredType)]) -> DeclaredType {
    let mut names: BTreeMap<&str, Vec<(&[&str], &DeclaredType)>> = BTreeMap::new();
    for (path, declared) in fields {
        if let [name, rest @ ..] = path {
            names.entry(name).or_default().push((rest, declared));
        } else if fields.len() == 1 {
            return (*declared).clone();
        }
    }
    DeclaredType::object(
        names
            .into_iter()
            .map(|(name, fields)| (name, item_type(&fields))),
    )
}
