import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { chartReference } from '#contract/chart-kinds.ts'
import { openBrowser } from './browser.ts'
import { type PageLoad, loadCold, serveBarePage } from './cold-load.ts'
import { startProgram } from './program.ts'
import { type Measurement, median, report } from './result.ts'
import { seedResults } from './seed-results.ts'

/**
 * Measures the first visit to a page in a browser without any cache: the heatmap of 50 groups × 100 tests, and of
 * ten times as many groups or tests, from the navigation to the drawn heatmap. A page of one file that fetches the same
 * numbers and draws them on a canvas runs alternately. It also measures the size of the scripts.
 */
const rounds = 7
const sizes = [
  { groups: 50, tests: 100 },
  { groups: 500, tests: 100 },
  { groups: 50, tests: 1000 },
].map((size) => ({ ...size, experimentId: `cells-${size.groups}-${size.tests}`, runs: size.groups * 3 }))
const assets = fileURLToPath(new URL('../dist/assets', import.meta.url))

const program = await startProgram(seedResults(sizes))
const browser = await openBrowser()
const measurements: Measurement[] = []
try {
  measurements.push(...(await lookAtResults()))
  const home = await loadCold(browser, program, '/', 'h1')
  measurements.push({
    what: 'cold Home: script, gz',
    unit: 'kB',
    ours: await kilobytes(home.scripts),
    target: { atMost: 150 },
  })
} finally {
  await browser.close()
  await program.stop()
}
const all = await readdir(assets)
const kB = { unit: 'kB' } as const
const everything = all.filter((name) => name.endsWith('.js'))
measurements.push({ what: 'all script, gz', ours: await kilobytes(everything), target: { atMost: 600 }, ...kB })
const styles = all.filter((name) => /^style.*\.css$/.test(name))
measurements.push({ what: 'style of the app, gz', ours: await kilobytes(styles), target: { atMost: 30 }, ...kB })
report(measurements)

async function lookAtResults(): Promise<Measurement[]> {
  const looks = await Promise.all(
    sizes.map(async (size) => ({ ...size, bare: await serveBarePage(await fetchNumbers(size.experimentId)) })),
  ).then((all) => all.map((size) => ({ ...size, ours: [] as PageLoad[], floors: [] as PageLoad[] })))
  for (let round = 0; round < rounds; round += 1) {
    for (const { experimentId, bare, ours, floors } of looks) {
      ours.push(await loadCold(browser, program, `/experiments/${experimentId}/results?view=heatmap`))
      floors.push(await loadCold(browser, bare, '/'))
    }
  }
  for (const { bare } of looks) bare.close()
  const [usual, moreGroups, moreTests] = looks.map(({ ours }) => of(ours, 'drawnMs'))
  const growth = { unit: 'ms', floor: usual, target: { ratio: 1.3 } } as const
  return [
    ...(await Promise.all(looks.map(describe))).flat(),
    { what: 'cold Results: ten times the groups', ours: moreGroups ?? Number.NaN, ...growth },
    { what: 'cold Results: ten times the tests', ours: moreTests ?? Number.NaN, ...growth },
  ]
}

type Looks = { groups: number; tests: number; ours: PageLoad[]; floors: PageLoad[] }

async function describe({ groups, tests, ours, floors }: Looks): Promise<Measurement[]> {
  const what = `cold Results, ${groups} × ${tests}`
  const blocked = { unit: 'ms', ours: of(ours, 'blockedMs'), target: { atMost: 200 } } as const
  const requests = { unit: 'requests', ours: of(ours, 'requests'), target: { atMost: 12 } } as const
  return [
    {
      what: `${what}: drawn`,
      unit: 'ms',
      ours: of(ours, 'drawnMs'),
      floor: of(floors, 'drawnMs'),
      target: { ratio: 3 },
    },
    { what: `${what}: blocking`, ...blocked },
    { what: `${what}: requests`, ...requests },
    { what: `${what}: script, gz`, unit: 'kB', ours: await kilobytes(ours[0]?.scripts ?? []) },
  ]
}

function of(looks: readonly PageLoad[], fact: 'drawnMs' | 'blockedMs' | 'requests') {
  return median(looks.map((look) => look[fact]))
}

/** The body of the answer that the page requests, unparsed. */
async function fetchNumbers(experimentId: string): Promise<string> {
  const path = `/api/v1/insights/${encodeURIComponent(chartReference(experimentId, 'tests'))}/execute`
  const headers = { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' }
  const response = await fetch(program.platformUrl + path, { method: 'POST', headers, body: '{}' })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { chartDataJson: string }).chartDataJson
}

async function kilobytes(names: readonly string[]) {
  const sizes = await Promise.all(names.map((name) => sizeOf(join(assets, name))))
  return sizes.reduce((sum, bytes) => sum + bytes, 0) / 1000
}

/** The size in transit: files too small to be worth compressing are not compressed. */
async function sizeOf(path: string) {
  return (await stat(`${path}.gz`).catch(() => stat(path))).size
}
