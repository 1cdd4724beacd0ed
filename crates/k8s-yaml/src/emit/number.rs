//! Numbers in YAML.

use k8s_go_text::number::{JsonFloat, JsonNumber};
use serde_json::Number;

/// Returns a number as sigs.k8s.io/yaml prints it. Go prints the number in JSON first, and then
/// reads the JSON as YAML, so a float without a fraction becomes an integer if 64 bits can hold it.
pub(super) fn to_text(number: &Number) -> String {
    let number = JsonNumber::from_number(number);
    if let JsonNumber::Float(float) = number {
        let json = JsonFloat(float).to_string();
        if let Ok(integer) = json.parse::<i64>() {
            return integer.to_string();
        }
        if json.parse::<u64>().is_ok() {
            return json;
        }
    }
    number.to_string()
}
