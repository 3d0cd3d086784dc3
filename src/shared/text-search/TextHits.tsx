import { Button } from '@mantine/core'

import type { ReportWithText, RunWithText } from '#contract/text-search.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { textSearchOptions } from '#src/api/text-search.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import hits from '#src/ui/hits.module.css'
import { LoadingArea } from '#src/ui/LoadingArea.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { matchHref, matchPlace } from './match-place.ts'
import { searchExtent } from './search-extent.ts'
import classes from './TextHits.module.css'

type Props = {
  search: string
  /** At most so many runs, with a link to the others. */
  limit?: number
}

/** The reports and runs whose text has a text, the best first, each with what surrounds it. */
export function TextHits({ search, limit }: Props) {
  const { rows: runs, error, retry, more, query } = useInfiniteList(textSearchOptions(search, limit))
  const pages = query.data?.pages
  if (!runs || !pages)
    return error ? (
      <ErrorNotice title="The search failed" error={error} onRetry={retry} />
    ) : (
      <LoadingArea label="Searching" height={160} />
    )
  const reports = pages[0]?.reports ?? []
  const extent = searchExtent(pages)
  const hasNone = runs.length + reports.length === 0
  if (hasNone && !more) return <EmptyState title={`“${search}” occurs nowhere`} hint={extent} />
  return (
    <section aria-label="Text matches">
      <p className={hits.extent} aria-live="polite">
        {extent}
        {hasNone && ` “${search}” occurs in none of them.`}
      </p>
      <ul className={hits.list}>
        {reports.slice(0, limit).map((report) => (
          <ReportHit key={report.id} report={report} />
        ))}
        {runs.map((run) => (
          <RunHit key={run.runUuid} run={run} />
        ))}
      </ul>
      {error && <ErrorNotice title="The search could not continue" error={error} onRetry={retry} />}
      {more && (
        <p className={classes.more}>
          {limit === undefined ? (
            <Button variant="default" loading={more.pending} onClick={more.onMore}>
              Search older runs
            </Button>
          ) : (
            <TextLink href={paths.search(search)}>All matches</TextLink>
          )}
        </p>
      )}
    </section>
  )
}

const ReportHit = ({ report: { id, title, updatedAt, ...found } }: { report: ReportWithText }) => (
  <Hit href={paths.readReport(id)} name={title} place="Report" at={updatedAt} {...found} />
)

const RunHit = ({ run }: { run: RunWithText }) => (
  <Hit
    href={matchHref(run)}
    name={`${nameOfAxes(run.variantId)} #${run.repeat}`}
    place={`${run.experimentName} v${run.versionOrdinal} · ${matchPlace(run)}`}
    at={run.endedAt}
    before={run.before}
    match={run.match}
    after={run.after}
  />
)

type HitProps = {
  href: string
  name: string
  place: string
  at: string
  before: string
  match: string
  after: string
}

const Hit = ({ href, name, place, at, before, match, after }: HitProps) => (
  <li>
    <TextLink className={hits.hit} href={href}>
      <span className={classes.name}>
        <b>{name}</b>
        <small>
          {place} · <RelativeTime at={at} />
        </small>
      </span>
      <code className={hits.context}>
        {startOfLine(before)}
        <mark>{match}</mark>
        {after}
      </code>
    </TextLink>
  </li>
)

const shownBefore = 60

/** What is on the line of a match before it. Lines above would push the match out of the lines that are shown. */
function startOfLine(before: string) {
  const line = Array.from(before.slice(before.lastIndexOf('\n') + 1).trimStart())
  return line.length > shownBefore ? `…${line.slice(-shownBefore).join('')}` : line.join('')
}
