import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { validate } from '@readme/openapi-parser'
import { expect, onTestFinished, test } from 'vitest'

import { allEndpoints } from '#contract/all-endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { errorStatus } from '#contract/errors.ts'
import { openApiDocument } from '#contract/openapi.ts'
import type { JsonSchema } from '#contract/reference/json-schema.ts'
import { operationTexts } from '#contract/reference/operations.ts'

type Content = Record<string, { schema: JsonSchema; example: unknown }>
type Operation = {
  description?: string
  parameters: { name: string; in: string; description?: string; example?: unknown }[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { $ref?: string; content?: Content }>
}

const document = openApiDocument()
const root = fileURLToPath(new URL('../../..', import.meta.url))

const operationOf = ({ path, method }: Endpoint) =>
  document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Operation

test('the document is valid OpenAPI 3.1', async () => {
  const result = await validate(structuredClone(document) as unknown as Parameters<typeof validate>[0])
  expect(result).toMatchObject({ valid: true })
})

test('paths outside /api/v1 name their own server, and no path is in both', () => {
  const bases = Map.groupBy(allEndpoints, ({ path }) => path)
  for (const endpoint of allEndpoints) {
    expect(new Set(bases.get(endpoint.path)?.map(({ base }) => base)).size, endpoint.path).toBe(1)
    const { servers } = document.paths[endpoint.path.replace(/:(\w+)/g, '{$1}')] ?? {}
    expect(servers).toEqual(endpoint.base === '/api/v1' ? undefined : [{ url: endpoint.base }])
  }
})

test('operations share schemas by name, and none contains a schema with its own fields', () => {
  for (const endpoint of allEndpoints) {
    const { requestBody, responses } = operationOf(endpoint)
    const contents = [requestBody?.content, responses[endpoint.status]?.content]
    for (const content of contents)
      for (const { schema } of Object.values(content ?? {})) expect(schema.properties).toBeUndefined()
  }
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(['Run', 'Experiment', 'Error']))
})

test('every operation and every parameter has a description, and every parameter an example', () => {
  expect(Object.keys(operationTexts).toSorted()).toEqual(allEndpoints.map(({ name }) => name).toSorted())
  for (const endpoint of allEndpoints) {
    const { description, parameters } = operationOf(endpoint)
    expect(description, endpoint.name).toBeTruthy()
    for (const parameter of parameters) {
      expect(parameter.description, `${endpoint.name} ${parameter.name}`).toBeTruthy()
      if (!parameter.description?.startsWith('Alias of')) expect(parameter, endpoint.name).toHaveProperty('example')
    }
  }
})

test('every field of every schema has a description', () => {
  const bare: string[] = []
  const look = (schema: JsonSchema, path: string) => {
    for (const inner of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])])
      look(inner, path)
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (!field.description && !('not' in field)) bare.push(`${path}.${name}`)
      look(field, `${path}.${name}`)
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) look(schema, name)
  expect(bare).toEqual([])
})

test.each(allEndpoints.map((endpoint) => [endpoint.name, endpoint] as const))(
  'the examples of %s match its own schemas',
  (_, endpoint) => {
    const { parameters, requestBody, responses } = operationOf(endpoint)
    const answer = responses[endpoint.status]?.content?.['application/json']
    if (answer) expect(endpoint.response.safeParse(answer.example).error).toBeUndefined()
    const body = requestBody?.content['application/json']?.example
    if (body) expect(endpoint.body.safeParse(body).error).toBeUndefined()
    for (const { name, in: where, example } of parameters) {
      const field = Object.keys(endpoint.query.shape).find(
        (each) => each.replace(/[A-Z]/g, '_$&').toLowerCase() === name,
      )
      if (where === 'query' && field && example !== undefined)
        expect(endpoint.query.shape[field]?.safeParse(example).error, name).toBeUndefined()
    }
  },
)

test('every error that an endpoint declares is in its responses, with an example of its code', () => {
  for (const endpoint of allEndpoints) {
    for (const code of endpoint.errors)
      expect(operationOf(endpoint).responses[errorStatus[code]]?.$ref).toBe(`#/components/responses/${code}`)
  }
  for (const [code, { content }] of Object.entries(document.components.responses))
    expect(content['application/json'].example.error).toBe(code)
})

test('a body is required exactly if one of its fields is required', () => {
  for (const endpoint of allEndpoints) {
    const { requestBody } = operationOf(endpoint)
    if (requestBody) expect(requestBody.required, endpoint.name).toBe(!endpoint.body.safeParse({}).success)
  }
})

test('the OpenAPI document also lists the aliases of parameters and fields', () => {
  for (const endpoint of allEndpoints) {
    const { parameters, requestBody } = operationOf(endpoint)
    const names = parameters.map(({ name }) => name)
    for (const alias of Object.keys(endpoint.queryAliases))
      expect(names).toContain(alias.replace(/[A-Z]/g, '_$&').toLowerCase())
    const { $ref = '' } = requestBody?.content['application/json']?.schema ?? {}
    const fields = document.components.schemas[$ref.split('/').at(-1) ?? '']?.properties ?? {}
    for (const alias of Object.keys(endpoint.bodyAliases)) expect(fields).toHaveProperty(alias)
  }
})

test('a TypeScript client generated from the document compiles, and its types hold', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-client-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const run = (program: string, ...flags: string[]) =>
    promisify(execFile)(process.execPath, [join(root, 'node_modules', program), ...flags], { cwd: folder })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
  await run('oazapfts/dist/cli.js', 'openapi.json', 'client.ts')
  await writeFile(join(folder, 'use.ts'), clientUse)
  const flags = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'esnext', '--module', 'nodenext']
  const faults = await run('typescript/bin/tsc', ...flags, 'client.ts', 'use.ts').then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
  expect(faults).toBe('')
})

const clientUse = `
import { runsGet, runsSubmit } from './client.js'
const submitted = await runsSubmit('parse-roman', { repeat: 3, mock: true })
if (submitted.status === 202) {
  const id: string = submitted.data.runRequestId
  const run = await runsGet(id, { transcript: true })
  if (run.status === 200) console.log(run.data.run?.costUsd satisfies number | null | undefined)
}
// @ts-expect-error a repeat is a number
void runsSubmit('parse-roman', { repeat: 'three' })
`
