//! A formatter for `serde_json` that writes numbers as Go does.

use std::io::{self, Write};

use serde_json::Number;
use serde_json::ser::Formatter;

use crate::print::number::{JsonFloat, JsonNumber};

/// A formatter that writes a number as an API server does: Go parses the number, and
/// `encoding/json` writes the result. `1.0` becomes `1`, `1e20` has all its zeros, and an integer
/// of more than 64 bits is a float. All other values are written by `F`.
#[derive(Clone, Debug)]
pub struct GoNumbers<F>(pub F);

impl<F> GoNumbers<F> {
    fn write_number<W: ?Sized + Write>(writer: &mut W, number: JsonNumber) -> io::Result<()> {
        match number {
            JsonNumber::Int(integer) => writer.write_fmt(format_args!("{integer}")),
            JsonNumber::Float(float) => writer.write_fmt(format_args!("{}", JsonFloat(float))),
        }
    }
}

impl<F: Formatter> Formatter for GoNumbers<F> {
    fn write_u64<W: ?Sized + Write>(&mut self, writer: &mut W, value: u64) -> io::Result<()> {
        // Fast path: most integers fit `i64`.
        if i64::try_from(value).is_ok() {
            return self.0.write_u64(writer, value);
        }
        Self::write_number(writer, JsonNumber::from_number(&value.into()))
    }

    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        Self::write_number(writer, JsonNumber::Float(value))
    }

    /// Writes a number from its digits. `serde_json` calls this method if the feature
    /// `arbitrary_precision` is on.
    fn write_number_str<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        value: &str,
    ) -> io::Result<()> {
        match value
            .parse::<Number>()
            .map(|number| JsonNumber::from_number(&number))
        {
            Ok(JsonNumber::Float(float)) if !float.is_finite() => {
                writer.write_all(value.as_bytes())
            }
            Ok(number) => Self::write_number(writer, number),
            Err(_) => writer.write_all(value.as_bytes()),
        }
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_key(writer)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}
