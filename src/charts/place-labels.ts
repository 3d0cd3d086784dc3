export type Label = { x: number; y: number; text: string }
export type PlacedLabel = Label & { anchor: 'start' | 'end' }

const lineHeight = 15
const letterWidth = 7
const markRadius = 7
/** The offset from the middle of a mark to its label. */
const offset = 11

/** Label positions to try, in order: next to the mark, then one or two lines up or down. */
const places = [0, 1, -1, 2, -2].flatMap((lines) => [
  { lines, isRight: true },
  { lines, isRight: false },
])

/**
 * Places labels next to their marks, on the right if there is room. A label that would cover another label or a mark
 * moves to the other side or a line or two away. If it still doesn't fit, it is omitted and its name appears on hover.
 * Labels stay between `left` and `right`, because the axes are outside.
 */
export function placeLabels(labels: readonly Label[], room: { left: number; right: number }): (PlacedLabel | null)[] {
  const taken = labels.map(({ x, y }) => ({ left: x - markRadius, right: x + markRadius, y }))
  return labels.map(({ x, y, text: whole }) => {
    const text = shortLabel(whole, lettersIn(room.right - room.left))
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

/** How long a name may be in a plot of this width. */
const lettersIn = (width: number) => (width < 480 ? 16 : width < 900 ? 28 : 40)

/** Shortens a long name in the middle, because names differ at both ends. */
export const shortLabel = (text: string, most = 28) =>
  text.length <= most ? text : `${text.slice(0, Math.ceil(most / 2) - 1)}…${text.slice(-Math.floor(most / 2))}`
