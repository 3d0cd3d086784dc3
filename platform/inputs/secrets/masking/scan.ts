import { type Automaton, buildAutomaton, type Pattern } from './pattern-automaton.ts'

/** The bytes from `start` up to but excluding `end` of a stream, which reveal `secret`. */
export type Finding = { start: number; end: number; secret: number }

/**
 * Limits how many bytes of a stream are held in memory: of one long run of overlapping secrets, and of the start of a
 * secret that is followed by line breaks without end.
 */
export const maxHeld = 1024 * 1024

export type Scanner = {
  /** Reports the findings in the next bytes of the stream. */
  scan: (chunk: Uint8Array, onFinding: (finding: Finding) => void) => void
  /** Returns a byte position before which no later finding starts. */
  settled: () => number
}

export type ScannerFactory = () => Scanner

/** Searches for patterns byte for byte. */
export function exactScanner(patterns: readonly Pattern[]): ScannerFactory {
  const automaton = buildAutomaton(patterns)
  const { step, found, secret, depth } = automaton
  return () => {
    let node = 0
    let position = 0
    return {
      scan(chunk, onFinding) {
        for (let index = 0; index < chunk.byteLength; index += 1) {
          node = step(node, chunk[index] ?? 0)
          const length = found[node] ?? 0
          if (length === 0) continue
          const end = position + index + 1
          onFinding({ start: end - length, end, secret: secret[node] ?? 0 })
        }
        position += chunk.byteLength
      },
      settled: () => position - (depth[node] ?? 0),
    }
  }
}

/** Searches for patterns while ignoring line breaks in the stream. */
export function wrappedScanner(patterns: readonly Pattern[]): ScannerFactory {
  const automaton = buildAutomaton(patterns)
  const longest = patterns.reduce((most, { bytes }) => Math.max(most, bytes.byteLength), 0)
  const ringSize = 2 ** Math.ceil(Math.log2(longest + 1))
  return () => scanUnwrapped(automaton, ringSize)
}

const isLineBreak = (byte: number) => byte === 10 || byte === 13

function scanUnwrapped({ step, found, secret, depth }: Automaton, ringSize: number): Scanner {
  let node = 0
  let position = 0
  let count = 0
  /** The stream positions of the last bytes that are not line breaks. */
  const places = new Float64Array(ringSize)
  const placeBack = (bytes: number) => places[(count - bytes) & (ringSize - 1)] ?? 0
  return {
    scan(chunk, onFinding) {
      for (let index = 0; index < chunk.byteLength; index += 1) {
        const byte = chunk[index] ?? 0
        if (isLineBreak(byte)) continue
        places[count & (ringSize - 1)] = position + index
        count += 1
        node = step(node, byte)
        const length = found[node] ?? 0
        if (length > 0) onFinding({ start: placeBack(length), end: position + index + 1, secret: secret[node] ?? 0 })
      }
      position += chunk.byteLength
      if (node !== 0 && position - placeBack(depth[node] ?? 0) > maxHeld) node = 0
    },
    settled: () => (node === 0 ? position : placeBack(depth[node] ?? 0)),
  }
}
