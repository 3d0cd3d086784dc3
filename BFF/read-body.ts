import type { z } from 'zod'

import { sentencesOf } from '#contract/plain-messages.ts'
import { Refusal } from './refusal.ts'

/** Parses a JSON body with a schema. Errors: `invalid_argument`. */
export function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(readJson(body))
  if (parsed.success) return parsed.data
  throw new Refusal('invalid_argument', sentencesOf(parsed.error))
}

function readJson(body: unknown): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    throw new Refusal('invalid_argument', 'The body is not JSON')
  }
}
