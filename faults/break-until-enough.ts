import { setTimeout as delay } from 'node:timers/promises'

import type { Faults } from './inject.ts'
import type { Options } from './options.ts'

type Kinds = Parameters<Faults['inject']>[0]

const sayEveryMs = 30_000

/** Kills processes, and beside it freezes workers and disturbs connections, until the options say that it is enough. */
export async function breakUntilEnough(faults: Faults, options: Options, say: (progress: string) => void) {
  const startedAt = performance.now()
  const enough = new AbortController()
  const isEnough = () =>
    options.kills + options.zombies > 0
      ? faults.kills() >= options.kills && faults.frozenRequeues() >= options.zombies
      : performance.now() - startedAt >= options.seconds * 1000

  async function go(kinds: Kinds, [low, high]: [number, number]) {
    while (kinds.length > 0 && !enough.signal.aborted) {
      await delay(low + faults.random() * (high - low))
      if (!enough.signal.aborted) await faults.inject(kinds)
    }
  }

  async function watch() {
    for (let saidAt = startedAt; !isEnough(); await delay(200)) {
      if (performance.now() - saidAt < sayEveryMs) continue
      saidAt = performance.now()
      say(`${faults.kills()} kills, ${faults.frozenRequeues()} requeues of frozen workers`)
    }
    enough.abort()
  }

  await Promise.all([go(options.killKinds, [1000, 4000]), go(options.troubleKinds, [500, 2500]), watch()])
}
