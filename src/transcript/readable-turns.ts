import type { Turn } from '#contract/transcripts.ts'
import { stripAnsi } from '#src/ui/ansi.ts'

const readable = new WeakMap<Turn, Turn>()

// Control bytes other than tab and line feed, and the carriage returns of redrawn lines.
const needsCleaning = /[^\P{Cc}\t\n]/u

/**
 * Turns as a page can show and search them: without terminal escapes and control bytes. Remembered per turn, because a
 * live conversation is asked for again with every poll.
 */
export const toReadableTurns = (turns: readonly Turn[]): Turn[] =>
  turns.map((turn) => {
    const known = readable.get(turn)
    if (known) return known
    const cleaned = needsCleaning.test(turn.text) ? { ...turn, text: stripAnsi(turn.text) } : turn
    readable.set(turn, cleaned)
    return cleaned
  })
