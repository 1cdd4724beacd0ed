//! Draws the plot of the report, an SVG of time against size. Each engine has a panel, with our
//! lines beside the lines of the reference.
//!
//! The SVG is written by hand and not by a library for plots. So CSS can choose the colours of the
//! lines for a light or a dark page.

use std::fmt::Write as _;

use crate::row::{Cost, Row, to_f64};

/// A panel: the title, the part of the report, and the names of three rows. Each row has its own
/// colour.
type Panel = (&'static str, &'static str, [&'static str; 3]);

const PANELS: [Panel; 3] = [
    (
        "Unions of JSON (engine) / structured-merge-diff",
        "engine",
        ["echo, normalize", "switch, normalize", "apply, normalize"],
    ),
    (
        "Custom resources (crd) / apiextensions-apiserver",
        "crd, growing",
        [
            "atomic list, create",
            "list by key, update",
            "map, update of old errors",
        ],
    ),
    (
        "Strategic merge patches (patch) / strategicpatch",
        "patch",
        ["objects, apply", "objects, diff", "objects, three-way diff"],
    ),
];

const STYLE: &str = "\
text { font: 12px sans-serif; fill: #24292f }
.title { font-weight: bold }
.grid { stroke: #8c959f; stroke-opacity: 0.3 }
path { fill: none; stroke-width: 2 }
.dots { stroke-width: 5 }
.reference { stroke-dasharray: 6 4 }
.row0 { stroke: #0969da } .row1 { stroke: #bc4c00 } .row2 { stroke: #1a7f37 } .key { stroke: #57606a }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.row0 { stroke: #58a6ff } .row1 { stroke: #f0883e } .row2 { stroke: #3fb950 } .key { stroke: #9198a1 }
}";

/// The size and the position of a panel. All panels have the same axes.
const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 62.0;
const TOP: f64 = 34.0;
const PANEL_DISTANCE: f64 = WIDTH + 86.0;

/// The first and the last power of ten of each logarithmic axis.
const SIZE_DECADES: (i32, i32) = (0, 5);
const TIME_DECADES: (i32, i32) = (1, 11);

/// Returns the plot as an SVG.
pub(crate) fn svg(rows: &[Row]) -> String {
    let mut text = String::new();
    let mut write_element =
        |element: String| writeln!(text, "{element}").expect("a text takes all");
    let (width, height) = (3.0 * PANEL_DISTANCE + 10.0, TOP + HEIGHT + 130.0);
    write_element(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"Time against \
         size, ours and the reference's\">\n<style>\n{STYLE}\n</style>"
    ));
    for (panel_number, panel) in (0_u32..).zip(PANELS) {
        let panel_left = LEFT + f64::from(panel_number) * PANEL_DISTANCE;
        write_element(format!("<g transform=\"translate({panel_left} {TOP})\">"));
        let (title, report_part, names) = panel;
        write_axes(title, &mut write_element);
        for (colour, name) in names.iter().enumerate() {
            let rows_of_line = rows
                .iter()
                .filter(|row| row.report_part == report_part && row.name == *name);
            let rows_of_line: Vec<&Row> = rows_of_line.collect();
            for (class, side) in [
                ("ours", (|row| row.ours) as fn(&Row) -> Cost),
                ("reference", |row| row.reference),
            ] {
                write_element(line_paths(
                    &rows_of_line,
                    side,
                    &format!("row{colour} {class}"),
                ));
            }
            let y = HEIGHT + 60.0 + 18.0 * f64::from(u32::try_from(colour).unwrap_or_default());
            write_element(legend_entry(0.0, y, &format!("row{colour}"), name));
        }
        write_element("</g>".to_owned());
    }
    write_element(format!("<g transform=\"translate({LEFT} {TOP})\">"));
    write_element(legend_entry(0.0, HEIGHT + 114.0, "key ours", "ours"));
    write_element(legend_entry(
        110.0,
        HEIGHT + 114.0,
        "key reference",
        "the reference's",
    ));
    write_element("</g>\n</svg>".to_owned());
    text
}

/// Draws the grid, the labels and the title of a panel.
fn write_axes(title: &str, write_element: &mut impl FnMut(String)) {
    let middle = WIDTH / 2.0;
    write_element(format!(
        "<text class=\"title\" x=\"{middle}\" y=\"-12\" text-anchor=\"middle\">{title}</text>"
    ));
    for decade in SIZE_DECADES.0..=SIZE_DECADES.1 {
        let x = x_position(f64::from(decade));
        let size = 10_u32.pow(decade.unsigned_abs());
        let size = if size >= 1000 {
            format!("{},000", size / 1000)
        } else {
            size.to_string()
        };
        write_element(format!(
            "<line class=\"grid\" x1=\"{x}\" x2=\"{x}\" y1=\"0\" y2=\"{HEIGHT}\"/>"
        ));
        write_element(format!(
            "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{size}</text>",
            HEIGHT + 18.0
        ));
    }
    for decade in TIME_DECADES.0..=TIME_DECADES.1 {
        let y = y_position(f64::from(decade));
        let unit = ["ns", "µs", "ms", "s"][usize::from(decade.unsigned_abs() >= 3)
            + usize::from(decade >= 6)
            + usize::from(decade >= 9)];
        let time = 10_u32.pow(decade.unsigned_abs() % 3);
        write_element(format!(
            "<line class=\"grid\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{y}\" y2=\"{y}\"/>"
        ));
        write_element(format!(
            "<text x=\"-8\" y=\"{}\" text-anchor=\"end\">{time} {unit}</text>",
            y + 4.0
        ));
    }
    write_element(format!(
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">elements</text>",
        HEIGHT + 36.0
    ));
}

/// Draws a line through the known times of one side.
fn line_paths(rows: &[&Row], side: fn(&Row) -> Cost, class: &str) -> String {
    let points = rows.iter().filter_map(|row| {
        let (x, y) = (to_f64(row.size?).log10(), side(row).ns?.max(1.0).log10());
        Some(format!("{:.1} {:.1}", x_position(x), y_position(y)))
    });
    let points: Vec<String> = points.collect();
    if points.is_empty() {
        return String::new();
    }
    let dots = points.iter().map(|point| format!("M{point}m-2.5 0h5"));
    format!(
        "<path class=\"{class}\" d=\"M{}\"/><path class=\"{} dots\" d=\"{}\"/>",
        points.join("L"),
        class.split(' ').next().unwrap_or_default(),
        dots.collect::<String>()
    )
}

fn legend_entry(x: f64, y: f64, class: &str, text: &str) -> String {
    format!(
        "<path class=\"{class}\" d=\"M{x} {y}h28\"/><text x=\"{}\" y=\"{}\">{text}</text>",
        x + 36.0,
        y + 4.0
    )
}

fn x_position(decade: f64) -> f64 {
    WIDTH * (decade - f64::from(SIZE_DECADES.0)) / f64::from(SIZE_DECADES.1 - SIZE_DECADES.0)
}

fn y_position(decade: f64) -> f64 {
    HEIGHT
        * (1.0 - (decade - f64::from(TIME_DECADES.0)) / f64::from(TIME_DECADES.1 - TIME_DECADES.0))
}
