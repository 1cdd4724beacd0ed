//! The listing for users.

use std::fmt::Write as _;

use crd_unions::{AlternativeFieldSets, Discriminator, Member, ObjectAnalysis, Union, UnionModel};

use super::args::ListingArgs;
use super::declared::DeclaredUnion;
use super::finding::ListedFinding;
use super::list_rules;
use super::model::{ListedKind, ListedObject, ListedVersion, Listing};
use crate::judge::inferred_unions::display_path;
use crate::output::print::{self, BAD, CHANGED, GOOD, PLAIN, TOLERATED, TextBuffer};
use crate::output::table::pluralize;

pub(super) fn render(listing: &Listing, args: &ListingArgs) -> TextBuffer {
    let mut printed = ListingPrinter {
        text: TextBuffer::default(),
        args,
    };
    for kind in &listing.kinds {
        printed.kind(kind);
    }
    let (strong, weak): (Vec<_>, Vec<_>) =
        listing.findings().partition(|remark| remark.is_strong());
    if !weak.is_empty() && !args.all {
        let line = format!(
            "{} not shown; use --all",
            pluralize(weak.len(), "weak finding")
        );
        printed.text.add_line(&line, PLAIN);
    }
    match strong.len() {
        0 => printed.text.add_line("no strong finding", GOOD),
        number => printed
            .text
            .add_line(&pluralize(number, "strong finding"), BAD),
    }
    printed.text
}

struct ListingPrinter<'a> {
    text: TextBuffer,
    args: &'a ListingArgs,
}

fn quoted(names: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let names = names.into_iter();
    let names = names.map(|name| format!("`{}`", name.as_ref()));
    names.collect::<Vec<_>>().join(", ")
}

