import { StringDecoder } from 'node:string_decoder'

/** Longer lines are skipped as malformed. A turn of a megabyte must fit easily. */
const maxLineCharacters = 16 * 1024 * 1024

export type LineSplitter = { push: (chunk: Uint8Array) => string[]; end: () => string[]; skipped: () => number }

/** Splits a byte stream into lines, wherever its chunks (or UTF-8 characters) break. */
export function splitLines(): LineSplitter {
  const decoder = new StringDecoder('utf8')
  let rest: string[] = []
  let restLength = 0
  let isTooLong = false
  let skipped = 0

  const append = (text: string) => {
    restLength += text.length
    if (restLength > maxLineCharacters) {
      isTooLong = true
      rest = []
    } else rest.push(text)
  }
  const finishLine = () => {
    const line = isTooLong ? null : rest.join('')
    if (line === null) skipped += 1
    rest = []
    restLength = 0
    isTooLong = false
    return line === null ? [] : [line.endsWith('\r') ? line.slice(0, -1) : line]
  }
  const split = (text: string) => {
    const pieces = text.split('\n')
    const last = pieces.pop() ?? ''
    const lines = pieces.flatMap((piece) => {
      append(piece)
      return finishLine()
    })
    append(last)
    return lines
  }
  return {
    push: (chunk) => split(decoder.write(Buffer.from(chunk))),
    end: () => [...split(decoder.end()), ...(restLength > 0 ? finishLine() : [])],
    skipped: () => skipped,
  }
}
