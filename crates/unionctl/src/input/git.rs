//! Reads the files of another Git revision, by the program `git`.

use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::compression::{self, LimitedReader};
use super::crd_files::{CrdFiles, may_contain_crd};
use super::documents::Documents;
use super::folder::is_manifest;
use super::input_reader::MAX_BYTES;
use crate::error::CommandError;

/// The variables that git sets for hooks. The command removes them, because git would look for the
/// repository in these variables instead of in the folder of the files.
const HOOK_VARIABLES: [&str; 4] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"];

/// The mode of a symbolic link in a Git tree. The content of a link is a path, not a CRD.
const LINK_MODE: &str = "120000";

/// The merge base of a Git revision and `HEAD`, for the files of a path.
#[derive(Debug)]
pub(crate) struct MergeBase {
    pub(crate) commit: String,
    /// The deepest folder of the path that exists. git runs in this folder.
    folder: PathBuf,
    /// The rest of the path, which is empty if the path is a folder.
    rest: PathBuf,
}

impl MergeBase {
    /// Finds the merge base. The path may be a file or a folder, and need not exist.
    pub(crate) fn find(revision: &str, path: &Path) -> Result<Self, CommandError> {
        let mut ancestors = path.ancestors();
        let is_current = |folder: &Path| folder.as_os_str().is_empty();
        let folder = ancestors.find(|folder| is_current(folder) || folder.is_dir());
        let folder = folder.unwrap_or_else(|| Path::new(""));
        let rest = path.strip_prefix(folder).unwrap_or(path).to_owned();
        let mut merge_base = Self {
            commit: String::new(),
            folder: folder.to_owned(),
            rest,
        };
        let output = merge_base.git(&["merge-base", "--", revision, "HEAD"])?;
        let (Ok(output) | Err(output)) = output;
        let is_commit = !output.is_empty() && output.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_commit {
            // git prints nothing if the histories do not have a common commit.
            let reason = match output.as_str() {
                "" => String::new(),
                message => format!(" ({message})"),
            };
            return Err(CommandError::new(
                "git",
                format!(
                    "found no merge base of {revision:?} and HEAD{reason}; fetch the revision and the history, \
                     as `fetch-depth: 0` of actions/checkout does"
                ),
            ));
        }
        merge_base.commit = output;
        Ok(merge_base)
    }

    /// Returns the files of the path that may contain CRDs, as they are at the merge base.
    pub(crate) fn crd_files(&self) -> Result<CrdFiles, CommandError> {
        let mut crd_files = CrdFiles {
            files: Vec::new(),
            errors: Vec::new(),
        };
        let rest = self.rest.to_string_lossy().replace('\\', "/");
        let mut args = vec!["ls-tree", "-r", "-z", &*self.commit];
        if !rest.is_empty() {
            args.extend(["--", &*rest]);
        }
        let entries = self.git(&args)?;
        let entries = entries.map_err(|message| CommandError::new("git", message))?;
        for entry in entries.split('\0') {
            // An entry is `MODE TYPE OBJECT<tab>NAME`.
            let Some((attributes, name)) = entry.split_once('\t') else {
                continue;
            };
            let (mode, object) = (attributes.split(' ').next(), attributes.rsplit(' ').next());
            let is_file = mode != Some(LINK_MODE) && attributes.contains(" blob ");
            // A file that the path names is read with any extension.
            let is_read = is_file && (is_manifest(Path::new(name)) || name == rest);
            let Some(object) = object.filter(|_| is_read) else {
                continue;
            };
            let file = self.folder.join(name).display().to_string();
            match self.read_blob(&file, object) {
                Ok(documents) => crd_files.files.extend(documents),
                Err(error) => crd_files.errors.push(error),
            }
        }
        Ok(crd_files)
    }

    /// Reads and parses a file at the merge base; `None` if the file does not contain a CRD.
    fn read_blob(
        &self,
        file: &str,
        object: &str,
    ) -> Result<Option<(Documents, Vec<u8>)>, CommandError> {
        let location = format!("{}:{file}", self.commit);
        let read_error = |message: String| CommandError::new(&*location, message);
        let output = self.run(&["cat-file", "blob", object])?;
        if !output.status.success() {
            return Err(read_error(first_line(&output.stderr)));
        }
        let mut content = Vec::new();
        compression::decompress(Cursor::new(output.stdout))
            .and_then(|reader| {
                LimitedReader::new(reader, MAX_BYTES as u64, "64 MiB").read_to_end(&mut content)
            })
            .map_err(|error| read_error(error.to_string()))?;
        if !may_contain_crd(&content) {
            return Ok(None);
        }
        let documents =
            Documents::parse(file, &content).map_err(|error| error.in_file(&location))?;
        Ok(Some((documents, content)))
    }

    /// Runs git. The inner result is the output without the line break at the end, or the first
    /// line of the error message. The outer error is that git cannot run.
    fn git(&self, args: &[&str]) -> Result<Result<String, String>, CommandError> {
        let output = self.run(args)?;
        Ok(if output.status.success() {
            let stdout = String::from_utf8_lossy(&output.stdout);
            Ok(stdout.trim_end_matches('\n').to_owned())
        } else {
            Err(first_line(&output.stderr))
        })
    }

    fn run(&self, args: &[&str]) -> Result<Output, CommandError> {
        let mut command = Command::new("git");
        command.args(args);
        if !self.folder.as_os_str().is_empty() {
            command.current_dir(&self.folder);
        }
        for variable in HOOK_VARIABLES {
            command.env_remove(variable);
        }
        command
            .output()
            .map_err(|error| CommandError::new("git", format!("cannot run git: {error}")))
    }
}

fn first_line(message: &[u8]) -> String {
    let message = String::from_utf8_lossy(message);
    message.lines().next().unwrap_or_default().to_owned()
}
