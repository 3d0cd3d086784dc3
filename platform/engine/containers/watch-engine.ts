import type { SandboxStatus } from '#contract/identity.ts'
import type { EngineClient } from '#platform/engine/containers/engine/engine-client.ts'
import { detectEngine, type EngineKind } from './detect-engine.ts'

/** An engine that may stop and come back while this service runs. */
export type WatchedEngine = {
  /** Its fields change when the engine stops or comes back. */
  status: SandboxStatus
  kind: () => EngineKind
  /** Returns why no run can start now, or null. Looks again without waiting, so an engine that hangs delays nobody. */
  whyNotReady: () => string | null
  /** Resolves when the look that is under way has ended. */
  settled: () => Promise<void>
  /** Calls `act` each time the engine is back. */
  onBack: (act: () => Promise<unknown>) => void
}

const lookMs = 2000

/** Looks at the engine once, and again whenever somebody asks whether it is ready. */
export async function watchEngine(engine: EngineClient, detect = detectEngine): Promise<WatchedEngine> {
  let found = await detect(engine)
  const status: SandboxStatus = { ...found.status }
  let looking: Promise<void> | null = null
  const listeners = new Array<() => Promise<unknown>>()

  const isAlive = () =>
    engine.send({ method: 'GET', path: '/_ping', limitMs: lookMs }).then(
      () => true,
      () => false,
    )
  const look = async () => {
    if (status.available && (await isAlive())) return
    // Another one may listen there now.
    found = await detect(engine)
    delete status.reason
    Object.assign(status, found.status)
    if (status.available) for (const act of listeners) await act().catch(() => {})
  }
  return {
    status,
    kind: () => found.kind,
    whyNotReady() {
      looking ??= look()
        .catch(() => {})
        .finally(() => (looking = null))
      return found.isDown ? (found.status.reason ?? 'The container engine does not answer') : null
    },
    settled: async () => looking ?? undefined,
    onBack: (act) => void listeners.push(act),
  }
}
