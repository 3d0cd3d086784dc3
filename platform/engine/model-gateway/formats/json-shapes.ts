import { z } from 'zod'

/** A number of tokens. Null and anything else become undefined. */
export const Count = z.int().min(0).nullish().catch(undefined)

/** A text. Anything else becomes undefined. */
export const Text = z.string().optional().catch(undefined)

/** The length of a text field, zero if it is absent. */
export const lengthOf = (text: unknown) => (typeof text === 'string' ? text.length : 0)

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const recordsIn = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : [])
