//! Compares `k8s-yaml` with kubectl's reader and printer: see `tests/reference/run`.
//!
//! `yaml_reference PROGRAM SEED|fresh TEXTS [FILE|FOLDER]...` compares TEXTS sources of a grammar,
//! all YAML and JSON files, and TEXTS changed parts of these files. PROGRAM is the Go program of
//! `../yaml`, which reads the same sources. Then TEXTS values are printed as YAML on both sides.

mod answers;
mod emitted;
mod grammar;
mod scalars;

use std::error::Error;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use union_random::Random;

/// The maximum number of lines of a part of a file.
const MAX_LINES: usize = 40;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(program), Some(seed), Some(count)) =
        (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("give the program, a seed or `fresh`, and the number of texts".into());
    };
    let seed: u64 = match seed.as_str() {
        "fresh" => RandomState::new().hash_one(0),
        seed => seed.parse()?,
    };
    let count: usize = count.parse()?;
    println!("yaml, seed {seed}");
    let mut random = Random::new(seed);
    let mut files = Vec::new();
    for path in arguments {
        add_files(Path::new(&path), &mut files)?;
    }
    let read = files.iter().map(fs::read_to_string);
    let files: Vec<String> = read.filter_map(Result::ok).collect();
    let mut texts: Vec<String> = (0..count).map(|_| grammar::source(&mut random)).collect();
    if !files.is_empty() {
        texts.extend((0..count).map(|_| part(&mut random, &files)));
    }
    texts.extend(files);
    texts.extend(edges());
    let tally = answers::compare(&program, &texts)?;
    println!("{tally}");
    let emitted = emitted::compare(&program, &mut random, count)?;
    println!("{emitted}");
    Ok(if tally.is_complete(count) && emitted.is_complete(count) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn add_files(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    if path.is_dir() && !path.is_symlink() {
        let mut entries = fs::read_dir(path)?.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(fs::DirEntry::path);
        for entry in entries {
            add_files(&entry.path(), files)?;
        }
    } else if path
        .extension()
        .is_some_and(|is| is == "yaml" || is == "yml" || is == "json")
    {
        files.push(path.to_owned());
    }
    Ok(())
}

/// Returns sources with the intended differences that the grammar rarely generates.
fn edges() -> Vec<String> {
    // Go's result for such a source is one of two results at random. With 40 sources, both occur.
    let equal = (0..40).map(|at| format!("{at}: a\n\"{at}\": b\n"));
    let deep = format!("a: {}{}\n", "[".repeat(200), "]".repeat(200));
    let after = format!("a: 1\n...\n{}\u{7}\n", "x".repeat(2_000));
    let marks = "\u{feff}\u{feff}a: 1\nb: 2\n".to_owned();
    // kubectl splits documents only at `---` after a line feed, so this source is one document for
    // kubectl.
    let tags = |count: usize| {
        let directives = (0..count).map(|at| format!("%TAG !a{at}! tag:yaml.org,2002:\r"));
        directives.collect::<String>() + "---\r- !a7!str 1\n- !a99!int \"2\"\n"
    };
    let tags = [tags(100), tags(101)];
    equal.chain([deep, after, marks]).chain(tags).collect()
}

/// Returns random lines of a file, with changes.
fn part(random: &mut Random, files: &[String]) -> String {
    let lines: Vec<&str> = random.pick(files).split_inclusive('\n').collect();
    let start = random.below(lines.len().max(1));
    let end = lines.len().min(start + 1 + random.below(MAX_LINES));
    let mut text = lines.get(start..end).unwrap_or_default().concat();
    let mut longest = text.len().min(20_000);
    while !text.is_char_boundary(longest) {
        longest -= 1;
    }
    text.truncate(longest);
    for _ in 0..random.below(4) {
        text = grammar::changed(random, &text);
    }
    text
}
