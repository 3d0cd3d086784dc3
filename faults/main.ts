import { seededRandom } from '#statistics/seeded-random.ts'
import { breakUntilEnough } from './break-until-enough.ts'
import { openBrowser } from './browser.ts'
import { checkEverything, untilQuiet } from './check-everything.ts'
import { openFaults } from './inject.ts'
import { type Installation, startInstallation } from './installation.ts'
import { openJournal } from './journal.ts'
import { ageLeftovers, findLeftovers, noteNamespaces } from './leftovers.ts'
import { createLab } from './operator-commands.ts'
import { type Options, readOptions } from './options.ts'
import { printSummary } from './print-summary.ts'
import { prepare, work } from './workload.ts'

/**
 * `npm run test:faults`: breaks the real program under load, heals it, and checks that nothing was lost. It takes
 * minutes, so `npm test` does not include it. Exits with code 1 for any violation.
 */
const options = readOptions(process.argv.slice(2))
say(`Seed ${options.seed}. Repeat with: npm run test:faults -- --seed ${options.seed}`)
const namespaces = noteNamespaces()
const installation = await startInstallation(options)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void abandon().then(() => process.exit(1)))
try {
  const violations = await breakAndCheck(installation)
  process.exitCode = violations > 0 ? 1 : 0
  installation.remove({ keepLogs: options.keep || violations > 0 })
} catch (error) {
  await abandon()
  throw error
}

/** Returns the number of violations. */
async function breakAndCheck(target: Installation) {
  const skipped = skipImpossible(target, options)
  for (const reason of skipped) say(`Skipped ${reason}`)
  const journal = openJournal(options.seed)
  const ask = openBrowser(target.url, await createLab(target.command), journal)
  await prepare({ ask, journal })

  const working = new AbortController()
  const random = seededRandom(options.seed + 1)
  const { command } = target
  const countWaiting = () => countQueued(target)
  const workload = work({ ask, command, countWaiting, journal, random, signal: working.signal })
  const faults = openFaults(target, seededRandom(options.seed))
  const startedAt = performance.now()
  await breakUntilEnough(faults, options, (progress) => say(`${progress}, ${journal.writes.length} writes sent`))
  working.abort()
  say('No more faults. Waiting until everything is quiet')
  await faults.heal()
  await workload
  const quietAfter = await untilQuiet(target)
  const { violations, requeues, runs } = await checkEverything({ installation: target, ask, journal, faults })
  await ageLeftovers(target)
  await target.stop()
  const all = [...violations, ...(await findLeftovers(target, namespaces))]
  const minutes = (performance.now() - startedAt) / 60_000
  printSummary({ options, skipped, journal, faults, runs, requeues, quietAfter, minutes, violations: all })
  if (all.length > 0) say(`The logs are in ${target.folder}`)
  return all.length
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}

async function abandon() {
  await installation.stop()
  installation.remove({ keepLogs: options.keep })
}

async function countQueued({ query }: Installation) {
  const [row] = await query<{ runs: number }>(`select count(*)::int as runs from runs where status = 'queued'`)
  return row?.runs ?? 0
}

/** Leaves out the faults that this machine cannot make, and returns why. */
function skipImpossible({ disk, clock }: Installation, chosen: Options) {
  const impossible = [
    ...(disk.isMounted ? [] : [{ kind: 'disk', why: 'only root can mount a small disk' }]),
    ...(clock.isInstalled ? [] : [{ kind: 'clock', why: 'libfaketime is not installed' }]),
  ].filter(({ kind }) => chosen.troubleKinds.some((each) => each === kind))
  chosen.troubleKinds = chosen.troubleKinds.filter((each) => !impossible.some(({ kind }) => kind === each))
  return impossible.map(({ kind, why }) => `${kind}: ${why}`)
}
