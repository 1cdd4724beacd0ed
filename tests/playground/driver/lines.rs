//! Tests with files of requests, one per line: the page returns the same results as `unionctl
//! --jsonl`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::Failure;
use crate::browser::Browser;
use crate::tool::Tool;

/// The subcommands that read lines, and their names in the page.
const KINDS: [(&str, &str); 2] = [("check", "check_line"), ("unions", "unions_line")];

/// Sends the lines of a file to the page and to the tool: a line is a request, or a case with a
/// `request`. Requests with an `op` or `use` are for `check`.
pub(crate) async fn run(
    browser: &Browser,
    page: &str,
    file: &Path,
    tool: &Tool,
) -> Result<usize, Failure> {
    let mut requests = [Vec::new(), Vec::new()];
    for line in fs::read_to_string(file)?.lines() {
        let case: Value = serde_json::from_str(line)?;
        let request = case.get("request").unwrap_or(&case);
        let is_for_check = request.get("op").is_some() || request.get("use").is_some();
        requests[usize::from(!is_for_check)].push(request.to_string());
    }
    // Reloading the page discards the `use` of earlier requests.
    browser.open(page).await?;
    let mut count = 0;
    for ((subcommand, kind), requests) in KINDS.into_iter().zip(&requests) {
        let wanted = tool.lines(subcommand, &requests.join("\n"))?;
        let ask = "async (kind, lines) => { const answers = []; for (const line of lines) answers.push((await playground.ask(kind, line)).answer); return answers; }";
        let found = browser
            .call(ask, vec![json!(kind), json!(requests)])
            .await?;
        let found = found.as_array().ok_or("the page gives no answers")?;
        for ((request, found), wanted) in requests.iter().zip(found).zip(&wanted) {
            if found != wanted {
                return Err(
                    format!("{request}: the page says {found}, and unionctl {wanted}").into(),
                );
            }
        }
        if [found.len(), wanted.len()] != [requests.len(); 2] {
            return Err(format!("{}: not every line is answered", file.display()).into());
        }
        count += wanted.len();
    }
    Ok(count)
}
