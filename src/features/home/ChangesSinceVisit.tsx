import type { ReactNode } from 'react'

import type { FlippedTest, HomeView } from '#contract/home.ts'
import type { Actor } from '#contract/identity.ts'
import type { NotificationEntry } from '#contract/notifications.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { counted } from '#src/format/numbers.ts'
import { describeEntry } from '#src/notification-entries/describe-entry.ts'
import { paths } from '#src/paths.ts'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { Section } from '#src/ui/Section.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import classes from './home.module.css'

type Changes = NonNullable<HomeView['changes']>

type Props = {
  changes: Changes
  /** Comments for the reader, newest first. */
  comments: readonly NotificationEntry[]
  since: string
  actorId: string
}

/** What happened since the last visit, worst news first, without the reader's own edits. */
export function ChangesSinceVisit({ changes, comments, since, actorId }: Props) {
  const { experiments, finishedRequests } = changes
  const ofOthers = ({ updatedBy }: { updatedBy: Actor }) => updatedBy.id !== actorId
  const [reports, savedQueries] = [changes.reports.filter(ofOthers), changes.savedQueries.filter(ofOthers)]
  const isEmpty =
    experiments.length + finishedRequests.length + comments.length + reports.length + savedQueries.length === 0
  return (
    <Section title="Since your last visit" aside={<RelativeTime at={since} />}>
      {isEmpty ? (
        <p className={classes.quiet}>Nothing changed. Finished runs and edits by colleagues appear here.</p>
      ) : (
        <ul className={classes.news} aria-label="Changes since your last visit">
          {experiments.map((changed) => (
            <Flips key={changed.experimentId} changed={changed} passes={false} />
          ))}
          {experiments.map((changed) => (
            <Flips key={changed.experimentId} changed={changed} passes />
          ))}
          {finishedRequests.map(({ id, experimentName, ordinal, solved, erroredCount, endedAt }) => (
            <News key={id} at={endedAt}>
              <TextLink href={paths.run(id)}>
                {experimentName} v{ordinal}
              </TextLink>{' '}
              finished{solved.runs > 0 && `: solved ${solved.solved} of ${counted(solved.runs, 'run')}`}
              {erroredCount > 0 && `, ${erroredCount} errored`}
            </News>
          ))}
          {comments.map((entry) => {
            const { text, href } = describeEntry(entry, actorId)
            return (
              <News key={entry.event_id} at={entry.occurred_at}>
                {href === undefined ? text : <TextLink href={href}>{text}</TextLink>}
              </News>
            )
          })}
          {reports.map(({ id, title, updatedBy, updatedAt }) => (
            <News key={id} at={updatedAt}>
              {updatedBy.name} changed the report <TextLink href={paths.report(id)}>{title}</TextLink>
            </News>
          ))}
          {savedQueries.map(({ id, title, updatedBy, updatedAt }) => (
            <News key={id} at={updatedAt}>
              {updatedBy.name} saved the query <TextLink href={paths.insight(id)}>{title}</TextLink>
            </News>
          ))}
        </ul>
      )}
    </Section>
  )
}

const News = ({ at, children }: { at?: string; children: ReactNode }) => (
  <li className={classes.item}>
    <p>{children}</p>
    {at !== undefined && (
      <span className={classes.when}>
        <RelativeTime at={at} />
      </span>
    )}
  </li>
)

const shownTests = 3

function Flips({ changed, passes }: { changed: Changes['experiments'][number]; passes: boolean }) {
  const tests = changed.flippedTests.filter((test) => test.passes === passes)
  if (tests.length === 0) return null
  const { experimentId, experimentName, fromOrdinal, toOrdinal } = changed
  const hidden = tests.length - shownTests
  const chance = tests.filter(({ mayBeChance }) => mayBeChance).length
  return (
    <News>
      <span className={classes.mark} data-tone={passes ? 'passed' : 'failed'} aria-hidden>
        {passes ? '✓' : '✕'}
      </span>{' '}
      <TextLink href={paths.experiment(experimentId, 'results', { view: 'compare', by: 'version' })}>
        {experimentName} v{toOrdinal}
      </TextLink>
      : {counted(tests.length, 'test')} {verb(tests.length, passes)} since v{fromOrdinal}:{' '}
      {tests.slice(0, shownTests).map(nameOf).join(', ')}
      {hidden > 0 && ` and ${hidden} more`}
      {chance > 0 && ` (${chance === tests.length ? '' : `${chance} of them `}may be chance)`}
    </News>
  )
}

const verb = (count: number, passes: boolean) =>
  `${passes ? 'pass' : 'fail'}${count === 1 ? (passes ? 'es' : 's') : ''} more often`

/** `refuses IIII (hasty · terse)`, or the number of variants if there are several. */
const nameOf = ({ test, variantIds: [first = '', ...others] }: FlippedTest) =>
  others.length === 0 ? `${test} (${nameOfAxes(first)})` : `${test} (${others.length + 1} variants)`
