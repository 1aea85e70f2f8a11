//! Units as text, in the spellings that astropy writes.

use super::function::Function;
use super::names::Named;
use super::power::{Power, is_unity};
use super::product::Product;
use super::spelling::Spelling;

/// Returns the text of a product. Fails with a message if the spelling cannot express it.
pub(super) fn product(product: &Product, spelling: Spelling) -> Result<String, String> {
    let known = product.in_spelling(spelling)?;
    match spelling {
        Spelling::Generic => Ok(generic(&known)),
        Spelling::VoUnit => vounit(&known),
        Spelling::Fits => fits(&known),
        Spelling::Cds => Ok(cds(&known)),
    }
}

/// Returns the text of a logarithmic unit.
pub(super) fn log(function: Function, of: &Product, spelling: Spelling) -> Result<String, String> {
    match (spelling, function) {
        (Spelling::Generic, _) => {
            let of = generic(of);
            Ok(format!("{}({})", function.name(), if of.is_empty() { "1" } else { &of }))
        }
        (Spelling::Cds, Function::Dex) if of.is_unity() == Some(true) => Ok("[-]".to_owned()),
        (Spelling::Cds, Function::Dex) => Ok(format!("[{}]", product(of, spelling)?)),
        _ => Err(format!("the spelling {} has no logarithms of units", spelling.name())),
    }
}

fn generic(product: &Product) -> String {
    let factor = |(named, power): &(Named, Power)| factor(named, *power, Spelling::Generic);
    let scale = if product.scale == 1.0 { String::new() } else { general(product.scale, 6) };
    let negative = product.factors.iter().position(|(_, power)| power.is_negative()).unwrap_or(product.factors.len());
    let (numerator, denominator) = product.factors.split_at_checked(negative).unwrap_or_default();
    let numerator: Vec<_> = numerator.iter().map(factor).collect();
    let denominator: Vec<_> =
        denominator.iter().map(|(named, power)| factor(&(named.clone(), power.negated()))).collect();
    let mut out = scale;
    if product.factors.is_empty() {
        return out;
    }
    let has_scale = !out.is_empty();
    if has_scale {
        out.push(' ');
    }
    if !numerator.is_empty() {
        out.push_str(&numerator.join(" "));
    } else if !has_scale {
        out.push('1');
    }
    match &*denominator {
        [] => {}
        [only] => out.push_str(&format!("{}/ {only}", if out.ends_with(' ') { "" } else { " " })),
        _ => {
            let space = if out.ends_with(' ') { "" } else { " " };
            out.push_str(&format!("{space}/ ({})", denominator.join(" ")));
        }
    }
    out
}

fn vounit(product: &Product) -> Result<String, String> {
    if product.scale != 1.0 && product.decomposed().is_some_and(|product| product.factors.is_empty()) {
        return Err("VOUnit has no scaled numbers".to_owned());
    }
    let scale = if product.scale == 1.0 { String::new() } else { general(product.scale, 8) };
    Ok(scale + &list(product, ".", Spelling::VoUnit))
}

fn fits(product: &Product) -> Result<String, String> {
    let exponent = product.scale.log10();
    if exponent.fract() != 0.0 || !exponent.is_finite() {
        return Err("FITS has only powers of ten as a scale".to_owned());
    }
    let units = list(product, " ", Spelling::Fits);
    if product.scale == 1.0 {
        return Ok(units);
    }
    let space = if units.is_empty() { "" } else { " " };
    Ok(format!("10**{exponent}{space}{units}"))
}

fn cds(product: &Product) -> String {
    if product.factors.is_empty() {
        if product.scale == 1.0 {
            return "---".to_owned();
        } else if is_unity(product.scale * 100.0) {
            return "%".to_owned();
        }
    }
    let scale = if product.scale == 1.0 { String::new() } else { cds_scale(product.scale) };
    scale + &list(product, ".", Spelling::Cds)
}

/// Returns a scale as `1.5x10+3`.
fn cds_scale(scale: f64) -> String {
    let text = general(scale, 8);
    let Some((mantissa, exponent)) = text.split_once('e') else {
        return if text == "1" { String::new() } else { text };
    };
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', exponent.trim_start_matches('+')),
    };
    let exponent = format!("10{sign}{}", digits.trim_start_matches('0'));
    if mantissa == "1" { exponent } else { format!("{mantissa}x{exponent}") }
}

fn list(product: &Product, separator: &str, spelling: Spelling) -> String {
    let factors: Vec<_> = product.factors.iter().map(|(named, power)| factor(named, *power, spelling)).collect();
    factors.join(separator)
}

/// Returns a unit with its power.
fn factor(named: &Named, power: Power, spelling: Spelling) -> String {
    let mut out = named.name_in(spelling);
    if power == Power::ONE {
        return out;
    }
    let power = power.text();
    let is_plain = !power.contains(['/', '.']);
    match spelling {
        Spelling::VoUnit if is_plain => out.push_str(&format!("**{power}")),
        Spelling::VoUnit => out.push_str(&format!("**({power})")),
        Spelling::Cds if power.starts_with('-') => out.push_str(&power),
        Spelling::Cds => out.push_str(&format!("+{power}")),
        _ if is_plain => out.push_str(&power),
        _ => out.push_str(&format!("({power})")),
    }
    out
}

/// Returns a number as `%g` of C does, with `digits` significant digits.
fn general(number: f64, digits: usize) -> String {
    let scientific = format!("{number:.*e}", digits - 1);
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let without_zeros = |text: &str| {
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() }
    };
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", without_zeros(mantissa), exponent.unsigned_abs());
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    without_zeros(&format!("{number:.decimals$}"))
}

#[cfg(test)]
mod tests {
    use super::general;

    #[test]
    fn numbers_are_written_as_by_c() {
        for (number, digits, expected) in [
            (1000.0, 6, "1000"),
            (1e6, 6, "1e+06"),
            (999_999.5, 6, "1e+06"),
            (0.0001, 6, "0.0001"),
            (0.000_01, 6, "1e-05"),
            (1.234_567_89, 6, "1.23457"),
            (1.234_567_89, 8, "1.2345679"),
            (-3.0, 6, "-3"),
            (1e-300, 6, "1e-300"),
            (12_345_678.0, 8, "12345678"),
        ] {
            assert_eq!(general(number, digits), expected);
        }
    }
}
