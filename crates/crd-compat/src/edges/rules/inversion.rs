//! Strings for which a function returns a value.

use k8s_cel::syntax::Ast;
use serde_json::{Value, json};

use super::solver::{Scope, Solver};

/// The largest number that a function of a string returns in a search.
const LARGEST: u64 = 10_000;

/// A call with its target and its arguments.
pub(super) type Call<'r> = (&'r str, Option<&'r Ast>, &'r [Ast]);

impl Solver {
    /// Returns strings for which a function of a string returns a value.
    pub(super) fn sources(
        &self,
        call: Call<'_>,
        result: &Value,
        scope: &Scope<'_>,
        state: &Value,
    ) -> Vec<String> {
        let (function, _, args) = call;
        let argument = args.first().and_then(|ast| self.constant(ast, scope));
        let text_argument = argument.as_ref().and_then(Value::as_str);
        match result {
            Value::String(text) if matches!(function, "add" | "sub") => {
                let numbers = [Some(text.as_str()), text_argument];
                let [result, argument] = numbers.map(|text| text?.parse::<i64>().ok());
                let source = result
                    .zip(argument)
                    .and_then(|(result, argument)| match function {
                        "add" => result.checked_sub(argument),
                        _ => result.checked_add(argument),
                    });
                source.iter().map(ToString::to_string).collect()
            }
            Value::String(text) => self.sources_of_text(call, text, scope, state),
            Value::Number(number) => {
                let number = number.as_u64().filter(|number| *number <= LARGEST);
                let part = text_argument.unwrap_or("");
                number.map_or_else(Vec::new, |it| sources_of_number(function, it, part))
            }
            Value::Array(parts) if function == "split" => {
                let parts: Vec<&str> = parts.iter().filter_map(Value::as_str).collect();
                vec![parts.join(text_argument.unwrap_or(","))]
            }
            _ => Vec::new(),
        }
    }

    /// Returns strings for which a function of a string returns a text.
    fn sources_of_text(
        &self,
        (function, target, args): Call<'_>,
        text: &str,
        scope: &Scope<'_>,
        state: &Value,
    ) -> Vec<String> {
        match function {
            "lowerAscii" => vec![text.to_owned(), text.to_ascii_uppercase()],
            "upperAscii" => vec![text.to_owned(), text.to_ascii_lowercase()],
            "trim" => vec![text.to_owned(), format!(" {text} ")],
            "quote" => vec![text.trim_matches('"').to_owned()],
            "replace" | "charAt" => vec![text.to_owned()],
            "substring" => {
                let start = args.first().and_then(|ast| self.value(ast, scope, state));
                let start = start.and_then(|it| it.as_u64()).unwrap_or(0).min(64);
                let start = usize::try_from(start).unwrap_or(0);
                let current = target.and_then(|ast| self.value(ast, scope, state));
                let current = current.as_ref().and_then(Value::as_str).unwrap_or("");
                let padding = core::iter::repeat('a');
                let prefix: String = current.chars().chain(padding).take(start).collect();
                vec![format!("{prefix}{text}")]
            }
            "getScheme" => vec![format!("{text}://example.com"), format!("{text}:///path")],
            "getHost" | "getHostname" => vec![format!("https://{text}"), format!("//{text}/path")],
            "getPort" => vec![format!("https://example.com:{text}")],
            "getEscapedPath" => vec![format!("https://example.com{text}"), text.to_owned()],
            _ => Vec::new(),
        }
    }
}

/// Returns the text that a template such as `x-%s` contains, if its result is a value.
pub(super) fn inserted(template: &str, result: &Value) -> Option<Value> {
    let (before, verb) = template.split_once('%')?;
    let after = verb.get(1..)?;
    let text = result.as_str()?.strip_prefix(before)?.strip_suffix(after)?;
    Some(json!(text))
}

/// Returns strings for which a function of a string returns a number.
fn sources_of_number(function: &str, number: u64, part: &str) -> Vec<String> {
    let length = usize::try_from(number).unwrap_or(0);
    match function {
        "indexOf" | "lastIndexOf" => vec![format!("{}{part}", "b".repeat(length))],
        "prefixLength" => vec![format!("10.0.0.0/{number}"), format!("fd00::/{number}")],
        "major" => vec![format!("{number}.0.0")],
        "minor" => vec![format!("0.{number}.0"), format!("1.{number}.0")],
        "patch" => vec![format!("0.0.{number}"), format!("1.0.{number}")],
        "asInteger" | "asApproximateFloat" => vec![number.to_string()],
        "getFullYear" => vec![format!("{number:04}-01-01T00:00:00Z")],
        "getHours" => vec![
            format!("{number}h"),
            format!("2026-01-01T{number:02}:00:00Z"),
        ],
        "getMinutes" => vec![
            format!("{number}m"),
            format!("2026-01-01T00:{number:02}:00Z"),
        ],
        "getSeconds" => vec![
            format!("{number}s"),
            format!("2026-01-01T00:00:{number:02}Z"),
        ],
        "getMilliseconds" => vec![format!("{number}ms"), format!("0.{number:03}s")],
        "getMonth" => vec![format!("2026-{:02}-01T00:00:00Z", number + 1)],
        "getDate" => vec![format!("2026-01-{number:02}T00:00:00Z")],
        "getDayOfMonth" | "getDayOfYear" => vec![format!("2026-01-{:02}T00:00:00Z", number + 1)],
        // The fourth day of 2026 is a Sunday.
        "getDayOfWeek" => vec![format!("2026-01-{:02}T00:00:00Z", number + 4)],
        _ => Vec::new(),
    }
}
