import { StringDecoder } from 'node:string_decoder'

import { createJsonOutline } from './json-outline.ts'

/**
 * One event of an event stream: its own text with the blank line after it, and its data if that is JSON. An event that
 * is too long to hold in memory comes in pieces with `isPiece`, and the last of them has the short fields of its data.
 */
export type StreamEvent = { raw: string; data: unknown; isPiece: boolean }

/** As many as of an answer in one piece: the last event of a Responses stream repeats the whole answer. */
const maxEventCharacters = 512 * 1024

/** Splits an event stream, wherever its chunks break. */
export function createEventSplitter() {
  const decoder = new StringDecoder('utf8')
  const held = createText()
  /** The short fields of an event that is too long. */
  let outline: ReturnType<typeof createJsonOutline> | null = null
  /** The last characters of the event so far, where a blank line can start. Only these are searched again. */
  let last = ''
  const endPiece = (): StreamEvent => {
    outline ??= createJsonOutline()
    const raw = held.take()
    outline.push(Buffer.from(raw))
    return { raw, data: undefined, isPiece: true }
  }
  const endEvent = (): StreamEvent => {
    const event = outline ? { ...endPiece(), data: outline.read() } : toEvent(held.take())
    outline = null
    return event
  }
  const take = (text: string) => {
    const events: StreamEvent[] = []
    let start = -last.length
    const searched = last + text
    for (const { index, 0: found } of searched.matchAll(blankLine)) {
      const end = index + found.length - last.length
      held.add(text.slice(Math.max(0, start), end))
      events.push(endEvent())
      start = end
    }
    held.add(text.slice(Math.max(0, start)))
    last = searched.slice(last.length + start).slice(-3)
    if (held.length() > (outline ? 0 : maxEventCharacters)) events.push(endPiece())
    return events
  }
  return {
    push: (chunk: Uint8Array) => take(decoder.write(Buffer.from(chunk))),
    /** The last event, if the stream ended without a blank line. */
    end(): StreamEvent[] {
      const events = take(decoder.end())
      return held.length() > 0 || outline ? [...events, endEvent()] : events
    },
  }
}

const blankLine = /\r\n\r\n|\n\n|\r\r/g

const maxParts = 1000

/** A text that grows by very many parts. Joining them at each part would copy all of the text each time. */
function createText() {
  const blocks: string[] = []
  let parts: string[] = []
  let length = 0
  return {
    length: () => length,
    add(part: string) {
      length += part.length
      parts.push(part)
      if (parts.length < maxParts) return
      // One-character parts would need many times their size.
      blocks.push(parts.join(''))
      parts = []
    },
    take() {
      const text = [...blocks.splice(0), ...parts].join('')
      parts = []
      length = 0
      return text
    },
  }
}

function toEvent(raw: string): StreamEvent {
  const lines = raw.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data:'))
  const text = lines.map((line) => line.slice('data:'.length).trimStart()).join('\n')
  try {
    return { raw, data: text === '' ? undefined : JSON.parse(text), isPiece: false }
  } catch {
    return { raw, data: undefined, isPiece: false }
  }
}
