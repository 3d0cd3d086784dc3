import { isSolved } from '#contract/outcomes.ts'
import type { Run } from '#contract/runs.ts'
import { visibleLine } from '#client/terminal/visible-lines.ts'
import { counted, percent } from '#src/format/numbers.ts'
import { usd } from '#src/format/money.ts'
import { paths } from '#src/paths.ts'
import type { Judgment } from './judge-change.ts'

export type Report = Judgment & {
  experimentId: string
  ordinal: number
  requestId: string
  runs: readonly Run[]
  url: string
}

const headings = {
  passed: 'Passed',
  worse: 'Worse',
  undecided: 'Can’t tell',
  broken: 'Broken',
} as const

const shownFailures = 20

/** Marks the comment of an experiment, so that the next push finds it. */
export const commentMark = (experimentId: string) => `<!-- assay ${experimentId} -->`

/** The result as Markdown. Ids and texts are in code spans, where they are neither markup nor mentions. */
export function toSummary({ outcome, sentences, experimentId, ordinal, requestId, runs, url }: Report) {
  const failing = runs.filter((run) => isSolved(run, run.outcomes) === false)
  return `### Assay: ${headings[outcome]} · ${code(experimentId)} v${ordinal}

${sentences.map(prose).join('\n\n')}

${leaderboard(runs)}
${failures(failing, url)}
[Open the request](${url}${paths.run(requestId)})
`
}

function leaderboard(runs: readonly Run[]) {
  const groups = [...Map.groupBy(runs, ({ agent, model }) => [agent, model].filter(Boolean).join(' · '))]
  const rows = groups.map(([name, own]) => {
    const solved = own.flatMap((run) => isSolved(run, run.outcomes) ?? [])
    const cost = own.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
    const share = solved.length === 0 ? null : solved.filter(Boolean).length / solved.length
    return { name, share, runs: solved.length, cost: own.some(({ costUsd }) => costUsd !== null) ? cost : null }
  })
  const lines = rows
    .toSorted((a, b) => (b.share ?? -1) - (a.share ?? -1))
    .map(({ name, share, runs, cost }) => `| ${code(name)} | ${percent(share, 1)} | ${runs} | ${usd(cost)} |`)
  return `| Group | Solved | Runs | Cost |\n| --- | ---: | ---: | ---: |\n${lines.join('\n')}\n`
}

function failures(failing: readonly Run[], url: string) {
  if (failing.length === 0) return ''
  const lines = failing.slice(0, shownFailures).map((run) => `- [${code(run.runId)}](${url}${paths.run(run.runId)})`)
  const more = failing.length > shownFailures ? [`- and ${failing.length - shownFailures} more`] : []
  return `<details><summary>${counted(failing.length, 'run')} not solved</summary>\n\n${[...lines, ...more].join('\n')}\n\n</details>\n`
}

const code = (text: string) => `\`${visibleLine(text).replaceAll('`', "'").replaceAll('|', '∣')}\``

const prose = (text: string) => visibleLine(text).replace(/[\\`*_[\]<>|#@]/g, (sign) => `&#${sign.charCodeAt(0)};`)
