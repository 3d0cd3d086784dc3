import { z } from 'zod'

/** Query parameters arrive as text. These schemas parse the text form of each kind of value. */
export const booleanParam = () =>
  z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean().optional())

export const integerParam = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value),
    z
      .int({ error: ({ code }) => (code === 'invalid_type' ? 'must be a whole number' : undefined) })
      .min(min)
      .max(max)
      .optional(),
  )

export const numberParam = () =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\s*[-+]?[\d.]+(e[-+]?\d+)?\s*$/i.test(value) ? Number(value) : value),
    z.number({ error: 'must be a number' }).optional(),
  )

/** The largest position of a list: the maximum of a database integer. */
export const maxPosition = 2 ** 31 - 1

/** Year 0 and offsets of 16 hours and more are valid RFC 3339, but databases cannot store them. */
const isStorable = (text: string) => !text.startsWith('0000') && !/[+-](1[6-9]|2\d):/.test(text)

/** RFC 3339 with an offset, kept as text until it reaches SQL. */
export const Timestamp = z.iso
  .datetime({ offset: true, error: 'must be an RFC 3339 timestamp' })
  .refine(isStorable, 'must be in the years 1 to 9999, with an offset below 16 hours')

export const timestampParam = () => Timestamp.optional()
