//! Formats generated code.

use proc_macro2::TokenStream;

use crate::error::GenerateError;
use crate::rust_text::doc_comments::COMMENT_MARK;

/// Returns the formatted content of a file.
pub(crate) fn format_file(items: TokenStream, header: &str) -> Result<String, GenerateError> {
    let file: syn::File = syn::parse2(items).map_err(|error| {
        let problem = format!(
            "the generated code is not valid Rust ({error}); please report this CRD as a bug"
        );
        GenerateError::new(["spec"], problem)
    })?;
    let formatted = prettyplease::unparse(&file);
    let mut out = String::with_capacity(header.len() + formatted.len());
    out.push_str(header);
    // Tokens cannot contain plain comments, so they are marked doc comments until here.
    let comment_prefix = format!("///{COMMENT_MARK}");
    for line in formatted.lines() {
        let start = line.len() - line.trim_start().len();
        match line
            .get(start..)
            .and_then(|line| line.strip_prefix(&*comment_prefix))
        {
            Some(comment) => {
                out.push_str(line.get(..start).unwrap_or_default());
                out.push_str("//");
                out.push_str(comment);
            }
            None => out.push_str(line),
        }
        out.push('\n');
    }
    Ok(out)
}
