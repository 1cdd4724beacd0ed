//! Validation of additional printer columns, which `kubectl get` prints.

use serde_json::Value;

use super::paths;
use crate::metadata::meta::ObjectFields;
use crate::schema::crd_path::CrdPath;
use union_runtime::Violation;

const TYPE_DETAIL: &str = "must be one of boolean,date,integer,number,string";
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

/// Checks printer columns. `path` is the path of the version.
pub(super) fn check(columns: Option<&[Value]>, path: &CrdPath<'_>, errors: &mut Vec<Violation>) {
    for (i, column) in columns.into_iter().flatten().enumerate() {
        let path = path.index("additionalPrinterColumns", i);
        let fields = ObjectFields::new(Some(column));
        if fields.string("name").is_empty() {
            errors.push(path.field("name").required(""));
        }
        let schema_type = fields.string("type");
        if !["boolean", "date", "integer", "number", "string"].contains(&schema_type) {
            errors.push(
                path.field("type")
                    .invalid_or_required(schema_type, TYPE_DETAIL),
            );
        }
        let format = fields.string("format");
        if !format.is_empty() && !FORMATS.contains(&format) {
            let detail = format!("must be one of {}", FORMATS.join(","));
            errors.push(path.field("format").invalid_or_required(format, &detail));
        }
        // Servers spell the field `JSONPath` in the path of the error.
        paths::check_simple_path(fields.string("jsonPath"), &path.field("JSONPath"), errors);
    }
}
