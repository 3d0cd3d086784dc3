import { readFile } from 'node:fs/promises'

import { expect, test } from 'vitest'

import type { TranscriptFormat } from '#contract/definition.ts'
import { createMeasures } from '#platform/transcripts/measure-transcript.ts'
import { priceUsage } from '#platform/transcripts/price-usage.ts'
import { lastWords } from '#platform/testing/stub-model/script.ts'
import { createLineParser } from './line-parser.ts'

/*
 * The fixtures are the output of the real clients on 2026-11-20, in the versions that the file names give. They were
 * installed from npm and used the stub of `platform/testing/stub-model/`. Lists of tools and skills were removed from the
 * first line. The stub gives every client the same three answers of 1,000 input tokens (200 cached) and 50 output tokens.
 */

async function readRecording(format: TranscriptFormat, file: string) {
  const text = await readFile(new URL(`./fixtures/${file}`, import.meta.url), 'utf8')
  const parser = createLineParser(format)
  const measures = createMeasures(format)
  const lines = text.split('\n').map((line) => parser.line(line))
  const turns = [...lines, parser.end()].flatMap((line) => line.turns)
  for (const turn of turns) measures.addTurn(turn)
  for (const line of lines) measures.addLine(line)
  const { whole, unfinished } = measures.readUsage()
  const cached = whole.reduce((sum, { cacheReadTokens }) => sum + cacheReadTokens, 0)
  const { details, ...amounts } = priceUsage({ whole, unfinished }, {}, null)
  return {
    turns: turns.map(({ role, kind, tool, failed }) =>
      [role, kind, ...(tool ? [tool] : []), ...(failed ? ['failed'] : [])].join(' '),
    ),
    texts: turns.map((turn) => turn.text),
    times: turns.map((turn) => turn.ts),
    measures: { ...measures.readTools(), ...amounts, cached },
    models: details.models.map(({ model }) => model),
    unread: measures.readUnread(),
  }
}

const tokens = { inputTokens: 3000, outputTokens: 150, totalTokens: 3150, cached: 600 }

test('a recording of claude-code 2.1.197 has reasoning, tools, a failure, tokens and its own cost', async () => {
  const { turns, texts, measures, unread } = await readRecording('claude-stream-json', 'claude-code-2.1.197.jsonl')
  expect(turns).toEqual([
    'assistant reasoning',
    'assistant tool_call Bash',
    'tool tool_result Bash',
    'assistant reasoning',
    'assistant tool_call Bash',
    'tool tool_result Bash failed',
    'assistant message',
  ])
  expect(texts[2]).toBe('hello')
  expect(texts.at(-1)).toBe(lastWords)
  expect(measures).toEqual({ ...tokens, toolCalls: 2, toolFailures: 1, costUsd: 0.00963 })
  expect(unread).toEqual({ skippedMalformed: 0, unknownLines: null })
})

test('a recording of codex 0.169.0 has a warning, reasoning, commands, a failure and tokens, but no cost', async () => {
  const { turns, texts, measures, unread } = await readRecording('codex-jsonl', 'codex-0.169.0.jsonl')
  expect(turns).toEqual([
    'system message',
    'assistant reasoning',
    'assistant tool_call shell',
    'tool tool_result shell',
    'assistant reasoning',
    'assistant tool_call shell',
    'tool tool_result shell failed',
    'assistant message',
  ])
  expect(texts[0]).toContain('Model metadata')
  expect(texts.at(-1)).toBe(lastWords)
  expect(measures).toEqual({ ...tokens, toolCalls: 2, toolFailures: 1, costUsd: null })
  expect(unread).toEqual({ skippedMalformed: 0, unknownLines: null })
})

test('a recording of gemini-cli 0.61.0 has messages and tools with times, and thinking counts as output', async () => {
  const { turns, texts, times, measures, unread } = await readRecording('gemini-stream-json', 'gemini-cli-0.61.0.jsonl')
  expect(turns).toEqual([
    'user message',
    'assistant tool_call run_shell_command',
    'tool tool_result run_shell_command',
    'assistant tool_call run_shell_command',
    'tool tool_result run_shell_command',
    'assistant message',
  ])
  expect(texts[4]).toContain('No such file')
  expect(texts.at(-1)).toBe(lastWords)
  expect(times).not.toContain(null)
  expect(measures).toEqual({ ...tokens, toolCalls: 2, toolFailures: 0, costUsd: null })
  expect(unread).toEqual({ skippedMalformed: 0, unknownLines: null })
})

test('a recording of opencode 1.18.33 has reasoning, tools, a failed command, and the tokens and cost of every step', async () => {
  const { turns, texts, times, measures, unread } = await readRecording('opencode-json', 'opencode-1.18.33.jsonl')
  expect(turns).toEqual([
    'assistant reasoning',
    'assistant tool_call bash',
    'tool tool_result bash',
    'assistant reasoning',
    'assistant tool_call bash',
    'tool tool_result bash failed',
    'assistant message',
  ])
  expect(texts.at(-1)).toBe(lastWords)
  expect(times[0]).toMatch(/^2026-11-20T/)
  expect(measures).toEqual({ ...tokens, toolCalls: 2, toolFailures: 1, costUsd: expect.closeTo(0.00963, 6) })
  expect(unread).toEqual({ skippedMalformed: 0, unknownLines: null })
})

test('every format counts an invalid event as malformed and continues', () => {
  for (const format of ['claude-stream-json', 'codex-jsonl', 'gemini-stream-json', 'opencode-json'] as const) {
    const parser = createLineParser(format)
    const malformed = ['Loading…', '{"type":', '[]', '{}', ''].filter(
      (line) => parser.line(line).unknown?.some(({ isMalformed }) => isMalformed) === true,
    )
    expect(malformed, format).toEqual(['Loading…', '{"type":', '[]', '{}'])
  }
})