impl ListingPrinter<'_> {
    fn kind(&mut self, kind: &ListedKind) {
        for version in &kind.versions {
            let names = version.names.join(", ");
            self.text
                .add_heading(format!("{} {names}", kind.name).trim_end());
            let before = self.text.line_count();
            for place in &version.objects {
                self.place(place);
            }
            if self.args.all {
                list_rules::add_list_rules(&version.lists, &mut self.text);
            }
            if self.text.line_count() == before {
                self.text.add_indented_line(1, "no unions", PLAIN);
            }
            self.add_differing_paths(kind, version);
        }
    }

    fn add_differing_paths(&mut self, kind: &ListedKind, version: &ListedVersion) {
        let first = kind.versions.first().map(|first| first.names.join(", "));
        if let (Some(first), false) = (first, version.differing_paths.is_empty()) {
            let paths: Vec<&str> = version
                .differing_paths
                .iter()
                .map(|path| display_path(path))
                .collect();
            let line = format!("differs from {first}: {}", paths.join(", "));
            self.text.add_indented_line(1, &line, CHANGED);
        }
    }

    fn place(&mut self, place: &ListedObject) {
        for declared in &place.declared {
            self.declared(place, declared);
        }
        let mut is_listed = !place.declared.is_empty();
        for union in &place.reading.unions {
            let goes_before = place
                .declared
                .iter()
                .any(|declared| declared.shares_field_with(union));
            if goes_before || union.weak && !self.args.all {
                continue;
            }
            self.union(place, union);
            is_listed = true;
        }
        if self.args.by_convention {
            is_listed |= self.add_conventions(place);
        }
        let remarks = place.findings.iter();
        let remarks: Vec<&ListedFinding> = remarks
            .filter(|remark| remark.is_strong() || self.args.all)
            .collect();
        let has_reasons = self.args.all && !place.reading.no_union_reasons.is_empty();
        if !is_listed && (has_reasons || !remarks.is_empty()) {
            self.text.add_indented_line(
                1,
                &format!("{}: no union", display_path(&place.path)),
                PLAIN,
            );
        }
        if has_reasons {
            let reasons = place
                .reading
                .no_union_reasons
                .iter()
                .map(|reason| reason.as_str());
            let reasons: Vec<&str> = reasons.collect();
            self.text.add_indented_line(
                2,
                &format!("not part of a union: {}", reasons.join(", ")),
                PLAIN,
            );
            self.beside(place);
        }
        for remark in remarks {
            self.remark(remark);
        }
    }

    /// Prints rules of a place that are not unions, if they need more than a name.
    fn beside(&mut self, place: &ListedObject) {
        for [one, other] in &place.reading.exclusions {
            let line = format!("`{one}` and `{other}` exclude each other");
            self.text.add_indented_line(2, &line, PLAIN);
        }
        for bundle in &place.reading.alternative_field_sets {
            self.text.add_indented_line(2, &bundle_line(bundle), PLAIN);
        }
        if self.args.by_convention {
            return;
        }
        for convention in &place.reading.naming_hints {
            let members = quoted(convention.members.iter().map(|member| &member.name));
            let line = format!(
                "values of `{}` have the names of {members}, but no rule relates them; --by-convention lists this union",
                convention.discriminator
            );
            self.text.add_indented_line(2, &line, PLAIN);
        }
    }

    /// Prints a union that takes precedence over the rules.
    fn declared(&mut self, place: &ListedObject, declared: &DeclaredUnion) {
        let agrees = place
            .reading
            .unions
            .iter()
            .any(|union| declared.is_same_union(union));
        let rules = if agrees {
            "the rules agree"
        } else {
            "the rules disagree"
        };
        let line = format!(
            "{}: {}, declared; {rules}",
            display_path(&place.path),
            declared.name()
        );
        self.text.add_indented_line(1, &line, PLAIN);
        if declared.discriminator.is_some() {
            let rows = declared.members.iter();
            let rows: Vec<ListingRow<'_>> = rows
                .map(|(value, field, optional)| ListingRow {
                    value,
                    field,
                    optional: *optional,
                })
                .collect();
            self.rows(&rows);
            self.add_empty_members(&declared.empty_members);
        }
    }

    fn union(&mut self, place: &ListedObject, union: &Union) {
        let mut line = format!(
            "{}: {}",
            display_path(&place.path),
            union_description(union)
        );
        line += if union.exact { "; exact" } else { "; sound" };
        line += &from(union, &place.reading);
        if union.weak {
            line += "; weak";
        }
        if !union.is_sound() {
            let empty = &place.reading.empty_counts_as_unset;
            let _ = write!(
                line,
                "; not used: the rules treat an empty value as unset: {}",
                quoted(empty)
            );
        }
        self.text.add_indented_line(1, &line, PLAIN);
        if union.discriminator.is_some() {
            let rows: Vec<ListingRow<'_>> = union.members.iter().map(ListingRow::of).collect();
            self.rows(&rows);
        }
        if let Some(discriminator) = &union.discriminator {
            self.add_empty_members(&discriminator.empty_members);
        }
        for field in &union.conditional_fields {
            let mut line = format!(
                "`{}` is not a member: it is allowed at {}",
                field.name,
                field.values.join(", ")
            );
            if !field.required_at.is_empty() {
                let _ = write!(line, "; required at {}", field.required_at.join(", "));
            }
            self.text.add_indented_line(2, &line, PLAIN);
        }
    }

    fn rows(&mut self, rows: &[ListingRow<'_>]) {
        let width = rows.iter().map(|row| row.value.chars().count()).max();
        let width = width.unwrap_or_default();
        for row in rows {
            let optional = if row.optional { " (optional)" } else { "" };
            let line = format!("{:width$}  {}{optional}", row.value, row.field);
            self.text.add_indented_line(2, &line, PLAIN);
        }
    }

    fn add_empty_members(&mut self, values: &[String]) {
        if !values.is_empty() {
            let values = values.iter().map(|value| print::display_value(value));
            let values: Vec<&str> = values.collect();
            let line = format!("{}  no field", values.join(", "));
            self.text.add_indented_line(2, &line, PLAIN);
        }
    }

    /// Prints the unions by convention; returns true if there are any.
    fn add_conventions(&mut self, place: &ListedObject) -> bool {
        for convention in &place.reading.naming_hints {
            let line = format!(
                "{}: by `{}`, by convention: no rule checks this union",
                display_path(&place.path),
                convention.discriminator
            );
            self.text.add_indented_line(1, &line, TOLERATED);
            let members = convention.members.iter();
            let rows: Vec<ListingRow<'_>> = members.map(ListingRow::from_required_member).collect();
            self.rows(&rows);
            self.add_empty_members(&convention.other_values);
        }
        !place.reading.naming_hints.is_empty()
    }

    fn remark(&mut self, remark: &ListedFinding) {
        let (label, style) = match (remark.is_strong(), remark.is_hole) {
            (true, true) => ("missing rule", BAD),
            (true, false) => ("mistake", BAD),
            (false, _) => ("hint", CHANGED),
        };
        let mut line = format!("{label}: {} ({})", remark.message, remark.code);
        if let Some(shown) = remark.example_line() {
            let _ = write!(line, ": {shown}");
        }
        if !remark.remedy.is_empty() {
            line += "; remedy:";
        }
        self.text.add_indented_line(1, &line, style);
        for line in remark.remedy.lines() {
            self.text.add_indented_line(2, line, PLAIN);
        }
    }
}

