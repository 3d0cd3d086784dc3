import type { Turn } from '#contract/transcripts.ts'

/** Which call and which result belong together, by the numbers of their turns, and how deep calls are nested. */
export type CallPairs = {
  resultOf: ReadonlyMap<number, Turn>
  callOf: ReadonlyMap<number, Turn>
  /** The call that started the agent of a turn, such as a subagent. */
  parentOf: ReadonlyMap<number, Turn>
  /** How many calls a turn is inside of; absent for none. */
  depthOf: ReadonlyMap<number, number>
  /** Whether some results without an id found no call. Calls without an id may be theirs. */
  hasLooseResults: boolean
}

/** Without ids, a result belongs to the call right before it. */
const follows = (call: Turn | undefined, result: Turn): call is Turn =>
  call?.kind === 'tool_call' &&
  call.callId === undefined &&
  result.callId === undefined &&
  (result.tool === undefined || call.tool === undefined || result.tool === call.tool)

/** Pairs the turns of a transcript, of which all that are loaded have to be given, whatever is shown. */
export function pairCalls(turns: readonly Turn[]): CallPairs {
  const resultOf = new Map<number, Turn>()
  const callOf = new Map<number, Turn>()
  const parentOf = new Map<number, Turn>()
  const depthOf = new Map<number, number>()
  const calls = new Map<string, Turn>()
  let hasLooseResults = false
  for (const [index, turn] of turns.entries()) {
    const parent = turn.parentCallId === undefined ? undefined : calls.get(turn.parentCallId)
    if (parent) parentOf.set(turn.seq, parent)
    if (turn.parentCallId !== undefined) depthOf.set(turn.seq, 1 + (parent ? (depthOf.get(parent.seq) ?? 0) : 0))
    if (turn.kind === 'tool_call' && turn.callId !== undefined) calls.set(turn.callId, turn)
    if (turn.kind !== 'tool_result') continue
    const before = turns[index - 1]
    const call = turn.callId === undefined ? (follows(before, turn) ? before : undefined) : calls.get(turn.callId)
    if (!call || resultOf.has(call.seq)) {
      hasLooseResults ||= turn.callId === undefined
      continue
    }
    resultOf.set(call.seq, turn)
    callOf.set(turn.seq, call)
  }
  return { resultOf, callOf, parentOf, depthOf, hasLooseResults }
}

/** What a turn lacks: a call its result, which may still come, or a result its call. Null if nothing, or if it is unknown. */
export type Missing = 'result' | 'running' | 'call' | null

type Extent = { isLive: boolean; isWhole: boolean }

export function missingOf({ kind, seq, callId }: Turn, pairs: CallPairs, { isLive, isWhole }: Extent): Missing {
  if (kind === 'tool_result') return callId !== undefined && !pairs.callOf.has(seq) ? 'call' : null
  if (kind !== 'tool_call' || pairs.resultOf.has(seq)) return null
  if (!isWhole || (callId === undefined && pairs.hasLooseResults)) return null
  return isLive ? 'running' : 'result'
}
