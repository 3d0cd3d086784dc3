import type { Schedule } from '#contract/schedules.ts'
import { triggerText } from '#src/shared/schedules/recurrence.ts'
import { hasWords } from '#src/ui/table/has-words.ts'

/** The list is loaded whole, so it is searched here. */
export const findsSchedule = ({ name, experimentName, owner, trigger }: Schedule, search: string) =>
  hasWords([name, experimentName, owner.name, triggerText(trigger)], search)