/// A member and its value.
struct ListingRow<'a> {
    value: &'a str,
    field: &'a str,
    optional: bool,
}

impl<'a> ListingRow<'a> {
    fn of(member: &'a Member) -> Self {
        Self {
            optional: member.optional,
            ..Self::from_required_member(member)
        }
    }

    /// Returns the row of a member, which is not marked as optional.
    fn from_required_member(member: &'a Member) -> Self {
        Self {
            value: &member.value,
            field: &member.name,
            optional: false,
        }
    }
}

/// Returns the line of alternatives of several fields, with the union that approximates them.
fn bundle_line(bundle: &AlternativeFieldSets) -> String {
    let alternatives = bundle.alternatives.iter().map(|fields| {
        let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
        fields.join(" with ")
    });
    let alternatives: Vec<String> = alternatives.collect();
    let arity = if bundle.required {
        "exactly one"
    } else {
        "at most one"
    };
    let mut line = format!(
        "{arity} of {}: a union member cannot have several fields",
        alternatives.join(" | ")
    );
    let singles = bundle.single_fields();
    if singles.len() > 1 {
        let _ = write!(
            line,
            "; sound without these: at most one of {}",
            quoted(singles)
        );
    }
    line
}

fn union_description(union: &Union) -> String {
    let members = || quoted(union.members.iter().map(|member| &member.name));
    match (&union.discriminator, union.arity) {
        (Some(discriminator), UnionModel::Discriminated) => {
            format!("by `{}` ({})", discriminator.name, presence(discriminator))
        }
        (Some(discriminator), _) => format!("by `{}` (follows the members)", discriminator.name),
        (None, _) => format!("{} of {}", union.arity_name(), members()),
    }
}

fn presence(discriminator: &Discriminator) -> String {
    let presence = match (&discriminator.default, discriminator.required) {
        (Some(default), _) => format!("by default {default:?}"),
        (None, true) => "required".to_owned(),
        (None, false) => "optional".to_owned(),
    };
    if discriminator.open {
        format!("{presence}, any string")
    } else {
        presence
    }
}

/// Returns the number of rules that a union was read from, and the rules that declare more than the
/// union.
fn from(union: &Union, reading: &ObjectAnalysis) -> String {
    let all = union.replaceable_rules.len() + union.remaining_rules.len();
    if all == 0 {
        return String::new();
    }
    let mut text = format!(", from {}", pluralize(all, "rule"));
    if !union.remaining_rules.is_empty() {
        let left_over = union.remaining_rules.iter();
        let left_over = left_over.filter_map(|rule| reading.rules.get(*rule));
        let left_over: Vec<String> = left_over.map(|rule| format!("`{}`", rule.source)).collect();
        let _ = write!(text, "; these rules check more: {}", left_over.join(", "));
    }
    text
}
