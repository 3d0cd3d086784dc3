import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { Experiment } from '#contract/experiments.ts'
import { versionListOptions } from '#src/api/experiments.ts'
import { shortId } from '#src/format/ids.ts'
import { SavedViews } from '#src/saved-views/SavedViews.tsx'
import { PageOnly } from '#src/ui/PageOnly.tsx'
import { FilterBar } from '#src/ui/FilterBar.tsx'
import { MultiFilter } from '#src/ui/MultiFilter.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import { SingleFilter } from '#src/ui/SingleFilter.tsx'
import { chartFilters } from '#src/leaderboard/group-runs.ts'
import { groupingChoices } from '#src/leaderboard/groupings.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import {
  type ResultsState,
  appliedFilters,
  clearedFilters,
  closedPane,
  countFilters,
  groupLabelOf,
  isFiltered,
  showsAmounts,
} from '#src/features/results/view/results-parameters.ts'
import { resultsViews } from './results-views.tsx'

/** Filters for every chart parameter; the URL has each under its own name. */
export function ResultsFilterBar({ experiment, state }: { experiment: Experiment; state: ResultsState }) {
  const url = useQueryState()
  const { parameters } = state
  const flag = (param: string, isOn: boolean) => url.set({ [param]: isOn ? null : 'true' })
  return (
    <FilterBar
      label="Filter results"
      active={isFiltered(appliedFilters(state))}
      activeCount={countFilters(appliedFilters(state))}
      onClear={() => url.set(clearedFilters)}
      lead={
        <>
          <PageOnly>
            <SavedViews page="experimentResults" experimentId={experiment.id} />
          </PageOnly>
          {!state.comparesVersions && (
            <NativeSelect
              size="xs"
              aria-label="Group by"
              value={parameters.groupBy}
              onChange={(event) =>
                url.set({ group_by: event.currentTarget.value, ...closedPane, left: null, right: null })
              }
              data={groupingChoices(experiment.axes, parameters.groupBy).map((value) => ({
                value,
                label: `Group by ${groupLabelOf(value).toLowerCase()}`,
              }))}
            />
          )}
        </>
      }
    >
      {!state.showsAllVersions && (
        <VersionFilter
          experiment={experiment}
          version={parameters.version}
          onChange={(version) => url.set({ version: version ?? null })}
        />
      )}
      {chartFilters.map(({ name, param, axis, label }) => {
        const options = experiment.axes[axis]
        if (options.length < 2 && parameters[name].length === 0) return null
        return (
          <MultiFilter
            key={name}
            label={label}
            options={options}
            value={parameters[name]}
            onChange={(value) => url.set({ [param]: value })}
          />
        )
      })}
      {(showsAmounts(state) || parameters.fullPassOnly) && (
        <Toggle
          label="Fully passing runs only"
          hint={
            showsAmounts(state)
              ? 'Leaves out runs in which a test did not pass'
              : 'Leaves out runs in which a test did not pass. It chooses runs by their outcome, so the rates here say nothing'
          }
          isOn={parameters.fullPassOnly}
          onToggle={() => flag('full_pass_only', parameters.fullPassOnly)}
        />
      )}
      <Toggle
        label="Include test-aware"
        hint="Also includes runs whose agent noticed that it was being tested"
        isOn={parameters.includeTestAware}
        onToggle={() => flag('include_test_aware', parameters.includeTestAware)}
      />
      {resultsViews[state.view].searchesTests && (
        <SearchField
          label="Search tests"
          width={200}
          value={url.one('test_search')}
          onChange={(test_search) => url.set({ test_search })}
        />
      )}
    </FilterBar>
  )
}

type VersionFilterProps = {
  experiment: Experiment
  version: string | undefined
  onChange: (version: string | undefined) => void
}

/** Loads the versions when it is opened, because most readers stay with the latest one. */
function VersionFilter({ experiment, version, onChange }: VersionFilterProps) {
  const [isNeeded, setIsNeeded] = useState(false)
  const isNamed = version !== undefined && version !== 'all'
  const { data } = useQuery({ ...versionListOptions(experiment.id), enabled: isNeeded || isNamed })
  const ordinals = new Map(data?.versions.map(({ fingerprint, ordinal }) => [fingerprint, `v${ordinal}`]))
  return (
    <SingleFilter
      label="Version"
      options={['all', ...ordinals.keys()]}
      value={version}
      onChange={onChange}
      onOpen={() => setIsNeeded(true)}
      labelOf={(each) => ordinals.get(each) ?? (each === 'all' ? 'all versions' : shortId(each))}
    />
  )
}

type ToggleProps = { label: string; hint: string; isOn: boolean; onToggle: () => void }

const Toggle = ({ label, hint, isOn, onToggle }: ToggleProps) => (
  <Button variant={isOn ? 'light' : 'default'} fw={450} title={hint} aria-pressed={isOn} onClick={onToggle}>
    {label}
  </Button>
)
