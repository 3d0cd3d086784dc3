import { text } from 'node:stream/consumers'

import { z } from 'zod'

import type { EngineClient } from '#platform/engine/containers/engine/engine-client.ts'
import { InfrastructureFailure, RunFailure } from '#platform/queue/run-queue/run-failure.ts'

const Event = z.object({ Action: z.string().nullish(), status: z.string().nullish() })

/** What a caller of the engine does to a container. Its name differs between engines. */
const byCaller = new Set(['kill', 'stop', 'restart'])

/**
 * Returns the failure for a container that this service did not end. A run can make the kernel end the keeper, for example
 * when memory is short; such an end is the run's own. Then the engine still answers, and nobody asked it to end the container.
 */
export async function whyLost(engine: EngineClient, id: string, startedAt: number): Promise<RunFailure> {
  const seconds = (ms: number) => String(Math.floor(ms / 1000))
  const query = {
    since: seconds(startedAt),
    until: String(Number(seconds(Date.now())) + 1),
    filters: JSON.stringify({ container: [id] }),
  }
  const actions = await engine
    .open({ method: 'GET', path: '/events', query, limitMs: 10_000 })
    .then(text)
    .then(readActions, () => [])
  const hasDied = actions.some((action) => action === 'die' || action === 'died')
  if (hasDied && !actions.some((action) => byCaller.has(action)))
    return new RunFailure('The container ended because the run used up its memory or killed it')
  return new InfrastructureFailure('Something outside the run ended its container', 'sandbox')
}

const readActions = (lines: string) =>
  lines.split('\n').flatMap((line) => {
    if (line === '') return []
    const { Action, status } = Event.parse(JSON.parse(line))
    return Action ?? status ?? []
  })
