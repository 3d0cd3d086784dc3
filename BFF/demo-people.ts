import { readFile } from 'node:fs/promises'

import { z } from 'zod'
import type { FastifyRequest } from 'fastify'

import type { Config } from '#bff/config.ts'
import { isLoopback } from '#bff/known-host.ts'
import { DemoPerson } from '#contract/session.ts'

const DemoKeys = z.array(DemoPerson.extend({ apiKey: z.string().min(1) }))

/** The embedded platform's demo people with their keys; nobody unless the caller sits on this very machine. */
export async function findDemoPeople(request: FastifyRequest, config: Config) {
  if (!config.demoKeysFile || config.publicUrl || !isLoopback(request)) return []
  try {
    return DemoKeys.parse(JSON.parse(await readFile(config.demoKeysFile, 'utf8')))
  } catch {
    // The platform has not written the file (yet): sign-in by key still works.
    return []
  }
}
