//! The listing for users.

use std::fmt::Write as _;

use crd_unions::{Arity, Bundle, Discriminator, Member, Reading, Union};

use super::args::ListingArgs;
use super::declared::Declared;
use super::lists;
use super::model::{Kind, Listing, Place, Version};
use super::remark::Remark;
use crate::judge::foreign::called;
use crate::output::output::{self, BAD, CHANGED, GOOD, PLAIN, TOLERATED, Text};
use crate::output::table::count;

pub(super) fn print(listing: &Listing, args: &ListingArgs) -> Text {
    let mut printed = Printed {
        text: Text::default(),
        args,
    };
    for kind in &listing.kinds {
        printed.kind(kind);
    }
    let (strong, weak): (Vec<_>, Vec<_>) = listing.remarks().partition(|remark| remark.is_strong());
    if !weak.is_empty() && !args.all {
        let line = format!("{} not shown; use --all", count(weak.len(), "weak finding"));
        printed.text.line(&line, PLAIN);
    }
    match strong.len() {
        0 => printed.text.line("no strong finding", GOOD),
        number => printed.text.line(&count(number, "strong finding"), BAD),
    }
    printed.text
}

struct Printed<'a> {
    text: Text,
    args: &'a ListingArgs,
}

fn quoted(names: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let names = names.into_iter();
    let names = names.map(|name| format!("`{}`", name.as_ref()));
    names.collect::<Vec<_>>().join(", ")
}

