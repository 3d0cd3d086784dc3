import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'

import { whoamiOptions } from '#src/api/identity.ts'
import { markRead, unreadOptions } from '#src/api/notifications.ts'
import { EntryList } from '#src/notifications/EntryList.tsx'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Section } from '#src/ui/Section.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

const shown = 3

/** The newest unread notifications of a person; nothing where there are none. */
export function Unread() {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const { data } = useQuery({ ...unreadOptions(), enabled: caller.keyKind === 'personal' })
  const reading = useMutation({ mutationFn: markRead })
  if (!data || data.entries.length === 0) return null
  const count = `${data.entries.length}${data.next_cursor ? '+' : ''}`
  return (
    <Section title={`Unread (${count})`} aside={<TextLink href={paths.notifications()}>All notifications</TextLink>}>
      {reading.error && <ErrorNotice title="Couldn’t mark as read" error={reading.error} />}
      <EntryList label="Unread notifications" entries={data.entries.slice(0, shown)} onRead={reading.mutate} />
    </Section>
  )
}
