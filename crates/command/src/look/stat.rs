//! `asdfkit stat`: statistics of the numbers of arrays, read in pieces.

use super::get::split_region;
use super::quantiles::{Histogram, Quantiles, histogram, quantile};
use crate::core::arguments::{InUnit, Threads};
use crate::core::display_format::{DisplayFormat, Shown};
use crate::core::elements::{Leaf, for_each_piece, leaves};
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::input::Input;
use crate::core::output::{Output, Report, Style, printable};
use crate::core::parts::Part;
use crate::core::region::Selection;
use crate::core::tree_path::TreePath;
use crate::core::value;
use crate::core::walk::Walk;
use clap::Args;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::{self, Write};

/// Number of bins of the line that shows the distribution.
const BINS: usize = 40;
/// Ratio of all numbers' range to that of 98 percent of them from which on a histogram leaves out the others.
const FAR: f64 = 10.0;
/// Percentiles that are shown by default.
const PERCENTILES: [f64; 5] = [1.0, 25.0, 50.0, 75.0, 99.0];

/// Show statistics of arrays: count, minimum, maximum, mean, standard deviation, NaN, missing elements, percentiles
///
/// Arrays of any size need the same memory. Percentiles are exact up to a million elements; beyond, the rank error is
/// stated, and ~ marks them in a table. TABLE/COLUMN is a column, and ARRAY/FIELD a field of records. Several arrays are
/// shown as a table with a line for each.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Files to read, or folders of them, and paths of arrays, such as data or data[10:20,::4]; all arrays by default
    ///
    /// `-` is standard input. The arguments after the first one that are names of files are files.
    #[arg(required = true, value_name = "FILE|PATH")]
    pub(crate) files: Vec<OsString>,
    /// Path of an array; all other arguments are then files; can be repeated
    #[arg(short = 'k', long = "key", value_name = "PATH")]
    pub(crate) keys: Vec<TreePath>,
    /// Part of each array in the notation of numpy: [10:20,::4]
    #[arg(short, long, allow_hyphen_values = true)]
    region: Option<String>,
    /// Percentiles to show, such as 5,50,95
    #[arg(short, long, value_delimiter = ',', value_name = "NUMBERS")]
    percentiles: Option<Vec<f64>>,
    /// Show a histogram with this number of bins
    #[arg(long, value_name = "BINS", num_args = 0..=1, default_missing_value = "20", value_parser = parse_bins)]
    histogram: Option<usize>,
    #[command(flatten)]
    unit: InUnit,
    #[command(flatten)]
    threads: Threads,
}

/// Parses the number of bins, which can be left out only at the end.
fn parse_bins(text: &str) -> std::result::Result<usize, String> {
    let wrong = "it is no number of bins; --histogram without one stands after the files and paths";
    text.parse().map_err(|_| wrong.to_owned())
}

/// Shows statistics of the arrays of one file.
pub(crate) fn run(
    input: &Input,
    paths: &[TreePath],
    is_single: bool,
    arguments: &Arguments,
    output: &mut Output,
) -> Result<Outcome> {
    let percentiles = arguments.percentiles.clone().unwrap_or(PERCENTILES.to_vec());
    if percentiles.iter().any(|percentile| !(0.0..=100.0).contains(percentile)) {
        return Err(Failure::usage("percentiles are numbers from 0 to 100"));
    }
    if arguments.histogram.is_some_and(|bins| !(1..=1000).contains(&bins)) {
        return Err(Failure::usage("a histogram has 1 to 1000 bins"));
    }
    if input.is_ecsv() {
        return Err(Failure::usage(
            "stat reads arrays of ASDF files; convert makes one of a table, show draws a column",
        ));
    }
    let file = input.asdf_in_pieces()?;
    let root = file.root()?;
    let mut nodes = Vec::new();
    if paths.is_empty() {
        let mut walk = Walk::new(root, String::new());
        while let Some(visit) = walk.next()? {
            if visit.node_type.is_some() && visit.alias_of.is_none() && visit.node.is_array("")? {
                nodes.push((visit.path, Part::Node(visit.node), None));
            } else if visit.node_type.is_none() || value::large_integer(&visit.node)?.is_none() {
                walk.enter(&visit)?;
            }
        }
    } else {
        for path in paths {
            let (inner, region) = split_region(&root, path)?;
            nodes.push((inner.to_owned(), Part::find(&root, inner)?, region));
        }
    }
    let mut fields = Vec::new();
    for (path, part, region) in nodes {
        let Some((array, _)) = part.array()? else {
            return Err(Failure::not_found(format!("there is no array at '{path}'")));
        };
        let selection = match arguments.region.as_deref().or(region) {
            Some(region) => Selection::parse(region, array.shape())?,
            None => Selection::all(array.shape()),
        };
        let read_as = arguments.unit.of(&array)?;
        let leaves = leaves(&read_as.0)?;
        let mut sums: Vec<Statistics> = leaves.iter().map(|_| Statistics::default()).collect();
        let item = read_as.0.item_size()?.max(1) as usize;
        for_each_piece(&array, &selection, &read_as, arguments.threads.number(), |piece| {
            for (leaf, sum) in leaves.iter().zip(&mut sums) {
                sum.begin_piece();
                for (index, element) in piece.bytes.chunks_exact(item).enumerate() {
                    if piece.is_missing(index) { sum.masked += 1 } else { sum.add(leaf, element) }
                }
                sum.end_piece();
            }
            Ok(())
        })?;
        for (leaf, statistics) in leaves.into_iter().zip(sums) {
            fields.push(Field { path: path.clone(), name: leaf.name, part: leaf.path, statistics });
        }
    }
    let found = !fields.is_empty();
    let name = input.name();
    output.report(&StatReport { name, is_single, fields, percentiles, bins: arguments.histogram })?;
    Ok(Outcome::of(found))
}

