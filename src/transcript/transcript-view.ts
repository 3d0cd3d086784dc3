import type { Turn, TurnKind } from '#contract/transcripts.ts'

export type TurnRole = Turn['role']
export const turnRoles = ['system', 'user', 'assistant', 'tool'] as const satisfies readonly TurnRole[]

/** Reasoning is no kind to filter by: it is asked for or not. */
export const turnKinds = ['message', 'tool_call', 'tool_result', 'output'] as const satisfies readonly TurnKind[]

/** Empty lists let everything through. */
export type TurnFilter = { roles: readonly TurnRole[]; kinds: readonly TurnKind[] }

export const filterTurns = (turns: readonly Turn[], { roles, kinds }: TurnFilter): readonly Turn[] =>
  roles.length === 0 && kinds.length === 0
    ? turns
    : turns.filter(
        ({ role, kind }) =>
          (roles.length === 0 || roles.includes(role)) &&
          (kinds.length === 0 || kinds.includes(kind) || kind === 'reasoning'),
      )

/** What tools say and were asked is folded to one line until somebody opens it; a failure and plain talk stay open. */
export const isFoldedByDefault = ({ kind, failed, text }: Turn) =>
  (kind === 'tool_call' || kind === 'tool_result' || kind === 'output') &&
  failed !== true &&
  (text.length > 120 || text.includes('\n'))

/** How much of a turn is on the page. */
export type TurnSize = 'folded' | 'open' | 'whole'

/** A match opens its turn, all of it if it lies beyond what is shown. */
export function defaultSize(turn: Turn, matches: readonly { end: number }[]): TurnSize {
  const last = matches.at(-1)
  if (last) return last.end > clampText(turn.text).text.length ? 'whole' : 'open'
  return isFoldedByDefault(turn) ? 'folded' : 'open'
}

/** A call and its result are one line until somebody opens them or the call failed. */
export const isPairFoldedByDefault = (result: Turn, matches: readonly unknown[]) =>
  result.failed !== true && matches.length === 0

/** The one line a folded turn shows. */
export const summaryLine = (text: string) => {
  const line = text.trimStart().split('\n', 1)[0] ?? ''
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}

const clampAt = { characters: 12_000, lines: 200 }

/** As much of a turn as a page can bear; `rest` is how many characters are held back. */
export function clampText(text: string): { text: string; rest: number } {
  let end = Math.min(text.length, clampAt.characters)
  let newline = -1
  for (let lines = 0; lines < clampAt.lines; lines += 1) {
    newline = text.indexOf('\n', newline + 1)
    if (newline === -1 || newline >= end) break
    if (lines === clampAt.lines - 1) end = newline
  }
  // A little over the limit is shown whole: a button for ten more lines would be a nuisance.
  return text.length - end < clampAt.characters / 10
    ? { text, rest: 0 }
    : { text: text.slice(0, end), rest: text.length - end }
}

/** Where the turn with this number stands, or the last one before it when the filter hides it. */
export function indexOfSeq(turns: readonly Turn[], seq: number) {
  let low = 0
  let high = turns.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((turns[middle]?.seq ?? Infinity) <= seq) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

export const kindWords: Record<string, string> = {
  message: 'message',
  reasoning: 'reasoning',
  tool_call: 'tool call',
  tool_result: 'tool result',
  output: 'output',
}
