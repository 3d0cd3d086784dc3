export type Label = { x: number; y: number; text: string }
export type PlacedLabel = Label & { anchor: 'start' | 'end' }

const lineHeight = 15
const letterWidth = 6.6
const markRadius = 7
/** From the middle of a mark to its label. */
const offset = 11

/**
 * Labels beside their marks, right of them where there is room. One that would cover another, or a mark, moves down or up by a
 * line or two; one that still would is left out, and its mark tells its name on hover.
 */
export function placeLabels(labels: readonly Label[], width: number): (PlacedLabel | null)[] {
  const taken = labels.map(({ x, y }) => ({ left: x - markRadius, right: x + markRadius, y }))
  return labels.map(({ x, y, text: whole }) => {
    const text = shortLabel(whole, width < 480 ? 16 : 28)
    const length = text.length * letterWidth
    const isRight = x + offset + length <= width
    const left = isRight ? x + offset : x - offset - length
    if (left < 0) return null
    const isFree = (at: number) =>
      taken.every((other) => Math.abs(other.y - at) >= lineHeight || other.right < left || other.left > left + length)
    const place = [0, 1, -1, 2, -2].map((lines) => y + lines * lineHeight).find(isFree)
    if (place === undefined) return null
    taken.push({ left, right: left + length, y: place })
    return { x: isRight ? x + offset : x - offset, y: place, text, anchor: isRight ? 'start' : 'end' }
  })
}

/** Long names keep both ends, where they differ. */
export const shortLabel = (text: string, most = 28) =>
  text.length <= most ? text : `${text.slice(0, Math.ceil(most / 2) - 1)}…${text.slice(-Math.floor(most / 2))}`
