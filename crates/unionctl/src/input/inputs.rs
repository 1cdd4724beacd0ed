//! Files, and stdin, which can be read once.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use super::documents::Documents;
use crate::problem::Problem;

/// The largest size of a file, or of a line: a device that never ends must not take all memory.
pub(crate) const MOST_BYTES: usize = 64 << 20;

/// Reads files, and stdin once.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// The flag that had stdin.
    stdin: Option<&'static str>,
}

impl Inputs {
    /// Returns those of a command that reads stdin itself.
    pub(crate) const fn without_stdin(flag: &'static str) -> Self {
        Self { stdin: Some(flag) }
    }

    /// Reads a file, `-` for stdin; `flag` is the one that names it.
    pub(crate) fn read(&mut self, flag: &'static str, path: &Path) -> Result<Documents, Problem> {
        self.read_with_text(flag, path)
            .map(|(documents, _)| documents)
    }

    /// Reads a file and returns its bytes too, for those who ask for places in them.
    pub(crate) fn read_with_text(
        &mut self,
        flag: &'static str,
        path: &Path,
    ) -> Result<(Documents, Vec<u8>), Problem> {
        let (file, bytes) = self.bytes(flag, path)?;
        if bytes.len() > MOST_BYTES {
            let most = MOST_BYTES >> 20;
            return Err(Problem::new(
                file,
                format!("it is larger than {most} MiB; give a smaller one"),
            ));
        }
        let documents = Documents::of(&file, &bytes).map_err(|flaw| flaw.of_file(&file))?;
        Ok((documents, bytes))
    }

    /// The bytes of a file, one more than allowed if it is too large, and what to call it.
    fn bytes(&mut self, flag: &'static str, path: &Path) -> Result<(String, Vec<u8>), Problem> {
        let mut bytes = Vec::new();
        let most = MOST_BYTES as u64 + 1;
        let is_stdin = path.as_os_str() == "-";
        let file = if is_stdin {
            "stdin".to_owned()
        } else {
            path.display().to_string()
        };
        let read = if is_stdin {
            if let Some(other) = self.stdin.replace(flag) {
                return Err(Problem::new(
                    file,
                    format!(
                        "{other} and {flag} both read it, and it can be read once; give one of them a file"
                    ),
                ));
            }
            io::stdin().lock().take(most).read_to_end(&mut bytes)
        } else {
            File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes))
        };
        match read {
            Ok(_) => Ok((file, bytes)),
            Err(error) => Err(Problem::new(
                file,
                format!("{flag} cannot read it: {error}; give the path of a file, or - for stdin"),
            )),
        }
    }
}
