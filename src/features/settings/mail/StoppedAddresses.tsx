import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

import type { StoppedAddress } from '#contract/mail.ts'
import { restartMailTo } from '#src/api/mail.ts'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { Section } from '#src/ui/Section.tsx'
import classes from './mail.module.css'

/** Members whose address was refused for good. */
export const StoppedAddresses = ({ people }: { people: readonly StoppedAddress[] }) => (
  <Section title="Stopped addresses">
    <ul className={classes.people}>
      {people.map((person) => (
        <Row key={person.id} person={person} />
      ))}
    </ul>
  </Section>
)

function Row({ person: { id, name, email, stoppedAt, fault } }: { person: StoppedAddress }) {
  const restarting = useMutation({ mutationFn: () => restartMailTo(id) })
  return (
    <li className={classes.person}>
      <span className={classes.about}>
        <strong>
          {name}, {email}
        </strong>
        <span>
          Stopped <RelativeTime at={stoppedAt} />. The mail server said: {fault}
        </span>
        {restarting.error && <span role="alert">{restarting.error.message}</span>}
      </span>
      <Button
        variant="default"
        size="xs"
        aria-label={`Resume email to ${name}`}
        loading={restarting.isPending}
        onClick={() => restarting.mutate()}
      >
        Resume email
      </Button>
    </li>
  )
}
