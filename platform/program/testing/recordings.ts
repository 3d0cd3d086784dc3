import { readdirSync, readFileSync } from 'node:fs'

import type { PresetName } from '#contract/definition.ts'
import { presets } from '#platform/engine/run-engine/plan/presets/all-presets.ts'
import { createMeasures } from '#platform/queue/transcripts/measure-transcript.ts'
import { createLineParser } from '#platform/queue/transcripts/parsers/line-parser.ts'
import { priceUsage } from '#platform/queue/transcripts/price-usage.ts'
import type { Answered } from '#platform/program/testing/stub-model/start-stub-model.ts'

export const scenarioNames = ['plain', 'parallel', 'nested', 'image', 'retries', 'interrupted', 'resumed'] as const
export type ScenarioName = (typeof scenarioNames)[number]

/**
 * What `tools/record-transcripts/main.ts` knows about a client's recordings: how each process ended (its exit code, or
 * `killed`), and what the model answered.
 */
export type Recorded = {
  client: PresetName
  version: string
  date: string
  scenarios: { [Name in ScenarioName]?: { ends: (number | 'killed')[]; answered: readonly Answered[] } }
}

const fixtures = new URL('../../queue/transcripts/parsers/fixtures/', import.meta.url)

const folderOf = (client: PresetName) => {
  const folder = readdirSync(fixtures).find((name) => name.startsWith(`${client}-`))
  if (folder === undefined) throw new Error(`${client} was not recorded`)
  return new URL(`${folder}/`, fixtures)
}

/** The recordings of the newest version of a client. */
const readRecorded = (client: PresetName): Recorded =>
  JSON.parse(readFileSync(new URL('recorded.json', folderOf(client)), 'utf8'))

/** What a client printed in a scenario. */
export const readPrinted = (client: PresetName, scenario: ScenarioName) =>
  readFileSync(new URL(`${scenario}.jsonl`, folderOf(client)), 'utf8')

/** A recording as the platform reads it: its turns, each call with the results of its id, and its measures. */
export function readRecording(client: PresetName, scenario: ScenarioName) {
  const format = presets[client].transcript
  const parser = createLineParser(format)
  const measures = createMeasures(format)
  const lines = readPrinted(client, scenario)
    .split('\n')
    .map((line) => parser.line(line))
  const all = [...lines, parser.end()]
  const turns = all.flatMap((line) => line.turns)
  for (const turn of turns) measures.addTurn(turn)
  for (const line of all) measures.addLine(line)
  const { details, ...amounts } = priceUsage(measures.readUsage(), {}, null)
  const calls = turns.filter(({ kind }) => kind === 'tool_call')
  return {
    turns,
    calls: calls.map((call) => ({
      call,
      results: turns.filter(({ kind, callId }) => kind === 'tool_result' && callId === call.callId),
    })),
    tools: measures.readTools(),
    amounts,
    atLeast: details.atLeast,
    unread: measures.readUnread(),
  }
}

/** Clients that sum up the calls of their agents, too. The others print only those of the main conversation. */
const sumsUpAgents: ReadonlySet<PresetName> = new Set(['claude-code', 'gemini-cli'])

/** The tokens that the model reported for the calls that a client sums up. */
export function answeredTokens(client: PresetName, scenario: ScenarioName) {
  const answered = readRecorded(client).scenarios[scenario]?.answered ?? []
  const first = answered.find(({ prompt }) => prompt !== null)?.prompt
  const isMain = (prompt: string | null) => prompt !== null && (scenario !== 'nested' || prompt === first)
  const counted = answered.filter(({ prompt }) => sumsUpAgents.has(client) || isMain(prompt))
  const inputTokens = counted.reduce((sum, { tokens }) => sum + tokens.input, 0)
  const outputTokens = counted.reduce((sum, { tokens }) => sum + tokens.output, 0)
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
}
