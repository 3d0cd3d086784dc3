import type { ChildProcess } from 'node:child_process'
import { Writable } from 'node:stream'

/** Over a pipe. Data for a program that ended early is lost on purpose. */
export function handOver(child: ChildProcess, fd: number, content: string | Uint8Array) {
  const pipe = child.stdio[fd]
  if (!(pipe instanceof Writable)) return
  pipe.on('error', () => {})
  pipe.end(content)
}
