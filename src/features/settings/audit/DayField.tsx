import { TextInput } from '@mantine/core'

import classes from './audit.module.css'

type Props = { label: string; value: string; onChange: (day: string) => void }

export const DayField = ({ label, value, onChange }: Props) => (
  <label className={classes.day}>
    {label}
    <TextInput type="date" size="xs" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
  </label>
)
