export type Label = { x: number; y: number; text: string }
export type PlacedLabel = Label & { anchor: 'start' | 'end' }

const lineHeight = 15
const letterWidth = 7
const markRadius = 7
/** From the middle of a mark to its label. */
const offset = 11

/** Where a label is tried, in order: beside its mark, then a line or two up or down. */
const places = [0, 1, -1, 2, -2].flatMap((lines) => [
  { lines, isRight: true },
  { lines, isRight: false },
])

/**
 * Labels beside their marks, right of them where there is room. One that would cover another, or a mark, goes to the
 * other side or a line or two away; one that still would is left out, and its mark tells its name on hover.
 * None leaves the room between `left` and `right`, beside which the axes are written.
 */
export function placeLabels(labels: readonly Label[], room: { left: number; right: number }): (PlacedLabel | null)[] {
  const taken = labels.map(({ x, y }) => ({ left: x - markRadius, right: x + markRadius, y }))
  return labels.map(({ x, y, text: whole }) => {
    const text = shortLabel(whole, room.right - room.left < 480 ? 16 : 28)
    const length = text.length * letterWidth
    for (const { lines, isRight } of places) {
      const left = isRight ? x + offset : x - offset - length
      const label = { left, right: left + length, y: y + lines * lineHeight }
      if (left < room.left || label.right > room.right || taken.some((other) => overlaps(label, other))) continue
      taken.push(label)
      return { x: isRight ? left : label.right, y: label.y, text, anchor: isRight ? 'start' : 'end' }
    }
    return null
  })
}

type Box = { left: number; right: number; y: number }

const overlaps = (one: Box, other: Box) =>
  Math.abs(one.y - other.y) < lineHeight && one.left <= other.right && other.left <= one.right

/** Long names keep both ends, where they differ. */
export const shortLabel = (text: string, most = 28) =>
  text.length <= most ? text : `${text.slice(0, Math.ceil(most / 2) - 1)}…${text.slice(-Math.floor(most / 2))}`
