import { basename } from 'node:path'

import type { FoundRun } from '#platform/program/import/reading/found-run.ts'
import { turn } from '#platform/program/import/reading/chat-turns.ts'
import { toNumber } from '#platform/program/import/reading/fields.ts'
import { csvParser, delimiterOf, readCsv } from '#platform/program/import/reading/read-csv.ts'
import type { ResultFile } from '#platform/program/import/reading/result-files.ts'

/** A prompt with a provider: the columns from its answer to that of the next one. */
type Block = { provider: string; prompt: string; at: number; columns: Map<string, number> }

const answerColumn = /^\[([^\]]+)\] ([^]*)$/

/** The blocks of a table as promptfoo exports it: variables, then `[provider] prompt`, `Status`, `Score` and others of each. */
function blocksOf(header: readonly string[]): Block[] {
  const blocks: Block[] = []
  for (const [at, name] of header.entries()) {
    const [, provider, prompt] = answerColumn.exec(name) ?? []
    if (provider !== undefined && prompt !== undefined) blocks.push({ provider, prompt, at, columns: new Map() })
    else blocks.at(-1)?.columns.set(name.trim().toLowerCase(), at)
  }
  return blocks.filter(({ columns }) => columns.has('status') && columns.has('score'))
}

/** Whether a table starts as promptfoo's do. */
export function isPromptfooTable(start: string) {
  const delimiter = delimiterOf(start)
  const [header = []] = csvParser(delimiter).push(`${start}\n`)
  return blocksOf(header).length > 0
}

/** The runs of a table. It has neither costs nor tokens, nor the single assertions. */
export async function* readPromptfooTable(file: ResultFile, start: string): AsyncGenerator<FoundRun> {
  const name = basename(file.path)
  let blocks: Block[] | null = null
  let variables: readonly string[] = []
  let number = 0
  for await (const cells of readCsv(file, delimiterOf(start))) {
    if (!blocks) {
      blocks = blocksOf(cells)
      variables = cells.slice(0, blocks[0]?.at ?? 0)
      continue
    }
    number += 1
    const values = variables.map((variable, index) => `${variable}: ${cells[index] ?? ''}`)
    for (const [index, block] of blocks.entries())
      yield {
        batch: { id: `promptfoo/${name}`, file: file.path },
        key: ['promptfoo', name, String(number), String(index), block.provider, block.prompt],
        file: `${file.path}#row ${number}`,
        agent: block.prompt.length > 60 ? `prompt-${index + 1}` : block.prompt,
        model: block.provider,
        prompt: cells.slice(0, variables.length).join(', ').slice(0, 60) || `test ${number}`,
        promptText: values.join('\n') || null,
        ...outcomeOf(block, cells),
      }
  }
}

function outcomeOf({ at, columns }: Block, cells: readonly string[]): Partial<FoundRun> {
  const cell = (name: string) => cells[columns.get(name) ?? -1] ?? ''
  const status = cell('status').trim().toUpperCase()
  const [answer, reason, score] = [cells[at] ?? '', cell('grader reason'), toNumber(cell('score'))]
  const outcome = status === 'PASS' ? 'passed' : status === 'ERROR' ? 'errored' : 'failed'
  return {
    status: outcome === 'errored' ? 'errored' : 'completed',
    reason: outcome === 'errored' ? reason || answer : null,
    tests: [{ name: 'status', outcome, message: reason }],
    scores: score === null ? [] : [{ name: 'score', value: score }],
    transcript:
      answer === ''
        ? null
        : () => Promise.resolve({ turns: [turn({ role: 'assistant', kind: 'message', text: answer })] }),
  }
}
