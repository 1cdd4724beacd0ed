//! Representative items: for a rule of a list, one item for each class of items that the rule may
//! distinguish. A class is a combination of values of the fields that the rule reads.

use std::collections::{BTreeMap, BTreeSet};

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
    /// The names of this path in CEL.
    cel_path: Vec<String>,
    /// The schema of its items.
    pub(crate) items: &'s Map<String, Value>,
}

/// A field by which items are distinguished. With an empty path, the field is the item itself.
#[derive(Clone)]
pub(crate) struct ItemField<'s> {
    pub(crate) path: Vec<&'s str>,
    /// The possible values. `None` means that the field is absent.
    pub(crate) values: Vec<Option<Value>>,
    /// The representatives: values that stand for all values that the rule does not name.
    pub(crate) representatives: Vec<Value>,
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
            cel_path: Vec::new(),
            items,
        });
    }
    let chains = ast
        .descendants()
        .filter_map(|ast| conjuncts::select_chain(ast, &VariableScope::for_self()));
    let chains: Vec<_> = chains.filter(|chain| !chain.names.is_empty()).collect();
    let longest = chains.iter().max_by_key(|chain| chain.names.len())?;
    let mut path = Vec::new();
    let mut list_schema = schema;
    for name in &longest.names {
        let (name, child) = conjuncts::find_property(list_schema, name)?;
        path.push(name);
        list_schema = child.as_object()?;
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
        cel_path: longest
            .names
            .iter()
            .map(|name| (*name).to_owned())
            .collect(),
        items: item_schema(list_schema)?,
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
    /// The literals that the field is compared with.
    literals: Vec<&'r Literal>,
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
    let mut stack = vec![ast];
    while let Some(ast) = stack.pop() {
        if !uses.record_use(ast) {
            stack.extend(ast.kind.children());
        }
    }
    if list.items.contains_key("properties") {
        uses.fields.remove(&Vec::new());
    } else {
        uses.fields.retain(|path, _| path.is_empty());
        let field_uses = uses.fields.entry(Vec::new()).or_default();
        field_uses.literals = all_literals(ast);
        field_uses.is_read = true;
    }
    let fields = uses.fields.iter();
    let fields = fields.map(|(path, field_uses)| field(list.items, path, field_uses));
    let fields: Vec<ItemField<'s>> = fields.collect::<Option<_>>()?;
    if count_items(&fields) <= LIST_ITEMS {
        return Some(RepresentativeItems::new(fields, true));
    }
    // With too many items, a field gets one representative, unless the rule distinguishes two.
    let with_one_representative: Vec<ItemField<'s>> = fields
        .iter()
        .map(ItemField::with_one_representative)
        .collect();
    let mut chosen_fields = with_one_representative.clone();
    for (index, field) in fields.iter().enumerate() {
        if field.representatives.len() < REPRESENTATIVES_PER_FIELD {
            continue;
        }
        let mut candidate_fields = with_one_representative.clone();
        *candidate_fields.get_mut(index)? = field.clone();
        if count_items(&candidate_fields) > LIST_ITEMS
            || are_distinguished(&RepresentativeItems::new(candidate_fields, false), index)?
        {
            *chosen_fields.get_mut(index)? = field.clone();
        }
    }
    (count_items(&chosen_fields) <= LIST_ITEMS)
        .then(|| RepresentativeItems::new(chosen_fields, false))
}

impl<'s> RepresentativeItems<'s> {
    fn new(fields: Vec<ItemField<'s>>, is_complete: bool) -> Self {
        Self {
            values: combine_values(&fields),
            cel_type: declared_item_type(&fields),
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
                // In a macro with two variables, the first is the index of the item.
                self.variables.push(
                    comprehension
                        .iter_var2
                        .as_deref()
                        .unwrap_or(&comprehension.iter_var),
                );
            }
        }
    }

    /// Returns true if an expression selects the target list.
    fn is_list(&self, ast: &Ast) -> bool {
        let chain = conjuncts::select_chain(ast, &VariableScope::for_self());
        chain.is_some_and(|chain| !chain.test_only && chain.names == self.list.cel_path)
    }

    /// Records the field that an expression selects, or the literals that a call compares fields
    /// with. Returns true if the expression selects a field.
    fn record_use(&mut self, ast: &'r Ast) -> bool {
        if let Some((path, is_read)) = self.field_path(ast) {
            self.fields.entry(path).or_default().is_read |= is_read;
            return true;
        }
        if let AstKind::Call { target, args, .. } = &ast.kind {
            let operands: Vec<&Ast> = target.as_deref().into_iter().chain(args).collect();
            let literals_of_operands: Vec<&Literal> = operands
                .iter()
                .flat_map(|operand| operand_literals(operand))
                .collect();
            let paths = operands
                .iter()
                .filter_map(|operand| self.field_path(operand));
            for (path, _) in paths.collect::<Vec<_>>() {
                let field_uses = self.fields.entry(path).or_default();
                field_uses.literals.extend(&literals_of_operands);
            }
        }
        false
    }

    /// Returns the path of the item's field that an expression selects, and true if the value of
    /// the field is read.
    fn field_path(&self, ast: &Ast) -> Option<(Vec<&'s str>, bool)> {
        let mut variables = self.variables.iter();
        let chain = variables.find_map(|name| {
            let prefix = Vec::new();
            conjuncts::select_chain(ast, &VariableScope { name, prefix })
        })?;
        let mut schema = self.list.items;
        let mut path = Vec::new();
        for name in &chain.names {
            let (name, child) = conjuncts::find_property(schema, name)?;
            path.push(name);
            schema = child.as_object()?;
        }
        Some((path, !chain.test_only))
    }
}

