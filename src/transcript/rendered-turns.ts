import type { Turn } from '#contract/transcripts.ts'
import { looksLikeMarkdown } from '#src/markdown/looks-like-markdown.ts'
import { clampText } from './transcript-view.ts'

/** Parsing takes 2 ms for a thousand characters, and several turns come into view in one frame. */
const maxCharacters = 4000

const known = new WeakMap<Turn, boolean>()

/** What an agent says is markdown; what tools, people and logs say stays as they wrote it, and so does a long turn. */
export function isRenderable(turn: Turn): boolean {
  const { role, kind, text } = turn
  if (role !== 'assistant' || kind !== 'message' || text.length > maxCharacters) return false
  const before = known.get(turn)
  if (before !== undefined) return before
  const renderable = clampText(text).rest === 0 && looksLikeMarkdown(text)
  known.set(turn, renderable)
  return renderable
}
