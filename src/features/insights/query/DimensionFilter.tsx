import { useQuery } from '@tanstack/react-query'

import type { Dimension } from '#contract/queries.ts'
import { dimensionOptions } from '#src/api/queries.ts'
import { counted } from '#src/format/numbers.ts'
import { MultiFilter } from '#src/ui/MultiFilter.tsx'

type Props = {
  experimentId: string
  dimension: Dimension
  version: string | undefined
  value: readonly string[]
  onChange: (values: string[]) => void
}

/** Filters by observed values, each with its number of runs. An axis that the version lacks is not offered. */
export function DimensionFilter({ experimentId, dimension, version, value, onChange }: Props) {
  const values = useQuery(dimensionOptions(experimentId, dimension, version))
  const seen = (values.data ?? []).flatMap(({ value, runs }) => (value === null ? [] : [{ value, runs }]))
  if (seen.length === 0 && value.length === 0) return null
  const runsOf = new Map(seen.map(({ value, runs }) => [value, runs]))
  return (
    <MultiFilter
      label={`${dimension[0]?.toUpperCase()}${dimension.slice(1)}`}
      options={seen.map(({ value }) => value)}
      value={value}
      onChange={onChange}
      labelOf={(value) => (runsOf.has(value) ? `${value} (${counted(runsOf.get(value) ?? 0, 'run')})` : value)}
    />
  )
}
