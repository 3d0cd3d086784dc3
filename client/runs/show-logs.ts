import { getRun } from '#contract/runs.ts'
import { isTerminal } from '#contract/run-status.ts'
import type { Turn } from '#contract/transcripts.ts'
import { isCompositeRunId } from '#contract/wire/run-id.ts'
import type { ApiCaller } from '#client/api/api-caller.ts'
import { CommandError } from '#client/exit-codes.ts'
import { safeJson, visibleLines } from '#client/terminal/visible-lines.ts'
import type { Verb, Work } from '#client/work.ts'

export type LogOptions = { follow?: true; reasoning?: true }

const pollMs = 1500

/** Prints the turns of a transcript, with --json a line of JSON for each. */
export const showLogs =
  (id: string, { follow, reasoning }: LogOptions): Verb =>
  async (work) => {
    const caller = await work.api()
    const interrupted = new AbortController()
    const stop = follow ? work.io.onInterrupt(() => interrupted.abort()) : () => {}
    let afterSeq: number | undefined
    await refuseRequest(caller, id)
    try {
      for (;;) {
        const page = { ...(reasoning && { include: ['reasoning'] }), ...(afterSeq !== undefined && { afterSeq }) }
        const { run, transcript } = await caller.call(getRun, { id, transcript: true, ...page })
        if (!run) return
        const turns = transcript?.turns ?? []
        for (const turn of turns) print(work, turn)
        afterSeq = turns.at(-1)?.seq ?? afterSeq
        if (transcript?.truncated && turns.length > 0) continue
        if (!follow || isTerminal(run.status) || interrupted.signal.aborted) {
          if (afterSeq === undefined) work.note(`${id} has no turns${isTerminal(run.status) ? '' : ' yet'}`)
          return
        }
        await work.io.wait(pollMs, interrupted.signal).catch(() => {})
      }
    } finally {
      stop()
    }
  }

/** The server has transcripts of runs only, which have composite ids. */
async function refuseRequest(caller: ApiCaller, id: string) {
  if (isCompositeRunId(id)) return
  await caller.call(getRun, { id })
  throw new CommandError(`${id} is a request. Give the id of one of its runs, as in: assay runs --request ${id}`)
}

function print({ io, isJson }: Work, turn: Turn) {
  if (isJson) return io.out(`${safeJson(turn)}\n`)
  const head = [
    turn.role,
    turn.kind === 'message' ? '' : turn.kind.replace('_', ' '),
    turn.tool ?? '',
    turn.failed ? 'failed' : '',
  ]
  io.out(visibleLines(`[${turn.seq}] ${head.filter(Boolean).join(' · ')}\n${turn.text.trimEnd()}\n\n`))
}
