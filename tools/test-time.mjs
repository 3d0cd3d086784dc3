// `npm run test:time [-- command]`: where the time of `npm test`, or of another command, goes (docs/tests.md).
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

import { root } from './installed.mjs'
import { commandOf, readProcesses, timesOfTree, treeOf } from './process-times.mjs'

const file = join(root, 'node_modules/.cache/test-times.jsonl')
const path = [join(root, 'node_modules/.bin'), join(root, 'node_modules/node/bin'), process.env.PATH].join(delimiter)
const shownTests = 50
const sampleEveryMs = 500

/** The first line that fits. What runs in a sandbox or below a browser is of the same kind as that. */
const kinds = [
  ['tests', /\bvitest\b/],
  ['stories', /\bplaywright\b/],
  ['browser', /chrom(e|ium)|headless/],
  ['PostgreSQL', /^\S*(postgres|initdb)\b/],
  ['engines (ClickHouse)', /clickhouse-server-engine/],
  ['engines (embedded)', /analytics\/chdb\//],
  ['sandboxes', /^\S*bwrap\b|supervise/],
  ['types', /\btsc\b/],
  ['other checks', /oxlint|oxfmt|tsgolint|knip|check-doc-paths/],
  ['build', /build-app|vite\b/],
]
const inherited = new Set(['browser', 'engines (ClickHouse)', 'engines (embedded)', 'sandboxes'])
const otherKind = 'programs'

const known = new Map()

function kindOf(pid, { name, parent }) {
  const key = `${pid} ${name}`
  if (known.has(key)) return known.get(key)
  const command = commandOf(pid) || name
  const ofParent = known.get(parent)
  const kind =
    kinds.find(([, pattern]) => pattern.test(command))?.[0] ?? (inherited.has(ofParent) ? ofParent : otherKind)
  known.set(key, kind)
  known.set(pid, kind)
  return kind
}

const seen = new Map()
const busySamples = new Map()

/** Keeps the last time that each process below `pid` was seen with. */
function sample(pid) {
  const processes = readProcesses()
  const busy = new Set()
  for (const each of treeOf(pid, processes)) {
    const { ownMs } = processes.get(each)
    const kind = kindOf(each, processes.get(each))
    if (ownMs > (seen.get(`${each} ${kind}`)?.ownMs ?? 0)) busy.add(kind)
    seen.set(`${each} ${kind}`, { kind, ownMs })
  }
  for (const kind of busy) busySamples.set(kind, (busySamples.get(kind) ?? 0) + 1)
}

const seconds = (ms) => (ms / 1000).toFixed(1).padStart(8)
const print = (line = '') => process.stdout.write(`${line}\n`)
const sum = (values) => values.reduce((total, value) => total + value, 0)

function printKinds(totalMs, wallMs, tests) {
  print(`\n${seconds(totalMs)} s of processor time in ${(wallMs / 1000).toFixed(1)} s`)
  print('\n  processor s   busy for s   kind of work')
  const row = (ms, busyMs, kind) => print(`  ${seconds(ms)}     ${seconds(busyMs)}      ${kind}`)
  const byKind = Object.groupBy(seen.values(), ({ kind }) => kind)
  const ofKinds = Object.entries(byKind).map(([kind, each]) => [sum(each.map(({ ownMs }) => ownMs)), kind])
  for (const [ms, kind] of ofKinds.toSorted(([a], [b]) => b - a)) {
    row(ms, sampleEveryMs * (busySamples.get(kind) ?? 0), kind)
    if (kind === 'tests') row(sum(tests.map(({ pgliteMs }) => pgliteMs)), 0, '  of these: PGlite')
  }
  row(Math.max(0, totalMs - sum(ofKinds.map(([ms]) => ms))), 0, `processes that lived less than ${sampleEveryMs} ms`)
}

const costOf = ({ ownMs, childrenMs }) => ownMs + childrenMs

function printTests(tests) {
  print(`\nThe ${shownTests} dearest of ${tests.length} test files and stories, in seconds`)
  print('\n processor   itself  children   PGlite     wall   test')
  for (const test of tests.toSorted((a, b) => costOf(b) - costOf(a)).slice(0, shownTests)) {
    const figures = [costOf(test), test.ownMs, test.childrenMs, test.pgliteMs, test.wallMs]
    print(`${figures.map(seconds).join(' ')}   ${test.name} (${test.on})`)
  }
  print(`\nAll of them: ${file}`)
}

const [program = 'node', ...flags] = process.argv.slice(2)
mkdirSync(dirname(file), { recursive: true })
rmSync(file, { force: true })
const startedAt = Date.now()
const env = { ...process.env, PATH: path, TEST_TIME_FILE: file }
const child = spawn(program, flags.length > 0 || program !== 'node' ? flags : ['tools/test.mjs'], {
  env,
  stdio: 'inherit',
})
const sampling = setInterval(() => sample(child.pid), sampleEveryMs)
const exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
clearInterval(sampling)
const tests = existsSync(file)
  ? readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : []
printKinds(timesOfTree(process.pid).childrenMs, Date.now() - startedAt, tests)
if (tests.length > 0) printTests(tests)
process.exitCode = exitCode
