//! The statements of the descriptions of an object and of its properties.

use serde_json::{Map, Value};

use crate::findings::wording::choices::choice_statement;
use crate::findings::wording::conditions::condition_statement;
use crate::findings::wording::names::{Mention, PropertyNames};
use crate::findings::wording::quantities::quantity_statement;
use crate::findings::wording::relations::exclusion_statement;
use crate::findings::wording::sentence::{Sentence, Subject};
use crate::findings::wording::statement::{Statement, StatementFields};
use crate::findings::wording::tokens::{Token, sentences};

/// Fields of an object that exclude each other, by its descriptions.
#[derive(Clone, Debug)]
pub(crate) struct DescribedExclusion<'s> {
    /// The names of the fields, in schema order.
    pub(crate) fields: Vec<&'s str>,
    pub(crate) center: Option<&'s str>,
    pub(crate) is_exactly: bool,
    pub(crate) is_certain: bool,
    pub(crate) words: String,
    /// The property whose description has the words; `None` for the description of the object.
    pub(crate) described: Option<&'s str>,
}

/// The surroundings of an object that its descriptions refer to.
#[derive(Clone, Copy, Default)]
pub(crate) struct DescribedPlace<'a> {
    /// The name of the property that contains the object, or the list or map of the object.
    pub(crate) object_name: Option<&'a str>,
    /// The description of the list or map of the object.
    pub(crate) list_description: Option<&'a str>,
}

/// Returns the exclusions that the descriptions of an object state. `is_optional` returns true
/// if a property may be omitted.
pub(crate) fn described_exclusions<'s>(
    schema: &'s Map<String, Value>,
    place: DescribedPlace<'_>,
    is_optional: &dyn Fn(&str) -> bool,
) -> Vec<DescribedExclusion<'s>> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Vec::new();
    };
    let names = PropertyNames::new(properties.keys().map(String::as_str));
    if names.len() < 2 {
        return Vec::new();
    }
    let mut exclusions: Vec<DescribedExclusion<'s>> = Vec::new();
    let mut unnamed: Vec<(usize, Statement)> = Vec::new();
    let is_sum = properties.iter().all(|(name, property)| {
        is_optional(name) && property.get("type").and_then(Value::as_str) == Some("object")
    });
    let own_description = schema.get("description").and_then(Value::as_str);
    let object_texts = own_description.into_iter().chain(place.list_description);
    let object_texts = object_texts.map(|text| (text, Subject::Object, None));
    let property_texts = properties
        .values()
        .enumerate()
        .filter_map(|(property, schema)| {
            let text = schema.get("description")?.as_str()?;
            let is_string = schema.get("type").and_then(Value::as_str) == Some("string");
            let inner = schema.get("properties").and_then(Value::as_object);
            let subject = Subject::Property {
                property,
                is_string,
            };
            Some((text, subject, inner))
        });
    for (text, subject, inner) in object_texts.chain(property_texts) {
        let inner_names = inner.map(|inner| PropertyNames::new(inner.keys().map(String::as_str)));
        let context = DescriptionContext {
            names: &names,
            inner_names: inner_names.as_ref(),
            object_name: place.object_name,
            subject,
            consists_of_alternatives: subject == Subject::Object && is_sum,
        };
        for statement in context.statements(text) {
            if let StatementFields::Unnamed { property } = statement.fields {
                unnamed.push((property, statement));
            } else if let Some(exclusion) = exclusion(&names, subject, statement, is_optional) {
                add_exclusion(&mut exclusions, exclusion);
            }
        }
    }
    let exclusion = combined_statement(&unnamed)
        .and_then(|(subject, statement)| exclusion(&names, subject, statement, is_optional));
    if let Some(exclusion) = exclusion {
        add_exclusion(&mut exclusions, exclusion);
    }
    exclusions
}

/// Returns the statement that all properties with a statement without names exclude each other.
fn combined_statement(unnamed: &[(usize, Statement)]) -> Option<(Subject, Statement)> {
    let [(first, statement), _, ..] = unnamed else {
        return None;
    };
    let properties = unnamed.iter().map(|(property, _)| *property);
    let statement = Statement {
        fields: StatementFields::Listed(properties.collect()),
        ..statement.clone()
    };
    let subject = Subject::Property {
        property: *first,
        is_string: false,
    };
    Some((subject, statement))
}

/// The context in which a description is read.
struct DescriptionContext<'d, 's> {
    names: &'d PropertyNames<'s>,
    /// The names of the properties of the property that the description is about.
    inner_names: Option<&'d PropertyNames<'s>>,
    object_name: Option<&'d str>,
    subject: Subject,
    consists_of_alternatives: bool,
}

