import { LRUCache } from 'lru-cache'
import { z } from 'zod'

import { type ContentJob, ContentLost, ContentStopped } from '#platform/ground/content/content-job.ts'
import { withContent } from '#platform/ground/content/content-pool.ts'
import { unavailable } from '#platform/ground/failures/failure.ts'
import type { AskedContext, ChosenRun } from './choose-runs.ts'
import { ComparedRun, type PromptRuns } from './compare-runs.ts'
import type { CallPiece } from './compare-work.ts'
import { readCalls } from './read-calls.ts'

const compare: ContentJob<PromptRuns, CallPiece, ComparedRun[]> = {
  module: new URL('./compare-work.ts', import.meta.url),
  answer: z.array(ComparedRun),
  /** The largest prompt takes a second. */
  processorSeconds: 30,
}

/** In characters, so that no message takes the thread long. */
const pieceLength = 250_000

/** Null for a prompt whose calls need too much time or memory. */
type ComparedPrompt = readonly ComparedRun[] | null

/** Transcripts of runs that have ended never change, but may be deleted. */
const rememberedMs = 15 * 60_000

/**
 * By the runs that are compared. Several requests at once share one comparison, and new runs of one prompt leave those of the
 * others as they are.
 */
const remembered = new LRUCache<string, Promise<ComparedPrompt>>({ max: 1000, ttl: rememberedMs })

type Prompt = { experimentId: string; runs: PromptRuns }

async function compareAnew(
  context: AskedContext,
  { experimentId, runs }: Prompt,
  processorSeconds: number,
): Promise<ComparedPrompt> {
  const ids = [...runs.failing, ...runs.passing].map(({ run }) => run)
  try {
    return await withContent(context.organization.id, { ...compare, processorSeconds }, runs, async (ask) => {
      // Here, because they take a few megabytes, and only few comparisons go on at a time.
      const text = await readCalls(context, experimentId, ids)
      let start = 0
      for (; start + pieceLength < text.length; start += pieceLength)
        await ask({ text: text.slice(start, start + pieceLength), isLast: false })
      return ask({ text: text.slice(start), isLast: true })
    })
  } catch (error) {
    if (error instanceof ContentStopped) return null
    if (error instanceof ContentLost) throw unavailable('The comparison of runs was interrupted. Try again')
    throw error
  }
}

function comparePrompt(context: AskedContext, prompt: Prompt, processorSeconds: number): Promise<ComparedPrompt> {
  const key = JSON.stringify([context.organization.id, prompt])
  const known = remembered.get(key)
  if (known) return known
  const asked = compareAnew(context, prompt, processorSeconds)
  remembered.set(key, asked)
  asked.catch(() => remembered.delete(key))
  return asked
}

export type ComparedPair = { run: ChosenRun; nearest: ChosenRun; compared: ComparedRun }

export type Comparison = {
  pairs: readonly ComparedPair[]
  passingRuns: number
  prompts: number
  tooLarge: number
  timeUp: number
}

export const promptOf = ({ fingerprint, promptId }: ChosenRun) => JSON.stringify([fingerprint, promptId])

/** After `endAt` no further prompt is started. */
type Limits = { endAt: number; processorSeconds?: number }

/** Compares the runs of one prompt after the other. */
export async function comparePrompts(
  context: AskedContext,
  experimentId: string,
  chosen: readonly ChosenRun[],
  { endAt, processorSeconds = compare.processorSeconds }: Limits,
): Promise<Comparison> {
  const runOf = new Map(chosen.map((run) => [run.runUuid, run]))
  const pairs: ComparedPair[] = []
  const counts = { passingRuns: 0, prompts: 0, tooLarge: 0, timeUp: 0 }
  for (const runs of Map.groupBy(chosen, promptOf).values()) {
    const [failing, passing] = [runs.filter(({ isFailing }) => isFailing), runs.filter(({ isFailing }) => !isFailing)]
    if (Date.now() >= endAt) {
      counts.timeUp += failing.length
      continue
    }
    const asked = { failing: failing.map(toAgentRun), passing: passing.map(toAgentRun) }
    const found = await comparePrompt(context, { experimentId, runs: asked }, processorSeconds)
    if (!found) {
      counts.tooLarge += failing.length
      continue
    }
    counts.passingRuns += passing.length
    counts.prompts += 1
    for (const compared of found) {
      const [run, nearest] = [runOf.get(compared.run), runOf.get(compared.nearest)]
      if (run && nearest) pairs.push({ run, nearest, compared })
    }
  }
  return { pairs, ...counts }
}

const toAgentRun = ({ runUuid, agent }: ChosenRun) => ({ run: runUuid, agent })
