//! Converts descriptions of CRDs to doc comments that contain no doctests and cause no rustdoc
//! lints.

/// A prefix for a doc comment that is printed as a plain comment. Descriptions cannot contain this
/// character.
pub(crate) const COMMENT_MARK: char = '\u{1}';

/// The languages of code blocks that rustdoc does not run.
const LANGUAGES: [&str; 10] = [
    "bash", "console", "go", "json", "sh", "shell", "text", "toml", "xml", "yaml",
];

/// Returns a string as one line of a plain comment.
pub(crate) fn single_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars()
        .filter(|character| is_allowed(*character))
        .collect()
}

/// Returns the lines of the doc comment for a description.
pub(crate) fn doc_lines(description: &str) -> Vec<String> {
    let mut lines = Vec::new();
    // The fence that ends the current code block.
    let mut fence: Option<String> = None;
    let mut previous_ends_with_space = false;
    for line in description.trim().lines() {
        let ends_with_space = line.ends_with(' ');
        let line: String = line
            .chars()
            .map(|character| if character == '\t' { ' ' } else { character })
            .filter(|character| is_allowed(*character))
            .collect();
        let line = line.trim_end();
        let trimmed_line = line.trim_start();
        if let Some(closing_fence) = &fence {
            if trimmed_line.trim_end() == closing_fence {
                fence = None;
            }
            lines.push(line.to_owned());
            continue;
        }
        let ticks = trimmed_line.len() - trimmed_line.trim_start_matches('`').len();
        let tildes = trimmed_line.len() - trimmed_line.trim_start_matches('~').len();
        if ticks >= 3 || tildes >= 3 {
            let (fence_characters, language) = trimmed_line.split_at(ticks.max(tildes));
            let is_known_language = LANGUAGES.contains(&language.trim());
            lines.push(format!(
                "{fence_characters}{}",
                if is_known_language {
                    language.trim()
                } else {
                    "text"
                }
            ));
            fence = Some(fence_characters.to_owned());
            continue;
        }
        // Four spaces would start a code block, which rustdoc runs as Rust.
        let mut indent = (line.len() - trimmed_line.len()).min(3);
        // If a line ends with a space and the next line starts with a space, a generator of CRDs
        // removed an empty line between them. The empty line is restored.
        if indent == 1 {
            indent = 0;
            if previous_ends_with_space {
                lines.push(String::new());
            }
        }
        previous_ends_with_space = ends_with_space;
        // Several empty lines become one.
        if !(trimmed_line.is_empty() && lines.last().is_some_and(String::is_empty)) {
            lines.push(format!("{:indent$}{}", "", escape_line(trimmed_line)));
        }
    }
    lines.extend(fence);
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Returns true if a character is allowed in a comment: not a control character, and not a
/// character that changes the direction of text.
fn is_allowed(character: char) -> bool {
    !character.is_control()
        && !matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

/// Escapes links and HTML tags in a line, except in code.
fn escape_line(line: &str) -> String {
    let mut escaped_line = String::with_capacity(line.len());
    // An unbalanced backtick does not start code.
    let is_balanced = line.split('`').count() % 2 == 1;
    for (index, part) in line.split('`').enumerate() {
        if index > 0 {
            escaped_line.push('`');
        }
        if is_balanced && index % 2 == 1 {
            escaped_line.push_str(part);
            continue;
        }
        for (index, word) in part.split(' ').enumerate() {
            if index > 0 {
                escaped_line.push(' ');
            }
            push_escaped_word(word, &mut escaped_line);
        }
    }
    escaped_line
}

fn push_escaped_word(word: &str, out: &mut String) {
    if let Some(start) = ["http://", "https://"]
        .iter()
        .filter_map(|scheme| word.find(scheme))
        .min()
    {
        let (prefix, url) = word.split_at(start);
        let end = url.find([')', ']', '>', '<', '"', '\'', ',', ';']);
        let (url, suffix) = url.split_at(end.unwrap_or(url.len()));
        let trimmed_url = url.trim_end_matches(['.', ':', '!', '?']);
        let punctuation = url.get(trimmed_url.len()..).unwrap_or_default();
        push_escaped(prefix.strip_suffix('<').unwrap_or(prefix), out);
        out.push('<');
        out.push_str(trimmed_url);
        out.push('>');
        out.push_str(punctuation);
        push_escaped(suffix.strip_prefix('>').unwrap_or(suffix), out);
        return;
    }
    push_escaped(word, out);
}

fn push_escaped(text: &str, out: &mut String) {
    let mut is_escaped = out.ends_with('\\');
    for character in text.chars() {
        if matches!(character, '[' | ']' | '<' | '>') && !is_escaped {
            out.push('\\');
        }
        is_escaped = character == '\\' && !is_escaped;
        out.push(character);
    }
}
