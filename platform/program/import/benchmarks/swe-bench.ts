import { basename } from 'node:path'

import { turn } from '#platform/program/import/reading/chat-turns.ts'
import { samplesOf } from '#platform/program/import/reading/look-at-file.ts'
import type { Reading, ResultFormat } from '#platform/program/import/reading/result-format.ts'
import { areOfInstances, arePredictions, isPrediction, isReport, readModels } from './swe-bench-files.ts'

/** Reports and predictions of SWE-bench and of benchmarks with its files. A prediction without a report has no verdict. */
export const sweBench: ResultFormat = {
  id: 'swe-bench',
  recognize(look) {
    const document = look.kind === 'json' ? look.document : null
    if (isReport(document) || areOfInstances(document) || arePredictions(document)) return 1
    const samples = samplesOf(look)
    return samples.length > 0 && samples.every(isPrediction) ? 0.9 : 0
  },
  async *read(reading) {
    const models = await readModels(reading)
    const elsewhere = instancesOfTrajectories(reading)
    for (const [model, attempts] of models) {
      for (const [instance, { file, solved = null, reason, tests, patch }] of attempts) {
        if (elsewhere.has(instance)) continue
        yield {
          batch: { id: `swe-bench/${model}`, file },
          key: ['swe-bench', model, instance],
          file: `${file}#${instance}`,
          agent: model,
          model: null,
          prompt: instance,
          solved,
          status: reason === undefined ? 'completed' : 'errored',
          reason: reason ?? null,
          tests: [{ name: 'resolved', outcome: solved === true ? 'passed' : 'failed' }, ...(tests ?? [])],
          transcript: patch
            ? () => Promise.resolve({ turns: [turn({ role: 'assistant', kind: 'output', text: patch })] })
            : null,
        }
      }
    }
  },
}

/** Instances with a trajectory, whose readers have the verdict from here. */
const instancesOfTrajectories = ({ others }: Reading) =>
  new Set(
    [...others('swe-agent'), ...others('mini-swe-agent')].map(({ file }) =>
      basename(file.path).replace(/(\.traj)?(\.json)?$/i, ''),
    ),
  )
