import type { z } from 'zod'

import { type Fault, faultsOf } from './plain-messages.ts'

export type ReadSent<Schema extends z.ZodType> =
  | { data: z.output<Schema>; faults?: undefined }
  | { data?: undefined; faults: Fault[] }

/**
 * Parses a value from a request. If a field does not accept null, null means that the field is absent. If null has its
 * own meaning, the schema receives it.
 */
export function readSent<Schema extends z.ZodType>(schema: Schema, sent: unknown): ReadSent<Schema> {
  const parsed = schema.safeParse(sent)
  if (parsed.success) return { data: parsed.data }
  const faults = faultsOf(parsed.error)
  return removeNulls(sent, faults) ? readSent(schema, sent) : { faults }
}

/** Returns whether any of the faults was a null field. Those fields are now removed. */
function removeNulls(sent: unknown, faults: readonly Fault[]) {
  let isAny = false
  for (const { path } of faults) {
    const holder = path.slice(0, -1).reduce<unknown>((value, step) => (isHolder(value) ? value[step] : undefined), sent)
    const name = path.at(-1)
    if (name === undefined || !isHolder(holder) || Array.isArray(holder) || holder[name] !== null) continue
    isAny = delete holder[name]
  }
  return isAny
}

const isHolder = (value: unknown): value is Record<PropertyKey, unknown> => typeof value === 'object' && value !== null
