//! Compares the relations between fields that a server has with the rows of `k8s-builtin-unions`.

use std::collections::{BTreeMap, BTreeSet};

use k8s_builtin_unions::{BuiltinKind, BuiltinMember, BuiltinUnion, MemberRule, kinds, unions};
use serde_json::Value;

use crate::differences;
use crate::probe::{Choice, EmptyMember, Pair, RowAnswers, TypeAnswers};
use crate::types::{Form, Types};

const README: &str = include_str!("../../../crates/k8s-builtin-unions/README.md");

/// The minor version of the server.
const MINOR: u32 = 37;

/// Returns the rows of a type, or of a field to which rows are restricted.
pub(crate) fn unions_at(name: &str) -> impl Iterator<Item = BuiltinUnion> {
    unions().filter(move |union| union.place().unwrap_or(union.type_name()) == name)
}

/// Returns the values that rows have for a field of a type; none if the field is not a
/// discriminator.
pub(crate) fn discriminator_values(name: &str, field: &str) -> Vec<Value> {
    let rows = unions_at(name).filter(|union| union.discriminator() == Some(field));
    let values = rows.flat_map(|union| {
        let members = union.members().filter_map(BuiltinMember::value);
        members.chain(union.values_without_member())
    });
    let values: BTreeSet<&str> = values.collect();
    values.into_iter().map(Value::from).collect()
}

/// Prints the kinds that only the table or only the server has. Returns true if both have the same
/// kinds.
pub(crate) fn compare_kinds(types: &Types) -> bool {
    let served = types.kinds.iter();
    let served: BTreeSet<(String, &str)> = served
        .map(|kind| (kind.api_version.clone(), kind.name.as_str()))
        .collect();
    let in_table = kinds().filter(|kind| kind.exists_in(MINOR));
    let in_table: BTreeSet<(String, &str)> = in_table
        .map(|kind| (kind.api_version(), kind.name()))
        .collect();
    let only_in_table = in_table.difference(&served);
    let only_in_table: Vec<_> = only_in_table.collect();
    for (api_version, kind) in &only_in_table {
        println!("DIFFERS   {api_version} {kind} is in the table, and not served");
    }
    let with_unions: BTreeSet<&str> = unions()
        .filter(|union| union.members().any(is_present))
        .map(BuiltinUnion::type_name)
        .collect();
    let leads_to_union = |definition: &str| {
        let mut reached = reachable(types, definition).into_iter();
        reached.any(|name| with_unions.contains(name.as_str()))
    };
    let served = types.kinds.iter();
    let only_served = served.filter(|kind| {
        let key = (kind.api_version.clone(), kind.name.as_str());
        !in_table.contains(&key) && leads_to_union(&kind.definition)
    });
    let only_served: Vec<_> = only_served.collect();
    for kind in &only_served {
        println!(
            "DIFFERS   {} {} is served and has a union, and is not in the table",
            kind.api_version, kind.name
        );
    }
    println!("{} kinds of the table are served", in_table.len());
    only_in_table.is_empty() && only_served.is_empty()
}

