//! Random JSON numbers that are difficult to parse or to print.

use std::collections::BTreeMap;

use union_random::Random;

/// Returns a number as JSON, and increments the count of its kind.
pub(crate) fn number(random: &mut Random, kinds: &mut BTreeMap<&'static str, usize>) -> String {
    const KINDS: [(usize, (&str, NumberGenerator)); 14] = [
        (6, ("double", double)),
        (3, ("double of many digits", double_of_many_digits)),
        (3, ("sum", sum)),
        (3, ("price", price)),
        (2, ("between two doubles", between_doubles)),
        (2, ("large whole double", large_whole)),
        (2, ("at a bound of printing", near_bound)),
        (1, ("subnormal", subnormal)),
        (1, ("digits with an exponent", digits_with_exponent)),
        (2, ("whole, written otherwise", unusual_whole)),
        (3, ("integer", integer)),
        (2, ("integer near a power of two", near_power_of_two)),
        (1, ("integer of many digits", many_digits)),
        (1, ("zero", zero)),
    ];
    let (name, make) = random.weighted(&KINDS.map(|(weight, kind)| (weight, kind)));
    *kinds.entry(name).or_default() += 1;
    let text = make(random);
    // Numbers beyond all doubles are errors on both sides.
    match text.parse::<f64>() {
        Ok(float) if float.is_finite() => text,
        _ => "1".to_owned(),
    }
}

type NumberGenerator = fn(&mut Random) -> String;

fn bits(random: &mut Random) -> u64 {
    (0..4).fold(0, |bits, _| bits << 16 | random.below(1 << 16) as u64)
}

fn sign(random: &mut Random) -> &'static str {
    if random.chance(30) { "-" } else { "" }
}

fn digits(random: &mut Random, max: usize) -> String {
    let count = 1 + random.below(max);
    (0..count)
        .map(|_| char::from(b'0' + u8::try_from(random.below(10)).unwrap_or_default()))
        .collect()
}

/// Returns at most `max` digits without leading zeros, which JSON forbids.
fn natural(random: &mut Random, max: usize) -> String {
    let digits = digits(random, max);
    let natural = digits.trim_start_matches('0');
    if natural.is_empty() { "0" } else { natural }.to_owned()
}

fn float(random: &mut Random) -> f64 {
    let float = f64::from_bits(bits(random));
    if float.is_finite() { float } else { 1.5 }
}

/// Returns the shortest string of a double, with `e`, with `E`, or as `serde_json` prints it.
fn double(random: &mut Random) -> String {
    let float = float(random);
    match random.below(3) {
        0 => format!("{float:e}"),
        1 => format!("{float:E}").replace('E', "E+").replace("+-", "-"),
        _ => serde_json::to_string(&float).unwrap_or_default(),
    }
}

/// Returns a double with 17 to 28 digits. 17 digits are enough to identify a double.
fn double_of_many_digits(random: &mut Random) -> String {
    let places = 16 + random.below(12);
    format!("{:.places$e}", float(random))
}

/// Returns a whole number below a bound as a float.
fn small(random: &mut Random, bound: u32) -> f64 {
    f64::from(u32::try_from(random.below(bound as usize)).unwrap_or_default())
}

/// Returns the sum of two numbers with three decimal places. Many sums have a rounding error in the
/// last digit, such as 0.30000000000000004.
fn sum(random: &mut Random) -> String {
    let mut part = || small(random, 2000) / 1000.0;
    (part() + part()).to_string()
}

/// Returns an amount with two decimal places, increased by up to 49.9 percent.
fn price(random: &mut Random) -> String {
    let price = small(random, 10_000_000) / 100.0;
    (price * (1.0 + small(random, 500) / 1000.0)).to_string()
}

