import type { ProviderName } from '#platform/ground/models/providers.ts'
import { anthropic } from './anthropic.ts'
import { google } from './google.ts'
import { openai } from './openai.ts'
import type { WireFormat } from './wire-format.ts'

export const wireFormats: Record<ProviderName, WireFormat> = { anthropic, openai, google }