/// Returns all literals of an expression.
fn all_literals(ast: &Ast) -> Vec<&Literal> {
    let literals = ast.descendants().filter_map(|ast| match &ast.kind {
        AstKind::Literal(literal) => Some(literal),
        _ => None,
    });
    literals.collect()
}

/// Returns the literals in an operand of a call: a literal, or the literals in a list.
fn operand_literals(ast: &Ast) -> Vec<&Literal> {
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
    path: &[&'s str],
    field_uses: &FieldUses<'_>,
) -> Option<ItemField<'s>> {
    let mut may_be_absent = false;
    let mut schema = items;
    for name in path {
        let child = schema.get("properties")?.get(name)?.as_object()?;
        may_be_absent |= !is_required(schema, name) && child.get("default").is_none();
        schema = child;
    }
    // With a format, CEL may read the string as another type, or equal values may have several
    // strings.
    if schema.contains_key("format") && value_type(schema) == FieldType::String {
        return None;
    }
    let literals = &field_uses.literals;
    let (distinguished_values, cel_type) = match value_type(schema) {
        FieldType::String => (string_values(schema, literals), DeclaredType::string()),
        FieldType::Int => (integer_values(literals), DeclaredType::int()),
        FieldType::Bool => (
            DistinguishedValues::without_representatives([true.into(), false.into()]),
            DeclaredType::bool(),
        ),
        // Only the presence of lists, maps and objects is supported, not their contents.
        _ if field_uses.is_read => return None,
        FieldType::List => {
            let list = DeclaredType::list(DeclaredType::string());
            (
                DistinguishedValues::without_representatives([Value::Array(Vec::new())]),
                list,
            )
        }
        FieldType::Map => {
            let map = DeclaredType::map(DeclaredType::string());
            (
                DistinguishedValues::without_representatives([Value::Object(Map::new())]),
                map,
            )
        }
        FieldType::Object => {
            let object = DeclaredType::object(Vec::<(&str, DeclaredType)>::new());
            (
                DistinguishedValues::without_representatives([Value::Object(Map::new())]),
                object,
            )
        }
        FieldType::Other => return None,
    };
    let DistinguishedValues {
        named,
        representatives,
    } = distinguished_values;
    let mut values: Vec<Option<Value>> = named
        .into_iter()
        .chain(representatives.clone())
        .map(Some)
        .collect();
    if may_be_absent {
        values.push(None);
    }
    Some(ItemField {
        path: path.to_vec(),
        values,
        representatives,
        cel_type,
    })
}

/// The values of a field that a rule may distinguish.
struct DistinguishedValues {
    /// The values that the rule names, or all values if there are few.
    named: Vec<Value>,
    /// The representatives of all other values.
    representatives: Vec<Value>,
}

impl DistinguishedValues {
    fn without_representatives<const N: usize>(values: [Value; N]) -> Self {
        Self {
            named: values.into(),
            representatives: Vec::new(),
        }
    }
}

/// The number of representatives of a field: two, because a rule may compare items with each other.
const REPRESENTATIVES_PER_FIELD: usize = 2;

