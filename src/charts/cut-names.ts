/** A name is not cut for one letter: a cut removes two to make room for its mark. */
export const fits = (text: string, most: number) => text.length <= most + 1

/** Shortens a long name in the middle, and keeps more of its end, where names differ more often. */
export function cutMiddle(text: string, most: number) {
  if (fits(text, most)) return text
  if (most < 2) return '…'
  const tail = Math.ceil((most - 1) * 0.6)
  return `${text.slice(0, most - 1 - tail)}…${text.slice(-tail)}`
}
