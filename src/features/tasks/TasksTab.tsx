import { Group } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LoaderFunctionArgs } from 'react-router'

import type { TaskList } from '#contract/tasks.ts'
import { experimentOptions } from '#src/api/experiments.ts'
import { queryClient } from '#src/api/query-client.ts'
import { taskListOptions } from '#src/api/tasks.ts'
import { counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { ListSearch } from '#src/ui/ListSearch.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useExperimentId } from '#src/url/use-experiment-id.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { taskColumns, type TaskRow } from './task-columns.tsx'
import { tasksText } from './task-words.ts'
import classes from './tasks.module.css'
import { useMeasuredTasks, versionOf } from './use-measured-tasks.ts'

export async function loader({ params: { id = '' }, request }: LoaderFunctionArgs) {
  const experiment = await queryClient.ensureQueryData(experimentOptions(id))
  const version = versionOf(experiment, new URL(request.url).searchParams.get('version') ?? '')
  void queryClient.prefetchQuery(taskListOptions({ id, version }))
  return null
}

/** Every task of an experiment: who solves it, how hard it is, and how well it tells groups apart. */
export function Component() {
  const id = useExperimentId()
  const url = useQueryState()
  const { data: experiment, dataUpdatedAt } = useSuspenseQuery(experimentOptions(id))
  const search = url.one('search')
  const asked = url.one('version')
  const version = versionOf(experiment, asked)
  const list = useQuery(taskListOptions({ id, version, ...(search && { search }) }))
  const { measured, groups, error, refetch } = useMeasuredTasks(experiment, dataUpdatedAt, version)
  const rows = useMemo(() => {
    const measuredById = new Map(measured?.map((task) => [task.prompt, task]))
    return list.data?.tasks.map((task): TaskRow => ({ ...task, measured: measuredById.get(task.id) ?? null }))
  }, [list.data, measured])
  const columns = useMemo(() => taskColumns(id, version), [id, version])
  const hasMeasures = measured !== undefined && measured.length > 0
  return (
    <>
      <title>{`Tasks · ${experiment.name} · Assay`}</title>
      {error && <ErrorNotice title="The results could not be loaded" error={error} onRetry={() => void refetch()} />}
      {hasMeasures && groups > 1 && measured.length > 1 && <p className={classes.verdict}>{tasksText(measured)}</p>}
      <DataTable
        label="tasks"
        columns={columns}
        rows={rows}
        rowId={({ id: task }) => task}
        rowHref={({ id: task }) => paths.task(id, task, { version: asked })}
        error={list.error}
        onRetry={() => void list.refetch()}
        isWide
        sort={url.one('sort')}
        onSort={(sort) => url.set({ sort })}
        filters={
          <Group gap={12}>
            <ListSearch label="Search tasks" value={search} onChange={(text) => url.set({ search: text })} />
            {list.data && <span className={classes.extent}>{extentOf(list.data, experiment.fingerprint)}</span>}
          </Group>
        }
        empty={
          search === ''
            ? {
                title: 'No tasks',
                hint: 'A task is a prompt of the definition. This version has none.',
                action: <TextLink href={paths.experiment(id, 'definition')}>Open the definition</TextLink>,
              }
            : { title: 'No tasks match this search' }
        }
      />
      {hasMeasures && (
        <p className={classes.bounds}>
          Difficulty, discrimination and information come from a two-parameter logistic model of item response. It
          assumes that a group is strong or weak, not strong on some tasks. Tasks that do not tell these groups apart
          may tell others apart.
        </p>
      )}
    </>
  )
}

/** `3 of 80 tasks of v2, which is not the latest version`. */
function extentOf({ tasks, total, ordinal, experimentFingerprint }: TaskList, latest: string) {
  const number = tasks.length === total ? counted(total, 'task') : `${tasks.length} of ${counted(total, 'task')}`
  return `${number} of v${ordinal}${experimentFingerprint === latest ? '' : ', which is not the latest version'}`
}
