import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from '#tools/free-port.mjs'
import { openBrowser } from './browser.ts'
import { loadCold, type PageLoad } from './cold-load.ts'
import { startDispatching } from './dispatch-engine.ts'
import { openQueue, untilEnded } from './dispatch-queue.ts'
import { startProgram, waitUntilHealthy } from './program.ts'
import { type Measurement, median, measureMs, report } from './result.ts'
import { seedResults } from './seed-results.ts'

/**
 * Measures promptfoo beside Assay, with its `echo` provider beside our mock runs: the results with four checks that it
 * writes per second, and the first visit to the page of 50 groups × 100 tests. PROMPTFOO names a folder in which
 * `npm install promptfoo` was run; without it nothing is measured.
 */
const installed = process.env['PROMPTFOO'] ?? ''
const program = join(installed, 'node_modules/.bin/promptfoo')
const groups = 50
const tests = 100
const visits = 3
const slots = 32

if (installed === '' || !existsSync(program))
  console.log('PROMPTFOO names no folder with promptfoo, so it was not measured.')
else await measureBoth()

async function measureBoth() {
  const folder = await mkdtemp(join(tmpdir(), 'assay-promptfoo-'))
  try {
    report([...(await compareWrites(folder)), ...(await comparePages(folder))])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Both write as many results; the time of one that writes ten is left out of theirs. */
async function compareWrites(folder: string): Promise<Measurement[]> {
  const written = groups * tests
  const startMs = await measureMs(() => evaluate(folder, { prompts: 1, cases: 10 }))
  const theirs = (await measureMs(() => evaluate(folder, { prompts: groups, cases: tests }))) - startMs
  const opened = await openQueue(written)
  const engine = await startDispatching(opened.services, { workFolder: join(opened.dataFolder, 'work'), slots })
  const ours = await measureMs(() => untilEnded(opened.services.db))
  await engine.stop()
  await opened.close()
  const perThousand = (ms: number) => (1000 * ms) / written
  return [
    {
      what: '1,000 results with four checks, beside promptfoo',
      unit: 'ms',
      ours: perThousand(ours),
      floor: perThousand(theirs),
      target: { ratio: 1 },
    },
  ]
}

async function comparePages(folder: string): Promise<Measurement[]> {
  const experimentId = 'cells'
  const assay = await startProgram(seedResults([{ experimentId, groups, tests, runs: groups * 3 }]))
  const theirs = await startViewer(folder)
  const browser = await openBrowser()
  const looks = { ours: [] as PageLoad[], theirs: [] as PageLoad[] }
  try {
    for (let visit = 0; visit < visits; visit += 1) {
      looks.ours.push(await loadCold(browser, assay, `/experiments/${experimentId}/results?view=heatmap`))
      looks.theirs.push(await loadCold(browser, theirs, '/eval', 'tbody td'))
    }
  } finally {
    await browser.close()
    await theirs.stop()
    await assay.stop()
  }
  const of = (each: PageLoad[], fact: 'drawnMs' | 'requests') => median(each.map((look) => look[fact]))
  const what = `cold page of ${groups} × ${tests}, beside promptfoo`
  return [
    {
      what: `${what}: drawn`,
      unit: 'ms',
      ours: of(looks.ours, 'drawnMs'),
      floor: of(looks.theirs, 'drawnMs'),
      target: { ratio: 0.1 },
    },
    {
      what: `${what}: requests`,
      unit: 'requests',
      ours: of(looks.ours, 'requests'),
      floor: of(looks.theirs, 'requests'),
    },
  ]
}

/** A run of promptfoo in which every prompt answers every case, four checks each. */
async function evaluate(folder: string, { prompts, cases }: { prompts: number; cases: number }) {
  const config = {
    description: 'Bench',
    prompts: Array.from({ length: prompts }, (_, index) => `Prompt ${index}: {{topic}}`),
    providers: ['echo'],
    tests: Array.from({ length: cases }, (_, index) => ({
      description: `test ${index}`,
      vars: { topic: `topic ${index}` },
      assert: ['Prompt', 'topic', `topic ${index}`, ':'].map((value) => ({ type: 'contains', value })),
    })),
  }
  const file = join(folder, 'config.json')
  await writeFile(file, JSON.stringify(config))
  const flags = ['eval', '-c', file, '--no-cache', '--no-progress-bar', '--no-table', '-j', `${slots}`]
  const [code] = await once(run(folder, flags), 'exit')
  if (code !== 0) throw new Error(`promptfoo ended with ${code}`)
}

async function startViewer(folder: string) {
  const port = await freePort()
  const viewer = run(folder, ['view', '--port', `${port}`, '--no'])
  const url = `http://127.0.0.1:${port}`
  await waitUntilHealthy(url)
  return {
    url,
    async stop() {
      viewer.kill()
      await once(viewer, 'exit')
    },
  }
}

/** It keeps its data in the folder, and asks nothing of the network. */
function run(folder: string, flags: readonly string[]) {
  return spawn(program, flags, {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      PROMPTFOO_CONFIG_DIR: folder,
      PROMPTFOO_DISABLE_TELEMETRY: '1',
      PROMPTFOO_DISABLE_UPDATE: '1',
      PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
      PROMPTFOO_SELF_HOSTED: '1',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
