import { Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { Experiment } from '#contract/experiments.ts'
import { versionListOptions } from '#src/api/experiments.ts'
import { counted } from '#src/format/numbers.ts'
import { SavedViews } from '#src/shared/saved-views/SavedViews.tsx'
import { PageOnly } from '#src/ui/PageOnly.tsx'
import { FilterChoices } from '#src/ui/FilterChoices.tsx'
import { type FilterChip, FilterPart, FilterPopover } from '#src/ui/FilterPopover.tsx'
import { chartFilters } from '#src/shared/leaderboard/group-runs.ts'
import { groupingChoices } from '#src/shared/leaderboard/groupings.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import {
  type ResultsState,
  clearedFilters,
  closedPane,
  groupLabelOf,
  showsAmounts,
} from '#src/features/results/view/results-parameters.ts'
import classes from '#src/features/results/view/ResultsTab.module.css'
import { useVersionName } from '#src/features/results/view/VersionName.tsx'

type Props = { experiment: Experiment; state: ResultsState }

/** The grouping, and filters for every chart parameter; the URL has each under its own name. */
export function ResultsFilterBar({ experiment, state }: Props) {
  const url = useQueryState()
  const chips = useChips({ experiment, state })
  const { groupBy } = state.parameters
  return (
    <search aria-label="Filter results" className={classes.filters}>
      <PageOnly>
        <SavedViews page="experimentResults" experimentId={experiment.id} />
      </PageOnly>
      {!state.comparesVersions && (
        <NativeSelect
          size="xs"
          aria-label="Group by"
          className={classes.grouping}
          value={groupBy}
          onChange={(event) => url.set({ group_by: event.currentTarget.value, ...closedPane, left: null, right: null })}
          data={groupingChoices(experiment, groupBy).map((value) => ({
            value,
            label: `Group by ${groupLabelOf(value).toLowerCase()}`,
          }))}
        />
      )}
      <FilterPopover chips={chips} onClear={() => url.set(clearedFilters)}>
        <Filters experiment={experiment} state={state} />
      </FilterPopover>
    </search>
  )
}

const fullPass = 'Fully passing runs only'
const testAware = 'Include test-aware'

/** What the URL filters by, other than the test search, whose field shows it. */
function useChips({ experiment, state: { parameters, showsAllVersions } }: Props): FilterChip[] {
  const url = useQueryState()
  const { version } = parameters
  const versionName = useVersionName(experiment, version ?? 'all')
  const chip = (label: string, param: string) => ({ label, onRemove: () => url.set({ [param]: null }) })
  return [
    ...(version !== undefined && !showsAllVersions ? [chip(`Version: ${versionName}`, 'version')] : []),
    ...chartFilters.flatMap(({ name, param, label }) => {
      const [first, ...others] = parameters[name]
      if (first === undefined) return []
      return [chip(`${label}: ${others.length === 0 ? first : counted(others.length + 1, 'value')}`, param)]
    }),
    ...(parameters.fullPassOnly ? [chip(fullPass, 'full_pass_only')] : []),
    ...(parameters.includeTestAware ? [chip(testAware, 'include_test_aware')] : []),
  ]
}

/** Mounted while the popover is open. */
function Filters({ experiment, state }: Props) {
  const url = useQueryState()
  const { parameters } = state
  return (
    <>
      {!state.showsAllVersions && <VersionFilter experiment={experiment} version={parameters.version} />}
      {chartFilters.map(({ name, param, axis, label }) => {
        const options = experiment.axes[axis]
        if (options.length < 2 && parameters[name].length === 0) return null
        return (
          <FilterPart key={name} title={label}>
            <FilterChoices
              label={label}
              options={options}
              value={parameters[name]}
              onChange={(value) => url.set({ [param]: value })}
            />
          </FilterPart>
        )
      })}
      <FilterPart title="Runs">
        {(showsAmounts(state) || parameters.fullPassOnly) && (
          <Checkbox
            size="xs"
            label={fullPass}
            description={`Leaves out runs in which a test did not pass${showsAmounts(state) ? '' : '. It chooses runs by their outcome, so the rates here say nothing'}`}
            checked={parameters.fullPassOnly}
            onChange={({ currentTarget }) => url.set({ full_pass_only: currentTarget.checked ? 'true' : null })}
          />
        )}
        <Checkbox
          size="xs"
          label={testAware}
          description="Also includes runs whose agent noticed that it was being tested"
          checked={parameters.includeTestAware}
          onChange={({ currentTarget }) => url.set({ include_test_aware: currentTarget.checked ? 'true' : null })}
        />
      </FilterPart>
    </>
  )
}

/** Loads the versions when it is opened, because most readers stay with the latest one. */
function VersionFilter({ experiment, version }: { experiment: Experiment; version: string | undefined }) {
  const url = useQueryState()
  const { data } = useQuery(versionListOptions(experiment.id))
  const ordinals = new Map(data?.versions.map(({ fingerprint, ordinal }) => [fingerprint, `v${ordinal}`]))
  return (
    <FilterPart title="Version">
      <FilterChoices
        label="Version"
        options={['all', ...ordinals.keys()]}
        value={version === undefined ? [] : [version]}
        onChange={(values) => url.set({ version: values.findLast((chosen) => chosen !== version) ?? null })}
        labelOf={(each) => ordinals.get(each) ?? (each === 'all' ? 'all versions' : each.slice(0, 8))}
      />
    </FilterPart>
  )
}
