//! The listing as JSON with line numbers, for the page, which shows a listing beside its source.

use serde_json::Value;

use super::json;
use super::model::Listing;
use crate::error::CommandError;
use crate::input::{Documents, Position};

/// Returns the listing of the CRDs in a source. Each object and each finding has the key `line`.
pub(crate) fn listing_with_lines(
    documents: Documents,
    source: &str,
) -> Result<Value, CommandError> {
    let listing = Listing::from_source(documents, source)?;
    let mut json = json::listing_json(&listing);
    let mut finding_positions = listing.finding_positions().into_iter();
    let mut object_positions = listing.object_positions().into_iter();
    for kind in array_items_mut(&mut json, "kinds") {
        for version in array_items_mut(kind, "versions") {
            for object in array_items_mut(version, "places") {
                add_line(object, object_positions.next().flatten());
                for finding in array_items_mut(object, "findings") {
                    add_line(finding, finding_positions.next().flatten());
                }
            }
        }
    }
    Ok(json)
}

fn array_items_mut<'v>(
    value: &'v mut Value,
    key: &str,
) -> impl Iterator<Item = &'v mut Value> + use<'v> {
    let array = value.get_mut(key).and_then(Value::as_array_mut);
    array.into_iter().flatten()
}

fn add_line(value: &mut Value, position: Option<Position>) {
    if let (Some(fields), Some(position)) = (value.as_object_mut(), position) {
        fields.insert("line".to_owned(), position.line.into());
    }
}
