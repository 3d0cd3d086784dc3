import { NativeSelect } from '@mantine/core'

import type { ExperimentSummary } from '#contract/experiments.ts'
import { SavedViews } from '#src/shared/saved-views/SavedViews.tsx'
import { FilterBar } from '#src/ui/FilterBar.tsx'
import { MultiFilter } from '#src/ui/MultiFilter.tsx'
import { ListSearch } from '#src/ui/ListSearch.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { axisFilters, noFilters, periods } from './experiment-filters.ts'

const axisOf = { agent: 'agents', model: 'models', product: 'products', environment: 'environments' } as const

type Props = {
  experiments: readonly ExperimentSummary[]
  onClear: () => void
}

/** The options come from these experiments; an axis that none of them uses has no filter. */
export function ExperimentFilterBar({ experiments, onClear }: Props) {
  const query = useQueryState()
  const owners = [...new Map(experiments.map(({ owner }) => [owner.email ?? owner.id, owner.name]))]
  const owner = query.one('owner')
  const active = Object.keys(noFilters).filter((name) => query.one(name) !== '')
  return (
    <FilterBar
      label="Filter experiments"
      active={active.length > 0}
      activeCount={active.filter((name) => name !== 'search').length}
      onClear={onClear}
      lead={
        <>
          <SavedViews page="experiments" />
          <ListSearch
            label="Search experiments"
            value={query.one('search')}
            onChange={(search) => query.set({ search })}
          />
        </>
      }
    >
      <NativeSelect
        size="xs"
        aria-label="Owner"
        value={owner}
        onChange={(event) => query.set({ owner: event.currentTarget.value })}
      >
        <option value="">Any owner</option>
        {owner !== '' && !owners.some(([key]) => key === owner) && <option value={owner}>{owner}</option>}
        {owners.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </NativeSelect>
      {axisFilters.map((axis) => {
        const options = [...new Set(experiments.flatMap(({ axes }) => axes[axisOf[axis]]))].sort()
        const value = query.all(axis)
        if (options.length === 0 && value.length === 0) return null
        return (
          <MultiFilter
            key={axis}
            label={`${axis[0]?.toUpperCase()}${axis.slice(1)}`}
            options={options}
            value={value}
            onChange={(chosen) => query.set({ [axis]: chosen })}
          />
        )
      })}
      <NativeSelect
        size="xs"
        aria-label="Last activity"
        value={query.one('since')}
        onChange={(event) => query.set({ since: event.currentTarget.value })}
      >
        <option value="">Any time</option>
        {periods.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </NativeSelect>
    </FilterBar>
  )
}
