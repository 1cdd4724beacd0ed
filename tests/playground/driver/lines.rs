//! Tests with files of requests, one on each line: the results of the page equal the results of
//! `unionctl --jsonl`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::Failure;
use crate::browser::Browser;
use crate::tool::Tool;

/// The subcommands that read lines, each with the method of the page.
const SUBCOMMANDS_AND_METHODS: [(&str, &str); 2] =
    [("check", "check_line"), ("unions", "unions_line")];

/// Sends the lines of a file to the page and to the tool, and returns the number of lines. A line
/// is a request, or a case with the key `request`. Requests with `op` or `use` are for `check`.
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
    let mut line_count = 0;
    for ((subcommand, method), requests) in SUBCOMMANDS_AND_METHODS.into_iter().zip(&requests) {
        let expected_results = tool.reply_to_lines(subcommand, &requests.join("\n"))?;
        let ask = "async (kind, lines) => { const answers = []; for (const line of lines) answers.push((await playground.ask(kind, line)).answer); return answers; }";
        let page_results = browser
            .call(ask, vec![json!(method), json!(requests)])
            .await?;
        let page_results = page_results.as_array().ok_or("the page has no results")?;
        for ((request, page_result), expected) in
            requests.iter().zip(page_results).zip(&expected_results)
        {
            if page_result != expected {
                return Err(format!(
                    "{request}: the page says {page_result}, and unionctl {expected}"
                )
                .into());
            }
        }
        if [page_results.len(), expected_results.len()] != [requests.len(); 2] {
            return Err(format!("{}: not every line is answered", file.display()).into());
        }
        line_count += expected_results.len();
    }
    Ok(line_count)
}