/// Statistics of a stream of numbers.
#[derive(Default)]
struct Statistics {
    /// Numbers other than NaN, including infinities.
    count: u64,
    nan: u64,
    infinite: u64,
    masked: u64,
    /// Elements that are no real numbers.
    other: u64,
    least: Option<f64>,
    most: Option<f64>,
    /// Exact extremes of integers.
    integers: Option<(i128, i128)>,
    /// First integer. The mean is computed from the distances to it, which a double holds where it does not hold the
    /// integers themselves.
    origin: Option<i128>,
    /// Mean of the numbers, without the origin.
    mean: f64,
    /// Sum of the squared distances from the mean.
    squares: f64,
    quantiles: Quantiles,
    piece: Vec<f64>,
}

impl Statistics {
    fn begin_piece(&mut self) {
        self.piece.clear();
    }

    fn add(&mut self, leaf: &Leaf, element: &[u8]) {
        let Some(numbers) = leaf.numbers(element).filter(|_| !leaf.is_complex()) else {
            self.other += 1;
            return;
        };
        if numbers.real.is_nan() {
            self.nan += 1;
            return;
        }
        if numbers.real.is_infinite() {
            self.infinite += 1;
        }
        if let Some(exact) = numbers.exact {
            let (least, most) = self.integers.unwrap_or((exact, exact));
            self.integers = Some((least.min(exact), most.max(exact)));
        }
        self.least = Some(self.least.map_or(numbers.real, |least| least.min(numbers.real)));
        self.most = Some(self.most.map_or(numbers.real, |most| most.max(numbers.real)));
        let number = match numbers.exact {
            Some(exact) => (exact - *self.origin.get_or_insert(exact)) as f64,
            None => numbers.real,
        };
        self.piece.push(number);
        self.quantiles.add(numbers.real);
    }

    /// Merges the mean and the squares of the piece into those of the pieces before (Chan, Golub and LeVeque).
    fn end_piece(&mut self) {
        let added = self.piece.len() as u64;
        if added == 0 {
            return;
        }
        let shift = self.piece[0];
        let mean = shift + self.piece.iter().map(|number| number - shift).sum::<f64>() / added as f64;
        let squares: f64 = self.piece.iter().map(|number| (number - mean) * (number - mean)).sum();
        let total = self.count + added;
        let distance = mean - self.mean;
        let part = added as f64 / total as f64;
        self.squares += squares + distance * distance * self.count as f64 * part;
        self.mean = if self.count == 0 { mean } else { self.mean + distance * part };
        self.count = total;
    }

    /// Returns the mean; `None` without numbers.
    fn mean(&self) -> Option<f64> {
        // The whole part of the mean is added to the origin exactly.
        let whole = self.mean.floor();
        let sum = self.origin.map_or(self.mean, |origin| (origin + whole as i128) as f64 + (self.mean - whole));
        (self.count > 0).then_some(sum)
    }

    fn deviation(&self) -> Option<f64> {
        (self.count > 0).then(|| (self.squares / self.count as f64).sqrt())
    }
}

struct Field {
    path: String,
    /// Name of the field of records, and its path below that of the array.
    name: String,
    part: String,
    statistics: Statistics,
}

struct StatReport {
    name: String,
    /// True if the file is the only one.
    is_single: bool,
    fields: Vec<Field>,
    percentiles: Vec<f64>,
    bins: Option<usize>,
}

/// Returns a percentile as text, without a fraction if it has none.
fn percent(percentile: f64) -> String {
    format!("{percentile}")
}