/// Returns a number that is not a double, and must be rounded: an odd number of 54 bits, where a
/// double has 53, times a power of two, which is halfway between two doubles; or a number next to
/// this product.
fn between_doubles(random: &mut Random) -> String {
    let odd = u128::from(bits(random) >> 11 | 1 << 52) << 1 | 1;
    // The sum of 54 and 70 bits is less than 128.
    let product = odd << random.below(70);
    let number = match random.below(4) {
        0 => product + 1,
        1 => product - 1,
        _ => product,
    };
    match random.below(3) {
        0 => format!("{}{number}", sign(random)),
        1 => format!("{}{number}.0", sign(random)),
        _ => format!("{}{number}e-{}", sign(random), random.below(40)),
    }
}

/// Returns a whole number of up to 64 bits, rounded to a double and written with `.0`.
#[expect(clippy::cast_precision_loss, reason = "any whole number will do")]
fn large_whole(random: &mut Random) -> String {
    let whole = (bits(random) >> random.below(12)) as f64;
    format!("{}{whole:.1}", sign(random))
}

/// Returns one of the four doubles on each side of a bound, or the bound itself. At most bounds, a
/// printer changes its form, or an integer type ends.
fn near_bound(random: &mut Random) -> String {
    const BOUNDS: [f64; 12] = [
        1e-6,
        1e-7,
        1e21,
        1e20,
        9_007_199_254_740_992.0,
        9_223_372_036_854_775_808.0,
        18_446_744_073_709_551_616.0,
        4_611_686_018_427_387_904.0,
        3.402_823_466_385_288_6e38,
        f64::MAX,
        f64::MIN_POSITIVE,
        1.0,
    ];
    let bound = *random.pick(&BOUNDS);
    let near = bound.to_bits().wrapping_add(random.below(9) as u64);
    let near = f64::from_bits(near.wrapping_sub(4));
    let near = if near.is_finite() { near } else { f64::MAX };
    match random.below(2) {
        0 => format!("{}{near:e}", sign(random)),
        _ => format!("{}{near}", sign(random)),
    }
}

fn subnormal(random: &mut Random) -> String {
    let float = f64::from_bits(bits(random) >> (12 + random.below(52)));
    match random.below(3) {
        0 => format!("{}{float:e}", sign(random)),
        1 => format!("{}{:.25e}", sign(random), float),
        _ => format!("{}e-{}", natural(random, 20), 320 + random.below(30)),
    }
}

/// Returns random digits with an exponent from -330 to 309, a little more than doubles have.
fn digits_with_exponent(random: &mut Random) -> String {
    let fraction = digits(random, 22);
    let power = i64::try_from(random.below(640)).unwrap_or_default() - 330;
    let point = if random.chance(50) {
        format!(".{fraction}")
    } else {
        String::new()
    };
    format!("{}{}{point}e{power}", sign(random), natural(random, 22))
}

/// Returns a whole number with a decimal point or an exponent.
fn unusual_whole(random: &mut Random) -> String {
    let number = natural(random, 12);
    let sign = sign(random);
    let zeros = "0".repeat(1 + random.below(8));
    match random.below(5) {
        0 => format!("{sign}{number}.{zeros}"),
        1 => format!("{sign}{number}e{}", random.below(12)),
        2 => format!("{sign}{number}E+0{}", random.below(9)),
        3 => format!("{sign}{}{zeros}e-{}", 1 + random.below(999), zeros.len()),
        _ => format!(
            "{sign}{number}.{}e{}",
            digits(random, 6),
            6 + random.below(9)
        ),
    }
}

fn integer(random: &mut Random) -> String {
    let bits = bits(random) >> random.below(64);
    format!("{}{bits}", sign(random))
}

fn near_power_of_two(random: &mut Random) -> String {
    let power = 1_u128 << random.below(68);
    let near = (power + random.below(5) as u128).saturating_sub(2);
    format!("{}{near}", sign(random))
}

fn many_digits(random: &mut Random) -> String {
    format!("{}{}", sign(random), natural(random, 60))
}

fn zero(random: &mut Random) -> String {
    const ZEROS: [&str; 8] = [
        "0", "-0", "0.0", "-0.0", "0e7", "-0e-3", "1e-400", "-1e-400",
    ];
    (*random.pick(&ZEROS)).to_owned()
}
