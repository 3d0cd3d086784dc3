import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'

import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import type { RunEnding } from '#contract/run-endings.ts'
import { EndingsLegend } from '#src/shared/leaderboard/EndingsBar.tsx'
import { countEndings } from '#src/shared/leaderboard/run-endings.ts'
import { PageOnly } from '#src/ui/PageOnly.tsx'
import type { Board } from '#statistics/leaderboard/leaderboard-rows.ts'
import { areUsual, choicesAbout, readRules } from './counting-choices.ts'
import classes from './WhoseFailure.module.css'

const OtherCounting = lazy(async () => ({ default: (await import('./OtherCounting.tsx')).OtherCounting }))

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
  const rules = readRules(search)
  const [isOpen, setIsOpen] = useState(!areUsual(rules))
  const counts = countEndings(data.groups.map(({ endings }) => endings))
  if (counts.length === 0) return null
  const hasLeftOut = counts.some(({ ending }) => ending === 'canceled') || choicesAbout(data).length > 0
  return (
    <section aria-label="Whose failure" className={classes.root}>
      <EndingsLegend counts={counts} hrefOf={hrefOf} />
      {hasLeftOut && (
        <PageOnly>
          <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
            <summary className={classes.summary}>What counting these runs otherwise would change</summary>
            <Suspense>{isOpen && <OtherCounting {...{ data, board, rules, isWhole }} />}</Suspense>
          </details>
        </PageOnly>
      )}
    </section>
  )
}
