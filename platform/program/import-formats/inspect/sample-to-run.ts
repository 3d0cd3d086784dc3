import type { FoundRun, FoundScore, FoundTest } from '#platform/program/import-formats/reading/found-run.ts'
import { readContent } from '#platform/program/import-formats/reading/chat-turns.ts'
import {
  field,
  isRecord,
  toList,
  toName,
  toNumber,
  toRecord,
  toWords,
} from '#platform/program/import-formats/reading/fields.ts'
import type { ResultFile } from '#platform/program/import-formats/reading/result-files.ts'
import { readSampleTurns } from './sample-turns.ts'

type Fields = Record<string, unknown>

/** A sample in one epoch. */
export function toFoundRun(file: ResultFile, log: Fields, sample: Fields): FoundRun {
  const spec = toRecord(log.eval)
  const evaluation = [spec.eval_id, spec.run_id, spec.task_id]
    .map(toName)
    .filter((part) => part !== null)
    .join('/')
  const task = toName(spec.task_display_name) ?? toName(spec.task)?.split('/').at(-1) ?? 'task'
  const [id, epoch] = [toName(sample.id) ?? '?', toNumber(sample.epoch) ?? 1]
  const events = toList(sample.events)
  return {
    batch: { id: `inspect/${evaluation || file.path}`, file: file.path, createdAt: toName(spec.created) },
    // A log that was tried again has the samples that had ended.
    key: ['inspect', ...(toName(sample.uuid) === null ? [evaluation, id, String(epoch)] : [String(sample.uuid)])],
    file: `${file.path}#${id}, epoch ${epoch}`,
    toolVersion: toName(field(spec, 'packages', 'inspect_ai')),
    agent: solverOf(log),
    model: toName(spec.model)?.split('/').at(-1) ?? null,
    prompt: `${task}/${id}`,
    promptText: inputOf(sample),
    repeat: Number.isInteger(epoch) && epoch > 0 ? epoch : null,
    ...endOf(sample),
    ...scoresOf(log, sample),
    ...usageOf(sample, events),
    wallSeconds: toNumber(sample.total_time) ?? undefined,
    startedAt:
      toName(sample.started_at) ?? toName(field(events[0], 'timestamp')) ?? toName(field(log, 'stats', 'started_at')),
    endedAt:
      toName(sample.completed_at) ??
      toName(field(events.at(-1), 'timestamp')) ??
      toName(field(log, 'stats', 'completed_at')),
    transcript: () => Promise.resolve({ turns: readSampleTurns(sample) }),
  }
}

/** The solver, by its own name or by the steps of its plan. */
function solverOf(log: Fields) {
  const steps = toList(field(log, 'plan', 'steps')).flatMap(
    (step) => toName(field(step, 'solver'))?.split('/').at(-1) ?? [],
  )
  return (
    toName(field(log, 'eval', 'solver'))
      ?.split('/')
      .at(-1) ??
    (steps.join('-') || 'inspect')
  )
}

function inputOf({ input, choices }: Fields) {
  const text = Array.isArray(input)
    ? input.map((message) => readContent(field(message, 'content')).text).join('\n\n')
    : toWords(input)
  const options = toList(choices).map(
    (choice, index) => `${String.fromCharCode(65 + (index % 26))}) ${toWords(choice)}`,
  )
  return [text, ...options].join('\n')
}

/**
 * An error is an exception of the harness, so Inspect scores no such sample, and results leave it out. A limit ends a sample
 * that is then scored.
 */
function endOf({
  error,
  limit,
  scores,
}: Fields): Pick<FoundRun, 'status' | 'reason' | 'timeLimitHit' | 'infrastructureCause'> {
  if (isRecord(error)) {
    const isScored = isRecord(scores) && Object.keys(scores).length > 0
    const reason = `Inspect stopped the sample: ${toWords(error.message).slice(0, 1000)}`
    return { status: 'errored', reason, infrastructureCause: isScored ? null : 'worker_failed' }
  }
  if (!isRecord(limit)) return {}
  const type = toWords(limit.type)
  return {
    status: 'errored',
    reason: `The sample reached its limit: ${type} ${toWords(limit.limit)}`,
    timeLimitHit: type === 'time' || type === 'working',
  }
}

