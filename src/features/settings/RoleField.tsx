import { SegmentedControl } from '@mantine/core'

import type { Role } from '#contract/identity.ts'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './RoleField.module.css'

type Props = {
  value: Role
  /** What each role allows. */
  texts: Record<Role, string>
  onChange: (role: Role) => void
}

export function RoleField({ value, texts, onChange }: Props) {
  return (
    <fieldset className={classes.role}>
      <legend>Role</legend>
      <SegmentedControl
        size="xs"
        data={[
          { value: 'viewer', label: 'Viewer' },
          { value: 'member', label: 'Member' },
          { value: 'admin', label: 'Admin' },
        ]}
        value={value}
        onChange={(role) => onChange(role as Role)}
      />
      <p className={mutedText.explanation}>{texts[value]}</p>
    </fieldset>
  )
}
