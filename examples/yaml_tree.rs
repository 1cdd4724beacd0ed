//! Validates the unions of a custom data type: a YAML tree with the line of each value.
//!
//! `union_runtime::spec` has the traits that the rules use. A `Node` returns its unions and the
//! state of each union, the function `walk` visits the nodes, and `Requests` applies the rules.
//! Each error then refers to a line of the file.

use std::error::Error;

use granit_parser::{Event, Parser};
use serde_json::Value;
use union_json::union_spec;
use union_runtime::path::{FieldPath, PathStep};
use union_runtime::spec::{Cursor, Node, Requests, State, StateBuilder, UnionSpec, Visitor};
use union_runtime::{Settings, Violation};

/// The union of each source of a pipeline.
const SOURCE: UnionSpec<'static> = union_spec! {
    discriminator = "type",
    "Git" => "git",
    "Bucket" => "bucket",
};

/// A value of a YAML file, with the line of its key.
#[derive(Debug)]
struct Tree {
    line: usize,
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// A scalar, as the JSON value that the rules compare.
    Scalar(Value),
    Map(Vec<(String, Tree)>),
    List(Vec<Tree>),
}

impl Tree {
    fn field(&self, name: &str) -> Option<&Self> {
        match &self.content {
            Content::Map(fields) => fields
                .iter()
                .find_map(|(key, tree)| (key == name).then_some(tree)),
            Content::Scalar(_) | Content::List(_) => None,
        }
    }

    fn at(&self, path: &FieldPath) -> Option<&Self> {
        path.steps()
            .try_fold(self, |tree, step| match (step, &tree.content) {
                (PathStep::Index(index), Content::List(elements)) => elements.get(index),
                (step, _) => tree.field(step.name()?),
            })
    }

    /// Returns the line of the value at a path, or the line of its nearest existing parent.
    fn line(&self, path: &FieldPath) -> usize {
        match (self.at(path), path.parent()) {
            (Some(tree), _) => tree.line,
            (None, Some(parent)) => self.line(&parent),
            (None, None) => self.line,
        }
    }
}

/// The map of a source, as a node with one union.
struct Source<'t>(&'t Tree);

impl Node for Source<'_> {
    fn union_count(&self) -> usize {
        1
    }

    fn spec(&self, union: usize) -> Option<UnionSpec<'_>> {
        (union == 0).then_some(SOURCE)
    }

    fn state(&self, union: usize) -> Option<State<'_>> {
        static SET: Value = Value::Bool(true);
        let spec = self.spec(union)?;
        let mut builder = StateBuilder::default();
        if let Some(Content::Scalar(value)) = self.0.field("type").map(|tree| &tree.content) {
            builder.set_discriminator(value);
        }
        for member in spec.members() {
            let index = u8::try_from(member.value_index()).ok()?;
            match self.0.field(member.name()).map(|tree| &tree.content) {
                Some(Content::Scalar(value)) => builder.add_member(index, value),
                Some(_) => builder.add_member(index, &SET),
                None => {}
            }
        }
        Some(builder.build(&SOURCE, None))
    }
}

/// Visits the sources of a pipeline, each with the source of the same name in the old object.
fn walk<'v>(
    new: &Tree,
    old: Option<&'v Tree>,
    at: &Cursor<'_, 'v>,
    visitor: &mut dyn Visitor,
) -> Option<()> {
    let spec = new.field("spec")?;
    let old = old.and_then(|old| old.field("spec"));
    let Content::Map(sources) = &spec.field("sources")?.content else {
        return None;
    };
    let old = old.and_then(|old| old.field("sources"));
    at.field("spec", |at| {
        at.field("sources", |at| {
            for (name, source) in sources {
                let old = old.and_then(|old| old.field(name)).map(Source);
                let old = old.as_ref().map(|old| -> &dyn Node { old });
                at.field(name, |at| visitor.visit(&Source(source), old, at));
            }
        });
    });
    Some(())
}

/// Parses a YAML document.
fn read(source: &str) -> Result<Tree, Box<dyn Error>> {
    /// A map or list whose end is not parsed yet, with the key of the next value and its line.
    struct Open {
        tree: Tree,
        key: Option<(String, usize)>,
    }
    let mut open: Vec<Open> = Vec::new();
    for event in Parser::new_from_str(source) {
        let (event, span) = event?;
        let line = span.start.line();
        let line = |open: &[Open]| {
            let key = open.last().and_then(|open| open.key.as_ref());
            key.map_or(line, |(_, line)| *line)
        };
        let completed = match event {
            Event::MappingStart(..) | Event::SequenceStart(..) => {
                let content = match event {
                    Event::MappingStart(..) => Content::Map(Vec::new()),
                    _ => Content::List(Vec::new()),
                };
                let line = line(&open);
                open.push(Open {
                    tree: Tree { line, content },
                    key: None,
                });
                continue;
            }
            Event::Scalar(source, ..) => {
                if let Some(Open {
                    tree,
                    key: key @ None,
                }) = open.last_mut()
                    && matches!(tree.content, Content::Map(_))
                {
                    *key = Some((source.into_owned(), span.start.line()));
                    continue;
                }
                let value =
                    serde_json::from_str(&source).unwrap_or_else(|_| source.as_ref().into());
                Tree {
                    line: line(&open),
                    content: Content::Scalar(value),
                }
            }
            Event::MappingEnd | Event::SequenceEnd => match open.pop() {
                Some(completed) => completed.tree,
                None => continue,
            },
            _ => continue,
        };
        match open.last_mut() {
            None => return Ok(completed),
            Some(Open { tree, key }) => match (&mut tree.content, key.take()) {
                (Content::Map(fields), Some((key, _))) => fields.push((key, completed)),
                (Content::List(elements), _) => elements.push(completed),
                _ => {}
            },
        }
    }
    Err("the file is empty".into())
}

const STORED: &str = "\
kind: Pipeline
spec:
  sources:
    code:
      type: Git
      bucket: assets
";

const UPDATED: &str = "\
kind: Pipeline
spec:
  sources:
    code:
      type: Git
      bucket: assets # as it was stored
    docs:
      type: Bucket
      git: https://example.org/docs
";

fn main() -> Result<(), Box<dyn Error>> {
    let (old, new) = (read(STORED)?, read(UPDATED)?);
    let report =
        Requests::new(Settings::default()).validate_update(&|| None, &mut |at, visitor| {
            walk(&new, Some(&old), at, visitor);
        });
    let with_line = |error: &Violation| format!("line {}: {error}", new.line(error.path()));
    // The new source `docs` is invalid. The source `code` was invalid before.
    for error in report.errors() {
        println!("{}", with_line(error));
    }
    for error in report.tolerated() {
        println!("{} (tolerated)", with_line(error));
    }
    let first = with_line(&report.errors()[0]);
    assert!(
        first.starts_with("line 9: spec.sources.docs.git: "),
        "{first}"
    );
    assert_eq!(report.tolerated().len(), 2);
    Ok(())
}
