import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'

import { type Measurement, isReached, printMeasurements } from './result.ts'

/**
 * `npm run bench` runs every benchmark in sequence, each in a separate process; `npm run bench -- proxy start` runs
 * only these. It prints one table at the end, and exits with code 1 when a target is missed.
 */
const benchmarks = [
  'run-list',
  'sorted-runs',
  'chart-summary',
  'output-search',
  'query-storm',
  'proxy',
  'start',
  'dispatch',
  'images',
  'browser-heatmap',
  'browser-scatter',
  'browser-grid',
  'browser-cold',
  'transcript-scroll',
  'watching',
]

const named = process.argv.slice(2)
const unknown = named.filter((name) => !benchmarks.includes(name))
if (unknown.length > 0) throw new Error(`Unknown benchmark: ${unknown.join(', ')}. Available: ${benchmarks.join(', ')}`)

const root = fileURLToPath(new URL('..', import.meta.url))
const built = spawnSync(process.execPath, ['tools/build-app.mjs'], { cwd: root, stdio: 'inherit' })
if (built.status !== 0) throw new Error('The build of the app failed')

const measurements: Measurement[] = []
const failed: string[] = []
for (const name of benchmarks.filter((each) => named.length === 0 || named.includes(each))) {
  const [load = 0] = loadavg()
  process.stdout.write(`\n${name} (load before: ${load.toFixed(1)})\n`)
  if (!(await run(name))) failed.push(name)
}
process.stdout.write('\n')
printMeasurements(measurements)
if (failed.length > 0) process.stdout.write(`Failed: ${failed.join(', ')}\n`)
process.exitCode = failed.length === 0 && measurements.every(isReached) ? 0 : 1

async function run(name: string) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`./${name}.ts`, import.meta.url))], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.on('message', (received: Measurement[]) => measurements.push(...received))
  const [code] = await once(child, 'close')
  return code === 0
}
