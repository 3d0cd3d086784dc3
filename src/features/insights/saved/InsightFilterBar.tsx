import type { ListedInsight } from '#src/api/insights.ts'
import { SavedViews } from '#src/shared/saved-views/SavedViews.tsx'
import { FilterBar } from '#src/ui/FilterBar.tsx'
import { ListSearch } from '#src/ui/ListSearch.tsx'
import { SingleFilter } from '#src/ui/SingleFilter.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { filterNames } from './insight-filters.ts'

type Props = { insights: readonly ListedInsight[]; experimentIds: readonly string[] }

/** The options come from the shown insights. */
export function InsightFilterBar({ insights, experimentIds }: Props) {
  const url = useQueryState()
  const owners = new Map(
    insights.flatMap((one) => (one.type === 'sql' ? [[one.owner.id, one.owner.name] as const] : [])),
  )
  const labels = [...new Set(insights.flatMap((insight) => insight.labels))].sort()
  const runs = [...new Set(insights.flatMap(({ provenance }) => provenance.runId ?? []))]
  const active = filterNames.filter((name) => url.one(name) !== '')
  const clear = () => url.set(Object.fromEntries(filterNames.map((name) => [name, null])))
  const filter = (name: (typeof filterNames)[number], label: string, options: readonly string[]) =>
    (options.length > 0 || url.one(name) !== '') && (
      <SingleFilter
        label={label}
        options={options}
        value={url.one(name) || undefined}
        onChange={(value) => url.set({ [name]: value ?? null })}
        labelOf={(value) => (name === 'owner' ? (owners.get(value) ?? value) : value)}
      />
    )
  return (
    <FilterBar
      label="Filter insights"
      active={active.length > 0}
      activeCount={active.filter((name) => name !== 'search').length}
      onClear={clear}
      lead={
        <>
          <SavedViews page="insights" />
          <ListSearch label="Search insights" value={url.one('search')} onChange={(search) => url.set({ search })} />
        </>
      }
    >
      {filter('experiment', 'Experiment', experimentIds)}
      {filter('run', 'Run', runs)}
      {filter('owner', 'Owner', [...owners.keys()])}
      {filter('label', 'Label', labels)}
    </FilterBar>
  )
}
