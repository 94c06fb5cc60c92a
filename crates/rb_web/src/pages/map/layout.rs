//! Squarified treemaps: areas in proportion to sizes, with sides as equal as can be.

/// A rectangle, in units of the drawing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Rect {
    pub(super) fn area(&self) -> f64 {
        self.width * self.height
    }

    /// Without a margin on all sides, and without a strip at the top.
    pub(super) fn inside(&self, margin: f64, top: f64) -> Rect {
        Rect {
            x: self.x + margin,
            y: self.y + margin + top,
            width: (self.width - 2.0 * margin).max(0.0),
            height: (self.height - 2.0 * margin - top).max(0.0),
        }
    }
}

/// A rectangle for each size, in their order. Sizes are above zero; those sorted from the largest look best.
pub(super) fn squarified(sizes: &[f64], within: Rect) -> Vec<Rect> {
    let total: f64 = sizes.iter().sum();
    let scale = if total > 0.0 { within.area() / total } else { 0.0 };
    let areas: Vec<f64> = sizes.iter().map(|size| size * scale).collect();
    let mut rects = Vec::with_capacity(sizes.len());
    let mut rest = within;
    let mut first = 0;
    while first < areas.len() {
        let row = &areas[first..first + row_length(&areas[first..], rest.width.min(rest.height))];
        rest = lay_row(row, rest, &mut rects);
        first += row.len();
    }
    rects
}

/// How many of the areas stand side by side along `side`: as many as make the worst of them better.
fn row_length(areas: &[f64], side: f64) -> usize {
    let mut sum = areas[0];
    let mut worst = worst_ratio(sum, areas[0], areas[0], side);
    for (at, &area) in areas.iter().enumerate().skip(1) {
        let next = worst_ratio(sum + area, areas[0], area, side);
        if next > worst {
            return at;
        }
        sum += area;
        worst = next;
    }
    areas.len()
}

/// The longer side by the shorter one, of the most stretched rectangle of a row.
fn worst_ratio(sum: f64, largest: f64, smallest: f64, side: f64) -> f64 {
    let thickness = sum / side;
    let ratio = |area: f64| {
        let length = area / thickness;
        (length / thickness).max(thickness / length)
    };
    ratio(largest).max(ratio(smallest))
}

/// Puts a row along the shorter side and gives what is left.
fn lay_row(row: &[f64], rest: Rect, into: &mut Vec<Rect>) -> Rect {
    let sum: f64 = row.iter().sum();
    if rest.width >= rest.height {
        let width = if rest.height > 0.0 { (sum / rest.height).min(rest.width) } else { 0.0 };
        let mut y = rest.y;
        for area in row {
            let height = if width > 0.0 { area / width } else { 0.0 };
            into.push(Rect { x: rest.x, y, width, height });
            y += height;
        }
        Rect { x: rest.x + width, width: rest.width - width, ..rest }
    } else {
        let height = if rest.width > 0.0 { (sum / rest.width).min(rest.height) } else { 0.0 };
        let mut x = rest.x;
        for area in row {
            let width = if height > 0.0 { area / height } else { 0.0 };
            into.push(Rect { x, y: rest.y, width, height });
            x += width;
        }
        Rect { y: rest.y + height, height: rest.height - height, ..rest }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WITHIN: Rect = Rect { x: 10.0, y: 20.0, width: 300.0, height: 200.0 };
    const NEAR: f64 = 1e-6;

    fn overlap(a: &Rect, b: &Rect) -> f64 {
        let along = |a: f64, length: f64, b: f64, other: f64| {
            ((a + length).min(b + other) - a.max(b)).max(0.0)
        };
        along(a.x, a.width, b.x, b.width) * along(a.y, a.height, b.y, b.height)
    }

    proptest! {
        #[test]
        fn ux4_areas_are_in_proportion_within_bounds_and_apart(mut sizes in proptest::collection::vec(1.0..5000.0_f64, 1..60)) {
            sizes.sort_by(|a, b| b.total_cmp(a));
            let total: f64 = sizes.iter().sum();
            let rects = squarified(&sizes, WITHIN);
            prop_assert_eq!(rects.len(), sizes.len());
            for (rect, size) in rects.iter().zip(&sizes) {
                prop_assert!((rect.area() - size / total * WITHIN.area()).abs() < NEAR * WITHIN.area());
                prop_assert!(rect.x >= WITHIN.x - NEAR && rect.y >= WITHIN.y - NEAR);
                prop_assert!(rect.x + rect.width <= WITHIN.x + WITHIN.width + NEAR);
                prop_assert!(rect.y + rect.height <= WITHIN.y + WITHIN.height + NEAR);
            }
            for (at, one) in rects.iter().enumerate() {
                for other in &rects[at + 1..] {
                    prop_assert!(overlap(one, other) < NEAR * WITHIN.area());
                }
            }
        }
    }

    #[test]
    fn ux4_equal_sizes_are_nearly_square() {
        let square = Rect { x: 0.0, y: 0.0, width: 90.0, height: 90.0 };
        for rect in squarified(&[1.0; 9], square) {
            assert!((rect.width - 30.0).abs() < NEAR && (rect.height - 30.0).abs() < NEAR);
        }
        assert_eq!(squarified(&[], square), []);
    }
}
