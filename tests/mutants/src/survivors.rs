//! The list of mutants that no test can notice, with reasons: `survivors/CRATE.txt`.
//!
//! Lines that start with `#` are the reason for the names of mutants below, until an empty line.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

/// Returns the reasons by the names of mutants.
pub(crate) fn read(path: &Path) -> Result<BTreeMap<String, String>, Box<dyn Error>> {
    let mut reasons = BTreeMap::new();
    let mut reason = String::new();
    let mut has_names = false;
    let text = if path.exists() {
        fs::read_to_string(path)?
    } else {
        String::new()
    };
    for line in text.lines() {
        if let Some(part) = line.strip_prefix("# ") {
            if std::mem::take(&mut has_names) {
                reason.clear();
            }
            if !reason.is_empty() {
                reason.push(' ');
            }
            reason.push_str(part);
        } else if line.is_empty() {
            reason.clear();
        } else if reason.is_empty() {
            return Err(format!("{} does not have a reason for {line}", path.display()).into());
        } else {
            has_names = true;
            reasons.insert(line.to_owned(), reason.clone());
        }
    }
    Ok(reasons)
}
