/** The pieces of a line. A missing value, which is null, ends a piece, so that no line covers it. */
export function splitAtGaps<Item>(items: readonly (Item | null)[]): Item[][] {
  const pieces: Item[][] = []
  let isAfterGap = true
  for (const item of items) {
    if (item !== null && isAfterGap) pieces.push([item])
    else if (item !== null) pieces.at(-1)?.push(item)
    isAfterGap = item === null
  }
  return pieces
}
