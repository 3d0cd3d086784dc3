import { setTimeout as delay } from 'node:timers/promises'

import type { Ask } from './browser.ts'
import type { Outcome, WriteKind } from './check-writes.ts'
import { type Journal, outcomeOf } from './journal.ts'
import type { Command } from './operator-commands.ts'

export const testsPerRun = 2
const experimentId = 'faulty'

/** Real runs take about a second. A run is lost to many faults here, so it may start again as often as is allowed. */
const definition = (description: string) => `
id: ${experimentId}
name: Faulty
description: ${description}
agents:
  - {id: talks, command: [bash, -c, "for i in 1 2 3 4 5 6; do echo turn $i; sleep 0.2; done"]}
models: [one, two]
prompts:
  - {id: short, text: Short}
tests:
  - {name: passes, command: ["true"]}
  - {name: fails, command: ["false"]}
limits: {retries: 10}
`
const variants = 2
const fewWaiting = 12
const maxReports = 5

type Workload = {
  ask: Ask
  command: Command
  /** How many runs wait for a worker. */
  countWaiting: () => Promise<number>
  journal: Journal
  random: () => number
  signal: AbortSignal
}

/** Pushes the first version of the experiment, which the rest needs. */
export async function prepare({ ask, journal }: Pick<Workload, 'ask' | 'journal'>) {
  const key = journal.newKey('version')
  const { status, json } = await ask('POST', '/experiments', { experimentYaml: definition(key) })
  if (status >= 300) throw new Error(`The push of the experiment answered ${status}: ${JSON.stringify(json)}`)
  journal.writes.push({ kind: 'version', key, outcome: 'acknowledged' })
}

/** People who use the platform, each at their own pace, until the signal. */
export async function work(workload: Workload) {
  const { random, signal, journal } = workload
  const reports = new Map<string, string>()
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]
  const record = (kind: WriteKind, key: string, outcome: Outcome, size?: number) =>
    journal.writes.push({ kind, key, outcome, ...(size !== undefined && { size }) })

  const people: Record<string, () => Promise<unknown>> = {
    submitsMock: () => submit(workload, { mock: true, repeat: 1 + Math.floor(random() * 4) }),
    submitsReal: () => submit(workload, { mock: false, repeat: 1 + Math.floor(random() * 2) }),
    async cancels() {
      const requestId = journal.requestIds.at(-1)
      if (requestId === undefined || random() < 0.7) return
      const { status } = await workload.ask('POST', `/runs/${requestId}/cancel`, {})
      if (outcomeOf(status) === 'acknowledged') journal.cancels.push({ requestId, at: new Date().toISOString() })
    },
    async edits() {
      const key = journal.newKey('version')
      const { status } = await workload.ask('POST', '/experiments', { experimentYaml: definition(key) })
      record('version', key, outcomeOf(status))
    },
    async writesReports() {
      if (reports.size >= maxReports) return
      const key = journal.newKey('report')
      const body = { title: key, description: key, bodyMarkdown: 'The first paragraph.' }
      const { status, json } = await workload.ask('POST', '/reports', body)
      record('report', key, outcomeOf(status))
      const { report } = json as { report?: { id: string; updatedAt: string } }
      if (report) reports.set(report.id, report.updatedAt)
    },
    retitles: () => retitle(workload, pick([...reports.keys()])),
    retitlesToo: () => retitle(workload, pick([...reports.keys()])),
    async appends() {
      const reportId = pick([...reports.keys()])
      if (reportId === undefined) return
      const key = journal.newKey('block')
      const { status } = await workload.ask('POST', `/reports/${reportId}/blocks`, { markdown: key })
      record('block', key, outcomeOf(status))
    },
    async comments() {
      const reportId = pick([...reports.keys()])
      if (reportId === undefined) return
      const key = journal.newKey('comment')
      const comment = { quote: 'The first paragraph.', position: 0, text: key }
      const { status } = await workload.ask('POST', `/reports/${reportId}/comments`, comment)
      record('comment', key, outcomeOf(status))
    },
    async tags() {
      const runs = await workload.ask('GET', '/runs?limit=100')
      const run = pick((runs.json as { runs?: { id: string }[] }).runs ?? [])
      if (!run) return
      const key = journal.newKey('tag')
      const { status } = await workload.ask('POST', `/runs/${encodeURIComponent(run.id)}/labels`, {
        kind: 'tag',
        text: key,
      })
      record('tag', key, outcomeOf(status))
    },
    async grantsCredit() {
      const reference = journal.newKey('grant')
      const granted = workload.command('credits grant', { org: 'lab', usd: '1.00', reference })
      record(
        'grant',
        reference,
        await granted.then(
          () => 'acknowledged' as const,
          () => 'unknown' as const,
        ),
      )
      await delay(1000)
    },
    async reads() {
      await workload.ask('POST', `/experiments/${experimentId}/query`, {
        sql: 'SELECT status, count() FROM runs GROUP BY 1',
      })
      await workload.ask('GET', '/runs?limit=50')
    },
  }

  await Promise.all(
    Object.values(people).map(async (act) => {
      while (!signal.aborted) {
        await act()
        await delay(200 + random() * 800)
      }
    }),
  )
}

async function submit(
  { ask, countWaiting, journal, signal }: Workload,
  { mock, repeat }: { mock: boolean; repeat: number },
) {
  while (!signal.aborted && (await countWaiting()) > fewWaiting) await delay(100)
  // A submission stores no text of ours, so its highest cost is the number that tells it from others.
  const maxCostUsd = journal.newNumber()
  const key = `${maxCostUsd}`
  const { status, json } = await ask('POST', `/experiments/${experimentId}/runs`, { repeat, mock, maxCostUsd })
  journal.writes.push({ kind: 'submission', key, outcome: outcomeOf(status), size: repeat * variants })
  const { runRequestId } = json as { runRequestId?: string }
  if (runRequestId !== undefined) journal.requestIds.push(runRequestId)
}

async function retitle({ ask, journal }: Workload, reportId: string | undefined) {
  if (reportId === undefined) return
  const read = await ask('GET', `/reports/${reportId}`)
  const expected = (read.json as { report?: { updatedAt: string } }).report?.updatedAt
  if (expected === undefined) return
  const title = journal.newKey('report')
  const { status, json } = await ask('PATCH', `/reports/${reportId}`, { expectedUpdatedAt: expected, title })
  const { report } = json as { report?: { updatedAt: string } }
  journal.titles.push({ reportId, title, expected, outcome: outcomeOf(status), updatedAt: report?.updatedAt })
}
