import { isRecord } from '#platform/model-gateway/formats/json-shapes.ts'
import type { WireFormat } from '#platform/model-gateway/formats/wire-format.ts'

/** Names content of a request that the provider would load from an address. */
export function findRemoteContent(
  { remoteField }: Pick<WireFormat, 'remoteField'>,
  body: Readonly<Record<string, unknown>>,
): string | undefined {
  const { tools: _, ...content } = body
  const waiting: unknown[] = [content]
  while (waiting.length > 0) {
    const value = waiting.pop()
    const field = isRecord(value) ? remoteField(value) : undefined
    if (field !== undefined) return field
    if (typeof value !== 'object' || value === null) continue
    for (const inner of Object.values(value)) waiting.push(inner)
  }
  return undefined
}