/// Prints the differences and the counts. Returns true if each difference has a name.
pub(crate) fn compare(answers: &[TypeAnswers]) -> bool {
    let mut found: BTreeSet<(&str, [String; 2])> = BTreeSet::new();
    // The numbers of confirmed and of named questions, by topic.
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let (mut named, mut unnamed, mut older) = (0, 0, 0);
    let mut report = |reason: Option<&'static str>, line: &str| {
        if let Some(reason) = reason {
            named += 1;
            println!("named     {line}: {reason}");
        } else {
            unnamed += 1;
            println!("DIFFERS   {line}");
        }
    };
    let served: BTreeSet<&str> = kinds()
        .filter(|kind| kind.exists_in(MINOR))
        .flat_map(BuiltinKind::unions)
        .map(|found| found.union.type_name())
        .collect();
    let mut row_indexes: BTreeMap<&str, usize> = BTreeMap::new();
    for union in unions() {
        let name = union.place().unwrap_or(union.type_name());
        let row_index = row_indexes.entry(name).or_default();
        let index = *row_index;
        *row_index += 1;
        if !served.contains(union.type_name()) || !union.members().any(is_present) {
            older += 1;
            continue;
        }
        let answer = answers.iter().find(|answer| answer.place.name == name);
        let Some(answer) = answer else {
            report(
                differences::of_type(name),
                &format!("{name} is not in any object"),
            );
            continue;
        };
        for question in questions(union, &answer.rows[index]) {
            if let Some(fields) = question.pair() {
                found.insert((name, fields));
            }
            let is_refused = question.is_refused(answer, &answer.rows[index]);
            let [confirmed, differs] = counts.entry(question.topic()).or_default();
            if is_refused == Some(question.is_expected_to_be_refused(union)) {
                *confirmed += 1;
            } else {
                *differs += 1;
                let verdict = verdict(is_refused);
                let fields = question.fields();
                let line = format!(
                    "{name}: {} ({}) is {verdict}",
                    question.topic(),
                    fields.join(", ")
                );
                report(
                    differences::of_question(question.topic(), name, &fields),
                    &line,
                );
            }
        }
        // With a discriminator, the server may refuse two members, or the member that is not
        // selected.
        found.extend(member_pairs(union).map(|fields| (name, fields)));
    }
    let mut related = 0;
    for answer in answers {
        let name = answer.place.name.as_str();
        for pair in answer
            .pairs
            .iter()
            .filter(|pair| !pair.new_errors.is_empty())
        {
            related += 1;
            let fields = pair_fields(answer, pair);
            if !found.contains(&(name, fields.clone())) {
                let errors: Vec<&str> = pair
                    .new_errors
                    .iter()
                    .map(|error| error.detail.as_str())
                    .collect();
                let line = format!(
                    "{name}: {} is refused: {}",
                    fields.join(" with "),
                    errors.join("; ")
                );
                report(differences::of_relation(name, &fields), &line);
            }
        }
    }
    let pairs: usize = answers.iter().map(|answer| answer.pairs.len()).sum();
    let counts_of_readme = format!("{} pairs of {} types", with_comma(pairs), answers.len());
    if !README.contains(&counts_of_readme) {
        report(None, &format!("README.md must contain: {counts_of_readme}"));
    }
    println!(
        "{} types, {pairs} pairs of fields, {related} refused only together; {older} rows are only in older versions; {named} differences with a name, {unnamed} without",
        answers.len()
    );
    for (topic, [confirmed, differs]) in counts {
        println!("rows, {topic}: {confirmed} confirmed, {differs} differ");
    }
    unnamed == 0
}

/// Returns the types that an object of a type can contain, and the type itself.
fn reachable(types: &Types, definition: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut pending = vec![definition.to_owned()];
    while let Some(definition) = pending.pop() {
        if !reached.insert(definition.clone()) {
            continue;
        }
        for field in types.fields(&definition) {
            let mut form = field.form;
            while let Form::List(element) | Form::Map(element) = form {
                form = *element;
            }
            if let Form::Object(definition) = form {
                pending.push(definition);
            }
        }
    }
    reached
}

/// Returns the answer to a question, as a line prints the answer.
fn verdict(is_refused: Option<bool>) -> &'static str {
    match is_refused {
        Some(true) => "refused",
        Some(false) => "accepted",
        None => "not asked",
    }
}

/// Returns a number below a million as the README writes it, such as `7,667`.
fn with_comma(number: usize) -> String {
    match number / 1000 {
        0 => number.to_string(),
        thousands => format!("{thousands},{:03}", number % 1000),
    }
}

