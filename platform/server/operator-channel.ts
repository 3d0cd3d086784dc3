import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import type { AuditActor } from '#platform/context/audit-events.ts'
import type { Services } from '#platform/context/context.ts'
import { Failure, unauthenticated } from '#platform/failures/failure.ts'
import { runCommand } from '#platform/operator/run-command.ts'

const fileOf = (dataFolder: string) => join(dataFolder, 'operator.json')

const ChannelFile = z.object({ port: z.int(), token: z.string() })

export const ChannelEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), done: z.number(), total: z.number().optional(), label: z.string() }),
  z.object({ kind: z.literal('result'), lines: z.array(z.string()) }),
  z.object({ kind: z.literal('failure'), code: z.string(), message: z.string() }),
])
export type ChannelEvent = z.infer<typeof ChannelEvent>

/** `account` is the user that the CLI reports. A program that can read the token can report any user. */
const OperatorCall = z.object({ command: z.string(), input: z.unknown(), account: z.string().max(200).optional() })

/** Lets the CLI run its commands in the running service, which alone may open the embedded engines. */
export function addOperatorChannel(app: FastifyInstance, services: Services, token: string) {
  app.post('/operator/commands', async (request, reply) => {
    const expected = Buffer.from(`Bearer ${token}`)
    const header = Buffer.from(request.headers.authorization ?? '')
    if (header.length !== expected.length || !timingSafeEqual(header, expected))
      throw unauthenticated('Wrong operator token')
    const call = OperatorCall.parse(request.body)
    const events = new PassThrough()
    const by: AuditActor = { kind: 'operator', requestId: request.id, ...(call.account && { name: call.account }) }
    const send = (event: ChannelEvent) => events.write(`${JSON.stringify(event)}\n`)
    void runCommand(services, call.command, call.input, (progress) => send({ kind: 'progress', ...progress }), by)
      .then((lines) => send({ kind: 'result', lines }))
      .catch((error: unknown) => {
        if (!(error instanceof Failure)) request.log.error({ err: error }, 'operator command failed')
        send({
          kind: 'failure',
          code: error instanceof Failure ? error.code : 'internal',
          message: String(error instanceof Error ? error.message : error),
        })
      })
      .finally(() => events.end())
    return reply.type('application/x-ndjson').send(events)
  })
}

export const newOperatorToken = () => randomBytes(32).toString('base64url')

/** Writes a file that tells CLIs of this data folder how to reach the service. Only its owner can read it. */
export async function announceChannel(dataFolder: string, channel: { port: number; token: string }) {
  const unfinished = `${fileOf(dataFolder)}.new`
  await rm(unfinished, { force: true })
  await writeFile(unfinished, JSON.stringify({ ...channel, pid: process.pid }), { mode: 0o600 })
  // A concurrent reader sees the old file or the new one, never a part of it.
  await rename(unfinished, fileOf(dataFolder))
}

export const withdrawChannel = (dataFolder: string) => rm(fileOf(dataFolder), { force: true })

/**
 * Returns the channel of the service that runs on a data folder, or null. The file of a killed service stays but does
 * not answer. A service whose database is down reports that and still counts as running.
 */
export async function findChannel(dataFolder: string) {
  const text = await readFile(fileOf(dataFolder), 'utf8').catch(() => null)
  const channel = text === null ? undefined : ChannelFile.safeParse(JSON.parse(text)).data
  if (!channel) return null
  const url = `http://127.0.0.1:${channel.port}`
  const isAlive = await fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  )
  return isAlive ? { url, token: channel.token } : null
}
