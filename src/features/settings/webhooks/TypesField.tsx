import { Checkbox, SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'

import { typeOptions } from '#src/shared/notification-entries/type-names.ts'
import classes from './webhooks.module.css'

type Props = {
  isAll: boolean
  types: string[]
  error: ReactNode
  onChange: (change: { isAll?: boolean; types?: string[] }) => void
}

/** Every notification, or those of some types. */
export function TypesField({ isAll, types, error, onChange }: Props) {
  return (
    <fieldset className={classes.types}>
      <legend>Notifications</legend>
      <SegmentedControl
        size="xs"
        data={[
          { value: 'all', label: 'All' },
          { value: 'some', label: 'Some' },
        ]}
        value={isAll ? 'all' : 'some'}
        onChange={(value) => onChange({ isAll: value === 'all' })}
      />
      {!isAll && (
        <Checkbox.Group
          aria-label="Notification types"
          value={types}
          error={error}
          onChange={(chosen) => onChange({ types: chosen })}
        >
          <div className={classes.choices}>
            {typeOptions.map(({ value, label }) => (
              <Checkbox key={value} size="xs" value={value} label={label} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </fieldset>
  )
}
