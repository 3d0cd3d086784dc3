import type { CommandEnd, SandboxCommand } from './sandbox.ts'
import { spawnProcessGroup } from './process-group.ts'

const quoted = (path: string) => `"${path.replace(/[\\"]/g, '\\$&')}"`

/** Untested: written from Apple's profile language but never run on a Mac (docs/operate.md). */
const sandboxProfile = (command: SandboxCommand, privateFolders: readonly string[]) =>
  [
    '(version 1)',
    '(allow default)',
    ...(command.hostNetwork ? [] : ['(deny network*)']),
    '(deny file-write*)',
    ...privateFolders.map((folder) => `(deny file-read* (subpath ${quoted(folder)}))`),
    ...[command.folders.workspace, command.folders.home].map(
      (folder) => `(allow file-read* file-write* (subpath ${quoted(folder)}))`,
    ),
    '(allow file-write* (subpath "/private/tmp") (subpath "/private/var/folders") (literal "/dev/null"))',
  ].join('\n')

/** macOS: the command can write only to its own folders and cannot read anything below `privateFolders`. */
export const spawnInSandboxExec =
  (privateFolders: readonly string[], clientsFolder?: string) =>
  (command: SandboxCommand): Promise<CommandEnd> =>
    spawnProcessGroup(clientsFolder)({
      ...command,
      argv: ['sandbox-exec', '-p', sandboxProfile(command, privateFolders), ...command.argv],
    })
