//! The listing as text for users.

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
    let mut printer = ListingPrinter {
        text: TextBuffer::default(),
        args,
    };
    for kind in &listing.kinds {
        printer.add_kind(kind);
    }
    let (strong_findings, weak_findings): (Vec<_>, Vec<_>) =
        listing.findings().partition(|finding| finding.is_strong());
    if !weak_findings.is_empty() && !args.all {
        let line = format!(
            "{} not shown; use --all",
            pluralize(weak_findings.len(), "weak finding")
        );
        printer.text.add_line(&line, PLAIN);
    }
    match strong_findings.len() {
        0 => printer.text.add_line("no strong finding", GOOD),
        strong_count => printer
            .text
            .add_line(&pluralize(strong_count, "strong finding"), BAD),
    }
    printer.text
}

/// Returns the listings of several files, each below the name of its file.
pub(super) fn render_files(listings: &[Listing], args: &ListingArgs) -> TextBuffer {
    let mut text = TextBuffer::default();
    for listing in listings {
        text.add_heading(&format!("{}:", listing.file));
        text.append(&render(listing, args));
    }
    if listings.is_empty() {
        text.add_line("0 CRDs", PLAIN);
    }
    text
}

struct ListingPrinter<'a> {
    text: TextBuffer,
    args: &'a ListingArgs,
}

fn quoted_names(names: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let names = names.into_iter();
    let names = names.map(|name| format!("`{}`", name.as_ref()));
    names.collect::<Vec<_>>().join(", ")
}

