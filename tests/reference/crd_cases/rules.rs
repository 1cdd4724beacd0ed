//! CEL rules for a schema, generated from templates.

use serde_json::{Value, json};

use crate::schema::{Object, names};
use union_random::Random;

/// The `maxItems` of lists with costly rules.
pub(crate) const COSTLY: usize = 60;

/// Adds one to three rules. `correlates` is true if values of the schema can have an old value.
pub(crate) fn add(random: &mut Random, schema: &mut Object, correlates: bool) {
    // A schema without a CEL type cannot have rules.
    let kind = kind(schema);
    if kind.is_empty() {
        return;
    }
    let rules: Vec<Value> = (0..=random.below(3).saturating_sub(1))
        .map(|_| rule(random, schema, kind, correlates))
        .collect();
    schema.insert("x-kubernetes-validations".into(), rules.into());
}

/// Returns the CEL type of the values.
fn kind(schema: &Object) -> &'static str {
    if schema.contains_key("x-kubernetes-int-or-string") {
        return "int-or-string";
    }
    let kind = schema
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let format = schema
        .get("format")
        .and_then(Value::as_str)
        .unwrap_or_default();
    match (kind, format) {
        ("string", "date" | "date-time" | "datetime") => "timestamp",
        ("string", "duration") => "duration",
        ("string", "byte") => "bytes",
        ("string", _) => "string",
        ("integer", _) => "integer",
        ("number", _) => "number",
        ("boolean", _) => "boolean",
        ("array", _) => "array",
        ("object", _) if schema.contains_key("properties") => "object",
        ("object", _)
            if schema
                .get("additionalProperties")
                .is_some_and(Value::is_object) =>
        {
            "map"
        }
        _ => "",
    }
}

fn rule(random: &mut Random, schema: &Object, kind: &str, correlates: bool) -> Value {
    let mut rule = Object::new();
    let text = if correlates && random.chance(25) {
        let optional = random.chance(35);
        if optional {
            rule.insert("optionalOldSelf".into(), true.into());
        }
        transition(random, schema, kind, optional)
    } else {
        plain(random, schema, kind)
    };
    rule.insert("rule".into(), text.into());
    if random.chance(30) {
        let message = *random.pick(&["wrong", "  too \"odd\"  ", "must not be <so>", "größer"]);
        rule.insert("message".into(), message.into());
    }
    if random.chance(25) {
        rule.insert(
            "messageExpression".into(),
            message_expression(random, schema, kind).into(),
        );
    }
    if random.chance(25) {
        let reasons = [
            "FieldValueInvalid",
            "FieldValueForbidden",
            "FieldValueRequired",
            "FieldValueDuplicate",
        ];
        rule.insert("reason".into(), (*random.pick(&reasons)).into());
    }
    let names = names(schema);
    if kind == "object" && !names.is_empty() && random.chance(25) {
        let name = random.pick(&names);
        let path = if name.contains(['.', '-']) || random.chance(20) {
            format!("['{name}']")
        } else {
            format!(".{name}")
        };
        rule.insert("fieldPath".into(), path.into());
    }
    rule.into()
}

fn plain(random: &mut Random, schema: &Object, kind: &str) -> String {
    let n = random.below(5);
    let choices: Vec<String> = match kind {
        "string" => vec![
            format!("self.size() > {n}"),
            format!("size(self) <= {n}"),
            "self != 'A'".into(),
            "self.startsWith('a')".into(),
            "self.matches('^[a-z]+$')".into(),
            "self == self.lowerAscii()".into(),
            "self in ['a', 'ab', 'A']".into(),
            "int(self) > 1".into(),
            "self.contains('b') || self.endsWith('c')".into(),
        ],
        "timestamp" => vec![
            "self > timestamp('2020-01-01T00:00:00Z')".into(),
            "self.getFullYear() > 2019".into(),
        ],
        "duration" => vec![
            "self > duration('1m')".into(),
            "self.getSeconds() < 90".into(),
        ],
        "bytes" => vec![format!("self.size() > {n}"), "string(self) != 'a'".into()],
        "integer" => vec![
            format!("self > {n}"),
            "self % 2 == 0".into(),
            "10 / self > 2".into(),
            "self in [1, 2, 3]".into(),
            "double(self) < 2.5".into(),
            "self * 2 - 1 >= 3".into(),
        ],
        "number" => vec![
            "self < 2.5".into(),
            format!("self >= {n}.0"),
            "self != 1.5".into(),
            "int(self) == 2".into(),
        ],
        "boolean" => vec![
            "self".into(),
            "!self".into(),
            "self == true || self == false".into(),
        ],
        "int-or-string" => vec![
            format!("type(self) == int ? self > {n} : self.size() > {n}"),
            "type(self) == string".into(),
            "self != 1".into(),
        ],
        "array" => vec![
            format!("self.size() < {n}"),
            format!("size(self) >= {n}"),
            "self.all(x, x == self[0])".into(),
            "self.exists(x, x == self[0])".into(),
            "self[0] == self[1]".into(),
            "self.map(x, x).size() == 1".into(),
            "self.filter(x, x != self[0]).size() < 2".into(),
            "self.exists_one(x, x == self[0])".into(),
        ],
        "map" => vec![
            format!("self.size() < {n}"),
            "'k' in self".into(),
            "self.all(k, k.size() < 2)".into(),
            "!('x' in self) || self['x'] == self['k']".into(),
            "has(self.k)".into(),
        ],
        _ => return of_object(random, schema),
    };
    random.pick(&choices).clone()
}

