import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

import type { Schedule, ScheduleStart } from '#contract/schedules.ts'
import { acceptDrop } from '#src/api/schedules.ts'

/** A drop or decline that people intended is the new normal: later starts are compared with it. */
export function AcceptDrop({ schedule, start }: { schedule: Schedule; start: ScheduleStart }) {
  const accepting = useMutation({ mutationFn: () => acceptDrop({ scheduleId: schedule.id, startId: start.id }) })
  const { gate, confirmsStartId } = start
  const hasFallen = gate?.verdict === 'failed' || gate?.decline !== undefined
  if (!hasFallen || gate.isAccepted || confirmsStartId !== undefined || !schedule.canChange) return null
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={accepting.isPending}
      title={accepting.error?.message ?? 'Compare later starts with this one and those after it'}
      color={accepting.error ? 'red' : undefined}
      onClick={() => accepting.mutate()}
    >
      Accept
    </Button>
  )
}
