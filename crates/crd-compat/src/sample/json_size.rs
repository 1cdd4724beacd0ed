//! The size of a value as JSON, without the JSON.

use std::io::{self, Write};

use serde_json::Value;

/// A writer that counts bytes, and fails after a number of bytes.
struct SizeLimit {
    left: usize,
}

impl Write for SizeLimit {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.left.checked_sub(bytes.len()) {
            Some(left) => {
                self.left = left;
                Ok(bytes.len())
            }
            None => Err(io::ErrorKind::FileTooLarge.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the number of bytes of a value as JSON; `None` if the number exceeds a limit.
pub(crate) fn json_size(value: &Value, limit: usize) -> Option<usize> {
    let mut writer = SizeLimit { left: limit };
    serde_json::to_writer(&mut writer, value).ok()?;
    Some(limit - writer.left)
}
