//! The formatter of generated code.

use proc_macro2::TokenStream;

use crate::error::GenerateError;
use crate::rust_text::doc_comments::COMMENT_MARK;

/// Returns the content of a file.
pub(crate) fn format_file(items: TokenStream, header: &str) -> Result<String, GenerateError> {
    let file: syn::File = syn::parse2(items).map_err(|error| {
        let problem = format!(
            "the generated code is not valid Rust ({error}); please report this CRD as a bug"
        );
        GenerateError::new(["spec"], problem)
    })?;
    let laid_out = prettyplease::unparse(&file);
    let mut text = String::with_capacity(header.len() + laid_out.len());
    text.push_str(header);
    let marked = format!("///{COMMENT_MARK}");
    for line in laid_out.lines() {
        let start = line.len() - line.trim_start().len();
        match line
            .get(start..)
            .and_then(|line| line.strip_prefix(&*marked))
        {
            Some(comment) => {
                text.push_str(line.get(..start).unwrap_or_default());
                text.push_str("//");
                text.push_str(comment);
            }
            None => text.push_str(line),
        }
        text.push('\n');
    }
    Ok(text)
}