/// Returns the strings that a rule names, and representatives of all other strings.
fn string_values(schema: &Map<String, Value>, literals: &[&Literal]) -> DistinguishedValues {
    let mut named: Vec<&str> = Vec::new();
    for literal in literals {
        if let Literal::String(string) = literal
            && !named.contains(&&**string)
        {
            named.push(string);
        }
    }
    let values = enum_values(schema);
    let mut representatives: Vec<String> = Vec::new();
    if let Some(values) = &values {
        named.retain(|string| values.contains(string));
        named.sort_by_key(|string| values.iter().position(|value| value == string));
        let unnamed_values = values.iter().filter(|value| !named.contains(value));
        representatives.extend(
            unnamed_values
                .take(REPRESENTATIVES_PER_FIELD)
                .map(|value| (*value).to_owned()),
        );
    } else {
        named.sort_unstable();
        let unused_strings = (0..).map(|number| format!("other{number}"));
        let unused_strings = unused_strings.filter(|string| !named.contains(&&**string));
        representatives.extend(unused_strings.take(REPRESENTATIVES_PER_FIELD));
    }
    DistinguishedValues {
        named: named.into_iter().map(Value::from).collect(),
        representatives: representatives.into_iter().map(Value::from).collect(),
    }
}

/// Returns the integers that a rule names, and representatives of all other integers: one integer
/// below the named integers, one between each two of them, and one above them. A comparison
/// distinguishes these intervals.
fn integer_values(literals: &[&Literal]) -> DistinguishedValues {
    let numbers = literals.iter().filter_map(|literal| match literal {
        Literal::Int(number) => Some(*number),
        _ => None,
    });
    let named: BTreeSet<i64> = numbers.collect();
    let smaller = named.first().map_or(Some(1), |min| min.checked_sub(1));
    let successors = named.iter().filter_map(|number| number.checked_add(1));
    let mut larger: Vec<i64> = successors
        .filter(|number| !named.contains(number))
        .collect();
    if larger.is_empty() {
        larger.push(2);
    }
    DistinguishedValues {
        named: named.into_iter().map(Value::from).collect(),
        representatives: smaller.into_iter().chain(larger).map(Value::from).collect(),
    }
}

/// Returns the number of items with these fields.
fn count_items(fields: &[ItemField<'_>]) -> usize {
    let counts = fields.iter().map(|field| field.values.len());
    counts.fold(1, usize::saturating_mul)
}

impl ItemField<'_> {
    /// Returns the field with only one representative.
    fn with_one_representative(&self) -> Self {
        let mut field = self.clone();
        for removed_value in field
            .representatives
            .drain(1.min(self.representatives.len())..)
        {
            field
                .values
                .retain(|value| value.as_ref() != Some(&removed_value));
        }
        field
    }
}

/// Returns an item for each combination of the fields' values.
fn combine_values(fields: &[ItemField<'_>]) -> Vec<Value> {
    let mut items = match fields {
        [item_itself] if item_itself.path.is_empty() => {
            return item_itself.values.iter().flatten().cloned().collect();
        }
        _ => vec![Value::Object(Map::new())],
    };
    for field in fields {
        let mut extended_items: Vec<Value> = Vec::new();
        for item in &items {
            for value in &field.values {
                let mut item = item.clone();
                if let Some(value) = value {
                    set_field(&mut item, &field.path, value);
                }
                // A nested field is absent with its parent, so the same item may be built twice.
                if !extended_items.contains(&item) {
                    extended_items.push(item);
                }
            }
        }
        items = extended_items;
    }
    items
}

/// Sets the field at a path, and adds the objects above the field. Does nothing if the field
/// already has a value that is not an empty object.
fn set_field(object: &mut Value, path: &[&str], value: &Value) {
    let mut target = object;
    for name in path {
        let Value::Object(fields) = target else {
            return;
        };
        target = fields
            .entry(*name)
            .or_insert_with(|| Value::Object(Map::new()));
    }
    if target.as_object().is_some_and(Map::is_empty) {
        *target = value.clone();
    }
}

/// Returns the CEL type of an item with these fields.
fn declared_item_type(fields: &[ItemField<'_>]) -> DeclaredType {
    let paths = fields.iter().map(|field| (&*field.path, &field.cel_type));
    item_type(&paths.collect::<Vec<_>>())
}

/// Returns the CEL type of an object with these fields. The recursion is as deep as the longest
/// path.
fn item_type(fields: &[(&[&str], &DeclaredType)]) -> DeclaredType {
    let mut fields_by_name: BTreeMap<&str, Vec<(&[&str], &DeclaredType)>> = BTreeMap::new();
    for (path, cel_type) in fields {
        if let [name, inner_path @ ..] = path {
            fields_by_name
                .entry(name)
                .or_default()
                .push((inner_path, cel_type));
        } else if fields.len() == 1 {
            return (*cel_type).clone();
        }
    }
    DeclaredType::object(
        fields_by_name
            .into_iter()
            .map(|(name, fields)| (name, item_type(&fields))),
    )
}