impl Report for StatReport {
    fn json(&self) -> Value {
        let fields = self.fields.iter().map(|field| {
            let Statistics { count, nan, infinite, masked, other, least, most, integers, .. } = &field.statistics;
            let sum = &field.statistics;
            let sorted = sum.quantiles.sorted();
            let extreme = |exact: Option<i128>, real: &Option<f64>| match (exact, real) {
                (Some(exact), _) => value::number(&exact.to_string()),
                (None, real) => real.map_or(Value::Null, value::float),
            };
            let known = |number: Option<f64>| number.map_or(Value::Null, value::float);
            let percentiles = self.percentiles.iter();
            let percentiles: serde_json::Map<String, Value> = percentiles
                .map(|percentile| (percent(*percentile), known(quantile(&sorted, percentile / 100.0))))
                .collect();
            let mut out = json!({
                "path": field.path,
                "field": field.name,
                "count": count,
                "nan": nan,
                "infinite": infinite,
                "masked": masked,
                "not_numbers": other,
                "min": extreme(integers.map(|pair| pair.0), least),
                "max": extreme(integers.map(|pair| pair.1), most),
                "mean": known(sum.mean()),
                "std": known(sum.deviation()),
                "percentiles": percentiles,
                "rank_error": sum.quantiles.rank_error(),
            });
            if let (Some(bins), Some(range)) = (self.bins, Range::of(&sorted)) {
                let Histogram { counts, below, above } = histogram(&sorted, range.least, range.most, bins);
                out["histogram"] = json!({
                    "least": range.least,
                    "most": range.most,
                    "counts": counts,
                    "below": below,
                    "above": above,
                });
            }
            out
        });
        json!({"file": self.name, "arrays": fields.collect::<Vec<_>>()})
    }

    fn text(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        if !self.is_single {
            writeln!(out, "{}", style.name(printable(&self.name)))?;
        }
        if self.fields.len() > 1 && self.bins.is_none() {
            return self.table(out, style);
        }
        for field in &self.fields {
            self.block(field, out, style)?;
        }
        Ok(())
    }
}

