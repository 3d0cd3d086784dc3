import { Button } from '@mantine/core'

import type { DemoPerson } from '#contract/session.ts'
import classes from './SignInPage.module.css'

type Props = {
  people: readonly DemoPerson[]
  entering: DemoPerson['id'] | undefined
  onEnter: (id: DemoPerson['id']) => void
}

export const DemoPeople = ({ people, entering, onEnter }: Props) => (
  <div className={classes.others}>
    <p className={classes.hint}>Or try the demo as:</p>
    {people.map(({ id, name, email }) => (
      <Button key={id} variant="default" size="sm" loading={entering === id} onClick={() => onEnter(id)}>
        {name} <span className={classes.email}>{email}</span>
      </Button>
    ))}
  </div>
)
