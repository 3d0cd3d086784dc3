import type { ChildProcess } from 'node:child_process'
import { Writable } from 'node:stream'

/** Over a pipe. What is said to a program that ended early is lost, as is right. */
export function handOver(child: ChildProcess, fd: number, content: string | Uint8Array) {
  const pipe = child.stdio[fd]
  if (!(pipe instanceof Writable)) return
  pipe.on('error', () => {})
  pipe.end(content)
}
