import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

import type { Schedule, ScheduleStart } from '#contract/schedules.ts'
import { acceptDrop } from '#src/api/schedules.ts'

/** A drop that people intended is the new normal: later starts are compared with it. */
export function AcceptDrop({ schedule, start }: { schedule: Schedule; start: ScheduleStart }) {
  const accepting = useMutation({ mutationFn: () => acceptDrop({ scheduleId: schedule.id, startId: start.id }) })
  if (start.gate?.verdict !== 'failed' || start.gate.isAccepted || !schedule.canChange) return null
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={accepting.isPending}
      title={accepting.error?.message ?? 'Compare later starts with this one'}
      color={accepting.error ? 'red' : undefined}
      onClick={() => accepting.mutate()}
    >
      Accept
    </Button>
  )
}
