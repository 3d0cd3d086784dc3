/** Above this number of degrees of freedom, Student's t matches the normal distribution to six digits of a p-value. */
const almostNormal = 1e6

/** Two-sided tail of Student's t: the share beyond ±t. Degrees of freedom may be fractional or infinite. */
export function tailOfT(t: number, degrees: number) {
  if (degrees >= almostNormal) return tailOfNormal(t)
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5)
}

/** Below one degree of freedom, t has no useful bound. */
const largestT = 1e9

/**
 * The t whose two-sided tail is `tail`, by Newton's method. From zero it never steps past the solution, because the
 * tail falls ever more slowly. A step that no longer moves t is its end.
 */
export function tOfTail(tail: number, degrees: number) {
  const density = densityOfT(degrees)
  let t = 0
  for (let step = 0; step < 200; step += 1) {
    const next = t + (tailOfT(t, degrees) - tail) / (2 * density(t))
    if (!(next > t * (1 + 1e-14))) break
    t = Math.min(next, largestT)
  }
  return t
}

function densityOfT(degrees: number) {
  if (degrees >= almostNormal) return (t: number) => Math.exp((-t * t) / 2) / Math.sqrt(2 * Math.PI)
  const peak = Math.exp(logGamma((degrees + 1) / 2) - logGamma(degrees / 2)) / Math.sqrt(degrees * Math.PI)
  return (t: number) => peak * (1 + (t * t) / degrees) ** (-(degrees + 1) / 2)
}

/** Two-sided tail of the normal distribution: a power series near the mean, a continued fraction further out. */
function tailOfNormal(z: number) {
  const x = Math.abs(z)
  const density = Math.exp((-x * x) / 2) * Math.sqrt(2 / Math.PI)
  if (x > 3) {
    let fraction = x
    for (let term = 100; term >= 1; term -= 1) fraction = x + term / fraction
    return density / fraction
  }
  let [term, sum] = [x, x]
  for (let odd = 3; term > sum * Number.EPSILON; odd += 2) {
    term *= (x * x) / odd
    sum += term
  }
  return 1 - density * sum
}

const lanczosTerms = [
  76.18009172947146, -86.50532032941678, 24.01409824083091, -1.231739572450155, 0.001208650973866179,
  -0.000005395239384953,
]

/** ln Γ(x) for x > 0 (Lanczos 1964). */
export function logGamma(x: number) {
  const base = x + 5.5
  const series = lanczosTerms.reduce((sum, term, place) => sum + term / (x + place + 1), 1.000000000190015)
  return (x + 0.5) * Math.log(base) - base + Math.log((Math.sqrt(2 * Math.PI) * series) / x)
}

/** The regularized incomplete beta function I_x(a, b). */
function incompleteBeta(x: number, a: number, b: number) {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  const converges = x < (a + 1) / (a + b + 2)
  return converges ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b
}

/** Its continued fraction, by Lentz's method (Numerical Recipes 2nd ed., betacf). */
function betaFraction(x: number, a: number, b: number) {
  const awayFromZero = (value: number) => (Math.abs(value) < 1e-300 ? 1e-300 : value)
  let c = 1
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; m <= 10_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    let change = 1
    for (const term of [even, odd]) {
      d = 1 / awayFromZero(1 + term * d)
      c = awayFromZero(1 + term / c)
      change = c * d
      result *= change
    }
    if (Math.abs(change - 1) < 1e-12) break
  }
  return result
}
