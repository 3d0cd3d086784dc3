import { isRecord } from '#platform/engine/model-gateway/formats/json-shapes.ts'
import type { WireFormat } from '#platform/engine/model-gateway/formats/wire-format.ts'

type Body = Readonly<Record<string, unknown>>

/** Names content of a request that the provider would load from an address. */
export const findRemoteContent = ({ remoteField }: Pick<WireFormat, 'remoteField'>, body: Body) =>
  findInContent(body, remoteField)

/** Names an object in the provider's account that a request would use or make. */
export function findStored(
  { storedField, storedOption }: Pick<WireFormat, 'storedField' | 'storedOption'>,
  body: Body,
): string | undefined {
  const { metadata: _, ...content } = body
  return storedOption(content) ?? findInContent(content, storedField)
}

function findInContent(body: Body, fieldOf: (part: Body) => string | undefined): string | undefined {
  const { tools: _, ...content } = body
  const waiting: unknown[] = [content]
  while (waiting.length > 0) {
    const value = waiting.pop()
    const field = isRecord(value) ? fieldOf(value) : undefined
    if (field !== undefined) return field
    if (typeof value !== 'object' || value === null) continue
    for (const inner of Object.values(value)) waiting.push(inner)
  }
  return undefined
}
