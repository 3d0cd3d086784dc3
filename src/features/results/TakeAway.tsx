import type { HeatmapParameters } from '#contract/charts.ts'
import type { Experiment } from '#contract/experiments.ts'
import { ClipButton } from '#src/clip/ClipButton.tsx'
import { shorten } from '#src/clip/clip-quote.ts'
import { CopyAs } from '#src/copy-as/CopyAs.tsx'
import { shownVariants } from './copy-results.ts'
import { resultFacts } from './result-facts.ts'

/** What a view says of itself when it is quoted or copied. */
export type Shown = {
  title: string
  quote: () => string
  curl: () => string
  sql: () => string
  /** One group of the grouping, where the view shows no more. */
  group?: string
}

type Props = { experiment: Experiment; parameters: HeatmapParameters; version: string; shown: Shown }

export function TakeAway({ experiment, parameters, version, shown }: Props) {
  const { title, quote, curl, sql, group } = shown
  return (
    <>
      <ClipButton
        clip={() => ({
          title: `${experiment.name}: ${title}`,
          quote: shorten(quote()),
          facts: resultFacts(experiment, parameters, version),
        })}
      />
      <CopyAs
        curl={curl}
        sql={sql}
        selector={() => shownVariants(experiment.id, { parameters, version }, group ?? null)}
      />
    </>
  )
}
