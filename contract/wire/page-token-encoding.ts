import type { z } from 'zod'

/** An opaque page token: the sort position of the last row of the page, as base64url JSON. */
export const encodePageToken = (position: readonly (string | number)[]) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(position))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Decodes a token. Returns null if it is not a valid token. */
export function decodePageToken<Position extends z.ZodType>(
  token: string,
  position: Position,
): z.output<Position> | null {
  try {
    const binary = atob(token.replaceAll('-', '+').replaceAll('_', '/'))
    const text = new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)))
    const parsed = position.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
