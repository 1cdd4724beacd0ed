//! Collects the names of fields and the values that the rules of a schema mention.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::pattern::matching_strings;

/// The keywords whose schemas restrict a value in addition to its own schema.
const COMBINATORS: [&str; 4] = ["allOf", "anyOf", "oneOf", "not"];

/// The escapes in the names of CEL, each with its meaning.
const ESCAPES: [(&str, &str); 4] = [
    ("__underscores__", "__"),
    ("__dot__", "."),
    ("__dash__", "-"),
    ("__slash__", "/"),
];

/// The names and the values that the rules and the combinators of a schema mention. The search for
/// a valid object tries them.
#[derive(Default)]
pub(crate) struct SearchDictionary {
    names: HashSet<String>,
    pub(crate) values: Vec<Value>,
    /// The values as JSON, so that each value is added once.
    known_values: HashSet<String>,
}

impl SearchDictionary {
    /// Collects the names and values of a schema, without the schemas of its fields.
    pub(crate) fn from_schema(schema: &Value) -> Self {
        let mut dictionary = Self::default();
        let rules = schema.get("x-kubernetes-validations");
        let rules = rules.and_then(Value::as_array).into_iter().flatten();
        for rule in rules.filter_map(|rule| rule.get("rule")?.as_str()) {
            dictionary.add_rule(rule);
        }
        for combinator in COMBINATORS {
            if let Some(restriction) = schema.get(combinator) {
                dictionary.add_restriction(restriction);
            }
        }
        dictionary
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty() && self.values.is_empty()
    }

    pub(crate) fn mentions(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Adds the names and the literals of a CEL expression.
    fn add_rule(&mut self, rule: &str) {
        let mut rest = rule;
        while let Some(first) = rest.chars().next() {
            rest = match first {
                '\'' | '"' => {
                    let string = rest.strip_prefix(first).unwrap_or_default();
                    let (string, after) = string.split_once(first).unwrap_or((string, ""));
                    self.add_value(json!(string));
                    after
                }
                'a'..='z' | 'A'..='Z' | '_' => {
                    let is_in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                    let (name, after) = split_where(rest, is_in_name);
                    self.add_name(name);
                    after
                }
                '0'..='9' => {
                    let (number, after) = split_where(rest, |c| c.is_ascii_digit() || c == '.');
                    self.add_number(number);
                    after
                }
                other => rest.strip_prefix(other).unwrap_or_default(),
            };
        }
    }

    fn add_name(&mut self, name: &str) {
        self.names.insert(json_name(name));
    }

    /// Adds a number and its neighbors, because a rule may exclude the number.
    fn add_number(&mut self, number: &str) {
        if let Ok(number) = number.parse::<i64>() {
            let neighbors = [Some(number), number.checked_add(1), number.checked_sub(1)];
            for value in neighbors.into_iter().flatten() {
                self.add_value(json!(value));
            }
        } else if let Ok(number) = number.parse::<f64>() {
            self.add_value(json!(number));
        }
    }

    fn add_value(&mut self, value: Value) {
        if self.known_values.insert(value.to_string()) {
            self.values.push(value);
        }
    }

    /// Adds the names and the values in the schema of a keyword such as `oneOf`.
    fn add_restriction(&mut self, restriction: &Value) {
        match restriction {
            Value::Array(restrictions) => {
                for restriction in restrictions {
                    self.add_restriction(restriction);
                }
            }
            Value::Object(keywords) => {
                for (keyword, value) in keywords {
                    self.add_keyword(keyword, value);
                }
            }
            _ => {}
        }
    }

    fn add_keyword(&mut self, keyword: &str, value: &Value) {
        match (keyword, value) {
            ("required", Value::Array(names)) => {
                let names = names.iter().filter_map(Value::as_str);
                self.names.extend(names.map(str::to_owned));
            }
            ("enum", Value::Array(values)) => {
                for value in values {
                    self.add_value(value.clone());
                }
            }
            ("minimum" | "maximum", value) => self.add_number(&value.to_string()),
            ("pattern", Value::String(pattern)) => {
                for string in matching_strings(pattern, 0, usize::MAX) {
                    self.add_value(json!(string));
                }
            }
            ("properties", Value::Object(properties)) => {
                for (name, restriction) in properties {
                    self.names.insert(name.clone());
                    self.add_restriction(restriction);
                }
            }
            (_, Value::Object(_) | Value::Array(_)) => self.add_restriction(value),
            _ => {}
        }
    }
}

/// Returns the JSON name of a field that CEL may escape.
pub(crate) fn json_name(name: &str) -> String {
    let mut unescaped = name.to_owned();
    for (escape, meaning) in ESCAPES {
        unescaped = unescaped.replace(escape, meaning);
    }
    // A name that is a keyword of CEL is escaped as `__keyword__`.
    let keyword = unescaped.strip_prefix("__");
    let keyword = keyword.and_then(|name| name.strip_suffix("__"));
    keyword.unwrap_or(&unescaped).to_owned()
}

/// Splits a string before the first character that is not accepted.
fn split_where(text: &str, accepts: impl Fn(char) -> bool) -> (&str, &str) {
    text.find(|c| !accepts(c))
        .and_then(|length| text.split_at_checked(length))
        .unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::SearchDictionary;

    #[test]
    fn rules_and_combinators_mention_names_and_values() {
        let dictionary = SearchDictionary::from_schema(&json!({
            "x-kubernetes-validations": [
                {"rule": "self.kind__dash__of == 'Ä' || size(self.__namespace__) > 3 || \"b"},
            ],
            "oneOf": [{"required": ["c"]}, {"properties": {"d": {"enum": ["e", 8]}, "f": {"pattern": "^g$"}}}],
            "not": {"anyOf": [{"properties": {"h": {"maximum": 20}}}]},
        }));
        for name in ["kind-of", "namespace", "c", "d", "f", "h"] {
            assert!(dictionary.mentions(name), "{name}: {:?}", dictionary.names);
        }
        for value in [
            json!("Ä"),
            json!("b"),
            json!(4),
            json!("e"),
            json!(8),
            json!("g"),
            json!(19),
        ] {
            assert!(
                dictionary.values.contains(&value),
                "{value}: {:?}",
                dictionary.values
            );
        }
        assert!(SearchDictionary::from_schema(&json!({"type": "string"})).is_empty());
    }
}
