import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import type { NotificationEntry } from '#contract/notifications.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import lists from '#src/ui/lists.module.css'
import mutedText from '#src/ui/muted-text.module.css'
import { describeEntry } from './describe-entry.ts'
import classes from './EntryList.module.css'

type Props = {
  label: string
  entries: readonly NotificationEntry[]
  onRead: (eventIds: string[]) => void
  /** Called when someone opens the subject of an entry. */
  onOpen?: () => void
}

/** Entries of the feed, newest first. Opening one marks it as read. */
export const EntryList = ({ label, entries, ...does }: Props) => (
  <ul aria-label={label} className={lists.lined}>
    {entries.map((entry) => (
      <Entry key={entry.event_id} entry={entry} {...does} />
    ))}
  </ul>
)

type EntryProps = Pick<Props, 'onRead' | 'onOpen'> & { entry: NotificationEntry }

function Entry({ entry, onRead, onOpen }: EntryProps) {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const { text, detail, href } = describeEntry(entry, caller.actor.id)
  const isUnread = entry.read_at === null
  const read = () => isUnread && onRead([entry.event_id])
  const open = () => {
    read()
    onOpen?.()
  }
  return (
    <li className={classes.entry} data-unread={isUnread || undefined}>
      <span className={classes.dot}>{isUnread && <VisuallyHidden>Unread: </VisuallyHidden>}</span>
      <div className={classes.words}>
        {href ? (
          <Link to={href} className={classes.text} onClick={open}>
            {text}
          </Link>
        ) : (
          <span className={classes.text}>{text}</span>
        )}
        {detail && <span className={classes.detail}>{detail}</span>}
      </div>
      <span className={mutedText.small}>
        <RelativeTime at={entry.occurred_at} />
      </span>
      <span className={classes.action}>
        {isUnread && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            title="Mark as read"
            aria-label={`Mark as read: ${text}`}
            onClick={read}
          >
            <IconCheck size={14} aria-hidden />
          </ActionIcon>
        )}
      </span>
    </li>
  )
}
