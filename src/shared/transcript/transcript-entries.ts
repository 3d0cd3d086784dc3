import type { Turn } from '#contract/transcripts.ts'
import type { CallPairs } from './call-pairs.ts'

/**
 * One entry of the list: a turn, or a tool call with its result. `first` and `resultAt` are their indexes among the turns.
 */
type Entry = { first: number; turn: Turn; result: Turn | null; resultAt: number | null }

export type Entries = {
  list: readonly Entry[]
  /** The index of the entry with the turn at this index. */
  at: (turnIndex: number) => number
}

/** Puts each result beside its call, if both are among the turns. */
export function toEntries(turns: readonly Turn[], { resultOf, callOf }: CallPairs): Entries {
  const indexOf = new Map(turns.map((turn, index) => [turn, index]))
  const list: Entry[] = []
  const entryOf: number[] = []
  for (const [first, turn] of turns.entries()) {
    if (entryOf[first] !== undefined) continue
    const call = callOf.get(turn.seq)
    if (call && indexOf.has(call)) continue
    const result = resultOf.get(turn.seq) ?? null
    const resultAt = (result && indexOf.get(result)) ?? null
    entryOf[first] = list.length
    if (resultAt !== null) entryOf[resultAt] = list.length
    list.push({ first, turn, result: resultAt === null ? null : result, resultAt })
  }
  return { list, at: (turnIndex) => entryOf[turnIndex] ?? Math.max(0, list.length - 1) }
}
