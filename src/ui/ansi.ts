/**
 * A stretch of terminal output in one style; `at` is its offset in the visible text. Colors are indexes 0–15 of the
 * terminal palette.
 */
export type AnsiSpan = { at: number; text: string; style: AnsiStyle }
export type AnsiStyle = {
  color?: number
  background?: number
  bold?: boolean
  dim?: boolean
  italic?: boolean
  underline?: boolean
  inverse?: boolean
}

const ESC = String.fromCharCode(27)
const BEL = String.fromCharCode(7)

// Reads color codes (SGR). Drops every other escape sequence, including one that was cut off at the length limit.
const escapes = new RegExp(
  [
    `${ESC}\\[([0-9;:]*)m`,
    `${ESC}\\[[0-?]*[ -/]*[@-~]?`,
    `${ESC}\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)?`,
    `${ESC}[ -/]*[0-~]?`,
  ].join('|'),
  'g',
)

const otherControls = new RegExp(`[${String.fromCharCode(0)}-\\x08\\x0b-\\x1a\\x1c-\\x1f\\x7f]`, 'g')

/** Replaces control bytes with their Unicode symbols, so binary output is visible and harmless. */
const showControls = (text: string) =>
  text.replace(otherControls, (byte) => String.fromCharCode(byte === '\x7f' ? 0x2421 : 0x2400 + byte.charCodeAt(0)))

/** Keeps only the last content of a line redrawn with carriage returns, such as a progress bar. */
const keepLastDrawing = (text: string) => text.replaceAll('\r\n', '\n').replace(/[^\n]*\r(?!$|\n)/g, '')

export function parseAnsi(raw: string): AnsiSpan[] {
  const text = keepLastDrawing(raw)
  const spans: AnsiSpan[] = []
  let style: AnsiStyle = {}
  let [position, shown] = [0, 0]
  const pushSpan = (end: number) => {
    const piece = showControls(text.slice(position, end))
    if (piece !== '') spans.push({ at: shown, text: piece, style })
    shown += piece.length
  }
  for (const match of text.matchAll(escapes)) {
    pushSpan(match.index)
    position = match.index + match[0].length
    if (match[1] !== undefined) style = applyCodes(style, match[1])
  }
  pushSpan(text.length)
  return spans
}

export const stripAnsi = (raw: string) =>
  parseAnsi(raw)
    .map((span) => span.text)
    .join('')

function applyCodes(before: AnsiStyle, codes: string): AnsiStyle {
  const numbers = codes.split(/[;:]/).map(Number)
  let style = { ...before }
  for (let index = 0; index < numbers.length; index += 1) {
    const code = numbers[index] ?? 0
    if (code === 0) style = {}
    else if (code === 38 || code === 48) {
      const { color, used } = readExtendedColor(numbers.slice(index + 1))
      style = { ...style, [code === 38 ? 'color' : 'background']: color }
      index += used
    } else style = { ...style, ...simpleCode(code) }
  }
  return style
}

const simpleCodes: Record<number, AnsiStyle> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  22: { bold: undefined, dim: undefined },
  23: { italic: undefined },
  24: { underline: undefined },
  27: { inverse: undefined },
  39: { color: undefined },
  49: { background: undefined },
}

function simpleCode(code: number): AnsiStyle {
  if (code >= 30 && code <= 37) return { color: code - 30 }
  if (code >= 90 && code <= 97) return { color: code - 82 }
  if (code >= 40 && code <= 47) return { background: code - 40 }
  if (code >= 100 && code <= 107) return { background: code - 92 }
  return simpleCodes[code] ?? {}
}

/**
 * Maps 256 colors and true colors to the nearest of our sixteen, because inline styles are blocked and both themes must
 * be readable.
 */
function readExtendedColor(rest: number[]): { color: number | undefined; used: number } {
  const [mode, first = 0, green = 0, blue = 0] = rest
  if (mode === 2) return { color: nearestOfSixteen(first, green, blue), used: 4 }
  if (mode !== 5) return { color: undefined, used: rest.length }
  if (first < 16) return { color: first, used: 2 }
  if (first >= 232) return { color: first < 244 ? 8 : 7, used: 2 }
  const cube = first - 16
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40)
  return {
    color: nearestOfSixteen(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)),
    used: 2,
  }
}

function nearestOfSixteen(red: number, green: number, blue: number) {
  const strongest = Math.max(red, green, blue)
  if (strongest < 48) return 0
  const bit = (channel: number) => (channel > strongest / 2 ? 1 : 0)
  return bit(red) + 2 * bit(green) + 4 * bit(blue) + (strongest > 170 ? 8 : 0)
}
