import { NativeSelect } from '@mantine/core'
import { useState } from 'react'

import { latestMonths } from './spend-view.ts'

type Props = { value: string; onChange: (period: string | null) => void }

/** The cycle shown. A month that is not among the newest, from a link, stays choosable. */
export function PeriodSelect({ value, onChange }: Props) {
  const [months] = useState(() => latestMonths(new Date()))
  const known = [{ value: '', label: 'Current cycle' }, { value: 'previous', label: 'Previous cycle' }, ...months]
  const choices = known.some((choice) => choice.value === value) ? known : [...known, { value, label: value }]
  return (
    <NativeSelect
      size="xs"
      aria-label="Billing cycle"
      data={choices}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  )
}
