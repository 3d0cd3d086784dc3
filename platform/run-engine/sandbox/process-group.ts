import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'

import type { CommandEnd, SandboxCommand } from './sandbox.ts'
import { startOrSay, supervise } from './supervise.ts'

/**
 * Runs `argv` in a process group of its own, unprotected: for SANDBOX=none, and below `sandbox-exec`.
 * A child that leaves the group (setsid) gets away; only a process namespace holds it.
 */
export const spawnProcessGroup =
  (clientsFolder?: string) =>
  async (command: SandboxCommand): Promise<CommandEnd> => {
    const [program = '', ...args] = command.argv
    const started = startOrSay(() =>
      spawn(program, args, {
        cwd: command.folders.workspace,
        env: {
          PATH: [dirname(process.execPath), ...binFolderOf(clientsFolder), process.env['PATH'] ?? '/usr/bin:/bin'].join(
            ':',
          ),
          LANG: 'C.UTF-8',
          ...command.env,
          HOME: command.folders.home,
        },
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
      }),
    )
    if (started.end) return started.end
    const { child } = started
    return supervise(command, {
      child,
      kill: () => killGroup(child.pid),
      mayEscape: true,
      untilGone: async () => {},
      whyNotStarted: (stderr) => /^sandbox-exec: (execvp.*)/m.exec(stderr)?.[1] ?? null,
    })
  }

/** Where npm links the programs of what is installed below a prefix. */
export const binFolderOf = (clientsFolder: string | undefined) =>
  clientsFolder === undefined ? [] : [join(clientsFolder, 'node_modules', '.bin')]

function killGroup(pid: number | undefined) {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is empty: everything in it has ended.
  }
}
