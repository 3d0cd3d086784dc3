import { Button } from '@mantine/core'

import type { Run } from '#contract/runs.ts'
import { shortId } from '#src/format/ids.ts'
import { FilterBar } from '#src/ui/FilterBar.tsx'
import { MultiFilter } from '#src/ui/MultiFilter.tsx'
import { SingleFilter } from '#src/ui/SingleFilter.tsx'
import type { AppliedFilters, ListFilterName, TextFilterName } from './run-filters.ts'
import { SinceFilter } from './SinceFilter.tsx'

type Props = {
  filters: AppliedFilters
  /** What the filters offer: the values of the rows loaded so far. */
  rows: readonly Run[]
  /** Decided by the page already. */
  fixed: readonly TextFilterName[]
  active: boolean
  onChange: (change: Partial<AppliedFilters>) => void
  onClear: () => void
}

/** Every filter of the list but the status, which has its tabs. */
export function RunFilterBar({ filters, rows, fixed, active, onChange, onClear }: Props) {
  const isOneRequest = fixed.includes('runRequestId')
  const people = new Map(rows.map(({ triggeredBy }) => [triggeredBy.id, triggeredBy.name]))
  const ordinals = new Map(rows.map((run) => [run.experimentFingerprint, `v${run.ordinal}`]))
  return (
    <FilterBar label="Filter runs" active={active} onClear={onClear}>
      {!isOneRequest && !fixed.includes('experimentId') && (
        <SingleFilter
          label="Experiment"
          options={valuesOf(rows, (run) => run.experimentId)}
          value={filters.experimentId}
          onChange={(experimentId) => onChange({ experimentId })}
        />
      )}
      {listFilters
        .filter(([name]) => !isOneRequest || name !== 'triggeredBy')
        .map(([name, label, read]) => (
          <ListFilter
            key={name}
            label={label}
            options={valuesOf(rows, read)}
            value={filters[name]}
            onChange={(value) => onChange({ [name]: value })}
            labelOf={name === 'triggeredBy' ? (id) => people.get(id) ?? id : undefined}
          />
        ))}
      {!isOneRequest && (
        <SingleFilter
          label="Version"
          options={[...ordinals.keys()]}
          value={filters.versionScope}
          onChange={(versionScope) => onChange({ versionScope })}
          labelOf={(fingerprint) => ordinals.get(fingerprint) ?? shortId(fingerprint)}
        />
      )}
      {filters.runRequestId && !isOneRequest && (
        <SingleFilter
          label="Request"
          options={[filters.runRequestId]}
          value={filters.runRequestId}
          onChange={(runRequestId) => onChange({ runRequestId })}
          labelOf={shortId}
        />
      )}
      <SinceFilter value={filters.since} onChange={(since) => onChange({ since })} />
      <Button
        variant={filters.testAware ? 'light' : 'default'}
        fw={450}
        aria-pressed={filters.testAware}
        onClick={() => onChange({ testAware: !filters.testAware })}
      >
        Test-aware only
      </Button>
    </FilterBar>
  )
}

const listFilters = [
  ['agent', 'Agent', (run) => run.agent],
  ['model', 'Model', (run) => run.model],
  ['product', 'Product', (run) => run.product],
  ['environment', 'Environment', (run) => run.environment],
  ['prompt', 'Prompt', (run) => run.prompt],
  ['variant', 'Variant', (run) => run.variantId],
  ['triggeredBy', 'Submitted by', (run) => run.triggeredBy.id],
] as const satisfies readonly (readonly [ListFilterName, string, (run: Run) => string | null])[]

const valuesOf = (rows: readonly Run[], read: (run: Run) => string | null) =>
  [...new Set(rows.map(read))].filter((value) => value !== null).toSorted()

/** An axis the experiments at hand do not have needs no filter. */
const ListFilter = (props: Parameters<typeof MultiFilter>[0]) =>
  (props.options.length > 0 || props.value.length > 0) && <MultiFilter {...props} />
