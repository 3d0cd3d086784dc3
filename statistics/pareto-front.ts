/**
 * The entries that no other entry beats by costing no more and being at least as good without being equal. Cheapest
 * first.
 */
export function paretoFront<Entry extends { cost: number; quality: number }>(entries: readonly Entry[]): Entry[] {
  const front: Entry[] = []
  for (const entry of entries.toSorted((a, b) => a.cost - b.cost || b.quality - a.quality)) {
    const last = front.at(-1)
    const isTie = last?.cost === entry.cost && last.quality === entry.quality
    if (!last || entry.quality > last.quality || isTie) front.push(entry)
  }
  return front
}
