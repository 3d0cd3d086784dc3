import type { OutputMatch, OutputMatchList, OutputSource } from '#contract/output-matches.ts'
import { outputMatchesOptions } from '#src/api/output-matches.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { VersionName } from '#src/features/results/view/VersionName.tsx'
import { withoutTestSearch } from '#src/features/results/view/results-parameters.ts'
import type { PaneProps } from '#src/features/results/view/ViewState.tsx'
import { count, counted } from '#src/format/numbers.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import hits from '#src/ui/hits.module.css'
import { LoadingArea } from '#src/ui/LoadingArea.tsx'
import { PendingRuns } from '#src/ui/PendingRuns.tsx'
import { LoadMore } from '#src/ui/LoadMore.tsx'
import { MatchesOfRun } from './MatchesOfRun.tsx'
import classes from './OutputMatches.module.css'

type Searched = { search: string; source: OutputSource | null; includesReasoning: boolean }

/** The turns and test output that contain the searched text, by run. */
export function OutputMatches({ experiment, state, searched }: PaneProps & { searched: Searched }) {
  const parameters = withoutTestSearch(state.parameters)
  const list = useInfiniteList(outputMatchesOptions(experiment.id, parameters, searched))
  const { rows: matches, error, retry, more, query } = list
  const last = query.data?.pages.at(-1)
  if (!matches || !last)
    return error ? (
      <ErrorNotice title="The search failed" error={error} onRetry={retry} />
    ) : (
      <LoadingArea label="Searching" height={240} />
    )
  const runs = Map.groupBy(matches, ({ runUuid }) => runUuid)
  return (
    <section aria-label="Matches">
      <PendingRuns count={last.pendingRuns ?? 0} refresh={query.refetch} />
      <p className={hits.extent} aria-live="polite">
        {describeExtent(matches, last)} of <VersionName experiment={experiment} version={last.version} />
        {last.excludedTestAwareRuns > 0 && ` · ${count(last.excludedTestAwareRuns)} test-aware excluded`}
      </p>
      {matches.length === 0 && !more && (
        <EmptyState title="No match" hint={`“${searched.search}” occurs in none of these runs.`} />
      )}
      <ul className={hits.list}>
        {[...runs].map(([runUuid, ofRun]) => (
          <MatchesOfRun key={runUuid} matches={ofRun} />
        ))}
      </ul>
      {error && <ErrorNotice title="The search could not continue" error={error} onRetry={retry} />}
      {more && (
        <div className={classes.more}>
          <LoadMore more={more}>{last.stoppedEarly ? 'Continue searching' : 'Load more'}</LoadMore>
        </div>
      )}
    </section>
  )
}

/** Says how far the search got, unless it is complete. */
function describeExtent(matches: readonly OutputMatch[], { searchedRuns, totalRuns, nextPageToken }: OutputMatchList) {
  const found = new Set(matches.map(({ runUuid }) => runUuid)).size
  const said =
    matches.length === 0 ? 'No match' : `${counted(matches.length, 'match', 'matches')} in ${counted(found, 'run')}`
  if (!nextPageToken) return `${said}; ${counted(totalRuns, 'run')}`
  return `${said} so far; searched ${count(searchedRuns)} of ${counted(totalRuns, 'run')}`
}
