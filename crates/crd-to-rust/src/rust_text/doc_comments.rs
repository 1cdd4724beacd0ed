//! Doc comments from descriptions of CRDs: nothing in them is run as a test, and no lint of rustdoc
//! reports them.

/// The prefix of a doc comment that is printed as a plain comment. Descriptions do not contain the
/// character.
pub(crate) const COMMENT_MARK: char = '\u{1}';

/// Languages of code blocks that rustdoc ignores.
const LANGUAGES: [&str; 10] = [
    "bash", "console", "go", "json", "sh", "shell", "text", "toml", "xml", "yaml",
];

/// Returns the lines of a description.
pub(crate) fn doc_lines(description: &str) -> Vec<String> {
    let mut lines = Vec::new();
    // The fence that ends the current code block.
    let mut fence: Option<String> = None;
    let mut is_open = false;
    for line in description.trim().lines() {
        let ends_open = line.ends_with(' ');
        let line: String = line
            .chars()
            .map(|letter| if letter == '\t' { ' ' } else { letter })
            .filter(|letter| is_plain(*letter))
            .collect();
        let line = line.trim_end();
        let start = line.trim_start();
        if let Some(end) = &fence {
            if start.trim_end() == end {
                fence = None;
            }
            lines.push(line.to_owned());
            continue;
        }
        let ticks = start.len() - start.trim_start_matches('`').len();
        let waves = start.len() - start.trim_start_matches('~').len();
        if ticks >= 3 || waves >= 3 {
            let (marks, language) = start.split_at(ticks.max(waves));
            let is_known = LANGUAGES.contains(&language.trim());
            lines.push(format!(
                "{marks}{}",
                if is_known { language.trim() } else { "text" }
            ));
            fence = Some(marks.to_owned());
            continue;
        }
        // Four spaces would begin a code block, which rustdoc treats as Rust.
        let mut indent = (line.len() - start.len()).min(3);
        // Remains of an empty line from generators: a space at the end of the previous line, and a
        // space at the beginning of this line.
        if indent == 1 {
            indent = 0;
            if is_open {
                lines.push(String::new());
            }
        }
        is_open = ends_open;
        // Several empty lines are reduced to one.
        if !(start.is_empty() && lines.last().is_some_and(String::is_empty)) {
            lines.push(format!("{:indent$}{}", "", escaped(start)));
        }
    }
    lines.extend(fence);
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Returns true if a character is allowed in a comment: neither a control character nor a character
/// that changes the direction of text.
fn is_plain(letter: char) -> bool {
    !letter.is_control()
        && !matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

/// Returns a line with escaped links and HTML tags, except in code.
fn escaped(line: &str) -> String {
    let mut all = String::with_capacity(line.len());
    // A backtick without a second one does not begin code.
    let is_balanced = line.split('`').count() % 2 == 1;
    for (at, part) in line.split('`').enumerate() {
        if at > 0 {
            all.push('`');
        }
        if is_balanced && at % 2 == 1 {
            all.push_str(part);
            continue;
        }
        for (at, word) in part.split(' ').enumerate() {
            if at > 0 {
                all.push(' ');
            }
            push_word(word, &mut all);
        }
    }
    all
}

fn push_word(word: &str, all: &mut String) {
    if let Some(start) = ["http://", "https://"]
        .iter()
        .filter_map(|scheme| word.find(scheme))
        .min()
    {
        let (before, url) = word.split_at(start);
        let end = url.find([')', ']', '>', '<', '"', '\'', ',', ';']);
        let (url, after) = url.split_at(end.unwrap_or(url.len()));
        let bare = url.trim_end_matches(['.', ':', '!', '?']);
        let dots = url.get(bare.len()..).unwrap_or_default();
        push_plain(before.strip_suffix('<').unwrap_or(before), all);
        all.push('<');
        all.push_str(bare);
        all.push('>');
        all.push_str(dots);
        push_plain(after.strip_prefix('>').unwrap_or(after), all);
        return;
    }
    push_plain(word, all);
}

fn push_plain(text: &str, all: &mut String) {
    let mut escaped = all.ends_with('\\');
    for letter in text.chars() {
        if matches!(letter, '[' | ']' | '<' | '>') && !escaped {
            all.push('\\');
        }
        escaped = letter == '\\' && !escaped;
        all.push(letter);
    }
}
