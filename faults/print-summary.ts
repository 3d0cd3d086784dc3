import { isTerminal } from '#contract/run-status.ts'
import type { Requeue } from './check-requeues.ts'
import type { ObservedRun } from './check-runs.ts'
import type { Faults } from './inject.ts'
import type { Journal } from './journal.ts'
import type { Options } from './options.ts'
import { type Violation, violationKinds } from './violation.ts'

const examplesPerKind = 5

type Summary = {
  options: Options
  skipped: readonly string[]
  journal: Journal
  faults: Faults
  runs: readonly ObservedRun[]
  requeues: readonly Requeue[]
  quietAfter: number
  minutes: number
  violations: readonly Violation[]
}

export function printSummary({ options, skipped, journal, faults, runs, requeues, violations, ...times }: Summary) {
  const ofKind = (kind: Violation['kind']) => violations.filter((violation) => violation.kind === kind)
  const longest = (of: (requeue: Requeue) => number) => Math.max(0, ...requeues.map(of)).toFixed(1)
  const acknowledged = journal.writes.filter(({ outcome }) => outcome === 'acknowledged')
  const unknown = journal.writes.filter(({ outcome }) => outcome === 'unknown')
  const rows: [string, string | number][] = [
    ['seed', options.seed],
    ['minutes', times.minutes.toFixed(1)],
    ['kills', faults.kills()],
    ['requeues of frozen workers', faults.frozenRequeues()],
    ['faults', [...faults.done].map(([kind, count]) => `${count} × ${kind}`).join(', ')],
    ['skipped', skipped.join('; ') || 'none'],
    ['writes acknowledged', acknowledged.length],
    ['writes without an answer', unknown.length],
    ['runs', runs.length],
    ['runs ended', runs.filter(({ status }) => isTerminal(status)).length],
    ['runs that were lost and started again', runs.filter(({ attempt }) => attempt > 1).length],
    ['requeues measured', requeues.length],
    ['longest requeue, s', longest(({ seconds }) => seconds)],
    ['longest requeue without outages of the database, s', longest(({ afterOutages }) => afterOutages)],
    ['quiet after, s', times.quietAfter.toFixed(1)],
    ...violationKinds.map((kind): [string, number] => [kind, ofKind(kind).length]),
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  for (const [name, value] of rows) process.stdout.write(`${name.padEnd(width)}  ${value}\n`)
  const answers = [...journal.answers].sort().map(([label, count]) => `${label}: ${count}`)
  process.stdout.write(`Answers: ${answers.join(', ')}\n`)
  for (const kind of violationKinds) {
    for (const { text } of ofKind(kind).slice(0, examplesPerKind)) process.stdout.write(`${kind}: ${text}\n`)
    const more = ofKind(kind).length - examplesPerKind
    if (more > 0) process.stdout.write(`${kind}: and ${more} more\n`)
  }
}
