import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { RequestOfCommit } from '#contract/request-origins.ts'
import { limits } from '#contract/wire/limit.ts'
import { commitsOptions } from '#src/api/commits.ts'
import { paths } from '#src/paths.ts'
import { ListSearch } from '#src/ui/ListSearch.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { Section } from '#src/ui/Section.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useExperimentId } from '#src/url/use-experiment-id.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { solvedText } from './solved-text.ts'

const columns: Column<RequestOfCommit>[] = [
  {
    id: 'commit',
    header: 'Commit',
    cell: ({ origin }) => <code>{origin.commit.slice(0, 12)}</code>,
    value: ({ origin }) => origin.commit,
  },
  { id: 'branch', header: 'Branch', value: ({ origin }) => origin.branch ?? null, width: '176px', from: 'sm' },
  {
    id: 'pullRequest',
    header: 'Pull request',
    value: ({ origin }) => origin.pullRequest ?? null,
    align: 'right',
    width: '112px',
    from: 'md',
  },
  {
    id: 'version',
    header: 'Version',
    cell: ({ ordinal }) => `v${ordinal}`,
    value: ({ ordinal }) => ordinal,
    align: 'right',
    width: '88px',
    from: 'md',
  },
  {
    id: 'solved',
    header: 'Solved',
    cell: ({ solved }) => solvedText(solved),
    value: ({ solved }) => (solved.runs === 0 ? null : solved.solved / solved.runs),
    align: 'right',
    width: '160px',
  },
  {
    id: 'ended',
    header: 'Ended',
    cell: ({ endedCount, runCount }) => `${endedCount} of ${runCount}`,
    value: ({ endedCount }) => endedCount,
    align: 'right',
    width: '112px',
    from: 'sm',
  },
  {
    id: 'created',
    header: 'Submitted',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    value: ({ createdAt }) => createdAt,
    width: '112px',
    from: 'sm',
  },
]

/** The requests of commits, newest first, or those of the commit in the URL. */
export function Component() {
  const id = useExperimentId()
  const url = useQueryState()
  const [commit, search] = [url.one('commit'), url.one('query')]
  const { data, error, refetch } = useQuery(
    commitsOptions({ id, limit: limits.requestsOfCommits.max, ...(commit !== '' && { commit }) }),
  )
  const rows = useMemo(() => data?.filter((request) => finds(request, search)), [data, search])
  return (
    <Section title="Commits">
      <DataTable
        label="requests of commits"
        columns={columns}
        rows={rows}
        rowId={(request) => request.id}
        rowHref={(request) => paths.run(request.id)}
        error={error}
        onRetry={() => void refetch()}
        filters={
          commit === '' ? (
            <ListSearch label="Search commits" value={search} onChange={(query) => url.set({ query })} />
          ) : (
            <Button size="xs" variant="default" onClick={() => url.set({ commit: null })}>
              Show all commits
            </Button>
          )
        }
        empty={
          commit === '' && search === ''
            ? {
                title: 'No commits yet',
                hint: (
                  <>
                    A pipeline that runs <code>assay ci</code> names the commit of its requests.{' '}
                    <TextLink href={paths.documents('cli')}>Set it up</TextLink>
                  </>
                ),
              }
            : { title: commit === '' ? 'No commits match this search' : 'No requests of this commit' }
        }
      />
    </Section>
  )
}

const finds = ({ origin: { commit, branch = '', pullRequest } }: RequestOfCommit, search: string) =>
  [commit, branch, `#${pullRequest ?? ''}`].some((text) => text.toLowerCase().includes(search.toLowerCase()))
