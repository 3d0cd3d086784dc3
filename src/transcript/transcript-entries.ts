import type { Turn } from '#contract/transcripts.ts'

/** One entry of the list: a turn, or a tool call with its result. `first` is its index among the turns. */
export type Entry = { first: number; turn: Turn; result: Turn | null }

const answers = (call: Turn, next: Turn | undefined): next is Turn =>
  call.kind === 'tool_call' &&
  next?.kind === 'tool_result' &&
  (next.tool === undefined || call.tool === undefined || next.tool === call.tool)

/** A result belongs to the call right before it. Of several calls in a row, only the last one can be matched. */
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

/** The index of the entry that contains the turn at this index. */
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
