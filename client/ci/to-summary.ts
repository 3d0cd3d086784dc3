import type { Run } from '#contract/runs.ts'
import { visibleLine } from '#client/terminal/visible-lines.ts'
import { counted, percent } from '#src/format/numbers.ts'
import { usd } from '#src/format/money.ts'
import { paths } from '#src/paths.ts'
import { countSolved, dropOf, type FailingVariant, shareOf } from './find-failing.ts'
import type { Baseline, Judgment } from './judge-change.ts'

export type Report = Judgment & {
  experimentId: string
  ordinal: number
  requestId: string
  runs: readonly Run[]
  baseline: Baseline | null
  failing: readonly FailingVariant[]
  url: string
}

const headings = {
  passed: 'Passed',
  worse: 'Worse',
  undecided: 'Can’t tell',
  broken: 'Broken',
} as const
const mostLinks = 200
const mostTests = 5

/** Marks the comment of an experiment, so that the next push finds it. */
export const commentMark = (experimentId: string) => `<!-- assay ${experimentId} -->`

/** The result as Markdown. Ids and texts are in code spans, where they are neither markup nor mentions. */
export function toSummary(report: Report) {
  const { outcome, sentences, experimentId, ordinal, requestId, runs, baseline, url } = report
  return joined([
    `### Assay: ${headings[outcome]} · ${code(experimentId)} v${ordinal}`,
    ...sentences.map(prose),
    leaderboard(runs, baseline),
    ...failures(report),
    `[Open the request](${url}${paths.run(requestId)})`,
  ])
}

/** A result without runs: nothing could run, or nothing had to. */
export const toShortSummary = (outcome: Judgment['outcome'], experimentId: string | null, lines: readonly string[]) =>
  joined([
    `### Assay: ${headings[outcome]}${experimentId === null ? '' : ` · ${code(experimentId)}`}`,
    ...lines.map(prose),
  ])

const joined = (parts: readonly string[]) => `${parts.join('\n\n')}\n`

function leaderboard(runs: readonly Run[], baseline: Baseline | null) {
  const nameOf = ({ agent, model }: Run) => [agent, model].filter(Boolean).join(' · ')
  const earlier = Map.groupBy(baseline?.runs ?? [], nameOf)
  const rows = [...Map.groupBy(runs, nameOf)].map(([name, own]) => {
    const solved = countSolved(own)
    const known = own.flatMap(({ costUsd }) => costUsd ?? [])
    const cost = known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0)
    const before = shareOf(countSolved(earlier.get(name) ?? []))
    return { name, share: shareOf(solved), before, runs: solved.runs, cost }
  })
  const lines = rows
    .toSorted((a, b) => (b.share ?? -1) - (a.share ?? -1))
    .map(({ name, share, before, runs: count, cost }) =>
      [code(name), percent(share, 1), ...(baseline ? [percent(before, 1)] : []), count, usd(cost)].join(' | '),
    )
  const heads = ['Group', 'Solved', ...(baseline ? [`On ${code(baseline.name)}`] : []), 'Runs', 'Cost']
  return [heads.join(' | '), heads.map((_, place) => (place === 0 ? '---' : '---:')).join(' | '), ...lines]
    .map((line) => `| ${line} |`)
    .join('\n')
}

/** What the change broke is in sight; what failed before, too, is folded. */
function failures({ failing, baseline, url }: Report) {
  let left = mostLinks
  const lineOf = ({ variantId, now, before, failing: runs, failedTests }: FailingVariant) => {
    const shown = runs.slice(0, left)
    left -= shown.length
    const links = shown.map((run) => `[${run.repeat}](${url}${paths.run(run.runId)})`)
    const earlier = before ? `, before ${before.solved} of ${before.runs}` : ''
    const tests = failedTests.slice(0, mostTests).map(code).join(', ')
    const cut = runs.length > shown.length ? ` and ${runs.length - shown.length} more` : ''
    return `- ${code(variantId)} solved ${now.solved} of ${now.runs}${earlier}.${tests && ` Failed: ${tests}.`} Repeats: ${links.join(' ')}${cut}`
  }
  const broke = failing.filter((variant) => variant.before !== null && dropOf(variant) > 0)
  const others = failing.filter((variant) => !broke.includes(variant))
  const heading = broke.length > 0 ? [`**Solved less often than on ${code(baseline?.name ?? '')}**`] : []
  return [
    ...heading,
    ...(broke.length > 0 ? [broke.map(lineOf).join('\n')] : []),
    ...(others.length > 0
      ? [
          `<details><summary>${counted(others.length, broke.length > 0 ? 'other variant' : 'variant')} with failing runs</summary>`,
          others.map(lineOf).join('\n'),
          '</details>',
        ]
      : []),
  ]
}

const code = (text: string) => `\`${visibleLine(text).replaceAll('`', "'").replaceAll('|', '∣')}\``
const prose = (text: string) => visibleLine(text).replace(/[\\`*_[\]<>|#@]/g, (sign) => `&#${sign.charCodeAt(0)};`)
