import type { InfrastructureCause } from '#contract/infrastructure.ts'

/** The run cannot continue, for a reason its owner should read. The run ends as `errored` with this message. */
export class RunFailure extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'RunFailure'
  }

  /** The same failure in other words. */
  withReason(reason: string): RunFailure {
    return new RunFailure(reason)
  }
}

/** Who ended an attempt. `isTransient`: another attempt may succeed, so the run is retried. */
export type Infrastructure = { cause: InfrastructureCause; isTransient: boolean }

/** The platform failed, or the definition did before its agent started. */
export class InfrastructureFailure extends RunFailure {
  readonly infrastructure: Infrastructure

  constructor(reason: string, cause: InfrastructureCause, { isTransient = true } = {}) {
    super(reason)
    this.name = 'InfrastructureFailure'
    this.infrastructure = { cause, isTransient }
  }

  override withReason(reason: string) {
    const { cause, isTransient } = this.infrastructure
    return new InfrastructureFailure(reason, cause, { isTransient })
  }
}

/** The failure of a run whose agent never started. Another attempt would fail the same way. */
export const beforeAgent = (error: unknown, cause: InfrastructureCause): unknown =>
  error instanceof RunFailure && !(error instanceof InfrastructureFailure)
    ? new InfrastructureFailure(error.message, cause, { isTransient: false })
    : error

export const infrastructureOf = (failure: RunFailure): Infrastructure | null =>
  failure instanceof InfrastructureFailure ? failure.infrastructure : null

/** File system errors that a name or folder of the definition or the agent causes. */
const ownersFault = new Set([
  'EACCES',
  'EPERM',
  'EEXIST',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
  'ENOTEMPTY',
])

/** Returns a RunFailure for an error that the run's owner can fix. Returns any other error unchanged, for the log. */
export function asRunFailure(error: unknown, what: string): unknown {
  if (error instanceof RunFailure || !(error instanceof Error) || !('code' in error)) return error
  return ownersFault.has(String(error.code)) ? new RunFailure(`${what} (${String(error.code)})`) : error
}
