import { Suspense, lazy, use } from 'react'

import type { Turn } from '#contract/transcripts.ts'
import { looksLikeMarkdown } from '#src/markdown/looks-like-markdown.ts'
import { PlainText } from './plain-text.ts'
import type { NumberedMatch } from './transcript-find.ts'
import { PlainTurnText } from './PlainTurnText.tsx'
import { clampText } from './transcript-view.ts'

/** Parsing takes 2 ms for a thousand characters, and several turns come into view in one frame. */
const maxCharacters = 4000

const known = new WeakMap<Turn, boolean>()

/** What an agent says is markdown; what tools, people and logs say stays as they wrote it, and so does a long turn. */
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

type Props = {
  turn: Turn
  isWhole: boolean
  onWhole: () => void
  matches: readonly NumberedMatch[]
  currentMatch: number | null
}

/** The words of a turn: what the agent said in markdown as it meant it, everything else, and what was found, as written. */
export function TurnText(props: Props) {
  const { turn, matches } = props
  const written = <PlainTurnText {...props} />
  if (use(PlainText) || matches.length > 0 || !isRenderable(turn)) return written
  return (
    <Suspense fallback={written}>
      <Markdown>{turn.text}</Markdown>
    </Suspense>
  )
}
