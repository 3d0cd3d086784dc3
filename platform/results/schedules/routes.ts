import * as contract from '#contract/schedules.ts'
import { serve } from '#platform/ground/routes/serve.ts'
import { requirePerson } from '#platform/ground/context/require-role.ts'
import { changeSchedule, deleteSchedule } from './change-schedule.ts'
import { createSchedule } from './create-schedule.ts'
import { listSchedules, listStarts, listTimes, showSchedule } from './list-schedules.ts'
import { acceptDrop, startByPerson } from './start-by-person.ts'

export const scheduleRoutes = [
  serve(contract.listSchedules, listSchedules),
  serve(contract.previewTimes, listTimes),
  serve(contract.getSchedule, showSchedule),
  serve(contract.listScheduleStarts, listStarts),
  serve(contract.createSchedule, createSchedule, requirePerson),
  serve(contract.updateSchedule, changeSchedule, requirePerson),
  serve(contract.startSchedule, startByPerson, requirePerson),
  serve(contract.acceptStart, acceptDrop, requirePerson),
  serve(contract.deleteSchedule, deleteSchedule, requirePerson),
]
