import { InfrastructureFailure } from '#platform/queue/run-queue/run-failure.ts'
import type { CommandEnd, Sandbox } from './sandbox.ts'

/** Throws for a machine without a sandbox. Another attempt on it would fail the same way. */
export function requireSandbox({ status }: Pick<Sandbox, 'status'>) {
  if (!status.available)
    throw new InfrastructureFailure(status.reason ?? 'No sandbox found on this machine', 'sandbox', {
      isTransient: false,
    })
}

/** Throws if the sandbox failed, so that the command never ran. `what` says what it was for. */
export function requireStarted({ isSandboxFault, couldNotStart }: CommandEnd, what: string) {
  if (isSandboxFault) throw new InfrastructureFailure(`${what}: ${couldNotStart}`, 'sandbox')
}
