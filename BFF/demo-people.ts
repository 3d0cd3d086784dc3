import { readFile } from 'node:fs/promises'

import { z } from 'zod'
import type { FastifyRequest } from 'fastify'

import type { BffConfig } from './bff-config.ts'
import { admissionOf, isSame, openDemoLink } from './demo-link.ts'
import { isLoopback } from './request-origin.ts'
import type { PlatformClient } from './platform-client.ts'
import { readAdmission } from './session-cookie.ts'
import { DemoPerson } from '#contract/session.ts'

const DemoKeys = z.array(DemoPerson.extend({ apiKey: z.string().min(1) }))

/**
 * The embedded platform's demo users with their keys, for browsers on this machine. That a request comes from this machine
 * proves no person, because a proxy here forwards for others. So a browser first has to use the secret of the demo's link.
 */
export function openDemo(config: BffConfig, platform: PlatformClient) {
  const { demoKeysFile, publicUrl } = config
  const keysFile = publicUrl ? undefined : demoKeysFile
  const link = keysFile ? openDemoLink(keysFile) : undefined
  const revoked = new Set<string>()

  const isLive = async ({ apiKey }: { apiKey: string }) => {
    if (revoked.has(apiKey)) return false
    // A platform that does not answer has not rejected the key.
    const isRefused = (await platform.findPerson(apiKey).catch(() => undefined)) === null
    if (isRefused) revoked.add(apiKey)
    return !isRefused
  }

  const peopleFor = async (request: FastifyRequest) =>
    keysFile && isLoopback(request) ? await readDemoKeys(keysFile) : []

  return {
    /**
     * Those as whom this browser can sign in. `isOff` means that the platform has revoked their keys, as it does once
     * there is a second organization; `needsLink` that the browser has not opened the link.
     */
    async find(request: FastifyRequest) {
      const people = await peopleFor(request)
      const live = await Promise.all(people.map(isLive))
      const found = people.filter((_, index) => live[index])
      const isAdmitted = people[0] && isSame(readAdmission(request) ?? '', admissionOf(people[0].apiKey))
      return {
        people: isAdmitted ? found : [],
        isOff: people.length > 0 && found.length === 0,
        needsLink: found.length > 0 && !isAdmitted,
      }
    },

    /** Uses up the secret of the link. Returns what the browser keeps, or null if the secret is not the current one. */
    async admit(request: FastifyRequest, secret: string) {
      const [first] = await peopleFor(request)
      return first && link?.use(secret) ? admissionOf(first.apiKey) : null
    },
  }
}

async function readDemoKeys(file: string) {
  try {
    return DemoKeys.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    // The platform has not written the file yet. Sign-in with a key still works.
    return []
  }
}