/// Name of a column of counts, and the count.
type Count = (&'static str, fn(&Statistics) -> u64);

impl StatReport {
    /// Writes a line for each array.
    fn table(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        let mut heads: Vec<String> = ["array", "count"].map(str::to_owned).to_vec();
        let counts: [Count; 4] = [
            ("NaN", |sum| sum.nan),
            ("infinite", |sum| sum.infinite),
            ("missing", |sum| sum.masked),
            ("not numbers", |sum| sum.other),
        ];
        // Columns of zeros say nothing.
        let counts = counts.iter().filter(|(_, number)| self.fields.iter().any(|field| number(&field.statistics) > 0));
        let counts: Vec<_> = counts.collect();
        heads.extend(counts.iter().map(|(name, _)| (*name).to_owned()));
        heads.extend(["min", "max", "mean", "std"].map(str::to_owned));
        heads.extend(self.percentiles.iter().map(|percentile| format!("{}%", percent(*percentile))));
        let mut lines = vec![heads];
        for field in &self.fields {
            let sum = &field.statistics;
            let mut line = vec![printable(&field.shown()), sum.count.to_string()];
            line.extend(counts.iter().map(|(_, number)| number(sum).to_string()));
            let (least, most) = sum.extremes();
            let number = |number: Option<f64>| number.map_or("--".to_owned(), short);
            line.extend([least, most, number(sum.mean()), number(sum.deviation())]);
            let sorted = sum.quantiles.sorted();
            let mark = if sum.quantiles.rank_error() > 0.0 { "~" } else { "" };
            let marked = |percentile: &f64| format!("{mark}{}", number(quantile(&sorted, percentile / 100.0)));
            line.extend(self.percentiles.iter().map(marked));
            lines.push(line);
        }
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
        for (number, line) in lines.iter().enumerate() {
            let (name, rest) = (&line[0], &line[1..]);
            let mut text = format!("{name:<width$}", width = widths[0]);
            for (cell, width) in rest.iter().zip(&widths[1..]) {
                text.push_str(&format!("  {cell:>width$}"));
            }
            writeln!(out, "{}", if number == 0 { style.name(text) } else { text })?;
        }
        let error = self.fields.iter().map(|field| field.statistics.quantiles.rank_error()).fold(0.0, f64::max) * 100.0;
        if error > 0.0 {
            writeln!(out, "~ the ranks of these percentiles are right within {error:.4} %")?;
        }
        Ok(())
    }

    /// Writes the statistics of one array, one below the other.
    fn block(&self, field: &Field, out: &mut dyn Write, style: Style) -> io::Result<()> {
        let sum = &field.statistics;
        writeln!(out, "{}", style.name(printable(&field.shown())))?;
        let counts = [
            (sum.count, "numbers"),
            (sum.nan, "NaN"),
            (sum.infinite, "infinite"),
            (sum.masked, "missing"),
            (sum.other, "not real numbers"),
        ];
        let counts = counts.iter().filter(|(count, what)| *count > 0 || *what == "numbers");
        let counts: Vec<String> = counts.map(|(count, what)| format!("{count} {what}")).collect();
        writeln!(out, "  count  {}", counts.join(", "))?;
        let (Some(mean), Some(deviation)) = (sum.mean(), sum.deviation()) else { return Ok(()) };
        let (least, most) = sum.extremes();
        writeln!(out, "  min    {least}\n  max    {most}\n  mean   {mean:?}\n  std    {deviation:?}")?;
        let sorted = sum.quantiles.sorted();
        for percentile in &self.percentiles {
            let number = quantile(&sorted, percentile / 100.0).unwrap_or(f64::NAN);
            writeln!(out, "  {:<6} {number:?}", format!("{}%", percent(*percentile)))?;
        }
        let error = sum.quantiles.rank_error() * 100.0;
        if error > 0.0 {
            writeln!(out, "  The ranks of the percentiles are right within {error:.4} %.")?;
        }
        let Some(range) = Range::of(&sorted) else { return Ok(()) };
        let found = histogram(&sorted, range.least, range.most, self.bins.unwrap_or(BINS));
        match self.bins {
            None => writeln!(out, "  {}", sparkline(&found.counts))?,
            Some(_) => draw(out, &found.counts, range.least, range.most)?,
        }
        if found.below + found.above > 0 {
            let (least, most) = (range.least, range.most);
            let (below, above) = (found.below, found.above);
            writeln!(out, "  from {least:.6} to {most:.6}; {below} numbers are below, {above} above")?;
        }
        Ok(())
    }
}

impl Field {
    /// Returns the path of the array, or of the field, in the form of an argument.
    fn shown(&self) -> String {
        TreePath::shown_of(&format!("{}{}", self.path, self.part)).to_owned()
    }
}

impl Statistics {
    /// Returns the smallest and the largest number as text.
    fn extremes(&self) -> (String, String) {
        match (self.integers, self.least, self.most) {
            (Some((least, most)), ..) => (least.to_string(), most.to_string()),
            (None, Some(least), Some(most)) => (format!("{least:?}"), format!("{most:?}")),
            _ => ("--".to_owned(), "--".to_owned()),
        }
    }
}

/// Returns a number with six digits, or with all digits if it has fewer.
fn short(number: f64) -> String {
    let whole = format!("{number:?}");
    let format = DisplayFormat::parse("%.6g").and_then(|format| format.apply(&Shown::Float(number)));
    if whole.len() <= 8 { whole } else { format.unwrap_or(whole) }
}

/// Range of a histogram.
struct Range {
    least: f64,
    most: f64,
}

impl Range {
    /// Returns the range of the finite numbers. Outliers, which are far from 98 percent of the numbers, are left out: with
    /// them, all other numbers would be in one bin.
    fn of(sorted: &[(f64, u64)]) -> Option<Range> {
        let finite: Vec<(f64, u64)> = sorted.iter().copied().filter(|(number, _)| number.is_finite()).collect();
        let (least, most) = (finite.first()?.0, finite.last()?.0);
        let (low, high) = (quantile(&finite, 0.01)?, quantile(&finite, 0.99)?);
        let spread = high - low;
        if spread > 0.0 && (most - least) > FAR * spread {
            return Some(Range { least: least.max(low - spread), most: most.min(high + spread) });
        }
        // A few numbers far from many equal ones.
        Some(Range { least, most })
    }
}

/// Returns counts as one line of bars. Any count but 0 has a bar.
fn sparkline(counts: &[u64]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    counts
        .iter()
        .map(|&count| if count == 0 { ' ' } else { BARS[(count as f64 / most as f64 * 7.0) as usize] })
        .collect()
}

/// Writes a histogram with one line for each bin.
fn draw(out: &mut dyn Write, counts: &[u64], least: f64, most: f64) -> io::Result<()> {
    let largest = counts.iter().copied().max().unwrap_or(0).max(1);
    let width = (most - least) / counts.len() as f64;
    for (index, count) in counts.iter().enumerate() {
        let bar = "█".repeat((*count as f64 / largest as f64 * 50.0).ceil() as usize);
        writeln!(out, "  {:>12} {bar} {count}", short(least + width * index as f64))?;
    }
    Ok(())
}
