import type { SandboxStatus } from '#contract/identity.ts'

/**
 * The folders of one run on the host: `workspace` is the command's working directory and `home` its $HOME.
 * Nothing else of the host can be written from inside, and no data of ours can be read.
 */
export type RunFolders = { workspace: string; home: string }

/** One command to run inside; `env` is the whole environment but PATH, HOME and TMPDIR, which the sandbox sets. */
export type SandboxCommand = {
  argv: readonly string[]
  folders: RunFolders
  env: Readonly<Record<string, string>>
  network: boolean
  stdin?: string
  timeoutMs?: number
  /** Aborting kills every process of the command. */
  signal?: AbortSignal
  /** Awaited before more is read, so a slow reader slows the command down instead of filling memory. */
  onStdout?: (chunk: Uint8Array) => void | Promise<void>
  onStderr?: (chunk: Uint8Array) => void | Promise<void>
}

/**
 * How a command ended; when it is told, no process of it is left. `exitCode` is null when it was stopped or never started;
 * `couldNotStart` says why it never ran, `stopped` that the signal ended it, `exceeded` which limit it was killed for.
 */
export type CommandEnd = {
  exitCode: number | null
  timedOut: boolean
  stopped: boolean
  couldNotStart: string | null
  exceeded: string | null
  durationMs: number
}

export type Sandbox = {
  status: SandboxStatus
  /** Never throws for what the command does (see CommandEnd), only what `onStdout` or `onStderr` throw, once it is killed. */
  spawn: (command: SandboxCommand) => Promise<CommandEnd>
  /** Where a host folder of the run stands for the command inside. */
  inside: (folders: RunFolders) => RunFolders
}
