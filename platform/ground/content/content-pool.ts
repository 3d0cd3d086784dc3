import { availableParallelism } from 'node:os'

import { fairLimit } from '#platform/ground/loops/fair-limit.ts'
import type { ContentJob } from './content-job.ts'
import { type ContentProcess, startContentProcess } from './content-process.ts'

/** One job in a process of its own. `ask` can be called before the answer to the last one arrived. */
export type ContentSession<Request, Answer> = {
  ask: (request: Request) => Promise<Answer>
  /** Leaves the process to other jobs. One that is still busy is killed. */
  close: () => void
}

/** Starting a process takes a third of a second of a processor, so some wait a while for the next job. */
const mostIdle = 4

/** How many of them are left to short jobs, for which somebody waits, when runs and imports take theirs for long. */
const idleForShort = 2

const idleMs = 30_000

const idle = new Map<ContentProcess, NodeJS.Timeout>()

function takeProcess(leave: number) {
  for (const [waiting, timer] of idle) {
    if (idle.size <= leave) break
    clearTimeout(timer)
    idle.delete(waiting)
    if (waiting.isReusable()) return waiting
  }
  return startContentProcess()
}

function giveBack(used: ContentProcess) {
  if (!used.isReusable() || idle.size >= mostIdle) return used.kill()
  const end = () => {
    idle.delete(used)
    used.kill()
  }
  idle.set(used, setTimeout(end, idleMs).unref())
}

/** Starts a long job. Its process does nothing else until `close`. The caller bounds how many sessions are open. */
export const openContent = <Start, Request, Answer>(
  job: ContentJob<Start, Request, Answer>,
  start: Start,
): ContentSession<Request, Answer> => openIn(takeProcess(idleForShort), job, start)

function openIn<Start, Request, Answer>(
  worker: ContentProcess,
  job: ContentJob<Start, Request, Answer>,
  start: Start,
): ContentSession<Request, Answer> {
  const opened = worker.open(job.module, start, job.processorSeconds)
  opened.catch(() => {})
  let isClosed = false
  return {
    async ask(request) {
      const answer = worker.ask(request)
      await opened.catch((error: unknown) => {
        answer.catch(() => {})
        throw error
      })
      return job.answer.parse(await answer)
    },
    close() {
      if (isClosed) return
      isClosed = true
      giveBack(worker)
    },
  }
}

/** One organization can use every processor, and leaves as many sessions to the others. */
const inTurn = fairLimit(2 * availableParallelism())

/** Does `work` for an organization with a session of its own. Such sessions wait for each other. */
export const withContent = <Start, Request, Answer, Result>(
  organizationId: string,
  job: ContentJob<Start, Request, Answer>,
  start: Start,
  work: (ask: ContentSession<Request, Answer>['ask']) => Promise<Result>,
): Promise<Result> =>
  inTurn(organizationId, async () => {
    const session = openIn(takeProcess(0), job, start)
    try {
      return await work(session.ask)
    } finally {
      session.close()
    }
  })

/** Does a job that has one answer. */
export const askContent = <Start, Request, Answer>(
  organizationId: string,
  job: ContentJob<Start, Request, Answer>,
  start: Start,
  request: Request,
): Promise<Answer> => withContent(organizationId, job, start, (ask) => ask(request))
