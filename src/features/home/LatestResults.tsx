import { describeLeftOut } from '#contract/infrastructure.ts'
import type { FinishedRequest } from '#contract/home.ts'
import { count, counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { LoadingArea } from '#src/ui/LoadingArea.tsx'
import lines from '#src/ui/line-list.module.css'
import { SolvedBar } from '#src/ui/SolvedBar.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './home.module.css'
import { RequestName } from './RequestName.tsx'

/** The newest finished requests, each with the solved rate of its groups as small bars. */
export function LatestResults({ requests }: { requests: readonly FinishedRequest[] | undefined }) {
  if (!requests) return <LoadingArea label="Loading latest results" height={240} />
  if (requests.length === 0)
    return (
      <EmptyState
        title="No results yet"
        hint="Open an experiment and submit runs. Their results appear here."
        action={<TextLink href={paths.experiments()}>Choose an experiment</TextLink>}
      />
    )
  return (
    <ul className={lines.list} aria-label="Latest results">
      {requests.map((request) => (
        <ResultRow key={request.id} request={request} />
      ))}
    </ul>
  )
}

const shownGroups = 4

function ResultRow({ request }: { request: FinishedRequest }) {
  const { solved, groups, erroredCount } = request
  const leftOut = describeLeftOut(request.leftOutRuns)
  const hidden = groups.length - shownGroups
  return (
    <li className={classes.result}>
      <RequestName request={request} at={request.endedAt}>
        <span className={lines.facts}>
          {solvedText(request)}
          {erroredCount > 0 && `, ${erroredCount} errored`}
          {leftOut !== null && `, ${leftOut}`}
        </span>
      </RequestName>
      {solved.runs > 0 && (
        <div>
          <dl className={classes.groups}>
            {groups.slice(0, shownGroups).map(({ group, ...counts }) => (
              <div key={group} className={classes.group}>
                <dt title={group}>{group}</dt>
                <dd>{counts.runs > 0 ? <SolvedBar counts={counts} /> : 'no tests'}</dd>
              </div>
            ))}
          </dl>
          {hidden > 0 && <p className={mutedText.note}>and {counted(hidden, 'more group')}</p>}
        </div>
      )}
    </li>
  )
}

const solvedText = ({ solved: { solved, runs }, runCount }: FinishedRequest) =>
  runs > 0 ? `Solved ${count(solved)} of ${counted(runs, 'run')}` : `${counted(runCount, 'run')} without tests`
