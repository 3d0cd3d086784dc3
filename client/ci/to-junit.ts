import { isSolved } from '#contract/outcomes.ts'
import type { Run } from '#contract/runs.ts'
import { visibleLine } from '#client/terminal/visible-lines.ts'
import { paths } from '#src/paths.ts'
import type { Report } from './to-summary.ts'

/** Every run as a test: solved, failed, or skipped where nothing is known. */
export function toJunit({ experimentId, runs, url }: Pick<Report, 'experimentId' | 'runs' | 'url'>) {
  const failed = runs.filter((run) => isSolved(run, run.outcomes) === false).length
  const skipped = runs.filter((run) => isSolved(run, run.outcomes) === null).length
  const cases = runs.map((run) => testCase(experimentId, run, url)).join('')
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="${xml(experimentId)}" tests="${runs.length}" failures="${failed}" skipped="${skipped}">
${cases}</testsuite>
`
}

function testCase(experimentId: string, run: Run, url: string) {
  const solved = isSolved(run, run.outcomes)
  const place = `${url}${paths.run(run.runId)}`
  const { passed, failed } = run.outcomes
  const content =
    solved === false
      ? `<failure message="${xml(`${failed} of ${passed + failed} tests failed`)}">${xml(place)}</failure>`
      : solved === null
        ? `<skipped message="${xml(run.statusReason ?? run.status)}"/>`
        : ''
  const name = `${run.variantId} repeat ${run.repeat}`
  return `  <testcase classname="${xml(experimentId)}" name="${xml(name)}" time="${run.wallSeconds ?? 0}">${content}</testcase>\n`
}

/** XML allows no control characters, not even as references. */
const xml = (text: string) => visibleLine(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
