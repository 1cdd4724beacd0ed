//! Decompresses files. The content decides, not the name.

use std::io::{self, Cursor, Read};

use flate2::read::MultiGzDecoder;

/// The first bytes of compressed files, with the name of the format.
const MAGIC_NUMBERS: [(&[u8], Compression); 5] = [
    (b"\x1f\x8b", Compression::Gzip),
    (b"\x28\xb5\x2f\xfd", Compression::Other("zstd")),
    (b"\xfd7zXZ", Compression::Other("xz")),
    (b"BZh", Compression::Other("bzip2")),
    (b"PK\x03\x04", Compression::Other("zip")),
];

/// The length of the longest magic number.
const MAX_MAGIC_BYTES: u64 = 5;

#[derive(Clone, Copy)]
enum Compression {
    Gzip,
    /// A format that is not supported.
    Other(&'static str),
}

/// Returns a reader of the decompressed content, or an error that names an unsupported format.
pub(super) fn decompress(mut reader: impl Read + 'static) -> io::Result<Box<dyn Read>> {
    let mut head = Vec::new();
    (&mut reader).take(MAX_MAGIC_BYTES).read_to_end(&mut head)?;
    let compression = MAGIC_NUMBERS
        .iter()
        .find(|(magic, _)| head.starts_with(magic));
    let content = Cursor::new(head).chain(reader);
    match compression {
        None => Ok(Box::new(content)),
        Some((_, Compression::Gzip)) => Ok(Box::new(MultiGzDecoder::new(content))),
        Some((_, Compression::Other(format))) => Err(io::Error::other(format!(
            "the file is compressed with {format}; decompress it, or compress it with gzip"
        ))),
    }
}

/// A reader that fails after this number of bytes, which protects the processor from compressed
/// files whose content is much larger.
pub(super) struct LimitedReader<R> {
    reader: R,
    remaining_bytes: u64,
    /// The limit in messages.
    limit: &'static str,
}

impl<R> LimitedReader<R> {
    pub(super) const fn new(reader: R, max_bytes: u64, limit: &'static str) -> Self {
        Self {
            reader,
            remaining_bytes: max_bytes,
            limit,
        }
    }
}

impl<R: Read> Read for LimitedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(buffer)?;
        match self.remaining_bytes.checked_sub(length as u64) {
            Some(remaining_bytes) => {
                self.remaining_bytes = remaining_bytes;
                Ok(length)
            }
            None => Err(io::Error::other(format!(
                "the content exceeds the limit of {}; split the file",
                self.limit
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_fails_after_the_limit() {
        for (max_bytes, is_read) in [(9, false), (10, true), (11, true)] {
            let mut reader = LimitedReader::new(&b"0123456789"[..], max_bytes, "9 bytes");
            let result = reader.read_to_end(&mut Vec::new());
            assert_eq!(result.is_ok(), is_read, "{max_bytes}: {result:?}");
        }
    }
}
