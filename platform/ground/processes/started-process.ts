import { once } from 'node:events'
import type { Socket } from 'node:net'
import { constants } from 'node:os'
import { Readable } from 'node:stream'

import type { StarterMessage } from './starter-messages.ts'

/** A process that the starter started. Its parent is the starter, which ends with this service. */
export type StartedProcess = {
  pid: number
  stdin: Socket
  stdout: Socket
  stderr: Socket
  /** What it writes to its `statusFd`. */
  status: Readable
  /** Its exit code, or that of the signal that ended it by the shell's convention: 137 for SIGKILL. */
  exit: Promise<number>
  hasExited: () => boolean
}

/** Exit code of a process that a signal ended, by the shell's convention. */
export const codeOfSignal = (signal: NodeJS.Signals) => 128 + constants.signals[signal]

export const killedExitCode = codeOfSignal('SIGKILL')

/** A process that is being started, or runs: what the starter says of it, and the connections that arrive, make it whole. */
export function expectProcess() {
  const started = Promise.withResolvers<StartedProcess>()
  const exit = Promise.withResolvers<number>()
  const connections = new Map<number, Socket>()
  const status = new Readable({ read() {} })
  let pid: number | undefined
  let hasExited = false
  let isToldAll = false

  const check = () => {
    const [stdin, stdout, stderr] = [0, 1, 2].map((fd) => connections.get(fd))
    if (pid === undefined || !stdin || !stdout || !stderr) return
    started.resolve({ pid, stdin, stdout, stderr, status, exit: exit.promise, hasExited: () => hasExited })
  }
  const fail = (error: Error) => {
    started.reject(error)
    for (const connection of connections.values()) connection.destroy()
  }
  const end = (exitCode: number) => {
    hasExited = true
    exit.resolve(exitCode)
  }
  return {
    started: started.promise,
    connect(fd: number, connection: Socket) {
      connections.set(fd, connection)
      // It may close its input without reading it all. What it writes there is dropped.
      if (fd === 0) connection.on('error', () => {}).resume()
      check()
    },
    hear(message: Exclude<StarterMessage, { said: 'message' }>) {
      if (message.said === 'failed') {
        fail(Object.assign(new Error(message.reason), message.code !== undefined && { code: message.code }))
      } else if (message.said === 'started') {
        pid = message.pid
        check()
      } else if (message.said === 'status') {
        isToldAll = message.text === null
        status.push(message.text)
      } else {
        end(message.exitCode ?? codeOfSignal(message.signal ?? 'SIGKILL'))
      }
    },
    /** Its starter has ended, and so it has. */
    lose(reason: string) {
      fail(new Error(reason))
      end(killedExitCode)
      status.push(null)
    },
    /** Whether nothing more will arrive. A short process ends before its connections have arrived. */
    isOver: (needsStatus: boolean) => hasExited && (isToldAll || !needsStatus) && connections.size === 3,
  }
}

/** Resolves when a process has ended and all that it printed as errors was read. */
export const untilClosed = ({ exit, stderr }: StartedProcess) =>
  Promise.all([exit, stderr.closed ? null : once(stderr, 'close').catch(() => {})])
