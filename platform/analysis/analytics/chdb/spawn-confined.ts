import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'

import { writeToPipe } from '#platform/ground/confinement/write-to-pipe.ts'
import { confinedStdio } from '#platform/ground/confinement/confined-stdio.ts'
import { systemCallFilter } from '#platform/ground/confinement/system-call-filter.ts'

type Stdio = Parameters<typeof confinedStdio>[0]

const filter = systemCallFilter()

/** Starts a confined command with bubblewrap, the system call filter, and only the descriptors in `stdio`. */
export function spawnConfined([program = '', ...args]: readonly string[], stdio: Stdio): ChildProcess {
  const isFiltered = program === 'bwrap' && filter !== null
  const child = spawn(program, isFiltered ? ['--seccomp', String(stdio.length), ...args] : args, {
    env: { TZ: 'UTC', PATH: process.env['PATH'] },
    serialization: 'advanced',
    stdio: confinedStdio(isFiltered ? [...stdio, 'pipe'] : stdio),
  })
  if (isFiltered) writeToPipe(child, stdio.length, filter)
  return child
}

/**
 * Starts the program of an engine, with a message channel and a pipe at 4 that is open while it lives. Its stderr is
 * copied to ours by this process, because our stderr may be a log file, and the engine could read that.
 */
export function spawnEngine(command: readonly string[]): ChildProcess {
  const child = spawnConfined(command, ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'])
  child.stderr?.on('data', (chunk: Uint8Array) => process.stderr.write(chunk))
  // The channel must not keep a command line tool running.
  if (child.stderr instanceof Socket) child.stderr.unref()
  return child
}
