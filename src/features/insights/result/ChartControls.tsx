import { NativeSelect } from '@mantine/core'

import type { Presentation } from '#contract/insight-fields.ts'
import type { ResultColumn } from '#contract/queries.ts'
import { type ChartKind, chartKinds, fillRoles } from '#src/charts/result/presentation.ts'
import { kindOf } from '#src/charts/result/values.ts'
import { MultiFilter } from '#src/ui/MultiFilter.tsx'
import classes from './ResultView.module.css'

type Props = {
  columns: readonly ResultColumn[]
  value: Presentation
  onChange: (presentation: Presentation) => void
}

/** Which chart, and which column plays which part in it. */
export function ChartControls({ columns, value, onChange }: Props) {
  const { kind, x = '', y, series = '' } = value
  const names = columns.map(({ name }) => name)
  const numbers = columns.filter((column) => kindOf(column) === 'number').map(({ name }) => name)
  const choose = (role: 'x' | 'series') => (chosen: string) => {
    const { [role]: _, ...rest } = value
    onChange({ ...rest, ...(chosen !== '' && { [role]: chosen }) })
  }
  const hasMany = kind === 'line' || kind === 'bar' || kind === 'scatter' || kind === 'box'
  return (
    <fieldset className={classes.controls} aria-label="Chart">
      <NativeSelect
        size="xs"
        label="Chart"
        value={kind}
        onChange={(event) => {
          const chosen = chartKinds.find((one) => one.kind === event.currentTarget.value)
          if (chosen) onChange(fillRoles(chosen.kind, columns))
        }}
        data={chartKinds.map(({ kind, label }) => ({ value: kind, label }))}
      />
      {kind !== 'number' && (
        <RoleSelect label={xLabels[kind] ?? 'X axis'} value={x} names={names} onChange={choose('x')} />
      )}
      {hasMany ? (
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
      {kind !== 'number' && (
        <RoleSelect
          label={kind === 'heatmap' ? 'Y axis' : 'Color'}
          value={series}
          names={names}
          onChange={choose('series')}
        />
      )}
    </fieldset>
  )
}

const xLabels: Partial<Record<ChartKind | 'table', string>> = { bar: 'Bars', box: 'Boxes' }

type RoleProps = { label: string; value: string; names: readonly string[]; onChange: (name: string) => void }

/** A column that the result no longer has stays listed, so that nothing is chosen unseen. */
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
