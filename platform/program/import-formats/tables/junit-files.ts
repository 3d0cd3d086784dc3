import { basename, dirname } from 'node:path'

import { messageOf } from '#contract/wire/message-of.ts'
import type { FoundTest } from '#platform/program/import-formats/reading/found-run.ts'
import { readFileBytes, type ResultFile } from '#platform/program/import-formats/reading/result-files.ts'
import type { ResultFormat } from '#platform/program/import-formats/reading/result-format.ts'
import { readJunit } from '#platform/engine/run-engine/captured-tests/reports/junit.ts'
import { reportText } from '#platform/engine/run-engine/captured-tests/reports/report-text.ts'
import { readPattern } from './path-pattern.ts'

const maxBytes = 64 * 1024 * 1024

/** Reports of JUnit, each of one run. Their paths name the runs, by a pattern or by their last folders. */
export const junitFiles: ResultFormat = {
  id: 'junit',
  recognize: (look) => (look.kind === 'xml' && /<testsuites?[\s>/]/.test(look.start) ? 0.9 : 0),
  async *read({ files, leaveOut, options }) {
    const labelsInPath = readPattern(
      options.pattern,
      files.map(({ file }) => file.path),
    )
    for (const { file } of files) {
      const names = labelsInPath(file.path)
      if (!names) {
        leaveOut({ what: 'file', file: file.path, reason: `its path does not match ${options.pattern}` })
        continue
      }
      try {
        const tests = await readTests(file)
        const startedAt = null
        yield {
          batch: { id: `junit/${names.agent}/${names.model ?? ''}`, file: dirname(file.path) },
          key: ['junit', names.agent, names.model ?? '', names.prompt, String(names.repeat ?? ''), basename(file.path)],
          file: file.path,
          ...names,
          tests,
          startedAt,
          wallSeconds: tests.some(({ durationMs }) => durationMs != null)
            ? tests.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0) / 1000
            : null,
        }
      } catch (error) {
        leaveOut({ what: 'file', file: file.path, reason: messageOf(error) })
      }
    }
  },
}

async function readTests(file: ResultFile): Promise<FoundTest[]> {
  const { cases, problems } = readJunit(reportText(await readFileBytes(file, maxBytes)))
  const tests = cases.map(({ name, group, outcome, durationMs, stdout, stderr }): FoundTest => ({
    name: [group, name].filter((part) => part !== '').join(' > ') || '(all tests)',
    outcome,
    durationMs,
    output: stdout,
    message: stderr,
  }))
  return problems.length === 0
    ? tests
    : [...tests, { name: '(report)', outcome: 'errored', message: problems.join('\n') }]
}
