//! All forms in which CRDs declare unions, generated.

use crd_unions::{ObjectAnalysis, UnionModel};
use serde_json::{Map, Value, json};

const NAMES: [&str; 4] = ["alpha", "beta", "gamma", "delta"];

/// Returns the discriminator value of a member.
fn member_value(name: &str) -> String {
    let (initial, remaining_letters) = name.split_at(1);
    initial.to_uppercase() + remaining_letters
}

/// A form in which a CRD declares a union. The rules are separate, so that a test can omit each.
pub(crate) struct Form {
    pub(crate) name: String,
    member_count: usize,
    pub(crate) rules: Vec<String>,
    keywords: Value,
    expected: ExpectedModel,
}

#[derive(Clone, Copy, PartialEq)]
enum ExpectedModel {
    Selected { optional: bool, required: bool },
    AtMostOne,
    ExactlyOne,
}

impl Form {
    pub(crate) fn schema(&self, rules: &[String]) -> Value {
        let mut properties = Map::new();
        let names = &NAMES[..self.member_count];
        for name in names {
            properties.insert((*name).to_owned(), json!({"type": "object"}));
        }
        let mut schema = json!({"type": "object"});
        let object = schema.as_object_mut().unwrap();
        if let ExpectedModel::Selected { required, .. } = self.expected {
            let values: Vec<String> = names
                .iter()
                .map(|name| member_value(name))
                .chain(["None".to_owned()])
                .collect();
            properties.insert("type".to_owned(), json!({"type": "string", "enum": values}));
            if required {
                object.insert("required".to_owned(), json!(["type"]));
            }
        }
        object.insert("properties".to_owned(), properties.into());
        if !rules.is_empty() {
            let rules: Vec<Value> = rules.iter().map(|rule| json!({"rule": rule})).collect();
            object.insert("x-kubernetes-validations".to_owned(), rules.into());
        }
        object.extend(self.keywords.as_object().unwrap().clone());
        schema
    }

    /// Returns every object with each of its fields set or unset, and each value.
    pub(crate) fn objects(&self) -> Vec<Value> {
        let mut types = vec![None];
        if matches!(self.expected, ExpectedModel::Selected { .. }) {
            types.extend(
                NAMES[..self.member_count]
                    .iter()
                    .map(|name| Some(member_value(name))),
            );
            types.push(Some("None".to_owned()));
        }
        let mut objects = Vec::new();
        for value_of_type in types {
            for member_bits in 0..1_usize << self.member_count {
                let mut object = Map::new();
                if let Some(value_of_type) = &value_of_type {
                    object.insert("type".to_owned(), value_of_type.clone().into());
                }
                let is_set = |position: &usize| member_bits >> position & 1 == 1;
                for position in (0..self.member_count).filter(is_set) {
                    object.insert(NAMES[position].to_owned(), json!({}));
                }
                objects.push(object.into());
            }
        }
        objects
    }

    /// Returns true if the analysis has exactly the union that the form declares.
    pub(crate) fn matches(&self, analysis: &ObjectAnalysis) -> bool {
        let [union] = &*analysis.unions else {
            return false;
        };
        let mut members: Vec<&str> = union.members.iter().map(|member| &*member.name).collect();
        members.sort_unstable();
        let mut expected = NAMES[..self.member_count].to_vec();
        expected.sort_unstable();
        let has_expected_model = match self.expected {
            ExpectedModel::Selected { optional, required } => {
                union.arity == UnionModel::Discriminated
                    && union.members.iter().all(|member| {
                        member.optional == optional && member.value == member_value(&member.name)
                    })
                    && union.discriminator.as_ref().is_some_and(|discriminator| {
                        discriminator.required == required
                            && discriminator.empty_members == ["None"]
                    })
            }
            ExpectedModel::AtMostOne => union.arity == UnionModel::AtMostOne,
            ExpectedModel::ExactlyOne => union.arity == UnionModel::ExactlyOne,
        };
        has_expected_model && union.exact && members == expected
    }
}

pub(crate) fn forms() -> Vec<Form> {
    let mut forms = Vec::new();
    for member_count in 1..=3 {
        forms.extend(discriminated_forms(member_count));
    }
    for member_count in 2..=4 {
        forms.extend(group_forms(member_count));
    }
    forms
}

