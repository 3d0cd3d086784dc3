import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'

import type { MaskStream } from '#platform/inputs/secrets/masking/mask-stream.ts'
import { isRecord } from '#platform/engine/model-gateway/formats/json-shapes.ts'
import { createJsonOutline } from './json-outline.ts'
import { createEventSplitter, type StreamEvent } from './split-events.ts'

type Relay = {
  body: Readable
  isStream: boolean
  /** Removes what the gateway asked for and the client did not: the usage of a stream. */
  hidesUsage: boolean
  /** Masks the provider's key if the answer repeats it. */
  mask: MaskStream
  response: ServerResponse
  /** Called with every event, or with the whole answer. */
  onPart: (part: unknown) => void
  /** Called with the size of the parts that are too long to read, beside their short fields. */
  onUnread: (bytes: number) => void
  onFirstByte: () => void
}

/** Only the short fields of a longer answer are read, because parsing it would hold up the thread. They include the usage. */
const maxWholeBytes = 512 * 1024
const maxWholeParts = 1000

/**
 * Passes an answer to the client byte by byte and reads its parts on the way. Reads to the end even if the client has
 * left, because only the end says what the call costs. Throws if the answer is cut.
 */
export async function relayAnswer({
  body,
  isStream,
  hidesUsage,
  mask,
  response,
  onPart,
  onUnread,
  onFirstByte,
}: Relay) {
  const events = createEventSplitter()
  const whole: Buffer[] = []
  const outline = createJsonOutline()
  let bytes = 0
  let unread = 0
  const show = async (shown: Uint8Array) => {
    if (shown.byteLength === 0 || response.destroyed || response.write(shown)) return
    const waited = new AbortController()
    const { signal } = waited
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).catch(() => {})
    // Removes the listeners: a long answer waits many times.
    waited.abort()
  }
  // Others have their turn between two parts, because an answer may have very many.
  const reportParts = async (parts: readonly unknown[]) => {
    for (const [index, part] of parts.entries()) {
      if (index > 0) await setImmediate()
      onPart(part)
    }
  }
  const pass = async (found: readonly StreamEvent[], chunk: Uint8Array) => {
    for (const { raw, isPiece } of found) if (isPiece) onUnread((unread += Buffer.byteLength(raw)))
    await reportParts(found.map(({ data }) => data).filter((data) => data !== undefined))
    await show(mask.push(hidesUsage ? Buffer.from(found.map(withoutUsage).join('')) : chunk))
  }
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (bytes === 0) onFirstByte()
    bytes += chunk.byteLength
    if (isStream) await pass(events.push(chunk), chunk)
    else {
      whole.push(chunk)
      if (bytes > maxWholeBytes) for (const held of whole.splice(0)) outline.push(held)
      await show(mask.push(chunk))
    }
  }
  if (isStream) await pass(events.end(), Buffer.alloc(0))
  else if (bytes <= maxWholeBytes) await reportParts(partsOf(Buffer.concat(whole)))
  else {
    onPart(outline.read())
    onUnread(bytes)
  }
  await show(mask.end())
}

/** A stream of the Gemini API without `alt=sse` is one JSON array. Its last parts have the tokens. */
function partsOf(bytes: Buffer): unknown[] {
  try {
    const parsed: unknown = JSON.parse(bytes.toString())
    return Array.isArray(parsed) ? parsed.slice(-maxWholeParts) : [parsed]
  } catch {
    return []
  }
}

/** Chat Completions adds one event with the usage and no choices, and `usage: null` to all others. */
function withoutUsage({ raw, data, isPiece }: StreamEvent): string {
  if (isPiece || !isRecord(data) || !('usage' in data)) return raw
  if (Array.isArray(data['choices']) && data['choices'].length === 0) return ''
  const { usage: _, ...rest } = data
  return `data: ${JSON.stringify(rest)}\n\n`
}
