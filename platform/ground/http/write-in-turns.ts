import { setImmediate as nextTurn } from 'node:timers/promises'

import { z } from 'zod'

/** Checking and writing so many entries of a list takes a few milliseconds. */
const entriesAtOnce = 500

/** The JSON text of a response, checked by its schema. Others have turns while the entries of a long list are written. */
export async function writeInTurns(schema: z.ZodType, response: unknown): Promise<Buffer> {
  if (!isPlain(schema) || !isRecord(response) || !Object.values(response).some(isLong))
    return Buffer.from(JSON.stringify(schema.parse(response)))
  const fields: string[] = []
  for (const [name, field] of Object.entries(schema.shape)) {
    await nextTurn()
    const text = await writeField(field, response[name])
    if (text !== undefined) fields.push(`${JSON.stringify(name)}:${text}`)
  }
  return Buffer.from(`{${fields.join()}}`)
}

async function writeField(schema: z.core.$ZodType, value: unknown): Promise<string | undefined> {
  const list = schema instanceof z.ZodOptional ? schema.unwrap() : schema
  if (!isLong(value) || !(list instanceof z.ZodArray) || hasChecks(list))
    return JSON.stringify(z.core.parse(schema, value))
  const part = z.array(list.element)
  const parts: string[] = []
  for (let start = 0; start < value.length; start += entriesAtOnce) {
    parts.push(JSON.stringify(part.parse(value.slice(start, start + entriesAtOnce))).slice(1, -1))
    await nextTurn()
  }
  return `[${parts.join()}]`
}

const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > entriesAtOnce

/** Not if a check of the whole response would be left out. */
const isPlain = (schema: z.ZodType): schema is z.ZodObject =>
  schema instanceof z.ZodObject && !schema.def.catchall && !hasChecks(schema)

const hasChecks = ({ def }: z.ZodType) => (def.checks ?? []).length > 0

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
