import { basename } from 'node:path'

import type { FoundRun, FoundTest } from '#platform/program/import-formats/reading/found-run.ts'
import { toAxisId } from '#platform/ground/ids/axis-id.ts'
import { turn, turnsOfMessage } from '#platform/program/import-formats/reading/chat-turns.ts'
import {
  field,
  has,
  isRecord,
  toList,
  toName,
  toNumber,
  toRecord,
  toWords,
} from '#platform/program/import-formats/reading/fields.ts'
import { foldersOfOthers } from '#platform/program/import-formats/reading/names-of-files.ts'
import { samplesOf } from '#platform/program/import-formats/reading/look-at-file.ts'
import { readRecords } from '#platform/program/import-formats/reading/read-records.ts'
import type { Claimed, Reading, ResultFormat } from '#platform/program/import-formats/reading/result-format.ts'

import { isPromptfooTable, readPromptfooTable } from './promptfoo-csv.ts'

type Fields = Record<string, unknown>

const isResult = (value: unknown) =>
  has(value, 'success', 'prompt', 'provider') &&
  (has(value, 'vars') || has(value, 'testCase') || has(value, 'gradingResult'))

/** The results of an evaluation in any of its documents: as exported, or only what `results` has. */
const resultsOf = (document: unknown) => {
  const summary = isRecord(field(document, 'results')) ? field(document, 'results') : document
  const results = toList(field(summary, 'results'))
  return results.some(isResult) ? { summary: toRecord(summary), results } : null
}

const maxNameCharacters = 60
const errored = 2

/** Results of promptfoo: its prompts are agents, its providers are models, and its test cases are tasks. */
export const promptfoo: ResultFormat = {
  id: 'promptfoo',
  recognize(look) {
    if (look.kind === 'json' || look.kind === 'yaml')
      return resultsOf(look.document) || samplesOf(look).some(isResult) ? 1 : 0
    if (look.kind === 'text') return isPromptfooTable(look.start) ? 1 : 0
    return look.kind === 'lines' && look.first.every(isResult) ? 1 : 0
  },
  async *read(reading) {
    const folderOf = foldersOfOthers(reading.files, ({ path }) => basename(path))
    for (const claimed of reading.files) yield* readEvaluation(reading, claimed, folderOf(claimed.file))
  },
}

async function* readEvaluation(
  { leaveOut }: Reading,
  { file, look }: Claimed,
  folder: string | null,
): AsyncGenerator<FoundRun> {
  const seen = await look()
  if (seen.kind === 'text') return yield* readPromptfooTable(file, seen.start, folder)
  const document = seen.kind === 'json' || seen.kind === 'yaml' ? seen.document : null
  const whole = resultsOf(document)
  const results: unknown[] = whole ? [...whole.results] : []
  if (!whole) for await (const record of readRecords(file, seen, leaveOut)) results.push(record)
  const id = toName(field(document, 'evalId')) ?? toName(field(results[0], 'evalId')) ?? file.path
  const createdAt = toName(whole?.summary.timestamp) ?? toName(field(document, 'metadata', 'evaluationCreatedAt'))
  const prompts = namer(
    results.map((result) => promptOf(toRecord(result))),
    'prompt',
  )
  const tasks = namer(
    results.map((result) => taskOf(toRecord(result)).name),
    'test',
  )
  const times = new Map<string, number>()
  for (const result of results) {
    if (!isRecord(result)) continue
    const task = taskOf(result)
    const provider = isRecord(result.provider)
      ? (toName(result.provider.label) ?? toName(result.provider.id))
      : toName(result.provider)
    const place = JSON.stringify([provider, promptOf(result), task.key])
    const time = (times.get(place) ?? 0) + 1
    times.set(place, time)
    yield {
      batch: { id: `promptfoo/${id}`, file: file.path, createdAt },
      key: ['promptfoo', id, toName(result.id) ?? `${place} ${time}`],
      file: `${file.path}#${task.name}`,
      toolVersion: toName(field(document, 'metadata', 'promptfooVersion')),
      agent: prompts(promptOf(result)),
      model: provider,
      prompt: tasks(task.name),
      promptText: task.text,
      ...outcomeOf(result),
      ...amountsOf(result),
      endedAt: createdAt,
      transcript: () => Promise.resolve({ turns: turnsOf(result) }),
    }
  }
}

/** Short names stay; where two of them would become one id, or a name is long, they are counted. */
function namer(names: readonly string[], word: string) {
  const distinct = [...new Set(names)]
  const ids = Map.groupBy(distinct, toAxisId)
  return (name: string) =>
    name.length <= maxNameCharacters && ids.get(toAxisId(name))?.length === 1
      ? toAxisId(name)
      : `${word}-${distinct.indexOf(name) + 1}`
}