impl DescriptionContext<'_, '_> {
    /// Returns the property that a token means. A name of a property inside the described property
    /// does not mean a sibling.
    fn mention(&self, token: &Token<'_>) -> Option<Mention> {
        let mention = self.names.mention(token, self.object_name)?;
        let is_inner = self
            .inner_names
            .is_some_and(|names| names.mention(token, None).is_some());
        let is_own = matches!(self.subject, Subject::Property { property, .. } if property == mention.property);
        (!is_inner || is_own).then_some(mention)
    }

    /// Returns the statements of a description.
    fn statements(&self, description: &str) -> Vec<Statement> {
        let mut statements = Vec::new();
        let mut previous_mentions: Vec<usize> = Vec::new();
        for tokens in sentences(description) {
            let mentions: Vec<Option<Mention>> =
                tokens.iter().map(|token| self.mention(token)).collect();
            let sentence = Sentence {
                tokens: &tokens,
                mentions: &mentions,
                subject: self.subject,
                consists_of_alternatives: self.consists_of_alternatives,
                previous_mentions: &previous_mentions,
            };
            for start in 0..tokens.len() {
                statements.extend(
                    quantity_statement(&sentence, description, start)
                        .or_else(|| exclusion_statement(&sentence, description, start))
                        .or_else(|| condition_statement(&sentence, description, start))
                        .or_else(|| choice_statement(&sentence, description, start)),
                );
            }
            previous_mentions = sentence.antecedents();
        }
        statements
    }
}

/// Returns the exclusion of a statement, if at least two of its fields may be omitted.
fn exclusion<'s>(
    names: &PropertyNames<'s>,
    subject: Subject,
    statement: Statement,
    is_optional: &dyn Fn(&str) -> bool,
) -> Option<DescribedExclusion<'s>> {
    /// The maximum number of fields of a finding.
    const MAX_FIELDS: usize = 64;
    let mut fields = match statement.fields {
        StatementFields::Listed(fields) => fields,
        StatementFields::All { excluded } if subject == Subject::Object => (0..names.len())
            .filter(|property| !excluded.contains(property))
            .collect(),
        StatementFields::AllAround => (0..names.len()).collect(),
        StatementFields::All { .. } | StatementFields::Unnamed { .. } => return None,
    };
    fields.retain(|property| is_optional(names.name(*property)));
    fields.sort_unstable();
    fields.dedup();
    let center = statement
        .center
        .filter(|center| fields.contains(center) && fields.len() > 2);
    if fields.len() < 2 || fields.len() > MAX_FIELDS {
        return None;
    }
    Some(DescribedExclusion {
        fields: fields
            .iter()
            .map(|property| names.name(*property))
            .collect(),
        center: center.map(|center| names.name(center)),
        is_exactly: statement.is_exactly,
        is_certain: statement.is_certain,
        words: statement.words,
        described: match subject {
            Subject::Object => None,
            Subject::Property { property, .. } => Some(names.name(property)),
        },
    })
}

/// Adds an exclusion. An exclusion of the same fields is merged, and an exclusion of some of the
/// fields of another exclusion is omitted.
fn add_exclusion<'s>(
    exclusions: &mut Vec<DescribedExclusion<'s>>,
    exclusion: DescribedExclusion<'s>,
) {
    /// The maximum number of exclusions of an object.
    const MAX_EXCLUSIONS: usize = 64;
    let contains = |outer: &DescribedExclusion<'s>, inner: &DescribedExclusion<'s>| {
        let has_stated_pairs = outer
            .center
            .is_none_or(|center| inner.fields.len() == 2 && inner.fields.contains(&center));
        has_stated_pairs
            && inner
                .fields
                .iter()
                .all(|field| outer.fields.contains(field))
    };
    for known in exclusions.iter_mut() {
        if known.fields == exclusion.fields {
            known.is_exactly |= exclusion.is_exactly;
            if known.center.is_some() && exclusion.center != known.center {
                known.center = None;
            }
            if exclusion.is_certain && !known.is_certain {
                known.is_certain = true;
                known.words = exclusion.words;
                known.described = exclusion.described;
            }
            return;
        }
        if contains(known, &exclusion) {
            return;
        }
    }
    exclusions.retain(|known| !contains(&exclusion, known));
    if exclusions.len() < MAX_EXCLUSIONS {
        exclusions.push(exclusion);
    }
}
