import { z } from 'zod'

import { sentencesOf } from '#contract/plain-messages.ts'
import type { ProviderName } from '#platform/ground/models/providers.ts'

/** The operator's own addresses of providers, for example of a proxy in a laboratory. They may be private. */
export type ProviderAddresses = Partial<Record<ProviderName, string>>

const url = z.url({ protocol: /^https?$/ }).optional()

const Settings = z.object({ PROVIDER_ANTHROPIC_URL: url, PROVIDER_OPENAI_URL: url, PROVIDER_GOOGLE_URL: url })

/** Reads PROVIDER_<NAME>_URL. Throws an Error that names every invalid setting. */
export function readProviderAddresses(environment: NodeJS.ProcessEnv): ProviderAddresses {
  const parsed = Settings.safeParse(environment)
  if (!parsed.success) throw new Error(`Invalid settings:\n${sentencesOf(parsed.error, '\n')}`)
  const { PROVIDER_ANTHROPIC_URL: anthropic, PROVIDER_OPENAI_URL: openai, PROVIDER_GOOGLE_URL: google } = parsed.data
  return { ...(anthropic && { anthropic }), ...(openai && { openai }), ...(google && { google }) }
}
