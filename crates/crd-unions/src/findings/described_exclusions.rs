//! Exclusions that descriptions state and no rule enforces.

use serde_json::Value;
use union_runtime::UnionModel;
use union_runtime::path::FieldPath;

use crate::findings::remedy;
use crate::findings::sample;
use crate::findings::wording::statements::{
    DescribedExclusion, DescribedPlace, described_exclusions,
};
use crate::report::finding::{Confidence, Finding, FindingCode};
use crate::solver::component::{Assumption, RuleComponent};
use crate::solver::model::Model;
use crate::solver::solver::Satisfiability;
use crate::terms::fields::is_required;

/// Returns findings for fields that exclude each other by a description, if the rules certainly
/// allow to set two of these fields together. `outer_rules` returns the rules of objects above that
/// contain a name, one bit for each object: a rule that contains two names may relate them.
pub(crate) fn described_not_enforced(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    place: DescribedPlace<'_>,
    outer_rules: &dyn Fn(&str) -> u64,
) -> Vec<Finding> {
    let schema = model.fields.root;
    // A bound on the number of keys applies to all objects, also to those with unknown keys.
    if schema.get("maxProperties").and_then(Value::as_u64) == Some(1) {
        return Vec::new();
    }
    let is_optional = |name: &str| {
        let property = schema
            .get("properties")
            .and_then(|properties| properties.get(name));
        let has_default = property.is_some_and(|property| property.get("default").is_some());
        !is_required(schema, name) && !has_default
    };
    let mut findings = Vec::new();
    for exclusion in described_exclusions(schema, place, &is_optional) {
        let pair = free_pair(model, components, &exclusion, outer_rules);
        if let Some(pair) = pair {
            findings.push(finding(model, components, &exclusion, pair));
        }
    }
    findings
}

/// Returns the first two fields of the exclusion that the rules allow together.
fn free_pair<'s>(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    exclusion: &DescribedExclusion<'s>,
    outer_rules: &dyn Fn(&str) -> u64,
) -> Option<[&'s str; 2]> {
    let fields = exclusion.fields.iter();
    let fields: Vec<(&'s str, u64)> = fields.map(|name| (*name, outer_rules(name))).collect();
    for (position, (first, first_rules)) in fields.iter().enumerate() {
        for (second, second_rules) in fields.iter().skip(position + 1) {
            let is_stated = exclusion
                .center
                .is_none_or(|center| center == *first || center == *second);
            if is_stated
                && first_rules & second_rules == 0
                && may_be_set_together(model, components, first, second)
            {
                return Some([first, second]);
            }
        }
    }
    None
}

/// Returns true if the rules certainly allow both fields together.
fn may_be_set_together(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    first: &str,
    second: &str,
) -> bool {
    let (Some(first), Some(second)) = (
        model.fields.own_field(first),
        model.fields.own_field(second),
    ) else {
        // No rule names one of the fields.
        return true;
    };
    if model.may_relate_unknowingly(first, second) {
        return false;
    }
    let assumptions = [(first, Assumption::Set), (second, Assumption::Set)];
    components.iter_mut().all(|component| {
        let is_concerned = component.fields.contains(&first) || component.fields.contains(&second);
        !is_concerned || component.decide(&assumptions) == Satisfiability::Sat
    })
}

fn finding(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    exclusion: &DescribedExclusion<'_>,
    pair: [&str; 2],
) -> Finding {
    let names = &exclusion.fields;
    let derive = if exclusion.is_exactly {
        format!(
            "#[union(member, group = choice)] on {}; #[union(exactly_one(choice))] on the struct",
            remedy::quoted_names(names)
        )
    } else {
        format!(
            "#[union(member, group = choice)] on {}",
            remedy::quoted_names(names)
        )
    };
    let derive = match exclusion.center {
        Some(center) => format!(
            "{derive}, which also excludes the fields other than `{center}` from each other"
        ),
        None => derive,
    };
    Finding {
        fields: names.iter().map(|name| FieldPath::from([*name])).collect(),
        words: Some(exclusion.words.clone()),
        allowed: Some(if exclusion.is_exactly {
            UnionModel::ExactlyOne
        } else {
            UnionModel::AtMostOne
        }),
        object: sample::object_with_fields(model, components, &pair),
        accepted: true,
        remedy: remedy::exclusion_rule(names, exclusion.center, exclusion.is_exactly),
        derive: Some(derive),
        ..Finding::new(FindingCode::DescribedNotEnforced, Confidence::Weak)
    }
}
