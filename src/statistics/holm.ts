/**
 * p-values corrected for being many: the chance of even one false alarm among them stays at the level each is compared
 * with (Holm 1979). A comparison that gave none stays null and does not count.
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
