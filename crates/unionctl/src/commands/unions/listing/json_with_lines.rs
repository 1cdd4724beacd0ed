//! The listing for programs that show it beside its source: JSON with lines.

use serde_json::Value;

use super::json;
use super::model::Listing;
use crate::error::CommandError;
use crate::input::{Documents, Position};

/// Returns the listing of the CRDs of a source; each object and each finding has the `line` of its
/// position.
pub(crate) fn listing_with_lines(documents: Documents, text: &str) -> Result<Value, CommandError> {
    let listing = Listing::from_source(documents, text)?;
    let mut json = json::listing_json(&listing);
    let mut remarks = listing.finding_positions().into_iter();
    let mut places = listing.object_positions().into_iter();
    for kind in list(&mut json, "kinds") {
        for version in list(kind, "versions") {
            for place in list(version, "places") {
                add_line(place, places.next().flatten());
                for finding in list(place, "findings") {
                    add_line(finding, remarks.next().flatten());
                }
            }
        }
    }
    Ok(json)
}

fn list<'v>(value: &'v mut Value, key: &str) -> impl Iterator<Item = &'v mut Value> + use<'v> {
    let list = value.get_mut(key).and_then(Value::as_array_mut);
    list.into_iter().flatten()
}

fn add_line(value: &mut Value, at: Option<Position>) {
    if let (Some(value), Some(at)) = (value.as_object_mut(), at) {
        value.insert("line".to_owned(), at.line.into());
    }
}
