import type { Turn } from '#contract/transcripts.ts'

/** What the list shows as one: a turn, or a tool call with the result that answers it. `first` is its place among the turns. */
export type Entry = { first: number; turn: Turn; result: Turn | null }

const answers = (call: Turn, next: Turn | undefined): next is Turn =>
  call.kind === 'tool_call' &&
  next?.kind === 'tool_result' &&
  (next.tool === undefined || call.tool === undefined || next.tool === call.tool)

/** A result belongs to the call right before it; of several calls in a row only the last can know its own. */
export function toEntries(turns: readonly Turn[]): Entry[] {
  const entries: Entry[] = []
  for (let index = 0; index < turns.length; index += 1) {
    const turn = turns[index]
    if (!turn) continue
    const next = turns[index + 1]
    const result = answers(turn, next) ? next : null
    entries.push({ first: index, turn, result })
    if (result) index += 1
  }
  return entries
}

/** Which entry holds the turn at this place. */
export function entryAt(entries: readonly Entry[], turnIndex: number) {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.first ?? Infinity) <= turnIndex) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}
