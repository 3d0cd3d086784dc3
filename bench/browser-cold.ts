import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { chartReference } from '#contract/charts.ts'
import { openBrowser } from './browser.ts'
import { type Look, lookAt, serveBarePage } from './cold-look.ts'
import { startProgram } from './program.ts'
import { type Finding, median, report } from './result.ts'
import { seedResults } from './seed-results.ts'

/**
 * What the first look at a page costs a browser that has nothing of ours: the Results page of 50 groups × 100 tests and
 * of ten times either, from the address to the drawn heatmap, beside a page of one file that fetches the same numbers
 * and draws them on a canvas, in turns; and how much script comes with it.
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
const drawn: number[] = []
const findings: Finding[] = []
try {
  for (const size of sizes) findings.push(...(await lookAtResults(size)))
  const [once = Number.NaN, moreGroups = Number.NaN, moreTests = Number.NaN] = drawn
  const growth = { unit: 'ms', floor: once, target: { ratio: 1.3 } } as const
  findings.push({ what: 'cold Results: ten times the groups', ours: moreGroups, ...growth })
  findings.push({ what: 'cold Results: ten times the tests', ours: moreTests, ...growth })
} finally {
  await browser.close()
  await program.stop()
}
const all = await readdir(assets)
const kB = { unit: 'kB' } as const
const everything = all.filter((name) => name.endsWith('.js'))
findings.push({ what: 'all script, gz', ours: await kilobytes(everything), target: { atMost: 600 }, ...kB })
const styles = all.filter((name) => /^style.*\.css$/.test(name))
findings.push({ what: 'style of the app, gz', ours: await kilobytes(styles), target: { atMost: 30 }, ...kB })
report(findings)

async function lookAtResults({ experimentId, groups, tests }: (typeof sizes)[number]): Promise<Finding[]> {
  const bare = await serveBarePage(await fetchNumbers(experimentId))
  const [ours, floors]: [Look[], Look[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await lookAt(browser, program, `/experiments/${experimentId}/results`))
    floors.push(await lookAt(browser, bare, '/'))
  }
  bare.close()
  const of = (looks: readonly Look[], fact: 'drawnMs' | 'blockedMs' | 'requests') =>
    median(looks.map((look) => look[fact]))
  drawn.push(of(ours, 'drawnMs'))
  const what = `cold Results, ${groups} × ${tests}`
  const times = { unit: 'ms', ours: of(ours, 'drawnMs'), floor: of(floors, 'drawnMs') } as const
  const [blocked, bareBlocked] = [of(ours, 'blockedMs'), of(floors, 'blockedMs')]
  const requests = { unit: 'requests', ours: of(ours, 'requests'), target: { atMost: 12 } } as const
  return [
    { what: `${what}: drawn`, ...times },
    { what: `${what}: blocking`, unit: 'ms', ours: blocked, floor: bareBlocked, target: { atMost: 200 } },
    { what: `${what}: requests`, ...requests },
    { what: `${what}: script, gz`, unit: 'kB', ours: await kilobytes(ours[0]?.scripts ?? []) },
  ]
}

/** The answer the page asks for, as it comes. */
async function fetchNumbers(experimentId: string): Promise<string> {
  const path = `/api/v1/insights/${encodeURIComponent(chartReference(experimentId, 'tests'))}/execute`
  const headers = { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' }
  const answer = await fetch(program.platformUrl + path, { method: 'POST', headers, body: '{}' })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { chartDataJson: string }).chartDataJson
}

async function kilobytes(names: readonly string[]) {
  const sizes = await Promise.all(names.map((name) => sizeOf(join(assets, name))))
  return sizes.reduce((sum, bytes) => sum + bytes, 0) / 1000
}

/** As it travels: files too small to be worth compressing go as they are. */
async function sizeOf(path: string) {
  return (await stat(`${path}.gz`).catch(() => stat(path))).size
}