impl ListingPrinter<'_> {
    fn add_kind(&mut self, kind: &ListedKind) {
        for version in &kind.versions {
            let names = version.names.join(", ");
            self.text
                .add_heading(format!("{} {names}", kind.name).trim_end());
            let previous_line_count = self.text.line_count();
            for object in &version.objects {
                self.add_object(object);
            }
            if self.args.all {
                list_rules::add_list_rules(&version.lists, &mut self.text);
            }
            if self.text.line_count() == previous_line_count {
                self.text.add_indented_line(1, "no unions", PLAIN);
            }
            self.add_differing_paths(kind, version);
        }
    }

    fn add_differing_paths(&mut self, kind: &ListedKind, version: &ListedVersion) {
        let first_names = kind
            .versions
            .first()
            .map(|version| version.names.join(", "));
        if let (Some(first_names), false) = (first_names, version.differing_paths.is_empty()) {
            let paths: Vec<&str> = version
                .differing_paths
                .iter()
                .map(|path| display_path(path))
                .collect();
            let line = format!("differs from {first_names}: {}", paths.join(", "));
            self.text.add_indented_line(1, &line, CHANGED);
        }
    }

    fn add_object(&mut self, object: &ListedObject) {
        for declared in &object.declared_unions {
            self.add_declared_union(object, declared);
        }
        let mut is_listed = !object.declared_unions.is_empty();
        for union in &object.analysis.unions {
            let is_declared = object
                .declared_unions
                .iter()
                .any(|declared| declared.shares_field_with(union));
            if is_declared || union.weak && !self.args.all {
                continue;
            }
            self.add_union(object, union);
            is_listed = true;
        }
        if self.args.by_convention {
            is_listed |= self.add_conventions(object);
        }
        let findings = object.findings.iter();
        let findings: Vec<&ListedFinding> = findings
            .filter(|finding| finding.is_strong() || self.args.all)
            .collect();
        let has_reasons = self.args.all && !object.analysis.no_union_reasons.is_empty();
        if !is_listed && (has_reasons || !findings.is_empty()) {
            self.text.add_indented_line(
                1,
                &format!("{}: no union", display_path(&object.path)),
                PLAIN,
            );
        }
        if has_reasons {
            let reasons = object
                .analysis
                .no_union_reasons
                .iter()
                .map(|reason| reason.as_str());
            let reasons: Vec<&str> = reasons.collect();
            self.text.add_indented_line(
                2,
                &format!("not part of a union: {}", reasons.join(", ")),
                PLAIN,
            );
            self.add_rules_without_union(object);
        }
        for finding in findings {
            self.add_finding(finding);
        }
    }

    /// Adds the exclusions, alternative field sets and naming hints of an object.
    fn add_rules_without_union(&mut self, object: &ListedObject) {
        for [first_field, second_field] in &object.analysis.exclusions {
            let line = format!("`{first_field}` and `{second_field}` exclude each other");
            self.text.add_indented_line(2, &line, PLAIN);
        }
        for field_sets in &object.analysis.alternative_field_sets {
            self.text
                .add_indented_line(2, &field_sets_line(field_sets), PLAIN);
        }
        if self.args.by_convention {
            return;
        }
        for hint in &object.analysis.naming_hints {
            let members = quoted_names(hint.members.iter().map(|member| &member.name));
            let line = format!(
                "values of `{}` have the names of {members}, but no rule relates them; --by-convention lists this union",
                hint.discriminator
            );
            self.text.add_indented_line(2, &line, PLAIN);
        }
    }

    fn add_declared_union(&mut self, object: &ListedObject, declared: &DeclaredUnion) {
        let rules_agree = object
            .analysis
            .unions
            .iter()
            .any(|union| declared.is_same_union(union));
        let agreement = if rules_agree {
            "the rules agree"
        } else {
            "the rules disagree"
        };
        let line = format!(
            "{}: {}, declared; {agreement}",
            display_path(&object.path),
            declared.description()
        );
        self.text.add_indented_line(1, &line, PLAIN);
        if declared.discriminator.is_some() {
            let rows = declared.members.iter();
            let rows: Vec<ListingRow<'_>> = rows
                .map(|member| ListingRow {
                    value: &member.value,
                    field: &member.field,
                    optional: member.optional,
                })
                .collect();
            self.add_rows(&rows);
            self.add_empty_members(&declared.empty_members);
        }
    }

    fn add_union(&mut self, object: &ListedObject, union: &Union) {
        let mut line = format!(
            "{}: {}",
            display_path(&object.path),
            union_description(union)
        );
        line += if union.exact { "; exact" } else { "; sound" };
        line += &rules_suffix(union, &object.analysis);
        if union.weak {
            line += "; weak";
        }
        if !union.is_sound() {
            let empty_fields = &object.analysis.empty_counts_as_unset;
            let _ = write!(
                line,
                "; not used: the rules treat an empty value as unset: {}",
                quoted_names(empty_fields)
            );
        }
        self.text.add_indented_line(1, &line, PLAIN);
        if union.discriminator.is_some() {
            let rows: Vec<ListingRow<'_>> =
                union.members.iter().map(ListingRow::from_member).collect();
            self.add_rows(&rows);
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

    fn add_rows(&mut self, rows: &[ListingRow<'_>]) {
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

    /// Adds the unions by naming convention. Returns true if there is one.
    fn add_conventions(&mut self, object: &ListedObject) -> bool {
        for hint in &object.analysis.naming_hints {
            let line = format!(
                "{}: by `{}`, by convention: no rule checks this union",
                display_path(&object.path),
                hint.discriminator
            );
            self.text.add_indented_line(1, &line, TOLERATED);
            let members = hint.members.iter();
            let rows: Vec<ListingRow<'_>> = members.map(ListingRow::from_required_member).collect();
            self.add_rows(&rows);
            self.add_empty_members(&hint.other_values);
        }
        !object.analysis.naming_hints.is_empty()
    }

    fn add_finding(&mut self, finding: &ListedFinding) {
        let (label, style) = match (finding.is_strong(), finding.is_hole) {
            (true, true) => ("missing rule", BAD),
            (true, false) => ("mistake", BAD),
            (false, _) => ("hint", CHANGED),
        };
        let mut line = format!("{label}: {} ({})", finding.message, finding.code);
        if let Some(example) = finding.example_line() {
            let _ = write!(line, ": {example}");
        }
        if !finding.remedy.is_empty() {
            line += "; remedy:";
        }
        self.text.add_indented_line(1, &line, style);
        for line in finding.remedy.lines() {
            self.text.add_indented_line(2, line, PLAIN);
        }
        if let Some(derive) = &finding.derive {
            let line = format!("or, in Rust: {derive}");
            self.text.add_indented_line(2, &line, PLAIN);
        }
    }
}

/// The line of a member: its value and its field.
struct ListingRow<'a> {
    value: &'a str,
    field: &'a str,
    optional: bool,
}

impl<'a> ListingRow<'a> {
    fn from_member(member: &'a Member) -> Self {
        Self {
            optional: member.optional,
            ..Self::from_required_member(member)
        }
    }

    /// Returns a row without the mark for optional members.
    fn from_required_member(member: &'a Member) -> Self {
        Self {
            value: &member.value,
            field: &member.name,
            optional: false,
        }
    }
}

/// Returns the line for alternative sets of fields. If several sets have a single field, the line
/// ends with the union of these fields: a sound union, which accepts all objects that the rules
/// accept.
fn field_sets_line(field_sets: &AlternativeFieldSets) -> String {
    let alternatives = field_sets.alternatives.iter().map(|fields| {
        let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
        fields.join(" with ")
    });
    let alternatives: Vec<String> = alternatives.collect();
    let quantity = if field_sets.required {
        "exactly one"
    } else {
        "at most one"
    };
    let mut line = format!(
        "{quantity} of {}: a union member cannot have several fields",
        alternatives.join(" | ")
    );
    let single_fields = field_sets.single_fields();
    if single_fields.len() > 1 {
        let _ = write!(
            line,
            "; sound without these: at most one of {}",
            quoted_names(single_fields)
        );
    }
    line
}

fn union_description(union: &Union) -> String {
    let members = || quoted_names(union.members.iter().map(|member| &member.name));
    match (&union.discriminator, union.arity) {
        (Some(discriminator), UnionModel::Discriminated) => {
            format!(
                "by `{}` ({})",
                discriminator.name,
                discriminator_description(discriminator)
            )
        }
        (Some(discriminator), _) => format!("by `{}` (follows the members)", discriminator.name),
        (None, _) => format!("{} of {}", union.arity_name(), members()),
    }
}

fn discriminator_description(discriminator: &Discriminator) -> String {
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

/// Returns the end of the line of a union: the number of its rules, and the rules that check more
/// than the union.
fn rules_suffix(union: &Union, analysis: &ObjectAnalysis) -> String {
    let rule_count = union.replaceable_rules.len() + union.remaining_rules.len();
    if rule_count == 0 {
        return String::new();
    }
    let mut suffix = format!(", from {}", pluralize(rule_count, "rule"));
    if !union.remaining_rules.is_empty() {
        let remaining_rules = union.remaining_rules.iter();
        let remaining_rules = remaining_rules.filter_map(|index| analysis.rules.get(*index));
        let remaining_rules: Vec<String> = remaining_rules
            .map(|rule| format!("`{}`", rule.source))
            .collect();
        let _ = write!(
            suffix,
            "; these rules check more: {}",
            remaining_rules.join(", ")
        );
    }
    suffix
}
