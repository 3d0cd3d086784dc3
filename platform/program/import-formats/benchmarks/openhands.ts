import { dirname } from 'node:path'

import type { FoundRun } from '#platform/program/import-formats/reading/found-run.ts'
import { turn } from '#platform/program/import-formats/reading/chat-turns.ts'
import {
  field,
  has,
  toList,
  toName,
  toNumber,
  toRecord,
  toWords,
} from '#platform/program/import-formats/reading/fields.ts'
import { samplesOf } from '#platform/program/import-formats/reading/look-at-file.ts'
import { readRecords } from '#platform/program/import-formats/reading/read-records.ts'
import { foldersOfOthers } from '#platform/program/import-formats/reading/names-of-files.ts'
import { secondsBetween } from '#platform/program/import-formats/reading/read-times.ts'
import type { Claimed, Reading, ResultFormat } from '#platform/program/import-formats/reading/result-format.ts'
import { eventsOf, turnsOfEvent } from './openhands-turns.ts'
import { type Models, readModels } from './swe-bench-files.ts'

type Fields = Record<string, unknown>

const isOutput = (value: unknown) =>
  has(value, 'instance_id') &&
  has(value, 'test_result') &&
  ['history', 'metadata', 'metrics', 'instruction'].some((name) => has(value, name))

/** The output of OpenHands' evaluations: an instance with its history in each line. */
export const openhands: ResultFormat = {
  id: 'openhands',
  recognize(look) {
    const samples = samplesOf(look)
    return samples.length > 0 && samples.every(isOutput) ? 1 : 0
  },
  async *read(reading) {
    const { files, leaveOut } = reading
    const folderOf = foldersOfOthers(files, () => '')
    const reportsIn = reportsByFolder(reading)
    for (const { file, look } of files) {
      const verdicts = await readModels({ files: reportsIn(dirname(file.path)), leaveOut: () => {} })
      const times = new Map<string, number>()
      for await (const record of readRecords(file, await look(), leaveOut)) {
        const instance = toName(record.instance_id) ?? 'instance'
        const run = toFoundRun(record, instance, verdicts)
        const place = [run.agent, run.model, instance].join('/')
        const time = (times.get(place) ?? 0) + 1
        times.set(place, time)
        const batch = [
          'openhands',
          run.agent,
          run.model ?? '',
          toName(field(record, 'metadata', 'eval_note')) ?? '',
          toName(field(record, 'metadata', 'start_time')) ?? folderOf(file) ?? '',
        ].join('/')
        yield {
          ...run,
          batch: { id: batch, file: file.path },
          key: [batch, instance, String(time)],
          file: `${file.path}#${instance}`,
        }
      }
    }
  },
}

/** The reports of SWE-bench beside outputs. They call every agent OpenHands, so only their folder says whose they are. */
function reportsByFolder({ others }: Reading) {
  const reports = Map.groupBy(others('swe-bench'), ({ file }) => dirname(file.path))
  return (folder: string): readonly Claimed[] => reports.get(folder) ?? []
}

/** What the output says itself, else what a report beside it says. */
function verdictOf(record: Fields, instance: string, verdicts: Models): boolean | null {
  const resolved =
    field(record, 'test_result', 'report', 'resolved') ??
    field(record, 'report', 'resolved') ??
    record.resolved ??
    field(record, 'test_result', 'result', 'resolved')
  if (resolved !== undefined && resolved !== null) return resolved === true || resolved === 1
  return [...verdicts.values()].map((model) => model.get(instance)?.solved).find((solved) => solved != null) ?? null
}

function toFoundRun(record: Fields, instance: string, verdicts: Models): Omit<FoundRun, 'batch' | 'key' | 'file'> {
  const metadata = toRecord(record.metadata)
  const metrics = toRecord(record.metrics)
  const usage = toRecord(metrics.accumulated_token_usage)
  const usages = toList(metrics.token_usages)
  const sum = (name: string) =>
    toNumber(usage[name]) ??
    (usages.length === 0 ? null : usages.reduce<number>((total, each) => total + (toNumber(field(each, name)) ?? 0), 0))
  const solved = verdictOf(record, instance, verdicts)
  const error = toName(record.error)
  const events = eventsOf(record)
  const [start, end] = [events[0], events.at(-1)].map((event) => toName(field(event, 'timestamp')))
  const patch = toWords(field(record, 'test_result', 'git_patch') ?? record.git_patch)
  return {
    agent: toName(metadata.agent_class) ?? 'openhands',
    model:
      toName(field(metadata, 'llm_config', 'model') ?? field(metadata, 'llm', 'model'))
        ?.split('/')
        .at(-1) ?? null,
    prompt: instance,
    promptText: toName(record.instruction) ?? toName(field(record, 'instance', 'problem_statement')),
    solved,
    ...(solved === null
      ? {}
      : { tests: [{ name: 'resolved', outcome: solved ? ('passed' as const) : ('failed' as const) }] }),
    ...(error === null
      ? {}
      : {
          status: 'errored' as const,
          reason: `OpenHands stopped: ${error.slice(0, 1000)}`,
          timeLimitHit: /timeout/i.test(error),
        }),
    inputTokens: sum('prompt_tokens'),
    outputTokens: sum('completion_tokens'),
    // A model without a known price costs nothing there.
    costUsd: toNumber(metrics.accumulated_cost) || null,
    wallSeconds: secondsBetween(start, end),
    startedAt: start ?? null,
    endedAt: end ?? null,
    transcript: () =>
      Promise.resolve({
        turns: [
          ...(events.length === 0 && toName(record.instruction)
            ? [turn({ role: 'user' as const, kind: 'message' as const, text: toWords(record.instruction) })]
            : []),
          ...events.flatMap(turnsOfEvent),
          ...(patch === '' ? [] : [turn({ role: 'assistant' as const, kind: 'output' as const, text: patch })]),
        ],
      }),
  }
}
