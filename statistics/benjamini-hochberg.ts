/**
 * Corrects p-values so that of those below a level at most this share is expected to be false alarms (Benjamini and Hochberg
 * 1995). Use it for a list to look through, and `holm` where one false alarm is too many.
 */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const ranked = pValues.map((p, place) => ({ p, place })).toSorted((a, b) => b.p - a.p)
  const corrected: number[] = pValues.map(() => 1)
  let least = 1
  for (const [above, { p, place }] of ranked.entries()) {
    least = Math.min(least, (p * ranked.length) / (ranked.length - above))
    corrected[place] = least
  }
  return corrected
}
