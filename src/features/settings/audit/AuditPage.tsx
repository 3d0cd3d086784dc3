import { TextInput } from '@mantine/core'

import { AuditEventName, AuditOutcome } from '#contract/audit.ts'
import { auditListOptions } from '#src/api/audit.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { AdminsOnly } from '#src/features/settings/AdminsOnly.tsx'
import { FilterBar } from '#src/ui/FilterBar.tsx'
import { ListSearch } from '#src/ui/ListSearch.tsx'
import { MultiFilter } from '#src/ui/MultiFilter.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { SingleFilter } from '#src/ui/SingleFilter.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { auditColumns } from './audit-columns.tsx'
import { readAuditFilters } from './audit-filters.ts'
import { wordsOfEvent } from './event-names.ts'
import { ExportTrail, useTrailExport } from './ExportTrail.tsx'
import classes from './audit.module.css'

/** Who did what in the organization, for its admins. */
export const Component = () => (
  <AdminsOnly title="Audit log" right="see the audit log">
    <AuditTrail />
  </AdminsOnly>
)

function AuditTrail() {
  const url = useQueryState()
  const filters = readAuditFilters(url)
  const list = useInfiniteList(auditListOptions(filters), { keepPrevious: true })
  const exporting = useTrailExport(filters)
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  return (
    <>
      <title>Audit log · Assay</title>
      <PageHeader
        title="Audit log"
        facts="Sign-ins, refused requests and every change of members, keys, secrets and public links. Events are never changed or deleted."
        actions={<ExportTrail exporting={exporting} />}
      />
      <DataTable
        label="events"
        columns={auditColumns}
        rows={list.rows}
        rowId={({ id }) => id}
        error={list.error}
        onRetry={list.retry}
        more={list.more}
        isSorted
        onExport={() => exporting.mutate('csv')}
        filters={<AuditFilterBar active={isFiltered} />}
        empty={{ title: isFiltered ? 'No events match these filters' : 'No events yet' }}
      />
    </>
  )
}

function AuditFilterBar({ active }: { active: boolean }) {
  const url = useQueryState()
  const clear = () => url.set({ query: null, event: null, outcome: null, from: null, to: null })
  return (
    <FilterBar
      label="Filter events"
      active={active}
      activeCount={['event', 'outcome', 'from', 'to'].filter((name) => url.one(name) !== '').length}
      onClear={clear}
      lead={
        <ListSearch
          label="Search people and subjects"
          value={url.one('query')}
          onChange={(query) => url.set({ query })}
        />
      }
    >
      <MultiFilter
        label="Event"
        options={AuditEventName.options}
        labelOf={wordsOfEvent}
        value={url.all('event')}
        onChange={(event) => url.set({ event })}
      />
      <SingleFilter
        label="Outcome"
        options={AuditOutcome.options}
        value={url.one('outcome') || undefined}
        onChange={(outcome) => url.set({ outcome: outcome ?? null })}
      />
      <DayField label="From" value={url.one('from')} onChange={(from) => url.set({ from })} />
      <DayField label="To" value={url.one('to')} onChange={(to) => url.set({ to })} />
    </FilterBar>
  )
}

type Props = { label: string; value: string; onChange: (day: string) => void }

const DayField = ({ label, value, onChange }: Props) => (
  <label className={classes.day}>
    {label}
    <TextInput type="date" size="xs" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
  </label>
)
