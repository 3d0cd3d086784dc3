import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'

import type { OwnSession } from '#contract/session.ts'
import { endOtherSessions, endOwnSession, ownSessionsOptions } from '#src/api/sessions.ts'
import { confirm } from '#src/ui/confirm.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { Section } from '#src/ui/Section.tsx'
import lists from '#src/ui/lists.module.css'
import { browserName } from './browser-name.ts'
import classes from './profile.module.css'

/** Where the caller is signed in. */
export function OwnSessions() {
  const list = useQuery(ownSessionsOptions())
  const ending = useMutation({ mutationFn: endOtherSessions })
  const sessions = list.data?.sessions
  const others = sessions?.filter(({ isCurrent }) => !isCurrent).length ?? 0
  const ask = () =>
    confirm({
      title: 'End all other sessions?',
      lost: 'You must sign in again in every other browser. API keys keep working.',
      verb: 'End other sessions',
      onConfirm: () => ending.mutate(),
    })
  return (
    <Section
      title="Sessions"
      aside={
        others > 0 && (
          <Button variant="default" size="xs" loading={ending.isPending} onClick={ask}>
            End all other sessions
          </Button>
        )
      }
    >
      {list.error && (
        <ErrorNotice title="Your sessions could not be loaded" error={list.error} onRetry={() => void list.refetch()} />
      )}
      {ending.error && <ErrorNotice title="The other sessions could not be ended" error={ending.error} />}
      <ul className={lists.lined}>
        {sessions?.map((session) => (
          <Row key={session.name} session={session} />
        ))}
      </ul>
    </Section>
  )
}

function Row({ session }: { session: OwnSession }) {
  const ending = useMutation({ mutationFn: () => endOwnSession(session) })
  const { browser, address, startedAt, usedAt, isCurrent } = session
  const name = browserName(browser)
  return (
    <li className={classes.session}>
      <div className={classes.about}>
        <span className={classes.browser} title={browser}>
          {name} {isCurrent && <span className={classes.note}>this session</span>}
        </span>
        <span className={classes.note}>
          Signed in from {address} <RelativeTime at={startedAt} />, last used <RelativeTime at={usedAt} />
        </span>
        {ending.error && (
          <span role="alert" className={classes.failure}>
            {ending.error.message}
          </span>
        )}
      </div>
      {!isCurrent && (
        <Button
          variant="default"
          size="xs"
          aria-label={`End the session of ${name} from ${address}`}
          loading={ending.isPending}
          onClick={() => ending.mutate()}
        >
          End
        </Button>
      )}
    </li>
  )
}
