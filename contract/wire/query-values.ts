import { z } from 'zod'

/** Query parameters arrive as text; these read the text form of each kind of value. */
export const booleanParam = () =>
  z.preprocess(
    (value) => (value === 'true' ? true : value === 'false' ? false : value),
    z.boolean({ error: 'must be true or false' }).optional(),
  )

export const integerParam = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value),
    z.int({ error: 'must be a whole number' }).min(min).max(max).optional(),
  )

/** RFC 3339 with an offset; kept as text until it reaches SQL. */
export const Timestamp = z.iso.datetime({ offset: true, error: 'must be an RFC 3339 timestamp' })

export const timestampParam = () => Timestamp.optional()
