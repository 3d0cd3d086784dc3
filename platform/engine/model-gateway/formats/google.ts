import { z } from 'zod'

import type { Tool } from './find-tools.ts'
import { Count, isRecord, lengthOf, recordsIn, Text } from './json-shapes.ts'
import { type AnswerPart, type ExtraUse, type Refusal, statusOf, type WireFormat } from './wire-format.ts'

/** "Generating content", Gemini API reference, autumn 2026. A count of zero is left out of the JSON. */
const Usage = z.object({
  promptTokenCount: Count,
  toolUsePromptTokenCount: Count,
  cachedContentTokenCount: Count,
  candidatesTokenCount: Count,
  thoughtsTokenCount: Count,
})

const Part = z.object({ text: Text })

const Answer = z.object({
  modelVersion: Text,
  usageMetadata: Usage.optional().catch(undefined),
  candidates: z
    .array(
      z.object({
        finishReason: Text,
        content: z
          .object({ parts: z.array(Part).optional().catch(undefined) })
          .optional()
          .catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
  promptFeedback: z.object({ blockReason: Text }).optional().catch(undefined),
  error: z.object({ message: Text }).optional().catch(undefined),
})

function readAnswer(answer: unknown): AnswerPart {
  const parsed = Answer.safeParse(answer)
  if (!parsed.success) return {}
  const { modelVersion: model, usageMetadata: usage, candidates = [], promptFeedback, error } = parsed.data
  if (error) return { error: error.message }
  const parts = candidates.flatMap(({ content }) => content?.parts ?? [])
  const isFinished = candidates.some(({ finishReason }) => finishReason !== undefined)
  return {
    model,
    tokens: usage && {
      input: (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0),
      cacheRead: usage.cachedContentTokenCount ?? 0,
      output: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
    },
    isEnd: usage !== undefined && (isFinished || promptFeedback?.blockReason !== undefined),
    textLength: parts.reduce((sum, { text }) => sum + lengthOf(text), 0),
  }
}

/** Field names are accepted in both spellings, as the API does. */
const flat = (name: string) => name.replaceAll('_', '').toLowerCase()

/** Parts of the contents define no tools. */
const toolsIn = ({ tools }: Readonly<Record<string, unknown>>): Tool[] => (isRecord(tools) ? [tools] : recordsIn(tools))

function extraUses(body: Readonly<Record<string, unknown>>, tools: readonly Tool[]): ExtraUse[] {
  const names = tools.flatMap((tool) => Object.keys(tool)).filter((name) => flat(name) !== 'functiondeclarations')
  const tier = Object.entries(body).find(([name]) => flat(name) === 'servicetier')?.[1]
  return [
    ...names.map((field) => ({
      field,
      reason: flat(field) === 'codeexecution' ? ('billing' as const) : ('internet' as const),
    })),
    ...(tier !== undefined && tier !== 'standard' ? [{ field: 'serviceTier', reason: 'billing' as const }] : []),
  ]
}

const remoteField = (part: Readonly<Record<string, unknown>>) =>
  Object.entries(part).some(
    ([name, file]) =>
      flat(name) === 'filedata' && isRecord(file) && Object.keys(file).some((key) => flat(key) === 'fileuri'),
  )
    ? 'fileData.fileUri'
    : undefined

/** Only an address of another server is content of the internet. The Files API has the files of all calls with one key. */
function isStoredFile(address: unknown): boolean {
  if (typeof address !== 'string' || address === '') return false
  const { protocol, hostname, pathname } = URL.parse(address) ?? { protocol: '', hostname: '', pathname: '' }
  return !/^https?:$/.test(protocol) || hostname.includes('generativelanguage') || /\/files\/[^/]+\/?$/i.test(pathname)
}

const storedField = (part: Readonly<Record<string, unknown>>) =>
  Object.entries(part).some(([name, address]) => flat(name) === 'fileuri' && isStoredFile(address))
    ? 'fileData.fileUri'
    : undefined

/** A count of tokens can have the whole request in it. */
function storedOption(body: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, value] of Object.entries(body)) {
    if (flat(name) === 'cachedcontent' && value !== '' && value !== null) return 'cachedContent'
    if (flat(name) === 'store' && value === true) return 'store'
    const inner = flat(name) === 'generatecontentrequest' && isRecord(value) ? storedOption(value) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}

const errorStatuses: Record<Refusal, string> = {
  authentication: 'UNAUTHENTICATED',
  permission: 'PERMISSION_DENIED',
  'not-found': 'NOT_FOUND',
  invalid: 'INVALID_ARGUMENT',
  'too-large': 'INVALID_ARGUMENT',
  'too-slow': 'DEADLINE_EXCEEDED',
  budget: 'FAILED_PRECONDITION',
  busy: 'RESOURCE_EXHAUSTED',
  upstream: 'UNAVAILABLE',
}

const generate = /^\/v1(?:beta|alpha)?\/models\/([\w.-]+):(generateContent|streamGenerateContent|countTokens)$/

export const google: WireFormat = {
  provider: 'google',
  baseUrl: 'https://generativelanguage.googleapis.com',
  urlOf: (baseUrl, path) => `${baseUrl.replace(/\/v1(beta)?$/, '')}${path}`,
  routeOf(method, path) {
    const [, model, verb] = generate.exec(path) ?? []
    if (method === 'POST' && model !== undefined)
      return { api: verb === 'countTokens' ? 'count' : 'generate', model, path }
    return method === 'GET' && /^\/v1(beta|alpha)?\/models(\/[\w.-]+)?$/.test(path) ? { api: 'models' } : undefined
  },
  query: ['alt', 'pageSize', 'pageToken'],
  headers: /^x-goog-api-client$/,
  keyHeaders: (key) => ({ 'x-goog-api-key': key }),
  readAnswer,
  toolsIn,
  extraUses,
  remoteField,
  storedField,
  storedOption,
  notStored: () => null,
  maxOutput(body) {
    const config = body['generationConfig'] ?? body['generation_config']
    if (!isRecord(config)) return undefined
    const most = config['maxOutputTokens'] ?? config['max_output_tokens']
    return typeof most === 'number' ? most : undefined
  },
  error: (refusal, message) => ({
    status: statusOf[refusal],
    body: { error: { code: statusOf[refusal], message, status: errorStatuses[refusal] } },
  }),
}
