import { z } from 'zod'

import { sentencesOf } from '#contract/plain-messages.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import { oneLine, readFieldLines } from './field-lines.ts'

/**
 * The result of an insight when it was pinned. `fingerprint` covers the whole result, `value` is the part that the
 * report shows.
 */
const Pinned = z.object({
  at: Timestamp,
  fingerprint: z.string().regex(/^[0-9a-f]{16}$/, 'must be 16 hexadecimal digits'),
  value: z.json(),
})

/**
 * A fenced block of language `insight`: `name: value` lines, `parameters` and `value` as JSON. With `pinned` it shows what
 * it showed then, and says when the live result has moved; without, it is live.
 *
 *     ref: pass-rate-by-model
 *     title: Pass rate by model
 *     pinned: 2026-11-20T10:00:00.123456Z
 *     fingerprint: 0123456789abcdef
 *     value: {"columns":["model"],"rows":[["gpt-5"]]}
 */
export const InsightBlock = z.object({
  /** An id, a slug or a chart reference. */
  ref: z.string().regex(/^\S{1,300}$/, 'must be an insight’s id, slug or chart reference'),
  title: z.string().max(200).optional(),
  /** The parameters of a built-in chart. */
  parameters: z.record(z.string(), z.json()).optional(),
  pinned: Pinned.optional(),
  /** When it was clipped. Makes a clipped block unique. */
  added: Timestamp.optional(),
})
export type InsightBlock = z.infer<typeof InsightBlock>

/** Parses the text inside the fence. `problem` is a message for the author of the report. */
export function parseInsightBlock(text: string): { block: InsightBlock } | { problem: string } {
  const read = readFieldLines(text)
  if ('problem' in read) return read
  const { ref, title, parameters, pinned, fingerprint, value, added } = read.fields
  try {
    const parsed = InsightBlock.safeParse({
      ref,
      ...(title && { title }),
      ...(added && { added }),
      ...(parameters !== undefined && { parameters: JSON.parse(parameters) as unknown }),
      ...(pinned !== undefined && {
        pinned: { at: pinned, fingerprint, value: JSON.parse(value ?? 'null') as unknown },
      }),
    })
    if (parsed.success) return { block: parsed.data }
    return { problem: sentencesOf(parsed.error) }
  } catch {
    return { problem: 'parameters and value must be JSON on one line' }
  }
}

export function formatInsightBlock({ ref, title, parameters, pinned, added }: InsightBlock): string {
  const lines = [
    `ref: ${ref}`,
    ...(title ? [`title: ${oneLine(title)}`] : []),
    ...(parameters ? [`parameters: ${JSON.stringify(parameters)}`] : []),
    ...(added ? [`added: ${added}`] : []),
    ...(pinned
      ? [`pinned: ${pinned.at}`, `fingerprint: ${pinned.fingerprint}`, `value: ${JSON.stringify(pinned.value)}`]
      : []),
  ]
  return ['```insight', ...lines, '```'].join('\n')
}

/**
 * Returns the same fingerprint for equal JSON values, whatever the order of their fields. It detects changes; it does
 * not protect against forgery.
 */
export function fingerprintOf(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text ?? 'undefined'))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(16).padStart(16, '0')
}
