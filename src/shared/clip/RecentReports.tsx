import { Loader, Skeleton, TextInput } from '@mantine/core'
import { useState } from 'react'

import { useInfiniteList } from '#src/api/infinite-list.ts'
import { reportListOptions } from '#src/api/reports.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import classes from './ClipDialog.module.css'

type Props = { isPending: boolean; chosen: string | null; onChoose: (reportId: string) => void }

/** The most recently updated reports; one press adds the clip. */
export function RecentReports({ isPending, chosen, onChoose }: Props) {
  const { rows: all, error, retry } = useInfiniteList(reportListOptions())
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()
  const reports = all?.filter(({ title }) => title.toLowerCase().includes(words))
  if (error) {
    return <ErrorNotice title="The reports could not be loaded" error={error} onRetry={retry} />
  }
  if (!reports) return <Skeleton height={96} />
  return (
    <>
      {all && all.length > 0 && <p className={classes.into}>Add to a report</p>}
      {all && all.length > 6 && (
        <TextInput
          aria-label="Search the latest reports"
          placeholder="Search the latest reports"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          data-autofocus
        />
      )}
      {reports.length > 0 && (
        <ul className={classes.reports} aria-label="Latest reports">
          {reports.map(({ id, title, updatedAt }) => (
            <li key={id}>
              <button type="button" className={classes.report} disabled={isPending} onClick={() => onChoose(id)}>
                <span className={classes.title}>{title}</span>
                {isPending && chosen === id ? (
                  <Loader size={14} />
                ) : (
                  <span className={classes.when}>
                    <RelativeTime at={updatedAt} />
                  </span>
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
      {reports.length === 0 && <p className={classes.none}>{words ? 'No matching reports' : 'No reports yet'}</p>}
    </>
  )
}