/// A question about a row.
enum Question<'u> {
    Members(BuiltinMember, BuiltinMember),
    /// A member with a value of the discriminator that selects another member, or no member.
    Value(&'u str, BuiltinMember, &'u str),
    /// No member, in a union without a discriminator.
    NoMember(BuiltinUnion),
    /// The value of the discriminator that selects a member, without the member.
    NoSelected(&'u str, BuiltinMember),
    NoDiscriminator(&'u str),
    /// An empty member beside another field.
    Empty(BuiltinMember, &'u EmptyMember),
}

fn is_present(member: BuiltinMember) -> bool {
    member.since().is_none_or(|since| since <= MINOR)
        && member.until().is_none_or(|until| until >= MINOR)
}

/// Returns the pairs of members of a row.
fn member_pairs(union: BuiltinUnion) -> impl Iterator<Item = [String; 2]> {
    let names = move || union.members().map(|member| member.field().to_owned());
    names().flat_map(move |one| names().map(move |other| [one.clone(), other]))
}

/// Returns the questions about a row.
fn questions(union: BuiltinUnion, row: &RowAnswers) -> Vec<Question<'_>> {
    let members: Vec<_> = union
        .members()
        .filter(|member| is_present(*member))
        .collect();
    let mut questions = Vec::new();
    for empty in &row.empty_members {
        let members = members.iter();
        let member = members.filter(|member| member.field() == empty.field);
        questions.extend(member.map(|member| Question::Empty(*member, empty)));
    }
    let Some(discriminator) = union.discriminator() else {
        questions.push(Question::NoMember(union));
        for (i, one) in members.iter().enumerate() {
            let others = members.iter().skip(i + 1);
            questions.extend(others.map(|other| Question::Members(*one, *other)));
        }
        return questions;
    };
    questions.push(Question::NoDiscriminator(discriminator));
    let values = members.iter().filter_map(|member| member.value());
    let values: BTreeSet<&str> = values.chain(union.values_without_member()).collect();
    for member in members {
        questions.push(Question::NoSelected(discriminator, member));
        let others = values.iter().filter(|value| member.value() != Some(value));
        questions.extend(others.map(|value| Question::Value(discriminator, member, value)));
    }
    questions
}

/// Returns the index of a choice that excludes a member, if the server refuses the pair.
pub(crate) fn excluding_choice(
    union: BuiltinUnion,
    member: BuiltinMember,
    answers: &TypeAnswers,
) -> Option<usize> {
    let others = union.members().filter(|other| is_present(*other));
    let others = others.filter(|other| other.field() != member.field());
    let values = union.members().filter_map(BuiltinMember::value);
    let values = values.chain(union.values_without_member());
    let values = values.filter(|value| member.value() != Some(value));
    let questions: Vec<Question<'_>> = match union.discriminator() {
        None => others
            .map(|other| Question::Members(member, other))
            .collect(),
        Some(discriminator) => values
            .map(|value| Question::Value(discriminator, member, value))
            .collect(),
    };
    let refused = questions
        .iter()
        .filter(|question| question.is_pair_refused(answers) == Some(true));
    let choices = refused.filter_map(|question| match question {
        Question::Members(_, other) => choice(answers, other.field(), None),
        Question::Value(discriminator, _, value) => choice(answers, discriminator, Some(value)),
        _ => None,
    });
    choices.min_by_key(|index| answers.choices[*index].errors.len())
}

/// Returns the index of the choice of a field, with a value if the field has several.
fn choice(answers: &TypeAnswers, field: &str, value: Option<&str>) -> Option<usize> {
    let is_chosen =
        |choice: &Choice| choice.field == field && value.is_none_or(|value| choice.value == value);
    answers.choices.iter().position(is_chosen)
}

fn pair(answers: &TypeAnswers, one: usize, other: usize) -> Option<&Pair> {
    let mut indexes = [one, other];
    indexes.sort_unstable();
    answers.pairs.iter().find(|pair| pair.indexes == indexes)
}

