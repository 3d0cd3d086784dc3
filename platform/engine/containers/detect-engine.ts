import type { SandboxStatus } from '#contract/identity.ts'
import { containerFilter } from '#platform/ground/confinement/container-filter.ts'
import { Info, Version } from '#platform/engine/containers/engine/engine-answers.ts'
import type { EngineClient } from '#platform/engine/containers/engine/engine-client.ts'
import { whyEngineFailed } from '#platform/engine/containers/engine/engine-error.ts'

/** Podman reads the filter of system calls from a file of this machine, Docker from the request. */
export type EngineKind = 'docker' | 'podman'

export type FoundEngine = {
  status: SandboxStatus
  kind: EngineKind
  /** Whether it may work later without a change of the machine: nothing answers. */
  isDown: boolean
}

type Machine = { isRoot: boolean; platform: NodeJS.Platform; hasFilter: boolean }

const thisMachine = (): Machine => ({
  isRoot: process.getuid?.() === 0,
  platform: process.platform,
  hasFilter: containerFilter() !== null,
})

const unavailable = (reason: string): SandboxStatus => ({ kind: 'unavailable', available: false, reason })

/** Asks the engine whether it can confine runs. Each container is also checked when it starts. */
export async function detectEngine(engine: EngineClient, machine = thisMachine()): Promise<FoundEngine> {
  const fault = faultOfMachine(machine)
  if (fault !== null)
    return { status: unavailable(`SANDBOX=docker does not work here: ${fault}`), kind: 'docker', isDown: false }
  try {
    const version = await engine.ask({ method: 'GET', path: '/version', limitMs: 10_000 }, Version)
    const info = await engine.ask({ method: 'GET', path: '/info', limitMs: 10_000 }, Info)
    const kind = version.Components?.some(({ Name }) => /podman/i.test(Name)) ? 'podman' : 'docker'
    const reason = faultOfEngine(info)
    if (reason === null) return { status: { kind: 'docker', available: true }, kind, isDown: false }
    return { status: unavailable(`The container engine cannot confine runs: ${reason}`), kind, isDown: false }
  } catch (error) {
    return { status: unavailable(whyEngineFailed(error, engine.socketPath)), kind: 'docker', isDown: true }
  }
}

export function faultOfMachine({ isRoot, platform, hasFilter }: Machine): string | null {
  if (platform !== 'linux') return 'it needs Linux, because the service enters the networks of containers'
  if (!hasFilter) return 'the service has no filter of system calls for this architecture'
  return isRoot ? null : 'the service must run as root, because it enters the networks of containers'
}

export function faultOfEngine({ OSType, SecurityOptions, MemoryLimit, PidsLimit }: ReturnType<typeof Info.parse>) {
  const has = (name: string) => SecurityOptions?.some((option) => option.split(',').includes(`name=${name}`)) ?? false
  if (OSType && OSType !== 'linux') return `it runs ${OSType} containers`
  if (!has('seccomp')) return 'it cannot filter system calls'
  if (has('rootless')) return 'it does not run as root, so the files of runs would belong to other users'
  if (has('userns')) return 'it maps container users to other ids (userns-remap)'
  if (MemoryLimit === false) return 'it cannot limit memory'
  return PidsLimit === false ? 'it cannot limit processes' : null
}
