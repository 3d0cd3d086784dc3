import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { openDatabase } from '#platform/ground/database/open-database.ts'
import { seededRandom } from '#statistics/seeded-random.ts'
import { type Ask, openBrowser } from './browser.ts'
import { checkAnalytics, type FinishedRun } from './check-analytics.ts'
import { checkBackup, countAnswered } from './check-backup.ts'
import { checkLedger } from './check-ledger.ts'
import { checkRuns } from './check-runs.ts'
import { runAssay, startEmbedded } from './embedded.ts'
import { openJournal } from './journal.ts'
import {
  observeAnalytics,
  observeFinished,
  observeLedger,
  observeReports,
  observeRuns,
  observeWrites,
  type Query,
} from './observe.ts'
import { createLab } from './operator-commands.ts'
import type { Violation } from './violation.ts'
import { prepare, testsPerRun, work } from './workload.ts'

/**
 * `npm run test:backup -- [seconds] [seed]`: backs up the embedded program while people use it, restores the backup in
 * an empty folder, and checks that it has every write answered before the backup started, none sent after it, and that
 * each of its runs ends once. Exits with code 1 for any violation.
 */
const [seconds = 30, seed = Math.floor(Math.random() * 1e6)] = process.argv.slice(2).map(Number)
const port = 4470
const patienceMs = 180_000
const unfinished = 'queued,waiting_for_ci,running'

const folder = mkdtempSync(join(tmpdir(), 'assay-backup-'))
const file = join(folder, 'backup.tar.gz')
const journal = openJournal(seed)
say(`Seed ${seed}`)
const { key, times } = await backUpUnderLoad()
const restored = await restoreAndCheck()
say(`${restored.runs} runs, ${restored.turns} turns and ${restored.writes} writes are in the backup`)
for (const { kind, text } of restored.violations.slice(0, 20)) say(`${kind}: ${text}`)
say(`${restored.violations.length} violations`)
process.exitCode = restored.violations.length > 0 ? 1 : 0
if (restored.violations.length > 0) say(`The logs are in ${folder}`)
else rmSync(folder, { recursive: true, force: true })

/** Returns the key of a person, and what had been sent and answered when the backup was made. */
async function backUpUnderLoad() {
  const program = await startEmbedded({ folder, name: 'before', port })
  const apiKey = await createLab(program.command)
  const ask = openBrowser(program.url, apiKey, journal)
  await prepare({ ask, journal })
  const working = new AbortController()
  const countWaiting = () => countRuns(ask, 'queued')
  const random = seededRandom(seed)
  const workload = work({ ask, command: program.command, countWaiting, journal, random, signal: working.signal })
  await delay(seconds * 1000)

  const answered = countAnswered(journal)
  const startedAt = performance.now()
  say(await runAssay(program.dataFolder, 'backup', file))
  const [sent, backupSeconds] = [journal.lastNumber(), (performance.now() - startedAt) / 1000]
  await delay((seconds * 1000) / 3)
  working.abort()
  await workload
  await program.stop()
  const { writes } = countAnswered(journal)
  say(`${answered.writes} writes answered before it, ${writes - answered.writes} during it and afterwards`)
  say(`The backup took ${backupSeconds.toFixed(1)} s and has ${Math.ceil(statSync(file).size / 1024)} kB`)
  return { key: apiKey, times: { answered, sent } }
}

async function restoreAndCheck() {
  const dataFolder = join(folder, 'after')
  say(await runAssay(dataFolder, 'restore', file))
  const start = () => startEmbedded({ folder, name: 'after', port })

  let program = await start()
  const ask = openBrowser(program.url, key, openJournal(seed))
  await until(async () => (await countRuns(ask, unfinished)) === 0)
  // The next opening of the account posts the usage of ended runs.
  await ask('GET', '/credits/balance')
  await program.stop()
  const { finished, runs, writes, violations } = await checkState(dataFolder)

  program = await start()
  let differences: Violation[] = []
  await until(async () => {
    differences = await compare(ask, finished)
    return differences.length === 0
  })
  const turns = await countTurns(ask)
  await program.stop()
  const stored = finished.reduce((sum, run) => sum + run.turns, 0)
  if (turns !== stored) violations.push({ kind: 'lost', text: `${turns} of ${stored} turns can be read` })
  return { runs, writes, turns, violations: [...violations, ...differences] }
}

/** Reads the database of a stopped installation. */
async function checkState(dataFolder: string) {
  const { db, close } = await openDatabase({ folder: join(dataFolder, 'state') })
  const query: Query = async <Row extends object>(statement: string) =>
    ((await db.execute(statement)) as unknown as { rows: Row[] }).rows
  const [runs, writes] = [await observeRuns(query), await observeWrites(query)]
  const cancels = journal.cancels.slice(0, times.answered.cancels)
  const violations = [
    ...checkBackup(journal, times, { writes, reports: await observeReports(query) }),
    ...checkRuns(runs, { testsPerRun, cancels }),
    ...checkLedger(await observeLedger(query)),
  ]
  const finished = await observeFinished(query)
  await close()
  return { finished, runs: runs.length, writes: writes.length, violations }
}

async function compare(ask: Ask, finished: readonly FinishedRun[]): Promise<Violation[]> {
  try {
    return checkAnalytics(finished, await observeAnalytics(ask))
  } catch (error) {
    return [{ kind: 'analytics', text: String(error) }]
  }
}

/** The turns that can be read, of all runs. */
async function countTurns(ask: Ask) {
  const { json } = await ask('GET', '/runs?limit=10000')
  let turns = 0
  for (const { id } of (json as { runs: { id: string }[] }).runs) {
    const read = await ask('GET', `/runs/${encodeURIComponent(id)}?transcript=true&include=reasoning&limit=1000`)
    const { transcript } = read.json as { transcript?: { turns: unknown[] } }
    turns += transcript?.turns.length ?? 0
  }
  return turns
}

async function countRuns(ask: Ask, status: string) {
  const { json } = await ask('GET', `/runs?status=${status}&limit=100`)
  return (json as { runs?: unknown[] }).runs?.length ?? 0
}

async function until(isReached: () => Promise<boolean>) {
  for (const end = performance.now() + patienceMs; !(await isReached()) && performance.now() < end;) await delay(500)
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
