import { z } from 'zod'

const splitCommas = (value: unknown): unknown => {
  if (value === undefined) return undefined
  const parts = Array.isArray(value) ? value : [value]
  return parts
    .flatMap((part) => String(part).split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** A filter that can be repeated or comma-separated: `?agent=a&agent=b,c` is parsed as `['a', 'b', 'c']`. */
export const listParam = <Item extends z.ZodType<string, string> = z.ZodString>(item?: Item) =>
  z.preprocess(splitCommas, z.array((item ?? z.string()) as Item).optional())
