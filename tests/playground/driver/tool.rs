//! The tool `unionctl`, whose results the page must show.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use union_playground::Sample;

use crate::Failure;

pub(crate) struct Tool {
    pub(crate) program: PathBuf,
    /// The folder for the input files of the tool.
    pub(crate) folder: PathBuf,
}

impl Tool {
    /// Writes the documents of a sample to files.
    pub(crate) fn write_files(&self, sample: &Sample) -> Result<Files, Failure> {
        let write_file = |name: &str, content: &str| -> Result<Option<PathBuf>, Failure> {
            let path = self.folder.join(name);
            fs::write(&path, content)?;
            Ok((!content.is_empty()).then_some(path))
        };
        Ok(Files {
            crd: write_file("crd.yaml", sample.crd)?.ok_or("a sample has no CRD")?,
            stored: write_file("stored.yaml", sample.stored)?,
            new: write_file("new.yaml", sample.new)?.ok_or("a sample has no new object")?,
            crd_new: write_file("crd_new.yaml", sample.crd_new)?,
        })
    }

    /// Returns the JSON output of the tool. The exit code is ignored.
    pub(crate) fn json(&self, args: &[&str], files: &[(&str, &Path)]) -> Result<Value, Failure> {
        let mut tool = Command::new(&self.program);
        tool.args(args);
        for (flag, path) in files {
            tool.arg(flag).arg(path);
        }
        let output = tool.args(["-o", "json"]).output()?;
        serde_json::from_slice(&output.stdout).map_err(|_| {
            let stderr = String::from_utf8_lossy(&output.stderr);
            format!("unionctl {}: {stderr}", args.join(" ")).into()
        })
    }

    /// Returns the replies of a subcommand to lines.
    pub(crate) fn reply_to_lines(
        &self,
        subcommand: &str,
        lines: &str,
    ) -> Result<Vec<Value>, Failure> {
        let mut tool = Command::new(&self.program)
            .args([subcommand, "--jsonl"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut stdin = tool.stdin.take().ok_or("no stdin")?;
        let lines = lines.to_owned();
        let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
        let output = tool.wait_with_output()?;
        writer
            .join()
            .map_err(|_| "the writer of lines panicked")??;
        let replies = String::from_utf8(output.stdout)?;
        let replies = replies.lines().map(serde_json::from_str);
        Ok(replies.collect::<Result<_, _>>()?)
    }
}

/// The files with the documents of a sample.
pub(crate) struct Files {
    pub(crate) crd: PathBuf,
    pub(crate) stored: Option<PathBuf>,
    pub(crate) new: PathBuf,
    pub(crate) crd_new: Option<PathBuf>,
}
