import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'

import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import type { RunEnding } from '#contract/run-endings.ts'
import { EndingsLegend } from '#src/shared/leaderboard/EndingsBar.tsx'
import { countEndings } from '#src/shared/leaderboard/run-endings.ts'
import { PageOnly } from '#src/ui/PageOnly.tsx'
import type { Board } from '#statistics/leaderboard/leaderboard-rows.ts'
import { areUsual, choicesAbout, readDecisions } from './decision-choices.ts'
import classes from './WhoseFailure.module.css'

const OtherDecisions = lazy(async () => ({ default: (await import('./OtherDecisions.tsx')).OtherDecisions }))

type Props = {
  data: LeaderboardSummary
  board: Board
  isWhole: boolean
  /** All runs of the leaderboard that ended in this way. */
  hrefOf: (ending: RunEnding) => string
}

/** The legend of the bars, and how the ranking moves if runs count in another way. */
export function WhoseFailure({ data, board, isWhole, hrefOf }: Props) {
  const [search] = useSearchParams()
  const decisions = readDecisions(search)
  const [isOpen, setIsOpen] = useState(!areUsual(decisions))
  const counts = countEndings(data.groups.map(({ endings }) => endings))
  if (counts.length === 0) return null
  const hasLeftOut = counts.some(({ ending }) => ending === 'canceled') || choicesAbout(data).length > 0
  return (
    <section aria-label="Whose failure" className={classes.root}>
      <EndingsLegend counts={counts} hrefOf={hrefOf} />
      {hasLeftOut && (
        <PageOnly>
          <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
            <summary className={classes.summary}>What other decisions about these runs would change</summary>
            <Suspense>{isOpen && <OtherDecisions {...{ data, board, decisions, isWhole }} />}</Suspense>
          </details>
        </PageOnly>
      )}
    </section>
  )
}
