import type { Turn } from '#contract/transcripts.ts'
import { type AnsiSpan, parseAnsi } from '#src/ui/ansi.ts'

const readable = new WeakMap<Turn, Turn>()
const colored = new WeakMap<Turn, readonly AnsiSpan[]>()

// Control bytes other than tab and line feed, and the carriage returns of redrawn lines.
const needsCleaning = /[^\P{Cc}\t\n]/u

/**
 * Turns that a page can show and search, without terminal escapes and control bytes. Cached per turn, because every
 * poll of a live conversation reads them again.
 */
export const toReadableTurns = (turns: readonly Turn[]): Turn[] =>
  turns.map((turn) => {
    const known = readable.get(turn)
    if (known) return known
    const cleaned = needsCleaning.test(turn.text) ? clean(turn) : turn
    readable.set(turn, cleaned)
    return cleaned
  })

function clean(turn: Turn): Turn {
  const spans = parseAnsi(turn.text)
  const cleaned = { ...turn, text: spans.map(({ text }) => text).join('') }
  const styled = spans.filter(({ style }) => Object.values(style).some((value) => value !== undefined))
  if (styled.length > 0) colored.set(cleaned, styled)
  return cleaned
}

const noStyles: readonly AnsiSpan[] = []

/** The parts of a readable turn with a terminal style, ordered by offset. */
export const stylesIn = (turn: Turn): readonly AnsiSpan[] => colored.get(turn) ?? noStyles
