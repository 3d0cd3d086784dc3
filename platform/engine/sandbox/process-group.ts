import { dirname, join } from 'node:path'

import { killGroup } from '#platform/ground/processes/kill-group.ts'
import { processStarter } from '#platform/ground/processes/process-starter.ts'
import type { CommandEnd, SandboxCommand } from './sandbox.ts'
import { supervise, tryStart } from './supervise.ts'

/**
 * Runs `argv` unprotected in its own process group: for SANDBOX=none, and inside `sandbox-exec`. A child that leaves
 * the group (setsid) survives; only a process namespace can hold it.
 */
export const spawnProcessGroup =
  (clientsFolder?: string) =>
  async (command: SandboxCommand): Promise<CommandEnd> => {
    const [program = '', ...args] = command.argv
    const path = [dirname(process.execPath), ...binFolderOf(clientsFolder), process.env['PATH'] ?? '/usr/bin:/bin']
    const env = { PATH: path.join(':'), LANG: 'C.UTF-8', ...command.env, HOME: command.folders.home }
    const start = { command: program, args, env, cwd: command.folders.workspace }
    const started = await tryStart(async () => (await processStarter()).start(start))
    if (started.end) return started.end
    return supervise(command, {
      started: started.process,
      kill: () => killGroup(started.process.pid),
      mayEscape: true,
      untilGone: async () => {},
      whyNotStarted: (stderr) => /^sandbox-exec: (execvp.*)/m.exec(stderr)?.[1] ?? null,
    })
  }

/** The folder where npm links the programs installed below a prefix. */
export const binFolderOf = (clientsFolder: string | undefined) =>
  clientsFolder === undefined ? [] : [join(clientsFolder, 'node_modules', '.bin')]
