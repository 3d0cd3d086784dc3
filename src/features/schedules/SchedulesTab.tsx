import { Button } from '@mantine/core'
import { IconCalendarPlus } from '@tabler/icons-react'
import { Link } from 'react-router'

import { useInfiniteList } from '#src/api/infinite-list.ts'
import { scheduleListOptions } from '#src/api/schedules.ts'
import { paths } from '#src/paths.ts'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useExperimentId } from '#src/url/use-experiment-id.ts'
import { columnsOfExperiment } from './schedule-columns.tsx'

/** The schedules of one experiment. */
export function Component() {
  const experimentId = useExperimentId()
  const list = useInfiniteList(scheduleListOptions(experimentId))
  return (
    <DataTable
      label="schedules"
      columns={columnsOfExperiment}
      rows={list.rows}
      rowId={({ id }) => id}
      rowHref={({ id }) => paths.schedule(id)}
      error={list.error}
      onRetry={list.retry}
      filters={
        <Button
          component={Link}
          to={paths.newSchedule(experimentId)}
          size="xs"
          leftSection={<IconCalendarPlus size={14} aria-hidden />}
        >
          New schedule
        </Button>
      }
      empty={{
        title: 'No schedules yet',
        hint: 'Run a selection every night or after each new version, and be told when the solved rate drops by more than chance.',
        action: <TextLink href={paths.newSchedule(experimentId)}>Create a schedule</TextLink>,
      }}
    />
  )
}
