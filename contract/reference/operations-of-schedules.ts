/** What the operations of schedules and budgets do beyond their summaries. */
export const operationsOfSchedules: Readonly<Record<string, string>> = {
  'budgets.list': 'Spend of the present month in UTC. Admins only.',
  'budgets.put':
    'There is one budget for the organization, and one for each person and experiment; a second call replaces it. A hard budget refuses real runs with `resource_exhausted` if what is spent, what is reserved and what they would reserve exceed it. Runs that have started are not stopped. Admins only.',
  'budgets.delete': 'Admins only.',
  'payments.list': 'With the payments on hold and those that expired. Admins only.',
  'payments.receipt':
    'Stripe is asked each time, because its addresses expire. `failed_precondition` if the payment was not made through Stripe, or Stripe has no document for it. Admins only.',
  'runPolicy.get': 'Everyone may read it, because it decides what they can submit.',
  'modelProviders.get': 'The run policy decides which of these providers runs may use. Admins only.',
  'runPolicy.put':
    'Replaces the whole policy. Real runs that it refuses cannot be submitted (`failed_precondition`, with the field), and those that have not started end as errored with the reason. Runs that have started continue. Mock runs are always allowed. Fails with 409, and changes nothing, if somebody changed the policy since `expectedUpdatedAt`. Admins only.',
  'retention.get': 'Everyone may read it, because it decides how long their work is kept.',
  'retention.put':
    'Replaces all rules. Null means no rule: data of runs is kept forever, notifications for 365 days and delivery logs for 30. If the new rules remove more than the old ones, nothing is removed for 24 hours: `removesFrom` has the time. After that, Assay removes old data every hour. It never removes data of runs that have not ended, runs with the tag `keep`, runs of the experiments in `keptExperiments`, or runs that a published insight of their experiment or of the run itself reads. A run with labels is not removed as a whole, and a label on a turn or a test keeps the transcript or the output. What loses such a reason is kept for 24 hours more. All admins are notified of rules that remove more. Costs and usage stay. Fails with 409, and changes nothing, if somebody changed the rules since `expectedUpdatedAt`. Admins only.',
  'retention.preview':
    'Removes and saves nothing. Sizes of more than 200 stored files are estimated from a sample. `invalid_argument` for a kept experiment that does not exist. Admins only.',
  'usage.get':
    'From the ledger, so the sums of the rows, of the segments and of the runs that the filters `metered`, `ended_since` and `ended_before` select are the same. Members may not group by person.',
  'schedules.list': 'Sorted by name.',
  'schedules.get': 'With the last start and what its runs have cost this month.',
  'schedules.starts':
    'Newest first, with the verdict of the gate on each. Starts of more than two months ago are deleted beyond the newest 1,000.',
  'schedules.times': 'At most five. Use it to check an expression before you save a schedule.',
  'schedules.create':
    'The platform submits the runs in your name: you become the owner. Selectors apply to the version of each start. Only personal keys may call it.',
  'schedules.update':
    'Changes only the fields you send. If you send the trigger, the submission or the budget, or resume the schedule, you become its owner. Resuming does not make up for missed starts. Schedules are changed by their owner and by admins, and by everyone once the owner has left. Only personal keys may call it.',
  'schedules.start':
    'Submits the runs in your name, even for a paused schedule. Refused while the last start has unfinished runs. Only personal keys may call it.',
  'schedules.accept':
    'For a start whose gate failed, or that shows a decline: later starts are compared with it and those after it. Repeating the call is safe. Only personal keys may call it.',
  'schedules.delete': 'Runs that it started continue and are kept. Only personal keys may call it.',
}

export const schedulePathParameters = {
  paymentId: ['The id of the payment, as listed.', '019a1f2c-8f60-7000-8000-0000000000f6'],
  scheduleId: ['The id of the schedule, as listed.', '019a1f2c-8f60-7000-8000-0000000000f3'],
  budgetId: ['The id of the budget, as listed.', '019a1f2c-8f60-7000-8000-0000000000f5'],
  startId: ['The id of the start, as listed.', '019a1f2c-8f60-7000-8000-0000000000f4'],
} as const

export const scheduleQueryParameters = {
  'usage.groupBy': ['What the rows and the segments are. The default is `model`.', 'model'],
  'usage.period': ['A billing cycle, or the last 30 days up to now. The default is the current cycle.', 'last_30_days'],
  'usage.from': ['The first day of a period of your own, by the clock of the time zone.', '2026-03-01'],
  'usage.to': ['The last day of the period, at most 1,100 days after the first.', '2026-03-31'],
  'usage.timeZone': ['The IANA name of the time zone of the days. The default is UTC.', 'Europe/Berlin'],
  cron: ['Minute, hour, day of the month, month and weekday.', '0 2 * * MON-FRI'],
  timeZone: ['The IANA name of a time zone.', 'Europe/Berlin'],
  'schedules.experimentId': ['Only schedules of this experiment.', 'parse-roman'],
} as const
