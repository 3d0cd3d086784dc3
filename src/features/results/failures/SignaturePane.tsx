import { Anchor, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'

import { FailureKind, type FailureSignature } from '#contract/failure-signatures.ts'
import { failedRunsOptions, failureSignaturesOptions } from '#src/api/failure-signatures.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { failureHref } from '#src/shared/failure-signatures/failure-href.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { kindLabels } from '#src/shared/failure-signatures/kind-labels.ts'
import { groupLabelOf, withoutTestSearch } from '#src/features/results/view/results-parameters.ts'
import { SidePane } from '#src/features/results/view/SidePane.tsx'
import type { PaneProps } from '#src/features/results/view/ViewState.tsx'
import { counted } from '#src/format/numbers.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { RunLines } from '#src/features/results/view/RunLines.tsx'
import { ShareBar } from './ShareBar.tsx'
import paneClasses from '#src/features/results/view/SidePane.module.css'
import { ScrollRegion } from '#src/ui/ScrollRegion.tsx'
import { LoadMore } from '#src/ui/LoadMore.tsx'
import classes from './SignaturePane.module.css'

/** One failure: an example, how often each group has it, and its runs. */
export function SignaturePane({ experiment, state }: PaneProps) {
  const [search] = useSearchParams()
  const id = search.get('signature')
  const kind = FailureKind.safeParse(search.get('kind')).data
  const parameters = withoutTestSearch(state.parameters)
  const summary = useQuery(failureSignaturesOptions(experiment.id, parameters, { kind }))
  const signature = summary.data?.signatures.find((one) => one.id === id)
  if (!id) return null
  return (
    <SidePane
      label="Runs with the failure"
      title={signature?.message ?? 'Failure'}
      subtitle={signature && kindLabels[signature.kind]}
    >
      {summary.isPending && <Skeleton height={120} />}
      {signature && (
        <>
          <p className={paneClasses.counts}>
            <span>
              {counted(signature.runs, 'run')}
              {signature.testCount > 0 && `, ${counted(signature.testCount, 'test')}`}
            </span>
            <span>
              First seen <RelativeTime at={signature.firstSeenAt} />, last seen{' '}
              <RelativeTime at={signature.lastSeenAt} />
            </span>
          </p>
          <Example example={signature.example} />
          <GroupCounts signature={signature} label={groupLabelOf(parameters.groupBy)} chosen={state.group} />
        </>
      )}
      <FailedRuns
        key={state.group}
        experimentId={experiment.id}
        {...{ parameters, signature: id, group: state.group }}
      />
    </SidePane>
  )
}

const Example = ({ example }: Pick<FailureSignature, 'example'>) => (
  <figure className={classes.example}>
    <figcaption>
      <span>{example.testName ?? (example.turn === null ? 'Newest run' : `Turn ${example.turn}`)}</span>
      <TextLink href={failureHref(example)}>Open the newest</TextLink>
    </figcaption>
    <ScrollRegion label="Example">
      <pre>{example.text}</pre>
    </ScrollRegion>
  </figure>
)

type GroupCountsProps = {
  signature: FailureSignature
  label: string
  chosen: string | null
}

/** How many runs of each group failed this way. A group limits the list of runs below. */
function GroupCounts({ signature, label, chosen }: GroupCountsProps) {
  const url = useQueryState()
  return (
    <ul className={classes.groups} aria-label={label}>
      {signature.groups
        .toSorted((a, b) => b.runs - a.runs)
        .map(({ group, runs, ofRuns }) => (
          <li key={group} data-chosen={group === chosen || undefined}>
            <Anchor
              component="button"
              type="button"
              fz={12}
              className={classes.group}
              aria-pressed={group === chosen}
              onClick={() => url.set({ group: group === chosen ? null : group })}
            >
              {groupLabel(group)}
            </Anchor>
            <ShareBar share={runs / ofRuns} label={`${runs} of ${counted(ofRuns, 'run')} on these prompts`}>
              {runs}/{ofRuns}
            </ShareBar>
          </li>
        ))}
    </ul>
  )
}

type FailedRunsProps = {
  experimentId: string
  parameters: Parameters<typeof failedRunsOptions>[1]
  signature: string
  group: string | null
}

function FailedRuns({ experimentId, parameters, signature, group }: FailedRunsProps) {
  const { rows, firstPage, error, retry, more } = useInfiniteList(
    failedRunsOptions(experimentId, parameters, { signature, group }),
  )
  if (error) return <ErrorNotice title="The runs could not be loaded" error={error} onRetry={retry} />
  if (!rows) return <Skeleton height={120} />
  const total = firstPage?.total ?? 0
  return (
    <>
      <p className={paneClasses.counts}>
        {rows.length < total ? `${rows.length} of ${counted(total, 'run')}` : counted(total, 'run')}
        {group !== null && ` of ${groupLabel(group)}`}, newest first
      </p>
      <RunLines runs={rows} hrefOf={failureHref} />
      <LoadMore more={more} />
    </>
  )
}
