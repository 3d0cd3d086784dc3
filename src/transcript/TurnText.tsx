import { Suspense, lazy, use } from 'react'

import type { Turn } from '#contract/transcripts.ts'
import { PlainText } from './plain-text.ts'
import { isRenderable } from './rendered-turns.ts'
import type { NumberedMatch } from './transcript-find.ts'
import { WrittenText } from './WrittenText.tsx'

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
  const written = <WrittenText {...props} />
  if (use(PlainText) || matches.length > 0 || !isRenderable(turn)) return written
  return (
    <Suspense fallback={written}>
      <Markdown>{turn.text}</Markdown>
    </Suspense>
  )
}
