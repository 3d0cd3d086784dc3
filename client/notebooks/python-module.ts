import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { openApiDocument } from '#contract/openapi.ts'

type Parameter = { name: string; in: string; required: boolean; description?: string }
type Operation = {
  operationId: string
  summary: string
  parameters: Parameter[]
  requestBody?: unknown
  responses: Record<string, { content?: Record<string, unknown> }>
}

const intro = `"""Assay from Python, in one file without dependencies.

Save the file beside a notebook, log in with \`assay login\` or set ASSAY_URL and ASSAY_API_KEY, and:

    import assay
    assay.sql("SELECT agent, avg(solved) AS rate FROM runs GROUP BY agent").to_pandas()

Every operation of the API is a function, such as assay.runs_get(run_id). Generated from the OpenAPI document.
"""
`

/** The text of the module \`assay\`: its own code, with a method for each operation of the API. */
export function pythonModule() {
  const head = readFileSync(new URL('./module-head.py', import.meta.url), 'utf8')
  return `${intro}${head.replace('{{METHODS}}\n', () => methods().join('\n'))}`
}

const httpMethods = ['get', 'post', 'put', 'patch', 'delete']

function methods() {
  return Object.entries(openApiDocument().paths).flatMap(([path, item]) =>
    item['servers'] === undefined
      ? httpMethods.flatMap((method) => {
          const operation = item[method] as Operation | undefined
          return operation ? [toMethod(method.toUpperCase(), path, operation)] : []
        })
      : [],
  )
}

/** \`runs.requestsOfCommits\` is \`runs_requests_of_commits\`, which no word of Python's is. */
export const pythonName = (operationId: string) =>
  operationId.replace('.', '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function toMethod(
  method: string,
  path: string,
  { operationId, summary, parameters, requestBody, responses }: Operation,
) {
  const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => [name, argument(name)] as const)
  const inQuery = parameters.filter((one) => one.in === 'query').map(({ name }) => [name, argument(name)] as const)
  const given = [
    'self',
    ...inPath.map(([, name]) => name),
    ...(requestBody ? ['body=None'] : []),
    ...(inQuery.length > 0 ? ['*', ...inQuery.map(([, name]) => `${name}=None`)] : []),
  ]
  const query = inQuery.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(', ')
  const address = inPath.reduce((text, [name]) => text.replace(`{${name}}`, '%s'), `/api/v1${path}`)
  const values = inPath.map(([, name]) => `_segment(${name})`).join(', ')
  const sent = [
    JSON.stringify(method),
    inPath.length > 0 ? `${JSON.stringify(address)} % (${values},)` : JSON.stringify(address),
    `{${query}}`,
    ...(requestBody ? ['{} if body is None else body'] : []),
    ...kindOf(responses),
  ]
  return `    def ${pythonName(operationId)}(${given.join(', ')}):
        """${summary}."""
        return self._call(${sent.join(', ')})
`
}

function kindOf(responses: Operation['responses']) {
  const types = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? Object.keys(content ?? {}) : [],
  )
  if (types.length === 0 || types.includes('application/json')) return []
  return [`kind="${types.includes('text/yaml') ? 'text' : 'bytes'}"`]
}

const words = new Set([
  'from',
  'in',
  'is',
  'not',
  'or',
  'and',
  'class',
  'def',
  'import',
  'with',
  'as',
  'if',
  'else',
  'self',
])

const argument = (name: string) => {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return words.has(snake) || snake === 'body' ? `${snake}_` : snake
}

/** `node client/notebooks/python-module.ts FILE` writes it, as the build of the app does. */
const [, program, file] = process.argv
if (program === fileURLToPath(import.meta.url) && file) writeFileSync(file, pythonModule())
