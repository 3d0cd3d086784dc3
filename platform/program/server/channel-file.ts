import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { z } from 'zod'

const fileOf = (dataFolder: string) => join(dataFolder, 'operator.json')

const ChannelFile = z.object({ port: z.int(), token: z.string() })

export const ChannelEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), done: z.number(), total: z.number().optional(), label: z.string() }),
  z.object({ kind: z.literal('result'), lines: z.array(z.string()) }),
  z.object({ kind: z.literal('failure'), code: z.string(), message: z.string() }),
])
export type ChannelEvent = z.infer<typeof ChannelEvent>

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
