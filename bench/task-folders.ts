import { z } from 'zod'

import { Experiment } from '#contract/experiments.ts'
import { writeTar } from '#platform/program/testing/test-registry.ts'
import { openBrowser, openWindow } from './browser.ts'
import { startProgram } from './program.ts'
import { type Measurement, measureMs, median, report } from './result.ts'

/**
 * Measures an experiment of 5,000 task folders and four agents: staging and pushing it, pushing it again after a change of one
 * folder, what its pages load, and its submission as 20,000 mock runs. `node bench/task-folders.ts 500` has as many folders.
 */
const taskCount = Number(process.argv[2] ?? 5000)
const agents = ['one', 'two', 'three', 'four']
const atOnce = 8
const rounds = 3

const counted = (count: number) => count.toLocaleString('en')

const program = await startProgram()
const measurements: Measurement[] = []
function record(what: string, ours: number, atMost?: number) {
  process.stdout.write(`${what}: ${Math.round(ours)} ms\n`)
  measurements.push({
    what: `${counted(taskCount)} task folders × ${agents.length} agents: ${what}`,
    unit: 'ms',
    ours,
    ...(atMost !== undefined && { target: { atMost } }),
  })
}

async function call(method: string, path: string, body?: object) {
  const response = await fetch(`${program.platformUrl}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text.slice(0, 500)}`)
  return text
}

const instruction = (index: number) => `Fix issue ${index}.\n\n${`The program fails on input ${index}. `.repeat(60)}\n`

const tarOf = (index: number, more: string) =>
  Buffer.from(
    writeTar(
      Object.entries({
        'task.toml': `[metadata]\ndifficulty = "hard"\ntags = ["group-${index % 20}"]\n[environment]\ndocker_image = "bench/task-${index}:1"\n`,
        'instruction.md': instruction(index) + more,
        'tests/test.sh': 'echo 1 > /logs/verifier/reward.txt\n',
        'solution/solve.sh': 'echo 42 > answer.txt\n',
      }).map(([name, content]) => ({ name, content })),
    ),
  )

const StagedBlob = z.object({ tarSha256: z.string(), sizeBytes: z.number() })

async function stage(index: number, more = '') {
  const source = `tasks/task-${String(index).padStart(4, '0')}`
  const blob = await call('POST', '/package-files', { content: tarOf(index, more).toString('base64') })
  return { source, dest: source, ...StagedBlob.parse(JSON.parse(blob)) }
}

type Staged = Awaited<ReturnType<typeof stage>>

async function stageAll() {
  const staged: Staged[] = []
  const next = Array.from({ length: taskCount }, (_, index) => index).values()
  const lane = async () => {
    for (const index of next) staged[index] = await stage(index)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return staged
}

const experimentYaml = `id: bench\nname: Bench\nagents: [${agents.map((id) => `{id: ${id}, command: ["true"]}`).join(', ')}]\ntasks: tasks/*\n`
const push = (versionFiles: Staged[]) =>
  call('POST', '/experiments', { experimentYaml, replaceVersionFiles: true, versionFiles })

/** Each page, and an element that it has once it shows its tasks. */
const pages = [
  { what: 'open the definition', path: '/experiments/bench/definition', ready: '.cm-content' },
  { what: 'open the table of tasks', path: '/experiments/bench/tasks', ready: 'text=task-0001' },
  { what: 'open the submission', path: '/experiments/bench?submit=1', ready: 'text=task-0001' },
]

try {
  let staged: Staged[] = []
  record(`stage the folders, ${atOnce} at once`, await measureMs(async () => (staged = await stageAll())))
  record('push', await measureMs(() => push(staged)))
  record('push the same again', await measureMs(() => push(staged)))
  const changed = [...staged.slice(1), await stage(0, 'More.\n')]
  record('push after a change of one folder', await measureMs(() => push(changed)), 5000)
  const experiment = await call('GET', '/experiments/bench')
  const { variants } = Experiment.parse(JSON.parse(experiment))
  if (variants.length !== taskCount * agents.length) throw new Error(`It has ${variants.length} variants`)
  process.stdout.write(`GET /experiments/{id} has ${Math.round(experiment.length / 1000)} kB\n`)
  record('GET /experiments/{id}', await measureMs(() => call('GET', '/experiments/bench')), 1000)
  record('GET /experiments/{id}/tasks', await measureMs(() => call('GET', '/experiments/bench/tasks')), 1000)
  const browser = await openBrowser()
  const page = await (await openWindow(browser, program)).newPage()
  for (const { what, path, ready } of pages) {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1)
      times.push(
        await measureMs(async () => {
          await page.goto(path)
          await page.locator(ready).first().waitFor()
        }),
      )
    record(what, median(times), 4000)
  }
  const submit = () => call('POST', '/experiments/bench/runs', { mock: true })
  record(`submit ${counted(taskCount * agents.length)} mock runs`, await measureMs(submit), 30_000)
  await browser.close()
} finally {
  await program.stop()
}
report(measurements)
