import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'

import type { CommandEnd, SandboxCommand } from './sandbox.ts'
import { startedChild, supervise, tryStart } from './supervise.ts'

/**
 * Runs `argv` unprotected in its own process group: for SANDBOX=none, and inside `sandbox-exec`. A child that leaves
 * the group (setsid) survives; only a process namespace can hold it.
 */
export const spawnProcessGroup =
  (clientsFolder?: string) =>
  async (command: SandboxCommand): Promise<CommandEnd> => {
    const [program = '', ...args] = command.argv
    const started = tryStart(() =>
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
      started: startedChild(child),
      kill: () => killGroup(child.pid),
      mayEscape: true,
      untilGone: async () => {},
      whyNotStarted: (stderr) => /^sandbox-exec: (execvp.*)/m.exec(stderr)?.[1] ?? null,
    })
  }

/** The folder where npm links the programs installed below a prefix. */
export const binFolderOf = (clientsFolder: string | undefined) =>
  clientsFolder === undefined ? [] : [join(clientsFolder, 'node_modules', '.bin')]

function killGroup(pid: number | undefined) {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is empty: all its processes have ended.
  }
}
