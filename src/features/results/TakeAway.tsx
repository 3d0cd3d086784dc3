import type { Experiment } from '#contract/experiments.ts'
import { ClipButton } from '#src/clip/ClipButton.tsx'
import { shorten } from '#src/clip/clip-quote.ts'
import { CopyAs } from '#src/copy-as/CopyAs.tsx'
import type { ChartScope, PartOfChart } from '#src/copy-as/sql-parts.ts'
import { shownVariants } from './copy-results.ts'
import { resultFacts } from './result-facts.ts'

/** What a view says of itself when it is quoted or copied. */
export type Shown = {
  title: string
  quote: () => string
  curl: () => string
  sql: () => string
  /** Where the view shows no more of what its parameters let through. */
  part?: PartOfChart
}

type Props = { experiment: Experiment; scope: ChartScope; shown: Shown }

export function TakeAway({ experiment, scope, shown }: Props) {
  const { title, quote, curl, sql, part = {} } = shown
  return (
    <>
      <ClipButton
        clip={() => ({
          title: `${experiment.name}: ${title}`,
          quote: shorten(quote()),
          facts: resultFacts(experiment, scope),
        })}
      />
      <CopyAs curl={curl} sql={sql} selector={() => shownVariants(experiment.id, scope, part)} />
    </>
  )
}
