import type { FailedRun } from '#contract/failure-signatures.ts'
import { unsharedNames } from '#src/charts/unshared-names.ts'
import { failureHref } from '#src/failure-signatures/failure-href.ts'
import classes from '#src/features/results/view/SidePane.module.css'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { TruncatedText } from '#src/ui/TruncatedText.tsx'

/** The runs with a failure. Each opens at its failed test or at the turn of its tool call. */
export function FailedRunLines({ runs }: { runs: readonly FailedRun[] }) {
  const names = unsharedNames(runs.map(({ variantId }) => variantId))
  return (
    <ul className={classes.list}>
      {runs.map((run, place) => (
        <li key={run.runId}>
          <TextLink className={classes.run} href={failureHref(run)}>
            <span className={classes.variant}>
              <TruncatedText whole={run.variantId}>{names[place] ?? ''}</TruncatedText>
            </span>
            <span className={classes.fact}>#{run.repeat}</span>
            {run.mock && <span className={classes.fact}>mock</span>}
            <span className={classes.fact}>
              <RelativeTime at={run.endedAt} />
            </span>
          </TextLink>
        </li>
      ))}
    </ul>
  )
}
