import { randomUUID } from 'node:crypto'
import { close, constants, open } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

import { runToEnd } from '#platform/ground/processes/run-to-end.ts'
import { outputPath } from './container-spec.ts'

/** The pipes that one command prints to. */
export type CommandOutput = {
  stdout: Readable
  stderr: Readable
  /** The command line that starts a program with them, in an image that has a shell. */
  wrap: (argv: readonly string[], hasStdin: boolean) => string[]
  /** Call it when the command has ended; again does nothing. What it left in the background keeps the pipes open, and can print on. */
  end: () => Promise<void>
}

/** What the engine passes on once the image's shell has found the program. */
export const startMark = 'started'

const openFile = promisify(open)
const closeFile = promisify(close)

/**
 * Makes pipes in a folder that the container shows read-only at `outputPath`. An engine closes its own pipes when the
 * command ends, which kills a server in the background as soon as it prints.
 */
export async function openOutput(folder: string): Promise<CommandOutput> {
  const name = randomUUID()
  const paths = [`${name}.out`, `${name}.err`].map((file) => join(folder, file))
  await runToEnd('mkfifo', ['-m', '622', '--', ...paths])
  const [out, err] = await Promise.all(paths.map(openPipe))
  if (!out || !err) throw new Error('mkfifo made no pipes')
  let ended: Promise<void> | undefined
  return {
    stdout: out.reader,
    stderr: err.reader,
    wrap: (argv, hasStdin) => ['/bin/sh', '-c', script(hasStdin), `${outputPath}/${name}`, ...argv],
    end: () =>
      (ended ??= (async () => {
        await Promise.all([out.release(), err.release()])
        await Promise.all(paths.map((path) => rm(path, { force: true })))
      })()),
  }
}

/** Until `release`, this service is a writer too, so that the pipe does not end before the command has opened it. */
async function openPipe(path: string) {
  const writer = await openFile(path, constants.O_RDWR | constants.O_NONBLOCK)
  const reader = new Socket({
    fd: await openFile(path, constants.O_RDONLY | constants.O_NONBLOCK),
    readable: true,
    writable: false,
  })
  return { reader, release: () => closeFile(writer) }
}

/**
 * Says what the engine would say of a missing program, or else that it has started, and becomes the program. An engine
 * closes the input when its own output ends, so a command with an input keeps that output, as file 3.
 */
const script = (hasStdin: boolean) => `case $1 in
*/*)
  if [ -x "$1" ]; then why=; elif [ -e "$1" ]; then why='permission denied'; else why='no such file or directory'; fi ;;
*)
  why='executable file not found in $PATH'
  set -f; IFS=:
  for folder in $PATH; do [ -f "$folder/$1" ] && [ -x "$folder/$1" ] && why= && break; done
  set +f; unset IFS ;;
esac
if [ -n "$why" ]; then
  echo "unable to start container process: exec: \\"$1\\": $why" >&2
  exit 127
fi
echo ${startMark}
exec "$@" ${hasStdin ? '3>&1 ' : ''}>"$0.out" 2>"$0.err"`
