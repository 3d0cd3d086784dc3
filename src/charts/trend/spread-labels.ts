type Room = { gap: number; low: number; high: number }

/** Moves labels as little as possible, so that none covers another. Null stays null. */
export function spreadLabels(ys: readonly (number | null)[], { gap, low, high }: Room): (number | null)[] {
  const placed = ys.flatMap((y, place) => (y === null ? [] : [{ y, place }])).sort((a, b) => a.y - b.y)
  let free = low
  for (const label of placed) {
    label.y = Math.max(label.y, free)
    free = label.y + gap
  }
  let limit = high
  for (const label of placed.toReversed()) {
    label.y = Math.min(label.y, limit)
    limit = label.y - gap
  }
  const yOf = new Map(placed.map(({ place, y }) => [place, y]))
  return ys.map((_, place) => yOf.get(place) ?? null)
}
