import { dirname } from 'node:path'

import type { FoundRun } from '#platform/program/import-formats/reading/found-run.ts'
import { turnsOfAnswer } from '#platform/program/import-formats/reading/chat-turns.ts'
import { has, toName, toWords } from '#platform/program/import-formats/reading/fields.ts'
import { foldersThatDiffer } from '#platform/program/import-formats/reading/names-of-files.ts'
import { samplesOf } from '#platform/program/import-formats/reading/look-at-file.ts'
import { readRecords } from '#platform/program/import-formats/reading/read-records.ts'
import type { Claimed, ResultFormat } from '#platform/program/import-formats/reading/result-format.ts'
import { evalPlusRuns, isEvalPlus, nameOfSamples } from './evalplus.ts'
import { shortHash } from '#platform/ground/ids/stable-id.ts'

const isProblem = (value: unknown) =>
  has(value, 'task_id', 'prompt', 'test') || has(value, 'task_id', 'text', 'test_list')
const isSample = (value: unknown) =>
  has(value, 'task_id') && (has(value, 'completion') || has(value, 'solution') || has(value, 'passed'))

/** Samples in the format of HumanEval, and their results, also those of EvalPlus. Its file of problems gives the texts of tasks. */
export const humanEval: ResultFormat = {
  id: 'humaneval',
  recognize(look) {
    if (look.kind === 'json' && isEvalPlus(look.document)) return 1
    const samples = samplesOf(look)
    return samples.length > 0 && (samples.every(isSample) || samples.every(isProblem)) ? 0.8 : 0
  },
  async *read({ files, leaveOut }) {
    const problems = new Map<string, string>()
    const ofSamples: { claimed: Claimed; hasVerdicts: boolean }[] = []
    const evaluated: Claimed[] = []
    for (const claimed of files) {
      const seen = await claimed.look()
      if (seen.kind === 'json' && isEvalPlus(seen.document)) {
        evaluated.push(claimed)
        continue
      }
      const [first] = samplesOf(seen)
      if (isSample(first)) {
        ofSamples.push({ claimed, hasVerdicts: has(first, 'passed') })
        continue
      }
      let count = 0
      for await (const problem of readRecords(claimed.file, seen, leaveOut)) {
        problems.set(toName(problem.task_id) ?? '', toWords(problem.prompt ?? problem.text))
        count += 1
      }
      leaveOut({
        what: 'file',
        file: claimed.file.path,
        reason: `its ${count} problems are no results; they give the texts of tasks`,
        count: 0,
      })
    }
    const folderOf = foldersThatDiffer(
      files.map(({ file }) => file),
      nameOfSamples,
    )
    for (const { file, look } of evaluated) {
      const seen = await look()
      if (seen.kind === 'json' && isEvalPlus(seen.document))
        yield* evalPlusRuns({ file, document: seen.document, folder: folderOf(file) }, problems)
    }
    const checked = new Set(evaluated.map(({ file }) => `${dirname(file.path)}/${nameOfSamples(file)}`))
    const inResults: string[] = []
    // The same samples without their results would hide the verdicts.
    ofSamples.sort((a, b) => Number(b.hasVerdicts) - Number(a.hasVerdicts))
    for (const { claimed } of ofSamples) {
      const { path } = claimed.file
      if (checked.has(`${dirname(path)}/${nameOfSamples(claimed.file)}`)) {
        inResults.push(path)
        continue
      }
      const folder = folderOf(claimed.file)
      const name = folder ?? nameOfSamples(claimed.file)
      const times = new Map<string, number>()
      for await (const sample of readRecords(claimed.file, await claimed.look(), leaveOut)) {
        const task = toName(sample.task_id) ?? 'task'
        const code = toWords(sample.completion ?? sample.solution)
        const place = `${task}/${shortHash(code)}`
        const time = (times.get(place) ?? 0) + 1
        times.set(place, time)
        const found = { sample, task, name, code, text: problems.get(task), path: claimed.file.path }
        yield { ...toFoundRun(found), key: ['humaneval', name, place, String(time)] }
      }
    }
    for (const file of inResults)
      leaveOut({ what: 'file', file, reason: 'the results beside it have its samples', count: 0 })
  },
}

type Found = {
  sample: Record<string, unknown>
  task: string
  name: string
  code: string
  text: string | undefined
  path: string
}

function toFoundRun({ sample, task, name, code, text, path }: Found): Omit<FoundRun, 'key'> {
  const passed = typeof sample.passed === 'boolean' ? sample.passed : null
  const result = toWords(sample.result)
  return {
    batch: { id: `humaneval/${name}`, file: path },
    file: `${path}#${task}`,
    agent: toName(sample.agent) ?? 'humaneval',
    model: toName(sample.model) ?? toName(sample.model_name) ?? name,
    prompt: task,
    promptText: text,
    solved: passed,
    ...(passed !== null && {
      tests: [{ name: 'check', outcome: passed ? ('passed' as const) : ('failed' as const), message: result }],
    }),
    timeLimitHit: result === 'timed out',
    transcript: () => Promise.resolve({ turns: turnsOfAnswer(code, text) }),
  }
}
