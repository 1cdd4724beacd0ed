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
    let (strong, weak): (Vec<_>, Vec<_>) =
        listing.findings().partition(|finding| finding.is_strong());
    if !weak.is_empty() && !args.all {
        let line = format!(
            "{} not shown; use --all",
            pluralize(weak.len(), "weak finding")
        );
        printer.text.add_line(&line, PLAIN);
    }
    match strong.len() {
        0 => printer.text.add_line("no strong finding", GOOD),
        count => printer
            .text
            .add_line(&pluralize(count, "strong finding"), BAD),
    }
    printer.text
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
    fn add_kind(&mut self, kind: &ListedKind) {
        for version in &kind.versions {
            let names = version.names.join(", ");
            self.text
                .add_heading(format!("{} {names}", kind.name).trim_end());
            let before = self.text.line_count();
            for object in &version.objects {
                self.add_object(object);
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

    fn add_object(&mut self, object: &ListedObject) {
        for declared in &object.declared {
            self.add_declared_union(object, declared);
        }
        let mut is_listed = !object.declared.is_empty();
        for union in &object.reading.unions {
            let is_declared = object
                .declared
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
        let has_reasons = self.args.all && !object.reading.no_union_reasons.is_empty();
        if !is_listed && (has_reasons || !findings.is_empty()) {
            self.text.add_indented_line(
                1,
                &format!("{}: no union", display_path(&object.path)),
                PLAIN,
            );
        }
        if has_reasons {
            let reasons = object
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
            self.add_rules_without_union(object);
        }
        for finding in findings {
            self.add_finding(finding);
        }
    }

    /// Prints the rules that are not part of a union, as far as the reasons do not describe them.
    fn add_rules_without_union(&mut self, object: &ListedObject) {
        for [one, other] in &object.reading.exclusions {
            let line = format!("`{one}` and `{other}` exclude each other");
            self.text.add_indented_line(2, &line, PLAIN);
        }
        for bundle in &object.reading.alternative_field_sets {
            self.text.add_indented_line(2, &bundle_line(bundle), PLAIN);
        }
        if self.args.by_convention {
            return;
        }
        for convention in &object.reading.naming_hints {
            let members = quoted(convention.members.iter().map(|member| &member.name));
            let line = format!(
                "values of `{}` have the names of {members}, but no rule relates them; --by-convention lists this union",
                convention.discriminator
            );
            self.text.add_indented_line(2, &line, PLAIN);
        }
    }

    /// Prints a declared union.
    fn add_declared_union(&mut self, object: &ListedObject, declared: &DeclaredUnion) {
        let agrees = object
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
            display_path(&object.path),
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
        line += &source_rules(union, &object.reading);
        if union.weak {
            line += "; weak";
        }
        if !union.is_sound() {
            let empty = &object.reading.empty_counts_as_unset;
            let _ = write!(
                line,
                "; not used: the rules treat an empty value as unset: {}",
                quoted(empty)
            );
        }
        self.text.add_indented_line(1, &line, PLAIN);
        if union.discriminator.is_some() {
            let rows: Vec<ListingRow<'_>> = union.members.iter().map(ListingRow::of).collect();
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

    /// Prints unions by naming convention. Returns true if there are any.
    fn add_conventions(&mut self, object: &ListedObject) -> bool {
        for convention in &object.reading.naming_hints {
            let line = format!(
                "{}: by `{}`, by convention: no rule checks this union",
                display_path(&object.path),
                convention.discriminator
            );
            self.text.add_indented_line(1, &line, TOLERATED);
            let members = convention.members.iter();
            let rows: Vec<ListingRow<'_>> = members.map(ListingRow::from_required_member).collect();
            self.add_rows(&rows);
            self.add_empty_members(&convention.other_values);
        }
        !object.reading.naming_hints.is_empty()
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
    }
}

/// A printed member: its value and its field.
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

    /// Returns a row without the mark for optional members.
    fn from_required_member(member: &'a Member) -> Self {
        Self {
            value: &member.value,
            field: &member.name,
            optional: false,
        }
    }
}

/// Returns the line for alternative sets of fields, with a sound union of the sets that have a
/// single field.
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

/// Returns the number of rules that declare the union, and the rules that also check something
/// else.
fn source_rules(union: &Union, reading: &ObjectAnalysis) -> String {
    let all = union.replaceable_rules.len() + union.remaining_rules.len();
    if all == 0 {
        return String::new();
    }
    let mut text = format!(", from {}", pluralize(all, "rule"));
    if !union.remaining_rules.is_empty() {
        let remaining = union.remaining_rules.iter();
        let remaining = remaining.filter_map(|rule| reading.rules.get(*rule));
        let remaining: Vec<String> = remaining.map(|rule| format!("`{}`", rule.source)).collect();
        let _ = write!(text, "; these rules check more: {}", remaining.join(", "));
    }
    text
}