/// Returns a rule about the properties of an object.
fn of_object(random: &mut Random, schema: &Object) -> String {
    let names: Vec<String> = names(schema)
        .into_iter()
        .filter_map(|name| identifier(&name))
        .collect();
    if names.is_empty() {
        return "has(self.metadata)".into();
    }
    let (first, second) = (random.pick(&names).clone(), random.pick(&names).clone());
    let schema_of_first = schema["properties"].as_object().and_then(|all| {
        let found = all
            .iter()
            .find(|(name, _)| identifier(name).as_ref() == Some(&first))?;
        found.1.as_object().cloned()
    });
    let schema_of_first = schema_of_first.unwrap_or_default();
    let rule_of_first = match kind(&schema_of_first) {
        "" => format!("has(self.{first})"),
        kind => {
            let rule = plain(random, &schema_of_first, kind);
            rule.replace("self", &format!("self.{first}"))
        }
    };
    let choices = [
        format!("has(self.{first})"),
        format!("!has(self.{first})"),
        format!("has(self.{first}) == has(self.{second})"),
        format!("has(self.{first}) ? !has(self.{second}) : true"),
        format!("!has(self.{first}) || ({rule_of_first})"),
        rule_of_first.clone(),
        rule_of_first,
    ];
    random.pick(&choices).clone()
}

fn transition(random: &mut Random, schema: &Object, kind: &str, optional: bool) -> String {
    if optional {
        let choices = [
            "!oldSelf.hasValue() || self == oldSelf.value()",
            "oldSelf.hasValue()",
            "oldSelf.optMap(o, o == self).orValue(true)",
            "oldSelf.orValue(self) == self",
        ];
        return (*random.pick(&choices)).into();
    }
    let mut choices = vec!["self == oldSelf".to_owned(), "self != oldSelf".into()];
    match kind {
        "integer" | "number" | "timestamp" | "duration" => choices.push("self >= oldSelf".into()),
        "string" | "bytes" => choices.push("self.size() >= oldSelf.size()".into()),
        "array" => {
            choices.push("oldSelf.all(x, x in self)".into());
            choices.push("self.size() >= oldSelf.size()".into());
        }
        "map" => choices.push("oldSelf.all(k, k in self)".into()),
        "object" => {
            for name in names(schema).iter().filter_map(|name| identifier(name)) {
                choices.push(format!("!has(oldSelf.{name}) || has(self.{name})"));
                choices.push(format!(
                    "has(self.{name}) && has(oldSelf.{name}) ? self.{name} == oldSelf.{name} : true"
                ));
            }
        }
        _ => {}
    }
    random.pick(&choices).clone()
}

fn message_expression(random: &mut Random, schema: &Object, kind: &str) -> String {
    let choices = match kind {
        "string" => vec![
            "'is ' + self".to_owned(),
            "self".into(),
            "' '".into(),
            "self + '\\n'".into(),
        ],
        "integer" => vec![
            "self > 2 ? 'big' : 'small'".into(),
            "1 / self > 0 ? 'a' : 'b'".into(),
        ],
        "number" => vec!["self > 2.0 ? 'big' : 'small'".into()],
        "array" => vec![
            "self.size() > 2 ? 'many' : 'few'".into(),
            "self[1] == self[0] ? 'same' : 'others'".into(),
        ],
        "map" => vec![
            "self.size() > 2 ? 'many' : 'few'".into(),
            "'x' in self ? ' with x ' : ''".into(),
        ],
        "object" => {
            let mut choices = vec!["'an object'".to_owned()];
            let names = names(schema);
            for name in names.iter().filter_map(|name| identifier(name)) {
                choices.push(format!("has(self.{name}) ? 'has it' : 'has it not'"));
            }
            choices
        }
        _ => vec!["'odd'".into()],
    };
    random.pick(&choices).clone()
}

/// Returns the CEL identifier of a property, or `None` if CEL cannot write the name.
fn identifier(name: &str) -> Option<String> {
    if name == "in" {
        return Some("__in__".into());
    }
    let mut written = String::new();
    for c in name.chars() {
        match c {
            '.' => written.push_str("__dot__"),
            '-' => written.push_str("__dash__"),
            c if c.is_ascii_alphanumeric() => written.push(c),
            _ => return None,
        }
    }
    Some(written)
}

/// Returns the schema of a list with two rules. The first rule may exceed the cost limit, so that
/// the second rule is skipped.
pub(crate) fn costly(random: &mut Random) -> Value {
    let conditions = [
        "x >= 0",
        "x >= 0 && y >= 0",
        "x + y != z - 1000",
        "x != y || z != y || x == z",
    ];
    let condition = *random.pick(&conditions);
    let rule = format!("self.all(x, self.all(y, self.all(z, {condition})))");
    json!({
        "type": "array",
        "items": {"type": "integer"},
        "maxItems": COSTLY,
        "x-kubernetes-validations": [{"rule": rule}, {"rule": "self.size() < 30"}],
    })
}

/// Returns a rule that the lint rejects.
pub(crate) fn broken(random: &mut Random) -> Value {
    let choices = [
        json!({"rule": ""}),
        json!({"rule": "self +"}),
        json!({"rule": "1"}),
        json!({"rule": "self.nowhere == 1"}),
        json!({"rule": "true", "message": "a\nb"}),
        json!({"rule": "true\n&& true"}),
        json!({"rule": "true", "reason": "Odd"}),
        json!({"rule": "true", "messageExpression": "1"}),
        json!({"rule": "true", "fieldPath": "a"}),
        json!({"rule": "true", "fieldPath": ".nowhere"}),
        json!({"rule": "true", "optionalOldSelf": true}),
        json!({"rule": "self == oldSelf"}),
    ];
    random.pick(&choices).clone()
}
