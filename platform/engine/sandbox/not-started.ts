import type { CommandEnd } from './sandbox.ts'

/** The end of a command that never ran, by default because its sandbox failed. */
export const notStarted = (reason: string, stopped = false, isSandboxFault = !stopped): CommandEnd => ({
  exitCode: null,
  timedOut: false,
  stopped,
  couldNotStart: stopped ? null : reason,
  exceeded: null,
  durationMs: 0,
  isSandboxFault,
})
