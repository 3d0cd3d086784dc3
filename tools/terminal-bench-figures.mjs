// node tools/terminal-bench-figures.mjs [folder]: writes the demo's table of published outcomes from a folder with
// submissions to Terminal-Bench, one folder each (`20250923_droid_claude-4-1-opus/<run>/results.json`).
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [folder = fileURLToPath(new URL('../../shared/data/terminal-bench', import.meta.url))] = process.argv.slice(2)
const target = new URL('../platform/program/demo/terminal-bench-figures.tsv', import.meta.url)

const crashed = new Set(['unknown_agent_error', 'agent_installation_failed', 'fatal_llm_parse_error', 'unknown'])

/** The position of a trial's outcome in a cell. */
function outcomeOf({ is_resolved: isSolved, failure_mode: mode, parser_results: results }) {
  if (isSolved) return 0
  if (mode === 'agent_timeout') return 2
  return crashed.has(mode) && !results ? 3 : 1
}

/** Task → submission → [solved, failed, timed out, ended with an error]. */
const counts = new Map()
const files = globSync('*/*/results.json', { cwd: folder }).sort()
const submissions = [...new Set(files.map((file) => file.split('/')[0]))]
if (submissions.length === 0) throw new Error(`No submissions found in ${folder}`)
for (const file of files) {
  const [submission] = file.split('/')
  const { results } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  for (const trial of results) {
    const ofTask = counts.get(trial.task_id) ?? new Map()
    const cell = ofTask.get(submission) ?? [0, 0, 0, 0]
    cell[outcomeOf(trial)] += 1
    counts.set(trial.task_id, ofTask.set(submission, cell))
  }
}

const lines = [...counts]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([task, ofTask]) =>
    [task, ...submissions.map((submission) => (ofTask.get(submission) ?? []).join('/'))].join('\t'),
  )
writeFileSync(
  target,
  `# Published results of Terminal-Bench (terminal-bench-core 0.1.1), from the submissions to its public leaderboard at
# https://www.tbench.ai. Each cell counts the trials of a submission on a task: solved/failed/timed out/ended with an error.
# Made by tools/terminal-bench-figures.mjs.
${['task', ...submissions].join('\t')}
${lines.join('\n')}
`,
)
process.stdout.write(`${counts.size} tasks, ${submissions.length} submissions\n`)
