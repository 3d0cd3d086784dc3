import { writeFileSync } from 'node:fs'
import { Socket } from 'node:net'

import { messageOf } from '#contract/wire/message-of.ts'
import { lowerPriority } from '#platform/ground/processes/lower-priority.ts'
import type { ContentReply, ContentRequest, OpenJob } from './content-job.ts'
import { frameOf, readFrames } from './framed-values.ts'

/**
 * The program of a content process. It does one job at a time, has no environment and no database, and can be killed at any
 * moment.
 */

process.umask(0o077)

/** Gives requests and runs priority over reading, and lets the kernel end this process first when memory is short. */
const niceness = 5

/** Its input leads to the service in both directions. What libraries print goes elsewhere. */
const service = new Socket({ fd: 0 })
const end = () => process.kill(process.pid, 'SIGKILL')
service.on('error', end).on('close', end)
// A manager of services signals each process, but the platform decides when its own end.
process.on('SIGTERM', () => {})
// A library can lose the failure of one part of its work while it throws that of another, which is the answer.
process.on('unhandledRejection', () => {})

let answer: (request: unknown) => unknown = () => {
  throw new Error('No job is open')
}

async function perform(message: ContentRequest): Promise<unknown> {
  if (message.kind === 'ask') return answer(message.request)
  const { open } = (await import(message.module)) as { open: OpenJob<unknown, unknown, unknown> }
  answer = open(message.start)
  return null
}

async function reply(message: ContentRequest) {
  const result = await perform(message).then((answer) => ({ answer }), toRefusal)
  const { user, system } = process.cpuUsage()
  const used = { processorMs: (user + system) / 1000, residentMb: process.memoryUsage.rss() / 1024 ** 2 }
  service.write(frameOf({ ...result, ...used } satisfies ContentReply))
}

function toRefusal(error: unknown) {
  // Ends like a process without memory for its heap.
  if (error instanceof RangeError && error.message.includes('allocation failed')) process.abort()
  return {
    refused: messageOf(error),
    code: error instanceof Error && 'code' in error ? String(error.code) : null,
  }
}

let working = Promise.resolve()
const receive = (message: unknown) => {
  working = working.then(() => reply(message as ContentRequest))
}
readFrames(service, receive, end)

lowerPriority(niceness)
try {
  writeFileSync('/proc/self/oom_score_adj', '500')
} catch {
  // Only Linux has it.
}