/// The name of a form, the rules of each member, and true if the rules make the member optional. In
/// a rule, `D` stands for the discriminator, `V` for the value, and `F` for the field.
type RuleTemplates = (&'static str, &'static [&'static str], bool);

/// Forms with a required discriminator.
const REQUIRED_DISCRIMINATOR_FORMS: &[RuleTemplates] = &[
    (
        "ternary",
        &["self.D == 'V' ? has(self.F) : !has(self.F)"],
        false,
    ),
    (
        "ternary with has",
        &["has(self.D) && self.D == 'V' ? has(self.F) : !has(self.F)"],
        false,
    ),
    (
        "optional ternary",
        &["self.D == 'V' ? true : !has(self.F)"],
        true,
    ),
    (
        "implications",
        &[
            "!has(self.F) || self.D == 'V'",
            "self.D != 'V' || has(self.F)",
        ],
        false,
    ),
    (
        "implications by ternary",
        &[
            "has(self.F) ? self.D == 'V' : true",
            "self.D == 'V' ? has(self.F) : true",
        ],
        false,
    ),
    ("one implication", &["!has(self.F) || self.D == 'V'"], true),
    (
        "forbidden pairs",
        &[
            "!(has(self.F) && self.D != 'V')",
            "!(!has(self.F) && self.D == 'V')",
        ],
        false,
    ),
    ("equality", &["(self.D == 'V') == has(self.F)"], false),
    (
        "list of values",
        &["self.D in ['V'] ? has(self.F) : !has(self.F)"],
        false,
    ),
    (
        "optional selection",
        &["self.?type.orValue('') == 'V' ? has(self.F) : !has(self.F)"],
        false,
    ),
];

/// Forms with a discriminator that may be absent.
const OPTIONAL_DISCRIMINATOR_FORMS: &[RuleTemplates] = &[
    (
        "ternary, absent",
        &["has(self.D) && self.D == 'V' ? has(self.F) : !has(self.F)"],
        false,
    ),
    (
        "optional ternary, absent",
        &["has(self.D) && self.D == 'V' ? true : !has(self.F)"],
        true,
    ),
    (
        "optional selection, absent",
        &["self.?type.orValue('') == 'V' ? has(self.F) : !has(self.F)"],
        false,
    ),
];

fn discriminated_forms(member_count: usize) -> Vec<Form> {
    let form = |(name, templates, optional): &RuleTemplates, required| {
        let rules = NAMES[..member_count].iter().flat_map(|field| {
            templates.iter().map(move |template| {
                template
                    .replace(".D", ".type")
                    .replace("'V'", &format!("'{}'", member_value(field)))
                    .replace(".F", &format!(".{field}"))
            })
        });
        Form {
            name: format!("{name} of {member_count}"),
            member_count,
            rules: rules.collect(),
            keywords: json!({}),
            expected: ExpectedModel::Selected {
                optional: *optional,
                required,
            },
        }
    };
    let required = REQUIRED_DISCRIMINATOR_FORMS
        .iter()
        .map(|template| form(template, true));
    let absent = OPTIONAL_DISCRIMINATOR_FORMS
        .iter()
        .map(|template| form(template, false));
    required.chain(absent).collect()
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn group_forms(member_count: usize) -> Vec<Form> {
    let names = &NAMES[..member_count];
    let has: Vec<String> = names
        .iter()
        .map(|name| format!("has(self.{name})"))
        .collect();
    let only_set = |set_position: Option<usize>| {
        let terms = has.iter().enumerate().map(|(position, has)| {
            if Some(position) == set_position {
                has.clone()
            } else {
                format!("!{has}")
            }
        });
        format!("({})", terms.collect::<Vec<_>>().join(" && "))
    };
    let exactly_one_terms: Vec<String> = (0..member_count)
        .map(|position| only_set(Some(position)))
        .collect();
    let pairs = |template: &str| -> Vec<String> {
        let mut rules = Vec::new();
        for (position, first) in has.iter().enumerate() {
            for second in &has[position + 1..] {
                rules.push(template.replace("ONE", first).replace("OTHER", second));
            }
        }
        rules
    };
    let sum: Vec<String> = has.iter().map(|has| format!("({has} ? 1 : 0)")).collect();
    let sum = sum.join(" + ");
    let list = has.join(", ");
    let any_set = has.join(" || ");
    let required_branches: Vec<Value> = names
        .iter()
        .map(|name| json!({"required": [name]}))
        .collect();
    let mut required_or_none = required_branches.clone();
    required_or_none.push(json!({"not": {"anyOf": required_branches}}));
    let mut pairs_not_both = Vec::new();
    for (position, first) in names.iter().enumerate() {
        for second in &names[position + 1..] {
            pairs_not_both.push(json!({"not": {"required": [first, second]}}));
        }
    }
    let nested = names[..member_count - 1].iter().rev().fold(
        format!("has(self.{})", names[member_count - 1]),
        |inner_condition, name| {
            format!(
                "(has(self.{name}) ? !({}) : {inner_condition})",
                has[names.iter().position(|second| second == name).unwrap() + 1..].join(" || ")
            )
        },
    );
    let mut forms = vec![
        (
            "xor written out",
            vec![exactly_one_terms.join(" || ")],
            json!({}),
            ExpectedModel::ExactlyOne,
        ),
        (
            "xor or none",
            vec![format!(
                "{} || {}",
                exactly_one_terms.join(" || "),
                only_set(None)
            )],
            json!({}),
            ExpectedModel::AtMostOne,
        ),
        (
            "nested ternary",
            vec![nested],
            json!({}),
            ExpectedModel::ExactlyOne,
        ),
        (
            "not both",
            pairs("!(ONE && OTHER)"),
            json!({}),
            ExpectedModel::AtMostOne,
        ),
        (
            "not both by ||",
            pairs("!ONE || !OTHER"),
            json!({}),
            ExpectedModel::AtMostOne,
        ),
        (
            "not both, and one",
            [pairs("!ONE || !OTHER"), vec![any_set.clone()]].concat(),
            json!({}),
            ExpectedModel::ExactlyOne,
        ),
        (
            "sum at most one",
            vec![format!("{sum} <= 1")],
            json!({}),
            ExpectedModel::AtMostOne,
        ),
        (
            "sum below two",
            vec![format!("2 > {sum}")],
            json!({}),
            ExpectedModel::AtMostOne,
        ),
        (
            "sum of one",
            vec![format!("{sum} == 1")],
            json!({}),
            ExpectedModel::ExactlyOne,
        ),
        (
            "size of a list",
            vec![format!("[{list}].filter(x, x == true).size() == 1")],
            json!({}),
            ExpectedModel::ExactlyOne,
        ),
        (
            "size of a list at most one",
            vec![format!("size([{list}].filter(x, x)) <= 1")],
            json!({}),
            ExpectedModel::AtMostOne,
        ),
        (
            "exists_one",
            vec![format!("[{list}].exists_one(x, x)")],
            json!({}),
            ExpectedModel::ExactlyOne,
        ),
        (
            "oneOf",
            vec![],
            json!({"oneOf": required_branches}),
            ExpectedModel::ExactlyOne,
        ),
        (
            "oneOf with none",
            vec![],
            json!({"oneOf": required_or_none}),
            ExpectedModel::AtMostOne,
        ),
        (
            "not required",
            vec![],
            json!({"allOf": pairs_not_both}),
            ExpectedModel::AtMostOne,
        ),
        (
            "count of properties",
            vec![],
            json!({"minProperties": 1, "maxProperties": 1}),
            ExpectedModel::ExactlyOne,
        ),
        (
            "at most one property",
            vec![],
            json!({"maxProperties": 1}),
            ExpectedModel::AtMostOne,
        ),
        (
            "anyOf and a rule",
            pairs("!(ONE && OTHER)"),
            json!({"anyOf": required_branches}),
            ExpectedModel::ExactlyOne,
        ),
    ];
    if member_count == 2 {
        forms.push((
            "unequal",
            vec![format!("{} != {}", has[0], has[1])],
            json!({}),
            ExpectedModel::ExactlyOne,
        ));
        forms.push((
            "not required, two",
            vec![],
            json!({"not": {"required": [names[0], names[1]]}}),
            ExpectedModel::AtMostOne,
        ));
    }
    let forms = forms
        .into_iter()
        .map(|(name, rules, keywords, expected)| Form {
            name: format!("{name} of {member_count}"),
            member_count,
            rules,
            keywords,
            expected,
        });
    forms.collect()
}
