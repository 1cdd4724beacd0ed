//! Additional printer columns.

use serde_json::Value;

use super::paths;
use crate::metadata::meta::Fields;
use crate::schema::place::Place;
use union_runtime::Violation;

const TYPES: &str = "must be one of boolean,date,integer,number,string";
const FORMATS: [&str; 8] = [
    "byte",
    "date",
    "date-time",
    "double",
    "float",
    "int32",
    "int64",
    "password",
];

pub(super) fn check(columns: Option<&[Value]>, at: &Place<'_>, errors: &mut Vec<Violation>) {
    for (i, column) in columns.into_iter().flatten().enumerate() {
        let at = at.index("additionalPrinterColumns", i);
        let of = Fields::of(Some(column));
        if of.text("name").is_empty() {
            errors.push(at.field("name").required(""));
        }
        let kind = of.text("type");
        if !["boolean", "date", "integer", "number", "string"].contains(&kind) {
            errors.push(at.field("type").wrong(kind, TYPES));
        }
        let format = of.text("format");
        if !format.is_empty() && !FORMATS.contains(&format) {
            let detail = format!("must be one of {}", FORMATS.join(","));
            errors.push(at.field("format").wrong(format, &detail));
        }
        paths::check_simple(of.text("jsonPath"), &at.field("JSONPath"), errors);
    }
}
