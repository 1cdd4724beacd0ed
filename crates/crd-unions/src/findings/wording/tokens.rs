//! Splits a description into sentences, and sentences into words, quoted names and marks.

use crate::bounds::{DESCRIPTION_BYTES, SENTENCE_TOKENS};

/// A word, a quoted name or a mark of a sentence.
#[derive(Clone, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) kind: TokenKind,
    /// The text without quotes.
    pub(crate) text: &'t str,
    /// The text in lowercase, with straight apostrophes.
    pub(crate) lowercase: String,
    /// The byte range in the description, with quotes.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The kind of a [`Token`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Word,
    /// Text in backticks or quotes.
    Quoted,
    /// A mark of punctuation.
    Mark,
}

/// The maximum length of a quoted name. A longer quotation is read as words.
const MAX_QUOTED_BYTES: usize = 80;

/// Abbreviations whose period does not end a sentence.
const ABBREVIATIONS: [&str; 6] = ["e.g", "i.e", "etc", "vs", "cf", "resp"];

/// Returns the sentences of a description. Only the first [`DESCRIPTION_BYTES`] bytes are read. A
/// sentence of more than [`SENTENCE_TOKENS`] tokens is split.
pub(crate) fn sentences(description: &str) -> Vec<Vec<Token<'_>>> {
    let mut sentences = Vec::new();
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut position = 0;
    while position < DESCRIPTION_BYTES {
        let Some((token, is_end)) = next_token(description, position) else {
            break;
        };
        position = token.end;
        let ends_sentence = is_end && !ends_with_abbreviation(&tokens);
        if ends_sentence || tokens.len() >= SENTENCE_TOKENS {
            sentences.push(std::mem::take(&mut tokens));
        }
        if !is_end {
            tokens.push(token);
        }
    }
    sentences.push(tokens);
    sentences.retain(|tokens| !tokens.is_empty());
    sentences
}

fn ends_with_abbreviation(tokens: &[Token<'_>]) -> bool {
    tokens
        .last()
        .is_some_and(|token| ABBREVIATIONS.contains(&&*token.lowercase))
}

/// Returns the next token, and true if the token ends a sentence.
fn next_token(description: &str, position: usize) -> Option<(Token<'_>, bool)> {
    let rest = description.get(position..)?;
    let trimmed = rest.trim_start();
    let start = position + rest.len() - trimmed.len();
    // A blank line separates paragraphs.
    let blank_lines = rest.get(..rest.len() - trimmed.len())?;
    if blank_lines.matches('\n').count() > 1 && !trimmed.is_empty() {
        return Some((
            token(description, TokenKind::Mark, start, start, start, start)?,
            true,
        ));
    }
    let first = trimmed.chars().next()?;
    if let Some((text_start, text_end, end)) = quoted_name(description, start, first) {
        let kind = TokenKind::Quoted;
        return Some((
            token(description, kind, text_start, text_end, start, end)?,
            false,
        ));
    }
    let word_bytes = word_length(trimmed);
    if word_bytes > 0 {
        let end = start + word_bytes;
        return Some((
            token(description, TokenKind::Word, start, end, start, end)?,
            false,
        ));
    }
    let end = start + first.len_utf8();
    let is_end = matches!(first, '.' | '!' | '?')
        && description
            .get(end..)
            .is_some_and(|after| after.chars().next().is_none_or(|c| !c.is_alphanumeric()));
    Some((
        token(description, TokenKind::Mark, start, end, start, end)?,
        is_end,
    ))
}

fn token(
    description: &str,
    kind: TokenKind,
    text_start: usize,
    text_end: usize,
    start: usize,
    end: usize,
) -> Option<Token<'_>> {
    let text = description.get(text_start..text_end)?;
    Some(Token {
        kind,
        text,
        lowercase: text.to_lowercase().replace('’', "'"),
        start,
        // A token without text takes no bytes, so that the next token starts at the same position.
        end,
    })
}

/// Returns the byte positions of a quoted name: the start and the end of its text, and the end of
/// the quotation. A name has no spaces.
fn quoted_name(description: &str, start: usize, quote: char) -> Option<(usize, usize, usize)> {
    let closing_quote = match quote {
        '`' | '"' | '\'' => quote,
        '“' | '”' => '”',
        '‘' => '’',
        _ => return None,
    };
    let text_start = start + quote.len_utf8();
    let rest = description.get(text_start..)?;
    let mut text_bytes = 0;
    for c in rest.chars() {
        if c == closing_quote {
            break;
        }
        if c.is_whitespace() || text_bytes > MAX_QUOTED_BYTES {
            return None;
        }
        text_bytes += c.len_utf8();
    }
    let text_end = text_start + text_bytes;
    let is_closed = description.get(text_end..)?.starts_with(closing_quote);
    (is_closed && text_bytes > 0).then_some((
        text_start,
        text_end,
        text_end + closing_quote.len_utf8(),
    ))
}

/// Returns the length in bytes of the word at the start of the text: letters, digits and
/// underscores, and marks between them, as in `spec.name`, `can't` and `non-empty`.
fn word_length(text: &str) -> usize {
    let is_inner = |c: char| c.is_alphanumeric() || c == '_';
    let mut length = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((index, c)) = chars.next() {
        let is_followed_by_letter = chars.peek().is_some_and(|(_, next)| is_inner(*next));
        let is_joint = matches!(c, '.' | '-' | '\'' | '’' | '$') && is_followed_by_letter;
        // A word may start with a period: `.spec.name`.
        let is_allowed = is_inner(c) || is_joint && (length > 0 || c == '.');
        if !is_allowed {
            break;
        }
        length = index + c.len_utf8();
    }
    length
}
