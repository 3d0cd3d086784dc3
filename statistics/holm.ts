/**
 * Corrects p-values for the number of comparisons: the probability of even one false alarm stays below the significance
 * level (Holm 1979). A null p-value stays null and does not count.
 */
export function holm(pValues: readonly (number | null)[]): (number | null)[] {
  const ranked = pValues.flatMap((p, place) => (p === null ? [] : [{ p, place }])).toSorted((a, b) => a.p - b.p)
  const corrected: (number | null)[] = pValues.map(() => null)
  let largest = 0
  for (const [rank, { p, place }] of ranked.entries()) {
    largest = Math.max(largest, Math.min(1, p * (ranked.length - rank)))
    corrected[place] = largest
  }
  return corrected
}
