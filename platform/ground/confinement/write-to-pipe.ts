import type { ChildProcess } from 'node:child_process'
import { Writable } from 'node:stream'

/** Writes data to a pipe. Data for a program that has already ended is deliberately lost. */
export function writeToPipe(child: ChildProcess, fd: number, content: string | Uint8Array) {
  const pipe = child.stdio[fd]
  if (!(pipe instanceof Writable)) return
  pipe.on('error', () => {})
  pipe.end(content)
}
