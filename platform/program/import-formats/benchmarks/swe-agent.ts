import { basename, dirname } from 'node:path'

import type { ParsedTurn } from '#platform/queue/agent-lines/parsed-line.ts'
import { readContent, toolCallTurn, turn, turnsOfMessage } from '#platform/program/import-formats/reading/chat-turns.ts'
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
import type { ResultFile } from '#platform/program/import-formats/reading/result-files.ts'
import type { ResultFormat } from '#platform/program/import-formats/reading/result-format.ts'
import { endOfAgent } from './exit-status.ts'
import { verdictFinder } from './find-verdict.ts'

type Fields = Record<string, unknown>

/** Trajectories of SWE-agent. SWE-bench's report has their verdict. */
export const sweAgent: ResultFormat = {
  id: 'swe-agent',
  recognize: (look) => (look.kind === 'json' && isTrajectory(look.document) ? 1 : 0),
  async *read(reading) {
    const verdictOf = await verdictFinder(reading)
    const folderOf = foldersOfOthers(reading.files, nameOfTrajectory)
    for (const { file, look } of reading.files) {
      const seen = await look()
      const document = seen.kind === 'json' ? toRecord(seen.document) : {}
      const info = toRecord(document.info)
      const stats = toRecord(info.model_stats)
      const replay = parse(document.replay_config)
      const instance =
        toName(field(replay, 'problem_statement', 'id')) ?? basename(file.path).replace(/\.traj(\.json)?$/i, '')
      const folder = basename(dirname(file.path)) === instance ? dirname(dirname(file.path)) : dirname(file.path)
      yield {
        batch: { id: `swe-agent/${folderOf(file) ?? basename(folder)}`, file: folder },
        key: ['swe-agent', folderOf(file) ?? basename(folder), instance],
        file: file.path,
        agent: 'swe-agent',
        model: modelOfTrajectory(document, basename(folder)),
        prompt: instance,
        promptText: toName(field(replay, 'problem_statement', 'text')),
        ...verdictOf([basename(folder)], instance),
        ...endOfAgent(info.exit_status),
        inputTokens: positive(stats.tokens_sent),
        outputTokens: positive(stats.tokens_received),
        costUsd: positive(stats.instance_cost ?? stats.total_cost),
        // It has the time of each command alone, without that of the model.
        wallSeconds: null,
        transcript: () => Promise.resolve({ turns: turnsOf(document) }),
      }
    }
  },
}

/** What distinguishes a trajectory: the folder of its run, which can have a folder for each instance, and its own name. */
export function nameOfTrajectory({ path }: ResultFile) {
  const name = basename(path).replace(/(\.traj)?(\.json)?$/i, '')
  const folder = dirname(path)
  return `${basename(basename(folder) === name ? dirname(folder) : folder)}/${name}`
}

const isStep = (value: unknown) => has(value, 'action', 'observation')
/** A message of its history. A demonstration has only that. */
const isOfHistory = (value: unknown) => has(value, 'role', 'content', 'agent')

const isTrajectory = (document: unknown) => {
  const [steps, history] = [toList(field(document, 'trajectory')), toList(field(document, 'history'))]
  if (Array.isArray(field(document, 'trajectory')))
    return has(document, 'history') || has(document, 'environment') || steps.some(isStep)
  return history.length > 0 && history.slice(0, 20).every(isOfHistory)
}

/** What was not counted is zero. */
const positive = (value: unknown) => toNumber(value) || null

/** The model that a trajectory names, else the one that its folder does. */
export const modelOfTrajectory = (document: unknown, folder: string) =>
  toName(field(parse(field(document, 'replay_config')), 'agent', 'model', 'name'))
    ?.split('/')
    .at(-1) ?? modelOfFolder(folder)

/** Folders are named `model__dataset__config__…`. */
const modelOfFolder = (name: string) => (name.includes('__') ? (name.split('__')[0] ?? null) : null)

function parse(text: unknown): unknown {
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The conversation with the model, or else its steps, such as in trajectories without a history. */
function turnsOf({ history, trajectory, info }: Fields): ParsedTurn[] {
  const said = turnsOfHistory(toList(history).filter((message) => field(message, 'is_demo') !== true))
  const steps = said.length > 0 ? said : toList(trajectory).flatMap(turnsOfStep)
  const submission = toWords(field(info, 'submission'))
  return submission === '' ? steps : [...steps, turn({ role: 'assistant', kind: 'output', text: submission })]
}

/** A message can have its command beside its text, and then the next one is what that printed. */
function turnsOfHistory(messages: readonly unknown[]): ParsedTurn[] {
  let hasRun = false
  return messages.flatMap((message): ParsedTurn[] => {
    const { role, action, content, tool_calls: calls } = toRecord(message)
    const isPrinted = hasRun && role === 'user'
    const command = role === 'assistant' && toList(calls).length === 0 ? toWords(action).trim() : ''
    hasRun = command !== ''
    if (isPrinted) return [turn({ role: 'tool', kind: 'tool_result', tool: 'shell', text: readContent(content).text })]
    return [...turnsOfMessage(message), ...(hasRun ? [toolCallTurn('shell', command)] : [])]
  })
}

function turnsOfStep(step: unknown): ParsedTurn[] {
  if (!isRecord(step)) return []
  const thought = toWords(step.thought) || toWords(step.response)
  const [action, observation] = [toWords(step.action), toWords(step.observation)]
  return [
    ...(thought === '' ? [] : [turn({ role: 'assistant', kind: 'message', text: thought })]),
    ...(action === '' ? [] : [toolCallTurn('shell', action)]),
    ...(observation === '' ? [] : [turn({ role: 'tool', kind: 'tool_result', tool: 'shell', text: observation })]),
  ]
}
