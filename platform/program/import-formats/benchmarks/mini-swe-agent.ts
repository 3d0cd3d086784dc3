import { basename, dirname } from 'node:path'

import { commandIn, printedIn } from '#platform/queue/agents/mini-swe-agent/fenced-commands.ts'
import type { ParsedTurn } from '#platform/queue/agent-lines/parsed-line.ts'
import { toolCallTurn, turn, turnsOfMessage } from '#platform/program/import-formats/reading/chat-turns.ts'
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
import { timeOfEpoch } from '#platform/program/import-formats/reading/read-times.ts'
import { turnsOfItem } from '#platform/program/import-formats/reading/response-turns.ts'
import { foldersOfOthers } from '#platform/program/import-formats/reading/names-of-files.ts'
import type { ResultFormat } from '#platform/program/import-formats/reading/result-format.ts'
import { endOfAgent } from './exit-status.ts'
import { verdictFinder } from './find-verdict.ts'
import { nameOfTrajectory } from './swe-agent.ts'

const isMessage = (value: unknown) =>
  (has(value, 'role') && (has(value, 'content') || has(value, 'tool_calls'))) || isResponse(value) || isOutput(value)
/** A whole answer of OpenAI's interface for responses, and the output of one of its calls. */
const isResponse = (value: unknown) => field(value, 'object') === 'response' && has(value, 'output')
const isOutput = (value: unknown) => field(value, 'type') === 'function_call_output'
const messagesOf = (document: unknown) => (Array.isArray(document) ? document : toList(field(document, 'messages')))

/** Trajectories of mini-swe-agent, and any list of messages. SWE-bench's report has their verdict. */
export const miniSweAgent: ResultFormat = {
  id: 'mini-swe-agent',
  recognize(look) {
    if (look.kind !== 'json') return 0
    const messages = messagesOf(look.document).slice(0, 50)
    if (messages.length < 2 || !messages.every(isMessage)) return 0
    return has(look.document, 'trajectory_format') || has(look.document, 'info') ? 1 : 0.4
  },
  async *read(reading) {
    const verdictOf = await verdictFinder(reading)
    const folderOf = foldersOfOthers(reading.files, nameOfTrajectory)
    for (const { file, look } of reading.files) {
      const seen = await look()
      const document = seen.kind === 'json' ? seen.document : []
      const info = toRecord(field(document, 'info'))
      const config = toRecord(info.config)
      const stats = toRecord(info.model_stats)
      const messages = messagesOf(document)
      const instance = toName(field(document, 'instance_id')) ?? basename(file.path).replace(/(\.traj)?\.json$/i, '')
      const folder = basename(dirname(file.path)) === instance ? dirname(dirname(file.path)) : dirname(file.path)
      const extras = messages.map((message) => field(message, 'extra'))
      const usages = messages
        .map((message) => field(message, 'extra', 'response', 'usage') ?? field(message, 'usage'))
        .filter(isRecord)
      const sum = (...names: readonly string[]) =>
        usages.reduce<number>(
          (total, usage) => total + (names.flatMap((name) => toNumber(usage[name]) ?? [])[0] ?? 0),
          0,
        ) || null
      const times = extras.flatMap((extra) => toNumber(field(extra, 'timestamp')) ?? [])
      yield {
        batch: { id: `mini-swe-agent/${folderOf(file) ?? basename(folder)}`, file: folder },
        key: ['mini-swe-agent', folderOf(file) ?? basename(folder), instance],
        file: file.path,
        agent: 'mini-swe-agent',
        model: modelOfMessages(document),
        prompt: instance,
        promptText: toWords(
          field(
            messages.find((message) => field(message, 'role') === 'user'),
            'content',
          ),
        ),
        ...verdictOf([basename(folder), toName(field(config, 'model', 'model_name'))], instance),
        ...endOfAgent(info.exit_status),
        inputTokens: sum('prompt_tokens', 'input_tokens'),
        outputTokens: sum('completion_tokens', 'output_tokens'),
        costUsd: toNumber(stats.instance_cost) || null,
        wallSeconds: times.length < 2 ? null : Math.max(...times.slice(-1)) - (times[0] ?? 0),
        transcript: () =>
          Promise.resolve({
            turns: [
              ...turnsOfMessages(messages),
              ...(toWords(info.submission) === ''
                ? []
                : [turn({ role: 'assistant', kind: 'output', text: toWords(info.submission) })]),
            ],
          }),
      }
    }
  },
}

/** The model that a trajectory says it had. */
export const modelOfMessages = (document: unknown) =>
  toName(field(document, 'info', 'config', 'model', 'model_name'))
    ?.split('/')
    .at(-1) ?? null

const printedBy = (message: unknown) => printedIn(toWords(field(message, 'content')))

function turnsOfMessages(messages: readonly unknown[]) {
  // Other conversations have fenced blocks that nobody ran.
  const hasFenced = messages.some((message) => field(message, 'role') === 'user' && printedBy(message) !== null)
  return messages.flatMap((message) => turnsOf(toRecord(message), hasFenced))
}

/**
 * A step is a message with actions, or with a fenced command in the first versions, and what they printed is a message of
 * the user. The last message says how it ended.
 */
function turnsOf(message: Record<string, unknown>, hasFenced: boolean): ParsedTurn[] {
  const { extra, role } = message
  const timestamp = field(extra, 'timestamp')
  const ts = timeOfEpoch(timestamp)
  if (isResponse(message))
    return toList(message.output).flatMap((item) => (isRecord(item) ? turnsOfItem(item, ts) : []))
  if (isOutput(message)) return turnsOfItem(message, ts)
  const turns = turnsOfMessage({ ...message, timestamp })
  if (role === 'exit') return turns.map((said) => ({ ...said, role: 'system' }))
  const printed = printedBy(message)
  const code = toNumber(field(extra, 'returncode')) ?? printed?.code ?? null
  if (role === 'user' && code !== null)
    return turns.map((said) => ({
      ...said,
      text: printed?.output ?? said.text,
      role: 'tool',
      kind: 'tool_result',
      tool: 'bash',
      ...(code !== 0 && { failed: true }),
    }))
  if (role !== 'assistant' || toList(message.tool_calls).length > 0) return turns
  const fenced = hasFenced ? commandIn(toWords(message.content)) : null
  const commands = has(extra, 'actions')
    ? toList(field(extra, 'actions')).map((action) => field(action, 'command'))
    : fenced === null
      ? []
      : [fenced]
  return [...turns, ...commands.map((command) => toolCallTurn('bash', command, { ts }))]
}