impl Printed<'_> {
    fn kind(&mut self, kind: &Kind) {
        for version in &kind.versions {
            let names = version.names.join(", ");
            self.text
                .heading(format!("{} {names}", kind.name).trim_end());
            let before = self.text.lines();
            for place in &version.places {
                self.place(place);
            }
            if self.args.all {
                lists::add(&version.lists, &mut self.text);
            }
            if self.text.lines() == before {
                self.text.indented(1, "no unions", PLAIN);
            }
            self.differs(kind, version);
        }
    }

    fn differs(&mut self, kind: &Kind, version: &Version) {
        let first = kind.versions.first().map(|first| first.names.join(", "));
        if let (Some(first), false) = (first, version.differs.is_empty()) {
            let paths: Vec<&str> = version.differs.iter().map(|path| called(path)).collect();
            let line = format!("differs from {first}: {}", paths.join(", "));
            self.text.indented(1, &line, CHANGED);
        }
    }

    fn place(&mut self, place: &Place) {
        for declared in &place.declared {
            self.declared(place, declared);
        }
        let mut is_listed = !place.declared.is_empty();
        for union in &place.reading.unions {
            let goes_before = place
                .declared
                .iter()
                .any(|declared| declared.shares_a_field(union));
            if goes_before || union.weak && !self.args.all {
                continue;
            }
            self.union(place, union);
            is_listed = true;
        }
        if self.args.by_convention {
            is_listed |= self.conventions(place);
        }
        let remarks = place.remarks.iter();
        let remarks: Vec<&Remark> = remarks
            .filter(|remark| remark.is_strong() || self.args.all)
            .collect();
        let has_reasons = self.args.all && !place.reading.beside.is_empty();
        if !is_listed && (has_reasons || !remarks.is_empty()) {
            self.text
                .indented(1, &format!("{}: no union", called(&place.path)), PLAIN);
        }
        if has_reasons {
            let reasons = place.reading.beside.iter().map(|reason| reason.name());
            let reasons: Vec<&str> = reasons.collect();
            self.text.indented(
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
    fn beside(&mut self, place: &Place) {
        for [one, other] in &place.reading.exclusions {
            let line = format!("`{one}` and `{other}` exclude each other");
            self.text.indented(2, &line, PLAIN);
        }
        for bundle in &place.reading.bundles {
            self.text.indented(2, &of_bundle(bundle), PLAIN);
        }
        if self.args.by_convention {
            return;
        }
        for convention in &place.reading.conventions {
            let members = quoted(convention.members.iter().map(|member| &member.name));
            let line = format!(
                "values of `{}` have the names of {members}, but no rule relates them; --by-convention lists this union",
                convention.discriminator
            );
            self.text.indented(2, &line, PLAIN);
        }
    }

    /// Prints a union that takes precedence over the rules.
    fn declared(&mut self, place: &Place, declared: &Declared) {
        let agrees = place
            .reading
            .unions
            .iter()
            .any(|union| declared.agrees(union));
        let rules = if agrees {
            "the rules agree"
        } else {
            "the rules disagree"
        };
        let line = format!(
            "{}: {}, declared; {rules}",
            called(&place.path),
            declared.name()
        );
        self.text.indented(1, &line, PLAIN);
        if declared.discriminator.is_some() {
            let rows = declared.members.iter();
            let rows: Vec<Row<'_>> = rows
                .map(|(value, field, optional)| Row {
                    value,
                    field,
                    optional: *optional,
                })
                .collect();
            self.rows(&rows);
            self.without_field(&declared.empty_members);
        }
    }

    fn union(&mut self, place: &Place, union: &Union) {
        let mut line = format!("{}: {}", called(&place.path), what(union));
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
        self.text.indented(1, &line, PLAIN);
        if union.discriminator.is_some() {
            let rows: Vec<Row<'_>> = union.members.iter().map(Row::of).collect();
            self.rows(&rows);
        }
        if let Some(discriminator) = &union.discriminator {
            self.without_field(&discriminator.empty_members);
        }
        for field in &union.left_out {
            let mut line = format!(
                "`{}` is not a member: it is allowed at {}",
                field.name,
                field.values.join(", ")
            );
            if !field.required_at.is_empty() {
                let _ = write!(line, "; required at {}", field.required_at.join(", "));
            }
            self.text.indented(2, &line, PLAIN);
        }
    }

    fn rows(&mut self, rows: &[Row<'_>]) {
        let width = rows.iter().map(|row| row.value.chars().count()).max();
        let width = width.unwrap_or_default();
        for row in rows {
            let optional = if row.optional { " (optional)" } else { "" };
            let line = format!("{:width$}  {}{optional}", row.value, row.field);
            self.text.indented(2, &line, PLAIN);
        }
    }

    fn without_field(&mut self, values: &[String]) {
        if !values.is_empty() {
            let values = values.iter().map(|value| output::value(value));
            let values: Vec<&str> = values.collect();
            let line = format!("{}  no field", values.join(", "));
            self.text.indented(2, &line, PLAIN);
        }
    }

    /// Prints the unions by convention; returns true if there are any.
    fn conventions(&mut self, place: &Place) -> bool {
        for convention in &place.reading.conventions {
            let line = format!(
                "{}: by `{}`, by convention: no rule checks this union",
                called(&place.path),
                convention.discriminator
            );
            self.text.indented(1, &line, TOLERATED);
            let members = convention.members.iter();
            let rows: Vec<Row<'_>> = members.map(Row::plain).collect();
            self.rows(&rows);
            self.without_field(&convention.other_values);
        }
        !place.reading.conventions.is_empty()
    }

    fn remark(&mut self, remark: &Remark) {
        let (label, style) = match (remark.is_strong(), remark.is_hole) {
            (true, true) => ("missing rule", BAD),
            (true, false) => ("mistake", BAD),
            (false, _) => ("hint", CHANGED),
        };
        let mut line = format!("{label}: {} ({})", remark.what, remark.code);
        if let Some(shown) = remark.shown() {
            let _ = write!(line, ": {shown}");
        }
        if !remark.remedy.is_empty() {
            line += "; remedy:";
        }
        self.text.indented(1, &line, style);
        for line in remark.remedy.lines() {
            self.text.indented(2, line, PLAIN);
        }
    }
}

/// A member and its value.
struct Row<'a> {
    value: &'a str,
    field: &'a str,
    optional: bool,
}

impl<'a> Row<'a> {
    fn of(member: &'a Member) -> Self {
        Self {
            optional: member.optional,
            ..Self::plain(member)
        }
    }

    /// Returns the row of a member, which is not marked as optional.
    fn plain(member: &'a Member) -> Self {
        Self {
            value: &member.value,
            field: &member.name,
            optional: false,
        }
    }
}

/// Returns the line of alternatives of several fields, with the union that approximates them.
fn of_bundle(bundle: &Bundle) -> String {
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
    let singles = bundle.singles();
    if singles.len() > 1 {
        let _ = write!(
            line,
            "; sound without these: at most one of {}",
            quoted(singles)
        );
    }
    line
}

fn what(union: &Union) -> String {
    let members = || quoted(union.members.iter().map(|member| &member.name));
    match (&union.discriminator, union.arity) {
        (Some(discriminator), Arity::Selected) => {
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
fn from(union: &Union, reading: &Reading) -> String {
    let all = union.stands_for.len() + union.left_over.len();
    if all == 0 {
        return String::new();
    }
    let mut text = format!(", from {}", count(all, "rule"));
    if !union.left_over.is_empty() {
        let left_over = union.left_over.iter();
        let left_over = left_over.filter_map(|rule| reading.rules.get(*rule));
        let left_over: Vec<String> = left_over.map(|rule| format!("`{}`", rule.text)).collect();
        let _ = write!(text, "; these rules check more: {}", left_over.join(", "));
    }
    text
}
