import type { ReactNode } from 'react'

import type { HomeView } from '#contract/home.ts'
import type { Actor } from '#contract/identity.ts'
import type { NotificationEntry } from '#contract/notifications.ts'
import { counted } from '#src/format/numbers.ts'
import { describeEntry } from '#src/shared/notification-entries/describe-entry.ts'
import { paths } from '#src/paths.ts'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { Section } from '#src/ui/Section.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './home.module.css'

type Changes = NonNullable<HomeView['changes']>

type Props = {
  changes: Changes
  /** Comments for the reader, newest first. */
  comments: readonly NotificationEntry[]
  since: string
  actorId: string
}

/** What happened since the last visit, without the reader's own edits and what needs attention. */
export function ChangesSinceVisit({ changes, comments, since, actorId }: Props) {
  const { finishedRequests } = changes
  const ofOthers = ({ updatedBy }: { updatedBy: Actor }) => updatedBy.id !== actorId
  const [reports, savedQueries] = [changes.reports.filter(ofOthers), changes.savedQueries.filter(ofOthers)]
  const isEmpty = finishedRequests.length + comments.length + reports.length + savedQueries.length === 0
  return (
    <Section title="Since your last visit" aside={<RelativeTime at={since} />}>
      {isEmpty ? (
        <p className={mutedText.note}>Nothing changed. Finished runs and edits by colleagues appear here.</p>
      ) : (
        <ul className={classes.news} aria-label="Changes since your last visit">
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