/** The first scorer decides whether a sample is solved, as its accuracy does in Inspect. */
function scoresOf(log: Fields, sample: Fields): Pick<FoundRun, 'tests' | 'scores' | 'solved'> {
  const given = Object.entries(toRecord(sample.scores ?? (isRecord(sample.score) ? { score: sample.score } : {})))
  const values = given.flatMap(([scorer, score]) => {
    const value = isRecord(score) && 'value' in score ? score.value : score
    const message = [field(score, 'answer'), field(score, 'explanation')]
      .map(toWords)
      .filter((part) => part !== '')
      .join('\n\n')
    const parts = isRecord(value)
      ? Object.entries(value).map(([name, part]) => ({ name: `${scorer}.${name}`, value: valueOf(part) }))
      : Array.isArray(value)
        ? value.map((part, index) => ({ name: `${scorer}.${index + 1}`, value: valueOf(part) }))
        : [{ name: scorer, value: valueOf(value) }]
    return parts.map((part) => ({ ...part, scorer, message }))
  })
  if (values.length === 0) return { solved: null }
  const deciding =
    toName(field(toList(field(log, 'results', 'scores'))[0], 'scorer')) ??
    toName(field(toList(field(log, 'eval', 'scorers'))[0], 'name'))
  const first = values.some(({ scorer }) => scorer === deciding) ? deciding : values[0]?.scorer
  const decisive = values.filter(({ scorer, value }) => scorer === first && value !== null)
  const isGrade = hasGrades(log, first ?? null) || decisive.some(({ value }) => value !== null && value > 1)
  const tests = values.map(({ name, value, message }): FoundTest => ({
    name,
    message,
    outcome: value === null ? 'skipped' : value >= 1 ? 'passed' : 'failed',
  }))
  return {
    tests,
    scores: values.map(({ name, value }): FoundScore => ({ name, value })),
    solved: decisive.length === 0 || isGrade ? null : decisive.every(({ value }) => (value ?? 0) >= 1),
  }
}

/** Whether a scorer gives grades, such as from 1 to 10, of which no number is known to be enough. */
const hasGrades = (log: Fields, scorer: string | null) =>
  toList(field(log, 'results', 'scores'))
    .filter((score) => toName(field(score, 'scorer')) === scorer)
    .flatMap((score) => Object.entries(toRecord(field(score, 'metrics'))))
    .some(([name, metric]) => /^(?:mean|accuracy|median)/.test(name) && (toNumber(field(metric, 'value')) ?? 0) > 1)

/** Inspect counts cached tokens beside the input, except where the total says that the input has them. */
function inputOfUsage(usage: unknown) {
  const count = (name: string) => toNumber(field(usage, name)) ?? 0
  const [input, cached] = [count('input_tokens'), count('input_tokens_cache_read') + count('input_tokens_cache_write')]
  return field(usage, 'total_tokens') === input + count('output_tokens') ? input : input + cached
}

/** Old logs have the usage only in the calls of models. */
function usageOf(sample: Fields, events: readonly unknown[]) {
  const ofModels = Object.values(toRecord(sample.model_usage))
  const ofCalls = events
    .filter((event) => field(event, 'event') === 'model')
    .map((event) => field(event, 'output', 'usage'))
  const found =
    [ofModels, ofCalls.filter(isRecord), [field(sample, 'output', 'usage')].filter(isRecord)].find(
      (list) => list.length > 0,
    ) ?? []
  if (found.length === 0) return {}
  const costs = found.flatMap((usage) => toNumber(field(usage, 'total_cost')) ?? [])
  return {
    inputTokens: found.reduce<number>((total, usage) => total + inputOfUsage(usage), 0),
    outputTokens: found.reduce<number>((total, usage) => total + (toNumber(field(usage, 'output_tokens')) ?? 0), 0),
    costUsd: costs.length < found.length ? null : costs.reduce((total, cost) => total + cost, 0),
  }
}

const words: Readonly<Record<string, number>> = { c: 1, p: 0.5, i: 0, n: 0, yes: 1, true: 1, no: 0, false: 0 }

/** The number of a score, as Inspect's own accuracy counts it: correct, partial, incorrect or no answer. Null if it is none. */
function valueOf(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || value.trim() === '') return null
  const known = words[value.trim().toLowerCase()]
  const number = known ?? Number(value)
  return Number.isFinite(number) ? number : null
}
