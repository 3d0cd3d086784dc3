import { load, YAMLException } from 'js-yaml'

import { checkDefinition } from '#contract/check-definition.ts'
import type { Definition } from '#contract/definition.ts'
import type { ErrorIssue } from '#contract/errors.ts'
import { type Locate, locator, type Range } from './positions.ts'

/** An error, its position, and its line counted from 1. */
export type Problem = Range & { line: number; message: string }

export type CheckedText = { definition: Definition | null; problems: Problem[] }

/** The platform's own limits, so that everything it rejects is marked here. */
const limits = { maxDepth: 50, maxAliases: 200 }

/** Validates experiment YAML like the platform does on push, with a position for every error. */
export function checkText(text: string): CheckedText {
  if (text.trim() === '')
    return { definition: null, problems: [toProblem(text, { from: 0, to: 0 }, 'The definition is empty')] }
  try {
    const checked = checkDefinition(load(text, limits))
    if (checked.definition) return { definition: checked.definition, problems: [] }
    const locate = locator(text, limits.maxDepth)
    const problems = checked.issues.map(({ path, message }) =>
      toProblem(text, locate(path, message.startsWith('unknown field') ? 'key' : 'value'), inWords(path, message)),
    )
    return { definition: null, problems }
  } catch (error) {
    return { definition: null, problems: [syntaxProblem(text, error)] }
  }
}

/** Only existing text can be underlined, so the message names a missing field. */
function inWords(path: readonly PropertyKey[], message: string): string {
  const isAboutTheKind = /^(is required|must be (text|an? [a-z ]+|true or false))$/.test(message)
  return isAboutTheKind ? `${String(path.at(-1) ?? 'The document')} ${message}` : message
}

/** The server's errors, with positions in the text it received. */
export function serverProblems(text: string, issues: readonly ErrorIssue[]): Problem[] {
  const locate = tryLocator(text)
  return issues.map(({ path, message, line }) => {
    if (line !== undefined) return toProblem(text, lineRange(text, line), message)
    const steps = path === '' ? [] : path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step))
    return toProblem(text, locate(steps), message)
  })
}

function tryLocator(text: string): Locate {
  try {
    return locator(text, limits.maxDepth)
  } catch {
    return () => ({ from: 0, to: 0 })
  }
}

/** Every exception of the parser counts, not only its own class (its documentation says so). */
function syntaxProblem(text: string, error: unknown): Problem {
  if (!(error instanceof YAMLException)) return toProblem(text, { from: 0, to: 0 }, 'Invalid YAML')
  const from = Math.min(error.mark?.position ?? 0, text.length)
  const endOfLine = text.indexOf('\n', from)
  return toProblem(text, { from, to: endOfLine < 0 ? text.length : endOfLine }, error.reason)
}

function lineRange(text: string, line: number): Range {
  const lines = text.split('\n')
  const from = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0)
  return { from: Math.min(from, text.length), to: Math.min(from + (lines[line - 1]?.length ?? 0), text.length) }
}

const toProblem = (text: string, { from, to }: Range, message: string): Problem => ({
  from,
  to,
  message,
  line: text.slice(0, from).split('\n').length,
})
