import { readFile } from 'node:fs/promises'

import { z } from 'zod'
import type { FastifyRequest } from 'fastify'

import type { BffConfig } from './bff-config.ts'
import { isLoopback } from './request-origin.ts'
import type { PlatformClient } from './platform-client.ts'
import { DemoPerson } from '#contract/session.ts'

const DemoKeys = z.array(DemoPerson.extend({ apiKey: z.string().min(1) }))

/**
 * Finds the embedded platform's demo users with their keys; none unless the browser runs on this machine. `isOff` means
 * that the platform has revoked their keys, as it does once there is a second organization.
 */
export function findDemoPeople(config: BffConfig, platform: PlatformClient) {
  const revoked = new Set<string>()

  const isLive = async ({ apiKey }: { apiKey: string }) => {
    if (revoked.has(apiKey)) return false
    // A platform that does not answer has not rejected the key.
    const isRefused = (await platform.findPerson(apiKey).catch(() => undefined)) === null
    if (isRefused) revoked.add(apiKey)
    return !isRefused
  }

  return async (request: FastifyRequest) => {
    const people = isLoopback(request) ? await readDemoKeys(config) : []
    const live = await Promise.all(people.map(isLive))
    return { people: people.filter((_, index) => live[index]), isOff: people.length > 0 && !live.includes(true) }
  }
}

async function readDemoKeys({ demoKeysFile, publicUrl }: BffConfig) {
  if (!demoKeysFile || publicUrl) return []
  try {
    return DemoKeys.parse(JSON.parse(await readFile(demoKeysFile, 'utf8')))
  } catch {
    // The platform has not written the file yet. Sign-in with a key still works.
    return []
  }
}