function promptOf({ prompt, promptIdx, provider }: Fields) {
  const named = toName(field(prompt, 'label')) ?? toName(field(prompt, 'display'))
  // The first versions name the provider before the prompt where there are several.
  const before = `[${toName(field(provider, 'id')) ?? ''}] `
  const label = named?.startsWith(before) ? named.slice(before.length) : named
  // With one prompt only, its text is the same as its label and has the variables of a test.
  return label ?? toName(promptIdx) ?? 'prompt'
}

/** A test case is what it says of itself and its variables: repeats have the same. */
function taskOf(result: Fields) {
  const vars = toRecord(result.vars ?? field(result, 'testCase', 'vars'))
  const description = toName(result.description) ?? toName(field(result, 'testCase', 'description'))
  const values = Object.values(vars).map(toWords).join(', ')
  const lines = Object.entries(vars).map(([name, value]) => `${name}: ${toWords(value)}`)
  const key = JSON.stringify([description, vars])
  const name = description ?? (values || `test ${toName(result.testIdx) ?? ''}`.trim())
  return { key, name, text: [...(description === null ? [] : [description]), ...lines].join('\n') || name }
}

/** Errors, such as of a provider, are apart from failed assertions. */
function outcomeOf(result: Fields): Pick<FoundRun, 'status' | 'reason' | 'solved' | 'tests' | 'scores'> {
  const grading = toRecord(result.gradingResult)
  const assertions = toList(grading.componentResults)
  const isError =
    result.failureReason === errored ||
    (result.success !== true && toName(result.error) !== null && !isRecord(result.gradingResult))
  const tests: FoundTest[] = assertions.map((each) => ({
    name: assertionName(toRecord(field(each, 'assertion'))),
    outcome: field(each, 'pass') === true ? 'passed' : 'failed',
    message: toWords(field(each, 'reason')),
  }))
  const reason = toWords(result.error)
  if (isError) tests.push({ name: '(answer)', outcome: 'errored', message: reason })
  const score = toNumber(result.score) ?? toNumber(grading.score)
  const threshold = toNumber(field(result, 'testCase', 'threshold')) ?? 1
  const named = Object.entries({ ...toRecord(grading.namedScores), ...toRecord(result.namedScores) })
  return {
    status: isError ? 'errored' : 'completed',
    reason: isError ? `promptfoo stopped the test: ${reason.slice(0, 1000)}` : null,
    solved: result.success === true,
    tests,
    scores: [
      ...(score === null ? [] : [{ name: 'score', value: score, threshold }]),
      ...named.map(([name, value]) => ({ name, value: toNumber(value) })),
    ],
  }
}

function assertionName({ metric, type, value }: Fields) {
  const what = [toName(type), toWords(value)].filter((part) => part !== null && part !== '').join(': ')
  return (toName(metric) ?? (what || 'assertion')).replaceAll(/\s+/g, ' ').slice(0, 120)
}

/** Providers that count nothing report zeros. */
function amountsOf(result: Fields) {
  const usage = toRecord(result.tokenUsage ?? field(result, 'response', 'tokenUsage'))
  const [input, output] = [toNumber(usage.prompt), toNumber(usage.completion)]
  const hasTokens = (input ?? 0) + (output ?? 0) > 0
  const cost = toNumber(result.cost) ?? toNumber(field(result, 'response', 'cost'))
  const latency = toNumber(result.latencyMs)
  return {
    ...(hasTokens && { inputTokens: input, outputTokens: output }),
    costUsd: hasTokens || (cost ?? 0) > 0 ? cost : null,
    wallSeconds: latency === null ? null : latency / 1000,
  }
}

function turnsOf(result: Fields) {
  const raw = toWords(field(result, 'prompt', 'raw'))
  const output = toWords(field(result, 'response', 'output'))
  const error = toWords(field(result, 'response', 'error'))
  return [
    ...turnsOfPrompt(raw),
    ...(output === '' ? [] : [turn({ role: 'assistant', kind: 'message', text: output })]),
    ...(error === '' ? [] : [turn({ role: 'system', kind: 'message', text: error })]),
  ]
}

/** A prompt is a text, or messages of a chat in JSON. */
function turnsOfPrompt(raw: string) {
  if (raw.trimStart().startsWith('[')) {
    try {
      const turns = toList(JSON.parse(raw)).flatMap(turnsOfMessage)
      if (turns.length > 0) return turns
    } catch {
      // A text.
    }
  }
  return raw === '' ? [] : [turn({ role: 'user', kind: 'message', text: raw })]
}
