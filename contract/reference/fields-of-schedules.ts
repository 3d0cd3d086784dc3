import type { FieldTexts } from './reference-text.ts'

const trigger = { kind: 'times', cron: '0 2 * * MON-FRI', timeZone: 'Europe/Berlin' }

export const scheduleFields: FieldTexts = {
  schedules: ['The schedules, by name.'],
  trigger: ['When it starts: at times of a clock, or after each new version.', trigger],
  'ScheduleTrigger.cron': ['Minute, hour, day of the month, month and weekday.', '0 2 * * MON-FRI'],
  'ScheduleTrigger.timeZone': ['The IANA name of the time zone of the clock.', 'Europe/Berlin'],
  submission: ['What it submits, as for submitting runs.', { agents: ['careful'], repeat: 5 }],
  monthlyBudgetUsd: [
    'The most that its runs of a calendar month (UTC) may cost, in US dollars. Each start may spend what is left. Null for no budget.',
    50,
  ],
  spentThisMonthUsd: ['What runs that it started this month have cost, in US dollars.', 12.5],
  'SchedulesCreateRequest.gate': [
    'Checks each start for a drop of the solved rate. Null for no check.',
    { significanceLevel: 0.05 },
  ],
  'SchedulesUpdateRequest.gate': [
    'Checks each start for a drop of the solved rate. Null for no check.',
    { significanceLevel: 0.05 },
  ],
  'Schedule.gate': ['Checks each start for a drop of the solved rate. Null for no check.', { significanceLevel: 0.05 }],
  significanceLevel: ['A drop fails the gate if chance explains it with at most this probability.', 0.05],
  isEnabled: ['False while it is paused.', true],
  pausedBecause: ['Why the platform paused it. Absent if a person did.', 'Ada Lovelace has left the organization'],
  nextAt: [
    'The next start. Null while it is paused, and for one that waits for a push.',
    '2026-03-02T01:00:00.000000Z',
  ],
  lastStart: ['The newest start. Null before the first.'],
  'Schedule.owner': ['In whose name the runs are submitted.'],
  times: ['The next times, soonest first.', ['2026-03-02T01:00:00.000000Z']],
  starts: ['The starts, newest first.'],
  cause: ['Why it started: its time, a push, a person, or the suspected drop of a start that it runs again.', 'time'],
  confirmsStartId: [
    'The start with a suspected drop whose runs it runs again.',
    '019a1f2c-8f60-7000-8000-0000000000f4',
  ],
  'ScheduleStart.state': ['Whether its runs are unfinished or finished, or it submitted none.', 'finished'],
  skippedBecause: ['Why it submitted nothing. Absent if it did.', 'The budget of $50.00 for this month is used up'],
  finishedAt: ['When its last run ended.', '2026-03-02T01:20:00.000000Z'],
  'ScheduleStart.solved': [
    'Of the runs that count, how many are solved. Absent until it has finished.',
    { solved: 45, runs: 60 },
  ],
  'ScheduleStart.gate': ['The comparison with earlier starts. Absent without a gate.'],
  'GateResult.verdict': ['Whether the solved rate dropped by more than chance.', 'passed'],
  'GateResult.reason': ['Why the gate is undecided. Absent if it is decided.'],
  baseline: ['The earlier starts that it was compared with: the newest of them, and their number.'],
  'GateResult.starts': ['The number of starts.', 10],
  confirmation: ['The second result of a suspected drop. Absent until the same runs have run again.'],
  missingBecause: ['Why there is no second result.', 'The schedule is paused'],
  decline: ['The slow decline that ends with this start. Absent if none is shown.'],
  since: ['When the first of its starts began.', '2026-02-02T01:00:00.000000Z'],
  perStart: ['How much the solved rate changes from one start to the next, as a share.', -0.008],
  startId: ['The id of that start.', '019a1f2c-8f60-7000-8000-0000000000f4'],
  'GateResult.difference': ['The solved rate minus that of the baseline, as a share.', -0.02],
  'GateResult.interval': ['The 95 % confidence interval of the difference.'],
  'GateResult.low': ['The lower end.', -0.09],
  'GateResult.high': ['The upper end.', 0.05],
  pValue: ['The probability of a difference at least this large by chance alone.', 0.56],
  isAccepted: [
    'Whether a person accepted the drop or the decline, so that later starts are compared with this one and those after it.',
    false,
  ],
}
