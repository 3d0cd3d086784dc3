import { NativeSelect } from '@mantine/core'

import type { Presentation } from '#contract/insight-fields.ts'
import type { ResultTable } from '#contract/queries.ts'
import { type PresentationKind, presentationKinds } from '#src/charts/result/presentation-kinds.ts'
import { fillRoles } from '#src/charts/result/presentation.ts'
import { kindOf } from '#src/charts/result/values.ts'
import { MultiFilter } from '#src/ui/MultiFilter.tsx'
import classes from './ResultView.module.css'

type Props = {
  table: ResultTable
  value: Presentation
  onChange: (presentation: Presentation) => void
}

/** Selects the kind of chart and the columns it uses. */
export function ChartControls({ table, value, onChange }: Props) {
  const { columns } = table
  const { kind, x = '', y, series = '' } = value
  if (kind === 'table') return null
  const { controls } = presentationKinds[kind]
  const names = columns.map(({ name }) => name)
  const numbers = columns.filter((column) => kindOf(column) === 'number').map(({ name }) => name)
  const choose = (role: 'x' | 'series') => (chosen: string) => {
    const { [role]: _, ...rest } = value
    onChange({ ...rest, ...(chosen !== '' && { [role]: chosen }) })
  }
  return (
    <fieldset className={classes.controls} aria-label="Chart">
      <NativeSelect
        size="xs"
        label="Chart"
        value={kind}
        onChange={(event) => onChange(fillRoles(event.currentTarget.value as PresentationKind, table))}
        data={Object.entries(presentationKinds).map(([name, { label }]) => ({ value: name, label }))}
      />
      {controls.x && <RoleSelect label={controls.x} value={x} names={names} onChange={choose('x')} />}
      {controls.hasManyValues ? (
        <MultiFilter
          label="Values"
          options={numbers}
          value={y}
          onChange={(chosen) => onChange({ ...value, y: chosen })}
        />
      ) : (
        <RoleSelect
          label="Value"
          value={y[0] ?? ''}
          names={numbers}
          onChange={(chosen) => onChange({ ...value, y: chosen === '' ? [] : [chosen] })}
        />
      )}
      {controls.series && (
        <RoleSelect label={controls.series} value={series} names={names} onChange={choose('series')} />
      )}
    </fieldset>
  )
}

type RoleProps = { label: string; value: string; names: readonly string[]; onChange: (name: string) => void }

/** A column that the result no longer has stays listed, so that the selection is visible. */
const RoleSelect = ({ label, value, names, onChange }: RoleProps) => (
  <NativeSelect
    size="xs"
    label={label}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    data={['', ...new Set([...names, ...(value === '' ? [] : [value])])].map((name) => ({
      value: name,
      label: name === '' ? '–' : name,
    }))}
  />
)