impl Question<'_> {
    /// Returns the topic for the counts and for the named differences.
    const fn topic(&self) -> &'static str {
        match self {
            Self::Members(..) => "two members",
            Self::Value(..) => "member that is not selected",
            Self::NoMember(_) => "no member",
            Self::NoSelected(..) => "no selected member",
            Self::NoDiscriminator(_) => "no discriminator",
            Self::Empty(..) => "empty member",
        }
    }

    /// Returns the names of the fields that a question is about.
    fn fields(&self) -> Vec<String> {
        match self {
            Self::Members(..) | Self::Value(..) => self.pair().into_iter().flatten().collect(),
            Self::NoMember(union) => {
                let members = union.members().map(BuiltinMember::field);
                members.map(str::to_owned).collect()
            }
            Self::NoSelected(_, member) | Self::Empty(member, _) => vec![member.field().to_owned()],
            Self::NoDiscriminator(discriminator) => vec![(*discriminator).to_owned()],
        }
    }

    /// Returns the names of the two fields, in order; `None` for a question that is not about two
    /// fields.
    fn pair(&self) -> Option<[String; 2]> {
        let mut fields = match self {
            Self::Members(one, other) => [one.field().to_owned(), other.field().to_owned()],
            Self::Value(discriminator, member, value) => [
                member.field().to_owned(),
                format!("{discriminator}={value}"),
            ],
            _ => return None,
        };
        fields.sort();
        Some(fields)
    }

    /// Returns the verdict of the row.
    fn is_expected_to_be_refused(&self, union: BuiltinUnion) -> bool {
        match self {
            Self::Members(..) => union.enforces(MemberRule::AtMostOne),
            Self::Value(..) => union.enforces(MemberRule::OnlySelected),
            Self::NoMember(_) => union.enforces(MemberRule::Required),
            Self::NoSelected(_, member) => {
                union.enforces(MemberRule::Required) && !member.is_optional()
            }
            Self::NoDiscriminator(_) => union.default_value().is_none(),
            Self::Empty(member, _) => !member.is_unset_if_empty(),
        }
    }

    /// Returns true if the server refuses the object of the question; `None` if no such object was
    /// sent.
    fn is_refused(&self, answers: &TypeAnswers, row: &RowAnswers) -> Option<bool> {
        match self {
            Self::Members(..) | Self::Value(..) => self.is_pair_refused(answers),
            Self::NoMember(union) => {
                // A member that OpenAPI requires is set in the object without choices.
                let members = union.members().filter(|member| is_present(*member));
                let with_member = members.map(|member| {
                    choice(answers, member.field(), None)
                        .map_or(&answers.none, |index| &answers.choices[index].errors)
                });
                let with_member: Vec<_> = with_member.collect();
                // An error about missing members is gone with each of the members.
                let is_about_members = |error| {
                    let mut with_member = with_member.iter();
                    with_member.all(|errors| !errors.contains(error))
                };
                Some(row.without_fields.iter().any(is_about_members))
            }
            Self::NoSelected(discriminator, member) => {
                let value = choice(answers, discriminator, member.value())?;
                let both = pair(answers, value, choice(answers, member.field(), None)?)?;
                let errors = &answers.choices[value].errors;
                Some(errors.iter().any(|error| !both.errors.contains(error)))
            }
            Self::NoDiscriminator(discriminator) => {
                let values = answers.choices.iter();
                let values = values.filter(|choice| choice.field == *discriminator);
                let mut with_value: Vec<_> = values.map(|choice| &choice.errors).collect();
                if with_value.is_empty() {
                    with_value.push(&answers.none);
                }
                let is_about_discriminator = |error| {
                    let mut with_value = with_value.iter();
                    with_value.all(|errors| !errors.contains(error))
                };
                Some(row.without_fields.iter().any(is_about_discriminator))
            }
            Self::Empty(_, empty) => {
                let alone = &answers.choices[empty.other].errors;
                Some(empty.errors.iter().any(|error| !alone.contains(error)))
            }
        }
    }

    fn is_pair_refused(&self, answers: &TypeAnswers) -> Option<bool> {
        match self {
            Self::Members(one, other) => {
                let one = choice(answers, one.field(), None)?;
                let pair = pair(answers, one, choice(answers, other.field(), None)?)?;
                Some(!pair.new_errors.is_empty())
            }
            Self::Value(discriminator, member, value) => {
                let field = choice(answers, member.field(), None)?;
                let asked = pair(answers, field, choice(answers, discriminator, Some(value))?)?;
                let selected = choice(answers, discriminator, member.value());
                let selected = selected.and_then(|selected| pair(answers, field, selected));
                let allowed = selected.map(|selected| &selected.errors);
                let is_new = |error| allowed.is_none_or(|allowed| !allowed.contains(error));
                Some(asked.errors.iter().any(is_new))
            }
            _ => None,
        }
    }
}

/// Returns the names of the fields of a pair, in order. Adds the value if the field has several.
fn pair_fields(answer: &TypeAnswers, pair: &Pair) -> [String; 2] {
    let name = |index: usize| {
        let choice = &answer.choices[index];
        let values = answer
            .choices
            .iter()
            .filter(|other| other.field == choice.field);
        match choice.value.as_str().filter(|_| values.count() > 1) {
            Some(value) => format!("{}={value}", choice.field),
            None => choice.field.clone(),
        }
    };
    let mut fields = pair.indexes.map(name);
    fields.sort();
    fields
}
