import { createHash } from 'node:crypto'

const hash = (parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/**
 * Always the same UUID for the same parts, which makes an import repeatable. It is a version 8 UUID, RFC 9562 "custom".
 */
export function stableUuid(...parts: readonly string[]) {
  const hex = hash(parts)
  const variant = ((parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-')
}

export const shortHash = (text: string) => hash([text]).slice(0, 12)
