import { Suspense, lazy, use } from 'react'

import type { Turn } from '#contract/transcripts.ts'
import { looksLikeMarkdown } from '#src/markdown/looks-like-markdown.ts'
import { PlainText } from './plain-text.ts'
import { PlainTurnText, type TurnTextProps } from './PlainTurnText.tsx'
import { clampText } from './transcript-view.ts'

/** Parsing takes 2 ms per thousand characters, and several turns can appear in one frame. */
const maxCharacters = 4000

const known = new WeakMap<Turn, boolean>()

/** Renders agent messages as markdown. Other turns and long ones show their original text. */
function isRenderable(turn: Turn): boolean {
  const { role, kind, text } = turn
  if (role !== 'assistant' || kind !== 'message' || text.length > maxCharacters) return false
  const before = known.get(turn)
  if (before !== undefined) return before
  const renderable = clampText(text).rest === 0 && looksLikeMarkdown(text)
  known.set(turn, renderable)
  return renderable
}

const Markdown = lazy(async () => ({ default: (await import('#src/markdown/Markdown.tsx')).Markdown }))

/** The text of a turn: agent messages as markdown; everything else, and turns with matches, as written. */
export function TurnText(props: TurnTextProps) {
  const { turn, matches } = props
  const written = <PlainTurnText {...props} />
  if (use(PlainText) || matches.length > 0 || !isRenderable(turn)) return written
  return (
    <Suspense fallback={written}>
      <Markdown>{turn.text}</Markdown>
    </Suspense>
  )
}
